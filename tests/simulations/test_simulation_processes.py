"""Simulations in real processes: killed and restarted; two servers and two workers with one queue."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from tests.backtests.driving import Headers, Json, awaited, new_bot, new_user
from tests.backtests.processes import set_tier
from tests.backtests.redis import RedisServer
from tests.commands import Terminal
from tests.servers import SECRET, ForkedCommand, PostgresServer, ServiceProcess
from tests.simulations.driving import LIVELY, page, processed, read, start, stop

SECONDS_TO_RECOVER = 30


def proven(client: httpx2.Client, who: Headers, run: Json) -> Json:
    """Return the run. Assert that its portfolio equals the engine's and its log has every candle once."""
    assert read(client, who, run, "/parity")["differences"] == []
    seen = read(client, who, run)
    times = [kline["time"] for kline in seen["klines"][: seen["candles_processed"]]]
    assert list(dict.fromkeys(entry["time"] for entry in seen["trade_log"])) == times
    return seen


def test_after_a_kill_the_service_continues_its_simulations(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with ServiceProcess(tmp_path / "data") as service, httpx2.Client(base_url=service.url, timeout=30) as client:
        who = new_user(client)
        bots = [new_bot(client, who, LIVELY, name) for name in ("one", "two", "three")]
        runs = [start(client, who, bot, check_interval=10) for bot in bots]
        known = [processed(client, who, run, 2) for run in runs]  # the third candle comes 10 s later
        service.kill()
        service.start()
        service.wait()
        ended = stop(client, who, runs[2])  # although no engine of it is in memory
        assert (ended["status"], ended["signals"]) == ("stopped", known[2]["signals"])
        for run, before in zip(runs[:2], known, strict=False):
            processed(client, who, run, before["candles_processed"] + 1, SECONDS_TO_RECOVER)
            assert proven(client, who, run)["trade_log"][: len(before["trade_log"])] == before["trade_log"]
        assert read(client, who, runs[2]) == ended
        assert service.terminate() == 0
        assert "Traceback" not in service.log()


class Worker:
    """`strategybot worker` as a separate process."""

    def __init__(self, data_dir: Path, name: str, **environment: str) -> None:
        self._log = data_dir.parent / f"worker-{name}.log"
        ours = {f"STRATEGYBOT_{key.upper()}": value for key, value in environment.items()}
        fixed = {"STRATEGYBOT_DATA_DIR": str(data_dir), "STRATEGYBOT_SECRET_KEY": SECRET}
        self._log.touch()
        self.process = ForkedCommand(["worker"], {**os.environ, **fixed, **ours}, data_dir.parent, self._log)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def log(self) -> str:
        return self._log.read_text()


class TestMany:
    @pytest.fixture
    def environment(self, postgres: PostgresServer) -> Iterator[dict[str, str]]:
        if RedisServer.program() is None:
            pytest.skip("Redis is not installed: Debian's package is called redis-server")
        with RedisServer() as queue:
            yield {"database_url": postgres.new_database(), "queue_url": queue.url}

    def test_two_servers_and_two_workers_lose_no_step(self, tmp_path: Path, environment: dict[str, str]) -> None:
        data = tmp_path / "data"
        data.mkdir()
        with ExitStack() as stack:
            services = [ServiceProcess(data, None, **environment) for _ in range(2)]
            for service in services:
                service.start()
                stack.callback(service.kill)
            workers = [Worker(data, name, **environment) for name in ("one", "two")]
            for worker in workers:
                stack.callback(worker.kill)
            clients = []
            for service in services:
                service.wait()
                clients.append(stack.enter_context(httpx2.Client(base_url=service.url, timeout=30)))
            self.play(data, environment, services, workers, clients)

    def play(
        self,
        data: Path,
        environment: dict[str, str],
        services: list[ServiceProcess],
        workers: list[Worker],
        clients: list[httpx2.Client],
    ) -> None:
        who = new_user(clients[0])
        set_tier(data, environment["database_url"], "ada@example.com", "normal")
        bots = [new_bot(clients[0], who, LIVELY, f"Bot {number}") for number in range(8)]
        runs = [start(clients[n % 2], who, bot, check_interval=10) for n, bot in enumerate(bots)]
        awaited(lambda: {"log": workers[0].log()}, lambda seen: "Strategy Bot works" in seen["log"], 60)
        services[0].kill()
        workers[0].kill()
        began = time.monotonic()
        known = [read(clients[1], who, run) for run in runs]
        stopped = stop(clients[1], who, runs[0])
        replaced = start(clients[1], who, bots[1], check_interval=10)
        for run, before in zip(runs[2:], known[2:], strict=True):
            processed(clients[1], who, run, before["candles_processed"] + 1, SECONDS_TO_RECOVER)
        assert time.monotonic() - began < SECONDS_TO_RECOVER
        for run in runs[2:]:
            proven(clients[1], who, run)
        assert read(clients[1], who, runs[0]) == stopped
        assert [
            run["run_id"] for run in page(clients[1], who, bots[1])["simulations"] if run["status"] == "running"
        ] == [replaced["run_id"]]
        workers[1].process.send_signal(signal.SIGTERM)
        assert workers[1].process.wait(20) == 0
        assert "Traceback" not in workers[1].log() + services[1].log()


def test_a_worker_refuses_to_start_without_a_shared_queue(terminal: Terminal) -> None:
    said = terminal.run("worker")
    assert (said.code, said.out) == (2, "")
    assert (
        said.err == "A worker needs a queue that it shares with the service: set STRATEGYBOT_QUEUE_URL to redis://….\n"
    )

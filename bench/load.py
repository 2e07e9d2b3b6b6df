"""Load: the throughput of real requests relative to the bare framework, with one process and with two.

`make bench` runs it. wrk sends the reads, and requests to a bare FastAPI route in the same run: the ratio is comparable
between machines, the absolute numbers are not. Threads of this process, which uses the same processors, send the chat
turns and backtests. With two processes each gets half of the connections.
"""

import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx2

from tests.backtests import driving as backtests
from tests.backtests.driving import Headers
from tests.backtests.processes import set_tier
from tests.backtests.redis import RedisServer
from tests.servers import PostgresServer, ServiceProcess, free_port
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import create_bot, sign_up

CONNECTIONS = 32
SECONDS, ROUNDS = 5, 3
BOTS = 10
WORKERS, JOBS = 8, 40
EMAIL = "ada@example.com"
SHARE_GOALS = {"SQLite": 0.2, "PostgreSQL": 0.12}
"""The least share of the bare route's speed for the list of bots."""
MOST_P99_MS = 50.0

BARE = """
import fastapi, uvicorn
app = fastapi.FastAPI()
@app.get("/")
def bare() -> dict[str, str]:
    return {"status": "ok"}
uvicorn.run(app, port=%d, log_level="warning", access_log=False)
"""


@dataclass(frozen=True, slots=True)
class Figure:
    a_second: float
    p99_ms: float
    errors: int


@dataclass(frozen=True, slots=True)
class Stage:
    """A user who has one of everything, and the processes that know it."""

    urls: list[str]
    who: Headers
    reads: dict[str, str]
    bot: dict[str, str]


def main() -> None:
    if shutil.which("wrk") is None:
        sys.exit("The load test needs wrk: Debian's package is called wrk.")
    with bare_server() as bare:
        print(f"{CONNECTIONS} connections, {BOTS} bots in the list; a second, p99 in ms", flush=True)
        of_bare = measured([bare], None)
        line("bare FastAPI route", of_bare, of_bare)
        alone = dict[str, Figure]()
        for kind, place in (("SQLite", on_sqlite), ("PostgreSQL", on_postgresql)):
            print(kind, flush=True)
            for name, figure in figures(place, 1):
                alone[name] = figure
                line(name, figure, of_bare, goal_line(kind, figure, of_bare) if name == "list of bots" else "")
        for name, figure in figures(on_postgresql, 2):
            growth = figure.a_second / alone[name].a_second
            line(f"{name}, 2 processes", figure, of_bare, f"{growth:.2f} × one process")


def goal_line(kind: str, figure: Figure, bare: Figure) -> str:
    is_met = figure.a_second >= SHARE_GOALS[kind] * bare.a_second and figure.p99_ms <= MOST_P99_MS and not figure.errors
    return f"≥ {SHARE_GOALS[kind]} of bare, p99 ≤ {MOST_P99_MS:.0f} ms: {'met' if is_met else 'missed'}"


def line(name: str, figure: Figure, bare: Figure, more: str = "") -> None:
    share = figure.a_second / bare.a_second
    numbers = f"{figure.a_second:9.1f}{figure.p99_ms:9.1f}{share:8.2f} of bare{figure.errors:5} errors"
    print(f"{name:28}{numbers}  {more}", flush=True)


Place = Callable[[ExitStack, Path], dict[str, str]]
"""Prepares a database that lasts as long as the stack, and returns the settings of the processes that use it."""


def on_sqlite(_stack: ExitStack, folder: Path) -> dict[str, str]:
    return {"database_url": f"sqlite:///{folder / 'data' / 'strategybot.db'}"}


def on_postgresql(stack: ExitStack, _folder: Path) -> dict[str, str]:
    postgres, queue = PostgresServer(), stack.enter_context(RedisServer())
    stack.callback(postgres.remove)
    return {"database_url": postgres.new_database(), "queue_url": queue.url}


def figures(place: Place, processes: int) -> Iterator[tuple[str, Figure]]:
    with stage(place, processes) as ready:
        header = f"Authorization: {ready.who['Authorization']}"
        for name, path in ready.reads.items():
            yield name, measured([url + path for url in ready.urls], header)
        yield "chat turns, offline", timed(ready, chat)
        yield "backtests, 720 candles", timed(ready, backtest)


@contextmanager
def stage(place: Place, processes: int) -> Iterator[Stage]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "data").mkdir()
        shared = {**place(stack, folder), "chat_limit": "1000000/5h"}
        services = [ServiceProcess(folder / "data", None, **shared) for _ in range(processes)]
        for service in services:
            stack.enter_context(service)
        promote = partial(set_tier, folder / "data", shared["database_url"], EMAIL, "pro")
        yield with_users([service.url for service in services], promote)


def with_users(urls: list[str], promote: Callable[[], None]) -> Stage:
    with httpx2.Client(base_url=urls[0], timeout=60) as client:
        who = sign_up(client, EMAIL)
        promote()
        bot, *_ = [create_bot(client, who, f"Bot {number}", strategy=LIVELY) for number in range(BOTS)]
        tested = backtests.finished(client, who, backtests.start(client, who, bot, token=TOKEN))
        running = simulations.start(client, who, bot)
        conversation = client.post("/api/conversations", json={}, headers=who).json()["id"]
        client.post(f"/api/conversations/{conversation}/chat", json={"message": "Buy the dip of 5 %"}, headers=who)
    of_bot = f"/api/bots/{bot['id']}"
    reads = {
        "healthz": "/healthz",
        "list of bots": "/api/bots",
        "a bot": of_bot,
        "a backtest": f"{of_bot}/backtest/{tested['run_id']}",
        "its trades": f"{of_bot}/backtest/{tested['run_id']}/trades",
        "a simulation": f"{of_bot}/simulate/{running['run_id']}",
        "a conversation": f"/api/conversations/{conversation}",
    }
    return Stage(urls, who, reads, bot)


def chat(client: httpx2.Client, stage: Stage) -> None:
    conversation = client.post("/api/conversations", json={}, headers=stage.who).json()["id"]
    body = {"message": "What can you do?"}
    client.post(f"/api/conversations/{conversation}/chat", json=body, headers=stage.who).raise_for_status()


def backtest(client: httpx2.Client, stage: Stage) -> None:
    run = backtests.start(client, stage.who, stage.bot, token=TOKEN)
    assert backtests.finished(client, stage.who, run)["status"] == "completed"


def timed(stage: Stage, job: Callable[[httpx2.Client, Stage], None]) -> Figure:
    """Some at once, over all processes in turn, until all are done."""
    with ExitStack() as stack, ThreadPoolExecutor(WORKERS) as pool:
        clients = [stack.enter_context(httpx2.Client(base_url=url, timeout=60)) for url in stage.urls]
        job(clients[0], stage)

        def one(number: int) -> float:
            began = time.monotonic()
            job(clients[number % len(clients)], stage)
            return time.monotonic() - began

        began = time.monotonic()
        took = list(pool.map(one, range(JOBS)))
        return Figure(JOBS / (time.monotonic() - began), 1000 * statistics.quantiles(took, n=100)[98], 0)


@contextmanager
def bare_server() -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", BARE % port])
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}/"
    finally:
        process.kill()
        process.wait()


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on {port}")


def measured(urls: list[str], header: str | None) -> Figure:
    """The median of several rounds: one noisy neighbour must not decide."""
    rounds = [together(urls, header) for _ in range(ROUNDS)]
    return Figure(
        statistics.median(figure.a_second for figure in rounds),
        statistics.median(figure.p99_ms for figure in rounds),
        sum(figure.errors for figure in rounds),
    )


def together(urls: list[str], header: str | None) -> Figure:
    with ThreadPoolExecutor(len(urls)) as pool:
        parts = list(pool.map(lambda url: run_wrk(url, header, CONNECTIONS // len(urls)), urls))
    return Figure(
        sum(part.a_second for part in parts), max(part.p99_ms for part in parts), sum(part.errors for part in parts)
    )


def run_wrk(url: str, header: str | None, connections: int) -> Figure:
    command = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency", *(["-H", header] if header else []), url]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", output).groups()  # type: ignore[union-attr]
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", output)
    return Figure(
        float(re.search(r"Requests/sec:\s+([\d.]+)", output).group(1)),  # type: ignore[union-attr]
        float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit],
        int(errors.group(1)) if errors else 0,
    )


if __name__ == "__main__":
    main()

"""While backtests run back to back, the service answers everybody else as before."""

import statistics
import threading
import time
from pathlib import Path

import httpx2
import pytest

from strategybot.app import Services
from strategybot.settings import Settings
from tests.backtests.driving import Headers, Json, finished, new_bot, new_user, start
from tests.market.upstream.market import SOL
from tests.servers import SECRET, ServiceProcess

CANDLES = 400_000
P99_MS, NOISE = 50.0, 5.0
ROUNDS = 4
BUSY: Json = {
    "conditions": [{"kind": "price_drop", "percent": 0.3, "window": "5m"}],
    "risk_management": {"stop_loss_percent": 1, "take_profit_percent": 1},
}


def p99_ms(client: httpx2.Client, seconds: float) -> float:
    times = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        began = time.perf_counter()
        assert client.get("/healthz").status_code == 200
        times.append(1000 * (time.perf_counter() - began))
        time.sleep(0.01)
    return statistics.quantiles(times, n=100)[98]


def test_healthz_is_quick_beside_two_long_runs(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    with ServiceProcess(tmp_path / "data") as service, httpx2.Client(base_url=service.url, timeout=60) as client:
        who = new_user(client)
        services = Services(Settings(_env_file=None, data_dir=tmp_path / "data", secret_key=SECRET))
        services.accounts.set_tier("ada@example.com", "pro")
        services.database.close()
        bot = new_bot(client, who, BUSY)
        run_once(service, who, bot)  # the candles are stored, and everything is compiled
        # Other tests share the machine: what one round shows in quiet counts, not what a noisy one adds.
        rounds = (measured(service, client, who, bot) for _ in range(ROUNDS))
        noisy = []
        for calm, busy in rounds:
            if busy < max(P99_MS, NOISE * calm):
                return
            noisy.append(f"{busy:.0f} ms, in peace {calm:.0f} ms")
        pytest.fail("; ".join(noisy))


def measured(service: ServiceProcess, client: httpx2.Client, who: Headers, bot: Json) -> tuple[float, float]:
    """The p99 without runs, and beside two that begin again and again."""
    ended, counts = threading.Event(), [0, 0]

    def keep_busy(number: int) -> None:
        while not ended.is_set():
            run_once(service, who, bot)
            counts[number] += 1

    before = p99_ms(client, 1.5)
    workers = [threading.Thread(target=keep_busy, args=[number]) for number in range(2)]
    for worker in workers:
        worker.start()
    busy = p99_ms(client, 4)
    ended.set()
    for worker in workers:
        worker.join()
    assert min(counts) > 0
    return max(before, p99_ms(client, 1.5)), busy  # a machine that is noisy in peace as well proves nothing


def run_once(service: ServiceProcess, who: Headers, bot: Json) -> None:
    end = int(time.time()) // 86_400 * 86_400
    request = {"token": SOL.token_id, "kline_interval": "1m", "start_time": end - 60 * CANDLES, "end_time": end}
    with httpx2.Client(base_url=service.url, timeout=60) as client:
        run = finished(client, who, start(client, who, bot, **request))
        assert run["status"] == "completed", run["error"]

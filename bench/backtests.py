"""The whole path of a backtest, from POST to completed, beside the engine's own time. `python -m bench.backtests`.

The candles are stored already, and each run waits for the verdict of the one before. Each figure is the best of several
runs in a real process; the engine's time is taken over the same candles in this one. The last lines show the latency of
`/healthz` while such runs follow each other.
"""

import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import anyio
import httpx2

from strategybot.app import Services
from strategybot.settings import Settings
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.preparation import prepare, warm_up_seconds
from strategybot.trading.language.strategy import Strategy
from tests.servers import SECRET, ServiceProcess
from tests.support import PASSWORD, bearer

STRATEGY: dict[str, Any] = {
    "conditions": [
        {"kind": "price_drop", "percent": 1, "window": "12m"},
        {"kind": "volume_spike", "multiplier": 2, "window": "20m"},
    ],
    "risk_management": {"stop_loss_percent": 2, "take_profit_percent": 3},
}
GOALS_MS = {100_000: 40.0, 1_000_000: 250.0}
ROUNDS = 5
POLLING_SECONDS = 8.0
TOKEN = "So11111111111111111111111111111111111111112-solana"
END = int(time.time()) // 86_400 * 86_400


class Bench:
    def __init__(self, client: httpx2.Client) -> None:
        self._client = client
        body = {"email": "bench@example.com", "password": PASSWORD}
        self._who = bearer(client.post("/api/auth/register", json=body).json()["access_token"])

    def prepare(self) -> None:
        draft = {"name": "Bench", "strategy": STRATEGY}
        self._bot = self._client.post("/api/bots", json=draft, headers=self._who).json()["id"]

    def run(self, candles: int) -> float:
        """Milliseconds from asking to completed."""
        request = {"token": TOKEN, "kline_interval": "1m", "start_time": END - 60 * candles, "end_time": END}
        began = time.perf_counter()
        answer = self._client.post(f"/api/bots/{self._bot}/backtest", json=request, headers=self._who)
        assert answer.status_code == 202, answer.text
        path = f"/api/bots/{self._bot}/backtest/{answer.json()['run_id']}"
        while (run := self._client.get(path, headers=self._who).json())["status"] in ("pending", "running"):
            time.sleep(0.005)
        assert run["status"] == "completed", run["error"]
        took = 1000 * (time.perf_counter() - began)
        while not (run["verdict"] or run["verdict_error"]):
            time.sleep(0.05)
            run = self._client.get(path, headers=self._who).json()
        return took


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        ServiceProcess(Path(folder) / "data") as service,
        httpx2.Client(base_url=service.url, timeout=120) as client,
    ):
        bench = Bench(client)
        services = Services(Settings(_env_file=None, data_dir=Path(folder) / "data", secret_key=SECRET))
        services.operator.set_tier("bench@example.com", "pro")
        bench.prepare()
        report_speed(bench, services)
        report_health(bench, service.url)
        services.database.close()


def report_speed(bench: Bench, services: Services) -> None:
    titles = ("first ms", "best ms", "median ms", "load ms", "engine ms", "ratio")
    print(f"{'candles':>10}{''.join(f'{title:>11}' for title in titles)}  goal")
    for candles, goal in GOALS_MS.items():
        first = bench.run(candles)
        times = [bench.run(candles) for _ in range(ROUNDS)]
        load, engine = direct(services, candles)
        verdict = f"≤ {goal:.0f} ms: {'met' if min(times) <= goal else 'missed'}"
        figures = f"{first:11.0f}{min(times):11.0f}{statistics.median(times):11.0f}{load:11.0f}{engine:11.1f}"
        print(f"{candles:10}{figures}{min(times) / engine:11.1f}  {verdict}")


def direct(services: Services, candles: int) -> tuple[float, float]:
    """Milliseconds to load the candles from the store, and to compute alone: the best of several."""
    strategy, start = Strategy.model_validate(STRATEGY), END - 60 * candles
    loads, runs = [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        first = start - warm_up_seconds(strategy, 60)
        known, report = anyio.run(services.market.candles, TOKEN, "1m", first, END)
        loads.append(1000 * (time.perf_counter() - began))
        began = time.perf_counter()
        prepared = prepare(known, report, start)
        run_backtest(strategy, prepared.candles, Costs(), 10_000, start_index=prepared.start_index)
        runs.append(1000 * (time.perf_counter() - began))
    return min(loads), min(runs)


def report_health(bench: Bench, url: str) -> None:
    calm = health_p99(url, POLLING_SECONDS / 2)
    ended = threading.Event()

    def keep_busy() -> None:
        while not ended.is_set():
            bench.run(1_000_000)

    workers = [threading.Thread(target=keep_busy) for _ in range(2)]
    for worker in workers:
        worker.start()
    busy = health_p99(url, POLLING_SECONDS)
    ended.set()
    for worker in workers:
        worker.join()
    verdict = "met" if busy < 50 else "missed"
    print(
        f"/healthz p99: {calm:.1f} ms in peace, {busy:.1f} ms beside two runs of 1 000 000 candles (< 50 ms: {verdict})"
    )


def health_p99(url: str, seconds: float) -> float:
    times = []
    deadline = time.monotonic() + seconds
    with httpx2.Client(base_url=url, timeout=30) as client:
        while time.monotonic() < deadline:
            began = time.perf_counter()
            client.get("/healthz")
            times.append(1000 * (time.perf_counter() - began))
            time.sleep(0.01)
    return statistics.quantiles(times, n=100)[98]


if __name__ == "__main__":
    main()

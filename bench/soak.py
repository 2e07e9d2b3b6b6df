"""A soak: one process on SQLite, a mixed day of runs and then steady use for SOAK_MINUTES (30): does its memory grow?

The day has backtests of one to two months, searches, surveys, and four years of 1-minute candles, tested and searched.
It must end below `MOST_MEGABYTES`. In the steady part simulations run, and every second users list, read, chat, test
and change things. The drift is the slope of the resident memory over the second half; the first half is for caches.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from tests.backtests.driving import FINISHED, Headers, Json, awaited
from tests.backtests.processes import set_tier
from tests.servers import ServiceProcess
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import create_bot, sign_up

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
SIMULATIONS = 50
EMAIL = "ada@example.com"
SECONDS_BETWEEN_ROUNDS = 0.5
MOST_MEGABYTES = 600
DAY = 86_400
BACKTESTS = 90
STOPS = [
    {"path": "stop_loss_percent", "values": [1, 2, 3, 4]},
    {"path": "take_profit_percent", "values": [2, 4, 6, 8]},
]
RSI: Json = {"series": "rsi", "period": 14}
STRATEGY: Json = {
    "conditions": [{"kind": "compare", "left": RSI, "operator": "below", "right": 30}],
    "exit_conditions": [{"kind": "compare", "left": RSI, "operator": "above", "right": 70}],
    "risk_management": {"stop_loss_percent": 5},
}


@dataclass
class Soaked:
    megabytes: list[tuple[float, float]] = field(default_factory=list)  # minute, resident
    milliseconds: list[float] = field(default_factory=list)
    errors: int = 0

    def drift(self) -> float:
        """Megabytes an hour, over the second half."""
        half = self.megabytes[len(self.megabytes) // 2 :]
        minutes, sizes = zip(*half, strict=True)
        return 60 * statistics.linear_regression(minutes, sizes).slope


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        data.mkdir()
        with (
            ServiceProcess(data, chat_limit="1000000/5h") as service,
            httpx2.Client(base_url=service.url, timeout=60) as client,
        ):
            who = sign_up(client, EMAIL)
            set_tier(data, f"sqlite:///{data}/strategybot.db", EMAIL, "pro")
            live_a_day(client, who, service)
            bots = [create_bot(client, who, f"Bot {number}", strategy=LIVELY) for number in range(SIMULATIONS)]
            soaked = soak(client, who, bots, service)
    report(soaked)


def live_a_day(client: httpx2.Client, who: Headers, service: ServiceProcess) -> None:
    bot, now = create_bot(client, who, "Day", strategy=STRATEGY), int(time.time()) // DAY * DAY
    at_first = resident_megabytes(service)

    def run(kind: str, days: int, **request: object) -> None:
        body = {"start_time": now - days * DAY, "end_time": now, **request}
        answer = client.post(f"/api/bots/{bot['id']}/{kind}", json=body, headers=who).raise_for_status()
        run_id = answer.json()["run_id"]
        read = lambda: client.get(f"/api/bots/{bot['id']}/{kind}/{run_id}", headers=who).json()  # noqa: E731
        assert awaited(read, lambda seen: seen["status"] in FINISHED, 600)["status"] == "completed"

    for number in range(BACKTESTS):
        run("backtest", 30 + number % 31, token=TOKEN, kline_interval=("1m", "5m", "15m", "1h")[number % 4])
    for _ in range(3):
        run("optimise", 60, token=TOKEN, kline_interval="15m", parameters=STOPS)
        run("survey", 30, kline_interval="15m", trending="solana")
    for kind, request in (("backtest", {}), ("optimise", {"parameters": STOPS}), ("backtest", {})):
        run(kind, 4 * 365, token=TOKEN, kline_interval="1m", **request)
    at_last = resident_megabytes(service)
    is_met = "met" if at_last <= MOST_MEGABYTES else "missed"
    print(f"a mixed day: {at_first:.0f} MB at first, {at_last:.0f} at last (≤ {MOST_MEGABYTES}: {is_met})", flush=True)


def soak(client: httpx2.Client, who: Headers, bots: list[Json], service: ServiceProcess) -> Soaked:
    soaked, began = Soaked(), time.monotonic()
    conversation = client.post("/api/conversations", json={}, headers=who).json()["id"]
    for bot in bots:
        simulations.start(client, who, bot, check_interval=10)
    number = 0
    while (minute := (time.monotonic() - began) / 60) < MINUTES:
        number += 1
        for method, path, body in round_of(number, bots[number % len(bots)], conversation):
            sent = time.monotonic()
            status = client.request(method, path, json=body, headers=who).status_code
            soaked.milliseconds.append(1000 * (time.monotonic() - sent))
            soaked.errors += status >= 400
        if number % 10 == 0:
            soaked.megabytes.append((minute, resident_megabytes(service)))
        time.sleep(SECONDS_BETWEEN_ROUNDS)
    return soaked


def round_of(number: int, bot: Json, conversation: str) -> Iterator[tuple[str, str, Json | None]]:
    yield "GET", "/healthz", None
    yield "GET", "/api/bots", None
    yield "GET", f"/api/bots/{bot['id']}/simulations", None
    yield "PATCH", "/api/auth/settings", {"theme": "dark" if number % 2 else "light"}
    if number % 5 == 0:
        yield "POST", f"/api/conversations/{conversation}/chat", {"message": "What can you do?"}
        yield "GET", f"/api/conversations/{conversation}", None
    if number % 10 == 0:
        yield "POST", f"/api/bots/{bot['id']}/backtest", {"token": TOKEN}
        yield "GET", f"/api/bots/{bot['id']}/backtests", None
    if number % 50 == 0:
        yield "POST", f"/api/bots/{bot['id']}/simulate", {"token": TOKEN, "check_interval": 10}


def resident_megabytes(service: ServiceProcess) -> float:
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def report(soaked: Soaked) -> None:
    sizes = [size for _, size in soaked.megabytes]
    p99 = statistics.quantiles(soaked.milliseconds, n=100)[98]
    print(f"{MINUTES:.0f} minutes, {len(soaked.milliseconds)} requests, {soaked.errors} errors, p99 {p99:.0f} ms")
    print(f"{SIMULATIONS} simulations; MB: {sizes[0]:.0f} at first, {sizes[-1]:.0f} at last, {max(sizes):.0f} at most")
    print(f"drift over the second half: {soaked.drift():+.1f} MB an hour")


if __name__ == "__main__":
    main()

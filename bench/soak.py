"""A soak: one process on SQLite in steady use for SOAK_MINUTES (30), and whether its memory grows.

Simulations run, and every second users list, read, chat, test and change things. The drift is the slope of the
resident memory over the second half; the first half is for caches to fill.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from tests.backtests.driving import Headers, Json
from tests.backtests.test_backtest_processes import set_tier
from tests.servers import ServiceProcess
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import create_bot, sign_up

MINUTES = float(os.environ.get("SOAK_MINUTES", "30"))
SIMULATIONS = 50
EMAIL = "ada@example.com"
SECONDS_BETWEEN_ROUNDS = 0.5


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
            bots = [create_bot(client, who, f"Bot {number}", strategy=LIVELY) for number in range(SIMULATIONS)]
            soaked = soak(client, who, bots, service)
    report(soaked)


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

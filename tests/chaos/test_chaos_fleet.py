"""One component after the other fails while users continue; then every promise is checked.

`make chaos` has more cycles and appends their figures to `bench/CHAOS.md`.
"""

import os
import platform
import random
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.backtests.redis import RedisServer
from tests.chaos.checker import PROMISES, Checker
from tests.chaos.fleet import Fleet
from tests.chaos.history import History
from tests.chaos.users import Collector, User
from tests.operations.guide import ROOT
from tests.servers import PostgresServer

LONG_RUN_REQUESTED = "CHAOS_CYCLES" in os.environ
CYCLES = int(os.environ.get("CHAOS_CYCLES", "0"))
CALM_EVERY = 50
ACTS, AT_ONCE = 6, 6
SEED = int(os.environ.get("CHAOS_SEED", "5"))
REPORT = ROOT / "bench" / "CHAOS.md"
SHORT_OF_MANY = [
    "kill -9 of serve 0", "SIGTERM of serve 1", "kill -9 of worker 2", "FLUSHDB",
    "PostgreSQL restarts", "Redis restarts, empty", "the provider is away", "the model is away", "SIGTERM of worker 2",
    "SIGSTOP of worker 3",
]  # fmt: skip
SHORT_OF_ONE = ["kill -9 of serve 0", "the disk is full", "SIGSTOP of serve 0", "SIGTERM of serve 0"]


class Chaos:
    def __init__(self, fleet: Fleet) -> None:
        self.fleet, self.chance, self.history = fleet, random.Random(SEED), History()
        self.users: list[User] = [User(self.history, fleet.urls, name, self.chance) for name in ("ada", "bob")]
        self.users.append(Collector(self.history, fleet.urls, "eve", self.chance))
        self.done: Counter[str] = Counter()
        self.wrong: dict[str, list[str]] = {name: [] for name in PROMISES}
        self.checks = 0

    def cycle(self, name: str) -> None:
        begin, mend = self.fleet.faults()[name]
        self.act()
        begin()
        self.act()
        mend()
        self.fleet.wait()
        self.done[name] += 1

    def act(self) -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for acted in [pool.submit(self.chance.choice(self.users).act) for _ in range(ACTS)]:
                acted.result()

    def check(self) -> None:
        self.checks += 1
        found = Checker(self.history, self.users, self.fleet.urls).check()
        for name, sentences in found.items():
            self.wrong[name] += sentences

    def run(self, names: list[str]) -> None:
        for number, name in enumerate(names, 1):
            self.cycle(name)
            if number % CALM_EVERY == 0 or number == len(names):
                self.check()


def drawn(fleet: Fleet, short: list[str], cycles: int) -> list[str]:
    """Return the short list; in the long run every fault equally often, in a random order."""
    if not LONG_RUN_REQUESTED:
        return short
    names = sorted(fleet.faults())
    many = (names * (cycles // len(names) + 1))[:cycles]
    random.Random(SEED).shuffle(many)
    return many


@pytest.mark.parametrize("kind", ["PostgreSQL and Redis, 2 serve, 2 work", "SQLite, 1 serves"])
def test_whatever_breaks_every_promise_holds(tmp_path: Path, kind: str) -> None:
    alone = kind.startswith("SQLite")
    if not alone and (PostgresServer.programs() is None or RedisServer.program() is None):
        pytest.skip("PostgreSQL and Redis are not installed")
    began = time.monotonic()
    with Fleet(tmp_path, 1 if alone else 2, 0 if alone else 2, alone=alone) as fleet:
        chaos = Chaos(fleet)
        chaos.users[0].rehearse()
        chaos.run(drawn(fleet, SHORT_OF_ONE if alone else SHORT_OF_MANY, CYCLES // (4 if alone else 1)))
        logs = "".join(member.log() for member in fleet.members)
    counts = chaos.history.counts()
    assert sum(kinds["acknowledged"] for kinds in counts.values()) > 3 * sum(chaos.done.values())
    assert RedisServer.PASSWORD not in logs
    if LONG_RUN_REQUESTED:
        write_down(kind, chaos, time.monotonic() - began)
    assert {name: sentences for name, sentences in chaos.wrong.items() if sentences} == {}


def write_down(kind: str, chaos: Chaos, seconds: float) -> None:
    lines = [
        f"## {kind}",
        "",
        f"{sum(chaos.done.values())} cycles in {seconds / 60:.0f} minutes on {os.cpu_count()} cores, {platform.python_version()}; checked {chaos.checks} times.",
        "",
    ]
    lines += [
        "| fault | cycles |",
        "|---|--:|",
        *(f"| {name} | {count} |" for name, count in sorted(chaos.done.items())),
        "",
    ]
    lines += ["| what users did | acknowledged | refused | unknown |", "|---|--:|--:|--:|"]
    for name, kinds in sorted(chaos.history.counts().items()):
        lines.append(f"| {name} | {kinds['acknowledged']} | {kinds['refused']} | {kinds['unknown']} |")
    lines += ["", "| promise | broken |", "|---|---|"]
    lines += [f"| {name} | {'; '.join(sorted(set(said))[:5]) or 'never'} |" for name, said in chaos.wrong.items()]
    with REPORT.open("a") as report:
        report.write("\n".join(lines) + "\n\n")

"""Thousands of simulations in one process: processor, memory, lateness, and recovery after kill -9.

`python -m bench.simulations [COUNT …]`. The runs are inserted into the database (SQLite), each with a check interval of
ten seconds, spread evenly. This process does what `strategybot worker` does; `idle` is its share of a core before it
has a run. Lateness is how long after its due time a step was computed, and saved. Memory is that of a real service with
all runs and, `idle`, with a single one. The last figure is the time from the first answer after kill -9 and restart
until all runs are claimed.
"""

import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from sqlalchemy import insert

from strategybot.accounts.schemas import Registration, UserSettings
from strategybot.app import Services, working
from strategybot.bots.schemas import BotDraft
from strategybot.bots.storage import Bot
from strategybot.kit.identifiers import new_id
from strategybot.kit.memory import tune_garbage_collector
from strategybot.migrations import migrate
from strategybot.settings import Settings
from strategybot.simulations.active import ActiveRun, Answer
from strategybot.simulations.runner import Runner
from strategybot.simulations.saves import Saved
from strategybot.simulations.schemas import SimulationRequest
from strategybot.simulations.storage import Fetched, Simulation, Step
from tests.servers import SECRET, ServiceByHand
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import PASSWORD

COUNTS = (500, 5000)
CHECK_SECONDS = 10
SETTLING_SECONDS, MEASURED_SECONDS = 25, 20
GOALS = {500: (5, 165, 8, 2.3), 5000: (21, 284, 8, 9.3)}  # percent of a core, MB, ms late at p99, seconds to resume


def main(counts: tuple[int, ...]) -> None:
    titles = f"{'runs':>6}{'core %':>9}{'idle %':>9}{'MB':>7}{'idle MB':>9}{'steps/s':>9}"
    print(f"{titles}  late p50, p99 ms    saved p50, p99 ms  resumed s  goals", flush=True)
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            measure(count, Path(folder) / "data")


def measure(count: int, data: Path) -> None:
    data.mkdir()
    template = seed(data)
    with ServiceByHand(data) as service:
        idle_megabytes = resident_megabytes(service)
    spread(template, count, data)
    measured = anyio.run(worked, data)
    late, saved = (statistics.quantiles(each, n=100) for each in (measured.late, measured.saved_late))
    with ServiceByHand(data) as service:
        seconds_until_all_are_taken_up(data, by_another_than=[])
        megabytes = resident_megabytes(service)
        killed = rows(data, NEWEST_WORKER)
        service.kill()
        service.start()
        service.wait()
        back = seconds_until_all_are_taken_up(data, by_another_than=killed)
    goal = "≤ {} %, {} MB, {} ms, {} s".format(*GOALS[count]) if count in GOALS else ""
    steps = len(measured.late) / MEASURED_SECONDS
    figures = f"{count:6}{measured.share:9.1f}{measured.idle:9.1f}{megabytes:7.0f}{idle_megabytes:9.0f}{steps:9.0f}"
    print(f"{figures}{late[49]:10.1f}{late[98]:8.1f}{saved[49]:13.1f}{saved[98]:8.1f}{back:11.1f}  {goal}", flush=True)


@dataclass
class Measured:
    share: float
    idle: float
    late: list[float]
    saved_late: list[float]


class WatchedRunner(Runner):
    """Notes how many milliseconds after its time each step was made, and saved."""

    def forget(self) -> None:
        self.late: list[float] = []
        self.saved_late: list[float] = []

    def _taken_due(self) -> list[ActiveRun]:
        due = super()._taken_due()
        self.was_due = {simulation.run_id: simulation.due for simulation in due}
        return due

    def _step(self, simulation: ActiveRun, answer: Answer) -> None:
        super()._step(simulation, answer)
        self.late.append(1000 * (time.time() - self.was_due[simulation.run_id]))

    def _keep(self, simulation: ActiveRun, saved: Saved) -> None:
        self.saved_late.append(1000 * (time.time() - self.was_due[simulation.run_id]))
        super()._keep(simulation, saved)


class IdleRunner(Runner):
    async def work(self) -> None:
        await anyio.sleep_forever()


async def nobody_watches(_services: Services) -> None:
    """No stream of events is open."""


async def worked(data: Path, watch: Callable[[Services], Awaitable[None]] = nobody_watches) -> Measured:
    """All that `strategybot worker` does, in this process: without the runs and with them. `watch` may open streams."""
    services = Services(Settings(_env_file=None, data_dir=data, secret_key=SECRET))
    parts = services.database, services.market, services.clock, services.leases
    services.workers["simulation"], runner = IdleRunner(*parts), WatchedRunner(*parts)
    async with working(services), anyio.create_task_group() as tasks:
        await anyio.sleep(2)
        idle = await share_of_a_core(MEASURED_SECONDS / 4)
        runner.forget()
        await watch(services)
        tune_garbage_collector()
        tasks.start_soon(runner.work)
        await anyio.sleep(SETTLING_SECONDS)
        runner.forget()
        share = await share_of_a_core(MEASURED_SECONDS)
        tasks.cancel_scope.cancel()
    return Measured(share, idle, runner.late, runner.saved_late)


async def share_of_a_core(seconds: float) -> float:
    before, began = time.process_time(), time.monotonic()
    await anyio.sleep(seconds)
    return 100 * (time.process_time() - before) / (time.monotonic() - began)


def seed(data: Path) -> Simulation:
    """One real simulation, whose like all others are."""
    services = Services(Settings(_env_file=None, data_dir=data, secret_key=SECRET))
    migrate(services.database)

    async def start() -> str:
        registration = Registration(email="bench@example.com", password=PASSWORD)
        token = await services.accounts.register(registration, "bench", None)
        who = services.accounts.identity(token.access_token).principal
        bot = services.bots.create(who, BotDraft.model_validate({"name": "Bench", "strategy": LIVELY, "token": TOKEN}))
        request = SimulationRequest(check_interval=10)
        return (await services.simulations.start(who, UserSettings(), bot.id, request)).run_id

    run_id = anyio.run(start)
    with services.database.read() as session:
        run = session.get(Simulation, run_id)
        assert run is not None
    services.database.close()
    return run


def spread(template: Simulation, count: int, data: Path) -> None:
    """Copies of the one, due evenly over the check interval."""
    services = Services(Settings(_env_file=None, data_dir=data, secret_key=SECRET))
    first = datetime.now(UTC) + timedelta(seconds=CHECK_SECONDS)
    with services.database.write() as session:
        bot, began = session.get(Bot, template.bot_id), session.get(Fetched, template.run_id)
        step = session.get(Step, (template.run_id, 1))
        assert bot is not None
        assert began is not None
        assert step is not None
        bots, runs, candles, steps = [], [], [], []
        for number in range(count - 1):
            bots.append({**columns(bot), "id": new_id(), "name": f"Bench {number}"})
            due = first + timedelta(seconds=CHECK_SECONDS * number / count)
            own = {"run_id": new_id(), "bot_id": bots[-1]["id"], "due_at": due, "worker_id": None}
            runs.append({**columns(template), **own})
            candles.append({**columns(began), "run_id": own["run_id"]})
            steps.append({**columns(step), "run_id": own["run_id"]})
        for table, rows in ((Bot, bots), (Simulation, runs), (Fetched, candles), (Step, steps)):
            session.execute(insert(table), rows)
    services.database.close()


def columns(row: Any) -> dict[str, Any]:
    return {column.key: getattr(row, column.key) for column in type(row).__table__.columns}


def rows(data: Path, query: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(f"file:{data}/strategybot.db?mode=ro", uri=True)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


NEWEST_WORKER = "SELECT id FROM workers ORDER BY started_at DESC LIMIT 1"
LEFT_ALONE = f"SELECT count(*) FROM simulations WHERE status = 'running' AND worker_id IS NOT ({NEWEST_WORKER})"


def seconds_until_all_are_taken_up(data: Path, by_another_than: list[tuple[Any, ...]]) -> float:
    """From the first answer of the service until every run has been claimed anew."""
    began = time.monotonic()
    while rows(data, NEWEST_WORKER) == by_another_than or rows(data, LEFT_ALONE)[0][0]:
        assert time.monotonic() - began < 60
        time.sleep(0.05)
    return time.monotonic() - began


def resident_megabytes(service: ServiceByHand) -> float:
    time.sleep(SETTLING_SECONDS)
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main(tuple(int(each) for each in sys.argv[1:]) or COUNTS)

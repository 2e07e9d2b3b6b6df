"""Thousands of simulations in one process: processor, memory, lateness, and the return after kill -9.

`python -m bench.simulations [COUNT …]`. The runs are put straight into the database, each with a check interval of ten
seconds, spread evenly; a real `strategybot serve` on SQLite works on them. Lateness is how long after its time a step
was saved, read from the database by looking at it from outside.
"""

import sqlite3
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from sqlalchemy import insert

from strategybot.accounts.schemas import Registration, UserSettings
from strategybot.app import Services
from strategybot.bots.schemas import BotDraft
from strategybot.bots.storage import Bot
from strategybot.kit.identifiers import new_id
from strategybot.migrations import migrate
from strategybot.settings import Settings
from strategybot.simulations.schemas import SimulationRequest
from strategybot.simulations.storage import Fetched, Simulation, Step
from tests.servers import SECRET, ServiceProcess
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import PASSWORD

COUNTS = (500, 5000)
CHECK_SECONDS = 10
SETTLING_SECONDS, MEASURED_SECONDS = 25, 20
GOALS = {500: (5.0, 165, 2.3), 5000: (21.0, 284, 9.3)}  # percent of a core, MB, seconds to resume


def main(counts: tuple[int, ...]) -> None:
    print(
        f"{'runs':>6}{'core %':>9}{'MB':>7}{'steps/s':>9}{'late p50 ms':>13}{'late p99 ms':>13}{'resumed s':>11}  goals"
    )
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            measure(count, Path(folder) / "data")


def measure(count: int, data: Path) -> None:
    data.mkdir()
    template = seed(data)
    with ServiceProcess(data) as service:
        spread(template, count, data)
        time.sleep(SETTLING_SECONDS)
        before, began = cpu_seconds(service.process.pid), time.monotonic()
        steps, late = observed(data, MEASURED_SECONDS)
        share = 100 * (cpu_seconds(service.process.pid) - before) / (time.monotonic() - began)
        memory = resident_megabytes(service.process.pid)
        service.kill()
        service.start()
        service.wait()
        back = seconds_until_all_are_taken_up(data)
    quantiles = statistics.quantiles(late, n=100)
    goal = "≤ {} %, {} MB, {} s".format(*GOALS[count]) if count in GOALS else ""
    print(
        f"{count:6}{share:9.1f}{memory:7.0f}{steps / MEASURED_SECONDS:9.0f}{quantiles[49]:13.1f}{quantiles[98]:13.1f}"
        f"{back:11.1f}  {goal}"
    )


def seed(data: Path) -> Simulation:
    """One real simulation, whose like all others are."""
    services = Services(Settings(_env_file=None, data_dir=data, secret_key=SECRET))
    migrate(services.database)

    async def start() -> str:
        token = await services.accounts.register(Registration(email="bench@example.com", password=PASSWORD), None)
        who = services.accounts.identity(token.access_token).principal
        bot = services.bots.create(who, BotDraft.model_validate({"name": "Bench", "strategy": LIVELY, "token": TOKEN}))
        request = SimulationRequest(check_interval=CHECK_SECONDS)
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


def observed(data: Path, seconds: float) -> tuple[int, list[float]]:
    """How many steps were saved meanwhile, and how late: a step moves the time at which the next one is due."""
    before = {run_id: (processed, due) for run_id, processed, due in rows(data, STATE)}
    steps, late, deadline = 0, [], time.monotonic() + seconds
    while time.monotonic() < deadline:
        time.sleep(0.005)
        now = time.time()
        for run_id, processed, due in rows(data, RECENT):
            known, was_due = before.get(run_id, (processed, due))
            if processed != known:
                steps += processed - known
                late.append(1000 * (now - moment(was_due)))
                before[run_id] = processed, due
    return steps, late


NEWEST_WORKER = "SELECT id FROM simulations_workers ORDER BY started_at DESC LIMIT 1"
LEFT_ALONE = f"SELECT count(*) FROM simulations WHERE status = 'running' AND worker_id IS NOT ({NEWEST_WORKER})"
STATE = "SELECT run_id, candles_processed, due_at FROM simulations WHERE status = 'running'"
RECENT = f"""{STATE} AND due_at > strftime('%Y-%m-%d %H:%M:%f', 'now', '+{CHECK_SECONDS - 1} seconds')"""


def moment(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def seconds_until_all_are_taken_up(data: Path) -> float:
    """From the first answer of the service until every run has been claimed anew."""
    began = time.monotonic()
    while rows(data, LEFT_ALONE)[0][0] and time.monotonic() - began < 60:
        time.sleep(0.05)
    return time.monotonic() - began


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident_megabytes(pid: int) -> float:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main(tuple(int(each) for each in sys.argv[1:]) or COUNTS)

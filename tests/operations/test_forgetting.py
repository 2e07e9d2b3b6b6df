"""The guide's commands that delete old runs: these are deleted with their data; newer and live runs stay."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from fastapi.testclient import TestClient

from strategybot.settings import Settings
from tests.application import application
from tests.backtests import driving as backtests
from tests.backtests.driving import Json
from tests.operations.guide import environment, follow
from tests.searches import driving as research
from tests.servers import SECRET, PostgresServer
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import ManualClock, create_bot, sign_up

KEPT_BY_RUNS = (
    "backtests",
    "backtests_chunks",
    "research_optimisations",
    "research_variants",
    "research_surveys",
    "simulations",
    "simulations_candles",
    "simulations_steps",
)
OF_ENDED_RUNS = 5  # tables without a row of the simulation that goes on
PARAMETERS = [{"path": "stop_loss_percent", "values": [1, 2]}]
DAYS = 90


@pytest.fixture
def database_url(postgres: PostgresServer, migrated_postgres: str) -> Iterator[str]:
    with postgres.lent_database(migrated_postgres) as url:
        yield url


def rows(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        counted = (connection.execute(f"SELECT count(*) FROM {table}").fetchone() for table in KEPT_BY_RUNS)
        return [row[0] for row in counted if row is not None]


def test_only_old_runs_are_deleted(tmp_path: Path, database_url: str) -> None:
    clock = ManualClock()
    clock.now = datetime.now(UTC) - timedelta(days=DAYS + 1)
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", database_url=database_url, secret_key=SECRET)
    forget = environment(tmp_path, STRATEGYBOT_DATABASE_URL=database_url, DAYS=str(DAYS))
    with TestClient(application(settings, clock)) as client:
        who = sign_up(client)
        bot, other = (create_bot(client, who, name, strategy=LIVELY) for name in ("Old", "Still running"))
        backtests.finished(client, who, backtests.start(client, who, bot, token=TOKEN))
        requests: dict[str, Json] = {
            "optimise": {"token": TOKEN, "parameters": PARAMETERS},
            "survey": {"tokens": [{"token": TOKEN}]},
        }
        for kind, asked in requests.items():
            research.finished(client, who, research.start(client, who, bot, kind, **asked), kind)
        simulations.stop(client, who, simulations.start(client, who, bot))
        young = rows(database_url)
        going_on = simulations.start(client, who, other)
        follow("forget-postgresql", tmp_path, forget | {"DAYS": str(DAYS + 2)})
        assert rows(database_url)[:OF_ENDED_RUNS] == young[:OF_ENDED_RUNS]
        assert min(young) > 0

        follow("forget-postgresql", tmp_path, forget)
        assert rows(database_url)[: OF_ENDED_RUNS + 1] == [*([0] * OF_ENDED_RUNS), 1]
        assert simulations.read(client, who, going_on)["status"] == "running"
        assert client.get("/api/bots", headers=who).json()["total_bots"] == 2

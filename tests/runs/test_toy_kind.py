"""A new kind of run needs the files that CONTRIBUTING.md lists, and nothing else: this adds a toy, as it says there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select

from strategybot.app import Services, create_app
from strategybot.kit.changes import START, read_after, watch
from strategybot.kit.database import Base
from strategybot.kit.identifiers import new_id
from strategybot.run_kinds import RUN_KINDS, BuiltKind, Parts, RunKind
from strategybot.runs.service import RunNotFound
from strategybot.settings import Settings
from tests.backtests.driving import Headers, Json, awaited
from tests.engines import on_sqlite_alone
from tests.servers import SECRET
from tests.simulations.driving import LIVELY
from tests.support import ManualClock, create_bot, sign_up

pytestmark = on_sqlite_alone
ROOT = Path(__file__).parent.parent.parent
MOST_FILES = 8
DETAILED = 3


@pytest.fixture
def toy() -> Iterator[RunKind]:
    # Imported here, so that other tests do not know its table.
    from tests.runs.toy.api import router  # noqa: PLC0415
    from tests.runs.toy.runner import Counter  # noqa: PLC0415
    from tests.runs.toy.service import Counts  # noqa: PLC0415
    from tests.runs.toy.storage import Count, trim  # noqa: PLC0415

    def build(parts: Parts) -> BuiltKind:
        worker = Counter(parts.database, parts.clock, parts.leases, parts.jobs)
        return BuiltKind(Counts(*parts.of_service, worker), worker)

    yield RunKind(Count, router, build, trim, DETAILED)
    Base.metadata.remove(Count.__table__)  # type: ignore[arg-type]  # it is a table


@pytest.fixture
def client(toy: RunKind, tmp_path: Path, database_url: str, clock: ManualClock) -> Iterator[TestClient]:
    settings = Settings(_env_file=None, data_dir=tmp_path, database_url=database_url, secret_key=SECRET, metrics=True)
    with TestClient(create_app(settings, clock, (*RUN_KINDS, toy))) as client:
        services: Services = client.app.state.services  # type: ignore[attr-defined]
        with services.database.write() as session:  # what its migration would do
            toy.row.__table__.create(session.connection())  # type: ignore[attr-defined]  # it is a table
        yield client


def counted(client: TestClient, who: Headers, bot: Json) -> Json:
    path = f"/api/bots/{bot['id']}/count"
    answer = client.post(path, json={"start_time": 1_767_225_600, "end_time": 1_767_312_000}, headers=who)
    assert answer.status_code == 202, answer.text
    run = f"{path}/{answer.json()['run_id']}"
    return awaited(lambda: client.get(run, headers=who).json(), lambda now: now["status"] == "completed", 20)


def test_the_toy_is_run_shown_listed_measured_found_and_trimmed(
    client: TestClient, services: Services, toy: RunKind
) -> None:
    who = sign_up(client)
    bot = create_bot(client, who, strategy=LIVELY)
    run = counted(client, who, bot)
    assert (run["counted"], run["progress"], run["error"]) == (24, 100, None)
    listed = client.get(f"/api/bots/{bot['id']}/counts", headers=who).json()
    assert (listed["total_counts"], listed["counts"][0]["run_id"]) == (1, run["run_id"])
    assert client.post(f"/api/bots/{bot['id']}/count/{run['run_id']}/stop", headers=who).status_code == 409
    assert 'kind="count_pending"' in client.get("/metrics").text
    ada, stranger = (services.accounts.account(each)[0] for each in ("ada@example.com", _stranger(client)))
    assert services.runs.find(ada, run["run_id"]).model_dump(mode="json")["counted"] == 24
    with pytest.raises(RunNotFound):
        services.runs.find(stranger, run["run_id"])
    newest = _copied(services, toy.row, run["run_id"], DETAILED)
    services.retention.run()
    with services.database.read() as session:
        assert set(session.scalars(select(toy.row.run_id).where(toy.row.details_kept))) == set(newest)


def test_its_changes_are_events_of_its_kind(client: TestClient, services: Services) -> None:
    who = sign_up(client)
    bot = create_bot(client, who, strategy=LIVELY)
    with services.database.write() as session:
        watch(session, services.accounts.account("ada@example.com")[0].owner_id)
    run = counted(client, who, bot)
    with services.database.read() as session:
        noted = [
            each.what for each in read_after(session, START) if (each.kind, each.run_id) == ("count", run["run_id"])
        ]
    assert noted[0] == "created"
    assert noted.count("status") == 2  # it began, and it ended


def test_contributing_lists_the_files_of_a_kind(toy: RunKind) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("### a kind of run") :]
    section = section[: section.index("\n### ", 5)]
    files = set(re.findall(r"`(src/strategybot/[\w/]+\.py)`", section))
    assert len(files) <= MOST_FILES
    of_the_toy = {path.name for path in (Path(__file__).parent / "toy").glob("*.py")}
    assert {Path(name).name for name in files if "/watches/" in name} == of_the_toy
    assert toy.name == "count"


def _stranger(client: TestClient) -> str:
    sign_up(client, "bob@example.com")
    return "bob@example.com"


def _copied(services: Services, row: type[Any], run_id: str, count: int) -> list[str]:
    """Store the finished run so many times more, and return the ids of the copies."""
    ids = [new_id() for _ in range(count)]
    with services.database.write() as session:
        run = session.get(row, run_id)
        columns = {column.key: getattr(run, column.key) for column in row.__table__.columns}
        session.execute(insert(row), [{**columns, "run_id": each} for each in ids])
    return ids

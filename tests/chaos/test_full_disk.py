"""While PostgreSQL's disk is full, writes are refused with a clear sentence and nothing that was stored is lost."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.chaos.disk import SmallDisk
from tests.operations.guide import long_form
from tests.servers import PostgresServer, ServiceProcess
from tests.support import STRATEGY, create_bot, sign_up

AWAY = {"detail": "The database cannot be reached at the moment. Please try again."}
MOST = 200
LARGE = "x" * 1000


@pytest.fixture
def disk() -> Iterator[SmallDisk]:
    if PostgresServer.programs() is None or not SmallDisk.is_possible():
        pytest.skip("it takes PostgreSQL and the right to mount")
    with SmallDisk() as disk:
        yield disk


@pytest.fixture
def postgres(disk: SmallDisk) -> Iterator[PostgresServer]:
    server = PostgresServer(disk.path)
    yield server
    server.remove()


@long_form
def test_a_full_disk_is_said_so_and_once_there_is_room_all_goes_on(
    tmp_path: Path, disk: SmallDisk, postgres: PostgresServer
) -> None:
    (tmp_path / "data").mkdir()
    with (
        ServiceProcess(tmp_path / "data", database_url=postgres.new_database()) as service,
        httpx2.Client(base_url=service.url, timeout=30) as client,
    ):
        who = sign_up(client)
        bot = create_bot(client, who, strategy=STRATEGY)
        disk.fill()
        assert postgres.has_a_full_disk()
        kept = written_until_refused(client, who, bot["id"])
        assert client.get("/healthz").status_code == 200

        disk.empty()
        postgres.start_again_if_it_died()
        service.wait()
        assert client.get(f"/api/bots/{bot['id']}", headers=who).json()["description"] == kept
        create_bot(client, who, "After", strategy=STRATEGY)


def written_until_refused(client: httpx2.Client, who: dict[str, str], bot: str) -> str:
    """Change the description until no room is left, and return the last one that was acknowledged."""
    kept = ""
    for number in range(MOST):
        description = f"{number} {LARGE}"[: len(LARGE)]
        answer = client.patch(f"/api/bots/{bot}", json={"description": description}, headers=who)
        if answer.status_code != 200:
            assert (answer.status_code, answer.json()) == (503, AWAY)
            return kept
        kept = description
    raise AssertionError("there was room for everything")

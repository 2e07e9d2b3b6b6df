"""The migrations create exactly the tables of the code, once, even if several processes start together."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

import strategybot.app  # noqa: F401  every table is known once the whole application is
from strategybot.kit.database import Base, Database
from strategybot.migrations import current_revision, migrate, newest_revision
from tests.servers import PostgresServer


def test_the_tables_are_those_of_the_code(database: Database) -> None:
    with database.read() as session:
        context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    assert current_revision(database) == newest_revision()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/empty.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


def test_processes_that_start_together_migrate_once(empty_url: str) -> None:
    databases = [Database(empty_url) for _ in range(8)]
    assert current_revision(databases[0]) is None
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(migrate, databases))
    assert {current_revision(database) for database in databases} == {newest_revision()}
    migrate(databases[0])
    for database in databases:
        database.close()

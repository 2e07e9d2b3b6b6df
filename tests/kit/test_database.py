"""Transactions: all or nothing, one writer at a time, and a clear error if the database cannot be reached."""

import json
import os
import socket
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import InternalError

from strategybot.accounts.storage import add_user, users
from strategybot.kit.database import Base, Database, DatabaseDamaged, DatabaseUnavailable
from strategybot.kit.limits import Admission
from tests.servers import PostgresServer, free_port

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def keys(database: Database) -> list[str]:
    with database.read() as session:
        return list(session.scalars(select(Admission.key).order_by(Admission.id)))


def test_a_new_file_that_another_process_is_writing_to_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    database = Database(f"sqlite:///{path}")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        written = threading.Timer(0.2, other.execute, ["COMMIT"])
        written.start()
        database.ping()
        written.join()
    database.close()


def test_a_write_is_committed_completely_or_not_at_all(database: Database) -> None:
    with database.write() as session:
        session.add(Admission(key="kept", expires_at=MOMENT))
    with pytest.raises(ZeroDivisionError), database.write() as session:
        session.add(Admission(key="lost", expires_at=MOMENT))
        session.flush()
        _ = 1 / 0
    assert keys(database) == ["kept"]


def test_a_read_transaction_commits_nothing(database: Database) -> None:
    with suppress(InternalError), database.read() as session:  # PostgreSQL refuses the write, SQLite rolls it back
        session.add(Admission(key="lost", expires_at=MOMENT))
        session.flush()
    assert keys(database) == []


def test_datetimes_are_read_back_in_utc_to_the_microsecond(database: Database) -> None:
    elsewhere = MOMENT.astimezone(timezone(timedelta(hours=5, minutes=30)))
    with database.write() as session:
        session.add(Admission(key="x", expires_at=elsewhere))
    with database.read() as session:
        found = session.scalars(select(Admission.expires_at)).one()
    assert (found, found.tzinfo) == (MOMENT, UTC)


def test_read_then_write_never_loses_an_update(database: Database) -> None:
    def append(number: int) -> None:
        with database.write() as session:
            database.exclusive(session, "counter")
            count = len(session.scalars(select(Admission.id)).all())
            session.add(Admission(key=str(count), expires_at=MOMENT))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(24)))
    assert keys(database) == [str(number) for number in range(24)]


def test_reads_do_not_wait_for_a_write(database: Database) -> None:
    with database.write() as session:
        session.add(Admission(key="x", expires_at=MOMENT))
        session.flush()
        assert keys(database) == []
    assert keys(database) == ["x"]


@pytest.mark.parametrize(
    "value",
    [
        {"curve": [[0, 0.1, -0.0], [2**53 + 1, 1e-7, 1.7976931348623157e308], [2**70, 5e-324, 1e22]]},
        {"text": 'ünï "quoted" \u2028 \\n', "none": None, "yes": True, "nested": {"1": []}},
        {"half a surrogate pair": "\ud800"},
    ],
    ids=["numbers", "texts", "surrogate"],
)
def test_json_is_read_back_exactly_and_as_it_was_written_before(database: Database, value: dict[str, object]) -> None:
    with database.write() as session:
        ada = add_user(session, "ada@example.com", "", MOMENT)
        ada.settings = value
        bob = add_user(session, "bob@example.com", "", MOMENT)
        session.flush()
        written = text("UPDATE accounts_users SET settings = :settings WHERE id = :id")
        session.execute(written, {"settings": json.dumps(value), "id": bob.id})
    with database.read() as session:
        assert [repr(user.settings) for user in users(session)] == [repr(value)] * 2


def test_sqlite_has_the_intended_pragmas(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/x.db")
    with database.read() as session:
        pragmas = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
        values = [session.execute(text(f"PRAGMA {name}")).scalar() for name in pragmas]
    assert values == ["wal", 2, 15000, 1]
    database.close()


def test_a_write_waits_for_another_process_instead_of_failing(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/x.db")
    Base.metadata.create_all(database.engine)
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.3, lambda: other.execute("COMMIT"))
    release.start()
    with database.write() as session:
        session.add(Admission(key="patient", expires_at=MOMENT))
    assert keys(database) == ["patient"]
    release.join()
    other.close()
    database.close()


@pytest.mark.parametrize("url", ["sqlite:////no/such/folder/x.db", "postgresql://nobody@127.0.0.1:{port}/none"])
def test_an_unreachable_database_is_reported(url: str) -> None:
    database = Database(url.format(port=free_port()))
    with pytest.raises(DatabaseUnavailable):
        database.ping()
    with pytest.raises(DatabaseUnavailable), database.write():
        pass


def test_a_file_that_is_no_database_is_reported_and_unchanged(tmp_path: Path) -> None:
    letter = "Dear Ada, this is not a database. " * 100
    (tmp_path / "letter.txt").write_text(letter)
    database = Database(f"sqlite:///{tmp_path}/letter.txt")
    with pytest.raises(DatabaseDamaged, match="its file is no database"):
        database.ping()
    with pytest.raises(DatabaseDamaged), database.write():
        pass
    assert (tmp_path / "letter.txt").read_text() == letter


def test_a_lost_connection_is_replaced(postgres: PostgresServer) -> None:
    database = Database(postgres.new_database())
    database.ping()
    with database.read() as session:
        session.execute(text("SELECT 1"))
        mine = session.scalar(text("SELECT pg_backend_pid()"))
    other = Database(postgres.url("postgres"))
    with other.write() as session:
        session.execute(text("SELECT pg_terminate_backend(:pid, 10000)"), {"pid": mine})  # and wait until it has ended
    database.ping()
    database.close()
    other.close()


def test_a_connection_that_breaks_under_a_read_is_an_outage_and_no_damage(postgres: PostgresServer) -> None:
    database = Database(postgres.new_database())
    with pytest.raises(DatabaseUnavailable) as raised, database.read() as session:
        connection: Any = session.connection().connection.driver_connection
        with socket.socket(fileno=os.dup(connection.fileno())) as broken:
            broken.shutdown(socket.SHUT_RDWR)
        session.execute(text("SELECT 1"))
    assert type(raised.value) is DatabaseUnavailable
    database.ping()
    database.close()


def test_a_connection_in_use_when_it_is_closed_is_closed_when_given_back(database_url: str) -> None:
    database = Database(database_url)
    with database.read() as session:
        connection = session.connection().connection.driver_connection
        database.close()
        assert session.scalar(text("SELECT 1")) == 1
    assert connection is not None
    with pytest.raises((psycopg.OperationalError, sqlite3.ProgrammingError)):
        connection.execute("SELECT 1")


def test_the_address_is_shown_without_its_password() -> None:
    assert "hunter2" not in Database("postgresql://ada:hunter2@db.example/x").name


def test_every_table_belongs_to_a_folder(database: Database) -> None:
    tables = set(inspect(database.engine).get_table_names()) - {"alembic_version"}
    assert tables == set(Base.metadata.tables)

"""A damaged SQLite file is noticed at the start, before a request happens to read the damaged page."""

import sqlite3
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from strategybot.doctor import diagnose
from strategybot.kit.database import Database, DatabaseDamaged
from strategybot.settings import Settings
from tests.application import application
from tests.engines import on_sqlite_alone
from tests.servers import SECRET

pytestmark = on_sqlite_alone
PAGE = 4096


@pytest.fixture
def damaged(database_url: str) -> str:
    """Return a database with a table that nothing reads, one page of which is overwritten."""
    path = Path(database_url.removeprefix("sqlite:///"))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("CREATE TABLE unread (text TEXT)")
    connection.executemany("INSERT INTO unread VALUES (?)", [("x" * 1000,) for _ in range(100)])
    (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'unread'").fetchone()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(b"\xff" * PAGE)
    return database_url


def settings_of(folder: Path, url: str) -> Settings:
    return Settings(_env_file=None, data_dir=folder / "data", database_url=url, secret_key=SECRET)


def test_a_whole_database_has_no_fault(database_url: str) -> None:
    database = Database(database_url)
    database.check()
    database.close()


def test_the_check_finds_the_damage(damaged: str) -> None:
    database = Database(damaged)
    with pytest.raises(DatabaseDamaged):
        database.check()
    assert database.is_damaged
    database.close()


def test_the_service_says_that_it_is_not_ready(tmp_path: Path, damaged: str) -> None:
    with TestClient(application(settings_of(tmp_path, damaged))) as client:
        deadline = time.monotonic() + 10
        while (answer := client.get("/readyz")).status_code == 200:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert (answer.status_code, answer.json()) == (503, {"detail": DatabaseDamaged.message})
        assert client.get("/healthz").status_code == 200


def test_doctor_reports_it(tmp_path: Path, damaged: str) -> None:
    found = {finding.name: finding for finding in diagnose(settings_of(tmp_path, damaged))}
    assert (found["Database"].ok, found["Database"].message) == (False, DatabaseDamaged.message)

"""Backup and restore, by the commands of the operations guide, on both databases."""

import sqlite3
import stat
import threading
from pathlib import Path

import httpx2
import pytest

from tests.commands import Terminal
from tests.operations.guide import environment, follow
from tests.servers import PostgresServer, ServiceProcess
from tests.support import PASSWORD, STRATEGY, create_bot, sign_up


def bots_of_ada(service: ServiceProcess) -> list[str]:
    with httpx2.Client(base_url=service.url) as client:
        login = client.post("/api/auth/login", json={"email": "ada@example.com", "password": PASSWORD})
        assert login.status_code == 200, login.text
        who = {"Authorization": f"Bearer {login.json()['access_token']}"}
        return [bot["name"] for bot in client.get("/api/bots", headers=who).json()["bots"]]


def test_a_backup_made_under_load_restores_everything_that_was_acknowledged(tmp_path: Path) -> None:
    running, done = environment(tmp_path), threading.Event()
    with ServiceProcess(tmp_path / "data") as service, httpx2.Client(base_url=service.url) as client:
        who = sign_up(client)
        for number in range(5):
            create_bot(client, who, f"Kept {number}", strategy=STRATEGY)

        def keep_writing() -> None:
            settings = {"theme": "dark"}
            while not done.is_set():
                client.patch("/api/auth/settings", json=settings, headers=who)

        writer = threading.Thread(target=keep_writing)
        writer.start()
        follow("backup-sqlite", tmp_path, running)
        done.set()
        writer.join()
        create_bot(client, who, "Made after the copy", strategy=STRATEGY)
    [copy] = tmp_path.glob("strategybot-*.db")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with sqlite3.connect(copy) as opened:
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    follow("restore-sqlite", tmp_path, running | {"COPY": copy.name})
    with ServiceProcess(tmp_path / "data") as service:
        assert bots_of_ada(service) == [f"Kept {number}" for number in reversed(range(5))]


def test_a_dump_of_postgresql_restores_everything(tmp_path: Path, postgres: PostgresServer) -> None:
    old, new = postgres.new_database(), postgres.new_database()
    with ServiceProcess(tmp_path / "data", database_url=old) as service, httpx2.Client(base_url=service.url) as client:
        create_bot(client, sign_up(client), "Kept", strategy=STRATEGY)
        follow("backup-postgresql", tmp_path, environment(tmp_path, STRATEGYBOT_DATABASE_URL=old))
    follow("restore-postgresql", tmp_path, environment(tmp_path, STRATEGYBOT_DATABASE_URL=new))
    with ServiceProcess(tmp_path / "data", database_url=new) as service:
        assert bots_of_ada(service) == ["Kept"]


@pytest.mark.parametrize(
    ("made", "url", "sentence"),
    [
        ([], None, "There is nothing to copy yet: data/strategybot.db does not exist."),
        (["data/strategybot.db", "copy.db"], None, "copy.db exists already; name a new file."),
        (
            [],
            "postgresql://nobody@127.0.0.1:1/x",
            "This database is PostgreSQL: pg_dump copies it, and docs/operations.md shows how.",
        ),
    ],
    ids=["nothing there", "a file in the way", "PostgreSQL"],
)
def test_a_failed_backup_is_reported_in_one_sentence(
    terminal: Terminal, made: list[str], url: str | None, sentence: str
) -> None:
    terminal.set("STRATEGYBOT_DATA_DIR", "data")
    if url:
        terminal.set("STRATEGYBOT_DATABASE_URL", url)
    for name in made:
        (terminal.folder / name).parent.mkdir(exist_ok=True)
        (terminal.folder / name).touch()
    said = terminal.run("backup", "copy.db")
    assert said.code in {1, 2}
    assert said.err.strip() == sentence

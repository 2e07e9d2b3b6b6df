"""The `strategybot` command as a person uses it."""

import re
import socket
from pathlib import Path

import pytest

from strategybot.app import Services
from strategybot.secret import secret_in
from strategybot.settings import Settings
from tests.commands import Terminal, run
from tests.registering import register
from tests.servers import SECRET, ServiceProcess, free_port

NO_ADDRESS = "must be an address such as https://host or http://host:8080/path"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ["serve", "user", "doctor"]),
        (("serve",), ["--host", "--port"]),
        (("user",), ["list", "set-tier", "disable", "enable", "delete", "reset-password"]),
        (("user", "list"), ["List all accounts"]),
        (("user", "set-tier"), ["EMAIL", "free, normal or pro"]),
        (("doctor",), ["installation"]),
    ],
)
def test_every_command_explains_itself(terminal: Terminal, arguments: tuple[str, ...], words: list[str]) -> None:
    said = terminal.run(*arguments, "--help")
    assert said.code == 0
    for word in words:
        assert word in said.out


def test_users_are_listed_and_moved_between_tiers(terminal: Terminal) -> None:
    assert terminal.run("user", "list").out.strip() == "No one has registered yet."
    register(terminal.data, "ada@example.com", "bob@example.com")
    moved = terminal.run("user", "set-tier", "ADA@example.com", "pro")
    assert (moved.code, moved.out.strip()) == (0, "ADA@example.com is in the pro tier now.")
    lines = [line.split() for line in terminal.run("user", "list").out.splitlines() if "@" in line]
    assert [[word for word in line if "@" in word or word in {"free", "pro"}] for line in lines] == [
        ["ada@example.com", "pro"],
        ["bob@example.com", "free"],
    ]


def test_the_list_of_users_shows_who_is_disabled(terminal: Terminal) -> None:
    register(terminal.data, "ada@example.com", "bob@example.com")
    terminal.run("user", "disable", "bob@example.com")
    listed = [line for line in terminal.run("user", "list").out.splitlines() if "@" in line]
    assert [len(re.findall(r"\d{4}-\d\d-\d\d", line)) for line in listed] == [1, 2]
    terminal.run("user", "enable", "bob@example.com")
    assert len(re.findall(r"\d{4}-\d\d-\d\d", terminal.run("user", "list").out)) == 2


def test_an_account_is_disabled_enabled_given_a_password_and_deleted(terminal: Terminal) -> None:
    register(terminal.data, "ada@example.com")
    for command, words in {
        "disable": "ada@example.com is disabled",
        "enable": "ada@example.com can log in again.",
        "reset-password": "The new password of ada@example.com is ",
    }.items():
        said = terminal.run("user", command, "ada@example.com")
        assert (said.code, words in said.out) == (0, True)
    assert terminal.run("user", "delete", "ada@example.com", "--yes").out.strip() == "ada@example.com is deleted."
    assert terminal.run("user", "list").out.strip() == "No one has registered yet."


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("user", "disable", "nobody@example.com"), "User not found."),
        (("user", "set-tier", "nobody@example.com", "pro"), "User not found."),
        (("user", "set-tier", "ada@example.com", "gold"), "TIER must be one of free, normal, pro."),
    ],
)
def test_a_mistake_is_one_clear_sentence(terminal: Terminal, arguments: tuple[str, ...], sentence: str) -> None:
    assert terminal.run(*arguments) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("PORT", "http", "STRATEGYBOT_PORT must be a whole number."),
        ("PORT", "70000", "STRATEGYBOT_PORT must be at most 65535."),
        ("SECRET_KEY", "short", "STRATEGYBOT_SECRET_KEY must have at least 32 bytes; `openssl rand -hex 32` makes a good one."),
        ("SECRET_KEY", "please-changeme-please-changeme-please", "STRATEGYBOT_SECRET_KEY is a placeholder; `openssl rand -hex 32` makes a real one."),
        ("TOKEN_LIFETIME", "soon", "STRATEGYBOT_TOKEN_LIFETIME must be a duration such as 15m, 1h or 2d, from 1m to 30d."),
        ("LOGIN_LIMIT", "5", "STRATEGYBOT_LOGIN_LIMIT must be a rate such as 5/1m or 500/5h."),
        ("DATABASE_URL", "mysql://x", "STRATEGYBOT_DATABASE_URL must begin with postgresql:// or sqlite:///."),
        ("DATABASE_URL", "postgresql://u:p@h:99x/db", "STRATEGYBOT_DATABASE_URL must be an address such as postgresql://user:password@host:5432/name."),
        ("DATABASE_URL", "sqlite:///", "STRATEGYBOT_DATABASE_URL must be an address such as postgresql://user:password@host:5432/name."),
        ("QUEUE_URL", "http://x", "STRATEGYBOT_QUEUE_URL must begin with memory://, redis:// or rediss://."),
        ("QUEUE_URL", "redis://:p@h:abc", "STRATEGYBOT_QUEUE_URL must be an address such as redis://:password@host:6379/0."),
        ("TRUSTED_PROXIES", "10.0.0.1,everyone", "STRATEGYBOT_TRUSTED_PROXIES.1 must be addresses or networks such as 10.0.0.5, 10.0.0.0/8."),
        ("CORS_ORIGINS", "*", "STRATEGYBOT_CORS_ORIGINS.0 must be origins such as https://app.example.com."),
        ("CORS_ORIGINS", "https://", "STRATEGYBOT_CORS_ORIGINS.0 must be origins such as https://app.example.com."),
        ("AVE_DATA_URL", "prod.ave-api.com", "STRATEGYBOT_AVE_DATA_URL must begin with http:// or https://."),
        ("AVE_DATA_URL", "http://", f"STRATEGYBOT_AVE_DATA_URL {NO_ADDRESS}."),
        ("AVE_DATA_URL", "http://[", f"STRATEGYBOT_AVE_DATA_URL {NO_ADDRESS}."),
        ("AVE_TRADE_URL", "https://host:99999", f"STRATEGYBOT_AVE_TRADE_URL {NO_ADDRESS}."),
        ("AVE_TRADE_URL", "https://host:0", f"STRATEGYBOT_AVE_TRADE_URL {NO_ADDRESS}."),
        ("GECKOTERMINAL_URL", "https://a host", f"STRATEGYBOT_GECKOTERMINAL_URL {NO_ADDRESS}."),
        ("GECKOTERMINAL_URL", "https://host/api?v=2", f"STRATEGYBOT_GECKOTERMINAL_URL {NO_ADDRESS}."),
        ("METRICS", "maybe", "STRATEGYBOT_METRICS must be true or false."),
    ],
)  # fmt: skip
def test_a_wrong_setting_stops_the_start_with_one_sentence(
    terminal: Terminal, variable: str, value: str, sentence: str
) -> None:
    terminal.set(f"STRATEGYBOT_{variable}", value)
    assert terminal.run("serve") == (2, "", f"{sentence}\n")


@pytest.mark.parametrize(
    "secret",
    [
        "Change-Me_Change Me-Change-Me-Change-Me",
        "please-change-this-before-you-go-live",
        "replace_me_with_32_random_characters!",
        "your-256-bit-secret-your-256-bit-secret",
        "a-string-secret-at-least-256-bits-long",
        "super-secret-jwt-token-with-at-least-32-characters-long",
        "mysecretkeymysecretkeymysecretkey",
        "django-insecure-k2!v8x#m0q7w5z1r9t3y6u4",
        "09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7",
    ],
)
def test_a_secret_that_everyone_knows_is_refused(terminal: Terminal, secret: str) -> None:
    terminal.set("STRATEGYBOT_SECRET_KEY", secret)
    said = terminal.run("serve")
    assert said == (2, "", "STRATEGYBOT_SECRET_KEY is a placeholder; `openssl rand -hex 32` makes a real one.\n")
    assert not terminal.data.exists()


def test_a_taken_port_is_reported(terminal: Terminal) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = terminal.run("serve", "--port", str(port))
    assert said.code == 2
    assert said.err.startswith(f"Cannot listen on 127.0.0.1:{port}: Address already in use.")


@pytest.mark.parametrize(
    ("host", "shown"), [("2001:db8::1", "[2001:db8::1]"), ("no.such.host.invalid", "no.such.host.invalid")]
)
def test_an_address_of_another_host_is_reported(terminal: Terminal, host: str, shown: str) -> None:
    said = terminal.run("serve", "--host", host)
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert said.err.startswith(f"Cannot listen on {shown}:8000: ")
    assert said.err.endswith("Choose another with STRATEGYBOT_HOST or STRATEGYBOT_PORT.\n")


def test_an_unreachable_database_is_reported(tmp_path: Path) -> None:
    result = run(tmp_path, "serve", STRATEGYBOT_DATABASE_URL=f"postgresql://nobody@127.0.0.1:{free_port()}/none")
    assert (result.returncode, result.stderr.strip()) == (
        2,
        "The database cannot be reached at the moment. Please try again.",
    )


def test_a_file_that_is_no_database_is_reported(terminal: Terminal) -> None:
    terminal.set(
        "STRATEGYBOT_DATABASE_URL", f"sqlite:///{terminal.folder}/{terminal.write('letter.txt', 'Dear Ada! ' * 99)}"
    )
    assert terminal.run("serve") == (2, "", "The database is damaged, or its file is no database at all.\n")
    assert terminal.run("doctor").code == 1


def test_a_folder_that_cannot_be_used_is_reported(terminal: Terminal) -> None:
    terminal.set("STRATEGYBOT_DATA_DIR", str(terminal.folder / terminal.write("file", "") / "data"))
    said = terminal.run("user", "list")
    assert said.code == 2
    assert said.err.startswith("STRATEGYBOT_DATA_DIR cannot be used: Not a directory")


def test_a_database_of_a_newer_version_is_not_changed(terminal: Terminal) -> None:
    register(terminal.data)
    services = Services(Settings(_env_file=None, data_dir=terminal.data, secret_key=SECRET))
    with services.database.write() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    services.database.close()
    assert terminal.run("user", "list") == (
        2, "", "The database belongs to a newer version of Strategy Bot; please update this one.\n"
    )  # fmt: skip


class TestDoctor:
    def test_doctor_approves_a_new_installation(self, terminal: Terminal) -> None:
        said = terminal.run("doctor")
        assert said.code == 0
        assert "its tables are made at the first start" in said.out
        assert "fault" not in said.out

    def test_doctor_finds_no_fault_in_an_installation_in_use(self, terminal: Terminal) -> None:
        register(terminal.data)
        terminal.set("STRATEGYBOT_SECRET_KEY", SECRET)
        said = terminal.run("doctor")
        assert "its tables are up to date" in said.out
        assert "given by STRATEGYBOT_SECRET_KEY" in said.out

    def test_doctor_reports_faults_and_exits_with_1(self, terminal: Terminal) -> None:
        terminal.data.mkdir()
        (terminal.data / "secret_key").write_text("x" * 64)
        (terminal.data / "secret_key").chmod(0o644)
        terminal.set("STRATEGYBOT_DATABASE_URL", f"postgresql://ada:hunter2@127.0.0.1:{free_port()}/none")
        said = terminal.run("doctor")
        assert said.code == 1
        assert "others can read" in said.out
        assert "The database cannot be reached" in said.out
        assert "hunter2" not in said.out


def test_the_secret_is_created_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    kept = tmp_path / "data" / "secret_key"
    with ServiceProcess(tmp_path / "data", secret_key=""):
        first = kept.read_text()
        assert kept.stat().st_mode & 0o777 == 0o600
        assert len(first) == 64
    assert secret_in(tmp_path / "data") == kept.read_text() == first
    left = {path.name for path in (tmp_path / "data").iterdir() if "db" not in path.name}
    assert left == {"secret_key", "workers"}


def test_an_unusable_secret_is_refused(terminal: Terminal) -> None:
    terminal.data.mkdir()
    (terminal.data / "secret_key").write_text("abc")
    said = terminal.run("serve")
    assert said.code == 2
    assert said.err.strip().endswith("delete it to have a new one made (all tokens end then).")


def test_a_dotenv_file_is_read(terminal: Terminal) -> None:
    terminal.write(".env", "STRATEGYBOT_PORT=70000\n")
    assert terminal.run("serve").err.strip() == "STRATEGYBOT_PORT must be at most 65535."

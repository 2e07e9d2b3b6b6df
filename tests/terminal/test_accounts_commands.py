"""`strategybot bots`, `tokens`, `runs` and `paper`, on this installation and through a server."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from tests.commands import Said, Terminal
from tests.registering import register
from tests.servers import ServiceProcess
from tests.support import sign_up

ADA = ("--email", "ada@example.com")
SOL = "So11111111111111111111111111111111111111112"
STRATEGY = {
    "conditions": [{"kind": "price_drop", "percent": 0.3, "window": "4h"}],
    "risk_management": {"max_holding": "1h"},
}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    with ServiceProcess(tmp_path_factory.mktemp("commands") / "data") as service:
        yield service


@pytest.fixture
def remote(service: ServiceProcess, terminal: Terminal) -> tuple[str, str]:
    with httpx2.Client(base_url=service.url, timeout=60) as web:
        owner = sign_up(web, f"{uuid4()}@example.com")
        draft = {"name": "Terminal", "scopes": ["read", "write"]}
        terminal.set("STRATEGYBOT_TOKEN", web.post("/api/auth/tokens", json=draft, headers=owner).json()["token"])
        web.post("/api/bots", json={"name": "Dips", "strategy": STRATEGY}, headers=owner).raise_for_status()
    return "--url", service.url


@pytest.fixture
def local(terminal: Terminal) -> tuple[str, str]:
    register(terminal.data, "ada@example.com")
    assert terminal.run("import", terminal.write("s.json", STRATEGY), *ADA, "--name", "Dips").code == 0
    return ADA


def document(said: Said) -> Any:
    assert (said.code, said.err) == (0, "")
    return json.loads(said.out)


@pytest.mark.parametrize("place", ["local", "remote"])
def test_the_whole_way_of_a_paper_trade(terminal: Terminal, place: str, request: pytest.FixtureRequest) -> None:
    whose = request.getfixturevalue(place)
    assert [each["name"] for each in document(terminal.run("bots", *whose, "--json"))["bots"]] == ["Dips"]
    found = document(terminal.run("tokens", "SOL", *whose, "--limit", "1", "--json"))["tokens"]
    assert found[0]["token_id"] == f"{SOL}-solana"
    asked = ("paper", "dips", "--token", "SOL", "--detach", *whose)
    begun = document(terminal.run(*asked, "--json"))
    assert (begun["mode"], begun["status"], begun["token"]) == ("live", "running", SOL)
    assert terminal.run(*asked) == (
        2,
        "",
        "Dips trades SOL on paper already. Give --replace to end that, or no token to follow it.\n",
    )
    again = document(terminal.run(*asked, "--replace", "--interval", "15m", "--json"))
    assert again["kline_interval"] == "15m"
    runs = document(terminal.run("runs", "--bot", "Dips", *whose, "--json"))["runs"]
    assert [(each["kind"], each["run_id"], each["status"]) for each in runs] == [
        ("simulation", again["run_id"], "running"),
        ("simulation", begun["run_id"], "stopped"),
    ]
    stopped = document(terminal.run("paper", "Dips", "--stop", *whose, "--json"))
    assert (stopped["run_id"], stopped["stop_reason"]) == (again["run_id"], "user")
    for command, words in {"bots": "Buy when", "runs": "simulation", "tokens": SOL[:8]}.items():
        said = terminal.run(command, *(["sol"] if command == "tokens" else []), *whose)
        assert (said.code, words in said.out) == (0, True), said


@pytest.mark.parametrize("place", ["local", "remote"])
def test_many_tokens_are_traded_on_paper_with_one_purse(
    terminal: Terminal, place: str, request: pytest.FixtureRequest
) -> None:
    whose = request.getfixturevalue(place)
    asked = ("paper", "Dips", "--detach", "--interval", "1m", *whose)
    purse = document(terminal.run(*asked, "--tokens", "SOL,GLDE", "--json"))
    assert (purse["mode"], purse["tokens_total"], purse["portfolio"]["places_used"]) == ("live", 2, 0)
    trending = document(terminal.run(*asked, "--replace", "--trending", "solana", "--limit", "3", "--json"))
    assert (trending["tokens_total"], trending["token_symbol"]) == (3, "3 tokens")
    said = terminal.run("paper", "Dips", "--stop", *whose)
    assert said.out.startswith("Paper trading of 3 tokens is stopped: ")


def test_a_replay_is_followed_to_its_end(terminal: Terminal, remote: tuple[str, str]) -> None:
    said = terminal.run("paper", "Dips", "--token", "SOL", "--mode", "replay", "--interval", "1h", *remote)
    assert said.code == 0, said.err
    lines = said.out.splitlines()
    assert any(" HOLD " in line or " BUY " in line for line in lines)
    assert "is stopped:" in lines[-1]


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("bots",), 2, "Give --email to act as an account of this installation, or --url to use a server."),
        (("bots", *ADA, "--url", "http://127.0.0.1:9"), 2, "Give --email to act as"),
        (("runs", "--url", "ftp://x"), 2, "--url must begin with http:// or https://."),
        (
            ("runs", "--url", "http://127.0.0.1:9"),
            2,
            "The server at http://127.0.0.1:9 cannot be reached. Is it running?",
        ),
        (("bots", "--email", "nobody@example.com"), 2, "User not found."),
        (("runs", "--bot", "None", *ADA), 2, "No bot of yours is called None. Yours are: Dips."),
        (("tokens", "zzzzzz", *ADA), 1, "No token matches zzzzzz."),
        (("paper", "Dips", "--stop", *ADA), 2, "Dips does not trade on paper."),
        (("paper", "Dips", "--token", "zzzzzz", *ADA), 2, "No token has the symbol zzzzzz."),
        (("paper", "Dips", "--tokens", "SOL,SOL", *ADA), 2, "--tokens names a token twice."),
        (("paper", "Dips", "--tokens", " , ", *ADA), 2, "--tokens names no token: give them as A,B,C."),
        (("paper", "Dips", "--tokens", "SOL", "--trending", "solana", *ADA), 2, "Give --token, --tokens A,B,C or"),
        (("paper", "Dips", "--limit", "3", *ADA), 2, "--limit is how many of the trending tokens"),
        (
            ("paper", "Dips", "--trending", "solana", "--limit", "11", *ADA),
            2,
            "In the free tier a portfolio can have 10 tokens",
        ),
        (("paper", "Dips", "--trending", "solana", "--mode", "replay", *ADA), 2, "mode must be live"),
    ],
)
def test_a_mistake_is_one_clear_sentence(
    terminal: Terminal, local: tuple[str, str], arguments: tuple[str, ...], code: int, sentence: str
) -> None:
    terminal.set("STRATEGYBOT_TOKEN", "sbt_wrong")
    said = terminal.run(*arguments)
    assert (said.code, said.out, said.err.count("\n")) == (code, "", 1)
    assert said.err.startswith(sentence)


def test_a_token_is_needed_and_must_be_valid(terminal: Terminal, service: ServiceProcess) -> None:
    assert "Set STRATEGYBOT_TOKEN" in terminal.run("bots", "--url", service.url).err
    terminal.set("STRATEGYBOT_TOKEN", "sbt_wrong")
    said = terminal.run("bots", "--url", service.url)
    assert said.err == f"The server at {service.url} refuses the token in STRATEGYBOT_TOKEN.\n"


def test_a_local_command_leaves_no_login_behind(terminal: Terminal, local: tuple[str, str]) -> None:
    assert terminal.run("bots", *local).code == 0
    with sqlite3.connect(terminal.data / "strategybot.db") as database:
        assert database.execute("SELECT count(*) FROM accounts_tokens WHERE revoked_at IS NULL").fetchone() == (1,)

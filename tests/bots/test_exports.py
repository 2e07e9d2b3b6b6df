"""A strategy as one file: out of one account and into another, over the API and from the terminal."""

import json
from importlib.metadata import version
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.trading.words.naming import strategy_name
from tests.commands import Terminal
from tests.engines import on_sqlite_alone
from tests.registering import register
from tests.support import STRATEGY, create_bot, sign_up

pytestmark = on_sqlite_alone

Headers = dict[str, str]


def exported(client: TestClient, who: Headers, bot: dict[str, Any]) -> Any:
    return client.get(f"/api/bots/{bot['id']}/export", headers=who)


def test_an_export_says_nothing_about_its_owner_and_can_be_imported(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, description="Buys dips", token="abc", chain="base")
    answer = exported(client, user, bot)
    assert answer.headers["Content-Disposition"] == f"attachment; filename=strategy-{bot['id']}.json"
    document = answer.json()
    assert document.keys() == {"strategybot_version", "language_version", "name", "description", "strategy"}
    assert (document["strategybot_version"], document["language_version"]) == (version("strategybot"), 3)
    other = sign_up(client, "bob@example.com")
    for name in ("Dip buyer", "Dip buyer (2)"):
        made = client.post("/api/strategies/import", json=document, headers=other)
        assert made.status_code == 201, made.text
        assert (made.json()["name"], made.json()["strategy"]) == (name, bot["strategy"])
    assert exported(client, other, bot).json() == {"detail": "Bot not found."}


def test_a_bot_without_a_strategy_has_nothing_to_export(client: TestClient, user: Headers) -> None:
    assert exported(client, user, create_bot(client, user)).status_code == 422


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"language_version": 4}, "language_version"),
        ({"strategy": None}, "strategy"),
        ({"owner": "x"}, "owner"),
        ({"strategy": {**STRATEGY, "conditions": []}}, "strategy.conditions"),
    ],
)
def test_a_wrong_file_is_refused(
    shared_client: TestClient, shared_user: Headers, change: dict[str, Any], field: str
) -> None:
    document = exported(shared_client, shared_user, create_bot(shared_client, shared_user, strategy=STRATEGY)).json()
    answer = shared_client.post("/api/strategies/import", json={**document, **change}, headers=shared_user)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == field


def test_the_terminal_imports_what_it_exported(terminal: Terminal) -> None:
    register(terminal.data, "ada@example.com", "bob@example.com")
    document = {"strategybot_version": "0.1.0", "language_version": 3, "name": "Dips", "strategy": STRATEGY}
    file = terminal.write("dips.json", document)
    said = terminal.run("import", file, "--email", "ada@example.com")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Dips is a bot of ada@example.com now: Buy when")
    out = json.loads(terminal.run("export", "dips", "--email", "ada@example.com").out)
    assert {**document, **out} == {**document, "strategybot_version": version("strategybot"), "description": ""} | {
        "strategy": out["strategy"]
    }
    wrong = terminal.write("wrong.json", {**document, "language_version": 9})
    assert terminal.run("import", wrong, "--email", "ada@example.com").code == 2
    assert terminal.run("export", "dips", "--email", "bob@example.com").code == 2


def test_the_terminal_imports_a_bare_strategy(terminal: Terminal) -> None:
    register(terminal.data, "ada@example.com")
    account = ("--email", "ada@example.com")
    file = terminal.write("bare.json", STRATEGY)
    assert terminal.run("import", file, *account, "--name", "Mine").out.startswith("Mine is a bot of ada@example.com")
    named = terminal.run("import", file, *account).out.partition(" is a bot")[0]
    assert named == strategy_name(STRATEGY)
    assert {each["name"] for each in json.loads(terminal.run("bots", *account, "--json").out)["bots"]} == {
        "Mine",
        named,
    }
    wrong = terminal.run("import", terminal.write("wrong.json", {"conditions": 3}), *account)
    assert (wrong.code, wrong.err.count("\n")) == (2, 1)

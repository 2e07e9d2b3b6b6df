"""A write that names the revision it is based on never replaces a newer strategy."""

from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.service import Principal
from strategybot.app import Services
from strategybot.bots.schemas import BotPatch
from strategybot.settings import Settings
from strategybot.trading.language.strategy import Strategy
from tests.conversations.talking import begin, call, say, scripted, text
from tests.support import STRATEGY, create_bot

NEWER: dict[str, Any] = {"conditions": [{"kind": "price_level", "level": 2, "direction": "above"}]}
MINE: dict[str, Any] = {"conditions": [{"kind": "volume_spike", "multiplier": 3}]}
Json = dict[str, Any]
WRITES: dict[str, tuple[str, str, Json | None]] = {
    "patch": ("PATCH", "", {"strategy": MINE}),
    "put": ("PUT", "", {"name": "Dip buyer", "strategy": MINE}),
    "restore": ("POST", "/revisions/1/restore", None),
    "backtest": ("POST", "/backtest", {"token": "abc"}),
    "simulate": ("POST", "/simulate", {"token": "abc"}),
}


@pytest.fixture
def client(shared_client: TestClient) -> TestClient:
    return shared_client


@pytest.fixture
def user(shared_user: dict[str, str]) -> dict[str, str]:
    return shared_user


@pytest.fixture
def bot(client: TestClient, user: dict[str, str]) -> Json:
    """A bot at revision 2."""
    bot = create_bot(client, user, strategy=STRATEGY)
    changed: Json = client.patch(f"/api/bots/{bot['id']}", json={"strategy": NEWER}, headers=user).json()
    return changed


def write(client: TestClient, user: dict[str, str], bot: Json, name: str, if_match: str) -> httpx2.Response:
    method, path, body = WRITES[name]
    return client.request(method, f"/api/bots/{bot['id']}{path}", json=body, headers={**user, "If-Match": if_match})


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("if_match", ['"1"', "1", '"3"', '"1", "3"', "something"])
def test_a_stale_write_is_refused_with_the_bot_as_it_is(
    client: TestClient, user: dict[str, str], bot: Json, name: str, if_match: str
) -> None:
    answer = write(client, user, bot, name, if_match)
    assert answer.status_code == 412
    assert answer.json() == {
        "detail": "The strategy of this bot has changed since you read it: it is at revision 2 now.",
        "current": bot,
    }
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json() == bot


@pytest.mark.parametrize("name", ["patch", "put", "restore"])
@pytest.mark.parametrize("if_match", ['"2"', "2", 'W/"2"', '"1", "2"', "*"])
def test_a_write_based_on_the_current_revision_succeeds(
    client: TestClient, user: dict[str, str], bot: Json, name: str, if_match: str
) -> None:
    answer = write(client, user, bot, name, if_match)
    assert (answer.status_code, answer.json()["revision"], answer.headers["ETag"]) == (200, 3, '"3"')
    assert client.get(f"/api/bots/{bot['id']}", headers=user).headers["ETag"] == '"3"'


def test_a_run_says_which_revision_it_tests_and_whose_prices(
    client: TestClient, user: dict[str, str], bot: Json
) -> None:
    run = write(client, user, bot, "backtest", '"2"').json()
    assert (run["strategy_revision"], run["data_source"]) == (2, "demo")
    (listed,) = client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["backtests"]
    assert (listed["strategy_revision"], listed["data_source"]) == (2, "demo")


def test_the_chat_does_not_replace_a_strategy_that_it_has_not_read(
    client: TestClient, settings: Settings, user: dict[str, str], bot: Json
) -> None:
    """Somebody saves a strategy between the tool that reads it and the tool that writes it."""

    services: Services = client.app.state.services  # type: ignore[attr-defined]
    owner = Principal(client.get("/api/auth/me", headers=user).json()["id"], "free")

    def changed_meanwhile(_messages: Any) -> Any:
        services.bots.change(owner, bot["id"], BotPatch.model_validate({"strategy": Strategy.model_validate(STRATEGY)}))
        return call("update_trading_strategy", strategy=MINE)

    conversation = begin(client, user, bot_id=bot["id"])
    again = (call("get_current_strategy"), call("update_trading_strategy", strategy=MINE))
    scripted(client, settings, call("get_current_strategy"), changed_meanwhile, *again, text("Done."))
    made = say(client, user, conversation, "use the volume")["message"]["tool_calls"]
    refused, _, done = made[1:]
    assert refused["result"] == {
        "error": "The strategy of this bot has changed since you read it: it is at revision 3 now."
    }
    assert (done["result"]["revision"], done["result"]["before"]) == (4, client_view(client, user, bot, 3))


def client_view(client: TestClient, user: dict[str, str], bot: Json, revision: int) -> Json:
    page = client.get(f"/api/bots/{bot['id']}/revisions", headers=user).json()
    strategy: Json = next(entry["strategy"] for entry in page["revisions"] if entry["revision"] == revision)
    return strategy

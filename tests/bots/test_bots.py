"""Bots are created, listed, changed and deleted by their owner only."""

from itertools import product
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from tests.engines import on_both, on_postgresql_alone, on_sqlite_alone
from tests.shared_application import SharedApplication
from tests.support import STRATEGY, ManualClock, create_bot, sign_up

pytestmark = on_sqlite_alone

FULL_STRATEGY: dict[str, Any] = {
    "conditions": [
        {"kind": "price_drop", "percent": 5.0, "window": "15m", "reference": "high"},
        {"kind": "price_rise", "percent": 250.0, "window": "30d", "reference": "low"},
        {"kind": "volume_spike", "multiplier": 3.0, "window": "1h"},
        {"kind": "price_level", "level": 1e-8, "direction": "below", "trigger": "is"},
    ],
    "match": "any",
    "exit_conditions": [{"kind": "price_level", "level": 0.012, "direction": "above", "trigger": "cross"}],
    "exit_match": "all",
    "risk_management": {
        "stop_loss_percent": 3.0,
        "take_profit_percent": 10.0,
        "trailing_stop_percent": 2.5,
        "max_holding": "2d",
        "cooldown": "30m",
    },
    "position_percent": 50.0,
}


def test_a_bot_is_created_and_read_back(client: TestClient, user: dict[str, str]) -> None:
    draft: dict[str, Any] = {
        "name": "Dip buyer",
        "description": "Buys\ndips",
        "token": "So1-x:y_z",
        "chain": "solana",
        "strategy": FULL_STRATEGY,
        "tags": ["slow"],
    }
    bot = create_bot(client, user, **draft)
    assert bot == {
        **draft,
        "universe": None,
        "id": bot["id"],
        "strategy_summary": (
            "Buy with 50 % of the cash when the price falls at least 5 % from its high within 15m"
            " or the price rises at least 250 % from its low within 30d or the volume is at least 3 × its 1h average"
            " or the price is at or below 0.00000001."
            " Sell when the price crosses above 0.012, or at a 3 % loss (stop loss),"
            " or 2.5 % under its peak (trailing stop), or at a 10 % gain (take profit), or after 2d at the latest."
            " After a sale, wait 30m before buying again."
        ),
        "recommended_kline_interval": "5m",
        "warnings": [],
        "holdout": None,
        "conversation_id": None,
        "created_at": "2026-01-02T03:04:05Z",
        "updated_at": "2026-01-02T03:04:05Z",
        "revision": 1,
    }
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json() == bot


def test_a_name_is_enough(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user, "Idea")
    assert (bot["strategy"], bot["strategy_summary"], bot["revision"]) == (None, None, 0)
    assert (bot["description"], bot["token"], bot["chain"]) == ("", None, None)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": ""}, "name must have at least 1 character"),
        ({"name": "x" * 101}, "name must have at most 100 characters"),
        ({"name": "   "}, "name has a form that is not allowed"),
        ({"name": "\u200b\u2060"}, "name has a form that is not allowed"),
        ({"name": "a\u202eb"}, "name has a form that is not allowed"),
        ({"name": "a\u0000b"}, "name has a form that is not allowed"),
        ({"name": "a\nb"}, "name has a form that is not allowed"),
        ({"name": None}, "name must be a string"),
        ({"name": 5}, "name must be a string"),
        ({"description": "x" * 1001}, "description must have at most 1000 characters"),
        ({"description": "\u0000"}, "description has a form that is not allowed"),
        ({"description": None}, "description must be a string"),
        ({"token": "../etc/passwd"}, "token has a form that is not allowed"),
        ({"token": "a?x"}, "token has a form that is not allowed"),
        ({"chain": "Solana"}, "chain has a form that is not allowed"),
        ({"strategy": 5}, "strategy must be an object"),
        ({"strategy": {}}, "strategy.conditions is required"),
        ({"strategy": {"conditions": []}}, "strategy.conditions must have at least 1 item"),
        ({"user_id": new_id()}, "user_id is not a known field"),
        ({"id": new_id()}, "id is not a known field"),
        ({"created_at": "2020-01-01T00:00:00Z"}, "created_at is not a known field"),
        ({"revision": 9}, "revision is not a known field"),
    ],
)
def test_a_bad_draft_is_refused_in_a_clear_sentence(
    shared_client: TestClient, shared_user: dict[str, str], fields: dict[str, object], sentence: str
) -> None:
    client, user = shared_client, shared_user
    existing = create_bot(client, user)
    draft = {"name": "Another", **fields}
    refusals = [
        client.post("/api/bots", json=draft, headers=user),
        client.put(f"/api/bots/{existing['id']}", json=draft, headers=user),
        client.patch(f"/api/bots/{existing['id']}", json=fields, headers=user),
    ]
    assert [(answer.status_code, answer.json()["detail"]) for answer in refusals] == [(422, sentence)] * 3
    assert client.get("/api/bots", headers=user).json()["bots"] == [{**existing, "simulation": None}]


@pytest.mark.parametrize("name", ["x", "x" * 100, "買い 🚀", "👩‍👩‍👧 fund", " padded ", "Robert'); DROP TABLE bots;--"])
def test_any_visible_name_is_kept_as_it_is(shared_client: TestClient, shared_user: dict[str, str], name: str) -> None:
    assert create_bot(shared_client, shared_user, name)["name"] == name


@on_both
def test_a_name_is_unique_for_its_owner_and_free_for_others(client: TestClient, user: dict[str, str]) -> None:
    create_bot(client, user, "Dip buyer")
    other = create_bot(client, user, "Other")
    taken = {"detail": "You have a bot of this name already."}
    answers = [
        client.post("/api/bots", json={"name": "Dip buyer"}, headers=user),
        client.patch(f"/api/bots/{other['id']}", json={"name": "Dip buyer"}, headers=user),
        client.put(f"/api/bots/{other['id']}", json={"name": "Dip buyer"}, headers=user),
    ]
    assert [(answer.status_code, answer.json()) for answer in answers] == [(409, taken)] * 3
    assert client.get(f"/api/bots/{other['id']}", headers=user).json() == other
    create_bot(client, sign_up(client, "bob@example.com"), "Dip buyer")


@on_both
def test_a_patch_changes_what_it_names_and_nothing_else(
    client: TestClient, user: dict[str, str], clock: ManualClock
) -> None:
    bot = create_bot(client, user, description="Old", chain="base", strategy=STRATEGY)
    clock.advance(minutes=5)
    changed = client.patch(f"/api/bots/{bot['id']}", json={"chain": None, "name": "New"}, headers=user)
    assert changed.status_code == 200
    assert changed.json() == {**bot, "name": "New", "chain": None, "updated_at": "2026-01-02T03:09:05Z"}


@on_both
def test_a_put_replaces_the_whole_bot(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user, description="Old", chain="base", strategy=STRATEGY)
    replaced = client.put(f"/api/bots/{bot['id']}", json={"name": "New"}, headers=user).json()
    assert replaced == {
        **bot, "name": "New", "description": "", "chain": None, "strategy": None, "strategy_summary": None,
        "recommended_kline_interval": None, "revision": 2
    }  # fmt: skip
    assert client.put(f"/api/bots/{bot['id']}", json={}, headers=user).json()["detail"] == "name is required"


def test_a_deleted_bot_is_not_found(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    path = f"/api/bots/{bot['id']}"
    answer = client.delete(path, headers=user)
    assert (answer.status_code, answer.content) == (204, b"")
    for again in (client.get(path, headers=user), client.delete(path, headers=user)):
        assert (again.status_code, again.json()) == (404, {"detail": "Bot not found."})


def test_a_tier_limits_how_many_bots(client: TestClient, services: Services, user: dict[str, str]) -> None:
    for number in range(10):
        create_bot(client, user, f"Bot {number}")
    refused = client.post("/api/bots", json={"name": "One more"}, headers=user)
    assert refused.status_code == 403
    assert refused.json() == {
        "detail": "The free tier can have 10 bots.",
        "upsell_message": "The normal tier has more bots.",
    }
    services.operator.set_tier("ADA@example.com", "normal")
    create_bot(client, user, "One more")
    profile = client.get("/api/auth/me", headers=user).json()
    assert (profile["tier"], profile["limits"]["bots"], profile["usage"]["bots"]) == ("normal", 50, 11)


class TestPages(SharedApplication):
    @pytest.fixture
    def bots(self, client: TestClient, user: dict[str, str]) -> list[dict[str, Any]]:
        """Five bots, newest first."""
        return [create_bot(client, user, f"Bot {number}") for number in range(5)][::-1]

    @pytest.mark.parametrize(
        ("query", "shown", "pages", "has_next", "has_prev"),
        [
            ({}, slice(0, 5), 1, False, False),
            ({"per_page": 2}, slice(0, 2), 3, True, False),
            ({"page": 2, "per_page": 2}, slice(2, 4), 3, True, True),
            ({"page": 3, "per_page": 2}, slice(4, 5), 3, False, True),
            ({"page": 4, "per_page": 2}, slice(0, 0), 3, False, True),
            ({"page": 2**31 - 1, "per_page": 100}, slice(0, 0), 1, False, True),
        ],
    )
    def test_bots_are_paged_newest_first(
        self,
        client: TestClient,
        user: dict[str, str],
        bots: list[dict[str, Any]],
        query: dict[str, int],
        shown: slice,
        pages: int,
        has_next: bool,
        has_prev: bool,
    ) -> None:
        assert client.get("/api/bots", params=query, headers=user).json() == {
            "bots": [{**bot, "simulation": None} for bot in bots[shown]],
            "total_bots": 5,
            "paper_total": {
                "simulations": 0,
                "initial_cash": 0,
                "total_value": 0,
                "pnl": 0,
                "pnl_percent": None,
            },
            "page": query.get("page", 1),
            "per_page": query.get("per_page", 100),
            "total_pages": pages,
            "has_next": has_next,
            "has_prev": has_prev,
        }

    def test_no_bots_is_an_empty_page(self, client: TestClient, user: dict[str, str]) -> None:
        page = client.get("/api/bots", headers=user).json()
        assert (page["bots"], page["total_bots"], page["total_pages"], page["has_next"]) == ([], 0, 0, False)

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ({"page": 0}, "page must be at least 1"),
            ({"page": 2**62}, "page must be at most 2147483647"),
            ({"page": "9" * 25}, "page must be at most 2147483647"),
            ({"page": "one"}, "page must be a whole number"),
            ({"per_page": 0}, "per_page must be at least 1"),
            ({"per_page": 101}, "per_page must be at most 100"),
        ],
    )
    def test_a_page_out_of_bounds_is_refused(
        self, client: TestClient, user: dict[str, str], query: dict[str, Any], sentence: str
    ) -> None:
        answer = client.get("/api/bots", params=query, headers=user)
        assert (answer.status_code, answer.json()["detail"]) == (422, sentence)


class TestOwnership:
    OPERATIONS = (
        ("GET", "", None),
        ("PATCH", "", {"name": "Mine now"}),
        ("PUT", "", {"name": "Mine now"}),
        ("DELETE", "", None),
        ("GET", "/revisions", None),
        ("POST", "/revisions/1/restore", None),
    )

    def test_bots_of_other_users_are_not_found(
        self, client: TestClient, services: Services, user: dict[str, str]
    ) -> None:
        bot = create_bot(client, user, strategy=STRATEGY)
        logged_out = sign_up(client, "carol@example.com")
        client.post("/api/auth/logout", headers=logged_out)
        callers = [
            (sign_up(client, "bob@example.com"), 404),
            ({"X-Anonymous-Token": services.accounts.welcome_visitor("203.0.113.5")}, 404),
            (logged_out, 401),
            ({}, 401),
        ]
        for (headers, status), (method, suffix, body) in product(callers, self.OPERATIONS):
            answer = client.request(method, f"/api/bots/{bot['id']}{suffix}", json=body, headers=headers)
            assert answer.status_code == status, (method, suffix)
            if status == 404:
                missing = client.request(method, f"/api/bots/{new_id()}{suffix}", json=body, headers=headers)
                assert (answer.json(), answer.status_code) == (missing.json(), missing.status_code)
        assert client.get(f"/api/bots/{bot['id']}", headers=user).json() == bot

    @pytest.mark.parametrize(
        "bot_id", ["0", "x", "9" * 25, "%00", "..%2f..", "{id}", "ABCDEF00-0000-7000-8000-000000000000", "a" * 3000]
    )
    @pytest.mark.parametrize(("method", "suffix", "body"), OPERATIONS)
    @on_postgresql_alone
    def test_an_invalid_id_is_not_found(
        self, shared_client: TestClient, shared_user: dict[str, str], method: str, suffix: str, body: Any, bot_id: str
    ) -> None:
        answer = shared_client.request(method, f"/api/bots/{bot_id}{suffix}", json=body, headers=shared_user)
        assert answer.status_code == 404


def test_a_strategy_is_described_in_words_and_by_its_candles(
    shared_client: TestClient, shared_user: dict[str, str]
) -> None:
    rsi = {"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}
    drop = {"kind": "price_drop", "percent": 3, "window": "30m"}
    answer = shared_client.post(
        "/api/strategies/describe", json={"conditions": [drop], "exit_conditions": [rsi]}, headers=shared_user
    )
    assert answer.status_code == 200, answer.text
    described = answer.json()
    assert described["strategy_summary"].startswith("Buy when the price falls at least 3 % within 30m")
    assert described["conditions"] == ["the price falls at least 3 % within 30m"]
    assert described["exit_conditions"] == ["RSI(14) is below 30"]
    assert described["recommended_kline_interval"] == "15m"
    assert [each["interval"] for each in described["unusable_intervals"]] == ["1h", "4h", "1d"]
    assert described["unusable_intervals"][0]["reason"].startswith("The strategy looks at 30m; candles of 1h cannot")


def test_a_bot_has_up_to_ten_short_tags(client: TestClient, user: dict[str, str]) -> None:
    bot = create_bot(client, user, "Tagged")
    assert bot["tags"] == []
    address = f"/api/bots/{bot['id']}"
    tagged = client.patch(address, json={"tags": ["memes", "slow"]}, headers=user).json()
    assert (tagged["tags"], tagged["revision"]) == (["memes", "slow"], bot["revision"])
    client.patch(address, json={"name": "Renamed"}, headers=user)
    assert client.get("/api/bots", headers=user).json()["bots"][0]["tags"] == ["memes", "slow"]
    for wrong in (["x"] * 11, ["x" * 31], [""], "memes"):
        assert client.patch(address, json={"tags": wrong}, headers=user).status_code == 422

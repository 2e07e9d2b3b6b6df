"""Backtests of many tokens with one purse, over the API, on the demo market."""

import csv
import io
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.backtests.driving import Headers, Json, finished, read, start
from tests.engines import on_sqlite_alone
from tests.shared_application import SharedApplication
from tests.support import create_bot

pytestmark = on_sqlite_alone

DIP: Json = {
    "conditions": [{"kind": "price_drop", "percent": 2, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 4},
}
ROW = {
    "token_id", "token", "chain", "symbol", "trades", "pnl", "contribution_percent", "first_candle", "last_candle",
    "risk_level", "costs", "error", "turned_away", "plain_return", "stopped_trading", "open_position",
}  # fmt: skip
UNKNOWN = "EEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEEE"


def all_trades(client: TestClient, user: Headers, done: Json) -> list[Json]:
    pages = -(-done["metrics"]["total_trades"] // 100)
    return [
        trade
        for page in range(1, pages + 1)
        for trade in read(client, user, done, "/trades", per_page=100, page=page)["trades"]
    ]


class TestPortfolios(SharedApplication):
    @pytest.fixture
    def tokens(self, client: TestClient, user: Headers) -> list[Json]:
        answer = client.get("/api/market/tokens/trending", params={"chain": "solana", "limit": 4}, headers=user)
        return [{"token": each["address"], "chain": each["chain"]} for each in answer.json()["tokens"]]

    def test_the_purse_and_a_row_for_each_token(self, client: TestClient, user: Headers, tokens: list[Json]) -> None:
        bot = create_bot(client, user, strategy={**DIP, "portfolio": {"max_open": 2}})
        run = start(client, user, bot, tokens=tokens, kline_interval="15m")
        assert run["tokens_total"] == 4
        assert [row["token_id"] for row in run["tokens"]] == sorted(f"{t['token']}-{t['chain']}" for t in tokens)
        done = finished(client, user, run)
        assert done["error"] is None
        assert all(row.keys() == ROW for row in done["tokens"])
        contributed = sum(row["contribution_percent"] for row in done["tokens"])
        assert contributed == pytest.approx(done["metrics"]["total_return"], abs=1e-6)
        assert sum(row["trades"] for row in done["tokens"]) == done["metrics"]["total_trades"] > 0
        assert max(point["used"] for point in done["places_used"]) <= 2
        assert done["turned_away"] == sum(row["turned_away"] for row in done["tokens"]) > 0
        assert done["benchmarks"].keys() == {"equal_parts", "largest", "largest_token_id", "plain_mean"}
        assert done["portfolio_notes"][0].startswith("These 4 tokens were chosen today.")
        assert done["verdict"]["grade"]
        self.trades_and_signals_name_their_token(client, user, done)

    def trades_and_signals_name_their_token(self, client: TestClient, user: Headers, done: Json) -> None:
        names = {row["token_id"] for row in done["tokens"]}
        trades = read(client, user, done, "/trades", per_page=100)["trades"]
        assert {trade["token_id"] for trade in trades} <= names
        assert len({trade["token_id"] for trade in trades}) > 1
        assert [trade["exit_time"] for trade in trades] == sorted(trade["exit_time"] for trade in trades)
        signals = read(client, user, done, "/signals", per_page=100)["signals"]
        assert {signal["token_id"] for signal in signals} <= names
        address = f"/api/bots/{done['bot_id']}/backtest/{done['run_id']}/trades.csv"
        rows = list(csv.DictReader(io.StringIO(client.get(address, headers=user).text)))
        assert [row["token_id"] for row in rows[:50]] == [trade["token_id"] for trade in trades[:50]]
        for name in names:
            chart = read(client, user, done, "/klines", token_id=name, limit=10)
            assert chart["equity"][-1] == pytest.approx(done["metrics"]["final_equity"])
            own = [trade for trade in all_trades(client, user, done) if trade["token_id"] == name]
            rules = read(client, user, done, "/rules", token_id=name, per_page=100)
            assert rules["total_trades"] == len(own)
            closed = [rule for rule in rules["rules"] if rule["exit_filled_at"] is not None]
            assert [(rule["number"], rule["entry_price"]) for rule in closed] == [
                (trade["number"], pytest.approx(trade["entry_price"])) for trade in own[: len(closed)]
            ]
            courses = read(client, user, done, "/courses", token_id=name)
            assert [course["number"] for course in courses["courses"]] == [trade["number"] for trade in own]

    @pytest.mark.parametrize(
        "orders",
        [{}, {"max_entries": 3, "position_percent": 30}, {"position_percent": 40, "ladder": [{"drop_percent": 1, "size_percent": 60}]}],
        ids=["whole", "further entries", "ladder"],
    )  # fmt: skip
    def test_one_token_and_one_place_are_the_plain_backtest(
        self, client: TestClient, user: Headers, tokens: list[Json], orders: Json
    ) -> None:
        bot = create_bot(client, user, strategy={**DIP, **orders, "portfolio": {"max_open": 1}})
        plain = finished(client, user, start(client, user, bot, **tokens[0], kline_interval="15m"))
        purse = finished(client, user, start(client, user, bot, tokens=tokens[:1], kline_interval="15m"))
        assert purse["metrics"] == plain["metrics"]
        assert purse["equity_curve"] == plain["equity_curve"]
        assert purse["tokens"][0]["open_position"] == plain["open_position"]
        for what in ("trades", "signals"):
            rows = read(client, user, purse, f"/{what}")[what]
            assert {row.pop("token_id") for row in rows} == {purse["tokens"][0]["token_id"]}
            assert rows == read(client, user, plain, f"/{what}")[what]

    def test_unknown_tokens_get_their_row_and_the_rest_is_tested(
        self, client: TestClient, user: Headers, tokens: list[Json]
    ) -> None:
        bot = create_bot(client, user, strategy=DIP)
        asked = [{"token": UNKNOWN, "chain": "solana"}, *tokens[:2]]
        done = finished(client, user, start(client, user, bot, tokens=asked, kline_interval="1h"))
        assert done["status"] == "completed"
        errors = {row["token"]: row["error"] for row in done["tokens"]}
        assert errors.pop(UNKNOWN)
        assert set(errors.values()) == {None}

    def test_a_run_of_unknown_tokens_fails_with_the_reason(self, client: TestClient, user: Headers) -> None:
        bot = create_bot(client, user, strategy=DIP)
        asked = [{"token": UNKNOWN, "chain": "solana"}, {"token": UNKNOWN[:-1] + "F", "chain": "solana"}]
        done = finished(client, user, start(client, user, bot, tokens=asked))
        assert done["status"] == "failed"
        assert UNKNOWN[:-1] in done["error"]

    def test_the_order_of_the_tokens_does_not_matter_and_is_one_try(
        self, client: TestClient, user: Headers, tokens: list[Json]
    ) -> None:
        bot = create_bot(client, user, strategy=DIP)
        one = finished(client, user, start(client, user, bot, tokens=tokens, kline_interval="1h"))
        other = finished(client, user, start(client, user, bot, tokens=tokens[::-1], kline_interval="1h"))
        assert one["metrics"] == other["metrics"]
        assert (one["verdict"]["tries"], other["verdict"]["tries"]) == (1, 1)

    def test_a_share_draws_each_of_its_tokens(self, client: TestClient, user: Headers, tokens: list[Json]) -> None:
        bot = create_bot(client, user, strategy=DIP)
        done = finished(client, user, start(client, user, bot, tokens=tokens[:2], kline_interval="1h"))
        share = client.post(f"/api/bots/{bot['id']}/backtest/{done['run_id']}/share", headers=user).json()["url"]
        share, own = share.rsplit("/", 1)[-1], [row["token_id"] for row in done["tokens"]]
        charts = [client.get(f"/api/shares/{share}/klines", params={"token_id": each}).json() for each in own]
        assert charts == [read(client, user, done, "/klines", token_id=each, limit=2000) for each in own]
        assert charts[0] == client.get(f"/api/shares/{share}/klines").json()
        strange = client.get(f"/api/shares/{share}/klines", params={"token_id": f"{UNKNOWN}-solana"})
        assert (strange.status_code, "is no token of this run" in strange.text) == (422, True)

    def test_a_bot_keeps_its_tokens(self, client: TestClient, user: Headers, tokens: list[Json]) -> None:
        bot = create_bot(client, user, strategy=DIP)
        changed = client.patch(f"/api/bots/{bot['id']}", json={"universe": tokens[:2]}, headers=user)
        assert changed.json()["universe"] == tokens[:2]
        assert start(client, user, bot, kline_interval="1h")["tokens_total"] == 2
        assert start(client, user, bot, **tokens[0], kline_interval="1h")["tokens_total"] == 1

    def test_trending_tokens_are_those_of_now(self, client: TestClient, user: Headers, tokens: list[Json]) -> None:
        bot = create_bot(client, user, strategy=DIP)
        run = start(client, user, bot, universe={"trending": "solana", "limit": 3}, kline_interval="1h")
        assert {row["token"] for row in run["tokens"]} == {token["token"] for token in tokens[:3]}

    @pytest.mark.parametrize(
        ("request_", "status", "words"),
        [
            (lambda t: {"tokens": [t[0], t[1], t[0]]}, 422, "in the list already"),
            (lambda t: {"tokens": t, "token": t[0]["token"]}, 422, "give one of them"),
            (lambda t: {"tokens": t, "universe": {"trending": "solana"}}, 422, "give one of them"),
            (lambda _: {"tokens": []}, 422, "tokens"),
            (lambda t: {**t[0], "dead_token_loss_percent": 10}, 422, "needs many tokens"),
            (lambda t: {"tokens": t, "dead_token_loss_percent": 101}, 422, "dead_token_loss_percent"),
            (lambda _: {"universe": {"trending": "solana", "as_of": "yesterday"}}, 422, "as_of"),
            (lambda _: {"tokens": [{"token": f"{UNKNOWN[:-2]}{n:02}", "chain": "base"} for n in range(11)]}, 403, "10"),
            (lambda _: {"universe": {"trending": "solana", "limit": 11}}, 403, "10 tokens"),
            (
                lambda t: {"tokens": t, "kline_interval": "1m", "start_time": 1_600_000_000, "end_time": 1_608_000_000},
                403,
                "500000 candles",
            ),
        ],
    )
    def test_what_is_refused(
        self, client: TestClient, user: Headers, tokens: list[Json], request_: Any, status: int, words: str
    ) -> None:
        bot = create_bot(client, user, strategy={**DIP, "conditions": [{**DIP["conditions"][0], "window": "15m"}]})
        answer = client.post(f"/api/bots/{bot['id']}/backtest", json=request_(tokens), headers=user)
        assert (answer.status_code, words in answer.text) == (status, True), answer.text

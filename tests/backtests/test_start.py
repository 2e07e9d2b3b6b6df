"""Starting a backtest: the fields of a request, their defaults, and what is refused."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.backtests.runner import Runner
from strategybot.kit.identifiers import new_id
from tests.backtests.driving import Headers, Json, finished, read, start, stop
from tests.backtests.upstream import HeldUpstream, request_of
from tests.engines import on_sqlite_alone
from tests.market.upstream.market import SOL
from tests.market.upstream.server import Reply
from tests.shared_application import SharedApplication
from tests.support import STRATEGY, ManualClock, create_bot, sign_up

pytestmark = on_sqlite_alone

RUN_FIELDS = {
    "run_id", "bot_id", "status", "progress", "created_at", "started_at", "finished_at", "token", "chain",
    "kline_interval", "start_time", "end_time", "initial_cash", "fee_percent", "slippage_percent", "intrabar", "strategy",
    "metrics", "metric_notes", "data_report", "open_position", "equity_curve", "error", "strategy_revision", "data_source",
    "name", "note", "starred", "strategy_summary", "verdict", "verdict_error", "pool", "holdout", "details_kept",
    "costs", "cost_notes", "no_trade_reason", "token_symbol", "tokens", "tokens_total", "turned_away", "places_used",
    "correlation", "benchmarks", "dead_token_loss_percent", "portfolio_notes", "universe",
}  # fmt: skip
SPECIFIED_METRICS = {"total_return", "win_rate", "max_drawdown", "sharpe_ratio", "total_trades"}
FEB_1, MAR_1 = (int(datetime(2025, month, 1, tzinfo=UTC).timestamp()) for month in (2, 3))


def test_a_run_goes_from_pending_to_completed(
    held: TestClient, held_user: Headers, held_bot: Json, upstream: HeldUpstream, clock: ManualClock
) -> None:
    run = start(held, held_user, held_bot, **request_of(initial_cash=500, fee_percent=0, slippage_percent=1))
    assert run == {
        "run_id": run["run_id"],
        "bot_id": held_bot["id"],
        "status": "pending",
        "progress": 0,
        "created_at": "2026-01-02T03:04:05Z",
        "started_at": None,
        "finished_at": None,
        "token": SOL.address,
        "chain": "solana",
        "kline_interval": "1h",
        "start_time": "2025-08-04T00:00:00Z",
        "end_time": "2025-09-14T16:00:00Z",
        "initial_cash": 500,
        "fee_percent": 0,
        "slippage_percent": 1,
        "intrabar": "auto",
        "strategy": held_bot["strategy"],
        "strategy_summary": held_bot["strategy_summary"],
        "strategy_revision": 1,
        "data_source": "ave",
        "note": "",
        "starred": False,
        "details_kept": True,
        **dict.fromkeys(("name", "metrics", "metric_notes", "data_report", "open_position", "equity_curve", "error")),
        **dict.fromkeys(("verdict", "verdict_error", "pool", "holdout", "no_trade_reason", "token_symbol")),
        **dict.fromkeys(("tokens", "turned_away", "places_used", "correlation", "benchmarks", "universe")),
        "dead_token_loss_percent": None,
        "portfolio_notes": [],
        "tokens_total": 1,
        "cost_notes": [],
        "costs": {
            "pool_costs": "auto",
            "fee_percent": 0,
            "slippage_percent": 1,
            **dict.fromkeys(("buy_tax_percent", "sell_tax_percent", "liquidity_usd", "liquidity_read_at")),
            "sources": {"liquidity": "unknown", "tax": "unknown"},
            "can_be_sold": None,
            "risk_level": "unknown",
        },
    }
    clock.advance(seconds=3)
    upstream.let_through.set()
    done = finished(held, held_user, run)
    assert done.keys() == run.keys() == RUN_FIELDS
    assert (done["status"], done["progress"], done["error"]) == ("completed", 100, None)
    assert (done["created_at"], done["finished_at"]) == (run["created_at"], "2026-01-02T03:04:08Z")
    assert done["metrics"].keys() >= SPECIFIED_METRICS
    assert 0 < len(done["equity_curve"]) <= 1000
    assert done["equity_curve"][0].keys() == {"time", "equity"}
    assert done["data_report"]["received"] >= 1000
    unchanged = RUN_FIELDS & {"token", "chain", "start_time", "end_time", "strategy", "initial_cash", "fee_percent"}
    assert {name: done[name] for name in unchanged} == {name: run[name] for name in unchanged}


class TestDefaults(SharedApplication):
    def test_omitted_fields_come_from_the_bot_and_the_settings(self, client: TestClient, user: Headers) -> None:
        settings = {"default_kline_interval": "4h", "initial_cash": 77, "fee_percent": 0.3, "slippage_percent": 0.2}
        assert client.patch("/api/auth/settings", json=settings, headers=user).status_code == 200
        bot = create_bot(client, user, strategy=STRATEGY, token="abc", chain="base")
        run = start(client, user, bot)
        assert (run["token"], run["chain"], run["kline_interval"]) == ("abc", "base", "4h")
        assert (run["initial_cash"], run["fee_percent"], run["slippage_percent"]) == (77, 0.3, 0.2)
        # The last 30 days of closed candles: it is 03:04:05.
        assert (run["start_time"], run["end_time"]) == ("2025-12-03T00:00:00Z", "2026-01-02T00:00:00Z")
        said = {"token": "xyz", "chain": "eth", "kline_interval": "1d", "initial_cash": 1, "fee_percent": 0.0}
        run = start(client, user, bot, **said)
        assert {name: run[name] for name in said} == said

    def test_without_settings_there_are_general_defaults(self, client: TestClient, user: Headers) -> None:
        run = start(client, user, create_bot(client, user, strategy=STRATEGY), token="abc")
        assert (run["chain"], run["kline_interval"], run["initial_cash"]) == ("solana", "4h", 10_000)
        assert (run["start_time"], run["end_time"]) == ("2025-12-03T00:00:00Z", "2026-01-02T00:00:00Z")

    @pytest.mark.parametrize(
        ("bots_token", "bots_chain", "request_", "token", "chain"),
        [
            (None, None, {"token": "abc"}, "abc", "solana"),
            (None, None, {"token": "abc-base"}, "abc", "base"),
            (None, None, {"token": "abc-base", "chain": "base"}, "abc", "base"),
            (None, None, {"token": "EQ-abc", "chain": "ton"}, "EQ-abc", "ton"),  # the address has a dash of its own
            (None, None, {"token": "EQ-Abc"}, "EQ-Abc", "solana"),  # no chain is written so
            (None, None, {"token": "EQ-abc-ton"}, "EQ-abc", "ton"),
            (None, None, {"token": "-abc"}, "-abc", "solana"),
            (None, "base", {"token": "abc"}, "abc", "base"),
            (None, "base", {"token": "abc-eth"}, "abc", "eth"),  # the bot's chain is no more than a default
            ("bots", "base", {}, "bots", "base"),
            ("bots-base", "base", {}, "bots", "base"),
            ("bots-eth", None, {}, "bots", "eth"),
            ("EQ-abc", "ton", {}, "EQ-abc", "ton"),
            ("bots", "base", {"chain": "eth"}, "bots", "eth"),
            ("bots", "base", {"token": "abc"}, "abc", "base"),
            ("bots", "base", {"token": "abc", "chain": "eth"}, "abc", "eth"),
        ],
    )
    def test_a_token_is_an_address_or_a_token_id(
        self,
        client: TestClient,
        user: Headers,
        bots_token: str,
        bots_chain: str,
        request_: Json,
        token: str,
        chain: str,
    ) -> None:
        bot = create_bot(client, user, strategy=STRATEGY, token=bots_token, chain=bots_chain)
        run = start(client, user, bot, **request_)
        assert (run["token"], run["chain"]) == (token, chain)

    @pytest.mark.parametrize(
        ("first", "last"),
        [
            (FEB_1, MAR_1),
            ("2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z"),
            ("2025-02-01", "2025-03-01T00:00:00"),
            ("2025-02-01T05:30:00+05:30", MAR_1),
        ],
    )
    def test_a_moment_is_iso_8601_or_unix_seconds(
        self, client: TestClient, user: Headers, bot: Json, first: Any, last: Any
    ) -> None:
        run = start(client, user, bot, token="abc", start_time=first, end_time=last)
        assert (run["start_time"], run["end_time"]) == ("2025-02-01T00:00:00Z", "2025-03-01T00:00:00Z")

    def test_the_span_ends_with_the_last_closed_candle(self, client: TestClient, user: Headers, bot: Json) -> None:
        request = {"token": "abc", "start_time": FEB_1, "end_time": "2099-01-01", "kline_interval": "1d"}
        assert start(client, user, bot, **request)["end_time"] == "2026-01-02T00:00:00Z"


class TestRefusal(SharedApplication):
    @pytest.mark.parametrize(
        ("request_", "sentence"),
        [
            ({"token": None}, "token is required: neither the request nor the bot names one"),
            ({"token": "../x"}, "token has a form that is not allowed"),
            ({"token": 5}, "token must be a string"),
            ({"chain": "Base"}, "chain has a form that is not allowed"),
            ({"kline_interval": "2h"}, "kline_interval must be '1m', '5m', '15m', '1h', '4h' or '1d'"),
            (
                {"start_time": MAR_1, "end_time": FEB_1},
                "start_time must be before end_time, and before the last closed candle",
            ),
            (
                {"start_time": FEB_1, "end_time": FEB_1},
                "start_time must be before end_time, and before the last closed candle",
            ),
            (
                {"start_time": "2026-01-02T03:04:05Z"},
                "start_time must be before end_time, and before the last closed candle",
            ),
            ({"start_time": "yesterday"}, "start_time must be ISO 8601 such as 2026-01-31T00:00:00Z, or unix seconds"),
            ({"end_time": ""}, "end_time must be ISO 8601 such as 2026-01-31T00:00:00Z, or unix seconds"),
            ({"end_time": "2025-02-30"}, "end_time must be ISO 8601 such as 2026-01-31T00:00:00Z, or unix seconds"),
            ({"start_time": 1.5}, "start_time must be a whole number"),
            ({"start_time": True}, "start_time must be a whole number"),
            ({"start_time": -1}, "start_time must be at least 0"),
            ({"start_time": FEB_1 * 1000}, "start_time must be at most 4102444800"),
            ({"initial_cash": 0}, "initial_cash must be above 0"),
            ({"initial_cash": "100"}, "initial_cash must be a number"),
            ({"fee_percent": 100}, "fee_percent must be below 100"),
            ({"slippage_percent": -0.1}, "slippage_percent must be at least 0"),
            ({"status": "completed"}, "status is not a known field"),
            ({"owner_id": new_id()}, "owner_id is not a known field"),
        ],
    )
    def test_a_bad_request_is_refused_in_a_clear_sentence(
        self, client: TestClient, user: Headers, bot: Json, request_: Json, sentence: str
    ) -> None:
        answer = client.post(f"/api/bots/{bot['id']}/backtest", json={"token": "abc", **request_}, headers=user)
        assert (answer.status_code, answer.json()["detail"]) == (422, sentence)
        assert client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()["total_backtests"] == 0

    def test_a_bot_without_a_strategy_cannot_be_tested(self, client: TestClient, user: Headers) -> None:
        bot = create_bot(client, user)
        answer = client.post(f"/api/bots/{bot['id']}/backtest", json={"token": "abc"}, headers=user)
        assert answer.status_code == 422
        assert answer.json()["errors"] == [{"field": "strategy", "message": "is required: this bot has none yet"}]


class TestFailure:
    @pytest.mark.parametrize(
        ("fault", "error"),
        [
            (Reply({"msg": "slow down"}, 429), "Rate limit exceeded. Please try again later."),
            (Reply({"msg": "teapot"}, 418), 'upstream API error: {"msg": "teapot"}'),
            (Reply("no object"), "Failed to fetch klines: the provider's answer has an unexpected shape: no object"),
        ],
    )
    def test_a_provider_error_has_the_message_of_the_market_proxy(
        self, held: TestClient, held_user: Headers, held_bot: Json, upstream: HeldUpstream, fault: Reply, error: str
    ) -> None:
        upstream.fault = fault
        upstream.let_through.set()
        proxied = held.get(f"/api/market/klines/{SOL.token_id}", headers=held_user)
        run = finished(held, held_user, start(held, held_user, held_bot, **request_of()))
        assert (run["status"], run["error"]) == ("failed", proxied.json()["detail"])
        assert error == run["error"] or error.rpartition(":")[0] in run["error"]
        assert (run["metrics"], run["equity_curve"], run["finished_at"]) == (None, None, "2026-01-02T03:04:05Z")
        assert stop(held, held_user, run).status_code == 409

    def test_a_token_without_klines_fails_the_run_with_a_message(
        self, client: TestClient, user: Headers, bot: Json
    ) -> None:
        run = finished(client, user, start(client, user, bot, token="nobody", chain="base"))
        assert (run["status"], run["error"]) == ("failed", "The provider has no klines for nobody on base.")


class TestStop:
    def test_a_stopped_run_stays_stopped_and_frees_its_place(
        self, held: TestClient, held_user: Headers, held_bot: Json, upstream: HeldUpstream
    ) -> None:
        runs = [start(held, held_user, held_bot, **request_of()) for _ in range(2)]
        assert held.get("/api/auth/me", headers=held_user).json()["usage"]["running_backtests"] == 2
        answers = [stop(held, held_user, run) for run in runs]
        assert [(answer.status_code, answer.json()["status"]) for answer in answers] == [(200, "stopped")] * 2
        assert held.get("/api/auth/me", headers=held_user).json()["usage"]["running_backtests"] == 0
        again = stop(held, held_user, runs[0])
        assert (again.status_code, again.json()) == (409, {"detail": "This backtest is finished already."})
        last = start(held, held_user, held_bot, **request_of())
        upstream.let_through.set()
        assert finished(held, held_user, last)["status"] == "completed"
        for run, answer in zip(runs, answers, strict=True):
            seen = read(held, held_user, run)
            assert (seen["status"], seen["metrics"]) == ("stopped", None)
            assert seen["finished_at"] == answer.json()["finished_at"] == "2026-01-02T03:04:05Z"
        services: Services = held.app.state.services  # type: ignore[attr-defined]
        runner = services.workers["backtest"]
        assert isinstance(runner, Runner)
        assert runner.live_runs == {}

    def test_a_completed_run_cannot_be_stopped(self, client: TestClient, user: Headers, bot: Json) -> None:
        run = finished(client, user, start(client, user, bot, token=SOL.token_id))
        assert run["status"] == "completed"
        assert stop(client, user, run).status_code == 409
        assert read(client, user, run) == run


def test_a_run_keeps_the_strategy_it_ran_and_is_deleted_with_its_bot(
    client: TestClient, user: Headers, bot: Json
) -> None:
    run = finished(client, user, start(client, user, bot, token=SOL.token_id))
    other = {"conditions": [{"kind": "price_rise", "percent": 1, "window": "1h"}]}
    assert client.patch(f"/api/bots/{bot['id']}", json={"strategy": other}, headers=user).status_code == 200
    assert read(client, user, run) == run
    assert client.delete(f"/api/bots/{bot['id']}", headers=user).status_code == 204
    gone = client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}", headers=user)
    assert (gone.status_code, gone.json()) == (404, {"detail": "Backtest not found."})


def test_deleting_a_bot_stops_its_runs(
    held: TestClient, held_user: Headers, held_bot: Json, upstream: HeldUpstream
) -> None:
    start(held, held_user, held_bot, **request_of())
    assert held.delete(f"/api/bots/{held_bot['id']}", headers=held_user).status_code == 204
    upstream.let_through.set()
    assert held.get("/api/auth/me", headers=held_user).json()["usage"] == {
        "bots": 0,
        "running_backtests": 0,
        "running_simulations": 0,
        "conversations": 0,
    }
    other = create_bot(held, sign_up(held, "bob@example.com"), strategy=STRATEGY)
    assert held.get(f"/api/bots/{other['id']}/backtests", headers=held_user).status_code == 404


def test_a_request_without_a_body_has_all_defaults(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY, token=SOL.address, chain="solana")
    answer = client.post(f"/api/bots/{bot['id']}/backtest", headers=user)
    assert (answer.status_code, answer.json()["token"]) == (202, SOL.address)


class TestResolution(SharedApplication):
    def test_candles_that_cannot_show_a_window_are_refused_with_a_suggestion(
        self, client: TestClient, user: Headers
    ) -> None:
        half_hour = {"conditions": [{"kind": "price_drop", "percent": 3, "window": "30m"}]}
        bot = create_bot(client, user, strategy=half_hour, token="abc")
        assert bot["recommended_kline_interval"] == "15m"
        refused = client.post(f"/api/bots/{bot['id']}/backtest", json={"kline_interval": "1h"}, headers=user)
        sentence = "The strategy looks at 30m; candles of 1h cannot show that. Use 15m or shorter."
        assert (refused.status_code, refused.json()) == (
            422,
            {
                "detail": sentence,
                "errors": [{"field": "kline_interval", "message": sentence}],
                "suggested_kline_interval": "15m",
            },
        )

    def test_a_period_in_a_group_that_is_below_the_candle_is_refused(self, client: TestClient, user: Headers) -> None:
        hourly = {"kind": "group", "match": "any", "conditions": [{"kind": "every", "period": "1h", "at": "00:30"}]}
        bot = create_bot(client, user, strategy={"conditions": [hourly]}, token="abc")
        assert bot["strategy"]["conditions"] == [hourly]
        refused = client.post(f"/api/bots/{bot['id']}/backtest", json={"kline_interval": "4h"}, headers=user)
        sentence = "The strategy looks at 1h; candles of 4h cannot show that. Use 1h or shorter."
        assert (refused.status_code, refused.json()["detail"]) == (422, sentence)

    @pytest.mark.parametrize("interval", [None, "1h"])
    @pytest.mark.parametrize("run", ["backtest", "simulate"])
    def test_a_strategy_that_looks_back_too_far_on_all_candles_is_refused_without_a_suggestion(
        self, client: TestClient, user: Headers, run: str, interval: str | None
    ) -> None:
        days = {
            "kind": "compare",
            "left": {"series": "sma", "period": 500, "interval": "1d"},
            "operator": "above",
            "right": 1,
        }
        quarters = {"kind": "price_drop", "percent": 3, "window": "15m"}
        bot = create_bot(client, user, strategy={"conditions": [days, quarters]}, token="abc")
        refused = client.post(f"/api/bots/{bot['id']}/{run}", json={"kline_interval": interval}, headers=user)
        sentence = (
            "The strategy looks back on 48095 candles of 15m, and at most 43200 are possible. Use shorter periods."
        )
        assert (refused.status_code, refused.json()["detail"]) == (422, sentence)
        assert refused.json()["suggested_kline_interval"] is None

    def test_the_users_own_interval_counts_only_where_it_fits(self, client: TestClient, user: Headers) -> None:
        client.patch("/api/auth/settings", json={"default_kline_interval": "4h"}, headers=user)
        for window, interval in (("1d", "4h"), ("1h", "15m")):
            strategy = {"conditions": [{"kind": "price_drop", "percent": 3, "window": window}]}
            bot = create_bot(client, user, f"Looks at {window}", strategy=strategy, token="abc")
            assert start(client, user, bot)["kline_interval"] == interval

    def test_the_default_span_is_no_longer_than_the_tier_allows(self, client: TestClient) -> None:
        visitor = {"X-Anonymous-Token": client.post("/api/conversations", json={}).json()["anonymous_token"]}
        minutes = {"conditions": [{"kind": "price_drop", "percent": 3, "window": "2m"}]}
        bot = create_bot(client, visitor, strategy=minutes, token="abc")
        run = start(client, visitor, bot)
        assert (run["start_time"], run["end_time"]) == ("2025-12-26T04:24:00Z", "2026-01-02T03:04:00Z")

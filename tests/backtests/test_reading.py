"""The results of a run as pages of trades and signals, CSV, chart and list, which agree with each other."""

import csv
import io
import math
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.backtests.chart_points import fit
from strategybot.backtests.schemas import PortfolioView
from strategybot.settings import Settings
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.preparation import prepare, warm_up_seconds
from strategybot.trading.engine.run_costs import RunCosts
from strategybot.trading.language.strategy import Strategy
from tests.application import application
from tests.backtests.driving import Headers, Json, finished, lasting, read, start
from tests.engines import on_both, on_sqlite_alone
from tests.market.scripted import candles_at
from tests.market.upstream.market import SOL
from tests.servers import SECRET
from tests.support import ManualClock, create_bot, sign_up

pytestmark = on_sqlite_alone

TRADE_FIELDS = {
    "number", "entry_time", "entry_price", "exit_time", "exit_price", "quantity", "pnl", "pnl_percent", "fees", "slippage", "tax", "impact",
    "entry_reason", "exit_reason",
}  # fmt: skip
BUSY: Json = {
    "conditions": [{"kind": "price_drop", "percent": 0.5, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 1, "take_profit_percent": 1},
}
REQUEST = {"token": SOL.token_id, "kline_interval": "15m", "start_time": "2025-11-20", "end_time": "2026-01-01"}


@pytest.fixture
def run(client: TestClient, user: Headers) -> Json:
    """A run with some hundreds of trades."""
    bot = create_bot(client, user, strategy=BUSY)
    run = finished(client, user, start(client, user, bot, **REQUEST))
    assert run["status"] == "completed", run
    assert run["metrics"]["total_trades"] > 100
    return run


def test_the_trades_come_in_pages_and_as_a_table(client: TestClient, user: Headers, run: Json) -> None:
    total = run["metrics"]["total_trades"]
    first = read(client, user, run, "/trades")
    assert {name: value for name, value in first.items() if name != "trades"} == {
        "total_trades": total, "page": 1, "per_page": 20, "total_pages": math.ceil(total / 20), "has_next": True, "has_prev": False,
    }  # fmt: skip
    trades: list[Json] = []
    for page in range(1, math.ceil(total / 100) + 1):
        trades += read(client, user, run, "/trades", page=page, per_page=100)["trades"]
    assert first["trades"] == trades[:20]
    assert [trade["number"] for trade in trades] == list(range(1, total + 1))
    assert all(trade.keys() == TRADE_FIELDS | {"entry_reasons", "fills"} for trade in trades)
    for trade in trades:
        bought, sold = trade["fills"]
        for side, fill in (("entry", bought), ("exit", sold)):
            assert (fill["time"], fill["price"]) == (trade[f"{side}_time"], trade[f"{side}_price"])
            assert fill["quantity"] == trade["quantity"]
        assert (bought["action"], bought["reason"]) == ("BUY", "entry")
        assert (sold["action"], sold["reason"]) == ("SELL", trade["exit_reason"])
        for name, whole in (("fee", "fees"), ("slippage", "slippage"), ("tax", "tax"), ("impact", "impact")):
            assert bought[name] + sold[name] == pytest.approx(trade[whole])
    assert {trade["exit_reason"] for trade in trades} <= {"stop_loss", "take_profit"}
    past = read(client, user, run, "/trades", page=10_000, per_page=100)
    assert (past["trades"], past["has_next"], past["has_prev"]) == ([], False, True)

    table = client.get(f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}/trades.csv", headers=user)
    assert table.headers["content-type"].startswith("text/csv")
    assert table.headers["content-disposition"] == f"attachment; filename=trades-{run['run_id']}.csv"
    parsed = list(csv.DictReader(io.StringIO(table.text)))
    assert len(parsed) == total
    for row, trade in zip(parsed, trades, strict=True):
        numbers = {name: float(row[name]) if isinstance(trade[name], float) else row[name] for name in TRADE_FIELDS}
        lists = {name: trade[name] for name in ("entry_reasons", "fills")}
        assert {**numbers, "number": int(row["number"]), **lists} == trade


def test_the_signals_are_the_decisions_of_the_run(client: TestClient, user: Headers, run: Json) -> None:
    page = read(client, user, run, "/signals")
    assert page["per_page"] == 100
    assert page["total_signals"] >= run["metrics"]["total_trades"]
    assert all(signal.keys() == {"time", "side", "price", "reason", "reasons"} for signal in page["signals"])
    assert page["signals"][0]["side"] == "buy"
    assert "price fell" in page["signals"][0]["reason"]
    # What was decided at a close is filled at the next open, 15 minutes after the candle began.
    trade = read(client, user, run, "/trades")["trades"][0]
    assert datetime.fromisoformat(trade["entry_time"]).timestamp() == page["signals"][0]["time"] + 900


@on_both
def test_the_list_is_newest_first_and_without_long_fields(client: TestClient, user: Headers, run: Json) -> None:
    bot = {"id": run["bot_id"]}
    later = finished(client, user, start(client, user, bot, **REQUEST))
    page = client.get(f"/api/bots/{bot['id']}/backtests", params={"per_page": 1}, headers=user).json()
    assert (page["total_backtests"], page["total_pages"], page["has_next"]) == (2, 2, True)
    whole = client.get(f"/api/bots/{bot['id']}/backtests", headers=user).json()
    assert (whole["per_page"], [each["run_id"] for each in whole["backtests"]]) == (
        100,
        [later["run_id"], run["run_id"]],
    )
    long = {"strategy", "strategy_summary", "equity_curve", "data_report", "open_position", "metric_notes"}
    long |= {"verdict", "verdict_error", "pool", "holdout", "cost_notes", "no_trade_reason"}
    long |= PortfolioView.model_fields.keys()
    assert whole["backtests"][1] == {name: value for name, value in run.items() if name not in long}


def test_the_chart_has_at_most_the_requested_candles_and_all_of_the_volume(
    client: TestClient, user: Headers, run: Json
) -> None:
    whole = read(client, user, run, "/klines", limit=5000)
    assert (whole["interval_seconds"], len(whole["klines"])) == (900, 42 * 96)
    assert whole["klines"][0]["time"] == datetime.fromisoformat(run["start_time"]).timestamp()
    for limit in (1, 2, 7, 500, 1000):
        shown = read(client, user, run, "/klines", limit=limit)
        assert 0 < len(shown["klines"]) <= limit
        assert shown["interval_seconds"] % 900 == 0
        volumes = (math.fsum(kline["volume"] for kline in each["klines"]) for each in (shown, whole))
        assert math.isclose(*volumes, rel_tol=1e-12)
    part = read(client, user, run, "/klines", start_time=1_764_547_200, end_time=1_764_547_200 + 3600)
    assert [kline["time"] for kline in part["klines"]] == [1_764_547_200 + 900 * n for n in range(4)]
    assert read(client, user, run, "/klines", start_time=9, end_time=10)["klines"] == []
    refused = client.get(
        f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}/klines", params={"limit": 5001}, headers=user
    )
    assert (refused.status_code, refused.json()["detail"]) == (422, "limit must be at most 5000")


@pytest.mark.parametrize("most", [1, 2, 3, 10, 99, 100, 101, 1000])
@pytest.mark.parametrize("times", [range(6000, 12000, 60), [60, 120, 600, 6000, 6060, 60000], []])
def test_fitted_candles_are_made_of_whole_ones(times: list[int], most: int) -> None:
    candles = candles_at(times)
    shown = fit(candles, most)
    assert len(shown) <= max(most, 1)
    assert shown.interval_seconds % 60 == 0
    for row in range(len(shown)):
        inside = candles.between(shown.time[row], shown.time[row] + shown.interval_seconds)
        assert len(inside) > 0
        assert (shown.open[row], shown.close[row]) == (inside.open[0], inside.close[-1])
        assert (shown.high[row], shown.low[row]) == (inside.high.max(), inside.low.min())
        assert np.isclose(shown.volume[row], inside.volume.sum(), rtol=1e-12, equal_nan=True)
    assert fit(candles, len(candles) + 1) is candles


class TestSame:
    """The same request gives the same result to the last digit."""

    def test_as_the_engine_called_directly(
        self, client: TestClient, user: Headers, run: Json, services: Services
    ) -> None:
        strategy = Strategy.model_validate(run["strategy"])
        start_, end = (int(datetime.fromisoformat(run[name]).timestamp()) for name in ("start_time", "end_time"))
        first = start_ - warm_up_seconds(strategy, 900)
        candles, report = client.portal.call(services.market.candles, SOL.token_id, "15m", first, end)  # type: ignore[union-attr]
        prepared = prepare(candles, report, start_)
        costs = RunCosts.model_validate(run["costs"]).traded()
        assert costs.has_pool_costs
        minutes, _ = client.portal.call(services.market.candles, SOL.token_id, "1m", start_, end)  # type: ignore[union-attr]
        direct = run_backtest(
            strategy,
            prepared.candles,
            costs,
            run["initial_cash"],
            start_index=prepared.start_index,
            minutes=minutes,
        )
        assert run["metrics"] == direct.metrics
        assert run["metric_notes"] == direct.metric_notes
        assert run["equity_curve"] == [point._asdict() for point in direct.equity_curve()]
        assert run["data_report"] == direct.reported(prepared.report).model_dump()
        shown = read(client, user, run, "/trades", per_page=100)["trades"]
        exact = (
            "number",
            "entry_price",
            "exit_price",
            "quantity",
            "pnl",
            "pnl_percent",
            "fees",
            "slippage",
            "tax",
            "impact",
            "entry_reason",
        )
        for trade, row in zip(shown, direct.trades.page(0, 100), strict=True):
            assert {name: trade[name] for name in exact} == {name: getattr(row, name) for name in exact}

    def test_from_the_provider_or_the_store_after_a_restart_and_on_another_engine(
        self, client: TestClient, user: Headers, run: Json, settings: Settings, clock: ManualClock, tmp_path: Path
    ) -> None:
        trades, signals = (read(client, user, run, what, per_page=100) for what in ("/trades", "/signals"))
        again = finished(client, user, start(client, user, {"id": run["bot_id"]}, **REQUEST))  # from the store
        elsewhere = Settings(_env_file=None, data_dir=tmp_path / "elsewhere", secret_key=SECRET)  # on SQLite
        with TestClient(application(settings, clock)) as restarted, TestClient(application(elsewhere, clock)) as other:
            who = sign_up(other)
            bot = create_bot(other, who, strategy=BUSY)
            tries = [
                (client, user, again),
                (restarted, user, finished(restarted, user, start(restarted, user, {"id": run["bot_id"]}, **REQUEST))),
                (other, who, finished(other, who, start(other, who, bot, **REQUEST))),
            ]
            for where, owner, same in tries:
                assert lasting(same) == lasting(run)
                assert read(where, owner, same, "/trades", per_page=100) == trades
                assert read(where, owner, same, "/signals", per_page=100) == signals


@pytest.mark.parametrize(
    ("tier", "interval", "limit"),
    [("free", "1m", 100_000), ("normal", "1m", 500_000), ("pro", "1m", 5_000_000), ("free", "1h", 100_000)],
)
def test_a_tier_limits_the_candles_of_a_run(
    client: TestClient, services: Services, user: Headers, bot: Json, tier: str, interval: str, limit: int
) -> None:
    services.operator.set_tier("ada@example.com", tier)  # type: ignore[arg-type]
    seconds, end = {"1m": 60, "1h": 3600}[interval], 1_760_000_400
    # An unknown token: only the admission matters here.
    request = {"token": "nobody", "kline_interval": interval, "end_time": end}
    start(client, user, bot, **request, start_time=max(0, end - limit * seconds))
    answer = client.post(
        f"/api/bots/{bot['id']}/backtest", json={**request, "start_time": end - limit * seconds - 1}, headers=user
    )
    assert (answer.status_code, answer.json()["detail"]) == (
        403, f"In the {tier} tier a backtest can have {limit} candles, and this one would have {limit + 1}."
    )  # fmt: skip
    assert answer.json()["upsell_message"]


@on_both
def test_a_run_without_trades_has_an_empty_table(client: TestClient, user: Headers) -> None:
    never = {"conditions": [{"kind": "price_level", "level": 1e12, "direction": "above"}]}
    bot = create_bot(client, user, strategy=never)
    run = finished(client, user, start(client, user, bot, **REQUEST))
    assert (run["status"], run["metrics"]["total_trades"]) == ("completed", 0)
    assert read(client, user, run, "/trades")["total_pages"] == 0
    table = client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}/trades.csv", headers=user)
    assert table.text.split("\r\n") == [",".join([*sorted(TRADE_FIELDS, key=table.text.index), "data_source"]), ""]

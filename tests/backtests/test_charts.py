"""The data for a chart: equity at each candle, candles before the start, and the rules of each trade."""

from datetime import datetime

import pytest
from fastapi.testclient import TestClient

from tests.backtests.driving import Headers, Json, finished, read, start
from tests.engines import on_sqlite_alone
from tests.market.upstream.market import SOL
from tests.support import create_bot

pytestmark = on_sqlite_alone

STRATEGY: Json = {
    "conditions": [{"kind": "price_drop", "percent": 1, "window": "2h", "reference": "high"}],
    "exit_conditions": [{"kind": "price_rise", "percent": 1, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 2, "trailing_stop_percent": 1.5, "take_profit_percent": 2},
    "position_percent": 50,
}
REQUEST = {"token": SOL.token_id, "kline_interval": "15m", "start_time": "2025-11-20", "end_time": "2026-01-01"}


@pytest.fixture
def run(client: TestClient, user: Headers) -> Json:
    bot = create_bot(client, user, strategy=STRATEGY)
    run = finished(client, user, start(client, user, bot, **REQUEST))
    assert run["status"] == "completed", run
    return run


def seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())


def closed_rules(client: TestClient, user: Headers, run: Json) -> list[Json]:
    rules: list[Json] = read(client, user, run, "/rules", per_page=100)["rules"]
    return [rule for rule in rules if rule["exit_filled_at"] is not None]


def test_the_equity_of_a_candle_is_that_of_the_run_at_its_end(client: TestClient, user: Headers, run: Json) -> None:
    chart = read(client, user, run, "/klines", limit=5000)
    assert chart["interval_seconds"] == 900
    at = dict(zip((kline["time"] for kline in chart["klines"]), chart["equity"], strict=True))
    for point in run["equity_curve"]:
        assert at[point["time"]] == pytest.approx(point["equity"], rel=1e-9)
    merged = read(client, user, run, "/klines", limit=100)
    longer = merged["interval_seconds"]
    for kline, equity in zip(merged["klines"][:-1], merged["equity"], strict=False):
        assert equity == at[kline["time"] + longer - 900]
    part = read(client, user, run, "/klines", start_time=1_764_547_200, end_time=1_764_547_200 + 90_000)
    assert part["equity"] == [at[kline["time"]] for kline in part["klines"]]


def test_candles_before_the_start_are_shown_when_asked_for(client: TestClient, user: Headers, run: Json) -> None:
    chart = read(client, user, run, "/klines", before=200, limit=5000)
    first = seconds(run["start_time"])
    early = [kline["time"] for kline in chart["klines"] if kline["time"] < first]
    assert early == list(range(first - 200 * 900, first, 900))
    assert chart["equity"][:201] == [None] * 200 + [run["initial_cash"]]


def test_the_rules_of_a_trade_are_what_decided_it(client: TestClient, user: Headers, run: Json) -> None:
    trades = read(client, user, run, "/trades", per_page=100)["trades"]
    rules = closed_rules(client, user, run)
    klines = {kline["time"]: kline for kline in read(client, user, run, "/klines", limit=5000, before=50)["klines"]}
    assert [each["number"] for each in rules] == [each["number"] for each in trades]
    assert {trade["exit_reason"] for trade in trades} >= {"exit_conditions", "trailing_stop"}
    for trade, rule in zip(trades, rules, strict=True):
        entry, out = seconds(trade["entry_time"]), seconds(trade["exit_time"])
        assert (rule["entry_filled_at"], rule["exit_filled_at"]) == (entry, out)
        assert rule["entry_decided_at"] == entry - 900
        (condition,) = rule["entry"]
        assert condition["sentence"] == trade["entry_reason"]
        assert (condition["from_time"], condition["to_time"]) == (entry - 900 - 7200, entry - 900)
        window = range(condition["from_time"], condition["to_time"], 900)
        assert condition["reference"] == max(klines[time]["high"] for time in window)
        assert klines[condition["reference_time"]]["high"] == condition["reference"]
        assert condition["level"] == pytest.approx(condition["reference"] * 0.99)
        assert klines[entry - 900]["close"] <= condition["level"] * (1 + 1e-12)
        assert rule["target"] == pytest.approx(trade["entry_price"] * 1.02)
        by_rule = trade["exit_reason"] == "exit_conditions"
        assert rule["exit_decided_at"] == out - 900 * by_rule
        assert len(rule["exit"]) == by_rule


def test_the_stop_of_a_trade_follows_the_highest_price_before(client: TestClient, user: Headers, run: Json) -> None:
    klines = {kline["time"]: kline for kline in read(client, user, run, "/klines", limit=5000)["klines"]}
    for rule in closed_rules(client, user, run):
        steps = {step["time"]: step["price"] for step in rule["stop"]}
        peak = rule["entry_price"]
        shown = None
        for time in range(rule["entry_filled_at"], rule["exit_filled_at"] + 1, 900):
            shown = steps.get(time, shown)
            assert shown == pytest.approx(max(peak * 0.985, rule["entry_price"] * 0.98))
            peak = max(peak, klines[time]["high"])


def test_the_open_position_has_rules_after_those_of_the_last_trade(client: TestClient, user: Headers) -> None:
    never_sells = {
        **STRATEGY,
        "exit_conditions": [],
        "risk_management": {"stop_loss_percent": 90, "take_profit_percent": 900},
    }
    bot = create_bot(client, user, strategy=never_sells)
    run = finished(client, user, start(client, user, bot, **REQUEST))
    position, count = run["open_position"], run["metrics"]["total_trades"]
    page = read(client, user, run, "/rules", page=count + 1, per_page=1)
    (rule,) = page["rules"]
    assert (page["total_trades"], rule["number"], rule["exit"]) == (count, count + 1, [])
    assert (rule["exit_decided_at"], rule["exit_filled_at"]) == (None, None)
    assert rule["entry_filled_at"] == seconds(position["entry_time"])
    assert [condition["sentence"] for condition in rule["entry"]] == [position["entry_reason"]]
    price = position["entry_price"]
    assert rule["stop"] == [{"time": rule["entry_filled_at"], "price": pytest.approx(price * 0.1)}]
    assert rule["target"] == pytest.approx(price * 10)
    assert read(client, user, run, "/rules", page=count + 2, per_page=1)["rules"] == []


def test_the_course_of_a_trade_is_its_highest_and_lowest_price(client: TestClient, user: Headers, run: Json) -> None:
    klines = {kline["time"]: kline for kline in read(client, user, run, "/klines", limit=5000)["klines"]}
    trades = {trade["number"]: trade for trade in read(client, user, run, "/trades", per_page=100)["trades"]}
    found = read(client, user, run, "/courses")
    assert found["total_trades"] == len(found["courses"]) == run["metrics"]["total_trades"]
    for course in found["courses"][: len(trades)]:
        trade = trades[course["number"]]
        held = [klines[time] for time in range(seconds(trade["entry_time"]), seconds(trade["exit_time"]), 900)]
        ends = [trade["entry_price"], trade["exit_price"]]
        top = max([*ends, *(kline["high"] for kline in held)])
        bottom = min([*ends, *(kline["low"] for kline in held)])
        assert course["run_up_percent"] == pytest.approx(100 * (top / trade["entry_price"] - 1), abs=1e-9)
        assert course["drawdown_percent"] == pytest.approx(100 * (bottom / trade["entry_price"] - 1), abs=1e-9)
    paid = sum(course["slippage"] for course in found["courses"])
    assert paid == pytest.approx(run["metrics"]["slippage_paid"], rel=0.02)  # the open position has paid too


@pytest.mark.parametrize(("first", "last"), [(5, 2), (None, 5), (4_000_000_000, None)])
def test_the_series_of_a_span_without_candles_have_no_points(
    client: TestClient, user: Headers, first: int | None, last: int | None
) -> None:
    rsi = {"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}
    bot = create_bot(client, user, strategy={"conditions": [rsi]})
    run = finished(client, user, start(client, user, bot, **REQUEST))
    times = [kline["time"] for kline in read(client, user, run, "/klines", limit=50)["klines"]]
    whole = read(client, user, run, "/series", limit=50)["series"]
    assert [[point["time"] for point in line["points"]] for line in whole] == [times]
    span = {name: value for name, value in (("from", first), ("to", last)) if value is not None}
    part = read(client, user, run, "/series", **span)["series"]
    assert [(line["name"], line["points"]) for line in part] == [("RSI(14)", [])]

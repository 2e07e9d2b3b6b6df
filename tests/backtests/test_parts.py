"""A run that buys and sells in parts, over the API: its trades, their fills, its equity and its levels agree."""

from datetime import datetime

import pytest
from fastapi.testclient import TestClient

from tests.backtests.driving import Headers, Json, finished, read, start
from tests.engines import on_sqlite_alone
from tests.market.upstream.market import SOL
from tests.support import create_bot

pytestmark = on_sqlite_alone

STRATEGY: Json = {
    "conditions": [{"kind": "price_drop", "percent": 0.5, "window": "1h"}],
    "risk_management": {
        "take_profits": [{"gain_percent": 1, "sell_percent": 40}, {"gain_percent": 2, "sell_percent": 30}],
        "stop_loss_atr": {"period": 14, "times": 6},
        "break_even_after_percent": 1.5,
    },
    "position_percent": 30,
    "ladder": [{"drop_percent": 1, "size_percent": 20}, {"drop_percent": 3, "size_percent": 30}],
    "max_entries": 2,
    "entry_gap": "2h",
}
REQUEST = {"token": SOL.token_id, "kline_interval": "15m", "start_time": "2025-11-20", "end_time": "2026-01-01"}


@pytest.fixture
def run(client: TestClient, user: Headers) -> Json:
    run = finished(client, user, start(client, user, create_bot(client, user, strategy=STRATEGY), **REQUEST))
    assert run["status"] == "completed", run
    return run


def trades_of(client: TestClient, user: Headers, run: Json) -> list[Json]:
    trades: list[Json] = read(client, user, run, "/trades", per_page=100)["trades"]
    assert len(trades) == run["metrics"]["total_trades"] > 10
    return trades


def seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())


def test_a_trade_has_its_fills_on_every_page(client: TestClient, user: Headers, run: Json) -> None:
    trades = trades_of(client, user, run)
    for page in (1, 3, len(trades)):
        assert read(client, user, run, "/trades", page=page, per_page=1)["trades"] == trades[page - 1 : page]
    reasons = {fill["reason"] for trade in trades for fill in trade["fills"]}
    assert reasons >= {"entry", "ladder", "take_profit", "stop_loss", "break_even"}
    for trade in trades:
        bought, sold = ([fill for fill in trade["fills"] if fill["action"] == each] for each in ("BUY", "SELL"))
        assert trade["quantity"] == pytest.approx(sum(fill["quantity"] for fill in bought))
        assert trade["quantity"] == pytest.approx(sum(fill["quantity"] for fill in sold))
        assert trade["entry_price"] * trade["quantity"] == pytest.approx(sum(fill["value"] for fill in bought))
        assert trade["exit_price"] * trade["quantity"] == pytest.approx(sum(fill["value"] for fill in sold))
        assert (trade["entry_time"], trade["exit_time"]) == (bought[0]["time"], sold[-1]["time"])
        assert trade["exit_reason"] == sold[-1]["reason"]
        assert sum(fill["reason"] == "entry" for fill in bought) <= 2
        for reason in ("take_profit", "ladder"):
            numbers = [fill["number"] for fill in trade["fills"] if fill["reason"] == reason]
            assert numbers == list(range(1, len(numbers) + 1))
        assert all(fill["number"] is None for fill in trade["fills"] if fill["reason"] == "entry")
        for name, total in (("fee", "fees"), ("slippage", "slippage"), ("tax", "tax"), ("impact", "impact")):
            assert trade[total] == pytest.approx(sum(fill[name] for fill in trade["fills"]))


def test_money_is_what_the_fills_left(client: TestClient, user: Headers, run: Json) -> None:
    made = sum(trade["pnl"] for trade in trades_of(client, user, run))
    held = run["open_position"]
    worth = run["initial_cash"] + made + (0 if held is None else open_gain(held))
    assert run["metrics"]["final_equity"] == pytest.approx(worth)
    chart = read(client, user, run, "/klines", limit=5000)
    at = dict(zip((kline["time"] for kline in chart["klines"]), chart["equity"], strict=True))
    for point in run["equity_curve"]:
        assert at[point["time"]] == pytest.approx(point["equity"], rel=1e-9)


def open_gain(held: Json) -> float:
    """Return what an open position is worth more than what its fills have cost."""
    moved = 0.0
    for fill in held["fills"]:
        paid = fill["fee"] + fill["tax"] + fill["impact"]
        moved += (-1 if fill["action"] == "BUY" else 1) * fill["value"] - paid
    return float(moved + held["value"])


def test_the_levels_of_a_trade_move_with_its_fills(client: TestClient, user: Headers, run: Json) -> None:
    trades = trades_of(client, user, run)
    rules = [
        rule for rule in read(client, user, run, "/rules", per_page=100)["rules"] if rule["exit_filled_at"] is not None
    ]
    assert [rule["fills"] for rule in rules] == [trade["fills"] for trade in trades]
    for trade, rule in zip(trades, rules, strict=True):
        first = trade["fills"][0]
        assert rule["average"][0] == {"time": seconds(first["time"]), "price": pytest.approx(first["price"])}
        bought = [fill for fill in trade["fills"] if fill["action"] == "BUY"]
        held, spent = sum(fill["quantity"] for fill in bought), sum(fill["value"] for fill in bought)
        if all(fill["action"] == "SELL" for fill in trade["fills"][len(bought) :]):
            assert rule["average"][-1]["price"] == pytest.approx(spent / held)
        if len({fill["time"] for fill in trade["fills"]}) == len(trade["fills"]):  # nothing else in the first candle
            assert rule["targets"][0]["price"] == pytest.approx(first["price"] * 1.01)
            assert rule["ladder"][0]["price"] == pytest.approx(first["price"] * 0.99)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ladder": [{"drop_percent": 3, "size_percent": 90}]}, "more than 100 % of the cash"),
        ({"risk_percent": 1}, "the size is one of"),
        ({"risk_management": {"take_profit_percent": 5, "take_profits": [{"gain_percent": 1, "sell_percent": 9}]}}, "exclude"),
    ],
)  # fmt: skip
def test_orders_that_exclude_each_other_are_refused(client: TestClient, user: Headers, change: Json, why: str) -> None:
    answer = client.post("/api/bots", json={"name": "Parts", "strategy": {**STRATEGY, **change}}, headers=user)
    assert answer.status_code == 422
    assert why in answer.json()["detail"]

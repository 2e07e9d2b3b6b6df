"""Paper trading: what each candle logs, signals and leaves in the portfolio; saving and restoring; refusals."""

import json
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.paper import Advance, CandleOutOfOrder, HistoryMismatch, PaperSession
from strategybot.trading.engine.resolution import without_textbook
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    FREE,
    START,
    candles_of,
    closes,
    drop,
    level,
    random_candles,
    spike,
    strategy_of,
)
from tests.trading.engine.indicators.markets import wild_market
from tests.trading.random_series import compare

PLAN = strategy_of(
    drop(10), stop_loss_percent=10, take_profit_percent=25, cooldown="2m", exit_conditions=[level(95)], max_holding="5m"
)


def session_of(strategy: Strategy = PLAN, costs: Costs = FREE) -> PaperSession:
    return PaperSession(strategy, costs, CASH, 60)


def played(candles: Candles, strategy: Strategy = PLAN, costs: Costs = FREE) -> Advance:
    return session_of(strategy, costs).advance(candles)


def told(done: Advance) -> list[tuple[str, float | None, str]]:
    return [(entry["action"], entry["price"], entry["reason"]) for entry in done.log]


def test_each_candle_says_what_it_did_and_why() -> None:
    done = played(closes(100, 99, 89, 89, 92, 96, 96, 96, 97))
    assert told(done) == [
        ("HOLD", 100, "waiting: price_drop needs 1 candle before it, has 0"),
        ("HOLD", 99, "waiting: price_drop 1 of 10 %"),
        ("HOLD", 89, "price fell 10.1 % in 1m, threshold 10 %"),
        ("BUY", 89, "price fell 10.1 % in 1m, threshold 10 %"),
        ("HOLD", 92, "holding: 3.37 % from the entry 89, stop 80.1, target 111.25"),
        ("HOLD", 96, "price 96 crossed above 95"),
        ("SELL", 96, "price 96 crossed above 95"),
        ("HOLD", 96, "cooling down for another 1m"),
        ("HOLD", 97, "waiting: price_drop -1.04 of 10 %"),
    ]
    assert [entry["number"] for entry in done.log] == list(range(1, 10))
    assert [entry["time"] for entry in done.log] == [START + 60 * k for k in range(9)]
    assert [row[:4] for row in done.signals] == [
        (START + 120, "buy", 89, "price fell 10.1 % in 1m, threshold 10 %"),
        (START + 300, "sell", 96, "price 96 crossed above 95"),
    ]


def test_entry_price_quantity_and_pnl_are_set_where_they_apply() -> None:
    done = played(closes(100, 90, 90, 92, 96, 96))
    shown = [(e["action"], e["entry_price"], e["quantity"], e["pnl"]) for e in done.log]
    quantity = pytest.approx(CASH / 90)
    assert shown == [
        ("HOLD", None, None, None),
        ("HOLD", None, None, None),
        ("BUY", 90, quantity, None),
        ("HOLD", 90, None, None),
        ("HOLD", 90, None, None),
        ("SELL", 90, quantity, pytest.approx(CASH / 90 * 96 - CASH)),
    ]


def test_a_candle_that_buys_and_sells_has_two_entries() -> None:
    done = played(candles_of([(100,) * 4, (100, 100, 90, 90), (90, 91, 70, 80)]))
    assert told(done)[2:] == [
        ("BUY", 90, "price fell 10 % in 1m, threshold 10 %"),
        ("SELL", 81, "stop loss: low 70 ≤ stop 81"),
    ]
    assert [entry["time"] for entry in done.log[2:]] == [START + 120] * 2
    assert [entry["entry_price"] for entry in done.log[2:]] == [90, 90]
    assert done.log[2]["quantity"] == done.log[3]["quantity"] == pytest.approx(CASH / 90)


def test_a_risk_exit_is_a_sale_without_a_signal() -> None:
    done = played(candles_of([(100,) * 4, (100, 100, 90, 90), (90, 91, 89, 90), (70, 71, 69, 70)]))
    assert told(done)[-1] == ("SELL", 70, "stop loss: open 70 ≤ stop 81 (gap)")
    assert [signal.side for signal in done.signals] == ["buy"]


def test_a_position_held_too_long_says_how_long() -> None:
    done = played(closes(100, 90, 90, 90, 90, 90, 90, 90))
    assert told(done)[-1] == ("SELL", 90, "held 5m, the longest allowed is 5m")


def test_a_refused_entry_says_so() -> None:
    candles = candles_of([(1e-305,) * 4, (1e-306,) * 4, (5e-324,) * 4])
    done = PaperSession(strategy_of(drop(10)), FREE, 1e10, 60).advance(candles)
    assert told(done)[-1] == ("HOLD", 5e-324, "not bought: at this price the quantity is no finite number")


def test_a_portfolio_has_the_fields_and_values_of_the_contract() -> None:
    session = session_of(costs=Costs(fee_percent=1, slippage_percent=0))
    assert asdict(session.portfolio()) == {
        "initial_cash": CASH,
        "cash_balance": CASH,
        "position": {"quantity": 0, "value": 0},
        "entry_price": None,
        "current_price": None,
        "unrealized_pnl": 0,
        "total_value": CASH,
        "pnl": 0,
        "pnl_percent": 0,
    }
    session.advance(closes(100, 90, 90, 92))
    quantity = CASH / (90 * 1.01)
    value = quantity * 92
    assert asdict(session.portfolio()) == {
        "initial_cash": CASH,
        "cash_balance": 0,
        "position": {"quantity": pytest.approx(quantity), "value": pytest.approx(value)},
        "entry_price": 90,
        "current_price": 92,
        "unrealized_pnl": pytest.approx(value - CASH),
        "total_value": pytest.approx(value),
        "pnl": pytest.approx(value - CASH),
        "pnl_percent": pytest.approx((value / CASH - 1) * 100),
    }


def test_warm_up_is_seen_and_trades_nothing() -> None:
    candles = closes(100, 90, 81, 81)
    session = session_of()
    session.warm_up(candles[:2])
    assert session.portfolio().current_price == 90
    done = session.advance(candles[2:])
    assert told(done) == [
        ("HOLD", 81, "price fell 10 % in 1m, threshold 10 %"),
        ("BUY", 81, "price fell 10 % in 1m, threshold 10 %"),
    ]
    assert done.log[0]["number"] == 1


def test_a_warm_up_shorter_than_the_look_back_is_used_completely() -> None:
    candles = closes(100, 90, 90, 90, 90, 90)
    session = session_of(strategy_of(drop(10, "5m")))
    session.warm_up(candles[:3])
    assert session.advance(candles[3:]).signals[-1].reason == "price fell 10 % in 5m, threshold 10 %"


def test_the_state_is_small_plain_and_restores_to_the_same_session() -> None:
    strategy = strategy_of(
        drop(2, "10m", "high"), spike(1.5, "5m"), match="any", trailing_stop_percent=3, cooldown="3m"
    )
    candles = random_candles(11, 300)
    whole = PaperSession(strategy, Costs(), CASH, 60)
    expected = [whole.advance(candles[i : i + 1]) for i in range(300)]
    for cut in (0, 1, 57, 150, 299):
        first = PaperSession(strategy, Costs(), CASH, 60)
        if cut:
            first.advance(candles[:cut])
        text = json.dumps(first.state())
        assert len(text) - len(json.dumps(first.state().get("pending_reasons", []))) < 1000
        second = PaperSession.restore(strategy, Costs(), json.loads(text), candles)
        assert second.state() == first.state()
        assert second.portfolio() == first.portfolio()
        assert [second.advance(candles[i : i + 1]) for i in range(cut, 300)] == expected[cut:]
        assert second.state() == whole.state()


def test_the_lookback_alone_is_enough_history() -> None:
    strategy = strategy_of(drop(2, "10m", "high"), spike(1.5, "25m"))
    candles = random_candles(12, 200)
    session = PaperSession(strategy, FREE, CASH, 60)
    assert session.lookback == 25
    session.advance(candles[:100])
    short = PaperSession.restore(strategy, FREE, session.state(), candles[100 - session.lookback : 100])
    assert short.advance(candles[100:]) == session.advance(candles[100:])


def test_a_session_saved_before_its_first_candle_restores_without_history() -> None:
    fresh = session_of()
    again = PaperSession.restore(PLAN, FREE, fresh.state(), closes(100, 90))
    assert again.state() == fresh.state()
    assert again.portfolio() == fresh.portfolio()


def test_history_that_does_not_hold_the_last_candle_is_refused() -> None:
    candles = closes(100, 90, 80)
    session = session_of()
    session.advance(candles)
    for history in (candles[:2], candles[:0]):
        with pytest.raises(HistoryMismatch, match=str(START + 120)):
            PaperSession.restore(PLAN, FREE, session.state(), history)


@pytest.mark.parametrize("act", ["advance", "warm_up"])
def test_a_candle_that_is_not_later_than_the_last_is_refused(act: str) -> None:
    candles = closes(100, 90, 80)
    session = session_of()
    session.advance(candles[:2])
    with pytest.raises(CandleOutOfOrder, match=f"candle {START + 60} after {START + 60}"):
        getattr(session, act)(candles[1:2])
    assert session.state()["last_time"] == START + 60


def test_candles_of_another_interval_are_refused() -> None:
    with pytest.raises(ValueError, match="300 s in a session of 60 s"):
        session_of().advance(closes(1, 2, interval=300))


def test_advancing_a_started_session_by_no_candles_is_allowed() -> None:
    session = session_of()
    session.advance(closes(100, 90))
    assert session.advance(closes(1.0)[:0]) == Advance([], [])


def test_advancing_by_nothing_changes_nothing() -> None:
    session = session_of()
    before: dict[str, Any] = session.state()
    assert session.advance(closes(1.0)[:0]) == Advance([], [])
    assert session.state() == before


def test_many_candles_at_once_equal_the_same_candles_one_by_one() -> None:
    candles = random_candles(13, 150)
    together, apart = session_of(), session_of()
    log = together.advance(candles).log
    assert log == [entry for i in range(150) for entry in apart.advance(candles[i : i + 1]).log]
    assert together.state() == apart.state()
    worth = together.portfolio().total_value
    assert worth is not None
    assert np.isfinite(worth)


def test_a_position_smaller_than_one_piece_is_a_position() -> None:
    session = session_of(strategy_of(drop(10), take_profit_percent=25))
    session.advance(closes(5000, 4500, 4500))
    assert session.portfolio().entry_price == 4500
    assert session.portfolio().position.value == pytest.approx(CASH)
    done = session.advance(candles_of([(4500, 4600, 4400, 4500), (4500, 6000, 4400, 5000)], start=START + 180))
    assert told(done) == [
        ("HOLD", 4500, "holding: 0 % from the entry 4500, target 5625"),
        ("SELL", 5625, "take profit: high 6000 ≥ target 5625"),
    ]
    assert session.portfolio().entry_price is None
    assert done.log[0]["entry_price"] == 4500


def test_the_state_names_its_version_keeps_its_codes_and_holds_no_plain_float() -> None:
    session = session_of()
    session.advance(closes(100, 90))
    assert session.state()["book"]["pending"] == 6
    session.advance(closes(100, 90, 90)[2:])
    state = session.state()
    assert state["version"] == 1
    assert state["book"]["pending"] == 0
    assert state["book"]["quantity"] == (CASH / 90).hex()
    assert not any(isinstance(value, float) for value in [*state.values(), *state["book"].values()])


EMA_CROSS = compare({"series": "ema", "period": 3}, "crosses_above", {"series": "ema", "period": 9})
RSI_HIGH = compare({"series": "rsi", "period": 4}, "above", 55, 2)


@pytest.mark.parametrize("cut", [1, 10, 40, 150])
def test_a_session_that_an_older_version_began_keeps_its_warm_up_to_the_end(cut: int) -> None:
    strategy = strategy_of(EMA_CROSS, exit_conditions=[RSI_HIGH])
    older, candles = without_textbook(strategy), wild_market(2, 400)
    session = session_of(older)
    session.advance(candles[:cut])
    saved = session.state()
    assert "warm_up" not in saved
    restored = PaperSession.restore(strategy, FREE, saved, candles[:cut])
    expected = session.advance(candles[cut:])
    assert restored.advance(candles[cut:]) == expected
    assert restored.state() == session.state()
    words = [entry["reason"] for entry in expected.log if "needs" in entry["reason"]]
    assert words == [f"waiting: EMA(3) needs 198 candles before it, has {i}" for i in range(cut, cut + len(words))]
    assert len(words) > 10
    result = run_backtest(older, candles, FREE, CASH)
    assert len(result.signals) == len(expected.signals) > 0


def test_a_new_session_is_known_after_the_textbooks_number_of_candles() -> None:
    session = session_of(strategy_of(EMA_CROSS, exit_conditions=[RSI_HIGH]))
    done = session.advance(wild_market(2, 400))
    reasons = [entry["reason"] for entry in done.log[:9]]
    assert reasons[:8] == [f"waiting: EMA(9) needs 9 candles before it, has {i}" for i in range(8)]
    assert "to cross above EMA(9)" in reasons[8]
    assert session.state()["warm_up"] == "textbook"

"""What a backtest predicts for paper trading, and the sentences for figures outside of the prediction."""

from typing import Any

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.saved_sessions import tally_of
from strategybot.trading.evidence.expectation import DAY, Past, Tally, expectation, losing_streaks
from tests.trading.builders import drop, random_candles, strategy_of

# 40 trades in 90 days, half of them won: three times three or more losses in a row, twice four.
PNL = [-1.0] * 4 + [1.0] * 5 + [-1.0] * 3 + [1.0] * 5 + [-1.0] * 5 + [1.0] * 6 + [-1.0, 1.0] * 4 + [-1.0] * 4
PAST = Past(90 * DAY, PNL, 12.0)


def tally(**changed: Any) -> Tally:
    return Tally(highest_equity=1000.0)._replace(**changed)


@pytest.mark.parametrize(
    ("seen", "days", "notes"),
    [
        ({}, 1, []),
        ({"trades": 3, "wins": 1, "losses_in_a_row": 2, "max_drawdown_percent": 12.0}, 7, []),
        (
            {"trades": 4, "losses_in_a_row": 4},
            7,
            ["4 losses in a row: in the backtest this happened 3 times in 90 days."],
        ),
        (
            {"trades": 5, "losses_in_a_row": 5},
            9,
            ["5 losses in a row: in the backtest this happened once in 90 days."],
        ),
        (
            {"trades": 6, "losses_in_a_row": 6},
            9,
            ["6 losses in a row: in the backtest this never happened in 90 days."],
        ),
        ({"trades": 0}, 21, ["0 trades in 21 days: by the backtest 4 to 15 were expected."]),
        ({"trades": 9, "wins": 4}, 3, ["9 trades in 3 days: by the backtest 0 to 4 were expected."]),
        ({"trades": 9, "wins": 4}, 2, []),  # too soon to tell
        ({"trades": 10, "wins": 1}, 21, ["10 % of 10 trades won: by the backtest 21 to 79 % were expected."]),
        ({"trades": 9, "wins": 0}, 21, []),  # too few to tell
        (
            {"trades": 3, "wins": 1, "max_drawdown_percent": 14.25},
            7,
            ["The drawdown was 14.2 %: in the backtest it was never above 12 %."],
        ),
    ],
)
def test_a_figure_outside_of_its_band_has_a_sentence(seen: dict[str, Any], days: int, notes: list[str]) -> None:
    assert expectation(PAST, tally(**seen), days * DAY).notes == notes


def test_the_bands_hold_the_backtest_itself() -> None:
    found = expectation(PAST, tally(trades=len(PNL), wins=20), 90 * DAY)
    for band in (found.trades_per_week, found.win_rate, found.max_drawdown):
        assert band.expected is not None
        assert band.low is not None
        assert band.high is not None
        assert band.low <= band.expected <= band.high
    assert found.trades_per_week.live == pytest.approx(found.trades_per_week.expected)
    assert found.notes == []


def test_about_nine_of_ten_random_runs_of_the_same_strategy_stay_in_the_band() -> None:
    chance = np.random.default_rng(7)
    within = 0
    for _ in range(1000):
        trades = int(chance.poisson(40 / 90 * 60))
        wins = int(chance.binomial(trades, sum(pnl > 0 for pnl in PNL) / len(PNL)))
        found = expectation(PAST, tally(trades=trades, wins=wins), 60 * DAY)
        within += not found.notes
    assert 750 <= within <= 950  # both bands at once


def test_a_backtest_without_a_trade_expects_none() -> None:
    found = expectation(Past(90 * DAY, (), 0.0), tally(), DAY)
    assert (found.win_rate.expected, found.trades_per_week.high, found.notes) == (None, 0.0, [])


def test_every_losing_streak_has_its_length() -> None:
    assert losing_streaks([-1, -1, 0, -1, 2, 3, -1, -1, -1]) == [2, 1, 3]
    assert losing_streaks([]) == []


def test_a_session_counts_what_its_backtest_measures_also_after_a_restore() -> None:
    strategy = strategy_of(drop(1, "3m"), stop_loss_percent=4, take_profit_percent=5)
    candles = random_candles(11, 900)
    session = PaperSession(strategy, Costs(), 1000.0, 60)
    session.advance(candles[:400])
    session = PaperSession.restore(strategy, Costs(), session.state(), candles[:400])
    session.advance(candles[400:])
    counted, result = tally_of(session.state()), run_backtest(strategy, candles, Costs(), 1000.0)
    assert counted is not None
    metrics = result.metrics
    assert counted.trades == metrics["total_trades"]
    assert 100 * counted.wins / counted.trades == pytest.approx(metrics["win_rate"])
    assert counted.max_drawdown_percent == pytest.approx(metrics["max_drawdown"])
    assert counted.losses_in_a_row == (
        losing_streaks(result.trades.pnl.tolist())[-1] if result.trades.pnl[-1] < 0 else 0
    )

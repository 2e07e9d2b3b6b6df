"""Guards refuse entries and nothing else: each by its own table, and all against a second reading of the rules."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.conditions import one_later, wanted_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import CANDLE, ENTRY, EXIT, FILLS, WHAT, reasons_of
from strategybot.trading.engine.loop import market_of, new_control
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.resolution import misfit
from strategybot.trading.engine.risk import ENTER
from strategybot.trading.engine.saved_sessions import guards_summary_of
from strategybot.trading.engine.step import rules_of
from strategybot.trading.evidence.neighbours import neighbours
from strategybot.trading.evidence.stress import total_return
from strategybot.trading.evidence.verdict import examine
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    FREE,
    GUARDS,
    START,
    candles_of,
    cases,
    closes,
    drop,
    engine,
    identical,
    level,
    random_candles,
    strategy_of,
    trades_of,
)
from tests.trading.reference import Reference

DAY = 86_400
EXITS: dict[str, Any] = {"stop_loss_percent": 10, "take_profit_percent": 10}
CALM = (100, 100, 100, 100)
LOSS, GAIN = (100, 100, 80, 100), (100, 120, 100, 100)  # bought at the open and sold 10 % lower or higher, if bought


def always(**guards: Any) -> Strategy:
    return strategy_of(level(1, "above", "is"), guards=guards, **EXITS)


def entries(strategy: Strategy, candles: Candles) -> list[int]:
    """Return the candles of all buys, including that of an open position."""
    run = engine(strategy, candles)
    identical(run, engine(strategy, candles, plain=True))
    fills = run.ledger.places[: run.ledger.counts[FILLS]]
    found: list[int] = fills[reasons_of(fills[:, WHAT]) == ENTER, CANDLE].tolist()
    return found


@pytest.mark.parametrize(
    ("percent", "bought"),
    [(5, [1]), (10, [1]), (10.1, [1, 2]), (30, [1, 2, 3, 4])],  # the equity falls by 10 % with each trade
)
def test_a_maximum_drawdown_ends_all_buying(percent: float, bought: list[int]) -> None:
    candles = candles_of([CALM, *[LOSS] * 6])
    assert entries(always(max_drawdown_percent=percent), candles) == bought


def test_a_drawdown_while_a_position_is_held_counts_and_the_position_is_sold_as_ever() -> None:
    strategy = strategy_of(level(1, "above", "is"), take_profit_percent=20, guards={"max_drawdown_percent": 30})
    candles = closes(100, 100, 60, 100, 130, 130, 130)
    run = engine(strategy, candles)
    assert trades_of(run).places[0, [ENTRY, EXIT]].tolist() == [1, 4]
    assert entries(strategy, candles) == [1]
    assert run.watch.halt_time == START + 2 * 60


def test_the_drawdown_is_measured_from_the_highest_close() -> None:
    strategy = strategy_of(level(1, "above", "is"), stop_loss_percent=50, guards={"max_drawdown_percent": 40})
    risen = closes(100, 100, 300, 170, 40, 40, 40)
    assert engine(strategy, risen).watch.halt_time == START + 3 * 60


@pytest.mark.parametrize(
    ("losses", "pause", "bought"),
    [
        (1, "1m", [1, 3, 5, 7, 9, 11]),
        (1, "3m", [1, 5, 9]),
        (2, "3m", [1, 2, 6, 10]),  # a third loss in a row pauses again
        (2, "1d", [1, 2]),
        (3, "1d", [1, 2, 3]),
    ],
)
def test_a_losing_streak_pauses_buying(losses: int, pause: str, bought: list[int]) -> None:
    candles = candles_of([CALM, *[LOSS] * 11])
    assert entries(always(losing_streak={"losses": losses, "pause": pause}), candles) == bought


def test_a_trade_without_a_loss_ends_a_streak() -> None:
    guards = {"losing_streak": {"losses": 2, "pause": "1d"}}
    assert len(entries(always(**guards), candles_of([CALM, LOSS, GAIN, LOSS, GAIN, LOSS]))) == 5
    assert len(entries(always(**guards), candles_of([CALM, LOSS, GAIN, LOSS, LOSS, LOSS]))) == 4


def test_a_day_has_no_more_buys_than_allowed_and_the_fill_decides_the_day() -> None:
    candles = random_candles(5, 5000, calm=0.02)
    run = engine(strategy_of(drop(0.5, "3m"), guards={"max_trades_per_day": 3}, **EXITS), candles)
    free = engine(strategy_of(drop(0.5, "3m"), **EXITS), candles)
    bought, unguarded = (
        Counter((candles.time[trades_of(each).places[:, ENTRY]] // DAY).tolist()) for each in (run, free)
    )
    assert max(unguarded.values()) > 3
    assert set(bought.values()) == {3}


@given(cases(longest=400))
@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_a_second_reading_of_the_guards_refuses_the_same_candles(
    case: tuple[Strategy, Candles, Costs],
) -> None:
    strategy, candles, costs = case
    assume(strategy.guards is not None)
    reference = Reference(strategy, candles, costs)
    book = reference.run(CASH)
    assume(not reference.close_call)
    assert strategy.guards is not None
    session = PaperSession(strategy, costs, CASH, candles.interval_seconds)
    refused = [entry["time"] for entry in session.advance(candles).log if "guard" in entry["reason"]]
    sold = {trade.exit for trade in book.trades}  # the log of such a candle has the sale
    assert refused == [int(candles.time[i]) for i, _ in book.refused if i not in sold]
    watch = engine(strategy, candles, costs).watch
    counts = watch.skipped_by_drawdown, watch.skipped_by_streak, watch.skipped_by_day
    assert counts == skipped(book.refused, candles)


def skipped(refused: list[tuple[int, str]], candles: Candles) -> tuple[int, ...]:
    """Return the refused entries by guard; consecutive refusals count as one."""
    times = {int(candles.time[i]) for i, _ in refused}
    first = Counter(guard for i, guard in refused if int(candles.time[i]) - 60 not in times)
    return tuple(first[name] for name in ("max_drawdown", "losing_streak", "max_trades_per_day"))


@pytest.mark.parametrize(
    ("guards", "said"),
    [
        (
            {"losing_streak": {"losses": 1, "pause": "2m"}},
            "not buying: the losing streak guard paused until 2023-11-14 22:17 UTC (a loss)",
        ),
        (
            {"max_drawdown_percent": 5},
            "not buying: the max drawdown guard ended buying at 2023-11-14 22:15 UTC (equity 5 % under its highest)",
        ),
        ({"max_trades_per_day": 1}, "not buying: the daily guard allows 1 buy a day (UTC)"),
    ],
)
def test_the_log_names_the_guard_and_the_run_sums_it_up_once(guards: dict[str, Any], said: str) -> None:
    candles = candles_of([CALM, LOSS, CALM])
    session = PaperSession(always(**guards), FREE, CASH, 60)
    log = session.advance(candles).log
    assert [entry["reason"] for entry in log if entry["action"] == "HOLD"][1:] == [said]
    cause = said.removeprefix("not buying: ")
    expected = f"1 entry was skipped: {cause}."
    assert guards_summary_of(session.strategy, session.state()) == expected
    assert run_backtest(session.strategy, candles, FREE, CASH).guards_summary == expected


def test_a_run_in_which_no_guard_refused_says_nothing() -> None:
    candles = candles_of([CALM, LOSS, CALM])
    assert run_backtest(always(max_trades_per_day=9), candles, FREE, CASH).guards_summary is None
    bare = PaperSession(always(), FREE, CASH, 60)
    bare.advance(candles)
    assert "watch" not in bare.state()
    assert guards_summary_of(bare.strategy, bare.state()) is None


def test_the_checks_of_a_verdict_keep_the_guards_and_vary_other_numbers() -> None:
    guarded = strategy_of(drop(2, "3m"), guards=GUARDS[4], **EXITS)
    around = neighbours(guarded, 60)
    assert {each.strategy.guards for each in around} == {guarded.guards}
    assert {each.path[0] for each in around} == {"conditions", "risk_management"}
    candles = random_candles(3, 4000)
    tested = examine(guarded, candles, FREE, 0, run_backtest(guarded, candles, FREE, 1.0))
    costs = next(each for each in tested.findings if each.name == "costs")
    assert costs.parts[1].value == pytest.approx(100 * tested.total_return)


def test_the_check_with_late_entries_applies_the_guards_too() -> None:
    candles = candles_of([CALM, *[LOSS] * 6])
    market, wanted = market_of(candles), wanted_of(always(), candles)

    def late(**guards: Any) -> float:
        rules = rules_of(always(**guards), FREE, 60)
        return total_return(rules, market, one_later(wanted), 0, 1.0, new_control())

    assert late(max_drawdown_percent=5) == pytest.approx(-0.1)  # one trade
    assert late() < -0.4
    rules = rules_of(always(max_drawdown_percent=5), FREE, 60)
    on_time = total_return(rules, market, wanted, 0, 1.0, new_control())
    assert on_time == pytest.approx(-0.1)


def test_a_pause_must_be_a_whole_number_of_candles() -> None:
    strategy = strategy_of(drop(2, "1h"), guards={"losing_streak": {"losses": 2, "pause": "30m"}})
    assert misfit(strategy, "1h") == "The strategy looks at 30m; candles of 1h cannot show that. Use 15m or shorter."
    assert misfit(strategy, "15m") is None

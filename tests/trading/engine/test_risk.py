"""Candles in doubt: which they are, what their minutes decide, and that all kinds of runs agree."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import NO_MINUTES, Candles, concatenate
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.fills import FillCounts
from strategybot.trading.engine.ledger import CERTAINTY, DOUBTS, ENTRY, EXIT, EXIT_BASE, WHY
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.risk import ASSUMED, EXACT, RESOLVED
from strategybot.trading.engine.step import EXIT_REASONS
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import (
    CASH,
    FREE,
    candles_of,
    costs,
    engine,
    identical,
    level,
    put_together,
    random_candles,
    strategies,
    strategy_of,
    trades_of,
)
from tests.trading.reference import Reference

HOUR, FIVE_MINUTES = 3600, 300
START = 1_699_999_200  # a whole hour
FLAT = (100, 100, 100, 100)
Case = tuple[Strategy, Candles, Candles, Costs]
modest = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))

RISES = [(100, 106, 100, 106), (106, 106, 94, 95)]
FALLS = [(100, 100, 94, 94), (94, 106, 94, 95)]


def bought_into(risk: dict[str, float], hour: tuple[float, ...], minutes: list[tuple[float, ...]]) -> BacktestResult:
    """Return candles for a purchase at 100 at the open of the third hour, which has these minutes."""
    strategy = strategy_of(level(100, trigger="is"), **risk)
    hours = candles_of([FLAT, hour, FLAT], HOUR, START)
    known = candles_of(minutes, start=START + HOUR) if minutes else NO_MINUTES
    return run_backtest(strategy, hours, FREE, CASH, minutes=known)


STOP_AND_TARGET = {"stop_loss_percent": 5, "take_profit_percent": 5}
TRAILING = {"trailing_stop_percent": 5}


@pytest.mark.parametrize(
    ("risk", "hour", "minutes", "reason", "base", "certainty"),
    [
        (STOP_AND_TARGET, (100, 106, 94, 95), [], "stop_loss", 95, ASSUMED),
        (STOP_AND_TARGET, (100, 106, 94, 95), RISES, "take_profit", 105, RESOLVED),
        (STOP_AND_TARGET, (100, 106, 94, 95), FALLS, "stop_loss", 95, RESOLVED),
        # within one minute the stop comes first
        (STOP_AND_TARGET, (100, 106, 94, 95), [(100, 106, 94, 95)], "stop_loss", 95, RESOLVED),
        # a minute that opens beyond a level fills at its open
        (
            STOP_AND_TARGET,
            (100, 106, 94, 95),
            [(100, 101, 100, 101), (106, 106, 105, 105), (105, 105, 94, 95)],
            "take_profit",
            106,
            RESOLVED,
        ),
        # minutes that do not show what the candle shows decide nothing
        (STOP_AND_TARGET, (100, 106, 94, 95), [(100, 106, 99, 99)], "stop_loss", 95, ASSUMED),
        (STOP_AND_TARGET, (100, 106, 94, 95), [(10, 10.6, 9.4, 9.5)], "stop_loss", 95, ASSUMED),
        # only one of the two is reached: nothing to decide, whatever the minutes say
        (STOP_AND_TARGET, (100, 106, 96, 100), RISES, "take_profit", 105, EXACT),
        (STOP_AND_TARGET, (100, 104, 94, 95), RISES, "stop_loss", 95, EXACT),
        (
            TRAILING,
            (100, 110, 100, 101),
            [(100, 110, 100, 110), (110, 110, 101, 101)],
            "trailing_stop",
            104.5,
            RESOLVED,
        ),
        (TRAILING, (100, 102, 94, 94), [(100, 102, 100, 102), (102, 102, 94, 94)], "trailing_stop", 96.9, RESOLVED),
        (TRAILING, (100, 102, 94, 94), [(100, 100, 94, 94), (94, 102, 94, 94)], "trailing_stop", 95, RESOLVED),
        (TRAILING, (100, 102, 94, 94), [], "trailing_stop", 95, ASSUMED),
        (TRAILING, (100, 100, 94, 94), [], "trailing_stop", 95, EXACT),
    ],
)
def test_the_minutes_decide_what_the_candle_cannot(
    risk: dict[str, float],
    hour: tuple[float, ...],
    minutes: list[tuple[float, ...]],
    reason: str,
    base: float,
    certainty: int,
) -> None:
    trades = bought_into(risk, hour, minutes).trades
    assert [EXIT_REASONS[row[2]] for row in trades.places[:1].tolist()] == [reason]
    assert trades.amounts[0, EXIT_BASE] == pytest.approx(base)
    assert trades.places[0, CERTAINTY] == certainty


def test_an_exit_is_no_surer_than_the_candles_before_it() -> None:
    held = (100, 110, 100, 110)  # from its peak it may have fallen by more than 5 %, before it rose again
    strategy = strategy_of(level(100, trigger="is"), trailing_stop_percent=5)
    hours = candles_of([FLAT, held, (110, 110, 90, 90), FLAT], HOUR, START)
    assumed = run_backtest(strategy, hours, FREE, CASH)
    minutes = candles_of([(100, 110, 100, 110)], start=START + HOUR)
    resolved = run_backtest(strategy, hours, FREE, CASH, minutes=minutes)
    assert assumed.trades.fills == FillCounts(assumed=1)
    assert assumed.doubts.tolist() == [START + HOUR]
    assert resolved.trades.fills == FillCounts(resolved=1)
    assert resolved.doubts.tolist() == []


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((41, 0, 0), None),
        ((0, 0, 0), None),
        ((38, 3, 0), "3 of 41 exits were decided on 1-minute candles."),
        ((0, 1, 0), "1 of 1 exit was decided on 1-minute candles."),
        ((9, 0, 1), "1 of 10 exits was assumed: the order of the prices inside a candle is unknown, "),
        ((5, 2, 3), "2 of 10 exits were decided on 1-minute candles; 3 were assumed: the order of the prices "),
    ],
)
def test_the_counts_are_put_into_a_sentence(counts: tuple[int, int, int], words: str | None) -> None:
    exact, resolved, assumed = counts
    sentence = FillCounts(exact=exact, resolved=resolved, assumed=assumed).sentence()
    assert sentence == words or (sentence is not None and words is not None and sentence.startswith(words))


@st.composite
def cases(draw: st.DrawFn, longest: int = 3000) -> Case:
    """Return five-minute candles and their minutes."""
    seed, count = draw(st.integers(0, 2**32)), draw(st.integers(5, longest))
    minutes = random_candles(seed, count, calm=draw(st.sampled_from([0.002, 0.02])))
    return draw(strategies()), put_together(minutes, FIVE_MINUTES), minutes, draw(costs)


def some_of(minutes: Candles, seed: int) -> Candles:
    """Return the minutes of about half of the candles."""
    buckets = minutes.time // FIVE_MINUTES
    kept = np.flatnonzero((buckets * 2654435761 + seed) % 7 < 4)
    return concatenate([minutes[at : at + 1] for at in kept.tolist()] or [NO_MINUTES])


@given(cases(), st.integers(0, 6))
@modest
def test_both_ways_to_run_agree_with_minutes_and_without(case: Case, seed: int) -> None:
    strategy, candles, minutes, paid = case
    for known in (NO_MINUTES, minutes, some_of(minutes[:400], seed)):
        fast = engine(strategy, candles, paid, minutes=known)
        identical(fast, engine(strategy, candles, paid, minutes=known, plain=True))


@given(cases(longest=1500))
@modest
def test_a_second_reading_agrees_on_every_candle_in_doubt(case: Case) -> None:
    strategy, candles, minutes, paid = case
    for known in (minutes, None):
        run = engine(strategy, candles, paid, minutes=NO_MINUTES if known is None else known)
        reference = Reference(strategy, candles, paid, known)
        book = reference.run(CASH)
        assume(not reference.close_call)
        trades = trades_of(run)
        places = trades.places[:, [ENTRY, EXIT, WHY]].tolist()
        found = [(entry, exit_, EXIT_REASONS[reason]) for entry, exit_, reason in places]
        assert found == [(trade.entry, trade.exit, trade.reason) for trade in book.trades]
        bases = trades.amounts[:, EXIT_BASE].tolist()
        assert bases == pytest.approx([trade.exit_base for trade in book.trades], rel=1e-12)
        unresolved = run.ledger.doubts[: run.ledger.counts[DOUBTS]].tolist()
        assert unresolved == [i for i, is_known in book.doubts if not is_known]


@given(cases(longest=900), st.integers(0, 180), st.integers(0, 6), st.booleans())
@settings(modest, max_examples=15)
def test_paper_trading_equals_the_backtest_in_both_settings_also_after_a_restore(
    case: Case, cut: int, seed: int, resolve: bool
) -> None:
    strategy, candles, minutes, paid = case
    there = some_of(minutes, seed) if resolve else NO_MINUTES
    session = PaperSession(strategy, paid, CASH, FIVE_MINUTES)
    used, log = [NO_MINUTES], []
    for i in range(len(candles)):
        if i == cut:
            saved = json.loads(json.dumps(session.state(), allow_nan=False))
            session = PaperSession.restore(strategy, paid, saved, candles[max(0, i - max(1, session.lookback)) : i])
        candle, known = candles[i : i + 1], NO_MINUTES
        doubt = session.first_doubt(candle, NO_MINUTES, ())
        if doubt is not None:
            known = there.between(doubt, doubt + FIVE_MINUTES)
            used.append(known)
        log += session.advance(candle, known).log
    result = run_backtest(strategy, candles, paid, CASH, minutes=concatenate(used))
    assert [entry["price"] for entry in log if entry["action"] == "SELL"] == [
        trade.exit_price for trade in result.trades.page(0, len(result.trades))
    ]
    assert session.fills == result.trades.fills
    assert session.portfolio().total_value == result.metrics["final_equity"]
    everything = run_backtest(strategy, candles, paid, CASH, minutes=there)
    assert everything.metrics == result.metrics


@given(cases())
@settings(modest, max_examples=30)
def test_fetching_only_the_minutes_in_doubt_gives_the_same_result_as_fetching_all(case: Case) -> None:
    strategy, candles, minutes, paid = case
    result = run_backtest(strategy, candles, paid, CASH)
    while len(result.doubts):  # each round decides at least one more candle
        new = [minutes.between(time, time + FIVE_MINUTES) for time in result.doubts.tolist()]
        result = run_backtest(strategy, candles, paid, CASH, minutes=concatenate([result.minutes, *new]))
    whole = run_backtest(strategy, candles, paid, CASH, minutes=minutes)
    for each in (result, whole):  # a guard may let the run without these costs trade candles whose minutes are unknown
        del each.metrics["return_without_pool_costs"]
    assert (result.metrics, result.trades.fills) == (whole.metrics, whole.trades.fills)


def test_a_log_says_how_a_candle_in_doubt_was_decided() -> None:
    strategy = strategy_of(level(100, trigger="is"), stop_loss_percent=5, take_profit_percent=5)
    hours = candles_of([FLAT, (100, 106, 94, 95)], HOUR, START)
    minutes = candles_of(RISES, start=START + HOUR)
    reasons = [
        PaperSession(strategy, FREE, CASH, HOUR).advance(hours, known).log[-1]["reason"]
        for known in (minutes, NO_MINUTES)
    ]
    assert reasons == [
        "take profit: high 106 ≥ target 105; decided on 1-minute candles",
        "stop loss: low 94 ≤ stop 95; assumed: the order of the prices inside this candle is unknown",
    ]

"""The whole verdict: deterministic, cancellable, and with the specified sentences."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.worlds import BOUNCE, SENSIBLE, STRONG, world
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.loop import STOP_REQUESTED, new_control
from strategybot.trading.evidence.checks import Cancelled, Finding, Part, best_trades
from strategybot.trading.evidence.strength import Sample
from strategybot.trading.evidence.timing import DAY, Exposure, day_sums
from strategybot.trading.evidence.verdict import Examination, Verdict, examine, judge
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words.numbers import signed
from strategybot.trading.words.verdicts import METHOD, impersonal, ordinal, timing, tries, versions, weakness
from tests.trading.builders import drop, level, random_candles, strategies, strategy_of

COSTS = Costs()
ROOT = Path(__file__).parents[3]
HEADLINES = {
    "holds_up": "Holds up so far",
    "fragile": "Fragile: ",
    "luck": "Looks like luck",
    "too_few": "Not enough trades to tell",
    "loses": "Loses money",
}
NAMES = ["timing", "chance", "delay", "costs", "best_trades", "neighbours", "time"]


def examined(strategy: Strategy, candles: Candles, start: int = 0) -> Examination:
    result = run_backtest(strategy, candles, COSTS, 1000.0, start_index=start)
    return examine(strategy, candles, COSTS, start, result)


@settings(max_examples=25)
@given(strategies(), st.integers(0, 2**32 - 1), st.integers(1, 300))
def test_every_run_has_a_verdict_the_same_each_time(strategy: Strategy, seed: int, count: int) -> None:
    candles = random_candles(seed, count)
    verdict = judge(examined(strategy, candles))
    assert verdict == judge(examined(strategy, candles))
    assert verdict.headline.startswith(HEADLINES[verdict.grade])
    assert [check.name for check in verdict.checks] == (NAMES if verdict.trades else [])
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict
    assert (verdict.trades_needed is None) or verdict.grade == "too_few"
    assert verdict.timing is not None
    assert 0 <= verdict.timing.in_percent <= 100


def test_a_planted_edge_holds_up_and_many_tries_weaken_it() -> None:
    own, *_ = world(STRONG, 60, 0)
    examination = examined(Strategy.model_validate(SENSIBLE), own)
    verdict = judge(examination)
    assert verdict.grade == "holds_up"
    assert verdict.sentence == "Nothing we tried broke it. That is no promise: an edge can end."
    assert all(check.passed for check in verdict.checks)
    tried = judge(examination, tries=10**9)
    assert tried.grade in {"luck", "too_few"}
    assert tried.p == verdict.p


def test_a_bounce_that_nobody_can_trade_is_fragile() -> None:
    strategy = strategy_of(drop(1, "5m"), take_profit_percent=1, stop_loss_percent=5, max_holding="30m")
    own, *_ = world(BOUNCE, 60, 4)
    verdict = judge(examined(strategy, own))
    assert verdict.grade == "fragile"
    assert verdict.headline == "Fragile: bought one candle later, most of the profit is gone."


def sample(chance: np.random.Generator, edge: float) -> Sample:
    """Return 40 days on which the market rises by `edge` more while a position is held."""
    shares = np.tile(np.repeat([1.0, 0.0], 12), 40)
    moves = chance.normal(0, 0.03, len(shares)) + edge * shares
    sums = day_sums(DAY // 24 * np.arange(len(shares)), Exposure(moves, shares, shares * moves))
    return Sample(np.full(40, 0.01), sums)


def test_other_tokens_can_strengthen_weak_evidence_and_refute_strong_evidence() -> None:
    chance = np.random.default_rng(0)
    weak, strong = (Examination(0.1, sample(chance, edge), (), None) for edge in (0.003, 0.02))
    good = {f"token{n}": sample(chance, 0.01) for n in range(5)}
    bad = {f"token{n}": sample(chance, -0.01) for n in range(5)}
    assert 0.03 < (judge(weak).p or 0) <= 0.2
    assert judge(weak).grade == "too_few"
    assert judge(weak, others=good).grade == "holds_up"
    assert judge(strong).grade == "holds_up"
    verdict = judge(strong, others=bad)
    assert verdict.grade == "fragile"
    assert verdict.headline == "Fragile: the same rules on 5 other tokens: better than chance on 0."
    assert [token.good for token in verdict.other_tokens] == [False] * 5


@pytest.mark.parametrize(("good", "passed"), [(0, False), (2, False), (3, True), (5, True)])
def test_other_tokens_pass_if_most_of_them_are_good_however_strong_the_own_evidence_is(good: int, passed: bool) -> None:
    """A reader must never see "Passed" beside "better than chance on 0"."""
    chance = np.random.default_rng(0)
    others = {f"token{n}": sample(chance, 0.01 if n < good else -0.01) for n in range(5)}
    for edge in (0.0, 0.003, 0.02):
        *_, check = judge(Examination(0.1, sample(chance, edge), (), None), others=others).checks
        assert (check.passed, check.value, check.limit) == (passed, 20 * good, 60)
        assert check.sentence == f"The same rules on 5 other tokens: better than chance on {good}."


def test_costs_that_eat_a_timing_are_said() -> None:
    own = sample(np.random.default_rng(1), 0.02)
    costly = replace(own.sums, net=own.sums.net - own.sums.net.mean() + 0.001)
    verdict = judge(Examination(0.1, Sample(own.returns, costly), (), None))
    assert (verdict.grade, verdict.headline) == ("too_few", "The timing is better than luck, but the costs eat it.")
    assert verdict.sentence.startswith("It bought before rises")


def test_a_verdict_of_an_earlier_version_can_be_read() -> None:
    stored = {
        "grade": "luck", "headline": "Looks like luck", "sentence": "…", "trades": 30, "trades_needed": None,
        "tries": 1, "p": 0.4, "p_adjusted": 0.4, "average_entry_percent": -0.2, "checks": [],
        "other_tokens": [
            {"token_id": "a", "trades": 3, "expectancy_percent": 1.0, "average_entry_percent": 0.1, "good": True}
        ],
    }  # fmt: skip
    verdict = Verdict.model_validate(stored)
    assert verdict.model_dump(mode="json") == {**stored, "timing": None}


@pytest.mark.parametrize(
    ("rise_in", "rise_out", "said"),
    [
        (34.2, -5.0, "The market rose 34.2 % while you were in and fell 5.0 % while you were out."),
        (0.0, 0.02, "The market did not move while you were in and rose 0.02 % while you were out."),
        (34.2, None, "You were in all the time: nothing tells your timing from holding."),
    ],
)  # fmt: skip
def test_the_timing_is_told_in_a_sentence(rise_in: float, rise_out: float | None, said: str) -> None:
    assert timing(rise_in, rise_out) == said


def test_a_larger_rise_that_took_longer_is_not_told_as_the_better_one() -> None:
    assert timing(5.4, 7.8, 25).endswith("and rose 7.8 % in the longer time while you were out.")
    assert timing(7.8, 5.4, 75).endswith("and rose 5.4 % in the shorter time while you were out.")
    assert timing(5.4, -7.8, 25).endswith("and fell 7.8 % while you were out.")


@pytest.mark.parametrize(
    ("returns", "said"),
    [
        ((-1.0, 2.0, 3.0), "It lost money in one third of the time."),
        ((-1.0, 2.0, -3.0), "It lost money in two thirds of the time."),
        ((-1.0, -2.0, -3.0), "It lost money in every third of the time."),
    ],
)
def test_it_is_told_in_how_many_thirds_it_lost(returns: tuple[float, ...], said: str) -> None:
    parts = tuple(Part(f"third {number}", each) for number, each in enumerate(returns, 1))
    assert weakness(Finding("time", False, min(returns), 0.0, parts), 1) == said


def test_a_delay_takes_no_profit_from_a_run_that_has_none() -> None:
    parts = (Part("on time", -10.5), Part("one candle later", -5.2))
    said = weakness(Finding("delay", False, 0.0, 50.0, parts), 1)
    assert said == "Bought one candle later it makes −5.2 % instead of −10.5 %."


def test_a_run_without_trades_has_a_verdict_without_numbers() -> None:
    verdict = judge(examined(strategy_of(level(1e9)), random_candles(1, 100)))
    assert (verdict.grade, verdict.trades, verdict.p) == ("too_few", 0, None)
    assert verdict.timing is not None
    assert (verdict.timing.in_percent, verdict.timing.rise_in_percent) == (0, None)


def test_a_stop_ends_the_examination() -> None:
    strategy, candles, control = strategy_of(drop(1), max_holding="5m"), random_candles(1, 400), new_control()
    result = run_backtest(strategy, candles, COSTS, 1000.0)
    control[STOP_REQUESTED] = 1
    with pytest.raises(Cancelled):
        examine(strategy, candles, COSTS, 0, result, control)


def test_the_initial_cash_changes_nothing_but_rounding() -> None:
    strategy, candles = strategy_of(drop(1, "5m"), max_holding="20m"), random_candles(3, 3000)
    small, large = (
        judge(examine(strategy, candles, COSTS, 0, run_backtest(strategy, candles, COSTS, cash))) for cash in (1.0, 1e6)
    )
    assert small.grade == large.grade
    assert small.p == pytest.approx(large.p)


@pytest.mark.parametrize(("trades", "best"), [(0, 0), (1, 1), (20, 1), (39, 1), (40, 2), (1000, 50)])
def test_the_best_trades_are_five_percent_and_at_least_one(trades: int, best: int) -> None:
    assert best_trades(trades) == best


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (14, "14th"), (22, "22nd")]
)
def test_a_try_is_counted_by_its_ordinal(number: int, text: str) -> None:
    assert ordinal(number) == text


@pytest.mark.parametrize(("percent", "text"), [(0.8, "+0.8"), (-0.2, "−0.2"), (0, "0"), (12.345, "+12.3")])
def test_a_percentage_is_written_with_its_sign(percent: float, text: str) -> None:
    assert signed(percent) == text


def test_documents_say_what_is_tested_in_the_same_words() -> None:
    assert METHOD in (ROOT / "docs" / "verdict.md").read_text(encoding="utf-8")
    schema = json.loads((ROOT / "web" / "openapi.json").read_text(encoding="utf-8"))
    assert schema["components"]["schemas"]["VerdictView"]["properties"]["timing"]["description"] == METHOD


def test_readers_of_a_share_are_not_called_the_trader() -> None:
    own = [
        METHOD,
        tries(14, "PIPO"),
        timing(34.2, -5.0),
        timing(5.4, 7.8, 25),
        timing(34.2, None),
        timing(None, 1.0),
        versions(40),
    ]
    told = [impersonal(each) for each in own]
    assert not [each for each in told if re.search(r"\byou", each, re.IGNORECASE)]
    assert told[1:3] == [
        "This is the 14th try on PIPO.",
        "The market rose 34.2 % while the strategy was in and fell 5.0 % while the strategy was out.",
    ]

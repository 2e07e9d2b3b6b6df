"""The verdict of a backtest: its own checks, then the grade, with the sentences for people.

`examine` runs the strategy again under changed circumstances; `judge` puts the grade together and can be called again
when tries or other tokens become known. Both are pure: the same candles give the same answer, to the bit.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.instruments import AddressAndChain
from strategybot.trading.engine.loop import new_control
from strategybot.trading.evidence.checks import CHECKS, Finding, Tested, best_trades
from strategybot.trading.evidence.strength import (
    GOOD_SHARE,
    STRONG_P,
    Evidence,
    Grade,
    Sample,
    SearchEvidence,
    elsewhere,
    grade_of,
    trades_needed,
)
from strategybot.trading.evidence.timing import day_sums, exposure_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.words import verdicts as words
from strategybot.trading.words.numbers import finite

LARGEST_GROWTH = 700.0  # its exponential is still a float
AverageEntry = Annotated[
    float | None,
    Field(deprecated=True, description="Of verdicts before the test of the timing; null since then"),
]


class PartView(BaseModel):
    model_config = ConfigDict(frozen=True)

    label: Annotated[str, Field(description="What it is of")]
    value: Annotated[float | None, Field(description="What was measured")]


class CheckView(BaseModel):
    """One check: what was measured, what the limit is, and the sentence that says it."""

    model_config = ConfigDict(frozen=True)

    name: Annotated[str, Field(description="The name of the check")]
    passed: Annotated[bool, Field(description="Whether it is passed")]
    value: Annotated[float | None, Field(description="What was measured")]
    limit: Annotated[float | None, Field(description="What it is compared with")]
    sentence: Annotated[str, Field(description="The same in a sentence")]
    parts: Annotated[list[PartView], Field(description="The figures behind it")] = []


class OtherToken(BaseModel):
    model_config = ConfigDict(frozen=True)

    token_id: AddressAndChain
    trades: Annotated[int, Field(description="How many trades it closed")]
    expectancy_percent: Annotated[float | None, Field(description="Mean profit of a trade, in percent")]
    average_entry_percent: AverageEntry = None
    good: Annotated[bool, Field(description="Whether it made money, and more than holding its mean share all the time")]


class TimingView(BaseModel):
    """What the market did while the strategy was in and while it was out, and how sure the difference is."""

    model_config = ConfigDict(frozen=True)

    in_percent: Annotated[
        float,
        Field(
            description="Share of the time from open to open in which a position was held, of many tokens on average: "
            "only for this test. What is shown as time in the market is the metric exposure_percent"
        ),
    ]
    rise_in_percent: Annotated[
        float | None,
        Field(description="Of the market in that time, of many tokens on average; null if it was never in"),
    ]
    rise_out_percent: Annotated[float | None, Field(description="Of the market in the rest; null if it was always in")]
    t_gross: Annotated[float, Field(description="Of the timing by days, without costs")]
    t_net: Annotated[float, Field(description="Of what was made, with all costs")]
    t_excess: Annotated[float, Field(description="Of what was made above holding that share all the time")]
    degrees: Annotated[int, Field(description="Degrees of freedom: days that can tell in from out, less one")]


class Verdict(BaseModel):
    """A verdict without its date, which the caller adds."""

    model_config = ConfigDict(frozen=True)

    grade: Annotated[Grade, Field(description="How far to trust the result")]
    headline: Annotated[str, Field(description="The grade in a few words")]
    sentence: Annotated[str, Field(description="Why, in a sentence")]
    trades: Annotated[int, Field(description="Closed trades it is based on")]
    trades_needed: Annotated[
        int | None, Field(description="About how many trades would tell; null unless there are too few")
    ]
    tries: Annotated[int, Field(description="How many strategies were tried on this token")]
    p: Annotated[float | None, Field(description="How often a strategy without an edge looks this good by chance")]
    p_adjusted: Annotated[float | None, Field(description="The same, given how many were tried")]
    average_entry_percent: AverageEntry = None
    timing: Annotated[TimingView | None, Field(description=words.METHOD)] = None  # None in older verdicts
    checks: Annotated[list[CheckView], Field(description="What was checked")]
    other_tokens: Annotated[list[OtherToken], Field(description="The same strategy on other tokens")] = []


AnyVerdict = TypeVar("AnyVerdict", bound=Verdict)


def for_readers(verdict: AnyVerdict) -> AnyVerdict:
    """Return the verdict in words for those who have not made the run."""
    checks = [each.model_copy(update={"sentence": words.impersonal(each.sentence)}) for each in verdict.checks]
    told = {name: words.impersonal(getattr(verdict, name)) for name in ("headline", "sentence")}
    return verdict.model_copy(update={**told, "checks": checks})


@dataclass(frozen=True, eq=False)
class Examination:
    """What the strategy's own candles say."""

    total_return: float
    sample: Sample
    findings: tuple[Finding, ...]
    no_trade: str | None  # why no trade closed; None if one did
    untested: str | None = None  # why its entry conditions were never known, in words


def sample_of(candles: Candles, start: int, result: BacktestResult) -> Sample:
    """Return what a complete run that traded from candle `start` on says about its rules."""
    return Sample(result.trades.pnl_percent / 100, day_sums(candles.time[start:], exposure_of(candles, start, result)))


def examine(
    strategy: Strategy,
    candles: Candles,
    costs: Costs,
    start: int,
    result: BacktestResult,
    control: Integers | None = None,
    untested: str | None = None,
) -> Examination:
    """Run the checks. Raises `Cancelled` when a stop is requested through `control`.

    `untested` is what the run's data report says about entry conditions that were never known.
    """
    control = new_control() if control is None else control
    tested = Tested(strategy, candles, costs, start, result, control)
    sample = sample_of(candles, start, result)
    findings = tuple(check(tested) for check in CHECKS) if len(sample) else ()
    tested.go_on()
    no_trade = result.no_trade_words(never_known=untested is not None)
    return Examination(tested.total, sample, findings, no_trade, untested)


def try_elsewhere(
    strategy: Strategy, candles: Candles, costs: Costs, initial_cash: float, start: int, control: Integers
) -> Sample:
    """Run the strategy on another token, with that token's costs, and return what it says."""
    result = run_backtest(strategy, candles, costs, initial_cash, start_index=start, control=control)
    return sample_of(candles, start, result)


def judge(
    examination: Examination,
    tries: int = 1,
    others: Mapping[str, Sample] | None = None,
    searched: SearchEvidence | None = None,
    token: str = words.UNNAMED_TOKEN,
    can_be_sold: bool | None = None,
) -> Verdict:
    """Return the verdict; `others` are runs of the same rules on other tokens."""
    graded = _grade(examination, tries, others, searched, token)
    if can_be_sold is not False:
        return graded
    return graded.model_copy(
        update={"grade": "loses", "headline": words.CANNOT_BE_SOLD, "sentence": words.UNSOLD, "trades_needed": None}
    )


def _grade(
    examination: Examination,
    tries: int,
    others: Mapping[str, Sample] | None,
    searched: SearchEvidence | None,
    token: str,
) -> Verdict:
    sample, others = examination.sample, others or {}
    evidence = Evidence(
        total_return=examination.total_return,
        trades=len(sample),
        mean=sample.mean,
        strength=sample.strength,
        tries=max(1, tries),
        searched=searched,
        elsewhere=elsewhere(list(others.values())),
    )
    weak = [_check(each, len(sample)) for each in examination.findings]
    grade = grade_of(evidence, evidence.bad_elsewhere or not all(each.passed for each in weak))
    elsewhere_checks = _elsewhere_check(evidence, others)
    checks = [*_evidence_checks(evidence, sample, token), *weak, *elsewhere_checks] if len(sample) else []
    worst = next((each.sentence for each in (*weak, *elsewhere_checks) if not each.passed), None)
    needed = trades_needed(evidence) if grade == "too_few" and examination.untested is None else None
    return Verdict(
        grade=grade,
        headline=examination.untested or words.headline(grade, evidence, worst),
        sentence=examination.no_trade or words.explanation(grade, evidence, needed),
        trades=len(sample),
        trades_needed=needed,
        tries=evidence.tries,
        p=evidence.p if len(sample) else None,
        p_adjusted=evidence.p_adjusted if len(sample) else None,
        timing=_timing(sample),
        checks=checks,
        other_tokens=[_other_token(token_id, each) for token_id, each in others.items()],
    )


def _timing(sample: Sample) -> TimingView:
    sums, strength = sample.sums, sample.strength
    share = sums.mean_share
    return TimingView(
        in_percent=100 * share,
        rise_in_percent=_rise(float(sums.caught.sum()) / sums.tokens) if share > 0 else None,
        rise_out_percent=_rise(float((sums.moves - sums.caught).sum()) / sums.tokens) if share < 1 else None,
        t_gross=strength.gross,
        t_net=strength.net,
        t_excess=strength.excess,
        degrees=strength.degrees,
    )


def _rise(growth: float) -> float | None:
    """Return a log growth in percent; None if it is too large for a float."""
    return finite(100 * math.expm1(growth)) if growth < LARGEST_GROWTH else None


def _evidence_checks(evidence: Evidence, sample: Sample, token: str) -> list[CheckView]:
    timing = _timing(sample)
    return [
        CheckView(
            name="timing",
            passed=sample.strength.gross > 0,
            value=timing.rise_in_percent,
            limit=_rise(sample.sums.mean_share * float(sample.sums.moves.sum()) / sample.sums.tokens),
            sentence=words.timing(timing.rise_in_percent, timing.rise_out_percent, timing.in_percent),
            parts=[
                PartView(label="while in", value=timing.rise_in_percent),
                PartView(label="while out", value=timing.rise_out_percent),
            ],
        ),
        CheckView(
            name="chance",
            passed=evidence.strong,
            value=evidence.p_adjusted,
            limit=STRONG_P,
            sentence=words.chance(evidence, token),
        ),
    ]


def _check(finding: Finding, trades: int) -> CheckView:
    return CheckView(
        name=finding.name,
        passed=finding.passed,
        value=finite(finding.value),
        limit=finite(finding.limit),
        sentence=words.weakness(finding, best_trades(trades)),
        parts=[PartView(label=part.label, value=finite(part.value)) for part in finding.parts],
    )


def _elsewhere_check(evidence: Evidence, others: Mapping[str, Sample]) -> list[CheckView]:
    if evidence.elsewhere is None:
        return []
    traded = [each for each in others.values() if len(each)]
    return [
        CheckView(
            name="other_tokens",
            passed=evidence.elsewhere.share >= GOOD_SHARE,
            value=100 * evidence.elsewhere.share,
            limit=100 * GOOD_SHARE,
            sentence=words.other_tokens(len(traded), sum(each.good for each in traded)),
            parts=[
                PartView(label=token_id, value=finite(100 * each.mean))
                for token_id, each in others.items()
                if len(each)
            ],
        )
    ]


def _other_token(token_id: str, sample: Sample) -> OtherToken:
    return OtherToken(
        token_id=token_id,
        trades=len(sample),
        expectancy_percent=finite(100 * sample.mean) if len(sample) else None,
        good=sample.good,
    )

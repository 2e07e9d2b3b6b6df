"""The verdict of a backtest: its own checks, then the grade, with the sentences for people.

`examine` runs the strategy again under changed circumstances; `judge` puts the grade together and can be called again
when tries or other tokens become known. Both are pure: the same candles give the same answer, to the bit.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from strategybot.trading import verdict_words as words
from strategybot.trading.backtest import BacktestResult, run_backtest
from strategybot.trading.candles import Candles, Integers
from strategybot.trading.checks import CHECKS, Finding, Tested, best_trades
from strategybot.trading.conditions import columns_of, comparisons_of
from strategybot.trading.entry_table import entry_table
from strategybot.trading.evidence import (
    GOOD_SHARE,
    STRONG_P,
    Evidence,
    Grade,
    Sample,
    days_of,
    elsewhere,
    grade_of,
    trades_needed,
)
from strategybot.trading.fast.scan import new_control
from strategybot.trading.kernel import Costs, rules_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.ledger import ENTRY
from strategybot.trading.words import finite


class PartView(BaseModel):
    model_config = ConfigDict(frozen=True)

    label: str
    value: float | None


class CheckView(BaseModel):
    """One check: what was measured, what the limit is, and the sentence that says it."""

    model_config = ConfigDict(frozen=True)

    name: str
    passed: bool
    value: float | None
    limit: float | None
    sentence: str
    parts: list[PartView] = []


class OtherToken(BaseModel):
    model_config = ConfigDict(frozen=True)

    token_id: str
    trades: int
    expectancy_percent: float | None
    average_entry_percent: float | None
    good: bool


class Verdict(BaseModel):
    """A verdict without its date, which the caller adds."""

    model_config = ConfigDict(frozen=True)

    grade: Grade
    headline: str
    sentence: str
    trades: int
    trades_needed: int | None
    tries: int
    p: float | None
    p_adjusted: float | None
    average_entry_percent: float | None
    checks: list[CheckView]
    other_tokens: list[OtherToken] = []


@dataclass(frozen=True, eq=False)
class Examination:
    """What the strategy's own candles say."""

    total_return: float
    sample: Sample
    findings: tuple[Finding, ...]
    untested: str | None = None  # why its entry conditions were never known, in words


def sample_of(strategy: Strategy, candles: Candles, costs: Costs, start: int, result: BacktestResult) -> Sample:
    """Return the trades of a run with the average entry on the same candles."""
    return _sample(strategy, candles, costs, start, result, new_control())


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
    sample = _sample(strategy, candles, costs, start, result, control)
    findings = tuple(check(tested) for check in CHECKS) if len(sample) else ()
    tested.go_on()
    return Examination(tested.total, sample, findings, untested)


def try_elsewhere(strategy: Strategy, candles: Candles, costs: Costs, start: int, control: Integers) -> Sample:
    """Run the strategy on another token and return its trades."""
    result = run_backtest(strategy, candles, costs, 1.0, start_index=start, control=control)
    return _sample(strategy, candles, costs, start, result, control)


def _sample(
    strategy: Strategy, candles: Candles, costs: Costs, start: int, result: BacktestResult, control: Integers
) -> Sample:
    rules = rules_of(strategy, costs, candles.interval_seconds)
    columns = columns_of(candles, comparisons_of(strategy))
    average = entry_table(rules, columns, start, control).average if len(result.trades) else None
    if average is not None and result.trades.fills.resolved:
        average += _gain_by_minutes(strategy, candles, costs, start, result, control)
    days = days_of(candles.time[result.trades.places[:, ENTRY]])
    return Sample(result.trades.pnl_percent / 100, days, average)


def _gain_by_minutes(
    strategy: Strategy, candles: Candles, costs: Costs, start: int, result: BacktestResult, control: Integers
) -> float:
    """Return by how much the minutes changed the mean trade of the run.

    The entry table counts the stop as first in every candle in doubt. Moved by this much it is compared with trades
    that were read in the same way.
    """
    stop_first = run_backtest(strategy, candles, costs, 1.0, start_index=start, control=control)
    if not len(stop_first.trades):
        return 0.0
    return float(result.trades.pnl_percent.mean() - stop_first.trades.pnl_percent.mean()) / 100


def judge(
    examination: Examination,
    tries: int = 1,
    others: Mapping[str, Sample] | None = None,
    search_loss: float | None = None,
    token: str = words.UNNAMED_TOKEN,
) -> Verdict:
    """Return the verdict; `others` are the trades of the same rules on other tokens."""
    sample, others = examination.sample, others or {}
    strength = sample.strength()
    evidence = Evidence(
        total_return=examination.total_return,
        trades=len(sample),
        mean=sample.mean,
        t=strength.t,
        clusters=strength.clusters,
        tries=max(1, tries),
        search_loss=search_loss,
        elsewhere=elsewhere(list(others.values())),
    )
    weak = [_check(each, len(sample)) for each in examination.findings]
    grade = grade_of(evidence, evidence.bad_elsewhere or not all(each.passed for each in weak))
    elsewhere_checks = _elsewhere_check(evidence, others)
    checks = [*_evidence_checks(evidence, sample, token), *weak, *elsewhere_checks] if len(sample) else []
    worst = next((each.sentence for each in (*weak, *elsewhere_checks) if not each.passed), None)
    needed = trades_needed(evidence) if grade == "too_few" and examination.untested is None else None
    known = strength.clusters > 1
    return Verdict(
        grade=grade,
        headline=examination.untested or words.headline(grade, worst),
        sentence=words.explanation(grade, evidence, needed),
        trades=len(sample),
        trades_needed=needed,
        tries=evidence.tries,
        p=evidence.p if known else None,
        p_adjusted=evidence.p_adjusted if known else None,
        average_entry_percent=_percent(sample.average_entry),
        checks=checks,
        other_tokens=[_other_token(token_id, each) for token_id, each in others.items()],
    )


def _evidence_checks(evidence: Evidence, sample: Sample, token: str) -> list[CheckView]:
    base, mean = 100 * sample.base, 100 * sample.mean
    return [
        CheckView(
            name="average_entry",
            passed=sample.good,
            value=finite(mean),
            limit=finite(base),
            sentence=words.average_entry(base, mean),
            parts=[PartView(label="any moment", value=finite(base)), PartView(label="your rules", value=finite(mean))],
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
            passed=not evidence.bad_elsewhere,
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
        expectancy_percent=_percent(sample.mean if len(sample) else None),
        average_entry_percent=_percent(sample.average_entry),
        good=sample.good,
    )


def _percent(fraction: float | None) -> float | None:
    return None if fraction is None or not math.isfinite(fraction) else 100 * fraction

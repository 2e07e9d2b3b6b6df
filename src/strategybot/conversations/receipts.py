"""Receipts: whether the numbers that an answer gives about a run are in what the tools of the conversation found.

Pure. A number counts as found when it is a found value rounded to the digits it is written with. What is not found is
not called wrong, only unverified.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

MOST_UNVERIFIED = 10
MOST_KNOWN = 20_000
LONGEST_CHECKED = 20_000

_NUMBER = re.compile(
    r"(?<![\w.,:/-])(?P<about>(?:about|around|roughly|nearly|almost|approximately|~|≈)\s?)?"
    r"(?P<sign>[-+−–]\s?)?[$€£]?(?P<whole>\d{1,3}(?:[,’'\u00a0\u202f]\d{3})+|\d+)(?P<fraction>\.\d+)?"
    r"(?P<scale>\s?(?:k|K|M|million|thousand)\b)?(?P<percent>\s?(?:%|percent\b|per cent\b))?(?![\w])",
    re.IGNORECASE,
)
_IN_TEXT = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n+")
# Not claims: code, dates, clock times, durations, list numbers, and how many of something there are in the product.
_ASIDE = re.compile(
    r"`[^`]*`|\b\d{4}-\d\d(?:-\d\d)?(?:[T ][\d:.]+Z?)?\b|\b\d{1,2}:\d\d\b|(?m:^\s*(?:[-*]\s+)?\d{1,2}[.)]\s)"
    r"|\b\d+(?:\.\d+)?[\s-]*(?:s|m|h|d|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
    r"|\b\d+\s+(?:backtests?|simulations?|bots?|messages?|conditions?|steps?|revisions?|candles?)\b",
    re.IGNORECASE,
)
_RULES = re.compile(r"stop[\s-]*loss|take[\s-]*profit|trailing[\s-]*stop|trading|paper[\s-]*trade\w*", re.IGNORECASE)
_ABOUT_A_RUN = re.compile(
    r"\b(?:return\w*|profit\w*|loss\w*|los[et]|losing|gain\w*|earn\w*|made|won|wins?|winning|winners?|losers?"
    r"|draw-?downs?|sharpe|sortino|calmar|cagr|trades?|equity|p&l|pnl|backtest\w*|results?|performed|tested|fees?"
    r"|slippage|exposure|expectancy|balance|cash|buy[\s-]and[\s-]hold)\b",
    re.IGNORECASE,
)
_DOWNWARD = re.compile(
    r"\b(?:loss\w*|los[et]|losing|losers?|fell|fallen|down\w*|draw-?downs?|negative|minus|worse|worst|cost|fees?"
    r"|below|under)\b",
    re.IGNORECASE,
)
_SCALES = {"": 1.0, "k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6}
ROUGHLY = 0.05


@dataclass(frozen=True, slots=True)
class Written:
    """A number as it stands in the answer."""

    text: str
    value: float
    tolerance: float
    downward: bool


@dataclass(frozen=True, slots=True)
class Receipts:
    checked: int
    unverified: list[str]


def check(answer: str, known: Iterable[Any]) -> Receipts:
    claims = list(claimed(answer[:LONGEST_CHECKED]))
    if not claims:
        return Receipts(0, [])
    values = found_numbers(known)
    missing = dict.fromkeys(claim.text for claim in claims if not any(_matches(claim, value) for value in values))
    return Receipts(len(claims), list(missing)[:MOST_UNVERIFIED])


def claimed(answer: str) -> Iterator[Written]:
    """The numbers in sentences that speak of a run; a question claims nothing."""
    for sentence in _SENTENCE_END.split(_ASIDE.sub(" ", answer)):
        if sentence.rstrip().endswith("?") or not _ABOUT_A_RUN.search(_RULES.sub(" ", sentence)):
            continue
        for match in _NUMBER.finditer(sentence):
            yield _written(match, _DOWNWARD.search(_RULES.sub(" ", sentence)) is not None)


def found_numbers(known: Iterable[Any]) -> set[float]:
    numbers: set[float] = set()
    for value in known:
        for number in _numbers_in(value):
            if len(numbers) >= MOST_KNOWN:
                return numbers
            numbers.add(number)
    return numbers


def _numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, str):
        yield from (float(text.replace(",", "")) for text in _IN_TEXT.findall(value[:4000]) if len(text) < 40)
    elif isinstance(value, dict):
        yield from _derived(value)
        for inner in value.values():
            yield from _numbers_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _numbers_in(inner)


def _derived(run: dict[str, Any]) -> Iterator[float]:
    """What anybody would work out from a run's own numbers: the profit in cash, trades won and lost."""
    metrics = run.get("metrics")
    if not isinstance(metrics, dict):
        return
    final, initial = metrics.get("final_equity"), run.get("initial_cash")
    if isinstance(final, int | float) and isinstance(initial, int | float):
        yield final - initial
    rate, trades = metrics.get("win_rate"), metrics.get("total_trades")
    if isinstance(rate, int | float) and isinstance(trades, int):
        won = round(rate * trades / 100)
        yield from (float(won), float(trades - won))


def _written(match: re.Match[str], downward: bool) -> Written:
    whole = re.sub(r"\D", "", match["whole"])
    fraction = match["fraction"] or ""
    scale = _SCALES[(match["scale"] or "").strip().lower()]
    value = float(whole + fraction) * scale
    negative = (match["sign"] or "").strip() in {"-", "−", "–"}
    half_a_digit = 0.5 * 10.0 ** -max(0, len(fraction) - 1) * scale
    tolerance = max(half_a_digit, value * ROUGHLY) if match["about"] else half_a_digit
    return Written(match.group().strip(), -value if negative else value, tolerance * (1 + 1e-9), downward)


def _matches(claim: Written, value: float) -> bool:
    """In size; and in sign, unless the sentence itself says that it went down."""
    if claim.downward:
        return abs(abs(claim.value) - abs(value)) <= claim.tolerance
    return abs(claim.value - value) <= claim.tolerance

"""Receipts: look up the numbers of an answer among those that tools returned or the user wrote.

A number is verified if it is a known value rounded to the digits that are written; beside the words of a metric (“win
rate”) it must be a value of that metric (`metrics.py`). The sum or the difference of two verified numbers near it is
verified too. Any other number is unverified, which does not mean wrong. The time taken is linear in the length of the
answer and of what is known.
"""

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

from strategybot.conversations.receipts.metrics import (
    COSTS,
    CUES_OF_METRICS,
    Metric,
    derived_values,
    metric_of_key,
    metrics_for,
    speaks_of_holding,
)
from strategybot.conversations.receipts.numbers import WrittenNumber, mask, numbers_in

MOST_UNVERIFIED = 10
MOST_VALUES = 40_000
MOST_TEXT = 100_000
MOST_QUOTES = 200
MOST_NEAR = 6  # numbers on either side, of which two may make a sum or a difference
LARGEST = 1e300
# What a key of a tool's result says about its numbers. A key in none of the groups may hold a percentage of a run.
_KEY = re.compile(
    r"(?:.*_)?(?:(?P<none>id|at|time|url|token|chain|address|pair|interval|mode|status|reason|source)|"
    r"(?P<setting>strategy|before|summary|revision|backtests_left|decimals|fee_percent|slippage_percent)|"
    r"(?P<count>backtests|bots)|(?P<amount>usd|seconds|cash|equity|trades|paid|price|balance|value|ratio|factor|"
    r"quantity|pnl|holders|score|processed|total|exit_reasons))$|(?P<name>name|symbol|description)$"
)
_RUN = (
    "(?:returns?|profits?|equity|balance) (?:rises?|rose|falls?|fell|drops?|dropped|climbs?)|"
    "earned|made|makes|won|wins|winners|winning|lost|losing|losers|sharpe|sortino|calmar|cagr|equity|pnl|results?|"
    "performed|ended|roi|(?<!what was )bought|sold|turned|gave|brought|gained|gains|profits?|went|exited|closed|"
    "position is|balance|cost|reached|so far|(?:a|the|its|your) loss of"
)
_SETTING = (
    "stops?|targets?|take[ -]profit|trail|trailing|entry|exits?|conditions?|threshold|level|cooldown|"
    "sizes?|settings?|set|buys?|buying|sells?|selling|enters?|dips?|drops?|dropped|falls?|fell|rises?|spike|crosses|"
    "fees?|slippage|commission|suggest|suggested|recommend|example|try|could|should|want|maybe|consider|typical|common|"
    "rather|how about|at (?:the )?most|kaufe|sure|bots|backtests|simulations|candles|first|last|top|run|plan"
)
_CUE = re.compile(rf"(?<![^\W_])(?:{CUES_OF_METRICS}|(?P<run>{_RUN})|(?P<setting>{_SETTING}))(?![^\W_])", re.IGNORECASE)
_LOSS = re.compile(
    r"\b(?:los[st]|loss(?:es)?|loses?|drawdown|down|fell|fallen|minus|costs?|fees|worst|verlust|perte)\b|回撤|亏损",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])(?<!e\.g\.)\s+|(?<=[。！？；])|\|")
_PENALTY_BEHIND = 4  # a word behind a number must be much nearer than the one before it: "a stop of 4 % cost you"


@dataclass(frozen=True, slots=True)
class Receipts:
    checked: int
    unverified: list[str] = field(default_factory=list)  # the first of them, as they are written
    more: int = 0  # how many others there are

    @property
    def note(self) -> str | None:
        if not self.unverified:
            return None
        others = f", and {self.more} more" if self.more else ""
        return f"*In no result of this conversation: {', '.join(self.unverified)}{others}.*"


class Claim(NamedTuple):
    number: WrittenNumber
    is_about_a_run: bool  # only results verify it, not settings or the user's words
    is_a_loss: bool  # its minus may be missing
    metrics: tuple[Metric, ...] = ()  # of which it must be a value; empty if any will do


def check(answer: str, known: Iterable[str | Mapping[str, Any]]) -> Receipts:
    """Look up the numbers of an answer in the user's messages (texts) and the tool calls, oldest first."""
    found = KnownNumbers(list(known)[::-1])
    claims = list(claims_in(found.without_quotes(answer)))
    verified = [found.has(claim) for claim in claims]
    unverified = (
        claim.number.text
        for place, claim in enumerate(claims)
        if not verified[place] and not _is_combined(claim, _near(claims, verified, place))
    )
    missing = list(dict.fromkeys(unverified))
    return Receipts(len(claims), missing[:MOST_UNVERIFIED], len(missing[MOST_UNVERIFIED:]))


def claims_in(answer: str) -> Iterator[Claim]:
    """Yield the numbers to look up. Numbers next to a word about settings or suggestions are left out.

    A sentence without such a word has the kind of the one before it, unless that ended with a full stop.
    """
    kind: str | None = None
    for line in filter(str.strip, mask(answer).split("\n")):
        for sentence in _SENTENCE.split(line):
            cues = list(_CUE.finditer(sentence))
            yield from _claims_of(sentence, cues, kind)
            last = _kind_of_cue(cues[-1].lastgroup) if cues else kind
            kind = None if sentence.endswith((".", "!", ";")) else last


def _claims_of(sentence: str, cues: list[re.Match[str]], inherited: str | None) -> Iterator[Claim]:
    is_a_loss, of_holding = _LOSS.search(sentence) is not None, speaks_of_holding(sentence)
    following = 0
    for number in numbers_in(sentence):
        while following < len(cues) and cues[following].start() < number.end:
            following += 1
        nearby = cues[max(0, following - 1) : following + 1]
        cue = min(nearby, key=partial(_distance, number)).lastgroup if nearby else None
        kind = _kind_of_cue(cue) or inherited
        is_signed = number.text[0] in "+-−"
        if kind == "run" or (kind == "setting" and is_signed) or (kind is None and not number.is_plain):
            metrics = metrics_for(cue, number, of_holding) if kind == "run" else ()
            yield Claim(number, kind == "run", is_a_loss and number.text[0] != "+", metrics)


def _kind_of_cue(cue: str | None) -> str | None:
    return cue if cue in (None, "setting") else "run"


def _near(claims: list[Claim], verified: list[bool], place: int) -> list[WrittenNumber]:
    """Return the verified numbers of the same unit around this one."""
    unit = claims[place].number.is_percent
    around = range(max(0, place - MOST_NEAR), min(len(claims), place + MOST_NEAR))
    return [claims[other].number for other in around if verified[other] and claims[other].number.is_percent == unit]


def _is_combined(claim: Claim, shown: list[WrittenNumber]) -> bool:
    """Return whether the number is the sum or the difference of two that are shown."""
    if claim.number.is_plain:
        return False
    wanted, tolerance = claim.number.readings[0]
    for one, other in combinations(shown, 2):
        (first, first_tolerance), (second, second_tolerance) = one.readings[0], other.readings[0]
        room = tolerance + first_tolerance + second_tolerance
        if any(abs(abs(wanted) - abs(first + sign * second)) <= room for sign in (1, -1)):
            return True
    return False


def _distance(number: WrittenNumber, cue: re.Match[str]) -> int:
    if cue.end() <= number.start:
        return number.start - cue.end()
    gap = cue.start() - number.end
    is_its_unit = gap == 1 and cue.lastgroup in COSTS  # “$140 in fees”
    is_counted = gap == 1 and cue.lastgroup == "trades" and number.is_plain  # “140 trades”
    return 0 if is_its_unit or is_counted else _PENALTY_BEHIND * (1 + gap)


class KnownNumbers:
    """The numbers of tool results and of the user's messages, without those of arguments, failures, ids and dates."""

    def __init__(self, newest_first: list[str | Mapping[str, Any]]) -> None:
        self._quotes: dict[str, None] = {}
        self._values_seen = self._text_seen = 0
        self._numbers: dict[str, list[float]] = defaultdict(list)  # by kind, and by metric
        for entry in newest_first:
            if isinstance(entry, str):
                self._add_text("setting", entry)
            elif isinstance(entry["result"], dict) and set(entry["result"]) == {"error"}:
                self._quotes[str(entry["result"]["error"])] = None
            else:
                self._add_result(entry["result"])
        for values in self._numbers.values():
            values.sort()

    def has(self, claim: Claim) -> bool:
        kinds: list[str] = list(claim.metrics)
        if not kinds:
            kinds = ["percent"]
            kinds += [] if claim.number.is_percent else ["amount"]
            kinds += [] if claim.is_about_a_run else ["setting", "count"]
        return any(
            _is_near(self._numbers[kind], sign * value, tolerance)
            for value, tolerance in claim.number.readings
            for sign in ((1, -1) if claim.is_a_loss else (1,))
            for kind in kinds
        )

    def without_quotes(self, answer: str) -> str:
        """Replace the digits of names, failures and summaries of strategies that the answer quotes whole."""
        for quote in sorted(list(self._quotes)[:MOST_QUOTES], key=len, reverse=True):
            answer = answer.replace(quote, re.sub(r"\d", "_", quote))
        return answer

    def _add_result(self, result: Any) -> None:
        waiting: list[tuple[str, str, Any]] = [("", "percent", result)]  # no recursion: results may be nested deeply
        while waiting and self._values_seen < MOST_VALUES:
            key, kind, value = waiting.pop()
            self._values_seen += 1
            if isinstance(value, dict):
                for metric, derived in derived_values(value):
                    self._numbers["amount"].append(derived)
                    self._numbers[metric].append(derived)
                waiting.extend((_path(key, str(inner)), _kind_of(str(inner), kind), value[inner]) for inner in value)
            elif isinstance(value, list | tuple):
                waiting.extend((key, kind, inner) for inner in value)
            elif isinstance(value, str):
                self._add_result_text(key, kind, value)
            elif isinstance(value, int | float) and not isinstance(value, bool) and (key, value) != ("progress", 100):
                self._add_number(key, kind, float(value) if abs(value) < LARGEST else math.nan)

    def _add_number(self, key: str, kind: str, value: float) -> None:
        if math.isfinite(value):
            self._numbers[kind].append(value)
            if kind != "setting" and (metric := metric_of_key(key)) is not None:
                self._numbers[metric].append(value)

    def _add_result_text(self, key: str, kind: str, text: str) -> None:
        if key.endswith("summary") or (kind == "name" and re.search(r"[^\W\d]{2}.*\d", text)):
            self._quotes[text] = None
        if kind not in ("none", "name"):
            self._add_text("setting" if kind == "setting" else "percent", text)

    def _add_text(self, kind: str, text: str) -> None:
        text = text[: max(0, MOST_TEXT - self._text_seen)]
        self._text_seen += len(text)
        for number in numbers_in(mask(text)):
            self._numbers[kind].extend(value for value, _ in number.readings)
        for claim in claims_in(text) if kind == "percent" else ():
            for metric in claim.metrics:
                self._numbers[metric].extend(value for value, _ in claim.number.readings)


def _is_near(values: list[float], wanted: float, tolerance: float) -> bool:
    place = bisect_left(values, wanted - tolerance)
    return math.isfinite(tolerance) and place < len(values) and values[place] <= wanted + tolerance


def _kind_of(key: str, outer: str) -> str:
    match = _KEY.match(key)
    kind = (match.lastgroup if match else None) or "percent"
    return "setting" if outer == "setting" and kind not in ("none", "name") else kind


def _path(outer: str, key: str) -> str:
    """Return the key by which a number is known: the counts of exit reasons are those of trades."""
    return outer if outer == "exit_reasons" else key

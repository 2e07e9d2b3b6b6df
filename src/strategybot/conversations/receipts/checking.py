"""Receipts: look up the numbers of an answer among those that tools returned or the user wrote.

A number is verified if it is a known value rounded to the digits that are written. Any other number is unverified,
which does not mean wrong. The time taken is linear in the length of the answer and of what is known.
"""

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from strategybot.conversations.receipts.numbers import WrittenNumber, mask, numbers_in

MOST_UNVERIFIED = 10
MOST_VALUES = 40_000
MOST_TEXT = 100_000
MOST_QUOTES = 200
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
    "returns?|returned|earned|made|makes|won|wins|winners|winning|win rate|lost|losing|losers|drawdown|sharpe|"
    "sortino|calmar|cagr|trades|equity|pnl|results?|performed|ended|roi|bought|sold|turned|gave|brought|gained|gains|"
    "profits?|went|exited|closed|position is|balance|cost|reached|so far|buy (?:and|&) hold|in fees"
)
_SETTING = (
    "stops?|targets?|take[ -]profit|trail|trailing|entry|exits?|conditions?|threshold|level|cooldown|"
    "sizes?|settings?|set|buys?|buying|sells?|selling|enters?|dips?|drops?|dropped|falls?|fell|rises?|spike|crosses|"
    "fees?|slippage|commission|suggest|suggested|recommend|example|try|could|should|want|maybe|consider|typical|common|"
    "rather|how about|at (?:the )?most|kaufe|sure|bots|backtests|simulations|candles|first|last|top|run|plan"
)
_CUE = re.compile(rf"(?<![^\W_])(?:(?P<run>{_RUN})|(?P<setting>{_SETTING}))(?![^\W_])", re.IGNORECASE)
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


def check(answer: str, known: Iterable[str | Mapping[str, Any]]) -> Receipts:
    """Look up the numbers of an answer in the user's messages (texts) and the tool calls, oldest first."""
    found = KnownNumbers(list(known)[::-1])
    claims = list(claims_in(found.without_quotes(answer)))
    missing = list(dict.fromkeys(claim.number.text for claim in claims if not found.has(claim)))
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
            kind = None if sentence.endswith((".", "!", ";")) else cues[-1].lastgroup if cues else kind


def _claims_of(sentence: str, cues: list[re.Match[str]], inherited: str | None) -> Iterator[Claim]:
    is_a_loss = _LOSS.search(sentence) is not None
    following = 0
    for number in numbers_in(sentence):
        while following < len(cues) and cues[following].start() < number.end:
            following += 1
        nearby = cues[max(0, following - 1) : following + 1]
        kind = min(nearby, key=partial(_distance, number)).lastgroup if nearby else inherited
        is_signed = number.text[0] in "+-−"
        if kind == "run" or (kind == "setting" and is_signed) or (kind is None and not number.is_plain):
            yield Claim(number, kind == "run", is_a_loss and number.text[0] != "+")


def _distance(number: WrittenNumber, cue: re.Match[str]) -> int:
    is_before = cue.end() <= number.start
    return number.start - cue.end() if is_before else _PENALTY_BEHIND * (1 + cue.start() - number.end)


class KnownNumbers:
    """The numbers of tool results and of the user's messages, without those of arguments, failures, ids and dates."""

    def __init__(self, newest_first: list[str | Mapping[str, Any]]) -> None:
        self._quotes: dict[str, None] = {}
        self._values_seen = self._text_seen = 0
        self._numbers: dict[str, list[float]] = defaultdict(list)
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
                self._numbers["amount"].extend(_derived(value))
                waiting.extend((str(inner), _kind_of(str(inner), kind), value[inner]) for inner in value)
            elif isinstance(value, list | tuple):
                waiting.extend((key, kind, inner) for inner in value)
            elif isinstance(value, str):
                if key.endswith("summary") or (kind == "name" and re.search(r"[^\W\d]{2}.*\d", value)):
                    self._quotes[value] = None
                if kind not in ("none", "name"):
                    self._add_text("setting" if kind == "setting" else "percent", value)
            elif isinstance(value, int | float) and not isinstance(value, bool) and (key, value) != ("progress", 100):
                self._numbers[kind].extend([float(value)] if abs(value) < LARGEST else [])

    def _add_text(self, kind: str, text: str) -> None:
        text = text[: max(0, MOST_TEXT - self._text_seen)]
        self._text_seen += len(text)
        for number in numbers_in(mask(text)):
            self._numbers[kind].extend(value for value, _ in number.readings)


def _is_near(values: list[float], wanted: float, tolerance: float) -> bool:
    place = bisect_left(values, wanted - tolerance)
    return math.isfinite(tolerance) and place < len(values) and values[place] <= wanted + tolerance


def _kind_of(key: str, outer: str) -> str:
    match = _KEY.match(key)
    kind = (match.lastgroup if match else None) or "percent"
    return "setting" if outer == "setting" and kind not in ("none", "name") else kind


def _derived(run: dict[str, Any]) -> list[float]:
    """Return what follows from a run's own numbers: the profit in cash, and the numbers of trades won and lost."""
    try:
        metrics = run["metrics"]
        trades = metrics["total_trades"]
        won = round((metrics["win_rate"] or 0) * trades / 100)
        return [metrics["final_equity"] - run["initial_cash"], float(won), float(trades - won)]
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return []

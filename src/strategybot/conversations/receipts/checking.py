"""Receipts: whether the numbers of an answer are among those that tools found, or that the user wrote.

A number counts as found when it is a found value rounded to the digits it is written with. What is not found is not
called wrong, only unverified. Pure, and linear in the answer and in what is known.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from strategybot.conversations.receipts.numbers import Written, numbers_in, opened

MOST_UNVERIFIED = 10
LONGEST_CHECKED = 20_000
MOST_LOOKED_AT = 40_000
MOST_TEXT = 100_000
MOST_NAMES = 200
LARGEST = 1e300
_SETTINGS = re.compile(
    r"(?:.*_)?(?:strategy|before|summary|revision|backtests_left|decimals|fee_percent|slippage_percent)$"
)
_COUNTS = re.compile(r"(?:.*_)?(?:backtests|bots)$")  # settings as numbers; as lists they hold results
_NAMES = frozenset({"name", "symbol", "description"})
_NO_NUMBER = re.compile(r"(?:.*_)?(?:id|at|time|url|token|chain|address|pair|interval|mode|status|reason|source)$")
_NO_PERCENT = re.compile(
    r"(?:.*_)?(?:usd|seconds|cash|equity|trades|paid|price|balance|value|ratio|factor|quantity|pnl|holders|score|"
    r"processed|total|exit_reasons)$"
)

_RUN = (
    "(?:returns?|profits?|equity|balance) (?:rises?|rose|falls?|fell|drops?|dropped|climbs?)|"
    "return|returns|returned|earned|made|makes|won|wins|winners|winning|win rate|lost|losing|losers|drawdown|sharpe|"
    "sortino|calmar|cagr|trades|equity|pnl|results?|performed|ended|roi|bought|sold|turned|gave|brought|gained|gains|"
    "profits?|went|exited|closed|position is|balance|cost|reached|so far|profit factor|buy (?:and|&) hold|in fees"
)
_SETTING = (
    "stop|stops|stop[ -]loss|targets?|take[ -]profit|trail|trailing|entry|exits?|conditions?|threshold|level|cooldown|"
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
_BEHIND = 4  # a word behind a number is nearest only if it is much nearer than the one before: "a stop of 4 % cost you"


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


def check(answer: str, known: Iterable[str | Mapping[str, Any]]) -> Receipts:
    """Look up the numbers of an answer in the user's messages (texts) and the tool calls, oldest first."""
    answer = answer[:LONGEST_CHECKED]
    found = Found(list(known)[::-1])
    claims = list(claims_in(found.without_quotes(answer)))
    missing = list(dict.fromkeys(claim.number.text for claim in claims if not found.has(claim)))
    return Receipts(len(claims), missing[:MOST_UNVERIFIED], len(missing[MOST_UNVERIFIED:]))


class Claim(NamedTuple):
    number: Written
    is_about_a_run: bool  # only results may bear it out, not settings or the user's words
    is_a_loss: bool  # it may stand without its minus


def claims_in(answer: str) -> Iterator[Claim]:
    """Return the numbers to look up: all but those of settings and suggestions, by the nearest word.

    A line without a word about runs or settings goes with the line before it, unless that was a whole sentence.
    """
    kind: str | None = None
    for line in filter(str.strip, opened(answer).split("\n")):
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
        near = cues[max(0, following - 1) : following + 1]
        kind = min(near, key=partial(_distance, number)).lastgroup if near else inherited
        if (kind == "setting" and number.text[0] not in "+-−") or (kind is None and number.is_plain):
            continue
        yield Claim(number, kind == "run", is_a_loss and number.text[0] != "+")


def _distance(number: Written, cue: re.Match[str]) -> int:
    is_before = cue.end() <= number.start
    return number.start - cue.end() if is_before else _BEHIND * (1 + cue.start() - number.end)


class Found:
    """The numbers that tools found and the user wrote. Arguments and failures of tools, ids and dates do not count."""

    def __init__(self, newest_first: list[str | Mapping[str, Any]]) -> None:
        self._quotes: dict[str, None] = {}
        self._looked_at = self._text = 0
        numbers: dict[str, set[float]] = {"percent": set(), "amount": set(), "setting": set(), "said": set()}
        for entry in newest_first:
            if isinstance(entry, str):
                numbers["said"].update(self._numbers_of(entry))
            elif isinstance(entry["result"], dict) and set(entry["result"]) == {"error"}:
                self._quotes[str(entry["result"]["error"])] = None
            else:
                for kind, value in self._leaves(entry["result"]):
                    numbers[kind].add(value)
        self._signed = {kind: sorted(values) for kind, values in numbers.items()}
        self._sizes = {kind: sorted(map(abs, values)) for kind, values in self._signed.items()}

    def has(self, claim: Claim) -> bool:
        number = claim.number
        kinds = ["percent", *([] if number.is_percent else ["amount"])]
        kinds += [] if claim.is_about_a_run else ["setting", "said"]
        values = self._sizes if claim.is_a_loss else self._signed
        return any(
            _is_near(values[kind], abs(value) if claim.is_a_loss else value, tolerance)
            for value, tolerance in number.readings
            for kind in kinds
        )

    def without_quotes(self, answer: str) -> str:
        """Return the answer without the digits of names, failures and strategies in words that it quotes whole."""
        for quote in sorted(list(self._quotes)[:MOST_NAMES], key=len, reverse=True):
            if quote in answer:
                answer = answer.replace(quote, re.sub(r"\d", "_", quote))
        return answer

    def _leaves(self, result: Any) -> Iterator[tuple[str, float]]:
        """Walk without recursion: results may be nested deeply."""
        waiting: list[tuple[str, Any, bool]] = [("", result, False)]
        while waiting and self._looked_at < MOST_LOOKED_AT:
            key, value, is_setting = waiting.pop()
            self._looked_at += 1
            is_setting = is_setting or _SETTINGS.match(key) is not None
            if isinstance(value, dict):
                yield from (("amount", number) for number in _derived(value))
                waiting.extend((str(inner), value[inner], is_setting) for inner in value)
            elif isinstance(value, list | tuple):
                waiting.extend((key, inner, is_setting) for inner in value)
            elif key in _NAMES:
                self._quotes.update({value: None} if re.search(r"[^\W\d]{2}.*\d", str(value)) else {})
            elif isinstance(value, bool) or value is None or _NO_NUMBER.match(key) or (key, value) == ("progress", 100):
                continue
            elif isinstance(value, str):
                self._quotes.update({value: None} if key.endswith("summary") else {})
                yield from (("setting" if is_setting else "percent", number) for number in self._numbers_of(value))
            elif isinstance(value, int | float) and abs(value) < LARGEST:
                is_setting = is_setting or _COUNTS.match(key) is not None
                yield "setting" if is_setting else "amount" if _NO_PERCENT.match(key) else "percent", float(value)

    def _numbers_of(self, text: str) -> Iterator[float]:
        text = text[: max(0, MOST_TEXT - self._text)]
        self._text += len(text)
        for number in numbers_in(opened(text)):
            yield from (value for value, _ in number.readings)


def _is_near(values: list[float], wanted: float, tolerance: float) -> bool:
    place = bisect_left(values, wanted - tolerance)
    return math.isfinite(tolerance) and place < len(values) and values[place] <= wanted + tolerance


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

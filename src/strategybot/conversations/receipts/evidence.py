"""What may bear out the numbers of an answer: what tools found here, and, for settings, what the user wrote.

Only results count: not what a tool was asked, nor what it said when it failed. Of results only the numbers count, and
those in sentences: no digits of names, addresses, ids and dates. Newest first, as far as there is room.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from strategybot.conversations.receipts.claim_words import Said, said_in
from strategybot.conversations.receipts.claims import Basis, Claim
from strategybot.conversations.receipts.written_numbers import numbers_in, opened

MOST_LOOKED_AT = 40_000
MOST_TEXT = 100_000
MOST_SAID = 40_000
MOST_NAMES = 200
SHORTEST_NAME = 3
_SETTINGS = frozenset(
    {"strategy", "previous_strategy", "before", "summary", "before_summary", "revision", "backtests", "backtests_left"}
    | {"total_bots", "check_interval", "decimals", "strategy_revision", "fee_percent", "slippage_percent"}
)
_NAMES = frozenset({"name", "symbol", "description"})
_NO_NUMBERS = frozenset(
    {"id", "address", "token", "chain", "time", "pair", "kline_interval", "mode", "status", "stop_reason", "logo_url"}
    | {"data_source"}
)
_NO_NUMBERS_ENDING = ("_id", "_at", "_time", "_url")
_NO_PERCENT = frozenset({"quantity", "value", "pnl", "unrealized_pnl", "holders", "exit_reasons", "candles_processed"})
_NO_PERCENT |= {"candles_total", "risk_score"}
_NO_PERCENT_ENDING = (
    "_usd", "_seconds", "_cash", "_equity", "_trades", "_paid", "_price", "_balance", "_value", "_ratio", "_factor",
)  # fmt: skip


class Values:
    """Numbers that can be asked for what lies near."""

    def __init__(self, numbers: Iterable[float]) -> None:
        self._sorted = sorted({number for number in numbers if math.isfinite(number)})
        self._sizes = sorted({abs(number) for number in self._sorted})

    def has(self, value: float, tolerance: float, either_sign: bool) -> bool:
        values, wanted = (self._sizes, abs(value)) if either_sign else (self._sorted, value)
        if not math.isfinite(tolerance):
            return False
        place = bisect_left(values, wanted - tolerance)
        return place < len(values) and values[place] <= wanted + tolerance


@dataclass
class _Collected:
    shares: set[float] = field(default_factory=set)
    amounts: set[float] = field(default_factory=set)
    settings: set[float] = field(default_factory=set)
    texts: list[str] = field(default_factory=list)
    texts_of_settings: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    looked_at: int = 0
    text: int = 0

    @property
    def is_full(self) -> bool:
        return self.looked_at >= MOST_LOOKED_AT or self.text >= MOST_TEXT


class Evidence:
    def __init__(self, known: Iterable[str | Mapping[str, Any]]) -> None:
        """`known`: the user's messages as texts, and the tool calls `{name, arguments, result}`; oldest first."""
        newest = list(known)[::-1]
        found = _Collected()
        self.quotes: list[str] = []
        for entry in newest:
            if isinstance(entry, str):
                continue
            if (reason := _failure(entry["result"])) is not None:
                self.quotes.append(reason)
            elif not found.is_full:
                _collect(entry["result"], found)
        said = [entry for entry in newest if isinstance(entry, str)]
        self._shares = Values([*found.shares, *_numbers_of(found.texts, MOST_TEXT)])
        self._amounts = Values(found.amounts)
        self._settings = Values([*found.settings, *_numbers_of(found.texts_of_settings, MOST_TEXT)])
        self._said = Values(_numbers_of(said, MOST_SAID))
        self.quotes = [*self.quotes[:MOST_NAMES], *sorted(found.names, key=len, reverse=True)[:MOST_NAMES]]

    def bears_out(self, claim: Claim) -> bool:
        return any(
            values.has(value, tolerance, claim.either_sign)
            for value, tolerance in claim.number.readings
            for values in self._bases(claim)
        )

    def _bases(self, claim: Claim) -> Iterator[Values]:
        yield self._shares
        if not claim.number.is_percent and not claim.number.is_multiple:
            yield self._amounts
        if claim.basis is not Basis.OUTCOMES:
            yield self._settings
        if claim.basis is Basis.ANYTHING:
            yield self._said


def _failure(result: Any) -> str | None:
    return str(result["error"]) if isinstance(result, dict) and set(result) == {"error"} else None


def _collect(result: Any, into: _Collected) -> None:
    """Without recursion: what is nested deeply is only looked at later."""
    waiting: list[tuple[str, Any, bool]] = [("", result, False)]
    while waiting and not into.is_full:
        key, value, is_setting = waiting.pop()
        into.looked_at += 1
        is_setting = is_setting or key in _SETTINGS
        if isinstance(value, dict):
            into.amounts.update(_derived(value))
            waiting.extend((str(inner), value[inner], is_setting) for inner in value)
        elif isinstance(value, list | tuple):
            waiting.extend((key, inner, is_setting) for inner in value)
        elif isinstance(value, str):
            _collect_text(key, value, is_setting, into)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            _collect_number(key, value, is_setting, into)


def _collect_number(key: str, value: float, is_setting: bool, into: _Collected) -> None:
    if _names_no_number(key) or (key == "progress" and value >= 100):
        return
    pool = into.settings if is_setting else into.amounts if _is_no_percent(key) else into.shares
    pool.add(_as_float(value))


def _collect_text(key: str, text: str, is_setting: bool, into: _Collected) -> None:
    if key in _NAMES:
        into.names.update([text] if _is_telling(text) else [])
    elif not _names_no_number(key):
        into.text += len(text)
        (into.texts_of_settings if is_setting else into.texts).append(text)


def _is_telling(name: str) -> bool:
    """Whether the digits of the name are no claim where it is quoted; one that is a number or a claim hides nothing."""
    has_digits, has_letters = any(map(str.isdigit, name)), any(map(str.isalpha, name))
    return len(name) >= SHORTEST_NAME and has_digits and has_letters and not said_in(name) & (Said.RUN | Said.PAST)


def _names_no_number(key: str) -> bool:
    return key in _NO_NUMBERS or key.endswith(_NO_NUMBERS_ENDING)


def _is_no_percent(key: str) -> bool:
    return key in _NO_PERCENT or key.endswith(_NO_PERCENT_ENDING)


def _numbers_of(texts: Iterable[str], longest: int) -> Iterator[float]:
    for number in numbers_in(opened("\n".join(texts)[:longest])):
        yield from (value for value, _ in number.readings)


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


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

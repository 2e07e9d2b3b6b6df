"""Words, phrases and frames that follow from the table of series."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_origin

from pydantic import BaseModel

from strategybot.conversations.offline.lexicon import Phrase, said
from strategybot.conversations.offline.patterns import Frame

COMMON = frozenset({"series", "interval", "offset", "times", "plus"})
SeriesTable = Mapping[str, type[BaseModel]]
OPERATORS = {
    "UP": "crosses_above", "DOWN": "crosses_below", "ISUP": "above", "ISDOWN": "below",
    "ABOVE": "above", "BELOW": "below",
}  # fmt: skip


EXTREMES = {"highest": "HIGH", "lowest": "LOW"}


@dataclass(frozen=True)
class SeriesWords:
    """The table of series, and how each is said."""

    table: SeriesTable
    words: Mapping[str, str]

    def names(self, series: str) -> list[str]:
        """Return the phrases for a series; without an entry it is known by its own name."""
        if series in self.words:
            return [phrase.strip() for phrase in self.words[series].split(",")]
        phrases = said("series").get(series, (tuple(series.split("_")),))
        return [" ".join(phrase) for phrase in phrases]

    def numbers(self, series: str) -> list[str]:
        """Return the parameters that are numbers, in the order of the table."""
        fields = self.table[series].model_fields.items()
        return [name for name, field in fields if name not in COMMON and get_origin(field.annotation) is not Literal]

    def choices(self) -> Iterator[tuple[str, dict[str, Any], tuple[Phrase, ...]]]:
        """Return each choice of a parameter that has words of its own: its label, what it fixes, and its words."""
        for key, phrases in said("choice").items():
            series, parameter, choice = key.split()
            if series in self.table:
                yield f"SERIES_{series}_{choice}", {"series": series, parameter: choice}, phrases


def series_words(series: SeriesWords) -> Iterator[tuple[str, Phrase]]:
    for name in series.table:
        yield from ((f"SERIES_{name}", tuple(phrase.split())) for phrase in series.names(name))
    for label, _, phrases in series.choices():
        yield from ((label, phrase) for phrase in phrases)


def series_phrases(series: SeriesWords) -> Iterator[tuple[str, Frame]]:
    """An operand: a series with its parameters in the order of the table, and its candles."""
    for name in series.table:
        yield from _operands(f"SERIES_{name}", {"series": name}, series.numbers(name))
    for label, fixed, _ in series.choices():
        yield from _operands(label, fixed, series.numbers(fixed["series"]))
    for name, label in EXTREMES.items():  # “the 20 candle high”
        if name in series.table:
            yield f"[new] period:INT PERIODWORD {label}", Frame("OPERAND", {"series": name}, 0.0)


def _operands(label: str, fixed: dict[str, Any], numbers: list[str]) -> Iterator[tuple[str, Frame]]:
    frame = Frame("OPERAND", fixed, 0.0)
    candles = "[on interval:INTERVAL [CANDLES]]"
    behind = ""
    for name in reversed(numbers):
        behind = f"[{name}:INT {behind}]"
    yield f"[interval:INTERVAL] {label} {behind} {candles}", frame
    if numbers:
        yield f"[interval:INTERVAL] {numbers[0]}:INT [PERIODWORD] {label} {candles}", frame
        yield f"{label} (of | over | with) [(LAST | PERIODWORD)] {numbers[0]}:INT [PERIODWORD] {candles}", frame


def series_frames() -> Iterator[tuple[str, Frame]]:
    within = "[(in | within | during) [LAST] within:INT CANDLES]"
    for label, operator in OPERATORS.items():
        fixed: dict[str, Any] = {"kind": "compare", "operator": operator}
        candles = "[on candles:INTERVAL CANDLES]"
        yield f"[when:WHEN] left:OPERAND {label} right:SIGNED {candles} {within}", Frame("condition", fixed)
        yield f"[when:WHEN] left:OPERAND {label} [times:MULT] right:OPERAND {within}", Frame("condition", fixed)
        yield f"[when:WHEN] {label} [times:MULT] right:OPERAND {within}", Frame("condition", fixed, 1.1)
        if label not in ("ABOVE", "BELOW"):
            yield f"[when:WHEN] it {label}", Frame("condition", fixed, 1.3)
    for label, operator, sign in (("BELOW", "below", -1), ("ABOVE", "above", 1)):
        fixed = {"kind": "compare", "operator": operator, "sign": sign}
        yield f"[when:WHEN] [(BE | CROSS)] percent:LOSSPERCENT {label} right:OPERAND", Frame("condition", fixed)
    for label, operator in (("UPWARDS", "crosses_above"), ("DOWNWARDS", "crosses_below")):
        fixed = {"kind": "compare", "operator": operator}
        yield f"[when:WHEN] left:OPERAND CROSS right:OPERAND {label}", Frame("condition", fixed)
    for word, side in (("positive", "above"), ("negative", "below")):
        state: dict[str, Any] = {"kind": "compare", "operator": side, "right": 0.0}
        turning = {**state, "operator": f"crosses_{side}"}
        yield f"[when:WHEN] left:OPERAND BE {word}", Frame("condition", state)
        yield f"[when:WHEN] left:OPERAND (turns | goes | gets | becomes | turning) {word}", Frame("condition", turning)
    yield "[when:WHEN] (BREAK | BREAKOUT) right:OPERAND", Frame("condition", {"kind": "compare", "operator": "break"})
    yield "[when:WHEN] TOUCH right:OPERAND", Frame("condition", {"kind": "compare", "operator": "touch"})

"""Read the tables of words (`words.txt`) and patterns (`frames.txt`), and derive the patterns of each series."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from strategybot.conversations.offline.matcher import Frame
from strategybot.conversations.offline.text import UNIT_WORDS
from strategybot.trading.language.series import SERIES

Phrase = tuple[str, ...]
Pattern = tuple[str, Frame]
SeriesTable = Mapping[str, type[BaseModel]]
EMPTY = ("real", "remark", "QUIET", "POLITE", "HELLO", "THANKS")  # kinds of entries whose words no order needs
COMMON = frozenset({"series", "interval", "offset", "times", "plus"})  # fields of every series
PLAIN = frozenset({"open", "high", "low", "close", "volume", "change"})  # their words say other parts already
ENDINGS = {  # what stands beside the name of a series, by the field that is meant
    "level": ("", "threshold", "level", "levels", "limit", "condition", "filter", "rule", "value", "part"),
    "exit": ("exit", "exit level", "exit rule", "exit condition", "sell level", "sell", "sell condition", "sell rule"),
    "period": ("period", "length", "lookback", "window", "periods"),
    "deviations": ("deviations", "deviation", "standard deviations", "number of deviations"),
}
WORD = re.compile(r"-?[\w.]+")
NUMBER = re.compile(r"true|-?[0-9]")
WITH_VALUES = ("values", "choices", "series")  # kinds of entries with one list of phrases for each value
VALUED = ("set", "states")  # a condition is read as one before its number is read as a part


def _lines(name: str) -> Iterator[str]:
    text = files("strategybot.conversations.offline").joinpath(name).read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("# "))


_SAID = (line.replace("\\n", "\n").partition(": ") for line in _lines("sentences.txt"))
SENTENCES = {name: text for name, _, text in _SAID}


@cache
def words() -> Mapping[str, Mapping[str, tuple[Phrase, ...]]]:
    """Return the phrases of `words.txt` by kind and by what stands behind it: `words()["series"]["rsi"]`."""
    found: dict[str, dict[str, tuple[Phrase, ...]]] = defaultdict(dict)
    for line in _lines("words.txt"):
        key, text = line.split(": ", maxsplit=1)
        kind, _, head = key.partition(" ")
        for entry in text.split("; ") if kind in WITH_VALUES else [f" = {text}"]:
            value, _, phrases = entry.partition(" = ")
            found[kind][f"{head} {value}".strip()] = _phrases(phrases)
    return found


@cache
def words_in(*kinds: str) -> frozenset[str]:
    """Return the single words of entries such as `harmless`, `remark` or `SET`."""
    return frozenset(word for kind in kinds for said in words()[kind].values() for phrase in said for word in phrase)


def _phrases(text: str) -> tuple[Phrase, ...]:
    return tuple(tuple(phrase.split()) for phrase in text.split(", "))


def _both_ways(names: Iterable[Phrase], others: Iterable[str]) -> tuple[Phrase, ...]:
    """Return each name with each other word behind it and before it: “RSI level” and “a 21 period RSI”."""
    pairs = ((name, tuple(other.replace("_", " ").split())) for name in names for other in others)
    return tuple(phrase for name, other in pairs for phrase in ((*name, *other), (*other, *name)))


@dataclass(frozen=True, slots=True)
class Part:
    """A number of the strategy that can be talked about. `slot` is the type of token that can be its value."""

    key: str
    slot: str  # LOSS, GAIN, SHARE, DUR, MULT, NUM or INT
    said: str
    kind: str = ""  # of the condition that holds it; empty for a setting
    field: str = ""
    is_exit: bool = False
    series: str = ""  # of a comparison
    phrases: tuple[Phrase, ...] = ()

    @property
    def label(self) -> str:
        return f"{'C' if self.kind else ''}PART_{self.slot}"

    @property
    def is_parameter(self) -> bool:
        """Return whether it is a number inside a series, such as the period of an average."""
        return self.kind == "compare" and self.field != "right"


@dataclass(frozen=True)
class SeriesWords:
    table: SeriesTable
    words: Mapping[str, str]

    def names(self, series: str) -> tuple[Phrase, ...]:
        """Return the phrases for a series; without an entry it is known by its own name."""
        said = self.words.get(series)
        return _phrases(said) if said else words()["series"].get(series, (tuple(series.split("_")),))

    def numbers(self, series: str) -> list[str]:
        fields = self.table[series].model_fields.items()
        return [name for name, field in fields if name not in COMMON and get_origin(field.annotation) is not Literal]

    def labels(self) -> Iterator[tuple[str, dict[str, Any], tuple[Phrase, ...]]]:
        """Return each series, choice and line (such as the upper band): its label, what it fixes, and its words."""
        for name, series in self.table.items():
            yield f"SERIES_{name}", {"series": name}, self.names(name)
            field = series.model_fields.get("line")
            lines = [line for line in get_args(field.annotation) if line != field.default] if field else []
            for line in lines:  # the default is meant by the name of the series alone
                yield f"SERIES_{name}_{line}", {"series": name, "line": line}, _both_ways(self.names(name), [line])
        for key, phrases in words()["choices"].items():
            name, parameter, choice = key.split()
            if name in self.table:
                yield f"SERIES_{name}_{choice}", {"series": name, parameter: choice}, phrases

    def parts(self) -> Iterator[Part]:
        """Return the parts of the table, and for each series the number it is compared with and its parameters."""
        for key, phrases in words()["part"].items():
            head, called, *held = key.split(" | ")
            slot, name = head.split()
            kind, field, *side = held[0].split() if held else ("", "")
            yield Part(name, slot, called, kind, field, bool(side), phrases=phrases)
        for series in (name for name in self.table if name not in PLAIN):
            names = self.names(series)
            for called in ("level", "exit", *self.numbers(series)):
                is_level, is_exit = called in ("level", "exit"), called == "exit"
                key, field = series if called == "level" else f"{series}.{called}", "right" if is_level else called
                phrases = _both_ways(names, ENDINGS.get(called, (called, f"{called} period")))
                yield Part(key, "NUM", f"the {' '.join(names[0])} {called}", "compare", field, is_exit, series, phrases)

    def operands(self) -> Iterator[Pattern]:
        """Return the patterns of an operand: a series with its parameters, in the order of the table, and candles."""
        candles = "[on interval:INTERVAL [CANDLES]]"
        for label, fixed, _ in self.labels():
            frame, numbers, behind = Frame("OPERAND", fixed, 0.0), self.numbers(fixed["series"]), ""
            for name in reversed(numbers):
                slot = "NUM" if self.table[fixed["series"]].model_fields[name].annotation is float else "INT"
                behind = f"[{name}:{slot} {behind}]"
            yield f"[interval:INTERVAL] {label} {behind} {candles}", frame
            if "deviations" in numbers:
                deviations = "deviations:NUM [standard] (deviations | deviation)"
                yield f"{label} [[with] [PERIODWORD] period:INT [PERIODWORD] [and]] [with] {deviations}", frame
            if numbers:
                yield f"[interval:INTERVAL] {numbers[0]}:INT [PERIODWORD] {label} {candles}", frame
                spans = f"span:DUR {label} | {label} (of | over) [LAST] span:DUR"  # “the 200 day average”
                yield spans, replace(frame, cost=0.05)
                yield f"{label} (of | over | with) [(LAST | PERIODWORD)] {numbers[0]}:INT [PERIODWORD] {candles}", frame


def frames(parts: Sequence[Part]) -> Iterator[Pattern]:
    """Return each pattern with its frame, spread over the parts."""
    labels = sorted({(part.label, part.slot, "condition" if part.kind else "setting") for part in parts})
    for line in _frame_lines():
        head, _, pattern = line.partition(" = ")
        spread, _, only = head.partition(" ")[0].partition(":")  # “part:NUM set …” is for parts of this slot alone
        for label, slot, kind in labels if spread == "part" else [("", "", "")]:
            if only in ("", slot, kind):
                frame = _frame((head.partition(" ")[2] if spread == "part" else head).replace("#", slot))
                cost = frame.cost + (0.05 if kind == "condition" and frame.name in VALUED else 0.0)
                yield pattern.replace(":@", f":{label}").replace("#", slot), replace(frame, cost=cost)


@cache
def vocabulary() -> Mapping[str, int]:
    """Return how often each word is in the tables, except those that no order needs."""
    tables = [phrases for kind, said in words().items() if kind not in EMPTY for phrases in said.values()]
    tables += [said for _, _, said in SeriesWords(SERIES, {}).labels()]
    patterns = re.findall(r"[^\s\[\](){}|]+", " ".join(line.partition(" = ")[2] for line in _frame_lines()))
    found = chain((word for phrases in tables for phrase in phrases for word in phrase), patterns, sorted(UNIT_WORDS))
    return Counter(word for word in found if word.isalpha() and word.islower() and len(word) > 1)


def _frame_lines() -> Iterator[str]:
    """Return the frames of concepts and of `frames.txt`, those that begin with `both` a second time with opposites."""
    heads = [(kind, head) for kind, said in words().items() if kind.isupper() for head in said if head]
    yield from (head if " = " in head else f"{head} = {kind}" for kind, head in heads)
    opposites = {one: other for pair in words()["opposites"][""] for one, other in (pair, pair[::-1])}
    for line in _lines("frames.txt"):
        plain = line.removeprefix("both ")
        yield plain
        if plain != line:
            yield WORD.sub(lambda match: opposites.get(match[0], match[0]), plain)


def _frame(head: str) -> Frame:
    """Return the frame of a line: its name, fixed values and cost. A name in capitals is a phrase and costs nothing."""
    name, _, rest = head.partition(" ")
    if rest.startswith("{"):
        fixed: dict[str, Any] = json.loads(rest)
    else:
        pairs = (pair.split("=") for pair in rest.split())
        fixed = {key: json.loads(text) if NUMBER.match(text) else text for key, text in pairs}
    cost = fixed.pop("cost", 0.0 if name.isupper() else 1.0)
    return Frame(name, fixed, cost)

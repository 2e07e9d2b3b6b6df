"""Read the tables of words (`words.txt`) and patterns (`frames.txt`), and derive the patterns of each series."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from strategybot.conversations.offline.matcher import Frame
from strategybot.conversations.offline.text import UNIT_WORDS
from strategybot.trading.language.series import SERIES

Phrase = tuple[str, ...]
Pattern = tuple[str, Frame]
SeriesTable = Mapping[str, type[BaseModel]]
COMMON = frozenset({"series", "interval", "offset", "times", "plus"})  # fields of every series
PLAIN = frozenset({"open", "high", "low", "close", "volume", "change"})  # their words say other parts already
LEVEL_ENDINGS = ("", "threshold", "level", "levels", "thresholds", "limit", "condition", "filter", "rule", "value")
PERIOD_ENDINGS = ("period", "length", "lookback", "window", "periods")
WORD = re.compile(r"-?[\w.]+")
NUMBER = re.compile(r"true|-?[0-9]")
EMPTY = ("harmless", "phrases", "polite", "remark", "real", "HELLO", "THANKS")  # entries whose words say nothing
VALUED = ("set", "states")  # a condition is read as one before its number is read as a part


def _lines(name: str) -> Iterator[str]:
    text = files("strategybot.conversations.offline").joinpath(name).read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("# "))


def sentences() -> dict[str, str]:
    entries = (line.replace("\\n", "\n").partition(": ") for line in _lines("sentences.txt"))
    return {name: text for name, _, text in entries}


SENTENCES = sentences()


@cache
def words() -> dict[str, tuple[Phrase, ...]]:
    entries = (entry for line in _lines("words.txt") for entry in _entries(*line.split(": ", maxsplit=1)))
    return {key: tuple(tuple(phrase.split()) for phrase in text.split(", ")) for key, text in entries}


def _entries(key: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the entry of a line; a line of series, values or choices has one for each of them."""
    kinds = {"values": "value", "choices": "choice", "series": "series"}
    kind, _, head = key.partition(" ")
    if kind not in kinds:
        yield key, text
        return
    labels = [f"{label} " for label in head.split()] if kind == "values" else [f"{head} ".lstrip()]
    for value, phrases in (each.split(" = ", maxsplit=1) for each in text.split("; ")):
        yield from ((f"{kinds[kind]} {label}{value}", phrases) for label in labels)


@cache
def single_words(key: str) -> frozenset[str]:
    """Return the words of an entry without phrases: `harmless`, `remark` or `question`."""
    return frozenset(word for phrase in words()[key] for word in (*phrase, *((",",) if key == "harmless" else ())))


def words_of(prefix: str) -> dict[str, tuple[Phrase, ...]]:
    """Return the entries of one kind, such as `part`, by what stands behind the prefix."""
    return {key.removeprefix(f"{prefix} "): phrases for key, phrases in words().items() if key.startswith(f"{prefix} ")}


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

    def names(self, series: str) -> list[str]:
        """Return the phrases for a series; without an entry it is known by its own name."""
        if series in self.words:
            return [phrase.strip() for phrase in self.words[series].split(",")]
        return [" ".join(phrase) for phrase in words_of("series").get(series, (series.split("_"),))]

    def numbers(self, series: str) -> list[str]:
        fields = self.table[series].model_fields.items()
        return [name for name, field in fields if name not in COMMON and get_origin(field.annotation) is not Literal]

    def labels(self) -> Iterator[tuple[str, dict[str, Any], tuple[Phrase, ...]]]:
        """Return each series and each choice with words of its own: its label, what it fixes, and its words."""
        for name in self.table:
            yield f"SERIES_{name}", {"series": name}, tuple(tuple(phrase.split()) for phrase in self.names(name))
        for key, phrases in words_of("choice").items():
            name, parameter, choice = key.split()
            if name in self.table:
                yield f"SERIES_{name}_{choice}", {"series": name, parameter: choice}, phrases
        for series in self.table:
            for line in self.lines(series):
                pairs = [pair for each in self.names(series) for pair in ((line, each), (each, line))]
                derived = tuple(tuple(" ".join(pair).replace("_", " ").split()) for pair in pairs)
                yield f"SERIES_{series}_{line}", {"series": series, "line": line}, derived

    def lines(self, series: str) -> list[str]:
        """Return the lines of a series, such as the upper band, without the one that is meant by its name alone."""
        field = self.table[series].model_fields.get("line")
        return [line for line in get_args(field.annotation) if line != field.default] if field else []

    def parts(self) -> Iterator[Part]:
        """Return the parts of the table, and for each series the number it is compared with and its parameters."""
        for key, phrases in words_of("part").items():
            head, called, *held = key.split(" | ")
            slot, name = head.split()
            kind, field, *side = held[0].split() if held else ("", "")
            yield Part(name, slot, called, kind, field, bool(side), phrases=phrases)
        for series in [name for name in self.table if name not in PLAIN]:
            names = self.names(series)
            for field in ("right", *self.numbers(series)):
                is_level, plain = field == "right", field.replace("_", " ")
                named = PERIOD_ENDINGS if field == "period" else (plain, f"{plain} period")
                endings: Sequence[str] = LEVEL_ENDINGS if is_level else named
                pairs = [pair for name in names for ending in endings for pair in ((name, ending), (ending, name))]
                said_as = [(*first.split(), *second.split()) for first, second in pairs]  # also “a 21 period RSI”
                key, called = (series, "level") if is_level else (f"{series}.{field}", field)
                yield Part(key, "NUM", f"the {names[0]} {called}", "compare", field, False, series, tuple(said_as))

    def operands(self) -> Iterator[Pattern]:
        """Return the patterns of an operand: a series with its parameters, in the order of the table, and candles."""
        candles = "[on interval:INTERVAL [CANDLES]]"
        for label, fixed, _ in self.labels():
            frame, numbers, behind = Frame("OPERAND", fixed, 0.0), self.numbers(fixed["series"]), ""
            for name in reversed(numbers):
                slot = "NUM" if self.table[fixed["series"]].model_fields[name].annotation is float else "INT"
                behind = f"[{name}:{slot} {behind}]"
            yield f"[interval:INTERVAL] {label} {behind} {candles}", frame
            if numbers:
                yield f"[interval:INTERVAL] {numbers[0]}:INT [PERIODWORD] {label} {candles}", frame
                spans = f"span:DUR {label} | {label} (of | over) [LAST] span:DUR"  # “the 200 day average”
                yield spans, replace(frame, cost=0.05)
                yield f"{label} (of | over | with) [(LAST | PERIODWORD)] {numbers[0]}:INT [PERIODWORD] {candles}", frame


def frames(parts: Sequence[Part]) -> Iterator[Pattern]:
    """Return each pattern with its frame: those of single concepts, and `frames.txt` spread over the parts."""
    for concept, _, head in (key.partition(" ") for key in words()):
        if head and concept.isupper():
            yield concept, _frame(head)
    labels = sorted({(part.label, part.slot) for part in parts})
    for line in _frame_lines():
        head, _, pattern = line.partition(" = ")
        name, _, rest = head.partition(" ")
        spread = {"part": labels, "slot": sorted({("", slot) for _, slot in labels})}.get(name, [("", "")])
        for label, slot in spread:
            frame = _frame((rest if name in ("part", "slot") else head).replace("#", slot))
            kind = "condition" if label.startswith("C") else "setting"
            fixed = {key: value for key, value in frame.fixed.items() if key != "only"}
            cost = frame.cost + (0.05 if kind == "condition" and frame.name in VALUED else 0.0)
            if frame.fixed.get("only", slot) in (slot, kind):
                yield pattern.replace(":@", f":{label}").replace("#", slot), Frame(frame.name, fixed, cost)


@cache
def vocabulary() -> Mapping[str, int]:
    """Return how often each word is in the tables, except the ordinary words that no order needs."""
    phrases = [phrase for key, said in words().items() for phrase in said if key not in ("real", "opposites")]
    patterns = re.findall(r"[^\s\[\](){}|]+", " ".join(line.partition(" = ")[2] for line in _frame_lines()))
    phrases += [phrase for _, _, said in SeriesWords(SERIES, {}).labels() for phrase in said]
    found = [*(word for phrase in phrases for word in phrase), *patterns, *UNIT_WORDS]
    return Counter(word for word in found if word.isalpha() and word.islower() and len(word) > 1)


@cache
def quiet_words() -> frozenset[str]:
    """Return the words that say nothing by themselves: harmless ones, and those of polite or empty phrases alone."""
    entries = (phrases for key, phrases in words().items() if not key.startswith(EMPTY))
    said_by = {word for phrases in entries for phrase in phrases for word in phrase}
    return single_words("harmless") | (vocabulary().keys() - said_by - UNIT_WORDS)


def _frame_lines() -> Iterator[str]:
    """Return the lines of `frames.txt`, and those that begin with `both` a second time with their opposites."""
    opposites = {one: other for pair in words()["opposites"] for one, other in (pair, pair[::-1])}
    for line in _lines("frames.txt"):
        plain = line.removeprefix("both ")
        yield plain
        if plain != line:
            yield WORD.sub(lambda match: opposites.get(match[0], match[0]), plain)


def _frame(head: str) -> Frame:
    """Return the frame of a line: its name, fixed values and cost. A name in capitals is a phrase and costs nothing."""
    name, _, rest = head.partition(" ")
    pairs = (pair.split("=") for pair in rest.split() if not rest.startswith("{"))
    said = {key: json.loads(text) if NUMBER.match(text) else text for key, text in pairs}
    fixed: dict[str, Any] = json.loads(rest) if rest.startswith("{") else said
    cost = fixed.pop("cost", 0.0 if name.isupper() else 1.0)
    return Frame(name, fixed, cost)

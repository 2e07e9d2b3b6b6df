"""The tables of words (`words.txt`) and patterns (`frames.txt`), read once.

A word may say several concepts. A word that is in no frame and not harmless makes the model ask before it acts.
"""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from strategybot.conversations.offline.patterns import Frame

Phrase = tuple[str, ...]


def _lines(name: str) -> Iterator[str]:
    text = files("strategybot.conversations.offline").joinpath(name).read_text("utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("# "))


@cache
def words() -> dict[str, tuple[Phrase, ...]]:
    """Return the phrases of each entry of `words.txt`, by its key."""
    table = {}
    for line in _lines("words.txt"):
        key, _, text = line.partition(": ")
        table[key] = tuple(tuple(phrase.split()) for phrase in text.split(", "))
    return table


@cache
def single_words(key: str) -> frozenset[str]:
    """Return the words of an entry without phrases: `harmless`, `remark` or `question`."""
    return frozenset(word for phrase in words()[key] for word in (*phrase, *((",",) if key == "harmless" else ())))


def said(prefix: str) -> dict[str, tuple[Phrase, ...]]:
    """Return the entries of one kind, such as `part`, by what stands behind the prefix."""
    return {key.removeprefix(f"{prefix} "): phrases for key, phrases in words().items() if key.startswith(f"{prefix} ")}


def concepts() -> dict[str, tuple[Phrase, ...]]:
    return {key: phrases for key, phrases in words().items() if key.isupper()}


def patterns() -> Iterator[tuple[str, Frame]]:
    """Return each pattern of `frames.txt` with its frame; phrases have names in capitals and cost nothing."""
    for line in _lines("frames.txt"):
        head, _, pattern = line.partition(" = ")
        name, _, rest = head.partition(" ")
        if name == "idiom":
            yield f"[WHEN] [it] [(is | gets)] ({pattern})", Frame("idiom", json.loads(rest), 0.9)
            continue
        fixed: dict[str, Any] = dict(pair.split("=") for pair in rest.split())
        cost = float(fixed.pop("cost", 0.0 if name.isupper() else 1.0))
        yield pattern, Frame(name, {key: value == "True" or value for key, value in fixed.items()}, cost)

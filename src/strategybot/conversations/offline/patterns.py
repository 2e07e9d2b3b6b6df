"""Patterns over concepts and tokens, written as text and compiled into one tree.

A pattern is a sequence of labels: `STOP` is a concept or a typed token, `amount:PCT` the same with its value kept, and
`with` a word. `[…]` may be left out, `(a | b)` is one of them, `{a b [c]}` is all of them in any order.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

_SYMBOL = re.compile(r"[\[\](){}|]|[^\s\[\](){}|]+")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
Sequence = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What a pattern stands for: its name, the values that it always has, and what using it costs."""

    name: str
    fixed: Mapping[str, Any] = field(default_factory=dict)
    cost: float = 1.0


class Node:
    __slots__ = ("children", "ends")

    def __init__(self) -> None:
        self.children: dict[str, list[tuple[str, Node]]] = {}
        self.ends: list[Frame] = []

    def add(self, pattern: str, frame: Frame) -> None:
        items: dict[str, tuple[str, str]] = {}
        for sequence in expand(pattern):
            node = self
            for item in sequence:
                if item not in items:
                    name, _, label = item.rpartition(":")
                    items[item] = name, label
                node = node._child(*items[item])
            if sequence and frame not in node.ends:
                node.ends.append(frame)

    def _child(self, name: str, label: str) -> "Node":
        known = self.children.get(label)
        if known is None:
            known = self.children[label] = []
        for other, child in known:
            if other == name:
                return child
        known.append((name, child := Node()))
        return child


def expand(pattern: str) -> Iterator[Sequence]:
    """Return every sequence of labels that the pattern allows."""
    symbols = _SYMBOL.findall(pattern)
    sequences, end = _alternatives(symbols, 0)
    if end != len(symbols):
        raise ValueError(f"unbalanced pattern: {pattern}")
    yield from dict.fromkeys(sequences)


def _alternatives(symbols: list[str], at: int) -> tuple[list[Sequence], int]:
    found: list[Sequence] = []
    while True:
        items, at = _items(symbols, at)
        found += [tuple(label for part in parts for label in part) for parts in product(*items)]
        if at >= len(symbols) or symbols[at] != "|":
            return found, at
        at += 1


def _items(symbols: list[str], at: int) -> tuple[list[list[Sequence]], int]:
    """The items of one sequence, each as the sequences that it allows."""
    items: list[list[Sequence]] = []
    while at < len(symbols) and symbols[at] not in "])}|":
        symbol = symbols[at]
        if symbol not in _CLOSING:
            items.append([(symbol,)])
            at += 1
            continue
        if symbol == "{":
            inner, at = _items(symbols, at + 1)
            orders = [product(*order) for order in permutations(inner)]
            items.append([tuple(label for part in parts for label in part) for order in orders for parts in order])
        else:
            options, at = _alternatives(symbols, at + 1)
            items.append([*options, ()] if symbol == "[" else options)
        at += 1
    return items, at

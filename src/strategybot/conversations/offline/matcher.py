"""Patterns over concepts and tokens, and the cheapest cover of a message: fewest unread words, then fewest frames.

A pattern is a sequence of labels: `STOP` is a concept or a typed token, `amount:PCT` the same with its value kept, and
`with` a word. `[…]` may be left out, `(a | b)` is one of them, `{a b [c]}` is all of them in any order.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, permutations, product
from typing import Any, NamedTuple

from strategybot.conversations.offline.text import Token

_SYMBOL = re.compile(r"[\[\](){}|]|[^\s\[\](){}|]+")
Labels = tuple[str, ...]
NONE: dict[str, Any] = {}
UNREAD, UNREAD_NUMBER, HARMLESS = 10.0, 25.0, 0.05
OWN = ""  # the name of the value that a phrase says itself: 50 for “half”
WITHIN, PAUSE = 0.02, 0.4  # what a harmless word or a comma inside a frame costs
MOST_STATES = 3_000  # of one start: no message makes the walk long


@dataclass(frozen=True, slots=True)
class Frame:
    """What a pattern stands for: its name, the values that it always has, and what using it costs."""

    name: str
    fixed: Mapping[str, Any]
    cost: float


@dataclass(slots=True, eq=False)
class Node:
    """A tree of patterns: the labels that can follow, and the frames that end here."""

    children: dict[str, dict[str, "Node"]] = field(default_factory=dict)  # by label, then by the name of its value
    ends: list[Frame] = field(default_factory=list)

    def add(self, pattern: str, frame: Frame) -> None:
        """Add each sequence of labels that the pattern allows."""
        for sequence in _join(_alternatives(iter(_SYMBOL.findall(pattern)))):
            self.put([item.rpartition(":")[::2] for item in sequence], frame)

    def put(self, sequence: Iterable[tuple[str, str]], frame: Frame) -> None:
        """Add a sequence of labels, each with the name that keeps its value, or with no name."""
        node = self
        for name, label in sequence:
            named = node.children.setdefault(label, {})
            node = named[name] if name in named else named.setdefault(name, Node())
        if frame not in node.ends:
            node.ends.append(frame)


def _alternatives(symbols: Iterator[str]) -> list[list[list[Labels]]]:
    """Read up to the closing bracket. Return the items of each alternative, and for each item what it can be."""
    found: list[list[list[Labels]]] = [[]]
    for symbol in symbols:
        if symbol in ("]", ")", "}"):
            break
        if symbol == "|":
            found.append([])
        elif symbol in ("[", "(", "{"):
            inner = _alternatives(symbols)
            sequences = _join(permutations(inner[0]) if symbol == "{" else inner)
            found[-1].append([*sequences, ()] if symbol == "[" else sequences)
        else:
            found[-1].append([(symbol,)])
    return found


def _join(alternatives: Iterable[Sequence[list[Labels]]]) -> list[Labels]:
    return [tuple(chain(*parts)) for items in alternatives for parts in product(*items)]


class Edge(NamedTuple):
    label: str
    end: int
    value: Any
    cost: float = 0.0


Edges = Sequence[list[Edge]]  # for each token, what begins there
Gaps = Sequence[float | None]  # for each token, what passing it inside a frame costs; None: never


@dataclass(frozen=True, slots=True)
class Match:
    name: str
    values: Mapping[str, Any]
    start: int
    end: int
    cost: float


class Cover(NamedTuple):
    matches: list[Match]
    unread: list[Token]
    cost: float


def matches_from(root: Node, edges: Edges, gaps: Gaps, start: int) -> Iterator[Match]:
    """Yield every way to follow the tree from this token on."""
    stack: list[tuple[int, Node, Mapping[str, Any], float]] = [(start, root, NONE, 0.0)]
    steps = 0
    while stack and steps < MOST_STATES:
        steps += 1
        at, node, kept, cost = stack.pop()
        if at >= len(edges):
            continue
        for edge in edges[at]:
            for name, child in node.children.get(edge.label, NONE).items():
                values = {**kept, **(edge.value if name == "+" else {name: edge.value})} if name else kept
                spent = cost + edge.cost
                stack.append((edge.end, child, values, spent))
                for frame in child.ends:
                    yield Match(frame.name, {**frame.fixed, **values}, start, edge.end, spent + frame.cost)
        gap = gaps[at]
        if node is not root and gap is not None:
            stack.append((at + 1, node, kept, cost + gap))


def add_phrases(root: Node, edges: Edges, gaps: Gaps) -> None:
    """Make an edge of every phrase, so that frames can name it by its label. A phrase may have a value of its own."""
    for start in reversed(range(len(edges))):
        found = [*matches_from(root, edges, gaps, start)]
        edges[start] += [Edge(each.name, each.end, each.values.get(OWN, each.values), each.cost) for each in found]


def cover(root: Node, tokens: Sequence[Token], edges: Edges, gaps: Gaps, harmless: Sequence[bool]) -> Cover:
    size = len(tokens)
    costs: list[float] = [0.0] * (size + 1)
    choice: list[Match | None] = [None] * size
    for start in reversed(range(size)):
        unread = UNREAD_NUMBER if tokens[start].has_number else UNREAD
        costs[start] = costs[start + 1] + (HARMLESS if harmless[start] else unread)
        for match in matches_from(root, edges, gaps, start):
            total = match.cost + costs[match.end]
            if total < costs[start] - 1e-9:
                costs[start], choice[start] = total, match
    result, at = Cover([], [], costs[0]), 0
    while at < size:
        chosen = choice[at]
        if chosen:
            result.matches.append(chosen)
        elif not harmless[at]:
            result.unread.append(tokens[at])
        at = chosen.end if chosen else at + 1
    return result

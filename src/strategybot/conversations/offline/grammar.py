"""Compile the tables of words and frames, and find in a message every word and phrase that they name."""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from strategybot.conversations.offline import lexicon
from strategybot.conversations.offline.lexicon import Part, Phrase, SeriesWords
from strategybot.conversations.offline.matcher import OWN, PAUSE, WITHIN, Cover, Edge, Frame, Node, add_phrases, cover
from strategybot.conversations.offline.text import Token, slots_of
from strategybot.trading.language.strategy import Strategy

TOKENS_TOO = frozenset({"sol", "eth", "bnb"})  # of the words for chains
NO_GAP = frozenset(["to", "by", "and", "or", "then", "but", "also", "yes", ".", ";", "!", "?", "...", "->", "=>", "→"])
FILLERS = frozenset({"just", "really", "actually", "even", "ever", "please", "exactly", "/"})
BREAKS = frozenset({",", ".", "!", "?", ";", ":"})
ANSWERS = {"no": ("REMOVE",), "wait": ("WAIT", "PART_DUR")}  # what is not said before a comma: “no, the target”
NO_NAME = frozenset({"it", "is", "the", "a", "should", "to"})  # as the first word of a name


class Grammar:
    def __init__(self, series: SeriesWords, language: type[Strategy] = Strategy) -> None:
        self.language = language
        self.parts = tuple(series.parts())
        self.harmless, self.questions = lexicon.words_in("harmless"), lexicon.words_in("question")
        self._gaps = {**dict.fromkeys(self.harmless - NO_GAP, WITHIN), ",": PAUSE}  # what passing a word costs
        self._words, self._phrases, self._frames = Node(), Node(), Node()  # each names what the one before finds
        self.known = (self.harmless | self.questions | {"or"}) - TOKENS_TOO
        for phrases, label, value in self._labels(series):
            # “volume” is the multiple first, “size” the share of the cash
            is_second = isinstance(value, Part) and (value.field == "window" or value.slot == "MONEY")
            frame = Frame(label, {OWN: value}, 0.02 if is_second else 0.0)
            for phrase in phrases:
                self._words.put([("", word) for word in phrase], frame)
            self.known |= {phrase[0] for phrase in phrases if len(phrase) == 1} - TOKENS_TOO
        for pattern, frame in [*series.operands(), *lexicon.frames(self.parts)]:
            (self._phrases if frame.name.isupper() else self._frames).add(pattern, frame)
        self.read = lru_cache(maxsize=64)(self._read)  # a turn reads the same words several times

    def _labels(self, series: SeriesWords) -> Iterator[tuple[Sequence[Phrase], str, Any]]:
        """Yield the phrases of the tables, each with the label that frames use and the value that they say."""
        for kind, said in lexicon.words().items():
            for head, phrases in said.items():
                label, _, value = head.partition(" ")
                if kind.isupper():
                    yield phrases, kind, None
                elif kind == "values":
                    said_value = json.loads(value) if value[0].isdigit() and ":" not in value else value
                    yield from ((phrases, each, said_value) for each in label.split("/"))
                elif kind == "beyond":
                    yield phrases, "BEYOND", tuple(head.split(" | "))
        yield from ((phrases, label, None) for label, _, phrases in series.labels())
        yield from ((part.phrases, part.label, part) for part in self.parts)

    def _read(self, tokens: tuple[Token, ...]) -> Cover:
        edges = [[*self._token_edges(token, at), *self._name_edges(tokens, at)] for at, token in enumerate(tokens)]
        add_phrases(self._words, edges, [WITHIN if token.text in FILLERS else None for token in tokens])
        for found, pair in zip(edges, pairwise(tokens), strict=False):
            if pair[1].text == "," and pair[0].text in ANSWERS:
                found[:] = [edge for edge in found if edge.label not in ANSWERS[pair[0].text]]
        gaps = [None if token.has_number else self._gaps.get(token.text) for token in tokens]
        add_phrases(self._phrases, edges, gaps)
        return cover(self._frames, tokens, edges, gaps, self._harmless_places(tokens, edges))

    def _name_edges(self, tokens: tuple[Token, ...], at: int) -> Iterator[Edge]:
        """Yield what may be the name of a bot: one to four words, of which only the first may be in small letters."""
        first = tokens[at]
        if first.kind not in ("word", "number", "name") or first.text in NO_NAME:
            return
        is_name = first.written[0].isupper() or not (first.has_number or first.text in self.known)
        labels, name = ["NAMES", "NAMED"] if is_name or first.kind == "name" else ["NAMES"], first.written
        yield from (Edge(label, at + 1, name) for label in labels)
        for end in range(at + 1, min(at + 4, len(tokens)) if first.kind != "name" else 0):
            token = tokens[end]
            if token.kind != "number" and not (token.kind == "word" and token.written[0].isupper()):
                return
            name += " " * (tokens[end - 1].end < token.start) + token.written  # degen42
            yield from (Edge(label, end + 1, name) for label in labels)

    def _token_edges(self, token: Token, at: int) -> Iterator[Edge]:
        labels = [token.text] if token.kind in ("word", "mark", "number") or token.is_spelled else []
        is_symbol = token.kind == "word" and len(token.written) > 1 and token.written.isupper()
        if token.kind == "word":
            labels.append("ANY")
            labels += [] if token.text in self.known else ["UNKNOWN", "ANYTOKEN"]
        labels += ["SYMBOL"] if is_symbol else []
        if token.kind == "name" or (is_symbol and token.text not in self.known):
            labels += ["NAME", "ANY", "ANYTOKEN"]
        yield from (Edge(label, at + 1, token) for label in labels)
        yield from (Edge(slot, at + 1, value) for slot, value in slots_of(token))

    def _harmless_places(self, tokens: Sequence[Token], edges: Sequence[Sequence[Edge]]) -> list[bool]:
        """Return which tokens need no frame: harmless words, and the question mark that ends a polite request."""
        harmless = [token.text in self.harmless and not token.has_number for token in tokens]
        for at, token in enumerate(tokens):
            begins = not at or tokens[at - 1].text in BREAKS
            harmless[at] &= not (begins and token.text in self.questions)  # “should I …” asks, “I should …” does not
        is_polite = False
        for at, token in enumerate(tokens):
            for edge in edges[at]:
                if edge.label in ("QUIET", "POLITE"):
                    harmless[at : edge.end] = [True] * (edge.end - at)
                    is_polite |= edge.label == "POLITE"
            if token.text in ("?", ".", "!", ";"):
                harmless[at] = is_polite if token.text == "?" else harmless[at]
                is_polite = False
        return harmless

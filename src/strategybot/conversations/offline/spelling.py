"""Read a mistyped word as the nearest word of the tables, and say so."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.lexicon import EMPTY, vocabulary, words_in
from strategybot.conversations.offline.matcher import Cover
from strategybot.conversations.offline.runs import ARGUMENTS
from strategybot.conversations.offline.text import UNIT_WORDS, Token, tokens_of
from strategybot.conversations.receipts.numbers import spelled_value

SHORTEST = 3  # letters of a word that is corrected
MOST_TRIED = 12  # words for one word, and readings that are kept, for all words together
MOST_TOKENS = 60  # of a message that is corrected: each correction is tried by reading all of it
EDIT = 3.0  # what reading a word otherwise costs: a name that is no word stays a name
LONG = 7  # letters of a word that may have two mistakes
RARE = 2.0  # what a correction costs more to a word that the tables have only once
CLOSE = 3.0  # how much more another correction may cost that is asked about
ENDINGS = ("s", "es", "d", "ed", "r", "er", "ing", "n", "ly", "y")
OPEN = ("WHEN", "TO", "INTIME", "ATLEAST", "INSTEADOF")  # concepts that do not decide what is changed
DECIDING = CHANGING | ARGUMENTS | {"sell", "add_exit"}  # frames whose corrected words are shown first
FREE_NAMES = ("new_bot", "name_it", "switch", "search")  # frames with a name that no table knows
Choice = dict[int, str]  # where a word starts, and the word that it is read as


@dataclass(frozen=True)
class Spelled:
    text: str
    note: str = ""  # which word was read as which
    is_sure: bool = True
    names: tuple[str, ...] = ()  # words that can be the names of tokens, or mistyped
    others: Mapping[str, str] = field(default_factory=dict)  # by an equally near word, the message with it


def correct_spelling(text: str, grammar: Grammar, is_token: bool = True) -> Spelled:
    """Return the message with its mistyped words corrected; `is_token` says that unknown names are tokens."""
    tokens = {token.start: token for token in tokens_of(text)}
    near = _near(tokens.values()) if len(tokens) <= MOST_TOKENS else {}
    return _Message(text, grammar, tokens, near).spelled(is_token)


class _Reading(NamedTuple):
    """A message with some words read as others."""

    choice: Choice
    tokens: tuple[Token, ...]
    cover: Cover
    cost: float

    def meaning(self) -> tuple[object, ...]:
        return [(match.name, match.values) for match in self.cover.matches], [each.text for each in self.cover.unread]

    def starts(self, frames: Collection[str]) -> set[int]:
        """Return where the words of these frames start."""
        matches = [match for match in self.cover.matches if match.name in frames]
        return {token.start for match in matches for token in self.tokens[match.start : match.end]}


@dataclass(frozen=True)
class _Message:
    """A message with its tokens, and the nearest words of the tables for its mistyped words, by where these start."""

    text: str
    grammar: Grammar
    tokens: Mapping[int, Token]
    near: Mapping[int, Sequence[str]]

    def _read(self, choice: Choice) -> _Reading:
        tokens = tokens_of(self.text, choice)
        cover = self.grammar.read(tokens)
        rare = sum(RARE / vocabulary().get(word, 1) for word in choice.values())
        return _Reading(choice, tokens, cover, cover.cost + EDIT * len(choice) + rare)

    def _best(self, is_token: bool) -> _Reading:
        """Return the reading whose corrections make most of the message readable."""
        found = [self._read({})]
        for start, near in self.near.items():
            changed = [self._read({**reading.choice, start: word}) for reading in found for word in near]
            behind = next((token.written for at, token in self.tokens.items() if at > start), "")
            may_be_right = is_token and not behind[:1].isupper()  # “calld Falcon” is no name
            by_cost = sorted([*(found if may_be_right else []), *changed], key=lambda reading: reading.cost)
            found = by_cost[: MOST_TRIED // len(self.near) + 1]
        return found[0]

    def spelled(self, is_token: bool) -> Spelled:
        best = self._best(is_token)
        tried = [(word, self._read({**best.choice, start: word})) for start in best.choice for word in self.near[start]]
        near = [(word, other) for word, other in tried if other.cost <= best.cost + CLOSE]
        rivals = [(word, other) for word, other in near if other.meaning() != best.meaning()]
        said = [f"“{plain_name(self.tokens[start].written)}” as {word}" for start, word in sorted(best.choice.items())]
        others = {word: self._with(other.choice) for word, other in rivals if not other.cover.unread}
        note = f"I read {' and '.join(said)}" if said else ""
        if others:
            note += f" (or is it {' or '.join(others)}?)"
            others |= {word: self._with(best.choice) for word in best.choice.values()}
        settled = best.choice.keys() | best.starts(FREE_NAMES) | {token.start for token in best.cover.unread}
        unknown = tuple(self.tokens[start].written for start in self.near if start not in settled)
        return Spelled(self._with(best.choice), note, not rivals and not self._decides(best), unknown, others)

    def _with(self, choice: Choice) -> str:
        """Return the text with the chosen words."""
        text = self.text
        for start in sorted(choice, reverse=True):
            text = text[:start] + choice[start] + text[start + len(self.tokens[start].written) :]
        return text

    def _decides(self, best: _Reading) -> bool:
        """Return whether a correction decides what is changed or run, or is one of a name: “Anna” is not “wanna”."""
        deciding, open_words = best.starts(DECIDING), words_in("harmless", *OPEN) | UNIT_WORDS
        return any(
            self.tokens[start].written[0].isupper() or (start in deciding and word not in open_words)
            for start, word in best.choice.items()
        )


def _is_mistyped(token: Token) -> bool:
    """Return whether the token is a word in no table, and no name: only the first word begins with a capital."""
    said = token.written if token.start else token.written[1:]
    if token.kind != "word" or len(token.text) < SHORTEST or not said.islower():
        return False
    return token.text not in vocabulary() and token.text not in words_in(*EMPTY) and not spelled_value([token.text])[1]


def _near(tokens: Iterable[Token]) -> dict[int, list[str]]:
    """Return the nearest words of each mistyped word, at most one edit away, or two from seven letters on."""
    near = {}
    for token in filter(_is_mistyped, tokens):
        most = 2 if len(token.text) >= LONG else 1
        known = vocabulary().keys()
        found = process.extract(token.text, known, scorer=OSA.distance, score_cutoff=most, limit=MOST_TRIED)
        right = [(word, distance) for word, distance, _ in found if not _is_form(token.text, word)]
        if right:
            near[token.start] = [word for word, distance in right if distance == right[0][1]]
    return near


def _is_form(text: str, word: str) -> bool:
    """Return whether the text is another form of the word: “he sets” is no mistyped “set”."""
    return text.startswith(word) and text[len(word) :] in ENDINGS and text[-1] != word[-1]

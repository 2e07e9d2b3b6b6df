"""Read a mistyped word as the nearest word of the tables, and say so."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rapidfuzz import process
from rapidfuzz.distance import OSA

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.lexicon import single_words, vocabulary, words
from strategybot.conversations.offline.text import UNIT_WORDS, Token, tokens_of
from strategybot.conversations.receipts.numbers import spelled_value

SHORTEST, LONG = 3, 7  # letters of a word that is corrected, and of one that may have two mistakes
MOST_NEAR = 12
EDIT = 3.0  # what reading a word otherwise costs: a name that is no word stays a name
CLOSE = 1.0  # two readings whose costs differ by less are equally likely
ENDINGS = ("s", "es", "d", "ed", "r", "er", "ing", "n", "ly", "y")
OPEN = ("WHEN", "SET", "TO", "INTIME", "ATLEAST", "INSTEADOF")  # concepts that do not decide what is changed
Choice = dict[int, str]  # where a word starts, and the word that it is read as


@dataclass(frozen=True)
class Spelled:
    text: str
    note: str = ""  # which word was read as which
    is_sure: bool = True


@dataclass
class Speller:
    """The words of one message that no table has, each with the nearest words that one has."""

    text: str
    grammar: Grammar
    must: bool = False  # whether a word that could be a name is corrected, too
    near: dict[int, list[str]] = field(default_factory=dict)
    names: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        tokens = tokens_of(self.text)
        for token, behind in zip(tokens, (*tokens[1:], None), strict=True):
            if near := _nearest(token):
                self.near[token.start] = near
                if not self.must and not (behind and behind.written[:1].isupper()):  # “calld Falcon”
                    self.names.add(token.start)

    def spelled(self) -> Spelled:
        """Return the message with the corrections that make most of it readable."""
        choice: Choice = {start: near[0] for start, near in self.near.items()}
        for start, near in [*self.near.items()] * 2:
            options: Iterable[str | None] = [None, *near] if start in self.names else near
            choice = min((_with(choice, start, word) for word in options), key=self._cost)
        if not choice:
            return Spelled(self.text)
        text, said, at = "", [], 0
        for start, word in sorted(choice.items()):
            written = next(token.written for token in tokens_of(self.text) if token.start == start)
            text, at = f"{text}{self.text[at:start]}{word}", start + len(written)
            said.append(f"“{plain_name(written)}” as {word}")
        return Spelled(text + self.text[at:], f"I read {' and '.join(said)}", self._is_sure(choice))

    def _cost(self, choice: Choice) -> float:
        return self.grammar.read(tokens_of(self.text, choice)).cost + EDIT * len(choice)

    def _is_sure(self, choice: Choice) -> bool:
        """Return whether each correction has no rival, and none of them decides what is changed."""
        tokens = tokens_of(self.text, choice)
        changing = [match for match in self.grammar.read(tokens).matches if match.name in CHANGING]
        starts = {tokens[at].start for match in changing for at in range(match.start, match.end)}
        if any(start in starts and word not in _open_words(self.grammar) for start, word in choice.items()):
            return False
        return not any(self._rivals(choice, start) for start in choice)

    def _rivals(self, choice: Choice, start: int) -> Iterator[str]:
        """Yield the words that are as near as the chosen one and would mean something else."""
        cost, chosen = self._cost(choice), self.grammar.read(tokens_of(self.text, choice))
        for word in self.near[start]:
            other = {**choice, start: word}
            if word in _denials() and choice[start] not in _denials():
                yield word
            elif self._cost(other) < cost + CLOSE:
                read = self.grammar.read(tokens_of(self.text, other)).matches
                if [(match.name, match.values) for match in read] != [
                    (match.name, match.values) for match in chosen.matches
                ]:
                    yield word


def _with(choice: Choice, start: int, word: str | None) -> Choice:
    others = {place: other for place, other in choice.items() if place != start}
    return others if word is None else {**others, start: word}


def _denials() -> frozenset[str]:
    """Return the words that turn an order into a question or into its opposite."""
    return single_words("question") | {word for phrase in words()["NOT"] for word in phrase} | {"if", "unless", "until"}


def _open_words(grammar: Grammar) -> frozenset[str]:
    return grammar.harmless | UNIT_WORDS | {word for name in OPEN for phrase in words()[name] for word in phrase}


def _nearest(token: Token) -> list[str]:
    """Return the nearest known words of a word that is in no table: one edit away, two from seven letters on."""
    text = token.text
    is_name = not (token.written.islower() or (token.start == 0 and token.written[1:].islower()))
    if token.kind != "word" or is_name or len(text) < SHORTEST or _is_word(text):
        return []
    most = 2 if len(text) >= LONG else 1
    found = process.extract(text, vocabulary().keys(), scorer=OSA.distance, score_cutoff=most, limit=MOST_NEAR)
    found = [(word, distance) for word, distance, _ in found if not _is_inflected(text, word)]
    least = min((distance for _, distance in found), default=0)
    return [word for word, distance in found if distance == least]


def _is_word(text: str) -> bool:
    return text in vocabulary() or text in single_words("real") or spelled_value([text])[1] > 0


def _is_inflected(text: str, word: str) -> bool:
    """Return whether the text is another form of the word, such as “sets”, which tells what somebody does."""
    return text.startswith(word) and text[len(word) :] in ENDINGS and text[-1] != word[-1]

"""Read a mistyped word as the nearest word of the tables, and say so."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rapidfuzz import process
from rapidfuzz.distance import OSA, Indel

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline.checks import check_reading
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.grammar import TOKENS_TOO, Grammar
from strategybot.conversations.offline.lexicon import quiet_words, single_words, vocabulary, words
from strategybot.conversations.offline.matcher import UNREAD, Cover
from strategybot.conversations.offline.runs import ARGUMENTS
from strategybot.conversations.offline.text import UNIT_WORDS, Token, tokens_of
from strategybot.conversations.receipts.numbers import spelled_value

SHORTEST, LONG = 3, 7  # letters of a word that is corrected, and of one that may have two mistakes
MOST_NEAR, MOST_CHOICES = 12, 12  # words that are tried for one word; readings that are kept, for all words together
MOST_TOKENS = 60  # of a message that is corrected: each correction is tried by reading all of it
EDIT = 3.0  # what reading a word otherwise costs: a name that is no word stays a name
LOST, NEVER = 2.0, 50.0  # what a correction to a word that says nothing costs more, and one of a right word to it
UNLIKE, RARE = 6.0, 2.0  # what a correction to an unlike word costs, and one to a word that the tables have only once
SAYS_SOMETHING = 0.5  # what a frame costs at least that says something
CLOSE = 3.0  # how much more another correction may cost that is asked about
SENTENCE_ENDS = frozenset({".", "!", "?", ";", ":"})
ENDINGS = ("s", "es", "d", "ed", "r", "er", "ing", "n", "ly", "y")
OPEN = ("WHEN", "SET", "TO", "INTIME", "ATLEAST", "INSTEADOF")  # concepts that do not decide what is changed
BOT_NAMES = ("new_bot", "name_it", "switch")  # frames with a name that only its owner knows
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
    tokens = tokens_of(text)
    if len(tokens) > MOST_TOKENS:
        return Spelled(text)
    opens = [True, *(token.text in SENTENCE_ENDS for token in tokens)]
    near = {
        token.start: found for token, first in zip(tokens, opens, strict=False) if (found := _nearest(token, first))
    }
    first = _Message(text, grammar, near, is_token).corrected()
    unread = {token.text for token in grammar.read(tokens_of(first.text)).unread}
    confused = _find_confused(tokens, unread - single_words("remark"))
    if not confused:
        return first
    second = _Message(text, grammar, near | confused, is_token).corrected()
    left = [token for token in grammar.read(tokens_of(second.text)).unread if token.text != "?"]
    return first if left else second


@dataclass
class _Message:
    """A message, and where its doubtful words start, each with the nearest words of the tables."""

    text: str
    grammar: Grammar
    near: Mapping[int, Sequence[str]]
    is_token: bool = True

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tokens_of(self.text)

    def cover(self, choice: Choice) -> Cover:
        return self.grammar.read(tokens_of(self.text, choice))

    def _cost(self, choice: Choice) -> float:
        """Return what reading the message with the choice costs; to lose a word that no frame needs costs more."""
        tokens, cover = tokens_of(self.text, choice), self.cover(choice)
        used = {tokens[at].start for match in cover.matches for at in range(match.start, match.end)}
        idle = [start for start, word in choice.items() if word in quiet_words() and start not in used]
        lost = sum(NEVER if _is_word(self._written[start].lower()) else LOST for start in idle)
        unlike = sum(_unlike(self._written[start].lower(), word) for start, word in choice.items())
        more = len(check_reading(self.text, tokens, cover).unread) - len(cover.unread)
        # Words of remarks need no reading; an argument without a run may be one of the last run.
        useless = more * (UNREAD if more < 0 else 1.0)
        is_empty = all(match.cost < SAYS_SOMETHING for match in cover.matches)
        return cover.cost + EDIT * len(choice) + lost + unlike + useless + (LOST if is_empty else 0.0)

    def corrected(self) -> Spelled:
        """Return the message with the corrections that make most of it readable."""
        free, choices, most = set(self._free()), [Choice()], max(1, MOST_CHOICES // max(1, len(self.near)))
        for start, near in self.near.items():
            changed = [{**choice, start: word} for choice in choices for word in near]
            choices = sorted([*(choices if start in free else []), *changed], key=self._cost)[:most]
        choice = choices[0]
        said = [f"“{plain_name(self._written[start])}” as {word}" for start, word in sorted(choice.items())]
        rivals = {rival: {**choice, start: rival} for start in choice for rival in self._rivals(choice, start)}
        others = {rival: self._with(other) for rival, other in rivals.items() if not self.cover(other).unread}
        note = f"I read {' and '.join(said)}" if said else ""
        note += f" (or is it {' or '.join(others)}?)" if others else ""
        others |= {word: self._with(choice) for word in choice.values() if others}
        is_sure = not rivals and not self._decides(choice)
        return Spelled(self._with(choice), note, is_sure, tuple(token.written for token in self._names(choice)), others)

    @cached_property
    def _written(self) -> dict[int, str]:
        return {token.start: token.written for token in self.tokens}

    def _with(self, choice: Choice) -> str:
        """Return the text with the chosen words."""
        text, at = "", 0
        for start, word in sorted(choice.items()):
            text, at = f"{text}{self.text[at:start]}{word}", start + len(self._written[start])
        return text + self.text[at:]

    def _free(self) -> Iterator[int]:
        """Yield where the words start that may also be right as they are; not in “calld Falcon”."""
        for token, behind in zip(self.tokens, (*self.tokens[1:], None), strict=True):
            if _is_word(token.text) or (self.is_token and not (behind and behind.written[:1].isupper())):
                yield token.start

    def _names(self, choice: Choice) -> Iterator[Token]:
        """Yield the words without a correction that some frame has taken for the name of a token."""
        cover, tokens = self.cover(choice), tokens_of(self.text, choice)
        open_places = self.near.keys() - choice.keys()
        for match in cover.matches:
            said = tokens[match.start : match.end] if match.name not in BOT_NAMES else ()
            yield from (token for token in said if token.start in open_places and not _is_word(token.text))

    def _decides(self, choice: Choice) -> bool:
        """Return whether a correction decides what is changed or run, or is one of a name: “Anna” is not “wanna”."""
        tokens, cover = tokens_of(self.text, choice), self.cover(choice)
        changing = [match for match in cover.matches if match.name in CHANGING | ARGUMENTS | {"sell", "add_exit"}]
        starts = {tokens[at].start for match in changing for at in range(match.start, match.end)}
        unread = {token.start for token in cover.unread}
        return any(
            self._written[start][0].isupper()
            or _is_word(self._written[start])
            or start in unread
            or _may_be_told(self._written[start].lower(), word)
            or (start in starts and word not in _open_words())
            for start, word in choice.items()
        )

    def _rivals(self, choice: Choice, start: int) -> list[str]:
        """Return the words that are as near as the chosen one and would mean something else."""
        meaning, most = _meaning(self.cover(choice)), self._cost(choice) + CLOSE
        others = [word for word in self.near[start] if self._cost({**choice, start: word}) <= most]
        return [word for word in others if _meaning(self.cover({**choice, start: word})) != meaning]


def _unlike(text: str, word: str) -> float:
    """Return how unlike two equally near words are, as a cost; swapped letters are the likeliest mistake."""
    rare = RARE / vocabulary().get(word, 1)
    return rare + (0.0 if sorted(text) == sorted(word) else UNLIKE * Indel.normalized_distance(text, word))


def _meaning(cover: Cover) -> tuple[list[tuple[str, object]], list[str]]:
    return [(match.name, match.values) for match in cover.matches], [token.text for token in cover.unread]


def _may_be_told(text: str, word: str) -> bool:
    """Return whether the text is as near to another form of an order: “my friend usez 10 %” does not say “use”."""
    forms = (f"{word}{ending}" for ending in ENDINGS) if (word,) in words()["SET"] else ()
    return any(OSA.distance(text, form) <= OSA.distance(text, word) for form in forms)


def _open_words() -> frozenset[str]:
    concepts = {word for name in OPEN for phrase in words()[name] for word in phrase}
    return single_words("harmless") | UNIT_WORDS | concepts


def _nearest(token: Token, is_first: bool) -> list[str]:
    """Return the nearest known words of a word that is in no table: one edit away, two from seven letters on."""
    is_name = not (token.written.islower() or (is_first and token.written[1:].islower()))
    if token.kind != "word" or is_name or len(token.text) < SHORTEST or _is_word(token.text):
        return []
    return _near(token.text, 2 if len(token.text) >= LONG else 1) or _apart(token.text)


def _apart(text: str) -> list[str]:
    """Return the two known words that were written as one: “stoploss to”, “backtestit”."""
    pairs = ((text[:at], text[at:]) for at in range(2, len(text) - 1))
    return [f"{one} {other}" for one, other in pairs if {one, other} <= vocabulary().keys()]


def _find_confused(tokens: Sequence[Token], unread: Collection[str]) -> dict[int, list[str]]:
    """Return what may be meant by right or very short words that make no sense here: “trailing top”, “inn 2h”."""
    found = {token.start: _near(token.text, 1) for token in tokens if token.kind == "word" and token.text in unread}
    return {start: near for start, near in found.items() if near}


def _near(text: str, most: int) -> list[str]:
    found = process.extract(text, vocabulary().keys(), scorer=OSA.distance, score_cutoff=most, limit=MOST_NEAR)
    others = [(word, distance) for word, distance, _ in found if distance and _is_target(text, word)]
    least = min((distance for _, distance in others), default=0)
    return [word for word, distance in others if distance == least]


def _is_word(text: str) -> bool:
    return text in vocabulary() or text in single_words("real") or spelled_value([text])[1] > 0


def _is_target(text: str, word: str) -> bool:
    """Return whether the text can be the mistyped word: no other form of it (“sets”), no token, no abbreviation."""
    is_inflected = text.startswith(word) and text[len(word) :] in ENDINGS and text[-1] != word[-1]
    return not (is_inflected or word in TOKENS_TOO or len(word) < SHORTEST - 1)

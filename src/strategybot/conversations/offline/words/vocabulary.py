"""Which words are known, what they mean, and of which one a typo is meant.

What is neither in a phrase nor filler is unknown, and a message with an unknown word changes nothing without a yes.
"""

from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from strategybot.conversations.offline.words.phrases import CONCEPTS
from strategybot.conversations.offline.words.plain_words import FILLER, ORDINARY, PERSONS, TOLD, UNSUPPORTED
from strategybot.conversations.offline.words.quantities import (
    FRACTION_WORDS,
    SPELLED_ONES,
    SPELLED_SCALES,
    SPELLED_TENS,
)

SHORTEST_MENDED = 4
_MEANT = ORDINARY | TOLD | PERSONS  # as they are written
_NUMBERS = frozenset({*SPELLED_ONES, *SPELLED_TENS, *SPELLED_SCALES, *FRACTION_WORDS})
LONG = 8  # letters: such a word may have two mistakes


@cache
def concepts() -> dict[str, str]:
    """Each phrase with its concept."""
    return {phrase: concept for concept, text in CONCEPTS.items() for phrase in text.split(", ")}


@cache
def known_words() -> frozenset[str]:
    return (frozenset(word for phrase in concepts() for word in phrase.split()) | FILLER | UNSUPPORTED) - ORDINARY


@cache
def longest_phrase() -> int:
    return max(len(phrase.split()) for phrase in concepts())


@cache
def _mendable() -> list[str]:
    return sorted(word for word in known_words() if len(word) >= SHORTEST_MENDED)


def mended(word: str) -> str:
    """The known word of which this one is a typo, or the word itself."""
    if word in known_words() or word in _MEANT or len(word) < SHORTEST_MENDED:
        return word
    if word[-1] == word[-2] and word[:-1] in concepts():  # "buyy"
        return word[:-1]
    allowed = 2 if len(word) >= LONG else 1
    found = process.extract(word, _mendable(), scorer=OSA.distance, score_cutoff=allowed, limit=8)
    closest = [known for known, distance, _ in found if distance == found[0][1]]
    nearest = [known for known in closest if not _another_word(word, known)]
    nearest = [known for known in nearest if known in concepts() or known in FILLER or known in UNSUPPORTED] or nearest
    meanings = {concepts().get(known, known[:3]) for known in nearest}
    rivals = {concepts()[known] for known in closest if known in concepts() and known[0] == word[0]}
    doubtful = len(meanings) != 1 or not rivals <= meanings or any(known in _NUMBERS for known in closest)
    return word if doubtful else nearest[0]


def _another_word(word: str, known: str) -> bool:
    """tide is no typo of time, nor earn of learn: one other letter in a short word, or at the start, is too much."""
    if sorted(word) == sorted(known):
        return False
    return len(word) == SHORTEST_MENDED == len(known) or word[0] != known[0]

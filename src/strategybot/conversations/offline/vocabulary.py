"""Which words are known, what they mean, and of which one a typo is meant.

What is neither in a phrase nor filler is unknown, and a message with an unknown word changes nothing without a yes.
"""

from functools import cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from strategybot.conversations.offline.phrases import CONCEPTS
from strategybot.conversations.offline.plain_words import FILLER, ORDINARY, UNSUPPORTED

SHORTEST_MENDED = 4
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
    if word in known_words() or word in ORDINARY or len(word) < SHORTEST_MENDED:
        return word
    allowed = 2 if len(word) >= LONG else 1
    found = process.extract(word, _mendable(), scorer=OSA.distance, score_cutoff=allowed, limit=8)
    nearest = [known for known, distance, _ in found if distance == found[0][1] and not _another_word(word, known)]
    nearest = [known for known in nearest if known in concepts() or known in FILLER or known in UNSUPPORTED] or nearest
    meanings = {concepts().get(known, known[:3]) for known in nearest}
    return nearest[0] if len(meanings) == 1 else word


def _another_word(word: str, known: str) -> bool:
    """tide is no typo of time, nor earn of learn: one other letter in a short word, or at the start, is too much."""
    if sorted(word) == sorted(known):
        return False
    return len(word) == SHORTEST_MENDED == len(known) or word[0] != known[0]

"""Compile the tables of words and frames, and find in a message every word and phrase that they name."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from strategybot.conversations.offline import lexicon
from strategybot.conversations.offline.lexicon import Part, SeriesWords
from strategybot.conversations.offline.matcher import PAUSE, WITHIN, Cover, Edge, Lattice, Node, add_phrases, cover
from strategybot.conversations.offline.text import Token, slots_of
from strategybot.trading.language.strategy import Strategy

TOKENS_TOO = frozenset({"sol", "eth", "bnb"})  # of the words for chains
NO_GAP = frozenset(["to", "by", "and", "or", "then", "but", "also", "yes", ".", ";", "!", "?", "...", "->", "=>", "→"])
LONGEST_NAME = 4
SHORT_PHRASE = 2  # words of a phrase that has no other words inside
FILLERS = frozenset({"just", "really", "actually", "even", "ever", "please", "exactly"})
WINDOWS = frozenset({"window", "lookback", "period", "time", "timeframe"})
NO_NAME = frozenset({"it", "is", "the", "a", "should", "to"})  # as the first word of a name
BEFORE_PAUSE = {(("no",), "REMOVE"), (("wait",), "WAIT"), (("wait",), "PART_DUR")}  # “no, the target” removes nothing


class Grammar:
    def __init__(self, series: SeriesWords, language: type[Strategy] = Strategy) -> None:
        self.language = language
        self.parts = tuple(series.parts())
        self.harmless = lexicon.single_words("harmless")
        self._gaps = {**dict.fromkeys(self.harmless - NO_GAP, WITHIN), ",": PAUSE}  # what passing a word costs
        self._phrases: dict[str, list[tuple[lexicon.Phrase, str, Any]]] = defaultdict(list)
        for phrase, label, value in self._phrases_of(series):
            self._phrases[phrase[0]].append((phrase, label, value))
        single = {phrase[0] for said in self._phrases.values() for phrase, _, _ in said if len(phrase) == 1}
        self.known = (single | lexicon.single_words("question")) - TOKENS_TOO
        self._quiet: dict[str, list[tuple[lexicon.Phrase, bool]]] = defaultdict(list)
        for name in ("phrases", "polite"):
            for phrase in lexicon.words()[name]:
                self._quiet[phrase[0]].append((phrase, name == "polite"))
        self.read = lru_cache(maxsize=64)(self._read)  # a turn reads the same words several times
        self.phrase_tree, self.frame_tree = Node(), Node()
        for pattern, frame in [*series.operands(), *lexicon.frames(self.parts)]:
            (self.phrase_tree if frame.name.isupper() else self.frame_tree).add(pattern, frame)

    def _phrases_of(self, series: SeriesWords) -> Iterator[tuple[lexicon.Phrase, str, Any]]:
        for key, phrases in lexicon.words().items():
            concept = key.partition(" ")[0]
            yield from ((phrase, concept, None) for phrase in phrases if concept.isupper())
        for (label, _, value), phrases in (
            (key.partition(" "), said) for key, said in lexicon.words_of("value").items()
        ):
            number = float(value) if value[0].isdigit() and ":" not in value else value
            yield from ((phrase, label, number) for phrase in phrases)
        for label, _, phrases in series.labels():
            yield from ((phrase, label, None) for phrase in phrases)
        for part in self.parts:
            yield from ((phrase, part.label, part) for phrase in part.phrases)
        for about, phrases in lexicon.words_of("beyond").items():
            yield from ((phrase, "BEYOND", tuple(about.split(" | "))) for phrase in phrases)

    def _read(self, tokens: tuple[Token, ...]) -> Cover:
        return cover(self.frame_tree, self.lattice(tokens))

    def lattice(self, tokens: tuple[Token, ...]) -> Lattice:
        texts = [token.text for token in tokens]
        edges: list[list[Edge]] = [[] for _ in tokens]
        for at, token in enumerate(tokens):
            edges[at] += self._token_edges(token, at)
            edges[at] += self._phrase_edges(tokens, texts, at)
            edges[at] += self._name_edges(tokens, at)
        gaps = [None if token.has_number else self._gaps.get(token.text) for token in tokens]
        found = Lattice(tokens, edges, self._harmless_places(tokens, texts), gaps)
        add_phrases(self.phrase_tree, found)
        return found

    def _phrase_edges(self, tokens: tuple[Token, ...], texts: list[str], at: int) -> Iterator[Edge]:
        """Yield the phrases of the tables that begin here."""
        for words, label, value in self._phrases.get(texts[at], ()):
            if (words, label) in BEFORE_PAUSE and texts[at + 1 : at + 2] == [","]:
                continue
            end = _end_of(words, texts, at)
            if end and _is_free(tokens[at:end]):
                is_window = isinstance(value, Part) and value.field == "window"
                is_second = label == "PART_MONEY" or (is_window and WINDOWS.isdisjoint(words))
                # “volume” is the multiple first, “size” the share of the cash
                yield Edge(label, end, value, 0.02 if is_second else 0.0)

    def _name_edges(self, tokens: tuple[Token, ...], at: int) -> Iterator[Edge]:
        """Yield what may be the name of a bot from here on."""
        pair, behind = tokens[at : at + 2], tokens[at + 2 : at + 3]
        is_pair = len(pair) == 2 and all(each.kind == "word" and each.text not in self.harmless for each in pair)
        if is_pair and all(each.kind == "mark" for each in behind):  # “… called dip hunter” ends a sentence
            yield Edge("LASTWORDS", at + 2, " ".join(each.written for each in pair))
        is_name = tokens[at].written[:1].isupper() or not (tokens[at].has_number or self._is_known(tokens[at]))
        names = list(_names(tokens, at))
        yield from names
        yield from (edge._replace(label="NAMED", cost=0.0) for edge in names if is_name)

    def _token_edges(self, token: Token, at: int) -> Iterator[Edge]:
        labels = [token.text] if token.kind in ("word", "mark") or token.is_spelled else []
        is_symbol = token.kind == "word" and len(token.written) > 1 and token.written.isupper()
        if token.kind == "word":
            labels.append("ANY")
            labels += [] if self._is_known(token) else ["UNKNOWN", "ANYTOKEN"]
        if token.kind == "name" or (is_symbol and not self._is_known(token)):
            labels += ["NAME", "ANY", "ANYTOKEN"]
        yield from (Edge(label, at + 1, token) for label in labels)
        yield from (Edge(slot, at + 1, value) for slot, value in slots_of(token))

    def _is_known(self, token: Token) -> bool:
        return token.text in self.known or token.text in self.harmless

    def _harmless_places(self, tokens: tuple[Token, ...], texts: list[str]) -> list[bool]:
        """Return which tokens need no frame: harmless words, and the question mark that ends a polite request."""
        harmless = [token.text in self.harmless and not token.has_number for token in tokens]
        is_polite = False
        for at, text in enumerate(texts):
            for words, opens_request in self._quiet.get(text, ()):
                if tuple(texts[at : at + len(words)]) == words and _is_free(tokens[at : at + len(words)]):
                    harmless[at : at + len(words)] = [True] * len(words)
                    is_polite |= opens_request
            if text in ("?", ".", "!", ";"):
                harmless[at] = is_polite if text == "?" else harmless[at]
                is_polite = False
        return harmless


def _end_of(words: Sequence[str], texts: Sequence[str], at: int) -> int:
    """Return where the phrase ends that begins here, or 0; “was it just luck” says “was it luck”."""
    end = at
    for word in words:
        while (
            end > at
            and len(words) > SHORT_PHRASE
            and texts[end : end + 1] != [word]
            and {*texts[end : end + 1]} & FILLERS
        ):
            end += 1
        if texts[end : end + 1] != [word]:
            return 0
        end += 1
    return end


def _is_free(tokens: Sequence[Token]) -> bool:
    """Return whether the tokens can be words of a phrase. A number cannot, except “two” or “hourly”."""
    numbers = (token for token in tokens if token.has_number and not token.is_spelled)
    return all(token.kind == "number" and token.written.isalpha() for token in numbers)


def _names(tokens: tuple[Token, ...], at: int) -> Iterator[Edge]:
    """Yield names of one to four words. Only the first word may be in small letters."""
    words: list[str] = []
    for end in range(at, min(at + LONGEST_NAME, len(tokens))):
        token = tokens[end]
        if token.kind == "name" and not words:
            yield Edge("NAMES", end + 1, token.written)
            yield Edge("QUOTED", end + 1, token.written)
            return
        is_small = token.kind == "word" and not token.written[0].isupper()
        if token.kind not in ("word", "number") or (is_small if words else token.text in NO_NAME):
            return
        is_close = end > at and tokens[end - 1].end == token.start  # degen42
        words = [*words[:-1], words[-1] + token.written] if is_close else [*words, token.written]
        yield Edge("NAMES", end + 1, " ".join(words), 0.01 * (LONGEST_NAME - len(words)))

"""From the text of a message to its line: words are mended, phrases become concepts, and the context has its say."""

from dataclasses import replace
from functools import lru_cache

from strategybot.conversations.offline.words.context import in_context
from strategybot.conversations.offline.words.lexemes import STRANGE, Kind, Token
from strategybot.conversations.offline.words.lines import UNKNOWN, Item, Line
from strategybot.conversations.offline.words.plain_words import ALIASES, FILLER, PAST_FORMS, UNSUPPORTED, words_of
from strategybot.conversations.offline.words.tokens import tokens
from strategybot.conversations.offline.words.vocabulary import concepts, known_words, longest_phrase, mended

_NO_UNITS = words_of("please thanks then with from when instead over within inside that this only just after before")
SIGNS = frozenset({"x", "w", "×"})  # single letters that stand for something


@lru_cache(maxsize=64)  # a turn reads the same message at each of its steps
def line_of(text: str) -> Line:
    given = tokens(text)
    shouting = not any(token.text.islower() for token in given if token.kind is Kind.WORD)
    words = [_plain(token, shouting) for token in _repaired(given)]
    return in_context(Line(tuple(_items(given, words))))


def _plain(token: Token, shouting: bool) -> str:
    """The word to look for, mended unless it is written as a name; what is no word is its sign."""
    if token.kind is Kind.MARK:
        return {":": ":", "!": ".", "(": ",", ")": ","}.get(token.text, token.text)
    if token.kind is not Kind.WORD:
        return str(token.kind)
    if token.text in STRANGE:
        return "sign"
    if token.word in ALIASES:
        return ALIASES[token.word]
    if token.text.isupper() and not shouting and len(token.text) > 1 and token.word not in known_words():
        return token.word
    return token.word if token.text.istitle() and len(token.word) > 5 else mended(token.word)


def _repaired(given: list[Token]) -> list[Token]:
    """ "bu ywhen" as buy when: a letter that slipped over the gap."""
    result = list(given)
    for position in range(len(result) - 1):
        left, right = result[position : position + 2]
        if left.kind is not Kind.WORD or right.kind is not Kind.WORD or {left.word, right.word} & known_words():
            continue
        moved = left.word + right.word[0], right.word[1:]
        if all(word in known_words() for word in moved):
            result[position : position + 2] = [replace(left, text=moved[0]), replace(right, text=moved[1])]
    return result


def _items(given: list[Token], words: list[str]) -> list[Item]:
    items: list[Item] = []
    position = 0
    while position < len(words):
        size, name = _longest(words, position)
        text = " ".join(
            _text(token, word) for token, word in zip(given[position:], words[position : position + size], strict=False)
        )
        token = given[position]
        if (
            position
            and given[position - 1].kind is Kind.NUMBER
            and name == words[position]
            and _may_be_unit(token, name)
        ):
            name = UNKNOWN  # "5 cernts": whatever it is, it may be a unit
        past = any(word in PAST_FORMS for word in words[position : position + size])
        items.append(Item(name, text, None if token.kind in (Kind.WORD, Kind.MARK) else token, past))
        position += size
    return items


def _is_mended(token: Token, word: str) -> bool:
    return token.kind is Kind.WORD and word != token.word and token.word not in ALIASES


def _may_be_unit(token: Token, word: str) -> bool:
    return _is_mended(token, word) and word not in _NO_UNITS


def _text(token: Token, word: str) -> str:
    """As it was written, or as it was meant: "30 min lonsger" is longer."""
    return word if _is_mended(token, word) and token.text.islower() else token.text


def _longest(words: list[str], position: int) -> tuple[int, str]:
    for size in range(min(longest_phrase(), len(words) - position), 0, -1):
        concept = concepts().get(" ".join(words[position : position + size]))
        if concept:
            return size, concept
    word = words[position]
    if (
        word in UNSUPPORTED
        or (word.isalpha() and word not in FILLER and word not in SIGNS)
        or (word[:-1].isalpha() and word[-1:].isdigit())
    ):
        return 1, UNKNOWN
    return 1, word

"""A message as a line of named items: concepts in capitals, signs for numbers, plain words for the rest.

"Buy when it dumps 5% in an hour" reads `BUY when it DROP % in an ~`, and patterns are written on that.
"""

import re
from dataclasses import dataclass, field, replace
from functools import cache

from strategybot.conversations.offline.plain_words import ALIASES, FILLER, PAST_FORMS, UNSUPPORTED
from strategybot.conversations.offline.tokens import NUMERIC, Kind, Token, tokens
from strategybot.conversations.offline.vocabulary import concepts, known_words, longest_phrase, mended

UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    text: str
    token: Token | None = None  # of a number, an address, a tag or a quotation
    past: bool = False

    @property
    def is_number(self) -> bool:
        return self.name in NUMERIC

    @property
    def is_duration(self) -> bool:
        return self.name == Kind.DURATION


@dataclass(frozen=True)
class Line:
    items: tuple[Item, ...]
    text: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", " ".join(item.name for item in self.items))

    def has(self, pattern: str) -> bool:
        return _compiled(pattern).search(self.text) is not None

    def spans(self, pattern: str) -> list[tuple[int, int]]:
        """First and last item of each match."""
        found = _compiled(pattern).finditer(self.text)
        return [(self._index(match.start()), self._index(match.end() - 1)) for match in found if match[0]]

    def _index(self, offset: int) -> int:
        return self.text.count(" ", 0, offset)

    def renamed(self, first: int, last: int, name: str) -> "Line":
        items = list(self.items)
        for position in range(first, last + 1):
            items[position] = replace(items[position], name=name)
        return Line(tuple(items))

    def part(self, first: int, last: int) -> "Line":
        return Line(self.items[first:last])

    @property
    def unknown(self) -> list[str]:
        return [item.text for item in self.items if item.name == UNKNOWN]


def some(words: str) -> str:
    """A pattern of any number of these words, each with a blank before it."""
    return rf"(?: (?:{'|'.join(words.split())}))*"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


def line_of(text: str) -> Line:
    given = tokens(text)
    shouting = not any(token.text.islower() for token in given if token.kind is Kind.WORD)
    words = [_plain(token, shouting) for token in _repaired(given)]
    return _in_context(Line(tuple(_items(given, words))))


def _plain(token: Token, shouting: bool) -> str:
    """The word to look for, mended unless it is written as a name; what is no word is its sign."""
    if token.kind is Kind.MARK:
        return {":": ":", "!": ".", "(": ",", ")": ","}.get(token.text, token.text)
    if token.kind is not Kind.WORD:
        return str(token.kind)
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
        text = " ".join(token.text for token in given[position : position + size])
        token = given[position]
        past = any(word in PAST_FORMS for word in words[position : position + size])
        items.append(Item(name, text, None if token.kind in (Kind.WORD, Kind.MARK) else token, past))
        position += size
    return items


def _longest(words: list[str], position: int) -> tuple[int, str]:
    for size in range(min(longest_phrase(), len(words) - position), 0, -1):
        concept = concepts().get(" ".join(words[position : position + size]))
        if concept:
            return size, concept
    word = words[position]
    if (
        word in UNSUPPORTED
        or (word.isalpha() and word not in FILLER and len(word) > 1)
        or (word[:-1].isalpha() and word[-1:].isdigit())
    ):
        return 1, UNKNOWN
    return 1, word


_FIELD = "(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|WINDOW)"
_EDIT = "(?:edit|edits|change|changes|update|updates|modification|tweak|adjustment)"
_RETURNING = "bring|give|get|put|go|return|want|take|have|use|like|SWITCH|CROSS|UNDO|back|make|START|set"
_AWAITED = some("a an the it its price to RAISE REDUCE there is has goes CREATE [%#]")
_WISHED = some("want wanna to let it me us ever")
_UNSOLD = "(?<!SELL )(?<!SELL my )(?<!SELL the )"
_UPON = "(?:once|when|whenever|if|after|at|FILL)"
_CONTEXT = (
    # A pattern, which of its items is meant, and what it means there.
    (r"(?:break|BREAK) (?:of|for) ~", 0, "COOLDOWN"),
    (rf"COOLDOWN (?:for|until|till|on){_AWAITED} (?:DROP|RISE|VOLUME|BREAK|CROSS|ABOVE|BELOW|HIGH|LOW)", 0, "waits"),
    (rf"(?:{_RETURNING})(?: \S+){{0,4}} EARLIER", -1, "UNDO"),
    (rf"(?:FORGET|REMOVE){some('that the my this your last latest previous recent')} {_EDIT}", 0, "UNDO"),
    (rf"{_UNSOLD}(?:ALL|whole|entire|full|everything)(?: of| my| the| in)* CASH", 0, "ALLIN"),
    (rf"NOT{_WISHED} LOSS (?:ABOVE|FILL) [%#]", -3, "STOP"),  # "never lose more than 2%" wishes for a stop
    (rf"NOT{_WISHED} STOP (?:ABOVE|FILL) [%#]", 0, "FILL"),
    (r"make (?:%|#)", 0, "PROFIT"),
    (rf"let (?:it|them|NAME) (?:go|START)(?: AGAIN| again)?(?= {_UPON})", 2, "SELL"),
    (rf"REMOVE(?= (?:it|them)(?: AGAIN| again)? {_UPON})", 0, "SELL"),
    (r"(?:,|and|;|STOP [%#]) take [%#]", -2, "TARGET"),
    (r"(?:price|it|coin|TOKEN|UNKNOWN|€|also|has|if|when) RAISE (?:by |at least |FILL |ABOVE )*[%#]", 1, "RISE"),
    (r"(?:price|it|coin|TOKEN|UNKNOWN|€|also|has|if|when) REDUCE (?:by |at least |FILL |ABOVE )*[%#]", 1, "DROP"),
    (r"SPIKE (?:of |by |in )*[%#]", 0, "RISE"),
    (rf"REMOVE (?:{_FIELD}|DROP|VOLUME)(?: CONDITION| level)* (?:to|by|down to) [%#~]", 0, "REDUCE"),
    (r"(?:DROP|LOSS) (?:the |my )?(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX)(?: by| to) [%#~]", 0, "REDUCE"),
    (r"(?:in|by) ½", 1, "HALVE"),
    (r"(?:ANY|ALL)(?: the| of| these)* #", -1, "counted"),
    (rf"{_FIELD} DROP (?:to|by)", 1, "REDUCE"),
    (rf"{_FIELD} RISE (?:to|by)", 1, "RAISE"),
    (r"½ (?:the |my )(?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|WINDOW)", 0, "HALVE"),
    (r"(?<!the )(?<!my )(?:DROP|RISE) (?:back )?(?:(?:to|ABOVE|BELOW|CROSS) )+(?:the |price |of )*[$#]", 0, "moves"),
    (r"(?:from|off|below|BELOW|under|of|since) (?:(?:its|the|a|last|recent|~) )*CLOSE", -1, "CLOSE"),
)  # fmt: skip


_NO = ("no", "nope", "nah")
_AFTER_NO = r"(?:,|\.|i|make|set|put|UNDO|that|thats|its|it|REMOVE|lets|actually|EARLIER|FORGET|#|%)"
_BEFORE_NO = r"(?:oh|ok|okay|hmm|ah|well|but|so|,|\.)"
_WAIT = r"COOLDOWN(?= (?:,|\.|i|make|set|put|NOT|no|actually|lets|that|thats|change|UNDO|REMOVE|#|%))"


def _without_interjections(line: Line) -> Line:
    """The no of "no wait, make it 4" refuses nothing, and its wait is no pause."""
    for _, last in line.spans(rf"^(?:{_BEFORE_NO} )*NOT(?= (?:{_AFTER_NO}|{_WAIT})(?!\S))"):
        if line.items[last].text.lower() in _NO:
            line = line.renamed(last, last, "no")
    for _, last in line.spans(rf"^(?:(?:{_BEFORE_NO}|no) )*{_WAIT}"):
        if line.items[last].text.lower() == "wait":
            line = line.renamed(last, last, "wait")
    return line


_ASKERS = frozenset({"i", "you", "u", "ya", "we", "they", "people"})


def _in_context(line: Line) -> Line:
    line = _without_interjections(line)
    for place in range(len(line.items) - 1):  # "stop changing it" is a refusal, no stop loss
        item, doing = line.items[place], line.items[place + 1]
        if (
            item.text.lower() == "stop"
            and doing.text.lower().endswith("ing")
            and doing.name not in ("TRAIL", "SIMULATION", "trading")
        ):
            line = line.renamed(place, place, "NOT")
        if item.text.lower() in ("close", "closes", "closing") and doing.name in ("ABOVE", "BELOW"):
            line = line.renamed(place, place, "moves")
        if item.text.lower() == "do" and doing.text.lower() in _ASKERS:  # "do i pay fees" begins nothing
            line = line.renamed(place, place, "do")
    for pattern, which, name in _CONTEXT:
        for first, last in line.spans(pattern):
            place = last + 1 + which if which < 0 else first + which
            line = line.renamed(place, place, name)
    return line

"""A message as typed tokens: percent, multiple, duration, money, number, address, $TAG, quoted, word, mark.

"five pct", "5 %" and "half of" come out as numbers; "an hour and a half" as 5400 seconds. Nothing is lost: what is no
number is a word or a mark, in its place.
"""

from dataclasses import replace

from strategybot.conversations.offline.words.lexemes import NUMERIC, Kind, Token, lexemes
from strategybot.conversations.offline.words.measures import WHOLE, measured
from strategybot.conversations.offline.words.plain_words import words_of
from strategybot.conversations.offline.words.quantities import (
    PERCENT_UNITS,
    SPELLED_ONES,
    SPELLED_SCALES,
    SPELLED_TENS,
    TIME_UNITS,
    mended_unit,
)
from strategybot.conversations.offline.words.spelling import plainly

FINEST = 60  # "1 day 30m" is one duration, "1 week 15m" are two
_BEFORE_NUMBER = words_of(
    "to at by than least most stop loss sl tp profit target trailing trail under over above below in for after every"
)


_KINDS = words_of("trailing normal regular fixed ordinary other first second old new big small")
_COUNTED = words_of("and - per x times fold point dollar dollars buck bucks usd third quarter tenth fifth")
_COUNTED |= SPELLED_SCALES.keys()


def tokens(text: str) -> list[Token]:
    return _with_units(_with_spelled_numbers(lexemes(plainly(text))))


def _with_spelled_numbers(given: list[Token]) -> list[Token]:
    """ "twenty five" as 25, "two and a half" and "two point five" as 2.5, "three thousand" as 3000."""
    result: list[Token] = []
    for position, token in enumerate(given):
        before = result[-1] if result else None
        if token.kind is not Kind.WORD or _is_pronoun(given, position):
            result.append(token)
        elif token.word in SPELLED_SCALES and before and before.kind is Kind.NUMBER:
            scaled = _scaled(before, SPELLED_SCALES[token.word])
            result[-1] = replace(before, text=f"{before.text} {token.text}", value=scaled)
        elif token.word in SPELLED_SCALES and _ends(result, "a"):
            result[-1] = Token(Kind.NUMBER, f"a {token.text}", SPELLED_SCALES[token.word])
        elif token.word in SPELLED_TENS or token.word in SPELLED_ONES:
            _append_spelled(result, token, SPELLED_TENS.get(token.word) or SPELLED_ONES[token.word])
        elif token.word == "half" and _ends(result, "and", "a") and len(result) > 2 and result[-3].kind is Kind.NUMBER:
            result[-3:] = [replace(result[-3], value=result[-3].value + 0.5)]
        elif token.word == "half" and _ends(result, "and") and before and _is_plain_half(given, position):
            _append_half(result, token)
        else:
            result.append(token)
    return result


def _append_spelled(result: list[Token], token: Token, value: float) -> None:
    before = result[-1] if result else None
    if before and before.kind is Kind.NUMBER and _may_go_on(before.word, value):
        result[-1] = replace(before, text=f"{before.text} {token.text}", value=before.value + value)
    elif _ends(result, "point") and len(result) > 1 and result[-2].word in SPELLED_ONES and value < 10:
        result[-2:] = [replace(result[-2], text=f"{result[-2].text} point", value=result[-2].value + value / 10)]
    else:
        result.append(Token(Kind.NUMBER, token.text, value))


def _scaled(before: Token, scale: float) -> float:
    """ "three" by thousand; of "two thousand five" by hundred only the five."""
    larger = [SPELLED_SCALES[word] for word in before.word.split() if SPELLED_SCALES.get(word, 0) > scale]
    low = before.value % min(larger) if larger else before.value
    return before.value - low + low * scale


def _may_go_on(spelled: str, value: float) -> bool:
    """ "twenty" with "five", "two hundred" with "fifty"."""
    return (spelled in SPELLED_TENS and value < 10) or (spelled.endswith(tuple(SPELLED_SCALES)) and value < 100)


def _is_plain_half(given: list[Token], position: int) -> bool:
    """ "two and half percent", but "tp 25 and half the size" speaks of another amount."""
    after = given[position + 1].word if position + 1 < len(given) else ""
    return position > 1 and after not in ("the", "my", "of", "its", "a", "an", "as")


def _append_half(result: list[Token], token: Token) -> None:
    """ "two and half"."""
    if result[-2].kind is Kind.NUMBER:
        result[-2:] = [replace(result[-2], value=result[-2].value + 0.5)]
    else:
        result.append(token)


def _is_pronoun(given: list[Token], position: int) -> bool:
    """The one of "either one", "one of them", "one more" and "a 4% one" counts nothing."""
    if given[position].word != "one":
        return False
    before = given[position - 1].word if position else ""
    if ((before == "of" and given[position - 2].word == "instead") or before == "not") and position + 1 == len(
        given
    ):  # "two hours instead of one"
        return False
    if position > 1 and given[position - 2].word in ("the", "my") and before in _KINDS:  # "the trailing one"
        return True
    behind = [token.word for token in given[position + 1 : position + 3] if token.word not in WHOLE]  # "one whole year"
    after = mended_unit(behind[0]) if behind else ""
    if after in _COUNTED or after in TIME_UNITS or after in PERCENT_UNITS:
        return False
    return before not in _BEFORE_NUMBER or after == "of"


def _ends(result: list[Token], *words: str) -> bool:
    return [token.word for token in result[-len(words) :]] == list(words)


def _with_units(given: list[Token]) -> list[Token]:
    result: list[Token] = []
    position = 0
    while position < len(given):
        token, used = measured(given, position)
        position += used
        if token.kind is Kind.DURATION and _continues(result, token):
            token = replace(token, text=f"{result[-1].text} {token.text}", value=result[-1].value + token.value)
            result.pop()
        elif token.kind in NUMERIC and _ranges(result):
            result[-2:] = [Token(Kind.RANGE, f"{result[-2].text}-{token.text}")]
            continue
        result.append(token)
    return [token for token in result if token.text != "-"]


def _continues(result: list[Token], token: Token) -> bool:
    """1h 30m, 1 hour and 30 minutes: one duration."""
    if result and result[-1].word == "and" and len(result) > 1 and result[-2].kind is Kind.DURATION:
        if token.value < result[-2].value and token.value < 3600:
            result.pop()
            return True
        return False
    if not result or result[-1].kind is not Kind.DURATION:
        return False
    return token.value < result[-1].value < FINEST * token.value


def _ranges(result: list[Token]) -> bool:
    return len(result) > 1 and result[-1].text == "-" and result[-2].kind in NUMERIC

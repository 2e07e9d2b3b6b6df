"""Numbers in digits and in words, for the receipts and for the offline model."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORD_VALUES = {word: float(value) for value, word in enumerate(_UNITS)}
WORD_VALUES |= {word: 10.0 * (place + 2) for place, word in enumerate(_TENS)}
WORD_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_SCALES = WORD_SCALES | {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "trillion": 1e12}
_ROUGH_SHARE = 0.05
_BLANK = "[ \t\u00a0\u2009\u202f]"
_PERCENT = r"[%％٪]|(?i:per ?cent|pct|prozent|pour ?cent|por ?ciento|por ?cento|процент)[^\W\d_]{0,4}"
_NUMBER = re.compile(
    rf"(?P<about>(?i:\b(?:about|around|roughly|nearly|almost))\s|[~≈]{_BLANK}?)?"
    rf"(?P<sign>(?<![\w%])[-+−]{_BLANK}?)?(?P<money>[$€£¥]{_BLANK}?)?"
    rf"(?P<digits>\d{{1,3}}(?:{_BLANK}\d{{3}}(?!\d)){{1,4}}(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*)"
    rf"(?P<exponent>[eE][-+]?\d{{1,3}}(?!\w))?"
    rf"(?P<scale>{_BLANK}?(?:[kKMB]|bn|mn|(?(money)[mb]|(?!))|(?i:thousand|million|billion|trillion))(?![^\W\d_]))?"
    rf"(?P<percent>{_BLANK}{{0,4}}(?:{_PERCENT}))?(?P<multiple>{_BLANK}?[x×](?!\w))?"
)
_NUMBER_WORD = rf"(?:{'|'.join([*WORD_VALUES, *WORD_SCALES, 'point', 'and'])})\b"
_SPELLED = re.compile(rf"\b(?!and\b|point\b){_NUMBER_WORD}(?:[ -]{_NUMBER_WORD}){{0,11}}", re.IGNORECASE)
_COUNTED = re.compile(rf"[ -]{{0,3}}(?:(?P<percent>{_PERCENT})|(?:trades|wins|winners|losses|losers|dollars)\b)")
# Digits that are no number: of addresses, ids, dates, times, durations, list items and words.
_MONTH = r"(?:jan|feb|mar|apr|(?-i:May)|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_OPAQUE = re.compile(
    r"(?i)https?://\S{1,2000}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b(?=[a-z]{0,60}\d)(?=\d{0,60}[a-z])[0-9a-z]{20,}"
    r"|\b(?=[a-z]{0,11}\d)[0-9a-z]{2,12}(?:…|\.\.\.)[0-9a-z]{2,12}\b|#\d{1,9}\b"
    r"|\b\d{4}-\d\d(?:-\d\d)?(?:[t ]\d\d:\d\d(?::\d\d)?)?z?(?![\d%])|\b\d{1,2}:\d\d(?::\d\d)?(?![\d%])"
    rf"|\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}(?!\d))(?:,? (?:19|20)\d\d)?\b(?! ?%)|\b{_MONTH} (?:19|20)\d\d\b"
    r"|\b(?:in|since|until|during) (?:19|20)\d\d\b(?! ?%)|(?m:^[ \t]{0,12}(?:[-*+•>] )?(?:\d{1,2}[.)] |[-*+•>] ))"
    r"|(?<!\$)\b(?:\d{1,6}(?:, | or | and | to |-|–)){0,3}\d{1,6}(?:\.\d{1,3})?[ -]?"
    r"(?:(?-i:[smhdwy])|(?:second|sec|minute|min|hour|hr|day|week|month|year|candle|daily return)s?)\b"
)
_MARKUP = str.maketrans("*_`\\", "    ")


class Written(NamedTuple):
    """A number of a text, and what it may mean: values, each with how far off it may be."""

    text: str
    start: int
    end: int
    readings: tuple[tuple[float, float], ...]
    is_percent: bool  # a percentage or a multiple
    is_plain: bool  # a whole number without a unit: it may count anything


def opened(text: str) -> str:
    """Return the text at its length, with blanks for markup and for digits that are no number."""
    return _OPAQUE.sub(lambda match: " " * len(match.group()), text).translate(_MARKUP)


def numbers_in(text: str) -> list[Written]:
    """Return the numbers of an opened text, in order; spelled-out ones where a percentage or a trade is counted."""
    found = [number for match in _NUMBER.finditer(text) if (number := _written(match, text)) is not None]
    for place, (number, following) in enumerate(pairwise(found)):
        if following.is_percent and text[number.end : following.start] in ("-", "–", "—", " to ", " – "):
            found[place] = number._replace(is_percent=True, is_plain=False)
    return sorted([*found, *_spelled_numbers(text)], key=lambda number: number.start)


def _written(match: re.Match[str], text: str) -> Written | None:
    start, first, end = match.start(), match.start("digits"), match.end()
    is_percent = match["percent"] is not None or match["multiple"] is not None
    is_in_a_word = _is_latin(text[first - 1 : first]) or _is_latin(text[end : end + 1])
    values = values_of(match["digits"])
    if not values or (is_in_a_word and not is_percent):
        return None
    factor = _SCALES[match["scale"].strip().lower()] if match["scale"] else 1.0
    factor *= float(f"1{match['exponent'] or ''}") * (-1 if (match["sign"] or "").strip() in ("-", "−") else 1)
    readings = []
    for value, decimals in values:
        rough = value * _ROUGH_SHARE if match["about"] else 0.0
        readings.append((value * factor, max(0.5 * 10.0**-decimals, rough) * abs(factor) * (1 + 1e-9)))
    has_unit = is_percent or match["sign"] or match["money"] or match["scale"]
    is_plain = not has_unit and not all(decimals for _, decimals in values)
    return Written(re.sub(" {2,}", " ", text[start:end].strip()), start, end, tuple(readings), is_percent, is_plain)


def _is_latin(character: str) -> bool:
    return character.isalnum() and character < "\u2e80"


def values_of(digits: str) -> list[tuple[float, int]]:
    """Return what digits may mean, each value with its decimals: two of "1,234", none of a version such as 1.2.3."""
    digits = re.sub(r"['’\s]", "", digits)[:60]
    groups, marks = re.split(r"[.,]", digits), re.findall(r"[.,]", digits)
    whole, is_grouped = float("".join(groups)), all(len(group) == 3 for group in groups[1:]) and len(groups[0]) <= 3
    decimal = (float("".join(groups[:-1]) + "." + groups[-1]), len(groups[-1]))
    if not marks:
        return [(whole, 0)]
    if len(marks) == 1:
        return [decimal, (whole, 0)] if is_grouped and digits[0] != "0" else [decimal]
    if len(set(marks)) == 1:
        return [(whole, 0)] if is_grouped else []
    return [decimal] if marks.count(marks[-1]) == 1 else []


def _spelled_numbers(text: str) -> Iterator[Written]:
    for run in _SPELLED.finditer(text):
        words = re.split("[ -]", run.group().lower())
        value, used = spelled_value(words)
        start, end = run.start(), run.start() + len(" ".join(words[:used]))
        if used and (counted := _COUNTED.match(text, end)):
            is_percent = counted["percent"] is not None
            end = counted.end() if is_percent else end
            tolerance = 0.5 if value.is_integer() else 0.5 * 10.0 ** -len(str(value).partition(".")[2])
            yield Written(text[start:end], start, end, ((value, tolerance),), is_percent, not is_percent)


def spelled_value(words: Sequence[str]) -> tuple[float, int]:
    """Return the number that the words begin with, and how many of them say it; (0, 0) if they begin with none."""
    total = part = 0.0
    used = 0
    for used, (word, following) in enumerate(pairwise((*words, "", ""))):
        value = WORD_VALUES.get(word, 0.0)
        if word in WORD_VALUES and (not used or (value and part % 10 == 0 and (part % 100 == 0 or value < 10))):
            part += value
        elif word == "hundred" and used:
            part *= 100
        elif word in WORD_SCALES and used:
            total, part = total + part * WORD_SCALES[word], 0.0
        elif word == "point" and used and following in WORD_VALUES:
            digits = list(
                takewhile(lambda digit: digit < 10, (WORD_VALUES.get(each, 10.0) for each in words[used + 1 :]))
            )
            return float(f"{total + part:.0f}.{''.join(f'{digit:.0f}' for digit in digits) or 0}"), used + 1 + len(
                digits
            )
        elif not (word == "and" and used and words[used - 1] in WORD_SCALES and following in WORD_VALUES):
            break
    return total + part, used

"""Find the numbers of a text, in digits and in words, for the receipts and for the offline model."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_DIGITS = {word: str(digit) for digit, word in enumerate(_UNITS[:10])}
_WORD_VALUES = dict(zip((*_UNITS, *_TENS), map(float, (*range(20), *range(20, 100, 10))), strict=True))
_WORD_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_SCALES = _WORD_SCALES | {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "trillion": 1e12}
_ROUGH_SHARE = 0.05  # how far off a number behind "about" may be
_BLANK = "[ \t\u00a0\u2009\u202f]"
_PERCENT = r"[%％٪]|(?i:per ?cent|pct|prozent|pour ?cent|por ?ciento|por ?cento|процент)[^\W\d_]{0,4}"
_NUMBER = re.compile(
    rf"(?P<about>(?i:\b(?:about|around|roughly|nearly|almost))\s|[~≈]{_BLANK}?)?"
    rf"(?P<sign>(?<![\w%])[-+−]{_BLANK}?)?(?P<money>[$€£¥]{_BLANK}?)?"
    rf"(?P<digits>\d{{1,3}}(?:{_BLANK}\d{{3}}(?!\d)){{1,4}}(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*)"
    rf"(?P<exponent>[eE][-+]?\d{{1,3}}(?!\w))?"
    rf"(?P<scale>{_BLANK}?(?:[kKMB]|bn|mn|(?(money)[mb]|(?!))|(?i:thousand|million|billion|trillion))(?![^\W\d_]))?"
    rf"(?P<percent>{_BLANK}{{0,4}}(?:{_PERCENT})|{_BLANK}?[x×](?!\w))?"
)
_NUMBER_WORD = rf"(?:{'|'.join([*_WORD_VALUES, *_WORD_SCALES, 'point', 'and'])})\b"
_SPELLED = re.compile(rf"\b(?!and\b|point\b){_NUMBER_WORD}(?:[ -]{_NUMBER_WORD}){{0,11}}", re.IGNORECASE)
_COUNTED = re.compile(rf"[ -]{{0,3}}(?:(?P<percent>{_PERCENT})|(?:trades|wins|winners|losses|losers|dollars)\b)")
_MONTH = r"(?:jan|feb|mar|apr|(?-i:May)|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_NO_NUMBER = re.compile(
    r"(?i)https?://\S{1,2000}|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b(?=[a-z]{0,60}\d)(?=\d{0,60}[a-z])[0-9a-z]{20,}"
    r"|\b(?=[a-z]{0,11}\d)[0-9a-z]{2,12}(?:…|\.\.\.)[0-9a-z]{2,12}\b|#\d{1,9}\b"
    r"|\b\d{4}-\d\d(?:-\d\d)?(?:[t ]\d\d:\d\d(?::\d\d)?)?z?(?![\d%])|\b\d{1,2}:\d\d(?::\d\d)?(?![\d%])"
    rf"|\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}}(?!\d))(?:,? (?:19|20)\d\d)?\b(?! ?%)|\b{_MONTH} (?:19|20)\d\d\b"
    r"|\b(?:in|since|until|during) (?:19|20)\d\d\b(?! ?%)|(?m:^[ \t]{0,12}(?:[-*+•>] )?(?:\d{1,2}[.)] |[-*+•>] ))"
    r"|(?<!\$)\b(?:\d{1,6}(?:, | or | and | to |-|–)){0,3}\d{1,6}(?:\.\d{1,3})?[ -]?"
    r"(?:(?-i:[smhdwy])|(?:second|sec|minute|min|hour|hr|day|week|month|year|candle|daily return)s?)\b"
)
_MARKUP = str.maketrans("*_`\\", "    ")


class WrittenNumber(NamedTuple):
    text: str
    start: int
    end: int
    readings: tuple[tuple[float, float], ...]  # the values it may mean, each with its tolerance
    is_percent: bool  # a percentage or a multiple
    is_plain: bool  # a whole number without a unit: it may count anything


def mask(text: str) -> str:
    """Replace markup, and digits of addresses, ids, dates, durations and list items, by as many blanks."""
    return _NO_NUMBER.sub(lambda match: " " * len(match.group()), text).translate(_MARKUP)


def numbers_in(text: str) -> list[WrittenNumber]:
    """Return the numbers of a masked text in order. Words count only before a percent sign or something counted."""
    found = [number for match in _NUMBER.finditer(text) if (number := _read_written(match, text)) is not None]
    for index, (number, following) in enumerate(pairwise(found)):
        if following.is_percent and text[number.end : following.start] in ("-", "–", "—", " to ", " – "):
            found[index] = number._replace(is_percent=True, is_plain=False)
    return sorted([*found, *_spelled_numbers(text)], key=lambda number: number.start)


def _read_written(match: re.Match[str], text: str) -> WrittenNumber | None:
    first, end, is_percent = match.start("digits"), match.end(), match["percent"] is not None
    is_in_a_word = any(each.isalnum() and each < "\u2e80" for each in (text[first - 1 : first], text[end : end + 1]))
    values = _values_of(match["digits"])
    if not values or (is_in_a_word and not is_percent):
        return None
    factor = _SCALES[match["scale"].strip().lower()] if match["scale"] else 1.0
    factor *= float(f"1{match['exponent'] or ''}")
    sign = -1 if (match["sign"] or "").strip() in ("-", "−") else 1
    rough_share = _ROUGH_SHARE if match["about"] else 0.0
    readings = tuple(
        (sign * value * factor, max(0.5 * 10.0**-decimals, value * rough_share) * factor * (1 + 1e-9))
        for value, decimals in values
    )
    has_unit = is_percent or match["sign"] or match["money"] or match["scale"]
    is_plain = not has_unit and not all(decimals for _, decimals in values)
    written = re.sub(" {2,}", " ", match.group().strip())
    return WrittenNumber(written, match.start(), end, readings, is_percent, is_plain)


def _values_of(digits: str) -> list[tuple[float, int]]:
    """Return the values that digits may mean, with their decimals: two for "1,234", none for a version like 1.2.3."""
    digits = re.sub(r"['’\s]", "", digits)[:60]
    groups, marks = re.split(r"[.,]", digits), re.findall(r"[.,]", digits)
    whole, decimal = (float("".join(groups)), 0), (float("".join(groups[:-1]) + "." + groups[-1]), len(groups[-1]))
    is_grouped = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if len(marks) == 1:
        return [decimal, whole] if is_grouped and digits[0] != "0" else [decimal]
    if len(set(marks)) <= 1:
        return [whole] if is_grouped or not marks else []
    return [decimal] if marks.count(marks[-1]) == 1 else []


def _spelled_numbers(text: str) -> Iterator[WrittenNumber]:
    for match in _SPELLED.finditer(text):
        words = re.split("[ -]", match.group().lower())
        value, used = spelled_value(words)
        end = match.start() + len(" ".join(words[:used]))
        if used and (counted := _COUNTED.match(text, end)):
            is_percent = counted["percent"] is not None
            end = counted.end() if is_percent else end
            tolerance = 0.5 if value.is_integer() else 0.5 * 10.0 ** -len(str(value).partition(".")[2])
            written = text[match.start() : end]
            yield WrittenNumber(written, match.start(), end, ((value, tolerance),), is_percent, not is_percent)


def spelled_value(words: Sequence[str]) -> tuple[float, int]:
    """Return the number that the words begin with, and how many words it has; (0, 0) if they begin with none."""
    total = part = 0.0
    used = 0
    for used, (word, following) in enumerate(pairwise((*words, "", ""))):
        value = _WORD_VALUES.get(word, 0.0)
        if word in _WORD_VALUES and (not used or (value and part % 10 == 0 and (part % 100 == 0 or value < 10))):
            part += value
        elif word == "hundred" and used:
            part *= 100
        elif word in _WORD_SCALES and used:
            total, part = total + part * _WORD_SCALES[word], 0.0
        elif word == "point" and used and following in _DIGITS:
            decimals = "".join(takewhile(bool, (_DIGITS.get(each, "") for each in words[used + 1 :])))
            return float(f"{total + part:.0f}.{decimals}"), used + 1 + len(decimals)
        elif not (word == "and" and used and words[used - 1] in _WORD_SCALES and following in _WORD_VALUES):
            break
    return total + part, used

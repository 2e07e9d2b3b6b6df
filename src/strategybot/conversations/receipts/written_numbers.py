"""Numbers as people write them: 8,765.44 and 8.765,44, 9.8k, 1e3, −12 %, “three hundred percent”.

Pure, and linear in the length of the text. What only looks like a number is left out: the digits of addresses, ids and
dates, clock times, durations, the numbers of a list.
"""

import math
import re
from functools import lru_cache
from typing import NamedTuple

from strategybot.conversations.receipts.spelled_numbers import spelled_numbers

_BLANK = "[ \t\u00a0\u2009\u202f]"
_PERCENT = (
    "[%％﹪٪]|(?i:percent|per cent|pct|prozent|pour ?cent|por ?ciento|por ?cento|per ?cento|procent|процент)"
    r"[^\W\d_]{0,4}"
)
_NUMBER = re.compile(
    rf"(?P<sign>[-+−–—±]{_BLANK}?)?(?P<money>[$€£¥]{_BLANK}?)?"
    rf"(?P<digits>\d{{1,3}}(?:{_BLANK}\d{{3}}(?!\d)){{1,4}}(?:[.,]\d+)?|\d+(?:[.,'’٫٬]\d+)*)"
    rf"(?P<exponent>[eE][-+−]?\d{{1,4}}(?!\w))?"
    rf"(?P<scale>{_BLANK}?(?:[kK]|bn|mn|(?(money)[mb]|[MB])|(?i:thousand|million|billion|trillion))(?![^\W\d_]))?"
    rf"(?P<percent>{_BLANK}{{0,4}}(?:{_PERCENT}))?"
)
_ABOUT = re.compile(r"(?i:\b(?:about|around|roughly|nearly|almost|approximately|approx\.?|circa|some)|[~≈])\s?$")
_LONGEST_ABOUT = 16
_DURATION = re.compile(
    rf"{_BLANK}?-?(?:(?:s|m|h|d|w|y)\b|(?i:secs?|mins?|hrs?|(?:second|minute|hour|day|week|month|year|candle)s?)\b)"
)
_MULTIPLE = re.compile(rf"{_BLANK}?[x×](?!\w)")
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|(?-i:May)|june?|july?|aug(?:ust)?|sep(?:t|tember)?|"
    "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_NO_PERCENT = "(?![\\d%％]|[ \u00a0\u202f][%％])"
_OPAQUE = re.compile(
    r"(?i)https?://\S{1,2000}"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b(?=\d{0,60}[a-z])(?=[a-z]{0,60}\d)[0-9a-z]{20,}(?:-[a-z]{2,20})?"
    r"|\b(?=[a-z]{0,11}\d)[0-9a-z]{2,12}(?:…|\.\.\.)[0-9a-z]{2,12}\b"
    rf"|\b\d{{4}}-\d\d(?:-\d\d)?(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d{{1,9}})?)?)?z?{_NO_PERCENT}"
    rf"|\b\d{{1,4}}([./])\d{{1,2}}\1\d{{2,4}}{_NO_PERCENT}|\b\d{{1,2}}:\d\d(?::\d\d)?{_NO_PERCENT}"
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|\.)? {_MONTH}\b(?: (?:19|20)\d\d{_NO_PERCENT})?"
    rf"|\b{_MONTH} (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?(?:19|20)\d\d{_NO_PERCENT}|\b{_MONTH} \d{{1,2}}{_NO_PERCENT}"
    rf"|\b(?:in|since|during|until|year|early|late|mid) (?:19|20)\d\d{_NO_PERCENT}|\b24/7\b"
    r"|(?m:^[ \t]{0,12}(?:[-*+•>] \d{1,2}[.)] |[-*+•>] |\d{1,2}[.)] ))"
)
_LIST = re.compile(rf",?{_BLANK}?(?:[-–—]|to|and|or)?{_BLANK}?")
_LONGEST_JOINT = 8
_RANGE = re.compile(rf"{_BLANK}?(?:[-–—~]|to|bis|à){_BLANK}?")
_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9, "mn": 1e6}
_SCALES |= {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_MARKUP = str.maketrans("*_`\\", "    ")
_FIRST_SCRIPT_WITHOUT_BLANKS = "\u2e80"
_MINUS, _EITHER = frozenset("-−"), frozenset("–—±")
_ROUGH_ENDS = frozenset("tdyexa.~≈")
LONGEST_NUMBER = 60
LARGEST_POWER = 300
ROUGHLY = 0.05


class Written(NamedTuple):
    """A number as it stands in a text, and what it may mean: values, each with how far off it may be."""

    text: str
    start: int
    end: int
    readings: tuple[tuple[float, float], ...]
    is_percent: bool = False
    is_multiple: bool = False
    is_money: bool = False
    is_plain: bool = True
    """Neither percent nor money, no fraction, no multiple: it may count anything."""
    is_loose: bool = False
    """Part of a word, or a time: a number only if it is a percentage."""
    either_sign: bool = False
    is_time: bool = False


def opened(text: str) -> str:
    """The text at its length, with blanks for markup and for whatever has digits that are no number."""
    return _OPAQUE.sub(lambda match: " " * len(match.group()), text).translate(_MARKUP)


def numbers_in(text: str) -> list[Written]:
    """The free-standing numbers of an opened text, in order, spelled-out ones too."""
    numbers = [_number(match, text) for match in _NUMBER.finditer(text)]
    spelled = [
        Written(each.text, each.start, each.end, ((each.value, each.tolerance),), each.is_percent)
        for each in spelled_numbers(text)
    ]
    if spelled:
        numbers = sorted([*numbers, *spelled], key=lambda number: number.start)
    numbers = _with_shared_units(numbers, text)
    return [number for number in numbers if number.is_percent or not (number.is_loose or number.is_time)]


def _with_shared_units(numbers: list[Written], text: str) -> list[Written]:
    """Of “1-77 %” both ends are percentages, and of “10, 30 or 60 seconds” all are times."""
    shared = numbers[-1:]
    for number in reversed(numbers[:-1]):
        following, both = shared[-1], number
        if following.start - number.end <= _LONGEST_JOINT and not number.is_percent and not number.is_time:
            if following.is_percent and _RANGE.fullmatch(text, number.end, following.start):
                both = number._replace(is_percent=True, is_plain=False)
            elif following.is_time and _LIST.fullmatch(text, number.end, following.start):
                both = number._replace(is_time=True)
        shared.append(both)
    return shared[::-1]


def _number(match: re.Match[str], text: str) -> Written:
    sign, first = _sign(match, text)
    start, end = match.start() if sign else first, match.end()
    is_percent = match["percent"] is not None
    multiple = None if is_percent else _MULTIPLE.match(text, end)
    is_multiple, end = multiple is not None, multiple.end() if multiple else end
    values = _values(match["digits"])
    about = _ABOUT.search(text, max(0, start - _LONGEST_ABOUT), start) if _may_be_rough(text, start) else None
    factor = _factor(match["scale"], match["exponent"])
    written = text[about.start() if about else start : end].strip()
    return Written(
        text=re.sub(" {2,}", " ", written) if "  " in written else written,
        start=start,
        end=end,
        readings=_readings(values or (), factor, sign in _MINUS, about is not None),
        is_percent=is_percent,
        is_multiple=is_multiple,
        is_money=match["money"] is not None,
        is_plain=not (is_percent or is_multiple or match["money"] or (values and values[0][1])),
        is_loose=values is None or _is_tied(text, first, end),
        either_sign=sign in _EITHER,
        is_time=not (is_percent or is_multiple or match["money"]) and _DURATION.match(text, end) is not None,
    )


def _sign(match: re.Match[str], text: str) -> tuple[str, int]:
    """The sign and where the number begins behind it; between two numbers, or in a word, it is none."""
    if match["sign"] is None:
        return "", match.start()
    ahead = text[max(0, match.start() - 2) : match.start()]
    between = ahead.rstrip()[-1:]
    if ahead[-1:].isalnum() or between.isdigit() or between in {"%", "％"}:
        return "", match.end("sign")
    return match["sign"].strip(), match.end("sign")


def _may_be_rough(text: str, start: int) -> bool:
    return start > 0 and (
        text[start - 1] in "~≈" or (text[start - 1] == " " and start > 1 and text[start - 2] in _ROUGH_ENDS)
    )


def _is_word(character: str) -> bool:
    return character.isalnum() and character < _FIRST_SCRIPT_WITHOUT_BLANKS


def _is_tied(text: str, first: int, end: int) -> bool:
    """To a word, to a number sign, or to digits as in a time: “EE39”, “top-5”, “#7”, “12:30”."""
    before, after = text[first - 1 : first], text[end : end + 1]
    if before == " " and after in (" ", ""):
        return False
    if _is_word(before) or _is_word(after) or before == "#":
        return True
    further = text[max(0, first - 2) : max(0, first - 1)]
    if before == "-":
        return _is_word(further) and not further.isdigit()
    return (before == ":" and further.isdigit()) or (after == ":" and text[end + 1 : end + 2].isdigit())


def _factor(scale: str | None, exponent: str | None) -> float:
    factor = _SCALES[scale.strip().lower()] if scale else 1.0
    if exponent is None:
        return factor
    power = int(exponent[1:].replace("−", "-"))
    return factor * 10.0**power if abs(power) <= LARGEST_POWER else math.inf


@lru_cache(maxsize=4096)
def _readings(
    values: tuple[tuple[float, int], ...], factor: float, is_negative: bool, is_rough: bool
) -> tuple[tuple[float, float], ...]:
    """Each value, and how far what was found may be from it: half of its last digit, or a part of it."""
    readings = []
    for value, decimals in values:
        size, half_a_digit = value * factor, 0.5 * 10.0**-decimals * factor
        tolerance = max(half_a_digit, size * ROUGHLY) if is_rough else half_a_digit
        readings.append((-size if is_negative else size, tolerance * (1 + 1e-9)))
    return tuple(readings)


@lru_cache(maxsize=4096)
def _values(digits: str) -> tuple[tuple[float, int], ...] | None:
    """Each value with its decimals. “1,234” may be either; None for what is no number, such as a version."""
    if len(digits) > LONGEST_NUMBER:
        return ()
    digits = re.sub(r"['’\s]", "", digits).replace("٫", ".").replace("٬", ",")
    marks = [character for character in digits if character in ".,"]
    groups = re.split(r"[.,]", digits)
    whole, joined = "".join(groups), all(len(group) == 3 for group in groups[1:])
    decimal = (float("".join(groups[:-1]) + "." + groups[-1]), len(groups[-1])) if marks else None
    if decimal is None:
        return ((float(whole), 0),)
    if len(marks) == 1:
        is_grouped = joined and len(groups[0]) <= 3 and not digits.startswith("0")
        return (decimal, (float(whole), 0)) if is_grouped else (decimal,)
    if len(set(marks)) == 1:
        return ((float(whole), 0),) if joined else None
    is_decimal = marks.count(marks[-1]) == 1 and all(len(group) == 3 for group in groups[1:-1])
    return (decimal,) if is_decimal else None

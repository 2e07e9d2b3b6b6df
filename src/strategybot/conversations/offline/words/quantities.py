"""How people write amounts: spelled numbers, units of time, shares and multiples."""

import math
import re

from rapidfuzz.distance import OSA

SPELLED_ONES = {
    word: float(value)
    for value, word in enumerate(
        (
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        )
    )
}  # fmt: skip
SPELLED_TENS = {
    word: float(value)
    for value, word in zip(
        range(20, 110, 10),
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"),
        strict=True,
    )
}
SPELLED_SCALES = {"hundred": 1e2, "thousand": 1e3, "grand": 1e3, "million": 1e6}
VULGAR_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
FRACTION_WORDS = {
    "half": 50.0, "quarter": 25.0, "third": 33.33, "fifth": 20.0, "tenth": 10.0, "twentieth": 5.0, "sixth": 16.67,
}  # fmt: skip
PARTS = {"half": 0.5, "quarter": 0.25}  # of a unit: "half an hour"
MULTIPLE_WORDS = {
    "twice": 2.0, "thrice": 3.0,
    "double": 2.0, "doubles": 2.0, "doubled": 2.0, "doubling": 2.0,
    "triple": 3.0, "triples": 3.0, "tripled": 3.0, "tripling": 3.0,
    "quadruple": 4.0, "quadruples": 4.0, "quadrupled": 4.0, "quintuple": 5.0, "quintuples": 5.0,
}  # fmt: skip
PERCENT_UNITS = {
    "%": 1.0, "percent": 1.0, "percents": 1.0, "pct": 1.0, "prct": 1.0, "pc": 1.0, "perc": 1.0, "pp": 1.0,
    "percentage": 1.0, "point": 1.0, "points": 1.0, "pts": 1.0, "bps": 0.01, "procent": 1.0, "prozent": 1.0,
    "pourcent": 1.0, "porcent": 1.0, "porciento": 1.0, "perzent": 1.0,
}  # fmt: skip
MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
TIME_UNITS = {
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0,
    "m": MINUTE, "min": MINUTE, "mins": MINUTE, "minute": MINUTE, "minutes": MINUTE,
    "mn": MINUTE, "mnt": MINUTE, "minit": MINUTE, "minits": MINUTE,
    "h": HOUR, "hr": HOUR, "hrs": HOUR, "hour": HOUR, "hours": HOUR,
    "d": DAY, "day": DAY, "days": DAY,
    "w": 7 * DAY, "wk": 7 * DAY, "wks": 7 * DAY, "week": 7 * DAY, "weeks": 7 * DAY, "fortnight": 14 * DAY,
    "fortnights": 14 * DAY,
    "mo": 30 * DAY, "mth": 30 * DAY, "mths": 30 * DAY, "mos": 30 * DAY, "month": 30 * DAY, "months": 30 * DAY,
    "y": 365 * DAY, "yr": 365 * DAY, "yrs": 365 * DAY, "year": 365 * DAY, "years": 365 * DAY,
}  # fmt: skip
ADJECTIVES = {"hourly": HOUR, "daily": DAY, "weekly": 7 * DAY}
_LONG_UNITS = [unit for unit in (*TIME_UNITS, *PERCENT_UNITS) if len(unit) > 3]
_LONG_UNITS += ["cents", "dollars", "bucks", "thirds", "quarters", "times", *ADJECTIVES]
_SUFFIXES = {"k": 1e3, "m": 1e6}


def number_of(text: str) -> float:
    """1,200.5 and 2,5 and 1/2 and 1.2k and $3m; what is beyond any number is infinite."""
    digits = re.sub(r"[$+\- ]", "", re.sub(r"e-\d+$", "", text))
    power = re.search(r"e(-\d+)$", text)
    scale = _SUFFIXES.get(digits[-1], 1.0)
    digits = digits.rstrip("km")
    if "/" in digits:
        over, under = digits.split("/")
        return int(over) / int(under) if int(under) else math.inf
    if re.fullmatch(r"\d+,\d{1,2}", digits):
        digits = digits.replace(",", ".")
    return float(digits.replace(",", "") + (f"e{power[1]}" if power else "")) * scale


def mended_unit(word: str) -> str:
    """The unit of which this word is a typo, such as mnths or minuts, or the word itself."""
    if len(word) < 4 or word in TIME_UNITS or word in PERCENT_UNITS:
        return word
    near = [
        unit
        for unit in _LONG_UNITS
        if (unit[0] == word[0] or sorted(unit) == sorted(word)) and OSA.distance(word, unit, score_cutoff=1) <= 1
    ]
    return near[0] if near else word


def duration_text(seconds: float) -> str | None:
    """15m, 1h or 2d as the language of strategies writes it; None for what is no whole minute up to 30 days."""
    if seconds % MINUTE or not MINUTE <= seconds <= 30 * DAY:
        return None
    for unit, length in (("d", DAY), ("h", HOUR)):
        if seconds % length == 0:
            return f"{int(seconds // length)}{unit}"
    return f"{int(seconds // MINUTE)}m"

"""Numbers in words and in digits, for the receipts and for the offline model."""

from collections.abc import Sequence

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORD_VALUES = {word: float(value) for value, word in enumerate(_UNITS)}
WORD_VALUES |= {word: 10.0 * (place + 2) for place, word in enumerate(_TENS)}
WORD_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}


def spelled_value(words: Sequence[str]) -> tuple[float, int]:
    """Return the number that the words begin with, and how many of them say it; (0, 0) if they begin with none."""
    total = part = 0.0
    used = 0
    while used < len(words):
        word = words[used]
        if word in WORD_VALUES and (
            (part % 10 == 0 and (part % 100 == 0 or WORD_VALUES[word] < 10) and WORD_VALUES[word]) or not used
        ):
            part += WORD_VALUES[word]
        elif word == "hundred" and used:
            part *= 100
        elif word in WORD_SCALES and used:
            total, part = total + part * WORD_SCALES[word], 0.0
        elif word == "point" and used and used + 1 < len(words) and words[used + 1] in WORD_VALUES:
            return _with_decimals(total + part, words, used + 1)
        elif (
            word == "and"
            and used
            and words[used - 1] in WORD_SCALES
            and used + 1 < len(words)
            and words[used + 1] in WORD_VALUES
        ):
            pass
        else:
            break
        used += 1
    return total + part, used


def _with_decimals(whole: float, words: Sequence[str], at: int) -> tuple[float, int]:
    digits = ""
    while at < len(words) and words[at] in WORD_VALUES and WORD_VALUES[words[at]] < 10:
        digits += f"{WORD_VALUES[words[at]]:.0f}"
        at += 1
    return float(f"{whole:.0f}.{digits or 0}"), at

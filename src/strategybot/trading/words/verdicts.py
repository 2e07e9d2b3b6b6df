"""The words of a verdict. API, web app, chat, terminal and MCP all show these sentences and no others.

They describe the past of one market. They never call a strategy good or safe, and recommend nothing.
"""

import math
import re

from strategybot.trading.evidence.checks import Finding
from strategybot.trading.evidence.strength import Evidence, Grade
from strategybot.trading.words.numbers import counted, signed, sized

GRADE_WORDS: dict[Grade, str] = {
    "holds_up": "Holds up so far",
    "fragile": "Fragile",
    "luck": "Looks like luck",
    "too_few": "Not enough trades to tell",
    "loses": "Loses money",
}


UNNAMED_TOKEN = "this token"
THESE_TOKENS = "these tokens"
CANNOT_BE_SOLD = "This token can probably not be sold"
UNSOLD = "Whoever buys it cannot sell it again, so nobody could have had this result."
METHOD = (
    "We check whether the market rose more while you were in than while you were out, by more than luck explains, "
    "and whether you made money after costs and probably beat simply holding that share all the time."
)
COSTS_EAT_IT = "The timing is better than luck, but the costs eat it."


_IMPERSONAL = (
    ("while you were", "while the strategy was"),
    ("whether you made", "whether it made"),
    ("You were in all the time: nothing tells your", "The strategy was in all the time: nothing tells its"),
    ("This is your", "This is the"),
)
_VERSIONS_TRIED = re.compile(r"You tried (\d+) versions")


def impersonal(sentence: str) -> str:
    """Return a sentence of a verdict for readers who have not made the run, as on the page of a share."""
    for own, other in _IMPERSONAL:
        sentence = sentence.replace(own, other)
    return _VERSIONS_TRIED.sub(r"\1 versions were tried", sentence)


def headline(grade: Grade, evidence: Evidence, worst: str | None) -> str:
    """Return the grade in words; for a fragile strategy with its worst weakness."""
    if grade == "too_few" and evidence.costs_eat_it:
        return COSTS_EAT_IT
    if grade != "fragile" or worst is None:
        return GRADE_WORDS[grade]
    return f"{GRADE_WORDS[grade]}: {worst[0].lower()}{worst[1:]}"


def explanation(grade: Grade, evidence: Evidence, needed: int | None) -> str:
    """Return one sentence that says what the grade means for this run."""
    match grade:
        case "holds_up":
            return "Nothing we tried broke it. That is no promise: an edge can end."
        case "fragile":
            return "The evidence is strong, but a small change takes the profit away."
        case "loses":
            return "It lost money in this test, or its average trade did."
        case "luck" if evidence.tries > 1:
            return f"{versions(evidence.tries)} The best of {evidence.tries} looks this good without any pattern."
        case "luck":
            return "A result like this is common without any pattern."
        case "too_few" if evidence.costs_eat_it:
            return "It bought before rises, but what fees and slippage leave of them is common without any pattern."
        case "too_few":
            return _too_few(evidence.trades, needed)


def _too_few(trades: int, needed: int | None) -> str:
    made = "It closed no trade" if trades == 0 else f"It closed {counted(trades, 'trade')}"
    return f"{made}; about {needed} like these would tell." if needed else f"{made}."


def timing(rise_in: float | None, rise_out: float | None, in_percent: float = 50) -> str:
    """Return "The market rose 34 % while you were in and fell 5 % while you were out.".

    It names no share of the time: the verdict counts from open to open, and the metric `exposure_percent`, which is
    shown beside it, counts closes. Where the larger rise is the slower one, it says which time was longer.
    """
    if rise_out is None:
        return "You were in all the time: nothing tells your timing from holding."
    if rise_in is None:
        return "The market rose beyond any number while you were in."
    is_faster = _growth(rise_in) * (100 - in_percent) > _growth(rise_out) * in_percent
    is_plain = (rise_in > rise_out) == is_faster
    time = "" if is_plain else f" in the {'longer' if in_percent < 50 else 'shorter'} time"
    return f"The market {_moves(rise_in)} while you were in and {_moves(rise_out)}{time} while you were out."


def _growth(rise: float) -> float:
    return math.log1p(max(rise, -99.99) / 100)


def _moves(percent: float) -> str:
    size = sized(percent)
    return "did not move" if float(size) == 0 else f"{'rose' if percent > 0 else 'fell'} {size} %"


def chance(evidence: Evidence, token: str) -> str:
    which = tries(evidence.tries, token)
    if evidence.strong or evidence.tries == 1:
        return f"{which} {_likelihood(evidence.p_adjusted)}"
    return f"{which} The best of {evidence.tries} looks this good without any pattern."


def tries(count: int, token: str) -> str:
    """Return "This is your 14th try on PIPO."."""
    return f"This is your {ordinal(count)} try on {token}."


def versions(count: int) -> str:
    return f"You tried {count} versions."


def _likelihood(p: float) -> str:
    if p < 0.01:
        return "Without any pattern, less than 1 in 100 such results would look this good."
    return f"Without any pattern, about {max(1, round(100 * p))} in 100 such results would look this good."


def weakness(finding: Finding, best: int) -> str:
    """Return the sentence of a check, passed or failed."""
    match finding.name, finding.passed:
        case "delay", True:
            return "Bought one candle later, most of the profit stays."
        case "delay", False:
            on_time, late = (part.value for part in finding.parts)
            if on_time <= 0:
                change = "too" if signed(late) == signed(on_time) else f"instead of {signed(on_time)} %"
                return f"Bought one candle later it makes {signed(late)} % {change}."
            return "Bought one candle later, most of the profit is gone."
        case "costs", True:
            return f"At twice the costs it still makes {signed(finding.value)} %."
        case "costs", False:
            return "At twice the costs it makes no money."
        case "best_trades", passed:
            trades = "its best trade" if best == 1 else f"its {best} best trades"
            return f"Without {trades} it {'still makes money' if passed else 'loses'}."
        case "neighbours", _:
            profitable = sum(part.value > 0 for part in finding.parts)
            return f"With one number changed a little, {profitable} of {len(finding.parts)} versions make money."
        case _:
            return _time(finding)


def _time(finding: Finding) -> str:
    if len(finding.parts) == 3:
        thirds = ("no third", "one third", "two thirds", "every third")[sum(part.value < 0 for part in finding.parts)]
        return (
            "Every third of the time made money or kept it."
            if finding.passed
            else f"It lost money in {thirds} of the time."
        )
    return (
        "The last quarter of the time did not lose." if finding.passed else "In the last quarter of the time it loses."
    )


def other_tokens(count: int, good: int) -> str:
    return f"The same rules on {counted(count, 'other token')}: better than chance on {good}."


def ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"

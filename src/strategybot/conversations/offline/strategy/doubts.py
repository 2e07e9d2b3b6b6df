"""What a strategy cannot say, and what no rule took up: it is asked about, so that nothing of an order is dropped."""

from strategybot.conversations.offline.reading import Reading
from strategybot.conversations.offline.strategy.pairing import Pairing
from strategybot.conversations.offline.words.lines import Item, Line, some
from strategybot.conversations.offline.words.plain_words import words_of
from strategybot.conversations.offline.words.quantities import duration_text

_MOVES = r"(?:DROP|RISE|VOLUME|LOSS|PROFIT|CROSS|BREAK|ABOVE|BELOW|trade|trades|STOP)"
_EDITS = r"(?:set|change|make|move|put|RAISE|REDUCE|REMOVE|GONE|HALVE|×(?= (?:the|my))|adjust|switch|update)"
_ONCE = r"(?:if|when|whenever|once|after)"
_CONDITIONAL_EDIT = (
    rf"{_ONCE} (?:[^;.]+ )?{_MOVES} (?:[^;.]+ )?{_EDITS}|{_EDITS} (?:[^,;.]+ )?{_ONCE} (?:[^,;.]+ )?{_MOVES}"
)
_FROM = "(?:ABOVE|BELOW|off|from|of)" + some("the its a an last recent ~")
_SO_STATED = r"~ (?:max )?so (?:COOLDOWN|TIMED)"  # "one trade every 2 hours, so cooldown 2h"
_TRAIL_LATER = (
    r"TRAIL(?: \S+){0,2} [%#] (?:after|once|when|from|at)(?: a| an)* [%#] (?:PROFIT|RISE|TARGET)|"
    r"START(?: the)? TRAIL (?:at|from|after|once)"
)
_MEANT = r"(?:sorry|oops|whoops|i mean|i meant|actually|rather)"
_SELLING = words_of("sell exit close dump sells exits closes dumps unload")
_BUYING = words_of("buy enter ape purchase")
_SALES = frozenset({"stop_loss_percent", "take_profit_percent", "trailing_stop_percent", "max_holding"})
_COUNTED = words_of("losses wins trades winners losers dips drops pumps buys sells candles bars times orders positions")
_QUESTIONS = (
    (
        rf"[%#~×](?: [,.;])* {_MEANT}(?: [,.;])*(?: \S+){{0,3}} (?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|DROP|RISE)",
        "Which of the two do you mean?",
    ),
    (  # "buy when it drops 8%, actually rises 8%"
        (
            r"(?:[%#~×]|DROP|RISE|VOLUME) (?:[,.;] )+(?:hmm |oh |no )*(?:actually|rather|hmm|oh|no|COOLDOWN)"
            r"(?: ,)*(?: the| a| on| if| it| when)* (?:[%#×] )?(?:DROP|RISE|VOLUME)"
        ),
        "Which of the two do you mean?",
    ),
    (
        r"ALL(?: the| my)* STOP(?! (?:level )?(?:and|,|/))(?: [^,;.\s]+){0,3} [%#]",  # "both stops to 6%"
        "Which of them: the stop loss, the trailing stop, or both? Say “the stop and the trailing stop to …”.",
    ),
    (r"[%#~×$](?: \S+)* FORGET$", "Should it change, or stay as it is?"),
    (
        _TRAIL_LATER,
        "The trailing stop follows from the start. How many percent under the peak should it be?",
    ),
    (
        r"BUY (?:AGAIN|more) (?:if|when|whenever)",
        "It buys once and then sells before it buys again. When should it buy?",
    ),
    (
        r"# (?:DROP|RISE) (?:CANDLE|~)",
        "I look at how far the price moves, not at candles. How many percent, in what time?",
    ),
    (
        r"(?:stays|stay|staying|remains|remain|still|been) (?:DROP|RISE)(?: \S+)? [%#](?: \S+)? for",
        "I can watch how far the price moves over a time, not how long it stays there. Shall I take that time?",
    ),
    (
        r"UNDO(?: that| it| this| please| first)* (?:and|then|,|;|\.)(?: \S+)* [%#~×$]",
        "One after the other: undo first?",
    ),
    (r"GONE(?: CONDITION)? (?:change|changes|edit|update)", "Should that go, or only its last change? Say “undo”."),
    (
        r"(?:STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX) (?:RAISE|REDUCE|RISE|DROP) [%#~](?! (?:RAISE|REDUCE))",
        "Should it change by that much, or to it?",
    ),
    (
        (
            r"(?:STOP|TRAIL|TARGET)(?: [^,;.\s]+){0,2} [%#] of(?: my| the| total| whole)* CASH|"
            r"[%#] of(?: my| the)* CASH STOP"
        ),
        "A stop or a target is a share of the price paid, not of the cash. How many percent should it be?",
    ),
    (
        r"(?:on|for|with|of)(?: a| the| only| just)* ½ (?:of |the |my )*(?:SIZE|position|positions|trade|TOKEN)",
        "It buys and sells a position as a whole. Should this hold for all of it?",
    ),
    (
        r"SELL(?: it| the| my| off)* [%½](?: of(?: it| the| my)*(?: SIZE| position)?)? (?:at|when|on|once|if|after)",
        "It sells a position as a whole. At how many percent should it sell all of it?",
    ),
    (
        r"(?:^|[.;] )(?:my|the) (?:STOP|TARGET|TRAIL|COOLDOWN|HOLDMAX|SIZE) is (?:at )?[%#~](?= [.;] .)",
        "Is that so now, or should it be so? Say “set … to …”.",
    ),
    (r"RAISE(?: \S+){0,4} HALVE", "Half as much again, or half of it? What should it be?"),
    (
        rf"(?:STOP|TARGET)(?: \S+)? [%#] {_FROM} (?:HIGH|LOW|CLOSE)",
        "A stop or a target is measured from the price paid. How many percent should it be?",
    ),
    (
        r"CHECK [%#](?! (?:DROP|RISE|LOSS|PROFIT|VOLUME|STOP|TARGET))",
        "It can buy only once before it sells. Which one amount should I take?",
    ),
    (
        r"(?:first|second|third|next|½|previous) (?:trade|trades|SIZE|order|STOP|TARGET)",
        "A strategy treats every trade alike. Should this hold for all of them?",
    ),
    (
        r"VOLUME(?: (?:is|stays|goes|gets|FILL|at|to|be|of|has|still))* BELOW",
        "I can watch for a high volume, not for a low one. Which multiple of the average should it reach?",
    ),
    (
        r"(?:STOP|TRAIL)(?: \S+)? to (?:the |my |its )*BUY",
        "The stop loss stays where it is while a position is open. How many percent should it be?",
    ),
)


def question_line(line: Line, reading: Reading) -> None:
    """Shapes of language that no field of a strategy can hold."""
    reading.questions += [question for pattern, question in _QUESTIONS if line.has(pattern)]
    following = zip(line.items, line.items[1:], strict=False)
    if any(item.name == "#" and behind.text.lower() in _COUNTED for item, behind in following):
        reading.questions.append("I cannot count trades or moves. When should it happen, and at how many percent?")
    if line.has(_CONDITIONAL_EDIT) and not line.has("BUY|SELL|ADD"):
        reading.questions.append("I cannot make a change wait for something. Should I make it now?")


def question_left_overs(pairing: Pairing, timed: set[int], reading: Reading) -> None:
    """Whatever amount no field took up."""
    line = pairing.line
    left = [line.items[place] for place in pairing.left_over(timed)]
    if line.has(_SO_STATED):
        said = {change.value for change in reading.changes.values()}
        left = [item for item in left if not (item.is_duration and _written(item) in said)]
    if any(item.name == "↔" for item in line.items):
        reading.questions.append("You wrote a range. Which one number should I take?")
    if pairing.is_too_much:
        reading.questions.append("That is a lot at once. Could you say it in smaller steps?")
    elif len(left) == 1 and not reading.says_something and left[0].name in "%#×~" and left[0].token:
        former = [claim for claim in [*reading.claimed, *reading.denied] if claim.is_time == left[0].is_duration]
        if len(former) == 1 and len(reading.claimed) + len(reading.denied) == 1:
            reading.swap = (former[0], _written(left[0]) if left[0].is_duration else left[0].token.value)
            return
        reading.bare.append((left[0].name, _written(left[0]) if left[0].is_duration else left[0].token.value))
    elif left:
        numbers = ", ".join(_written(item) for item in left[:4])
        reading.questions.append(f"I could not tell what {numbers} stands for. What is it?")
    if (
        reading.entry
        and line.has("^(?:and |so )?(?:if|when|whenever|once)")
        and not line.has("BUY|SELL|ADD|STOP|TARGET|TRAIL|SIZE")
    ):
        reading.questions.append("And what should it do then: buy or sell?")


def question_idle_verbs(line: Line, reading: Reading) -> None:
    """As much is read as is ordered: of "… sell at 6% up. if i'm 3% down, sell too" the second sale may be lost."""
    stays = len(reading.removed) + len(reading.kept)
    sales = len(reading.exit) + len(reading.changes.keys() & _SALES) + stays
    if _verbs(line, "SELL", _SELLING) > max(sales, 1):
        reading.questions.append("I read fewer sales than you wrote. When should it sell?")
    if _verbs(line, "BUY", _BUYING) > max(len(reading.entry) + stays, 1):
        reading.questions.append("I read fewer reasons to buy than you wrote. When should it buy?")


def _verbs(line: Line, name: str, words: frozenset[str]) -> int:
    """How often it is ordered, headings apart: "exit: sell when …"."""
    return sum(line.items[place].text.lower().split()[0] in words for place, _ in line.spans(f"{name}(?! :)"))


def _written(item: Item) -> str:
    """A duration with its unit, which its text may lack."""
    return (duration_text(item.token.value) if item.is_duration and item.token else None) or item.text

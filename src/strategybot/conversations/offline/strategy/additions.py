"""Whether an "also" or a "plus" adds a condition, or only joins two orders: "drop 6% plus stop loss 4%"."""

from strategybot.conversations.offline.words.lines import Line
from strategybot.conversations.offline.words.plain_words import words_of

_JOINING = words_of(
    """
    let make set change put move use keep RAISE REDUCE HALVE REMOVE GONE TIMED REPLACE instead STOP TARGET TRAIL SIZE
    COOLDOWN HOLDMAX ALLIN CASH HOLD WINDOW ANY ALL measure START TEST RUN SHARED
    """
)
_CONDITIONS = words_of("DROP RISE VOLUME ABOVE BELOW CROSS BREAK SELL BUY CONDITION LOSS PROFIT")
_FIELDS = words_of("STOP TARGET TRAIL SIZE COOLDOWN HOLDMAX TIMED SHARED")
_ENDS = frozenset({";", ".", "?"})


def adds_condition(line: Line, place: int) -> bool:
    """By what stands next behind it; at the end of a sentence ("… as well") it is said of what stands before."""
    for item in line.items[place + 1 :]:
        if item.name in _ENDS:
            return not _is_of_field(line, place)
        if item.name in _CONDITIONS:
            return True
        if item.name in _JOINING:
            return False
    return not _is_of_field(line, place)


def _is_of_field(line: Line, place: int) -> bool:
    """ "… . stop to 7 as well": what it stands behind, in its sentence, is no condition."""
    starts = [number for number, item in enumerate(line.items[:place]) if item.name in _ENDS]
    names = {item.name for item in line.items[max(starts, default=-1) + 1 : place]}
    return bool(names & _FIELDS) and not names & _CONDITIONS


def adds_exit(line: Line, place: int) -> bool:
    """ "wait for an 8% dip and also get out when …": what it adds is about selling."""
    if place and line.items[place - 1].name == "SELL":  # "exit also on …"
        return True
    following = (item.name for item in line.items[place + 1 :] if item.name in _CONDITIONS or item.name in _ENDS)
    return next(following, "") == "SELL"

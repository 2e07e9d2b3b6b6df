"""Which frames are about buying and which about selling."""

from collections.abc import Sequence

from strategybot.conversations.offline.conditions import Condition
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import NAMED_SETTINGS

SIDES = {"buy": "buy", "sell": "sell", "add_exit": "sell"}
SELLING = frozenset({"profit", "loss", "sell_at", "hold"})


def sides_of(frames: Sequence[Match]) -> tuple[list[str | None], bool]:
    """For each frame, whether it is about buying or selling; “drops 5 %, buy” has its verb at the end."""
    named = [frame.name for frame in frames if frame.name == "condition" or frame.name in SIDES]
    is_verb_last = bool(named) and named[0] == "condition" and named[-1] in SIDES
    if is_verb_last and named[-1] == "sell":
        place = max(at for at, frame in enumerate(frames) if frame.name in SIDES)
        is_verb_last = not any(frame.name in ("set", "remove", *NAMED_SETTINGS) for frame in frames[place:])
    sides: list[str | None] = []
    side: str | None = None
    for frame in reversed(frames) if is_verb_last else frames:
        side = SIDES.get(frame.name, "sell" if frame.name in SELLING and not is_verb_last else side)
        if frame.name == "restate":
            side = "buy"
        if frame.name == "replace" and frame.values["part"].kind:
            side = "sell" if frame.values["part"].is_exit else "buy"
        sides.append(side)
    return (sides[::-1] if is_verb_last else sides), is_verb_last


def contradict(conditions: list[Condition]) -> bool:
    """Whether conditions joined by “and” can hardly be meant so: a drop and a rise, or above and below."""
    kinds = [condition.values["kind"] for condition in conditions]
    directions = {
        condition.direction
        for condition in conditions
        if condition.values["kind"] == "price_level" and condition.trigger != "is"
    }
    moves = [
        condition.values["window"]
        for condition in conditions
        if condition.values["kind"] in ("price_drop", "price_rise")
    ]
    return {"above", "below"} <= directions or ({"price_drop", "price_rise"} <= set(kinds) and len(set(moves)) == 1)

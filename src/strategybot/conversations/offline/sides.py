"""The frames of a message before they are folded: corrections applied, and each on its side, buying or selling."""

from collections.abc import Sequence
from dataclasses import replace

from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import NAMED_SETTINGS, SELLING
from strategybot.conversations.offline.text import Token

SIDES = {"buy": "buy", "buy_amount": "buy", "restate": "buy", "sell": "sell", "add_exit": "sell"}


def apply_corrections(frames: Sequence[Match]) -> list[Match]:
    """Return the frames with each correction applied: “5 %, no, 7 %” is 7 %."""
    result: list[Match] = []
    for frame in frames:
        if frame.name != "fix":
            result.append(frame)
            continue
        token: Token = frame.values["amount"]
        window = {"w": frame.values["w"]} if "w" in frame.values else {}
        for place, each in reversed([*enumerate(result)]):
            is_time = each.name in ("hold", "cooldown") or (each.name == "set" and each.values["part"].slot == "DUR")
            numbers = {key for key, value in each.values.items() if not isinstance(value, Token)}
            keys = [key for key in ("value", "amount", "level", "right") if key in numbers]
            if keys and is_time == (token.kind == "duration"):
                result[place] = replace(each, values={**each.values, keys[0]: token.value, **window})
                break
        else:
            result.append(replace(frame, name="make_it", values={"value": token}))
    return result


def sides_of(frames: Sequence[Match]) -> tuple[list[str | None], bool]:
    """Return the side of each frame, and whether the verb follows the conditions as in “drops 5 %, buy”."""
    open_sides = [frame for frame in frames if "side" not in frame.values]
    named = [frame.name for frame in open_sides if frame.name == "condition" or frame.name in SIDES]
    is_verb_last, side = _is_verb_last(named, frames), _side_told_behind(named)
    sides: list[str | None] = []
    for frame in reversed(frames) if is_verb_last else frames:
        told = frame.values.get("side", "sell" if frame.name in SELLING else side)
        side = SIDES.get(frame.name, side if is_verb_last else told)
        if frame.name == "replace" and frame.values["part"].kind:
            side = "sell" if frame.values["part"].is_exit else "buy"
        sides.append(frame.values.get("side", side))
    return (sides[::-1] if is_verb_last else sides), is_verb_last


def _is_verb_last(named: Sequence[str], frames: Sequence[Match]) -> bool:
    if named[:1] != ["condition"] or named[-1] not in SIDES:
        return False
    last = max(at for at, frame in enumerate(frames) if frame.name in SIDES)
    is_setting = any(frame.name in ("set", "remove", *NAMED_SETTINGS) for frame in frames[last:])
    pair = [frame.name for frame in frames[:last]][-2:]
    is_own = pair == ["buy", "condition"] and "when" not in frames[last - 1].values  # “under 20: buy. Over 80: sell”
    return named[-1] != "sell" or is_own or not is_setting


def _side_told_behind(named: Sequence[str]) -> str | None:
    """Return the side of the first conditions if two verbs follow them: “if it pumps 9 %, sell; buy when …”."""
    verbs = [at for at, name in enumerate(named) if name in SIDES]
    is_behind = len(verbs) > 1 and 0 < verbs[0] == verbs[1] - 1
    return SIDES[named[verbs[0]]] if is_behind else None

"""Corrections in mid-sentence: “5 %, no, 7 %”."""

from dataclasses import replace
from typing import Any

from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.text import Token


def corrected(frames: list[Match]) -> list[Match]:
    """Put the value of each correction (“no, 7 %”) in the place of the one before."""
    result: list[Match] = []
    for frame in frames:
        if frame.name != "fix":
            result.append(frame)
            continue
        token: Token = frame.values["amount"]
        place = next((at for at in reversed(range(len(result))) if _correctable(result[at], token)), None)
        if place is None:
            result.append(replace(frame, name="make_it", values={"value": token}))
        else:
            key = _correctable(result[place], token)
            value: Any = {"d": token.value} if key == "w" else token.value
            window = {"w": frame.values["w"]} if "w" in frame.values and result[place].name == "condition" else {}
            result[place] = replace(result[place], values={**result[place].values, str(key): value, **window})
    return result


def _correctable(frame: Match, token: Token) -> str | None:
    """The value of a frame that the token can take the place of."""
    is_time = frame.name in ("hold", "cooldown") or (frame.name == "set" and frame.values["part"].slot == "DUR")
    if frame.name == "condition":
        keys: tuple[str, ...] = ("w",) if token.kind == "duration" else ("amount", "level", "right")
    elif is_time != (token.kind == "duration"):
        return None
    else:
        keys = ("value", "amount")
    return next((key for key in keys if key in frame.values and not isinstance(frame.values[key], Token)), None)

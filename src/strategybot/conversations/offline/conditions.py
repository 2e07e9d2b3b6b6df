"""Build conditions from the values of frames, before it is known whether they are to buy or to sell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from strategybot.conversations.offline.text import DAY, HOUR, INTERVALS, MINUTE, Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.values import duration_text

AVERAGES = ("sma", "ema")
BROKEN = {"highest": "crosses_above", "upper": "crosses_above", "lowest": "crosses_below", "lower": "crosses_below"}


class NeedsClarification(Exception):
    """The message cannot be done as it is; the text says what is missing."""

    def __init__(self, text: str, pending: Json | None = None) -> None:
        super().__init__(text)
        self.text, self.pending = text, pending


@dataclass(frozen=True)
class Condition:
    values: Json
    direction: str = ""  # of a price level
    trigger: str = ""
    has_window: bool = False
    is_signed: bool = False
    old: Token | None = None  # a value that it takes the place of

    def json(self, *, is_state: bool) -> Json:
        """Return the condition as JSON. A price level is a crossing; among conditions that must all hold, a state."""
        if self.values["kind"] != "price_level":
            return dict(self.values)
        direction = "above" if self.direction == "reach" else self.direction
        return {**self.values, "direction": direction, "trigger": self.trigger or ("is" if is_state else "cross")}

    def is_like(self, other: Json) -> bool:
        if self.values["kind"] != other["kind"]:
            return False
        if other["kind"] == "price_level":
            return self.direction in (other["direction"], "reach")
        return bool(other["kind"] != "compare" or self.values["left"]["series"] == other["left"]["series"])


def contradict(conditions: Sequence[Condition]) -> bool:
    """Return whether conditions joined by “and” contradict each other: a drop and a rise, or above and below."""
    directions = {each.direction for each in conditions if each.direction and each.trigger != "is"}
    moves = [each.values for each in conditions if each.values["kind"] in ("price_drop", "price_rise")]
    is_both_ways = len({move["kind"] for move in moves}) == 2 and len({move["window"] for move in moves}) == 1
    return {"above", "below"} <= directions or is_both_ways


def made(values: Mapping[str, Any]) -> Condition:
    kind = values["kind"]
    if kind == "compare":
        return Condition(_comparison(values))
    if kind == "price_level":
        level = {"kind": kind, "level": values["level"]}
        return Condition(level, values["direction"], values.get("trigger", ""), old=values.get("old"))
    near, reference = values.get("w") or {}, values.get("ref") or {}
    seconds = near.get("d") or reference.get("d") or (reference.get("w") or {}).get("d")
    window = "1h" if seconds is None else duration_text(seconds)
    if window is None:
        raise NeedsClarification(
            "A window must be a whole number of minutes, up to 30 days. How far back should it look?"
        )
    number = "multiplier" if kind == "volume_spike" else "percent"
    made_of = {"kind": kind, number: values["amount"], "window": window}
    if kind != "volume_spike":
        made_of["reference"] = ("high" if kind == "price_drop" else "low") if "ref" in values else "close"
    is_signed = bool(values.get("signed")) and seconds is None
    return Condition(made_of, has_window=seconds is not None, is_signed=is_signed, old=values.get("old"))


def _comparison(values: Mapping[str, Any]) -> Json:
    if "whole" in values:
        return {"kind": "compare", **values["whole"]}
    left, right = _operand(values.get("left") or {"series": "close"}), values.get("right")
    if right is None:
        raise NeedsClarification("Above or below what? Please name a number or an indicator.")
    right = _scaled(left, right, values) if isinstance(right, Mapping) else float(right)
    interval = values.get("candles") or (right.get("interval") if isinstance(right, dict) else None)
    if interval and left["series"] != "close":
        left.setdefault("interval", interval)  # “EMA 20 above EMA 50 on 1h candles” is about both
    for side in (left, *([right] if isinstance(right, dict) else [])):
        name = side["series"]
        if name in AVERAGES and "period" not in side:
            raise NeedsClarification(f"Which period should the {name.upper()} have? For example: “{name.upper()} 50”.")
        if name == "bollinger" and "line" not in side:
            raise NeedsClarification("Which Bollinger band do you mean: the lower, the middle or the upper one?")
    if isinstance(right, dict) and _pane(left) != _pane(right):
        raise NeedsClarification(
            "These two cannot be compared: one is a price, the other is not. What should I compare?"
        )
    made_of = {"kind": "compare", "left": left, "operator": _operator(values, right), "right": right}
    return {**made_of, "within_candles": values["within"]} if "within" in values else made_of


def _operand(said: Mapping[str, Any]) -> Json:
    """Return the series; “the 20 day high” has 20 candles of a day, “the 48 hour high” 48 of an hour."""
    series = {key: value for key, value in said.items() if key != "span"}
    if "span" not in said:
        return series
    unit = next((unit for unit in (DAY, HOUR, MINUTE) if said["span"] % unit == 0), MINUTE)
    return {**series, "period": int(said["span"] // unit), "interval": INTERVALS[unit]}


def _operator(values: Mapping[str, Any], right: Any) -> str:
    """Return the operator. For “touches” and “breaks” the direction follows from the line."""
    operator, line = str(values["operator"]), str(right.get("line", right["series"]) if isinstance(right, dict) else "")
    if operator == "touch":
        return "above" if line == "upper" or (line != "lower" and values.get("side") == "sell") else "below"
    if operator == "break" and line not in BROKEN:
        raise NeedsClarification("Should it cross that upwards or downwards? Say “crosses above” or “crosses below”.")
    return BROKEN[line] if operator == "break" else operator


def _pane(side: Json) -> str:
    """Return the pane of the chart that shows the series; two series in different panes cannot be compared."""
    return SERIES[side["series"]].model_construct(**side).drawn_in() if side["series"] in SERIES else "unknown"


def _scaled(left: Json, right: Mapping[str, Any], values: Mapping[str, Any]) -> Json:
    """Return the right side multiplied as in “2x” or “3 % below”. Compared with the volume, an average is of volume."""
    scaled = _operand(right)
    if left["series"] == "stochastic_rsi" and scaled["series"] == "stochastic":
        scaled["series"] = left["series"]  # “stochastic RSI %K above %D”
    if "times" in values:
        scaled["times"] = values["times"]
    if "percent" in values:
        scaled["times"] = round(1 + (-1 if values["operator"] == "below" else 1) * values["percent"] / 100, 10)
    if left["series"] == "volume" and scaled["series"] in AVERAGES:
        scaled.setdefault("of", "volume")
    return scaled

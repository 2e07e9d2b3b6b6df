"""Build conditions from the values of frames, before it is known whether they are to buy or to sell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby
from typing import Any, get_args

from strategybot.conversations.offline.lexicon import words
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import DAY, HOUR, INTERVALS, MINUTE
from strategybot.kit.json_object import Json
from strategybot.trading.language import idioms
from strategybot.trading.language.moments import WEEKDAYS
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.values import duration_text

Groups = tuple[tuple[int, str], ...]  # the brackets around a condition: where each begins, and “none” after “unless”
MOVES = ("price_drop", "price_rise", "volume_spike")
OPPOSITES = {"above": "below", "price_drop": "price_rise"}  # which can never hold together
# The levels at which an indicator is called oversold and overbought.
EXTREMES = {
    "rsi": (30, 70), "stochastic": (20, 80), "stochastic_rsi": (20, 80), "mfi": (20, 80), "cci": (-100, 100),
    "williams_r": (-80, -20),
}  # fmt: skip
AVERAGES = ("sma", "ema", "wma", "hma")
OWN_LINES = {"macd": "signal", "stochastic": "d", "stochastic_rsi": "d"}  # what each of them crosses
BROKEN = {"highest": "above", "upper": "above", "lowest": "below", "lower": "below"}  # where the price breaks a line


@dataclass(frozen=True)
class Condition:
    values: Json  # only what was said
    join: str = ""  # with what stands before it
    groups: Groups = ()
    is_signed: bool = False

    def json(self, *, is_state: bool) -> Json:
        """Return the condition as JSON. A price level is a crossing; among conditions that must all hold, a state."""
        if self.values["kind"] in MOVES:
            return {"window": "1h", **self.values}  # unless it is said
        if self.values["kind"] != "price_level":
            return dict(self.values)
        direction = self.values["direction"].replace("reach", "above")
        return {"trigger": "is" if is_state else "cross", **self.values, "direction": direction}

    def always_holds(self) -> bool:
        """Return whether it limits the others, however they are joined: hours, and what follows “unless”."""
        return any(kind for _, kind in self.groups[:1]) or self.values["kind"] == "time"

    def is_like(self, other: Json) -> bool:
        """Return whether it is about the same as the other: the same indicator, a price level on the same side."""
        is_same_series = self.values.get("left", {}).get("series") == other.get("left", {}).get("series")
        is_same_side = self.values.get("direction") in (other.get("direction"), "reach")
        return self.values["kind"] == other["kind"] != "group" and is_same_series and is_same_side


def make_condition(values: Mapping[str, Any], join: str) -> Condition:
    makers = {"compare": _comparison, "time": _hours, "every": _every, "candles": _candles}
    made = makers.get(values["kind"], _move_or_level)(values)
    is_signed = bool(values.get("signed")) and "window" not in made
    return Condition(made, join, values.get("groups", ()), is_signed)


def _move_or_level(values: Mapping[str, Any]) -> Json:
    kind, near, reference = values["kind"], values.get("w") or {}, values.get("ref") or {}
    made_of = {key: values[key] for key in ("kind", "level", "direction", "trigger") if key in values}
    if kind in MOVES:
        made_of["multiplier" if kind == "volume_spike" else "percent"] = values["amount"]
    if "ref" in values and kind != "volume_spike":
        made_of["reference"] = "high" if kind == "price_drop" else "low"
    if seconds := near.get("d") or reference.get("d") or (reference.get("w") or {}).get("d"):
        made_of["window"] = _duration(seconds, "whole_window")
    return made_of


def _duration(seconds: float, asked: str) -> str:
    if (text := duration_text(seconds)) is None:
        raise question(asked, {"seconds": [seconds]})
    return text


def _every(values: Mapping[str, Any]) -> Json:
    period = _duration(values.get("d", DAY), "how_often")
    return idioms.every(period, values.get("days", ""), _clock(values["clock"]) if "clock" in values else None)


def _candles(values: Mapping[str, Any]) -> Json:
    return idioms.candles(values["colour"], values.get("n", 1), values.get("then"))


def _hours(values: Mapping[str, Any]) -> Json:
    """Return the condition that a candle closes at these hours, on these days."""
    begin, end = values.get("from"), values.get("to")
    if begin and end and "half" not in begin and begin["h"] <= 12 and (begin["h"] < end["h"]) == ("half" in end):
        raise question("which_hours")  # “9 to 5”, “2 to 5 pm”
    spans = values.get("hours", "").split() or values.get("without", "").split()[::-1]
    made_of: Json = {"kind": "time", **dict(zip(("from", "to"), spans, strict=False))}
    made_of |= {key: _clock(at) for key, at in (("from", begin), ("to", end)) if at}
    days = values.get("days") or values.get("except")
    if isinstance(days, Mapping) and "first" in days:  # “Monday to Thursday”
        first, last = (WEEKDAYS.index(days[key]) for key in ("first", "last"))
        days = " ".join((*WEEKDAYS, *WEEKDAYS)[first : last + 1 + (7 if last < first else 0)])
    if days:
        named = " ".join(list_items(days))
        made_of["weekdays"] = [each for each in WEEKDAYS if (each in named) != ("except" in values)]
    return made_of | ({"timezone": values["zone"]} if "zone" in values else {})


def _clock(time: Mapping[str, Any]) -> str:
    """Return the time of day as 09:30. “12 am” is midnight."""
    hour = time["h"] % 12 + int(time["half"]) if "half" in time else int(time["h"])
    return f"{hour % 24:02}:{time.get('m', 0):02}"


def list_items(pairs: Any) -> list[Any]:
    """Return the items of a phrase that holds its first item and the rest: “7, 14 and 21”."""
    return [pairs["head"], *list_items(pairs["tail"])] if isinstance(pairs, Mapping) else [pairs]


def join_conditions(
    conditions: Sequence[Condition], default: str, beside: int = 0, forced: str = ""
) -> tuple[str, list[Json]]:
    """Return how the conditions are joined, and their JSON with brackets as groups. Hours and “unless” always hold."""
    runs = [[*run] for _, run in groupby(conditions, lambda each: each.groups[:1] or id(each))]
    limits = [run for run in runs if run[0].join != "any" and run[0].always_holds()]
    others = [run for run in runs if run not in limits]
    match = forced or _how_joined(others, default)
    is_state = match == "all" and len(runs) + beside > 1
    ordered = [*others, *limits] if match == "any" else runs
    members = [_member(run, run in limits or is_state) for run in ordered]
    if limits and others:  # “… or …, only at night”
        match, members = "all", [grouped(match, members[: len(others)]), *members[len(others) :]]
    flat = (each["conditions"] if each.get("match") == match == "all" else [each] for each in members)
    return match, [*chain.from_iterable(flat)]


def _how_joined(runs: Sequence[Sequence[Condition]], default: str) -> str:
    """Return “all” or “any”. Raise `NeedsClarification` if both are said, or all can never hold: above and below."""
    joins = {run[0].join for run in runs[1:]} - {""}
    match = joins.pop() if len(joins) == 1 else default
    single = [run[0].values for run in runs if not run[0].groups]
    ways = {(each.get("direction", each["kind"]), each.get("window")) for each in single if each.get("trigger") != "is"}
    contradict = any((OPPOSITES.get(str(way)), window) in ways for way, window in ways)
    if joins or (match == "all" and contradict):
        raise question("all_or_any")
    return match


def _member(run: Sequence[Condition], is_state: bool) -> Json:
    if not run[0].groups:
        return run[0].json(is_state=is_state)
    match, inner = join_conditions([replace(each, groups=each.groups[1:]) for each in run], "all")
    if run[0].groups[0][1]:  # “unless one or the other” is none of them
        return idioms.group("none", inner if match == "any" else [grouped(match, inner)])
    return grouped(match, inner)


def grouped(match: str, conditions: list[Json]) -> Json:
    """Return the conditions as one."""
    return conditions[0] if len(conditions) == 1 else idioms.group(match, conditions)


def _comparison(values: Mapping[str, Any]) -> Json:
    if values.get("operator") == "at" and pane(values["left"]) == "price":  # “buy at EMA 50”, not “at RSI 30”
        values = {**values, "left": None, "right": {**values["left"], "period": int(values["right"])}}
    left, right = operand(values.get("left") or {"series": "close"}), values.get("right")
    if "first" in values or "second" in values:  # “EMA 9/21 cross”
        left, right = ({**left, "period": values.get(key, left.get("period"))} for key in ("first", "second"))
    if "age" in values:  # “only tokens that are older than a day”
        left, right = {"series": "age"}, values["age"] / HOUR
    right = _right_side(left, right, values)
    sides = [left, right] if isinstance(right, dict) else [left]
    interval = values.get("candles") or sides[-1].get("interval")
    for side in sides:
        if interval and side["series"] != "close":
            side.setdefault("interval", interval)  # “EMA 20 above EMA 50 on 1h candles” is about both
        _check_complete(side["series"], side)
    if len({pane(side) for side in sides}) > 1:
        raise question("not_comparable")
    made_of = compared(left, _operator(values, right), right)
    return {**made_of, "within_candles": values["within"]} if "within" in values else made_of


def compared(left: Json, operator: str, right: Any) -> Json:
    return {"kind": "compare", "left": left, "operator": operator, "right": right}


def says_same(one: Json, other: Json) -> bool:
    """Return whether two conditions differ in nothing but the candles of their indicators."""
    plain = [
        {key: side | {"interval": None} if isinstance(side, dict) else side for key, side in each.items()}
        for each in (one, other)
    ]
    return plain[0] == plain[1]


def is_pair(condition: Json, series: str) -> bool:
    """Return whether the condition compares the series with itself, as a crossing of two averages does."""
    sides = [condition.get("left"), condition.get("right")]
    return all(isinstance(side, dict) and side["series"] == series for side in sides)


def with_known_period(side: Any, earlier: Sequence[Json]) -> Any:
    """Return the operand; “that EMA” has the period of the one that was said before."""
    series = SERIES.get(side["series"]) if isinstance(side, Mapping) else None
    if series is None or "span" in side or "period" not in series.model_fields:
        return side
    sides = [each[at] for each in earlier for at in ("left", "right") if isinstance(each[at], dict)]
    known = [each["period"] for each in sides if each["series"] == side["series"] and "period" in each]
    is_open = known and series.model_fields["period"].is_required()
    return {"period": known[-1], **side} if is_open else side


def usual_crossing(name: str) -> Json:
    """Return what “a bullish cross” of the series is: the price crosses it, or it crosses its signal line, or 0."""
    series = {"series": name}
    if pane(series) == "price":
        return compared({"series": "close"}, "crosses_above", series)
    return compared(series, "crosses_above", {**series, "line": OWN_LINES[name]} if name in OWN_LINES else 0.0)


def _check_complete(name: str, side: Json) -> None:
    """Raise `NeedsClarification` if the series needs a period or a line that was not said."""
    fields = SERIES[name].model_fields.items() if name in SERIES else ()
    missing = {key: field for key, field in fields if field.is_required() and key not in side}
    old = [" ".join(phrase) for phrase in words()["series"].get(name, ((name,),))]
    if "period" in missing:
        raise question("which_period", {"old": old}, name=name.upper())
    if "line" in missing:
        lines = [str(line).replace("_", " ") for line in get_args(missing["line"].annotation)]
        asked = f"Which {name.capitalize()} {'band' if 'lower' in lines else 'line'} do you mean: {' or '.join(lines)}?"
        options = {line: f"{line} {{old}}" for line in lines}
        raise NeedsClarification(asked, {"kind": "choose", "options": options, "old": old})


def operand(spoken: Mapping[str, Any]) -> Json:
    """Return the series; “the 20 day high” has 20 candles of a day, “the 48 hour high” 48 of an hour."""
    series = {key: value for key, value in spoken.items() if key != "span"}
    if "span" not in spoken:
        return series
    unit = next((unit for unit in (DAY, HOUR, MINUTE) if spoken["span"] > unit and spoken["span"] % unit == 0), MINUTE)
    return {**series, "period": int(spoken["span"] // unit), "interval": INTERVALS[unit]}


def _operator(values: Mapping[str, Any], right: Any) -> str:
    """Return the operator. For “touches” and “breaks” the direction follows from the line, for “at” from the side."""
    operator, line = str(values["operator"]), str(right.get("line", right["series"]) if isinstance(right, dict) else "")
    if operator in ("touch", "at"):
        return BROKEN.get(line, "above" if values.get("side") == "sell" else "below")
    if operator == "break" and line not in BROKEN:
        old = [" ".join(phrase) for phrase in (*words()["BREAK"][""], *words()["BREAKOUT"][""])]
        raise question("up_or_down", {"old": old})
    return f"crosses_{BROKEN[line]}" if operator == "break" else operator


def pane(side: Json) -> str:
    """Return the pane of the chart that shows the series; two series in different panes cannot be compared."""
    return SERIES[side["series"]].model_construct(**side).drawn_in() if side["series"] in SERIES else "unknown"


def _right_side(left: Json, right: Any, values: Mapping[str, Any]) -> Any:
    """Return the right side multiplied as in “2x” or “3 % below”. Compared with the volume, an average is of volume."""
    if right is None:
        raise question("compared_with")
    if not isinstance(right, Mapping):
        is_period = left["series"] in AVERAGES and right > 1 and float(right).is_integer()  # “EMA 9 crosses above 21”
        return {**left, "period": int(right)} if is_period else float(right)
    scaled = operand(right)
    if scaled.get("line") == OWN_LINES.get(scaled["series"]) and left["series"] in OWN_LINES:
        scaled = {**left, **scaled, "series": left["series"], "line": OWN_LINES[left["series"]]}  # “%K above %D”
    if "times" in values:
        scaled["times"] = values["times"]
    if "percent" in values:
        scaled["times"] = round(1 + (-1 if values["operator"] == "below" else 1) * values["percent"] / 100, 10)
    if left["series"] == "volume" and scaled["series"] in AVERAGES:
        scaled.setdefault("of", "volume")
    return scaled

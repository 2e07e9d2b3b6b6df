"""Build conditions from the values of frames, before it is known whether they are to buy or to sell."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, get_args

from strategybot.conversations.offline.lexicon import COMMON, words
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import DAY, HOUR, INTERVALS, MINUTE, Token
from strategybot.kit.json_object import Json
from strategybot.trading.language import idioms
from strategybot.trading.language.moments import WEEKDAYS
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.values import duration_text

Groups = tuple[tuple[int, str], ...]  # the brackets around a condition: where each begins, and “none” after “unless”
# The levels at which an indicator is called oversold and overbought.
EXTREMES = {
    "rsi": (30, 70), "stochastic": (20, 80), "stochastic_rsi": (20, 80), "mfi": (20, 80), "cci": (-100, 100),
    "williams_r": (-80, -20),
}  # fmt: skip
PRICE_LINES = ("supertrend", "parabolic_sar", "vwap")  # one line beside the price, which crosses it
AVERAGES = ("sma", "ema", "wma", "hma")
OWN_LINES = {"macd": "signal", "stochastic": "d", "stochastic_rsi": "d"}  # what each of them crosses
TURNED = {"above": ("below", "above"), "below": ("above", "below")}
BROKEN = {"highest": "crosses_above", "upper": "crosses_above", "lowest": "crosses_below", "lower": "crosses_below"}


@dataclass(frozen=True)
class Condition:
    values: Json
    direction: str = ""  # of a price level
    trigger: str = ""
    has_window: bool = False
    is_signed: bool = False
    old: Token | None = None  # a value that it takes the place of
    join: str = ""  # with what stands before it
    groups: Groups = ()

    def json(self, *, is_state: bool) -> Json:
        """Return the condition as JSON. A price level is a crossing; among conditions that must all hold, a state."""
        if self.values["kind"] != "price_level":
            return dict(self.values)
        direction = "above" if self.direction == "reach" else self.direction
        return {**self.values, "direction": direction, "trigger": self.trigger or ("is" if is_state else "cross")}

    def always_holds(self, depth: int = 0) -> bool:
        """Return whether it limits the others, however they are joined: hours, and what follows “unless”."""
        return any(kind for _, kind in self.groups[depth : depth + 1]) or self.values["kind"] == "time"

    def is_like(self, other: Json) -> bool:
        if self.values["kind"] != other["kind"] or other["kind"] == "group":
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


def make_condition(values: Mapping[str, Any]) -> Condition:
    kind = values["kind"]
    if kind == "compare":
        return Condition(_comparison(values))
    if kind in MOMENTS:
        return Condition(MOMENTS[kind](values))
    if kind == "price_level":
        level = {"kind": kind, "level": values["level"]}
        return Condition(level, values["direction"], values.get("trigger", ""), old=values.get("old"))
    near, reference = values.get("w") or {}, values.get("ref") or {}
    seconds = near.get("d") or reference.get("d") or (reference.get("w") or {}).get("d")
    window = "1h" if seconds is None else duration_text(seconds)
    if window is None:
        raise question("whole_window", {"seconds": [seconds]})
    number = "multiplier" if kind == "volume_spike" else "percent"
    made_of = {"kind": kind, number: values["amount"], "window": window}
    if kind != "volume_spike":
        made_of["reference"] = ("high" if kind == "price_drop" else "low") if "ref" in values else "close"
    is_signed = bool(values.get("signed")) and seconds is None
    return Condition(made_of, has_window=seconds is not None, is_signed=is_signed, old=values.get("old"))


def join_conditions(
    conditions: Sequence[Condition], default: str, beside: int = 0, depth: int = 0, forced: str = ""
) -> tuple[str, list[Json]]:
    """Return how the conditions are joined, and their JSON with brackets as groups. Hours and “unless” always hold."""
    runs = [[*run] for _, run in groupby(conditions, lambda each: each.groups[depth : depth + 1] or id(each))]
    limits = [run for run in runs if run[0].join != "any" and run[0].always_holds(depth)]
    others = [run for run in runs if run not in limits]
    match = forced or _how_joined(others, default, depth)
    is_state = match == "all" and len(runs) + beside > 1
    members = [_member(run, depth, run in limits or is_state) for run in runs]
    if limits and match == "any" and len(others) > 1:  # “… or …, only at night”
        either = [member for run, member in zip(runs, members, strict=True) if run in others]
        members = [idioms.group("any", either), *(member for member in members if member not in either)]
    match = "all" if limits and others else match
    flat = (each["conditions"] if each.get("match") == match == "all" else [each] for each in members)
    return match, [*chain.from_iterable(flat)]


def _how_joined(runs: Sequence[Sequence[Condition]], default: str, depth: int) -> str:
    """Return “all” or “any”. Raise `NeedsClarification` if both are said, or all of them can never hold."""
    joins = {run[0].join for run in runs[1:]} - {""}
    match = joins.pop() if len(joins) == 1 else default
    single = [run[0] for run in runs if len(run[0].groups) <= depth]
    if joins or (match == "all" and contradict(single)):
        raise question("all_or_any")
    return match


def _member(run: Sequence[Condition], depth: int, is_state: bool) -> Json:
    if len(run[0].groups) <= depth:
        return run[0].json(is_state=is_state)
    match, inner = join_conditions(run, "all", depth=depth + 1)
    if run[0].groups[depth][1]:  # “unless one or the other” is none of them
        return idioms.group("none", inner if match == "any" or len(inner) == 1 else [idioms.group(match, inner)])
    return inner[0] if len(inner) == 1 else idioms.group(match, inner)


def _clock(time: Mapping[str, Any]) -> str:
    """Return the time of day as 09:30. “12 am” is midnight."""
    hour = time["h"] % 12 + int(time["half"]) if "half" in time else int(time["h"])
    return f"{hour % 24:02}:{time.get('m', 0):02}"


def hours(values: Mapping[str, Any]) -> Json:
    """Return the condition that a candle closes at these hours, on these days."""
    begin, end = values.get("from"), values.get("to")
    if begin and end and "half" not in begin and begin["h"] <= 12 and (begin["h"] < end["h"]) == ("half" in end):
        raise question("which_hours")  # “9 to 5”, “2 to 5 pm”
    made_of: Json = {"kind": "time"} | {key: _clock(at) for key, at in (("from", begin), ("to", end)) if at}
    spans = values.get("hours", "").split() or values.get("without", "").split()[::-1]
    made_of |= dict(zip(("from", "to"), spans, strict=False))
    days = _days(values.get("days") or values.get("except") or "")
    if days:
        made_of["weekdays"] = [each for each in WEEKDAYS if (each in days) != ("except" in values)]
    return made_of | ({"timezone": values["zone"]} if "zone" in values else {})


def _days(said: Any) -> str:
    """Return the names of the days, also of “Monday to Thursday”."""
    if not isinstance(said, Mapping) or "first" not in said:
        return " ".join(list_items(said))
    first, last = (WEEKDAYS.index(said[key]) for key in ("first", "last"))
    return " ".join((*WEEKDAYS, *WEEKDAYS)[first : last + 1 + (7 if last < first else 0)])


def _every(values: Mapping[str, Any]) -> Json:
    if (period := duration_text(values.get("d", DAY))) is None:
        raise question("how_often", {"seconds": [values["d"]]})
    return idioms.every(period, values.get("days", ""), _clock(values["clock"]) if "clock" in values else None)


def list_items(pairs: Any) -> list[Any]:
    """Return the items of a phrase that holds its first item and the rest: “7, 14 and 21”."""
    return [pairs["head"], *list_items(pairs["tail"])] if isinstance(pairs, Mapping) else [pairs]


MOMENTS: dict[str, Callable[[Mapping[str, Any]], Json]] = {
    "time": hours,
    "every": _every,
    "candles": lambda values: idioms.candles(values["colour"], values.get("n", 1), values.get("then")),
}


def _comparison(values: Mapping[str, Any]) -> Json:
    if values.get("operator") == "at" and pane(values["left"]) == "price":  # “buy at EMA 50”, not “at RSI 30”
        line = {**values["left"], "period": int(values["right"])}
        return _comparison({**values, "left": {"series": "close"}, "operator": "touch", "right": line})
    left, right = operand(values.get("left") or {"series": "close"}), values.get("right")
    if "first" in values or "second" in values:  # “EMA 9/21 cross”
        left, right = ({**left, "period": values.get(key, left.get("period"))} for key in ("first", "second"))
    if "age" in values:  # “only tokens that are older than a day”
        left, right = {"series": "age"}, values["age"] / HOUR
    if right is None:
        raise question("compared_with")
    right = _scale(left, right, values) if isinstance(right, Mapping) else float(right)
    interval = values.get("candles") or (right.get("interval") if isinstance(right, dict) else None)
    for side in (left, right) if isinstance(right, dict) else (left,):
        if interval and side["series"] != "close":
            side.setdefault("interval", interval)  # “EMA 20 above EMA 50 on 1h candles” is about both
        _check_complete(side["series"], side)
    if isinstance(right, dict) and pane(left) != pane(right):
        raise question("not_comparable")
    made_of = {"kind": "compare", "left": left, "operator": _operator(values, right), "right": right}
    return {**made_of, "within_candles": values["within"]} if "within" in values else made_of


def level_of(left: Json, values: Mapping[str, Any]) -> Json:
    """Return a price level as the level of an indicator."""
    side = values["direction"].replace("reach", "above")
    operator = f"crosses_{side}" if values.get("trigger") == "cross" else side
    return {"kind": "compare", "left": left, "operator": operator, "right": values["level"]}


def usual_crossing(series: str) -> Json:
    """Return what “a bullish cross” of the series crosses: its own signal line, the price, otherwise 0."""
    if series in PRICE_LINES:
        return {
            "kind": "compare",
            "left": {"series": "close"},
            "operator": "crosses_above",
            "right": {"series": series},
        }
    line = OWN_LINES.get(series)
    right = {"series": series, "line": line} if line else 0.0
    return {"kind": "compare", "left": {"series": series}, "operator": "crosses_above", "right": right}


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
    """Return the operator. For “touches” and “breaks” the direction follows from the line."""
    operator, line = str(values["operator"]), str(right.get("line", right["series"]) if isinstance(right, dict) else "")
    if operator == "touch":
        is_above = values.get("side") == "sell" if line not in BROKEN else BROKEN[line] == "crosses_above"
        return "above" if is_above else "below"
    if operator == "at":
        return "above" if values.get("side") == "sell" else "below"
    if operator == "break" and line not in BROKEN:
        old = [" ".join(phrase) for phrase in (*words()["BREAK"][""], *words()["BREAKOUT"][""])]
        raise question("up_or_down", {"old": old})
    return BROKEN[line] if operator == "break" else operator


def retuned(now: Json, new: Json) -> Json:
    """Return the series with other parameters; another series keeps its candles, and a period that it must have."""
    if now["series"] == new["series"]:
        return {**now, **new}
    needed = [key for key, field in SERIES[new["series"]].model_fields.items() if field.is_required()]
    return {**{key: now[key] for key in (*COMMON, *needed) if key in now}, **new}


def pane(side: Json) -> str:
    """Return the pane of the chart that shows the series; two series in different panes cannot be compared."""
    return SERIES[side["series"]].model_construct(**side).drawn_in() if side["series"] in SERIES else "unknown"


def _scale(left: Json, right: Mapping[str, Any], values: Mapping[str, Any]) -> Json:
    """Return the right side multiplied as in “2x” or “3 % below”. Compared with the volume, an average is of volume."""
    scaled = operand(right)
    if scaled.get("line") == OWN_LINES.get(scaled["series"]) and left["series"] in OWN_LINES:
        own = {"series": left["series"], "line": OWN_LINES[left["series"]]}  # “stochastic RSI %K above %D”
        scaled = {**left, **scaled, **own}
    if "times" in values:
        scaled["times"] = values["times"]
    if "percent" in values:
        scaled["times"] = round(1 + (-1 if values["operator"] == "below" else 1) * values["percent"] / 100, 10)
    if left["series"] == "volume" and scaled["series"] in AVERAGES:
        scaled.setdefault("of", "volume")
    return scaled

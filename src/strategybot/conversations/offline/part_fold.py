"""Find the parts of a strategy, such as the stop loss, and set, change, remove or keep them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from strategybot.conversations.offline.conditions import Condition
from strategybot.conversations.offline.lexicon import Part
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import DAY, HOUR, MINUTE, Token
from strategybot.kit.json_object import Json
from strategybot.trading.language import edits
from strategybot.trading.language.edits import JsonPath, setting_path, value_at, with_value
from strategybot.trading.language.values import duration_seconds, duration_text

SAYS_WHAT = ("make_it", "change", "remove_it", "bare")  # what becomes of “it”
FITS = {
    "DUR": "duration",
    "MULT": "multiple",
    "NUM": "money",
    "INT": "number",
    "MONEY": "money",
}  # others: a percentage
CONDITION_LISTS = ("conditions", "exit_conditions")


def paths_of(part: Part, strategy: Json) -> list[JsonPath]:
    """Return the path of a setting, or the path of each number that the part is in the conditions."""
    if not part.kind:
        return [setting_path(part.key)]
    sides = CONDITION_LISTS[part.is_exit :]
    held = operands_of(strategy, *sides) if part.is_parameter else leaves_of(strategy, *sides)
    found = [
        (*path, part.field)
        for path, each in held
        if part.kind in ("*", each.get("kind", "compare"))
        and part.series == each.get("left", each).get("series", "")
        and not isinstance(each.get(part.field, {}), dict)
    ]  # “the RSI” is where it buys, if it stands there; “the period of the RSI” is that of each RSI
    return [path for path in found if part.is_parameter or path[0] == found[0][0]]


def leaves_of(strategy: Json, *sides: str) -> list[tuple[JsonPath, Json]]:
    """Return each condition of the strategy with its path."""
    return [leaf for side in sides or CONDITION_LISTS for leaf in edits.leaves(strategy.get(side) or [], (side,))]


def operands_of(strategy: Json, *sides: str) -> list[tuple[JsonPath, Json]]:
    """Return each series that is compared in the strategy, with its path."""
    places = [(path, each, at) for path, each in leaves_of(strategy, *sides) for at in ("left", "right")]
    return [((*path, at), each[at]) for path, each, at in places if isinstance(each.get(at), dict)]


def places_of(part: Part, strategy: Json) -> dict[JsonPath, Any]:
    """Return where the part stands, each with the value that it has there, times in seconds."""
    written = {path: value_at(strategy, path) for path in paths_of(part, strategy)}
    found = {path: edits.UNSET.get(part.key) if each is None else each for path, each in written.items()}
    is_time = part.slot == "DUR"
    return {path: duration_seconds(str(each)) if is_time else each for path, each in found.items() if each is not None}


def value_of(part: Part, strategy: Json) -> float | None:
    """Return the value of a part, times in seconds; None if it has none or several."""
    values = [*places_of(part, strategy).values()]
    is_one = bool(values) and values.count(values[0]) == len(values)
    return values[0] if is_one and isinstance(values[0], int | float) else None


class PartFold:
    def __init__(self, current: Json | None, memory: Json, frames: Sequence[Match], parts: Sequence[Part]) -> None:
        self.parts = {part.key: part for part in parts}
        self.frames, self.memory = frames, memory
        self.before = current
        self.strategy: Json = current or {"conditions": []}
        self.entry: list[Condition] = []
        self.exits: list[Condition] = []
        self.side: str | None = None
        self.adds = self.restates = False
        self.doubts: list[str] = []
        self.notes: list[str] = []  # what was chosen for the user
        self.targets: list[tuple[float, float | None]] = []  # gain and share; None is the rest
        self.steps: list[tuple[float, float | None]] = []  # of a ladder: drop and size; None is an equal part
        self.last: Json = {}
        self.previous = self.named_series = ""
        self.said: Json = {}
        self.removes = False  # whether the last frame removed something, so that the next part that is named goes too

    def _has(self, name: str) -> bool:
        return any(frame.name == name for frame in self.frames)

    def _part_in(self, condition: Json) -> Part | None:
        """Return the number of a condition that “it” means: the level of an indicator, the size of a drop."""
        if condition["kind"] != "compare":
            return next((part for part in self.parts.values() if part.kind == condition["kind"]), None)
        if not isinstance(condition["right"], dict):
            return self.parts.get(condition["left"]["series"])
        periods = [self.parts.get(f"{condition[at]['series']}.period") for at in ("left", "right")]
        return periods[0] or periods[1] if None in periods else None  # of “the price above EMA 50”

    def _streak(self, frame: Match) -> None:
        self._put(self.parts["guards.losing_streak.losses"], frame.values["streak"]["n"])
        pause = self.parts["guards.losing_streak.pause"]
        known = frame.values.get("d") or value_of(pause, self.strategy)
        self.doubts += [] if known else ["You did not say how long it should pause, so I took a day."]
        self._put(pause, known or DAY)

    def _set_part(self, frame: Match) -> None:
        """Set a part, “it”, or what has the old value."""
        self._check_setting(frame)
        part, values = self._aimed(self._part(frame)), frame.values
        part = self.parts.get(f"{part.series}.{values.get('field')}", part)
        value, old = values["value"], values.get("old") if values["part"] else None
        if isinstance(value, Token) and value.kind == "duration":  # “make it 4 hours” of a drop
            part = self.parts.get(f"{part.key}_window", part)
        self._put(part, self._fitting(part, value), old)
        if "second" in values:
            self._put(values["second"], values.get("other", value))
        if "w" in values:
            self._put(self.parts.get(f"{part.key}_window", self.parts["window"]), values["w"]["d"])
        if "period" in values:  # of the ATR
            self.strategy = with_value(self.strategy, (*setting_path(part.key)[:-1], "period"), values["period"])
        if "operator" in values and part.field == "right":  # “no wait, under 20”
            (path,) = paths_of(part, self.strategy)
            self.strategy = with_value(self.strategy, (*path[:-1], "operator"), values["operator"])

    _size = _make_it = _bare = _swap = _set_part

    def _check_setting(self, frame: Match) -> None:
        """Ask if a setting can be read in two ways: “RSI 40”, “take profit plus 2 %”, “or after 6 hours”, “3 times”."""
        part, values = frame.values["part"], frame.values
        self.doubts += [values["ask"]] if "ask" in values and self.side != "sell" else []
        has_period = part is not None and part.field == "right" and f"{part.series}.period" in self.parts
        if values.get("is_short") and has_period and "field" not in values:
            raise question("level_or_period", part=part.said.removesuffix(" level"), value=f"{values['value']:g}")
        if values.get("is_more") and self.before is not None:
            self._unclear_change(frame)
        if values.get("d", DAY) != DAY:
            raise question("trades_of_a_day")
        if "bare" in values and not any({"d", "days"} & each.values.keys() for each in self.frames):
            raise question("how_many_times")

    def _aimed(self, part: Part) -> Part:
        """Return the part that the strategy has: the period of an average, or the level of its only indicator."""
        if paths_of(part, self.strategy):
            return part
        levels = [each for each in self.parts.values() if each.field == "right" and each.is_exit == part.is_exit]
        others = levels if part.kind == "price_level" else [self.parts.get(f"{part.key}.period", part)]
        held = [each for each in others if paths_of(each, self.strategy)]
        return held[0] if len(held) == 1 else part

    def _states(self, frame: Match) -> None:
        """Set the part if a new strategy is described: “the stop is 4 %”. Otherwise check that it is true."""
        is_new = self.before is None or self.restates
        (self._put if is_new else self._with_old)(frame.values["part"], frame.values["value"])

    def _with_old(self, part: Part, old: float | None) -> Part:
        """Return the part, or the parameter of its series with the old value: “RSI 21 instead of 14” is its period."""
        inner = [each for each in self.parts.values() if part.series and each.series == part.series]
        before = self.before or self.strategy
        found = next((each for each in (part, *inner) if old in places_of(each, before).values()), None)
        if found is None:
            raise self._is_now(part)
        return found

    def _change(self, frame: Match) -> None:
        """Raise, lower, double or halve a part, or “it”."""
        part, values = self._aimed(self._part(frame)), frame.values
        now = value_of(part, self.strategy)
        step = (now or 0.0) * (values.get("factor", 1) - 1)
        if "sign" in values:
            step = values["sign"] * self._fitting(part, values["value"])
        if now is None or (part.slot != "DUR" and abs(step) > now):
            raise self._is_now(part)
        self._put(part, round(now + step, 10))

    def _unclear_change(self, frame: Match) -> None:
        part, verb = frame.values["part"], "raise" if frame.values.get("sign", 1) > 0 else "lower"
        value = frame.values["value"]
        step = (duration_text(value) if part.slot == "DUR" else None) or f"{value:g}"
        raise question("by_or_to", part=part.said, verb=verb, value=step)

    def _part(self, frame: Match) -> Part:
        """Return the part that a frame names, or what has the old value that it names; “it” is the last one."""
        last, named, values = self.last or self.memory.get("last") or {}, frame.values["part"], frame.values
        old = values.get("old", values.get("complained"))
        if old is not None:
            return (
                self._part_with(old, values.get("value")) if named is None else self._with_old(self._aimed(named), old)
            )
        part, is_new = named or self.parts.get(last.get("part", "")), frame.name in ("make_it", "bare")
        is_unclear = last.get("op") == "change" and not self.last if is_new else last.get("many")
        if part is None or (named is None and is_unclear):
            value = values["value"].written if is_new else ""
            raise question("which_part_is" if is_new else "which_part", value=value)
        return part

    def _wants_value(self, frame: Match) -> None:
        if not self._is_told_more(frame):
            raise self._asks("what_value", frame.values["part"])

    def _break_even(self, frame: Match) -> None:
        """Move the stop to break even after the last target, if the message says no gain for it."""
        if not self.targets:
            raise self._asks("what_value", frame.values["part"])
        self._put(frame.values["part"], self.targets[-1][0])

    def _mention(self, frame: Match) -> None:
        is_removed = (self.memory.get("last") or {}).get("op") == "remove" and self._has("as_well")
        if self.previous == "remove" or is_removed:  # “the time limit too”
            self._remove(frame)
        elif not (self._is_told_more(frame) or self._has("keep")):  # “the stop and the target stay”
            part = frame.values["part"]
            is_new = part.series and not paths_of(part, self.strategy)  # “buy when RSI is below”
            raise question("what_with_new", part=part.said) if is_new else self._asks("what_with", part)

    def _is_told_more(self, frame: Match) -> bool:
        """Return whether the message says more of the part: “a bigger target: 18 %”, “RSI: buy below 30”."""
        part, behind = frame.values["part"], [each for each in self.frames if each.start > frame.start]
        if behind and behind[0].name in SAYS_WHAT and not behind[0].values["part"]:
            self.last = {"part": part.key}
            return True
        named = [each.values["part"] for each in self.frames if each.name in ("set", "size") and each is not frame]
        if part in named or (part.series == "atr" and any("_atr" in each.key for each in named if each)):
            return True  # “smaller: 30 % of the cash”, “I read about trailing stops. Use one of 3 %”
        if part.key == "take_profit_percent" and self._has("target"):
            return True
        rules = [each.values for each in behind if each.name == "condition"]
        rule = rules[0] if rules else {}
        is_bare = "turned" in rule or (rule.get("kind") == "price_level" and not rule["names_price"])
        is_level = part.field == "right" and is_bare
        self.named_series = part.series if is_level else self.named_series
        sides = [each.get(at) for each in rules for at in ("left", "right")]
        series = {side["series"] for side in sides if isinstance(side, dict)}
        is_own = part.series in series if part.series else part.kind == rule.get("kind")
        is_filter = frame.name == "wants_value" and not self._has("buy")
        self.adds = self.adds or (is_filter and (is_level or (is_own and part.kind == "compare")))
        return is_level or is_own  # “add an RSI filter: below 35”, “ichimoku: buy when the conversion line …”

    def _keep(self, frame: Match) -> None:
        """“Keep a stop of 6 %” sets it in a new strategy, otherwise it asks if the stop is another."""
        if self.before is None and "old" in frame.values:
            self._put(frame.values["part"], frame.values["old"])
        else:
            self._part(frame)

    def _complaint(self, frame: Match) -> None:
        """“The 3 % stop is too tight”, “10 % is too much”: what follows is about this part."""
        self.last = {"part": self._part(frame).key}

    def _remove(self, frame: Match) -> None:
        if frame.name == "remove_it" and self.previous == "remove":  # “forget the volume, I don't need it”
            return
        part, self.removes = self._part(frame), True
        if part.kind:
            self._remove_condition(part, frame.values.get("old"))
            return
        held = edits.set_paths(part.key, self.strategy)  # of “the take profit”, targets too
        if self.before is not None and held and held != edits.set_paths(part.key, self.before):
            return  # “an ATR stop instead of the stop loss” has taken its place already
        self.strategy = edits.without(self.strategy, held[0] if held else setting_path(part.key)[:2])
        self._remember(part)

    _remove_it = _remove

    def _drop_exit(self, frame: Match) -> None:
        """Remove an exit: “don't sell on RSI any more”, “don't sell at 0.012”."""
        part = frame.values["part"] or self.parts["exit_level"]
        self._remove(replace(frame, values={**frame.values, "part": self.parts.get(f"{part.series}.exit", part)}))

    def _remove_condition(self, part: Part, old: float | None) -> None:
        paths = [path for path, now in places_of(part, self.strategy).items() if old in (None, now)]
        series = part.series or {"volume_spike": "volume"}.get(part.kind)
        if not paths and old is None:  # “the EMA rule” of two averages
            paths = [path for path, operand in operands_of(self.strategy) if operand["series"] == series]
        exits = [("exit_conditions", at) for at, _ in enumerate(self.strategy.get("exit_conditions") or [])]
        if part.key == "exit_level" and not paths and len(exits) == 1 and old is None:  # “remove the sell condition”
            paths = [*exits]
        rules = [rule for rule, _ in leaves_of(self.strategy) if any(path[: len(rule)] == rule for path in paths)]
        if (part.field == "window" and old is None) or len(rules) != 1:
            raise question("which_condition", part=part.said)
        self.strategy = edits.without_condition(self.strategy, rules[0])

    def _fitting(self, part: Part, value: Token | float) -> float:
        """Return the value of a token for a part; a time without a unit has the unit of the present value."""
        if not isinstance(value, Token):
            return value
        if value.kind == "number" and part.slot == "DUR":
            now = value_of(part, self.strategy) or HOUR
            return value.value * next(unit for unit in (DAY, HOUR, MINUTE) if now % unit == 0)
        if value.kind not in ("number", FITS.get(part.slot, "percent")):
            raise self._asks("does_not_fit", part, value=value.written)
        return value.value

    def _part_with(self, old: Token, new: Token | None) -> Part:
        """Return the only part that has the old value; a plain number has the kind of the new one."""
        kind = (new or old).kind if old.kind == "number" else old.kind
        parts = [part for part in self.parts.values() if kind in ("number", FITS.get(part.slot, "percent"))]
        found = [part for part in parts if value_of(part, self.strategy) == self._fitting(part, old)]
        found = [part for part in found if part.key != "window"]  # which means each of the other windows too
        if len(found) != 1:
            name, value = ("which_has", "") if new is None else ("which_should_be", new.written)
            raise question(name, old=old.written, value=value)
        return found[0]

    def _put(self, part: Part, value: float, old: float | None = None) -> None:
        """Set the part wherever it stands, or only where it has the old value."""
        written = duration_text(value) if part.slot == "DUR" else value
        if written is None:
            raise self._asks("whole_time", part)
        self._remember(part)
        if part.kind:
            places = {path: now for path, now in places_of(part, self.strategy).items() if old is None or now == old}
            if len(set(places.values())) != 1 or (len(places) > 1 and not part.is_parameter):
                raise question("several" if places else "no_condition", part=part.said, value=written)
            for path in places:
                self.strategy = with_value(self.strategy, path, written)
            return
        if self.said.setdefault(part.key, written) != written:
            raise self._asks("two_values", part)
        if part.key == "stop_loss_percent" and not 0.5 <= value <= 90:
            raise self._asks("is_it_a_price", part)
        self.strategy = edits.with_setting(self.strategy, part.key, written)

    def _remember(self, part: Part | None) -> None:
        is_relative = any("sign" in frame.values for frame in self.frames)
        did = "change" if is_relative else "remove" if self.removes else "set"
        many = bool(self.last) and part is not None and self.last.get("part") != part.key
        self.last = {"part": part.key, "op": did, "many": many} if part else {}

    def _asks(self, name: str, part: Part, value: str = "") -> NeedsClarification:
        """Return the question about a part, whose answer is its value."""
        return question(name, {"part": part.key}, part=part.said, value=value)

    def _is_now(self, part: Part) -> NeedsClarification:
        """Return the question that says what a part is now."""
        now = value_of(part, self.strategy)
        unit = {"MULT": "×", "NUM": "", "INT": "", "MONEY": " dollars"}.get(part.slot, " %")
        value = f"{now:g}{unit}" if now is not None and part.slot != "DUR" else duration_text(now or 0) or "not set"
        return question("is_now", {"part": part.key}, part=part.said.capitalize(), value=value)

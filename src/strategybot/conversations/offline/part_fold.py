"""Find the parts of a strategy, such as the stop loss, and set, change, remove or keep them."""

from collections.abc import Sequence
from dataclasses import replace

from strategybot.conversations.offline.conditions import Condition, NeedsClarification
from strategybot.conversations.offline.lexicon import Part
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.text import DAY, HOUR, MINUTE, Token
from strategybot.kit.json_object import Json
from strategybot.trading.language import edits
from strategybot.trading.language.edits import JsonPath, setting_path, value_at, with_value
from strategybot.trading.language.values import duration_seconds, duration_text

NAMED_SETTINGS = {
    "size": "position_percent", "hold": "max_holding", "hold_or": "max_holding",
    "cooldown": "cooldown", "trail": "trailing_stop_percent", "peak": "trailing_stop_percent",
    "profit": "take_profit_percent", "loss": "stop_loss_percent",
    "break_even": "break_even_after_percent", "risk_size": "risk_percent",
    "atr_stop": "stop_loss_atr.times", "atr_trail": "trailing_stop_atr.times",
    "drawdown": "guards.max_drawdown_percent", "day_limit": "guards.max_trades_per_day",
}  # fmt: skip
SELLING = frozenset({"profit", "loss", "hold"})
SAYS_WHAT = ("make_it", "scale_it", "remove_it", "bare")  # what becomes of “it”
FITS = {
    "LOSS": "percent", "GAIN": "percent", "SHARE": "percent", "DUR": "duration", "MULT": "multiple", "NUM": "money",
    "INT": "number", "MONEY": "money",
}  # fmt: skip


def paths_of(part: Part, strategy: Json) -> list[JsonPath]:
    """Return the path of a setting, or that of a number in each condition that holds it."""
    if not part.kind:
        return [setting_path(part.key)]
    sides = ("exit_conditions",) if part.is_exit else ("conditions", "exit_conditions")
    for side in sides if part.kind == "compare" else sides[:1]:
        held = edits.leaves(strategy.get(side) or [], (side,))
        if found := [(*path, *inside) for path, each in held for inside in _inside(part, each)]:
            return found
    return []


def _inside(part: Part, condition: Json) -> list[JsonPath]:
    """Return where the part stands in a condition; nothing if it does not, or on both sides."""
    if part.kind == "*" or part.kind != "compare" or condition["kind"] != "compare":
        is_held = part.field in condition if part.kind == "*" else condition["kind"] == part.kind
        return [(part.field,)] if is_held else []
    if not part.is_parameter:
        is_level = condition["left"].get("series") == part.series and not isinstance(condition["right"], dict)
        return [("right",)] if is_level else []
    operands = [side for side in ("left", "right") if isinstance(condition[side], dict)]
    sides = [side for side in operands if condition[side].get("series") == part.series]
    return [(sides[0], part.field)] if len(sides) == 1 else []


def _series_in(condition: Json) -> list[str]:
    operands = (condition.get(side) for side in ("left", "right"))
    return [operand["series"] for operand in operands if isinstance(operand, dict)]


def value_of(part: Part, strategy: Json) -> float | None:
    """Return the value of a part, times in seconds; None if it has none or several."""
    paths = paths_of(part, strategy)
    value = value_at(strategy, paths[0]) if len(paths) == 1 else None
    if isinstance(value, str) and part.slot == "DUR":
        return float(duration_seconds(value))
    return value if isinstance(value, int | float) else edits.UNSET.get(part.key)


class PartFold:
    def __init__(self, current: Json | None, memory: Json, frames: Sequence[Match], parts: Sequence[Part]) -> None:
        self.parts = {part.key: part for part in parts}
        self.first_parts = {part.kind: part for part in reversed(parts) if part.kind}
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

    def value(self, part: Part) -> float | None:
        return value_of(part, self.strategy)

    def _part_in(self, condition: Json) -> Part | None:
        """Return the number of a condition that “it” means: the level of an indicator, the size of a drop."""
        if condition["kind"] != "compare":
            return self.first_parts.get(condition["kind"])
        return None if isinstance(condition["right"], dict) else self.parts.get(condition["left"]["series"])

    def _named_setting(self, frame: Match) -> None:
        if "ask" in frame.values and self.side != "sell" and self.previous not in SELLING:
            self.doubts.append(frame.values["ask"])
        if frame.name == "day_limit" and frame.values.get("d", DAY) != DAY:
            raise NeedsClarification("I can limit the trades of a day. How many should it be?")
        part = self.parts[NAMED_SETTINGS[frame.name]]
        self._put(part, float(frame.values.get("amount", 100.0)))
        if "period" in frame.values:
            self.strategy = with_value(self.strategy, (*setting_path(part.key)[:-1], "period"), frame.values["period"])

    def _streak(self, frame: Match) -> None:
        self._put(self.parts["guards.losing_streak.losses"], frame.values["streak"]["n"])
        pause = self.parts["guards.losing_streak.pause"]
        if "d" not in frame.values and self.value(pause) is None:
            self.doubts.append("You did not say how long it should pause, so I took a day.")
        self._put(pause, frame.values.get("d") or self.value(pause) or DAY)

    def _set_part(self, frame: Match) -> None:
        part, value = frame.values["part"], frame.values["value"]
        part = self.parts.get(f"{part.series}.period", part) if "is_period" in frame.values else part
        has_period = any(each.series == part.series and each.is_parameter for each in self.parts.values())
        if frame.values.get("is_short") and part.series and not part.is_parameter and has_period:
            name = part.said.removesuffix(" level")
            options = {each: f"set {name} {each} to {value:g}" for each in ("level", "period")}
            raise NeedsClarification(
                f"Is {value:g} the level or the period of {name}?", {"kind": "choose", "options": options}
            )
        if frame.values.get("is_more") and self.before is not None:
            self._unclear_change(frame)
        period = self.parts.get(f"{part.key}.period")  # “change the EMA to 100” where it is compared with the price
        part = period if period and not paths_of(part, self.strategy) and paths_of(period, self.strategy) else part
        if "old" in frame.values and self.before is not None:
            part = self._with_old(part, frame.values["old"])
        self._put(part, value)
        if "second" in frame.values:
            self._put(frame.values["second"], frame.values.get("other", value))
        if "w" in frame.values:
            window = next(each for each in self.parts.values() if each.kind == part.kind and each.field == "window")
            self._put(window, frame.values["w"]["d"])

    def _states(self, frame: Match) -> None:
        """Set the part if a new strategy is described: “the stop is 4 %”. Otherwise check that it is true."""
        is_new = self.before is None or self.restates
        (self._put if is_new else self._check_old)(frame.values["part"], frame.values["value"])

    def _with_old(self, part: Part, old: float) -> Part:
        """Return the part, or the parameter of its series with the old value: “RSI 21 instead of 14” is its period."""
        inner = [each for each in self.parts.values() if part.series and each.series == part.series]
        found = next((each for each in inner if self.value(each) == old), part)
        if found is part:
            self._check_old(part, old)
        return found

    def _check_old(self, part: Part, old: float | None) -> None:
        now = self.value(part)
        if now is None or old is None or abs(now - old) > 1e-9:
            raise is_now(part, now)

    def _change(self, frame: Match) -> None:
        """Raise, lower, double or halve a part, or “it”; “… and the target by 5” goes the way of the change before."""
        part, values = self._part(frame), frame.values
        now = self.value(part)
        if now is None:
            raise is_now(part, now)
        if "factor" in values:
            self._put(part, round(now * values["factor"], 10))
            return
        signs = [each.values["sign"] for each in self.frames if "sign" in each.values]
        if not signs:
            self._unclear_change(frame)
        sign, step = values.get("sign", signs[-1]), self._fitting(part, values["value"])
        if part.slot != "DUR" and step > now:
            raise is_now(part, now)
        self._put(part, round(now + sign * step, 10))
        if "second" in values:
            self._change(replace(frame, values={"part": values["second"], "sign": sign, "value": step}))

    _scale = _scale_it = _change_it = _change

    def _unclear_change(self, frame: Match) -> None:
        part, verb = frame.values["part"], "raise" if frame.values.get("sign", 1) > 0 else "lower"
        value = self._fitting(part, frame.values["value"])
        step = (duration_text(value) if part.slot == "DUR" else None) or f"{value:g}"
        options = {"by": f"{verb} {part.said} by {step}", "to": f"set {part.said} to {step}"}
        raise NeedsClarification(
            f"Should {part.said} change by {step}, or to {step}?", {"kind": "choose", "options": options}
        )

    def _part(self, frame: Match) -> Part:
        """Return the part that a frame is about; “it” is the last one."""
        last, value = self.last or self.memory.get("last") or {}, frame.values.get("value")
        part = frame.values.get("part") or self.parts.get(frame.values.get("key") or last.get("part", ""))
        is_new = frame.name in ("make_it", "bare")
        if part is None or ("part" not in frame.values and last.get("many") and not is_new):
            which = _which(value.written) if is_new and isinstance(value, Token) else None
            raise NeedsClarification(
                "Which part do you mean: the stop loss, the take profit, or something else?", which
            )
        return part

    def _wants_value(self, frame: Match) -> None:
        part = frame.values["part"]
        has_rule = part.kind and any(each.name == "condition" and each.start > frame.start for each in self.frames)
        if self._is_told_behind(frame):
            return
        if has_rule:
            self.adds = self.adds or part.kind == "compare"  # “add an RSI filter: RSI below 35”
        elif not any(NAMED_SETTINGS.get(each.name) == part.key for each in self.frames):  # “smaller: 30 % of the cash”
            raise NeedsClarification(f"What should {part.said} be?", wants(part))

    def _mention(self, frame: Match) -> None:
        behind = [each.name for each in self.frames if each.start > frame.start]
        stays = [name for name in behind if name not in ("join_all", "mention")][:1] == ["keep"]
        if self.previous == "remove":
            self._remove(frame)
        elif not self._is_told_behind(frame) and self.previous != "keep" and not stays:
            part = frame.values["part"]
            is_new = part.series and not paths_of(part, self.strategy)  # “buy when RSI is below”
            pending = {"kind": "fill", "order": "{text} {answer}"} if is_new else wants(part)
            raise NeedsClarification(f"What should I do with {part.said}?", pending)

    def _is_told_behind(self, frame: Match) -> bool:
        """Return whether what follows is about the part: “a bigger target: 18 %”, “RSI: buy below 30”."""
        part, behind = frame.values["part"], [each for each in self.frames if each.start > frame.start]
        if behind and behind[0].name in SAYS_WHAT:
            self.last = {"part": part.key}
            return True
        rule = next((each.values for each in behind if each.name == "condition"), {})
        is_bare = "turned" in rule or (rule.get("kind") == "price_level" and not rule["names_price"])
        is_level = part.field == "right" and is_bare
        self.named_series = part.series if is_level else self.named_series
        is_filter = frame.name == "wants_value" and "buy" not in {each.name for each in behind}
        self.adds = self.adds or (is_level and is_filter)  # “add an RSI filter: below 35”
        return is_level

    def _keep(self, frame: Match) -> None:
        if "old" in frame.values:
            self._check_old(frame.values["part"], frame.values["old"])

    def _complaint(self, frame: Match) -> None:
        """“The 3 % stop is too tight”, “10 % is too much”: what follows is about this part."""
        self._keep(frame)
        part = frame.values.get("part") or self._part_with(frame.values["complained"], "What")
        self.last = {"part": part.key}

    def _remove(self, frame: Match) -> None:
        if frame.name == "remove_it" and self.previous == "remove":
            return
        part, old = self._part(frame), frame.values.get("old")
        self.removes = True
        if part.kind:
            self._remove_condition(part, old)
            return
        held = edits.set_paths(part.key, self.strategy)  # of “the take profit”, targets too
        if self.before is not None and held and held != edits.set_paths(part.key, self.before):
            return  # “an ATR stop instead of the stop loss” has taken its place already
        if old is not None or (self.before is not None and not held):
            self._check_old(part, old)
        self.strategy = edits.without(self.strategy, held[0] if held else setting_path(part.key)[:2])
        self._remember(part)

    _remove_it = _remove

    def _remove_condition(self, part: Part, old: float | None) -> None:
        written = duration_text(old) if old is not None and part.field == "window" else old
        paths = paths_of(part, self.strategy)
        exits = self.strategy.get("exit_conditions") or []
        if part.is_exit and not paths and len(exits) == 1 and old is None:  # “remove the sell condition”
            paths = [("exit_conditions", 0)]
        if part.series and not paths and old is None:  # “the EMA rule” of two averages
            sides = ("conditions", "exit_conditions")
            held = [leaf for side in sides for leaf in edits.leaves(self.strategy.get(side) or [], (side,))]
            paths = [path for path, each in held if part.series in _series_in(each)]
        found = [path for path in paths if old is None or value_at(self.strategy, path) == written]
        if (part.field == "window" and old is None) or len(found) != 1:
            asked = f"I could not tell which condition you mean by {part.said}. Which one should go?"
            raise NeedsClarification(asked, {"kind": "fill", "order": "remove {answer}"})
        number = max(at for at, step in enumerate(found[0]) if isinstance(step, int))
        self.strategy = edits.without_condition(self.strategy, found[0][: number + 1])

    def _make_it(self, frame: Match) -> None:
        part, token = self._part(frame), frame.values["value"]
        if (self.memory.get("last") or {}).get("op") == "change" and not self.last:
            raise NeedsClarification(f"Should {part.said} be {token.written}?", wants(part))
        self._put(part, self._fitting(part, token))
        if "operator" in frame.values and part.field == "right":  # “no wait, under 20”
            (path,) = paths_of(part, self.strategy)
            self.strategy = with_value(self.strategy, (*path[:-1], "operator"), frame.values["operator"])

    _bare = _make_it

    def _fitting(self, part: Part, value: Token | float) -> float:
        """Return the value of a token for a part; a time without a unit has the unit of the present value."""
        if not isinstance(value, Token):
            return value
        if value.kind == "number" and part.slot == "DUR":
            now = self.value(part) or HOUR
            return value.value * next(unit for unit in (DAY, HOUR, MINUTE) if now % unit == 0)
        if value.kind not in ("number", FITS[part.slot]):
            raise NeedsClarification(f"{value.written} does not fit {part.said}. What should it be?", wants(part))
        return value.value

    def _swap(self, frame: Match) -> None:
        new: Token = frame.values["value"]
        part = self._part_with(frame.values["old"], f"Which part should be {new.written}", new)
        self._put(part, self._fitting(part, new))

    def _part_with(self, old: Token, question: str, new: Token | None = None) -> Part:
        kind = new.kind if new is not None and old.kind == "number" else old.kind
        fitting = [part for part in self.parts.values() if kind in ("number", FITS[part.slot]) and part.key != "window"]
        found = [part for part in fitting if self.value(part) == self._fitting(part, old)]
        if len(found) != 1:
            pending = _which(new.written) if new is not None else {}
            raise NeedsClarification(f"I could not tell what has the value {old.written}. {question}?", pending)
        return found[0]

    def _put(self, part: Part, value: float) -> None:
        written = duration_text(value) if part.slot == "DUR" else value
        if written is None:
            raise NeedsClarification(
                "A time must be a whole number of minutes, up to 30 days. What should it be?", wants(part)
            )
        self._remember(part)
        if not part.kind and self.said.setdefault(part.key, written) != written:
            raise NeedsClarification(f"You named two values for {part.said}. Which one should it be?", wants(part))
        if part.key == "stop_loss_percent" and not 0.5 <= value <= 90:
            raise NeedsClarification("Is that a price? A stop loss is a percentage under what was paid.", wants(part))
        if self.entry and part.kind and part.field == "window":
            raise NeedsClarification("Which window do you mean?")
        paths = paths_of(part, self.strategy)
        if len(paths) != 1:
            what = "There is no such condition" if not paths else "There are several of them"
            raise NeedsClarification(f"{what}: {part.said}. What should I change?", _which(str(written)))
        new = with_value(self.strategy, paths[0], written) if part.kind else None
        self.strategy = new or edits.with_setting(self.strategy, part.key, written)

    def _remember(self, part: Part | None) -> None:
        is_relative = any(frame.name in ("change", "scale") for frame in self.frames)
        did = "change" if is_relative else "remove" if self.removes else "set"
        many = bool(self.last) and part is not None and self.last.get("part") != part.key
        self.last = {"part": part.key, "op": did, **({"many": True} if many else {})} if part else {}


def wants(part: Part) -> Json:
    return {"kind": "value", "part": part.key}


def _which(value: str) -> Json:
    return {"kind": "fill", "order": f"set {{answer}} to {value}"}


def is_now(part: Part, now: float | None) -> NeedsClarification:
    """Say what a part is now, and ask what it should be."""
    unit = {"MULT": "×", "NUM": "", "INT": "", "MONEY": " dollars"}.get(part.slot, " %")
    value = f"{now:g}{unit}" if now is not None and part.slot != "DUR" else duration_text(now or 0) or "not set"
    return NeedsClarification(f"{part.said.capitalize()} is {value} now. What should it be?", wants(part))

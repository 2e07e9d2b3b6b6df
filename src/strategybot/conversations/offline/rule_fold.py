"""Fold what is said about when to buy and to sell: conditions, levels of indicators, and what they replace."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from strategybot.conversations.offline import conditions as said
from strategybot.conversations.offline.conditions import MOVES, Condition
from strategybot.conversations.offline.lexicon import SENTENCES, Part
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import PartFold, leaves_of, operands_of, paths_of, value_of
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import with_value
from strategybot.trading.language.idioms import usual
from strategybot.trading.language.series import SERIES

SETTINGS = {  # what says the same as a condition to sell without a window
    ("price_rise", None): "take_profit_percent", ("price_drop", None): "stop_loss_percent",
    ("price_drop", "high"): "trailing_stop_percent",
}  # fmt: skip


class RuleFold(PartFold):
    pending_join = ""
    sells_by_setting = is_verb_last = False
    matched = exit_match = ""
    token: Token | None = None

    def _buy(self, frame: Match) -> None:
        if self.previous == "add" and self.before is not None and not self.matched:  # “also buy when …”
            raise question("all_or_any")
        if "tok" in frame.values:
            self._token(frame)
        self.restates = self.restates or not self.adds

    def _replace(self, frame: Match) -> None:
        self.adds = self.adds or bool(frame.values["part"].kind)
        self._remove(frame)
        self.removes = False

    def _retune(self, frame: Match) -> None:
        """Give a series other parameters, or put another in its place: “use the 1h RSI”, “MFI instead of RSI”."""
        new = said.operand(frame.values["new"])
        new |= {"interval": frame.values["interval"]} if "interval" in frame.values else {}
        if "first" in frame.values or "second" in frame.values:  # “use the 12 and 26 EMA”
            self._retune_pair(new, frame.values)
            return
        old = frame.values.get("old", {"series": new["series"]})
        found = [(path, now) for path, now in operands_of(self.strategy) if old.items() <= now.items()]
        told = [{key: now.get(key) for key in new.keys() - {"series", "interval"}} for _, now in found]
        if not found or (len(old) == 1 and any(each != told[0] for each in told)):  # “use EMA 50” of two averages
            raise question("which_series" if found else "no_series", name=str(old["series"]).upper())
        for path, now in found:
            kept = {key: value for key, value in now.items() if key in SERIES[new["series"]].model_fields}
            self.strategy = with_value(self.strategy, path, {**kept, **new})

    def _retune_pair(self, new: Json, values: Mapping[str, Any]) -> None:
        """Give the two lines of a crossing other periods."""
        periods = {"left": values.get("first", new.get("period")), "right": values.get("second", new.get("period"))}
        pairs = [path for path, each in leaves_of(self.strategy) if said.is_pair(each, new["series"])]
        if not pairs:
            raise question("no_series", name=str(new["series"]).upper())
        for path in pairs:
            for side, period in periods.items():
                self.strategy = with_value(self.strategy, (*path, side, "period"), period)

    def _reference(self, frame: Match) -> None:
        self._put(replace(self.parts["drop"], field="reference"), frame.values["reference"])

    def _token(self, frame: Match) -> None:
        token = frame.values["tok"]
        if self.token is not None and self.token.text != token.text:
            old = [self.token.written, token.written]
            options = {each.lower().removeprefix("$"): each for each in old}
            raise question("which_token_trades", {"kind": "choose", "options": options, "old": old, "everywhere": True})
        self.token = token

    def _set(self, frame: Match) -> None:
        """Set a part. “A volume filter of 3x” adds the condition where there is none of its kind."""
        part = frame.values["part"]
        is_meant = self.adds or "adds" in frame.values or not self.strategy.get("conditions")
        if not is_meant or part.kind not in MOVES or part.field == "window" or paths_of(part, self.strategy):
            self._set_part(frame)
            return
        self.adds = self.adds or not self.restates
        self._condition(frame, kind=part.kind, amount=frame.values["value"])

    def _condition(self, frame: Match, **more: Any) -> None:
        values = {**frame.values, **more}
        if self._changes_level(values):
            return
        self.adds = self.adds or bool(values.get("also"))
        condition = said.make_condition({"side": self.side, **self._about_indicator(values)}, self.pending_join)
        if values.get("when") is not None:  # “when PIPO drops 5 %”
            self._token(replace(frame, values=values["when"]))
        is_story = self.side is None or (self.is_verb_last and self.before is not None)
        if values.get("told") and is_story:  # “it dropped 8 %” tells of the past, unless it follows “buy when”
            raise question("buy_or_sell_told")
        self.restates = self.restates or values.get("side") == "buy"
        if self.side == "sell":
            self._add_to_exits(condition, is_open="when" in values and bool(self.exits))
        elif "old" in values and self.before is not None:  # “buy at 10 % below the high instead of 8 %”
            self._change_condition(condition)
        elif self.side == "buy" or self.adds or not self.strategy.get("conditions"):
            self._join(self.entry, condition)
        elif "when" in values:
            raise question("buy_or_sell")
        else:
            self._change_condition(condition)
        self.pending_join = ""

    def _changes_level(self, values: Mapping[str, Any]) -> bool:
        """Change the level of an indicator that the message calls the old one: “sell at 80 instead of 70”."""
        old: Token | None = values.get("old")
        if old is None or self.before is None:
            return False
        kinds = ("compare", "price_level") if values["kind"] == "price_level" else (values["kind"],)
        held = [each for each in self.parts.values() if each.kind in kinds and each.is_exit == (self.side == "sell")]
        sought = {each: self._fitting(each, old) if old.kind == "number" else old.value for each in held}
        found = [each for each, value in sought.items() if value_of(each, self.strategy) == value]
        if not found:
            raise question("nothing_replaced", old=old.written)
        if found[-1].field != "right":
            return False
        self._put(found[-1], values.get("level", values.get("right")), old.value)
        return True

    def _join(self, conditions: list[Condition], condition: Condition) -> None:
        same = [at for at, each in enumerate(conditions) if said.says_same(each.values, condition.values)]
        if same:  # “golden cross: buy when the 50 day SMA crosses …”
            conditions[same[0]] = replace(condition, join=conditions[same[0]].join)
        else:
            conditions.append(condition)

    def _mention(self, frame: Match) -> None:
        """Read “a dip” or “volume” among conditions as the one that the strategy has, or as a usual one."""
        part = frame.values["part"]
        is_rule = self.side == "buy" and (self.pending_join or self.previous in ("", "buy"))
        if part.kind not in MOVES or not is_rule:
            super()._mention(frame)
            return
        if not self.entry and any(each.values.get("dip") for each in self.frames):  # “buy dips with volume”
            self.entry.append(self._usual(self.parts["drop"]))
        self._join(self.entry, replace(self._usual(part), groups=frame.values["groups"]))
        self.pending_join = ""

    def _usual(self, part: Part) -> Condition:
        """Return the condition of this kind that the strategy has, or a usual one."""
        now = next((each for each in (self.before or {}).get("conditions", []) if each["kind"] == part.kind), None)
        self.notes += [] if now else [f"You named no number for {part.said}, so I took a usual one."]
        return Condition(now or usual(part.kind), self.pending_join)

    def _more(self, frame: Match) -> None:
        """Add the last drop or rise with other numbers: “5 % in an hour or 10 % in a day”."""
        kinds = [each.values["kind"] for each in (*self.exits, *self.entry) if each.values["kind"] in MOVES]
        self.pending_join = "any"
        self._condition(frame, kind=kinds[-1] if kinds else "price_drop")

    def _about_indicator(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read what names no indicator as said of the last one: “buy when RSI is below 30, sell when it is over 70”."""
        known = [] if self.restates else (self.before or {}).get("conditions", [])
        known = [each for each in known if each["kind"] == "compare"]
        here = [said.usual_crossing(self.named_series)] if self.named_series else []
        here += [each.values for each in (*self.entry, *self.exits) if each.values["kind"] == "compare"]
        sides = {at: said.with_known_period(values[at], here) for at in ("left", "right") if at in values}
        values = {**values, **sides}
        last: Json = [{}, *known, *here][-1]
        if "extreme" in values:  # “oversold” is of the RSI unless another can be that
            lefts = [each["left"] for each in (*known, *here) if each["left"]["series"] in said.EXTREMES]
            left = values.get("left") or [{"series": "rsi"}, *lefts][-1]
            levels = said.EXTREMES.get(left["series"], (None, None))
            return {**values, "left": left, "right": levels[values["extreme"] == "overbought"]}
        if not last or values["kind"] not in ("compare", "price_level"):
            return values
        if values["kind"] == "compare":
            return _beside(values, last) if isinstance(values.get("right"), dict) else _repeated(values, last)
        has_level = any(each.values["kind"] == "price_level" for each in (*self.entry, *self.exits))
        is_line = isinstance(last["right"], dict) and said.pane(last["left"]) == "price"
        is_unclear = not here and (len(known) > 1 or values["level"] < 1)
        if has_level or is_line or is_unclear or values["names_price"]:
            return values
        name = last["left"]["series"].upper()
        self.doubts += [] if here else [f"I read {values['level']:g} as the level of {name}, not as a price."]
        side = values["direction"].replace("reach", "above")
        operator = f"crosses_{side}" if values.get("trigger") == "cross" else side
        return {**values, **said.compared(last["left"], operator, values["level"])}

    def _between(self, frame: Match) -> None:
        """Add two conditions: “RSI is between 40 and 60”."""
        self._condition(frame, kind="compare", operator="above", right=frame.values["low"])
        self._condition(frame, kind="compare", operator="below", right=frame.values["high"])

    def _add_to_exits(self, condition: Condition, *, is_open: bool) -> None:
        move = condition.values["kind"], condition.values.get("reference")
        key = None if "window" in condition.values else SETTINGS.get(move)
        is_mixed = self.exits if key is not None else self.sells_by_setting
        if self.pending_join == "all" and self.exit_match != "any" and (is_mixed or (is_open and not self.exit_match)):
            raise question("exit_by_itself" if self.exit_match else "which_exits_hold")
        if key is None:
            self._join(self.exits, condition)
        else:
            self.sells_by_setting = True
            self._put(self.parts[key], condition.values["percent"])

    def _change_condition(self, condition: Condition) -> None:
        """Change the numbers of a condition that the strategy has, such as one whose old value the message names."""
        same = [at for at, each in enumerate(self.strategy["conditions"]) if condition.is_like(each)]
        if len(same) != 1 or condition.is_signed:
            self.adds = not same and (self.frames[0].name == "join_all" or condition.always_holds())
            is_sure = self.adds and (not condition.groups or self.frames[0].name == "unless")
            self.doubts += [] if is_sure else ["I was not sure whether this replaces the entry."]
            self.entry.append(condition)
            return
        now = self.strategy["conditions"][same[0]]
        said_of_it = {key: value for key, value in condition.values.items() if key != "direction"}
        self.strategy = with_value(self.strategy, ("conditions", same[0]), {**now, **said_of_it})
        self._remember(self._part_in(condition.values))

    def _finish_entry(self) -> None:
        is_open = all(each.values["kind"] == "time" for each in self.entry)
        if is_open and any(frame.values.get("dip") for frame in self.frames):  # “buy the dip, only at night”
            self.entry.insert(0, self._usual(self.parts["drop"]))
        if not self.entry:
            if self.restates and self.strategy == (self.before or {"conditions": []}):
                raise NeedsClarification(SENTENCES["when_to_buy"], {"kind": "entry"})
            return
        if self.restates and self.adds and self._has("buy") and not self.is_verb_last and self.before is not None:
            self.doubts.append("I was not sure whether this replaces the entry.")
        kept = list(self.strategy.get("conditions", [])) if self.adds else []
        match, new = said.join_conditions(self.entry, "all", len(kept), forced=self.matched)
        if kept and match == "any" and not self.matched:  # “also require RSI below 30 or MFI below 20”
            new = [said.grouped("any", new)]
        if self.strategy.get("match") == "any" and all(each.always_holds() for each in self.entry):
            kept, self.matched = [said.grouped("any", kept)] if kept else [], "all"
        match = self.matched or (str(self.strategy.get("match", "all")) if kept else match)
        self.strategy = {**self.strategy, "conditions": [*kept, *new], "match": match}
        self._remember(self._part_in(self.entry[0].values))

    def _finish_exits(self) -> None:
        if not self.exits:
            self.strategy = self.strategy | ({"exit_match": self.exit_match} if self.exit_match else {})
            return
        known = list(self.strategy.get("exit_conditions") or [])
        if known and not self.adds:
            if not all(any(new.is_like(old) for new in self.exits) for old in known):
                self.doubts.append("I was not sure whether this replaces the other exits.")
            known = []
        match, new = said.join_conditions(self.exits, "any", forced=self.exit_match)
        exit_match = {"exit_match": "all"} if match == "all" and len(new) > 1 else {}
        self.strategy = {**self.strategy, "exit_conditions": [*known, *new], **exit_match}


def _beside(values: Mapping[str, Any], last: Json) -> Mapping[str, Any]:
    """Return the comparison with the last indicator, or its line, where the message does not name its own."""
    right, line = values["right"], last["right"] if isinstance(last["right"], dict) else {}
    if line.get("series") == "keltner" and right["series"] == "bollinger" and not values["names_band"]:
        right = {**right, "series": "keltner"}  # “… sell at the upper one”
    is_own = "line" in right and right["series"] == last["left"]["series"] and not values["names_price"]
    is_chain = values["is_chain"] and not values["names_price"]  # “EMA 20 > EMA 50 > EMA 200”
    left = line if is_chain else last["left"] if is_own else None
    return {"left": left, **values, "right": right}


def _repeated(values: Mapping[str, Any], last: Json) -> Mapping[str, Any]:
    """Return the last comparison in another direction: “it crosses below”, “a bearish cross”, “the opposite”."""
    right, turned = last["right"], values.get("turned")
    now, other = ("above", "below") if "above" in last["operator"] else ("below", "above")
    if isinstance(right, dict):
        right = {key: value for key, value in right.items() if key != "times"}
    elif right and turned in (now, other):  # nothing turns at 30
        return values
    operator = last["operator"].replace(now, other if turned == "opposite" else turned or now)
    return {"left": last["left"], "operator": operator, "right": values.get("negative", right), **values}

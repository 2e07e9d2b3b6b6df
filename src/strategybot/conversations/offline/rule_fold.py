"""Fold what is said about when to buy and to sell: conditions, levels of indicators, and what they replace."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from strategybot.conversations.offline import conditions as said
from strategybot.conversations.offline.conditions import Condition
from strategybot.conversations.offline.lexicon import SENTENCES, Part
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import PartFold, operands_of, paths_of, places_of
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import with_value
from strategybot.trading.language.idioms import group, usual
from strategybot.trading.language.values import duration_seconds

MOVES = ("price_drop", "price_rise", "volume_spike")
SETTINGS = {  # what says the same as a condition to sell without a window
    ("price_rise", "close"): "take_profit_percent", ("price_drop", "close"): "stop_loss_percent",
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
        new = {
            **said.operand(frame.values["new"]),
            **{key: frame.values[key] for key in ("interval",) if key in frame.values},
        }
        old = frame.values.get("old", {"series": new["series"]})
        found = [(path, now) for path, now in operands_of(self.strategy) if old.items() <= now.items()]
        told = [{key: now.get(key) for key in new.keys() - {"series", "interval"}} for _, now in found]
        if not found or (len(old) == 1 and any(each != told[0] for each in told)):  # “use EMA 50” of two averages
            raise question("which_series" if found else "no_series", name=str(old["series"]).upper())
        for path, now in found:
            self.strategy = with_value(self.strategy, path, said.retuned(now, new))

    def _reference(self, frame: Match) -> None:
        paths = paths_of(self.parts["drop"], self.strategy)
        if len(paths) != 1:
            raise question("no_condition", part=self.parts["drop"].said)
        self.strategy = with_value(self.strategy, (*paths[0][:-1], "reference"), frame.values["reference"])

    def _token(self, frame: Match) -> None:
        token = frame.values["tok"]
        if self.token is not None and self.token.text != token.text:
            first, second = self.token.written, token.written
            options = {each.lower().removeprefix("$"): each for each in (first, second)}
            old = {"kind": "choose", "options": options, "old": [first, second], "everywhere": True}
            raise question("which_token_trades", old)
        self.token = token

    def _set(self, frame: Match) -> None:
        """Set a part. “A volume filter of 3x” adds the condition where there is none of its kind."""
        part = frame.values["part"]
        if part.kind not in MOVES or part.field == "window" or paths_of(part, self.strategy):
            self._set_part(frame)
            return
        if self.strategy.get("conditions") and not self.adds and "adds" not in frame.values:
            self.doubts.append(f"There is no such condition yet, {part.said}, so this adds it.")
        self.adds = self.adds or not self.restates
        self._condition(replace(frame, values={**frame.values, "kind": part.kind, "amount": frame.values["value"]}))

    def _condition(self, frame: Match) -> None:
        if self._changes_level(frame):
            return
        self.adds = self.adds or bool(frame.values.get("also"))
        made = said.make_condition({"side": self.side, **self._about_indicator(frame.values)})
        condition = replace(made, join=self.pending_join, groups=frame.values.get("groups", ()))
        if frame.values.get("when") is not None:  # “when PIPO drops 5 %”
            self._token(replace(frame, values=frame.values["when"]))
        is_story = self.side is None or (self.is_verb_last and self.before is not None)
        if frame.values.get("told") and is_story:  # “it dropped 8 %” tells of the past, unless it follows “buy when”
            raise question("buy_or_sell_told")
        self.restates = self.restates or frame.values.get("side") == "buy"
        if self.side == "sell":
            self._add_to_exits(condition, is_open="when" in frame.values and bool(self.exits))
        elif self.side == "buy" or self.adds or not self.strategy.get("conditions"):
            self._join(self.entry, condition)
        elif "when" in frame.values and condition.old is None:
            raise question("buy_or_sell")
        else:
            self._change_condition(condition)
        self.pending_join = ""

    def _changes_level(self, frame: Match) -> bool:
        """Change the level of an indicator that the message calls the old one: “sell at 80 instead of 70”."""
        values, is_sale = frame.values, self.side == "sell"
        old = values["old"].value if values.get("old") and self.before is not None else None
        levels = [each for each in self.parts.values() if each.field == "right" and each.is_exit == is_sale]
        is_level = values["kind"] in ("price_level", "compare")
        found = [
            each for each in levels if is_level and old is not None and old in places_of(each, self.strategy).values()
        ]
        if found:
            self._put(found[0], values["level" if values["kind"] == "price_level" else "right"], old)
        return bool(found)

    def _join(self, conditions: list[Condition], condition: Condition) -> None:
        if not any(each.values == condition.values for each in conditions):  # “golden cross: buy when SMA 50 crosses …”
            conditions.append(condition)

    def _mention(self, frame: Match) -> None:
        """Read “a dip” or “volume” among conditions as the one that the strategy has, or as a usual one."""
        part, place = frame.values["part"], self.frames.index(frame)
        beside = {each.name for each in self.frames[max(0, place - 1) : place + 2]}
        is_rule = "buy" in beside or (beside & {"join_all", "join_any"} and self._has("condition"))
        if part.kind not in MOVES or self.previous == "remove" or not is_rule:
            super()._mention(frame)
            return
        self._join(self.entry, replace(self._usual(part), join=self.pending_join, groups=frame.values["groups"]))
        self.pending_join = ""

    def _usual(self, part: Part) -> Condition:
        """Return the condition of this kind that the strategy has, or a usual one."""
        now = next((each for each in (self.before or {}).get("conditions", []) if each["kind"] == part.kind), None)
        self.notes += [] if now else [f"You named no number for {part.said}, so I took a usual one."]
        return Condition(now or usual(part.kind))

    def _more(self, frame: Match) -> None:
        """Add the last drop or rise with other numbers: “5 % in an hour or 10 % in a day”."""
        kinds = [each.values["kind"] for each in (*self.exits, *self.entry) if each.values["kind"] in MOVES]
        self.pending_join = "any"
        self._condition(replace(frame, values={**frame.values, "kind": kinds[-1] if kinds else "price_drop"}))

    def _about_indicator(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Apply a level to the last indicator: in “RSI below 30 …, sell when it rises above 70”, 70 is the RSI."""
        earlier = [each.values for each in (*self.entry, *self.exits) if each.values["kind"] == "compare"]
        if "turned" in values:
            return self._turned(values, earlier)
        if "extreme" in values:
            return self._extreme(values, earlier)
        if not earlier and not self.named_series:
            return self._with_known_indicator(values)
        last: Json = earlier[-1] if earlier else said.usual_crossing(self.named_series)
        right = values.get("right")
        if isinstance(right, dict) and isinstance(last["right"], dict):
            if last["right"]["series"] == "keltner" and right["series"] == "bollinger" and not values["names_band"]:
                return {**values, "right": {**right, "series": "keltner"}}  # “… sell at the upper one”
            if values["is_chain"] and "left" not in values:
                return {**values, "left": last["right"]}  # “EMA 20 > EMA 50 > EMA 200”
        return self._of_last(values, last)

    def _of_last(self, values: Mapping[str, Any], last: Json) -> Mapping[str, Any]:
        """Apply what names no indicator to the last one."""
        right = values.get("right")
        if values["kind"] == "compare" and right is None:
            right = values.get("negative", last["right"])
            plain = {key: value for key, value in right.items() if key != "times"} if isinstance(right, dict) else right
            return {**values, "left": last["left"], "right": plain}
        if isinstance(right, dict) and "line" in right and "left" not in values:
            is_own = right["series"] == last["left"]["series"]  # “… sell when it crosses below the signal”
            return {**values, "left": last["left"]} if is_own and not values["names_price"] else values
        is_price = isinstance(last["right"], dict) and said.pane(last["left"]) == "price"
        if values["kind"] != "price_level" or values["names_price"] or is_price:
            return values
        return said.level_of(last["left"], values)

    def _extreme(self, values: Mapping[str, Any], earlier: Sequence[Json]) -> Mapping[str, Any]:
        """Read “oversold” as the level of the indicator that is named, or of the last one; otherwise of the RSI."""
        known = [each["left"] for each in earlier if each["left"]["series"] in said.EXTREMES]
        left = values.get("left") or [{"series": self.named_series or "rsi"}, *known][-1]
        if left["series"] not in said.EXTREMES:
            raise question("compared_with")
        return {**values, "left": left, "right": said.EXTREMES[left["series"]][values["extreme"] == "overbought"]}

    def _turned(self, values: Mapping[str, Any], earlier: Sequence[Json]) -> Mapping[str, Any]:
        """Read “flips red”, “a bearish cross” and “the opposite” of the last indicator that was said or is in use."""
        known = [each for each in (self.before or {}).get("conditions", []) if each["kind"] == "compare"]
        named = [said.usual_crossing(self.named_series)] if self.named_series else []
        last: Json = [{}, *known, *named, *earlier][-1]
        is_opposite, is_level = values["turned"] == "opposite", bool(last) and not isinstance(last["right"], dict)
        if not last or (is_level and last["right"] and not is_opposite):  # nothing turns at 30
            return values
        side = ("below" if "above" in last["operator"] else "above") if is_opposite else values["turned"]
        right = last["right"] if is_level else {key: value for key, value in last["right"].items() if key != "times"}
        return {**values, **last, "right": right, "operator": last["operator"].replace(*said.TURNED[side])}

    def _with_known_indicator(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read a level as that of the indicator on which the strategy buys, and ask: “and sell when it is above 70”."""
        known = [each for each in (self.before or {}).get("conditions", []) if self._part_in(each)]
        is_level = values["kind"] == "price_level" and not values["names_price"] and values["level"] >= 1
        if not is_level or self.restates or [each["kind"] for each in known] != ["compare"]:
            return values
        left = known[0]["left"]
        self.doubts.append(f"I read {values['level']:g} as {self.parts[left['series']].said}, not as a price.")
        return said.level_of(left, values)

    def _between(self, frame: Match) -> None:
        """Add two conditions: “RSI is between 40 and 60”."""
        for operator, bound in (("above", "low"), ("below", "high")):
            one = {"kind": "compare", "operator": operator, "right": frame.values[bound]}
            self._condition(replace(frame, values={**frame.values, **one}))

    def _add_to_exits(self, condition: Condition, *, is_open: bool) -> None:
        what = condition.values["kind"], str(condition.values.get("reference"))
        key = None if condition.has_window else SETTINGS.get(what)
        is_mixed = self.exits if key is not None else self.sells_by_setting
        if self.pending_join == "all" and (
            (is_open and not self.exit_match) or (is_mixed and self.exit_match != "any")
        ):
            raise question("which_exits_hold" if not self.exit_match else "exit_by_itself")
        if key is not None:
            self.sells_by_setting = True
            self._put(self.parts[key], condition.values["percent"])
        else:
            self._join(self.exits, condition)

    def _check_replaced(self, condition: Condition, known: Sequence[Json]) -> None:
        """Raise `NeedsClarification` if the value that the message calls the old one is in none of the conditions."""
        numbers = {each.get(name) for each in known for name in ("percent", "level", "multiplier")}
        windows = [each["window"] for each in known if "window" in each]
        numbers |= {value for window in windows for value in (float(window[:-1]), duration_seconds(window))}
        if condition.old is not None and condition.old.value not in numbers:
            raise question("nothing_replaced", old=condition.old.written)

    def _change_condition(self, condition: Condition) -> None:
        """Change the numbers of a condition that the strategy has, if the message says neither “buy” nor “add”."""
        same = [at for at, each in enumerate(self.strategy["conditions"]) if condition.is_like(each)]
        if len(same) != 1 or condition.is_signed:
            self.adds = not same and (self.frames[0].name == "join_all" or condition.always_holds())
            is_sure = self.adds and (not condition.groups or self.frames[0].name == "unless")
            self.doubts += [] if is_sure else ["I was not sure whether this replaces the entry."]
            self.entry.append(condition)
            return
        now = self.strategy["conditions"][same[0]]
        self._check_replaced(condition, [now])
        left_open = {"window": not condition.has_window, "reference": condition.values.get("reference") == "close"}
        values = {key: value for key, value in condition.values.items() if not left_open.get(key)}
        values |= {"trigger": condition.trigger} if condition.trigger else {}
        self.strategy = with_value(self.strategy, ("conditions", same[0]), {**now, **values})
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
        if kept and match == "any" and len(new) > 1 and not self.matched:  # “also require RSI below 30 or MFI below 20”
            new = [group("any", new)]
        if len(kept) > 1 and self.strategy.get("match") == "any" and all(each.always_holds() for each in self.entry):
            kept, self.matched = [group("any", kept)], "all"
        match = self.matched or (str(self.strategy.get("match", "all")) if kept else match)
        self.strategy = {**self.strategy, "conditions": [*kept, *new], "match": match}
        self._remember(self._part_in(self.entry[0].values))

    def _finish_exits(self) -> None:
        if not self.exits:
            self.strategy = self.strategy | ({"exit_match": self.exit_match} if self.exit_match else {})
            return
        known = list(self.strategy.get("exit_conditions") or [])
        for condition in self.exits:
            self._check_replaced(condition, known)
        if known and not self.adds:
            same = [old for old in known if any(new.is_like(old) for new in self.exits)]
            if not len(same) == len(known) == len(self.exits):
                self.doubts.append("I was not sure whether this replaces the other exits.")
            known = []
        match, new = said.join_conditions(self.exits, "any", forced=self.exit_match)
        exit_match = {"exit_match": "all"} if match == "all" and len(new) > 1 else {}
        self.strategy = {**self.strategy, "exit_conditions": [*known, *new], **exit_match}

"""Build the new strategy from the frames of a message. The current strategy is never changed in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from strategybot.conversations.offline import conditions as said
from strategybot.conversations.offline.conditions import Condition, NeedsClarification
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.orders import OrderFold
from strategybot.conversations.offline.part_fold import NAMED_SETTINGS, paths_of, value_of
from strategybot.conversations.offline.sides import apply_corrections, sides_of
from strategybot.conversations.offline.text import Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import with_value
from strategybot.trading.language.idioms import group, usual
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds

MOVES = ("price_drop", "price_rise", "volume_spike")
SETTINGS = {  # what says the same as a condition to sell without a window
    ("price_rise", "close"): "take_profit_percent", ("price_drop", "close"): "stop_loss_percent",
    ("price_drop", "high"): "trailing_stop_percent",
}  # fmt: skip
USUAL_ENTRY = {"kind": "compare", "left": {"series": "rsi", "period": 14}, "operator": "below", "right": 30}
DIP: Json = {"conditions": [usual("price_drop")], "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 6}}
NOTHING_TO_DO = frozenset({
    "sell", "anew", "as_well", "keep_rest", "only_this", "unless",
    "match_all", "match_any", "at_least", "exit_all", "exit_any",  # wherever they stand
})  # fmt: skip
FLAGS = {
    "add": ("adds", True), "add_exit": ("adds", True), "restate": ("restates", True),
    "join_all": ("pending_join", "all"), "join_any": ("pending_join", "any"),
}  # fmt: skip
NAMES = """
    condition set change scale remove wants_value unclear_change match_all match_any at_least exit_all exit_any
    fix make_it bare swap remove_it states replace reference scale_it change_it refuse streak more target ladder rung
    amount buy_amount hours purse
"""
CHANGING = frozenset(NAMES.split()) | NAMED_SETTINGS.keys()  # what changes a strategy
FRAMES = CHANGING | NOTHING_TO_DO | FLAGS.keys() | {"buy", "keep", "mention", "complaint", "token", "fresh"}
RULES = ("condition", "mention", "hours")


@dataclass
class Folded:
    strategy: Json | None
    summary: str = ""
    last: Json = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    token: Token | None = None


def fold(
    matches: Sequence[Match], current: Json | None, memory: Json, grammar: Grammar, *, is_first: bool = False
) -> Folded:
    """Return the strategy that the frames make of the current. Raise `NeedsClarification` if they say too little; in
    the first message of all, an entry that is left out is taken instead.
    """
    frames = apply_corrections([match for match in matches if match.name in FRAMES])
    return _Fold(current, memory, frames, grammar.parts).result(grammar, is_first)


def _validate(language: type[Strategy], strategy: Json) -> Strategy:
    try:
        return language.model_validate(strategy)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if isinstance(part, str)).replace("_", " ")
        raise NeedsClarification(
            f"That does not work: {where or 'strategy'}: {first['msg']}. What should it be?"
        ) from error


class _Fold(OrderFold):
    pending_join = ""
    sells_by_setting = False
    token: Token | None = None

    def result(self, grammar: Grammar, is_first: bool) -> Folded:
        self._apply_all()
        self.strategy = self.strategy | ({"match": self.matched} if self.matched else {})
        self._finish_entry()
        self._finish_count()
        self._finish_exits()
        self.finish_orders()
        if all(each["kind"] == "time" for each in self.strategy["conditions"]):
            self._take_usual_entry(is_first)
        valid = _validate(grammar.language, self.strategy)
        self._refuse_contradictions()
        return Folded(valid.model_dump(mode="json"), valid.summary, self.last, self.doubts, self.notes, self.token)

    def _take_usual_entry(self, is_first: bool) -> None:
        """Take a usual entry if a first strategy says only how it sells, how much it buys or when it may; else ask."""
        said = {key for key, value in self.strategy.items() if value} - {"exit_conditions", "match"}
        if not (is_first and said):
            asked = "when_to_buy" if self.before is None else "nothing_left"
            raise NeedsClarification(SENTENCES[asked], {"kind": "entry"})
        self.strategy = {**self.strategy, "conditions": [USUAL_ENTRY, *self.strategy["conditions"]]}
        self.notes.append(SENTENCES["usual_entry"])

    def _apply_all(self) -> None:
        """Apply each frame in the order of the message, on its side of the trade."""
        sides, self.is_verb_last = sides_of(self.frames)
        self.matched, self.exit_match = self._which("match"), self._which("exit")
        self.adds = self.frames[-1:] != [] and self.frames[-1].name in ("add", "as_well")  # “… too”
        brackets = [each for frame in self.frames if frame.name in RULES for each in frame.values.get("groups", ())]
        self.restates = is_whole = any(brackets.count(each) > 1 for each in brackets) and not self._has("add")
        for frame, side in zip(self.frames, sides, strict=True):
            self.side, self.removes = side or ("buy" if is_whole else None), False
            self._apply(frame)
            if frame.name not in ("join_all", "join_any"):
                self.previous = "remove" if self.removes else frame.name

    def _which(self, of: str) -> str:
        """Return whether all or any conditions are said to count; an empty text if neither is."""
        return next((match for match in ("all", "any") if self._has(f"{of}_{match}")), "")

    def _refuse_contradictions(self) -> None:
        kept = [frame.values["part"] for frame in self.frames if frame.name == "keep"]
        if self.before is not None and any(self.value(part) != value_of(part, self.before) for part in kept):
            raise NeedsClarification("You said that it should stay, and also what it should become. What should I do?")
        if all(any(frame.values.get(key) for frame in self.frames) for key in ("at", "is_bare")):
            raise NeedsClarification(
                "Are the stop and the target prices or percentages? I can only use percentages there."
            )

    def _apply(self, frame: Match) -> None:
        if frame.name in NAMED_SETTINGS:
            self._named_setting(frame)
        elif frame.name in FLAGS:
            setattr(self, *FLAGS[frame.name])
        elif frame.name not in NOTHING_TO_DO:
            getattr(self, f"_{frame.name}")(frame)

    def _has(self, name: str) -> bool:
        return any(frame.name == name for frame in self.frames)

    def _buy(self, frame: Match) -> None:
        if self.previous == "add" and self.before is not None and not self.matched:
            raise NeedsClarification("Should it buy on either of them, or must all of them hold?", said.ALL_OR_ANY)
        if "tok" in frame.values:
            self._token(frame)
        self.restates = self.restates or not self.adds

    def _fresh(self, _frame: Match) -> None:
        """“New strategy: …” starts again from nothing."""
        self.strategy, self.before, self.restates = {"conditions": []}, None, True

    def _refuse(self, frame: Match) -> None:
        order = frame.values.get("order")
        raise NeedsClarification(frame.values["ask"], {"kind": "fill", "order": order} if order else None)

    def _replace(self, frame: Match) -> None:
        self.adds = self.adds or bool(frame.values["part"].kind)
        self._remove(frame)
        self.removes = False

    def _reference(self, frame: Match) -> None:
        paths = paths_of(self.parts["drop"], self.strategy)
        if len(paths) != 1:
            raise NeedsClarification("There is no drop to measure. When should it buy?", {"kind": "entry"})
        self.strategy = with_value(self.strategy, (*paths[0][:-1], "reference"), frame.values["reference"])

    def _token(self, frame: Match) -> None:
        token = frame.values["tok"]
        if self.token is not None and self.token.text != token.text:
            first, second = self.token.written, token.written
            options = {each.lower().removeprefix("$"): each for each in (first, second)}
            asked = {"kind": "choose", "options": options, "old": [first, second], "everywhere": True}
            raise NeedsClarification("A strategy trades one token. Which one should it be?", asked)
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
        made = said.make_condition({"side": self.side, **self._about_indicator(frame.values)})
        condition = replace(made, join=self.pending_join, groups=frame.values.get("groups", ()))
        if frame.values.get("when") is not None:  # “when PIPO drops 5 %”
            self._token(replace(frame, values=frame.values["when"]))
        is_story = self.side is None or (self.is_verb_last and self.before is not None)
        if frame.values.get("told") and is_story:  # “it dropped 8 %” tells of the past, unless it follows “buy when”
            options = {"buy": "buy when {text}", "sell": "sell when {text}"}
            asked = "I have changed nothing. Should it buy or sell on that? Say “buy when it drops 5% in 1h”."
            raise NeedsClarification(asked, {"kind": "choose", "options": options})
        self.restates = self.restates or frame.values.get("side") == "buy"
        if self.side == "sell":
            is_open = "when" in frame.values and self.pending_join == "all" and bool(self.exits)
            self._add_to_exits(condition, is_open)
        elif self.side == "buy" or self.adds or not self.strategy.get("conditions"):
            is_open = "when" in frame.values and not (self.pending_join or condition.groups)
            if is_open and not self.matched and any(each.join == "any" for each in self.entry):
                raise NeedsClarification(SENTENCES["all_or_any"], said.ALL_OR_ANY)
            self._join(self.entry, condition)
        elif "when" in frame.values:
            options = {"buy": "buy {text}", "sell": "also sell {text}"}
            asked = "I can buy or sell on that, but change nothing else by it. Should it buy then, or sell?"
            raise NeedsClarification(asked, {"kind": "choose", "options": options})
        else:
            self._change_condition(condition)
        self.pending_join = ""

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
        now = next((each for each in (self.before or {}).get("conditions", []) if each["kind"] == part.kind), None)
        self.notes += [] if now else [f"You named no number for {part.said}, so I took a usual one."]
        self._join(
            self.entry, Condition(now or usual(part.kind), join=self.pending_join, groups=frame.values["groups"])
        )
        self.pending_join = ""

    def _buy_amount(self, frame: Match) -> None:
        self._buy(frame)
        self._amount(frame)

    def _amount(self, frame: Match) -> None:
        """Set the money for each buy, and how often it buys if that is said too: “$100 every day”."""
        self._put(self.parts["position_amount"], frame.values["amount"])
        if {"d", "days"} & frame.values.keys():
            self._condition(replace(frame, values={**frame.values, "kind": "every", "side": "buy"}))

    def _purse(self, frame: Match) -> None:
        """Give the strategy its places for many tokens. A user who has no rule yet gets one that buys dips."""
        if self.before is None and "chain" not in frame.values:
            raise NeedsClarification(SENTENCES["which_chain"], {"kind": "fill", "order": "{text} on {answer}"})
        self.strategy = self.strategy if self.strategy["conditions"] else DIP
        if "places" in frame.values:
            self.strategy = with_value(self.strategy, ("portfolio", "max_open"), frame.values["places"])

    def _hours(self, frame: Match) -> None:
        """Add the hours to the entry that is said, or change those of the strategy."""
        is_entry = bool({"buy", "buy_amount"} & {each.name for each in self.frames} or frame.values.get("groups"))
        if not is_entry and (self.previous == "set" or self.previous in NAMED_SETTINGS):
            self.doubts.append("Hours are for buying, not for a single setting.")
        self.side = "buy" if is_entry else None
        self._condition(replace(frame, values={**frame.values, "kind": "time"}))

    def _more(self, frame: Match) -> None:
        """Add the last drop or rise with other numbers: “4 % in 2h or 6 % in 6h”."""
        kind = [each.values["kind"] for each in (*self.exits, *self.entry)][-1:]
        if kind not in (["price_drop"], ["price_rise"]):
            raise NeedsClarification("Should that be a drop or a rise? Say “drops 5% in 1h”.")
        self.pending_join = "any"
        self._condition(replace(frame, values={**frame.values, "kind": kind[0]}))

    def _about_indicator(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Apply a level to the last indicator: in “RSI below 30 …, sell when it rises above 70”, 70 is the RSI."""
        earlier = [each.values for each in (*self.entry, *self.exits) if each.values["kind"] == "compare"]
        if "turned" in values:
            return self._turned(values, earlier)
        if not earlier and not self.named_series:
            return self._with_known_indicator(values)
        last: Json = earlier[-1] if earlier else said.usual_crossing(self.named_series)
        right = values.get("right")
        if values["kind"] == "compare" and right is None:
            return {**values, "left": last["left"], "right": values.get("negative", last["right"])}
        if isinstance(right, dict) and "line" in right and "left" not in values:
            is_own = right["series"] == last["left"]["series"]  # “… sell when it crosses below the signal”
            return {**values, "left": last["left"]} if is_own else values
        is_price = isinstance(last["right"], dict) and said.pane(last["left"]) == "price"
        if values["kind"] != "price_level" or values["names_price"] or is_price:
            return values
        return said.level_of(last["left"], values)

    def _turned(self, values: Mapping[str, Any], earlier: Sequence[Json]) -> Mapping[str, Any]:
        """Read “flips red”, “a bearish cross” and “the opposite” of the last indicator that was said or is in use."""
        known = [each for each in (self.before or {}).get("conditions", []) if each["kind"] == "compare"]
        named = [said.usual_crossing(self.named_series)] if self.named_series else []
        last: Json = [{}, *known, *named, *earlier][-1]
        is_opposite, is_level = values["turned"] == "opposite", bool(last) and not isinstance(last["right"], dict)
        if not last or (is_level and last["right"] and not is_opposite):  # nothing turns at 30
            return values
        side = ("below" if "above" in last["operator"] else "above") if is_opposite else values["turned"]
        return {**values, **last, "operator": last["operator"].replace(*said.TURNED[side])}

    def _with_known_indicator(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """Read a level as that of the indicator on which the strategy buys, and ask: “and sell when it is above 70”."""
        known = [each for each in (self.before or {}).get("conditions", []) if self._part_in(each)]
        is_level = values["kind"] == "price_level" and not values["names_price"] and values["level"] >= 1
        if not is_level or self.restates or [each["kind"] for each in known] != ["compare"]:
            return values
        left = known[0]["left"]
        self.doubts.append(f"I read {values['level']:g} as {self.parts[left['series']].said}, not as a price.")
        return said.level_of(left, values)

    def _add_to_exits(self, condition: Condition, is_open: bool = False) -> None:
        what = condition.values["kind"], str(condition.values.get("reference"))
        key = None if condition.has_window else SETTINGS.get(what)
        is_mixed = self.pending_join == "all" and (self.exits if key is not None else self.sells_by_setting)
        if (is_open or is_mixed) and not self.exit_match:
            asked = said.all_or_any("both exits must hold", "either exit is enough")
            raise NeedsClarification("Must both hold before it sells, or is either of them enough?", asked)
        if is_mixed and self.exit_match == "all":
            raise NeedsClarification(
                "A gain or a loss sells by itself. When should it sell? Say “sell when rsi is above 70”."
            )
        if key is not None:
            self.sells_by_setting = True
            self._put(self.parts[key], condition.values["percent"])
        else:
            self._join(self.exits, condition)

    def _check_replaced(self, condition: Condition, known: Sequence[Json]) -> None:
        """Raise `NeedsClarification` if the value that the message calls the old one is in none of the conditions."""
        numbers = {each.get(name) for each in known for name in ("percent", "level")}
        windows = [each["window"] for each in known if "window" in each]
        numbers |= {value for window in windows for value in (float(window[:-1]), duration_seconds(window))}
        if condition.old is not None and condition.old.value not in numbers:
            raise NeedsClarification(f"I found no {condition.old.written} to replace. What should I change?")

    def _change_condition(self, condition: Condition) -> None:
        """Change the numbers of a condition that the strategy has, if the message says neither “buy” nor “add”."""
        same = [at for at, each in enumerate(self.strategy["conditions"]) if condition.is_like(each)]
        if len(same) != 1 or condition.is_signed:
            self.adds = not same and (self.frames[0].name == "join_all" or condition.always_holds())
            is_sure = self.adds and not condition.groups
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
        if not self.entry:
            if self.restates and not any(frame.name in CHANGING for frame in self.frames):
                raise NeedsClarification(SENTENCES["when_to_buy"], {"kind": "entry"})
            return
        if self.restates and self.adds and self._has("buy") and not self.is_verb_last and self.before is not None:
            self.doubts.append("I was not sure whether this replaces the entry.")
        kept = list(self.strategy.get("conditions", [])) if self.adds else []
        match, new = said.join_conditions(self.entry, "all", len(kept), forced=self.matched)
        if kept and match == "any" and len(new) > 1 and not self.matched:
            raise NeedsClarification(SENTENCES["all_or_any"], said.ALL_OR_ANY)
        if len(kept) > 1 and self.strategy.get("match") == "any" and all(each.always_holds() for each in self.entry):
            kept, self.matched = [group("any", kept)], "all"
        match = self.matched or (str(self.strategy.get("match", "all")) if kept else match)
        self.strategy = {**self.strategy, "conditions": [*kept, *new], "match": match}
        self._remember(self._part_in(self.entry[0].values))

    def _finish_count(self) -> None:
        """Put the conditions into a group if some of them are enough: “at least 2 of: …”."""
        counted = next((frame for frame in self.frames if frame.name == "at_least"), None)
        if counted is not None:
            some = {**group("at_least", self.strategy["conditions"]), "count": counted.values["n"]}
            self.strategy = {**self.strategy, "conditions": [some], "match": "all"}

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

"""From frames to a new strategy. Pure: the current strategy is never changed in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from strategybot.conversations.offline.conditions import Condition, Json, NotSayable, as_setting, made, said_values
from strategybot.conversations.offline.corrections import corrected
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import NAMED_SETTINGS, PartFold, Question, capital, shown, wants
from strategybot.conversations.offline.sides import contradict, sides_of
from strategybot.conversations.offline.text import Token
from strategybot.trading.language.values import duration_seconds

NOTHING_TO_DO = frozenset({"sell", "anew", "keep_rest", "match_all"})
FLAGS = {
    "add": ("adds", True), "add_exit": ("adds", True), "restate": ("restates", True),
    "join_all": ("pending_join", "all"), "join_any": ("pending_join", "any"),
}  # fmt: skip
NAMES = """
    condition set change scale remove keep mention wants_value unclear_change buy sell sell_at buy_at join_all join_any
    match_all match_any add add_exit anew restate only_this keep_rest fix make_it bare swap remove_level complaint
    remove_it states replace reference token scale_it change_it refuse fresh streak more change_too
"""
QUIET = """
    join_all join_any buy sell add add_exit anew restate keep_rest keep mention only_this complaint token fresh
"""
FRAMES = frozenset(NAMES.split()) | frozenset(NAMED_SETTINGS)  # what `fold` reads
CHANGING = FRAMES - frozenset(QUIET.split())  # what changes a strategy

REFUSED = {
    "parts": "Each trade is one buy and one sale, not parts of one. At what gain or loss should it sell?",
    "delay": "I cannot wait between the signal and the buy. Should it buy at once, or wait after each sale?",
    "mixed": "Is that a drop of that size, or a price? Say “drops 4 % in 1h”, or “falls below 0.02”.",
    "lasting": "I can use what the price is at a candle, not how long it has been so. Should it act at once?",
    "amount": "Each buy uses a share of the cash, not a fixed amount. Which percentage should it be?",
    "exits": "Which exits should go? You can name them: “remove the stop loss and the take profit”.",
}


@dataclass
class Folded:
    """The new strategy, what was changed last, and why it should be shown first."""

    strategy: Json | None
    summary: str = ""
    last: Json = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    token: Token | None = None


def fold(matches: Sequence[Match], current: Json | None, memory: Json, grammar: Grammar) -> Folded:
    """Return the strategy that the frames make of the current one; raise `Question` if they do not say enough."""
    frames = corrected([match for match in matches if match.name in FRAMES])
    return _Fold(current, memory, frames, grammar).result()


class _Fold(PartFold):
    def __init__(self, current: Json | None, memory: Json, frames: Sequence[Match], grammar: Grammar) -> None:
        super().__init__(current, memory, frames, grammar)
        self.sides, self.is_verb_last = sides_of(frames)

    def result(self) -> Folded:
        for place, frame in enumerate(self.frames):
            self.side = self.sides[place]
            self._apply(frame)
            if frame.name not in ("join_all", "join_any"):
                self.previous = "remove" if self.has_removed else frame.name
                self.has_removed = False
        self.strategy |= {"match": self._matched("")} if self._matched("") else {}
        self._finish_entry()
        self._finish_exits()
        if not self.strategy.get("conditions") and self.before is not None:
            raise Question("That would leave nothing to buy on. When should it buy instead?", {"kind": "entry"})
        if not self.strategy.get("conditions"):
            raise Question("When should it buy? For example: “buy when it drops 5% in an hour”.", {"kind": "entry"})
        try:
            valid = self.grammar.language.model_validate(self.strategy)
        except ValidationError as error:
            raise Question(_told(error)) from error
        normal = valid.model_dump(mode="json")
        self._check_kept(normal)
        self._check_set(normal)
        return Folded(normal, valid.summary, self.last, self.doubts, self.token)

    def _apply(self, frame: Match) -> None:
        if frame.name in NAMED_SETTINGS:
            self._named_setting(frame)
        elif frame.name in FLAGS:
            setattr(self, *FLAGS[frame.name])
        elif frame.name not in NOTHING_TO_DO:
            getattr(self, f"_{frame.name}")(frame)

    # sides and joints
    def _buy(self, frame: Match) -> None:
        if self.previous == "add" and self.before is not None and not self._matched(""):
            raise Question("Should it buy on either of them, or must all of them hold?")
        if "tok" in frame.values:
            self._name_token(frame.values["tok"])
        self.restates = self.restates or not self.adds

    def _only_this(self, _frame: Match) -> None:
        if not any(each.name == "condition" for each in self.frames):
            self.doubts.append("I was not sure what else should go.")

    def _fresh(self, _frame: Match) -> None:
        """“New strategy: …” starts again from nothing."""
        self.strategy, self.restates = {"conditions": []}, True

    def _refuse(self, frame: Match) -> None:
        raise Question(REFUSED[frame.values["why"]])

    def _complaint(self, frame: Match) -> None:
        """“The 3 % stop is too tight”: what follows is about this part."""
        if "complained" in frame.values:  # “10 % is too much”
            self.last = {"part": self._part_with(frame.values["complained"], "What").key}
            return
        if "old" in frame.values:
            self._check_old(frame.values["part"], frame.values["old"])
        self.last = {"part": frame.values["part"].key}

    def _remove_it(self, frame: Match) -> None:
        if self.previous == "remove":
            return
        self._remove(replace(frame, values={"part": self._last_part()}))

    def _check_kept(self, after: Json) -> None:
        """What was said to stay must not have changed."""
        kept = [frame.values["part"] for frame in self.frames if frame.name == "keep"]
        now, then = (_Fold(strategy, {}, [], self.grammar) for strategy in (after, self.before))
        if self.before is not None and any(now.value(part) != then.value(part) for part in kept):
            raise Question("You said that it should stay, and also what it should become. What should I do?")

    def _check_set(self, after: Json) -> None:
        """What was set must be there, and a stop beside a price to buy at must say that it is a percentage."""
        now = _Fold(after, {}, [], self.grammar)
        if any(frame.values.get("is_bare") for frame in self.frames) and any(f.name == "buy_at" for f in self.frames):
            raise Question("Are the stop and the target prices or percentages? I can only use percentages there.")
        for frame in self.frames:
            if frame.name == "set" and not self.has_removed and now.value(frame.values["part"]) is None:
                raise Question("Should that change the entry, or replace it?")

    pending_join = ""
    has_removed = False
    sells_by_setting = False

    def _states(self, frame: Match) -> None:
        """“The stop is 4 %” sets it where a strategy is described; elsewhere it only tells of it."""
        part, value = frame.values["part"], frame.values["value"]
        if self.before is not None and not self.restates and self.value(part) != value:
            raise Question(
                f"{capital(part.said)} is {shown(part, self.value(part))} now. Should it be {shown(part, value)}?",
                wants(part),
            )
        if self.before is None or self.restates:
            self._put(part, value)

    def _replace(self, frame: Match) -> None:
        self.adds = self.adds or bool(frame.values["part"].kind)
        self._remove(frame)

    def _reference(self, frame: Match) -> None:
        found = [each for each in self.strategy.get("conditions") or [] if each["kind"] == "price_drop"]
        if len(found) != 1:
            raise Question("There is no drop to measure. When should it buy?")
        found[0]["reference"] = frame.values["reference"]

    def _match_any(self, _frame: Match) -> None:
        has_more = any(frame.name == "condition" for frame in self.frames)
        if self.before is not None and len(self.before["conditions"]) == 1 and not has_more:
            raise Question("There is only one condition. Which other one should there be?")

    # conditions
    def _condition(self, frame: Match) -> None:
        try:
            condition = made({**self._about_indicator(frame.values), "side": self.side})
        except NotSayable as error:
            raise Question(str(error)) from error
        if isinstance(frame.values.get("when"), Token):
            self._name_token(frame.values["when"])
        self._check_told(frame)
        if self.side == "sell":
            if "when" in frame.values and self.pending_join == "all" and self.exits:
                raise Question("Must both hold before it sells, or is either of them enough?")
            self._add_to_exits(condition)
        elif self.side == "buy" or self.adds or not self.strategy.get("conditions"):
            if "any" in self.joins["buy"] and "when" in frame.values and not self.pending_join:
                raise Question("Must all of these hold, or is any one of them enough?")
            self._note_join("buy", bool(self.entry))
            self.entry.append(condition)
        elif "when" in frame.values:
            raise Question("I can buy or sell on that, but change nothing else by it. Should it buy then, or sell?")
        else:
            self._change_condition(condition)
        self.pending_join = ""

    def _more(self, frame: Match) -> None:
        """“4 % in 2h or 6 % in 6h”: once more the move before."""
        moves = [each.values["kind"] for each in self.frames if each.name == "condition" and each.start < frame.start]
        if not moves or moves[-1] not in ("price_drop", "price_rise"):
            raise Question("Should that be a drop or a rise?")
        self.pending_join = frame.values["join"]
        self._condition(replace(frame, values={**frame.values, "kind": moves[-1]}))

    def _check_told(self, frame: Match) -> None:
        """“It dropped 8 %” tells of the past, unless it follows “buy when”."""
        is_story = self.side is None or (self.is_verb_last and self.before is not None)
        if frame.values.get("told") and is_story:
            raise Question("I have changed nothing. Should it buy or sell on that? Say “buy when it drops 5% in 1h”.")

    def _about_indicator(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """“RSI below 30 …, sell when it rises above 70”: a level behind an indicator is the indicator's."""
        earlier = [each.values for each in (*self.entry, *self.exits) if each.values["kind"] == "compare"]
        earlier = earlier or ([{"left": {"series": self.named_series}, "right": 0.0}] if self.named_series else [])
        right = values.get("right")
        line_of = right["series"] if isinstance(right, dict) and "line" in right and "left" not in values else None
        if earlier and line_of is not None and line_of == earlier[-1]["left"]["series"]:
            return {**values, "left": earlier[-1]["left"]}  # “… sell when it crosses below the signal”
        if values["kind"] == "compare" and "right" not in values and "whole" not in values and earlier:
            return {**values, "left": earlier[-1]["left"], "right": earlier[-1]["right"]}
        if (
            values["kind"] != "price_level"
            or values["names_price"]
            or not earlier
            or isinstance(earlier[-1]["right"], dict)
        ):
            return values
        crosses = values.get("trigger") == "cross"
        operator = (
            f"{'crosses_' if crosses else ''}{'above' if values['direction'] == 'reach' else values['direction']}"
        )
        return {"kind": "compare", "left": earlier[-1]["left"], "operator": operator, "right": values["level"]}

    def _note_join(self, side: str, has_before: bool) -> None:
        if has_before:
            self.joins[side].add(self.pending_join or "")

    def _add_to_exits(self, condition: Condition) -> None:
        key = as_setting(condition)
        if key is not None and self.pending_join == "all" and self.exits:
            raise Question("Must both hold before it sells, or is either of them enough?")
        if key is not None:
            self.sells_by_setting = True
            self._put(self.parts[key], condition.values["percent"])
            return
        if self.sells_by_setting and self.pending_join == "all":
            raise Question("Must both hold before it sells, or is either of them enough?")
        if condition.direction == "reach":
            condition = replace(condition, direction="above")
        self._note_join("sell", bool(self.exits))
        self.exits.append(condition)

    def _change_condition(self, condition: Condition) -> None:
        """Without “buy” or “add”, a condition that the strategy has already takes the new numbers."""
        same = [each for each in self.strategy["conditions"] if condition.is_like(each)]
        if not same and self.frames[0].name == "join_all":
            self.adds = True
            self.entry.append(condition)
            return
        if len(same) != 1 or condition.is_signed:
            self.doubts.append("I was not sure whether this replaces the entry.")
            self.entry.append(condition)
            return
        old = condition.old
        if old is not None and old.value not in (
            same[0].get("percent"),
            float(same[0]["window"][:-1]),
            float(duration_seconds(same[0]["window"])),
        ):
            raise Question(f"I found no {old.written} to replace. What should I change?")
        same[0].update(said_values(condition))
        kind = condition.values["kind"]
        part = next((part for part in self.parts.values() if part.kind == kind and part.field != "window"), None)
        self._remember(part)

    def _finish_entry(self) -> None:
        if not self.entry:
            if self.restates and not any(frame.name in CHANGING for frame in self.frames):
                raise Question("When should it buy? For example: “buy when it drops 5% in an hour”.", {"kind": "entry"})
            return
        joins = self.joins["buy"] - {""}
        if len(joins) > 1 or (joins != {"any"} and contradict(self.entry)):
            raise Question("Must all of these hold, or is any one of them enough?")
        kept = list(self.strategy.get("conditions", [])) if self.adds and not self._restated() else []
        many = len(kept) + len(self.entry) > 1 and joins != {"any"}
        self.strategy["conditions"] = [*kept, *(condition.json(is_state=many) for condition in self.entry)]
        if not kept:
            self.strategy["match"] = "any" if joins == {"any"} else self._matched("all")
        elif joins == {"any"} and len(self.entry) > 1:
            raise Question("Must all of these hold, or is any one of them enough?")
        self._remember(next((part for part in self.parts.values() if part.kind == self.entry[0].values["kind"]), None))

    def _matched(self, default: str) -> str:
        return next(
            (frame.name.removeprefix("match_") for frame in self.frames if frame.name.startswith("match_")), default
        )

    def _restated(self) -> bool:
        if (
            self.restates
            and self.adds
            and any(frame.name == "buy" for frame in self.frames)
            and self.before is not None
            and not self.is_verb_last
        ):
            raise Question("Should this be added to the entry, or replace it?")
        return self.restates and not self.adds

    def _finish_exits(self) -> None:
        if not self.exits:
            return
        known = list(self.strategy.get("exit_conditions") or [])
        if known and not self.adds:
            same = [old for old in known if any(new.is_like(old) for new in self.exits)]
            if len(same) != len(known) or len(self.exits) != len(known):
                self.doubts.append("I was not sure whether this replaces the other exits.")
            known = []
        if "any" not in self.joins["sell"] and contradict(self.exits):
            raise Question("Must all of these hold before it sells, or is any one of them enough?")
        self.strategy["exit_conditions"] = [*known, *(condition.json(is_state=False) for condition in self.exits)]
        if "all" in self.joins["sell"] and len(self.exits) > 1:
            self.strategy["exit_match"] = "all"

    def _token(self, frame: Match) -> None:
        self._name_token(frame.values["tok"])

    def _name_token(self, token: Token) -> None:
        if self.token is not None and self.token.text != token.text:
            raise Question("A strategy trades one token. Which one should it be?")
        self.token = token

    def _sell_at(self, frame: Match) -> None:
        known = [each.get("level") for each in self.strategy.get("exit_conditions") or []]
        if self.previous == "remove" or (self.adds and frame.values.get("level") in known):
            raise Question("Should that exit stay or go? Say “remove the exit” to remove it.")
        if "right" in frame.values:
            touched = {"kind": "compare", "operator": "touch", "right": frame.values["right"], "side": "sell"}
            self._add_to_exits(made(touched))
            return
        if frame.values.get("old", known[:1]) not in (known[:1], *known):
            raise Question(f"There is no exit at {frame.values['old']:g}. Which one should change?")
        level = {"kind": "price_level", "level": frame.values["level"], "direction": "above", "names_price": False}
        said = self._about_indicator(level)  # “RSI below 30 …, sell at 60”
        self.exits.append(made(said if said["kind"] == "compare" else {**level, "trigger": "cross"}))

    def _buy_at(self, frame: Match) -> None:
        self.restates = True
        if "right" in frame.values:
            touched = {"kind": "compare", "operator": "touch", "right": frame.values["right"]}
            self.entry.append(made(touched))
            return
        self.entry.append(Condition({"kind": "price_level", "level": frame.values["level"]}, "below", "cross"))

    def _remove_level(self, frame: Match) -> None:
        level = frame.values["level"]
        for key in ("exit_conditions", "conditions"):
            kept = [each for each in self.strategy.get(key) or [] if each.get("level") != level]
            if len(kept) < len(self.strategy.get(key) or []):
                self.strategy[key] = kept
                return
        raise Question(f"There is no level of {level:g}. Which one should go?")


def _told(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if isinstance(part, str)) or "strategy"
    return f"That does not work: {where.replace('_', ' ')}: {first['msg']}. What should it be?"

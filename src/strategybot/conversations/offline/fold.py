"""From frames to a new strategy. Pure: the current strategy is never changed in place."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ValidationError

from strategybot.conversations.offline import conditions as said
from strategybot.conversations.offline.conditions import Condition
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import NAMED_SETTINGS, PartFold, Question, value_of, with_value
from strategybot.conversations.offline.text import Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.values import duration_seconds

NOTHING_TO_DO = frozenset({"sell", "anew", "keep_rest", "only_this", "match_all", "match_any"})
FLAGS = {
    "add": ("adds", True), "add_exit": ("adds", True), "restate": ("restates", True),
    "join_all": ("pending_join", "all"), "join_any": ("pending_join", "any"),
}  # fmt: skip
QUIET = """
    join_all join_any buy sell add add_exit anew restate keep_rest keep mention only_this complaint token fresh
"""
NAMES = """
    condition set change scale remove wants_value unclear_change sell_at buy_at match_all match_any fix make_it bare
    swap remove_it states replace reference scale_it change_it refuse streak more
"""
CHANGING = frozenset(NAMES.split()) | NAMED_SETTINGS.keys()  # what changes a strategy
FRAMES = CHANGING | frozenset(QUIET.split())  # what `fold` reads
SIDES = {"buy": "buy", "restate": "buy", "sell": "sell", "add_exit": "sell"}
SELLING = frozenset({"profit", "loss", "sell_at", "hold"})
REFUSED = {
    "parts": "Each trade is one buy and one sale, not parts of one. At what gain or loss should it sell?",
    "delay": "I cannot wait between the signal and the buy. Should it buy at once, or wait after each sale?",
    "mixed": "Is that a drop of that size, or a price? Say “drops 4 % in 1h”, or “falls below 0.02”.",
    "lasting": "I can use what the price is at a candle, not how long it has been so. Should it act at once?",
    "amount": "Each buy uses a share of the cash, not a fixed amount. Which percentage should it be?",
    "exits": "Which exits should go? You can name them: “remove the stop loss and the take profit”.",
}
WHEN_TO_BUY = "When should it buy? For example: “buy when it drops 5% in an hour”."
NOTHING_LEFT = "That would leave nothing to buy on. When should it buy instead?"
ALL_OR_ANY = "Must all of these hold, or is any one of them enough?"


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
    return _Fold(current, memory, frames, grammar.parts).result(grammar)


def corrected(frames: Sequence[Match]) -> list[Match]:
    """Put the value of each correction (“5 %, no, 7 %”) in the place of the one before."""
    result: list[Match] = []
    for frame in frames:
        if frame.name != "fix":
            result.append(frame)
            continue
        token: Token = frame.values["amount"]
        keys = [_corrected_key(each, token) for each in result]
        if not any(keys):
            result.append(replace(frame, name="make_it", values={"value": token}))
            continue
        place = max(at for at, key in enumerate(keys) if key)
        window = {"w": frame.values["w"]} if "w" in frame.values else {}
        result[place] = replace(result[place], values={**result[place].values, keys[place]: token.value, **window})
    return result


def _corrected_key(frame: Match, token: Token) -> str:
    """The value of a frame that the token can take the place of."""
    is_time = frame.name in ("hold", "cooldown") or (frame.name == "set" and frame.values["part"].slot == "DUR")
    keys = ("value", "amount", "level", "right") if is_time == (token.kind == "duration") else ()
    return next((key for key in keys if key in frame.values and not isinstance(frame.values[key], Token)), "")


def sides_of(frames: Sequence[Match]) -> tuple[list[str | None], bool]:
    """For each frame, whether it is about buying or selling; “drops 5 %, buy” has its verb at the end."""
    named = [frame.name for frame in frames if frame.name == "condition" or frame.name in SIDES]
    is_verb_last = named[:1] == ["condition"] and named[-1] in SIDES
    if is_verb_last and named[-1] == "sell":
        place = max(at for at, frame in enumerate(frames) if frame.name in SIDES)
        is_verb_last = not any(frame.name in ("set", "remove", *NAMED_SETTINGS) for frame in frames[place:])
    sides: list[str | None] = []
    side: str | None = None
    for frame in reversed(frames) if is_verb_last else frames:
        side = SIDES.get(frame.name, "sell" if frame.name in SELLING and not is_verb_last else side)
        if frame.name == "replace" and frame.values["part"].kind:
            side = "sell" if frame.values["part"].is_exit else "buy"
        sides.append(side)
    return (sides[::-1] if is_verb_last else sides), is_verb_last


class _Fold(PartFold):
    pending_join = ""
    sells_by_setting = False
    token: Token | None = None

    def result(self, grammar: Grammar) -> Folded:
        sides, self.is_verb_last = sides_of(self.frames)
        self.joins: dict[str, set[str]] = {"buy": set(), "sell": set()}
        for frame, side in zip(self.frames, sides, strict=True):
            self.side, self.removes = side, False
            self._apply(frame)
            if frame.name not in ("join_all", "join_any"):
                self.previous = "remove" if self.removes else frame.name
        self.strategy = self.strategy | ({"match": self._matched("")} if self._matched("") else {})
        self._finish_entry()
        self._finish_exits()
        if not self.strategy.get("conditions"):
            raise Question(WHEN_TO_BUY if self.before is None else NOTHING_LEFT, {"kind": "entry"})
        try:
            valid = grammar.language.model_validate(self.strategy)
        except ValidationError as error:
            raise Question(_told(error)) from error
        normal = valid.model_dump(mode="json")
        self._check_kept(normal)
        return Folded(normal, valid.summary, self.last, self.doubts, self.token)

    def _apply(self, frame: Match) -> None:
        if frame.name in NAMED_SETTINGS:
            self._named_setting(frame)
        elif frame.name in FLAGS:
            setattr(self, *FLAGS[frame.name])
        elif frame.name not in NOTHING_TO_DO:
            getattr(self, f"_{frame.name}")(frame)

    def _has(self, name: str) -> bool:
        return any(frame.name == name for frame in self.frames)

    def _check_kept(self, after: Json) -> None:
        """What was said to stay must not have changed, and a stop beside a price to buy at must be a percentage."""
        kept = [frame.values["part"] for frame in self.frames if frame.name == "keep"]
        if self.before is not None and any(value_of(part, after) != value_of(part, self.before) for part in kept):
            raise Question("You said that it should stay, and also what it should become. What should I do?")
        if self._has("buy_at") and any(frame.values.get("is_bare") for frame in self.frames):
            raise Question("Are the stop and the target prices or percentages? I can only use percentages there.")

    # sides and joints
    def _buy(self, frame: Match) -> None:
        if self.previous == "add" and self.before is not None and not self._matched(""):
            raise Question("Should it buy on either of them, or must all of them hold?")
        if "tok" in frame.values:
            self._token(frame)
        self.restates = self.restates or not self.adds

    def _fresh(self, _frame: Match) -> None:
        """“New strategy: …” starts again from nothing."""
        self.strategy, self.restates = {"conditions": []}, True

    def _refuse(self, frame: Match) -> None:
        raise Question(REFUSED[frame.values["why"]])

    def _replace(self, frame: Match) -> None:
        self.adds = self.adds or bool(frame.values["part"].kind)
        self._remove(frame)
        self.removes = False

    def _reference(self, frame: Match) -> None:
        found = [at for at, each in enumerate(self.strategy["conditions"]) if each["kind"] == "price_drop"]
        if len(found) != 1:
            raise Question("There is no drop to measure. When should it buy?")
        self.strategy = with_value(self.strategy, ("conditions", found[0], "reference"), frame.values["reference"])

    def _matched(self, default: str) -> str:
        return "all" if self._has("match_all") else "any" if self._has("match_any") else default

    def _token(self, frame: Match) -> None:
        token = frame.values["tok"]
        if self.token is not None and self.token.text != token.text:
            raise Question("A strategy trades one token. Which one should it be?")
        self.token = token

    # conditions
    def _condition(self, frame: Match) -> None:
        condition = self._made(self._about_indicator(frame.values))
        if frame.values.get("when") is not None:  # “when PIPO drops 5 %”
            self._token(replace(frame, values=frame.values["when"]))
        self._check_told(frame)
        if self.side == "sell":
            if "when" in frame.values and self.pending_join == "all" and self.exits:
                raise Question("Must both hold before it sells, or is either of them enough?")
            self._add_to_exits(condition)
        elif self.side == "buy" or self.adds or not self.strategy.get("conditions"):
            if "any" in self.joins["buy"] and "when" in frame.values and not self.pending_join:
                raise Question(ALL_OR_ANY)
            self._join(self.entry, "buy", condition)
        elif "when" in frame.values:
            raise Question("I can buy or sell on that, but change nothing else by it. Should it buy then, or sell?")
        else:
            self._change_condition(condition)
        self.pending_join = ""

    def _made(self, values: Mapping[str, Any]) -> Condition:
        try:
            return said.made({"side": self.side, **values})
        except said.NotSayable as error:
            raise Question(str(error)) from error

    def _join(self, conditions: list[Condition], side: str, condition: Condition) -> None:
        self.joins[side] |= {self.pending_join} if conditions and self.pending_join else set()
        conditions.append(condition)

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
        if not earlier and not self.named_series:
            return values
        last: Json = earlier[-1] if earlier else {"left": {"series": self.named_series}, "right": 0.0}
        right = values.get("right")
        if values["kind"] == "compare" and right is None and "whole" not in values:
            return {**values, "left": last["left"], "right": last["right"]}
        if isinstance(right, dict) and "line" in right and "left" not in values:
            is_own = right["series"] == last["left"]["series"]  # “… sell when it crosses below the signal”
            return {**values, "left": last["left"]} if is_own else values
        if values["kind"] != "price_level" or values["names_price"] or isinstance(last["right"], dict):
            return values
        side = values["direction"].replace("reach", "above")
        operator = f"crosses_{side}" if values.get("trigger") == "cross" else side
        return {"kind": "compare", "left": last["left"], "operator": operator, "right": values["level"]}

    def _add_to_exits(self, condition: Condition) -> None:
        key = said.as_setting(condition)
        if self.pending_join == "all" and (self.exits if key is not None else self.sells_by_setting):
            raise Question("Must both hold before it sells, or is either of them enough?")
        if key is not None:
            self.sells_by_setting = True
            self._put(self.parts[key], condition.values["percent"])
        else:
            self._join(self.exits, "sell", condition)

    def _change_condition(self, condition: Condition) -> None:
        """Without “buy” or “add”, a condition that the strategy has already takes the new numbers."""
        same = [at for at, each in enumerate(self.strategy["conditions"]) if condition.is_like(each)]
        if len(same) != 1 or condition.is_signed:
            self.adds = not same and self.frames[0].name == "join_all"
            self.doubts += [] if self.adds else ["I was not sure whether this replaces the entry."]
            self.entry.append(condition)
            return
        now, old = self.strategy["conditions"][same[0]], condition.old
        window = now.get("window", "0m")
        if old is not None and old.value not in (now.get("percent"), float(window[:-1]), duration_seconds(window)):
            raise Question(f"I found no {old.written} to replace. What should I change?")
        self.strategy = with_value(self.strategy, ("conditions", same[0]), {**now, **said.said_values(condition)})
        self._remember_condition(condition)

    def _remember_condition(self, condition: Condition) -> None:
        self._remember(next((part for part in self.parts.values() if part.kind == condition.values["kind"]), None))

    def _finish_entry(self) -> None:
        if not self.entry:
            if self.restates and not any(frame.name in CHANGING for frame in self.frames):
                raise Question(WHEN_TO_BUY, {"kind": "entry"})
            return
        joins = self.joins["buy"]
        if self.restates and self.adds and self._has("buy") and self.before is not None and not self.is_verb_last:
            raise Question("Should this be added to the entry, or replace it?")
        kept = list(self.strategy.get("conditions", [])) if self.adds else []
        is_unclear = joins == {"any"} and kept and len(self.entry) > 1
        if len(joins) > 1 or (joins != {"any"} and said.contradict(self.entry)) or is_unclear:
            raise Question(ALL_OR_ANY)
        many = len(kept) + len(self.entry) > 1 and joins != {"any"}
        conditions = [*kept, *(condition.json(is_state=many) for condition in self.entry)]
        match = {} if kept else {"match": "any" if joins == {"any"} else self._matched("all")}
        self.strategy = {**self.strategy, "conditions": conditions, **match}
        self._remember_condition(self.entry[0])

    def _finish_exits(self) -> None:
        if not self.exits:
            return
        known = list(self.strategy.get("exit_conditions") or [])
        if known and not self.adds:
            same = [old for old in known if any(new.is_like(old) for new in self.exits)]
            if not len(same) == len(known) == len(self.exits):
                self.doubts.append("I was not sure whether this replaces the other exits.")
            known = []
        if "any" not in self.joins["sell"] and said.contradict(self.exits):
            raise Question(ALL_OR_ANY)
        exits = [*known, *(condition.json(is_state=False) for condition in self.exits)]
        match = {"exit_match": "all"} if "all" in self.joins["sell"] and len(self.exits) > 1 else {}
        self.strategy = {**self.strategy, "exit_conditions": exits, **match}

    def _sell_at(self, frame: Match) -> None:
        known = [each.get("level") for each in self.strategy.get("exit_conditions") or []]
        if self.previous == "remove" or (self.adds and frame.values.get("level") in known):
            raise Question("Should that exit stay or go? Say “remove the exit” to remove it.")
        if "right" in frame.values:
            touched = {"kind": "compare", "operator": "touch", "right": frame.values["right"], "side": "sell"}
            self._add_to_exits(self._made(touched))
            return
        if frame.values.get("old", known[:1]) not in (known[:1], *known):
            raise Question(f"There is no exit at {frame.values['old']:g}. Which one should change?")
        level = {"kind": "price_level", "level": frame.values["level"], "direction": "above", "names_price": False}
        about = self._about_indicator(level)  # “RSI below 30 …, sell at 60”
        self.exits.append(said.made(about if about["kind"] == "compare" else {**level, "trigger": "cross"}))

    def _buy_at(self, frame: Match) -> None:
        self.restates = True
        touched = {"kind": "compare", "operator": "touch", "right": frame.values.get("right")}
        level = {"kind": "price_level", "level": frame.values.get("level"), "direction": "below", "trigger": "cross"}
        self.entry.append(self._made(touched if "right" in frame.values else level))


def _told(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if isinstance(part, str)) or "strategy"
    return f"That does not work: {where.replace('_', ' ')}: {first['msg']}. What should it be?"

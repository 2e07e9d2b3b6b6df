"""Build the new strategy from the frames of a message. The current strategy is never changed in place."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import ValidationError

from strategybot.conversations.offline.conditions import list_items
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import leaves_of, value_of
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.rule_fold import RuleFold
from strategybot.conversations.offline.text import Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import with_value
from strategybot.trading.language.idioms import group, usual
from strategybot.trading.language.strategy import STOPS
from strategybot.trading.language.values import plain

WHOLE = 100.0
USUAL_ENTRY = {"kind": "compare", "left": {"series": "rsi", "period": 14}, "operator": "below", "right": 30}
DIP: Json = {"conditions": [usual("price_drop")], "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 6}}
EXITS = (*STOPS, "max_holding", "break_even_after_percent")
MOST_BUYS = 10_000  # of a savings plan, which has no end
FLAGS = {"add": "adds", "add_exit": "adds", "restate": "restates"}
JOINS = {"join_all": "all", "join_any": "any"}
CHANGING_NAMES = """
    condition set size break_even change remove wants_value unclear_change match_all match_any at_least
    exit_all exit_any fix make_it bare swap remove_it states replace reference refuse streak more target ladder rung
    amount buy_amount hours purse retune drop_exit between
"""
OTHER_NAMES = "buy sell keep mention complaint token fresh anew as_well keep_rest unless"
CHANGING = frozenset(CHANGING_NAMES.split())  # what changes a strategy
FRAMES = CHANGING | FLAGS.keys() | JOINS.keys() | frozenset(OTHER_NAMES.split())
SIDES = {"buy": "buy", "buy_amount": "buy", "restate": "buy", "sell": "sell", "add_exit": "sell"}
CORRECTED = ("value", "amount", "level", "right")  # numbers that “no, 7 %” may be about
RULES = ("condition", "between", "mention", "hours")


def fold(
    matches: Sequence[Match], current: Json | None, memory: Json, grammar: Grammar, *, is_first: bool = False
) -> "Folded":
    """Return the strategy that the frames make of the current. Raise `NeedsClarification` if they say too little; in
    the first message of all, an entry that is left out is taken instead.
    """
    keys, parts = {match.values.get("key") for match in matches}, {part.key: part for part in grammar.parts}
    parts["cooldown"] = parts["entry_gap" if "max_entries" in keys else "cooldown"]  # “4 buys, 30 minutes between buys”
    frames: list[Match] = []
    for match in (match for match in matches if match.name in FRAMES):
        frame = replace(match, values={"part": parts.get(match.values.get("key", "")), **match.values})
        frames = _corrected(frames, frame) if frame.name == "fix" else [*frames, frame]
    folded = Folded(current, memory, _with_verb_behind(frames), grammar.parts)
    folded.finish(grammar, is_first)
    return folded


def _corrected(frames: Sequence[Match], fix: Match) -> list[Match]:
    """Return the frames with the last number of this kind corrected, as in “5 %, no, 7 %”; if there is none, “it”."""
    token: Token = fix.values["amount"]
    for place, frame in reversed([*enumerate(frames)]):
        is_time = frame.name == "set" and frame.values["part"].slot == "DUR"
        numbers = [key for key, value in frame.values.items() if key in CORRECTED and isinstance(value, int | float)]
        if numbers and is_time == (token.kind == "duration"):
            window = {"w": fix.values["w"]} if "w" in fix.values else {}
            right = replace(frame, values={**frame.values, numbers[0]: token.value, **window})
            return [*frames[:place], right, *frames[place + 1 :]]
    name = "swap" if "old" in fix.values else "make_it"  # “make it 2 hours instead of 1”
    return [*frames, replace(fix, name=name, values={**fix.values, "value": token})]


def _with_verb_behind(frames: Sequence[Match]) -> Sequence[Match]:
    """Give a “sell” that nothing follows to the conditions before it, as in “RSI under 30, over 55 out”."""
    for last, frame in enumerate(frames):
        if frame.name != "sell" or not last or {each.name for each in frames[last + 1 : last + 2]} & {*RULES}:
            continue
        start = last - 1
        while start > 1 and frames[start - 1].name in JOINS and "when" not in frames[start].values:
            start -= 2
        others = [*frames[:start], *frames[last + 1 :]]
        is_free = frames[last - 1].name in RULES[:2] and (not start or frames[start - 1].name not in SIDES)
        if is_free and any(each.name in RULES[:2] for each in others):
            sold = [replace(each, values={**each.values, "side": "sell"}) for each in frames[start:last]]
            return [*frames[:start], *sold, *frames[last + 1 :]]
    return frames


def _is_verb_last(frames: Sequence[Match]) -> bool:
    """Return whether the verb follows the conditions, as in “drops 5 %, buy”, and is not that of “sell at 3 % loss”."""
    rules = [frame.name for frame in frames if "side" not in frame.values and frame.name in (*RULES[:2], *SIDES)]
    if rules[:1] != ["condition"] or rules[-1] not in SIDES:
        return False
    is_own = rules[-3:-1] == ["buy", "condition"]  # “under 20: buy. Over 80: sell”
    return rules[-1] != "sell" or is_own or frames[-1].name not in ("set", "size", "remove")


class Folded(RuleFold):
    """The new strategy. It is complete after `finish`."""

    summary = ""

    def finish(self, grammar: Grammar, is_first: bool) -> None:
        self._apply_all()
        self.strategy = self.strategy | ({"match": self.matched} if self.matched else {})
        self._finish_entry()
        self._finish_count()
        self._finish_exits()
        if self.targets:
            self._finish_targets()
        if self.steps:
            self._finish_ladder()
        self._finish_plan()
        if all(each["kind"] == "time" for each in self.strategy["conditions"]):
            self._take_usual_entry(is_first)
        try:
            valid = grammar.language.model_validate(self.strategy)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"] if isinstance(part, str)).replace("_", " ")
            raise question("invalid", where=where or "strategy", problem=first["msg"]) from error
        self._refuse_contradictions()
        self.strategy, self.summary = valid.model_dump(mode="json"), valid.summary

    def _take_usual_entry(self, is_first: bool) -> None:
        """Take a usual entry if a first strategy says only how it sells, how much it buys or when it may; else ask."""
        said = {key for key, value in self.strategy.items() if value} - {"exit_conditions", "match"}
        if not (is_first and said):
            asked = SENTENCES["when_to_buy" if self.before is None else "nothing_left"]
            raise NeedsClarification(asked, {"kind": "entry"})
        self.strategy = {**self.strategy, "conditions": [USUAL_ENTRY, *self.strategy["conditions"]]}
        self.notes.append(SENTENCES["usual_entry"])

    def _apply_all(self) -> None:
        """Apply each frame in the order of the message, on its side of the trade."""
        self.is_verb_last = _is_verb_last(self.frames)
        self.matched, self.exit_match = (
            next((match for match in ("all", "any") if self._has(f"{of}_{match}")), "") for of in ("match", "exit")
        )
        self.adds = self.frames[-1:] != [] and self.frames[-1].name in ("add", "as_well")  # “… too”
        self.adds = self.adds or (self.before is not None and self.frames[0].name == "join_all")
        brackets = [each for frame in self.frames if frame.name in RULES for each in frame.values.get("groups", ())]
        self.restates = any(brackets.count(each) > 1 for each in brackets) and not self._has("add")
        side, sides = None, []
        for frame in reversed(self.frames) if self.is_verb_last else self.frames:
            side = frame.values.get("side", SIDES.get(frame.name, side))
            sides.append(side or ("buy" if self.restates else None))
        for frame, told in zip(self.frames, sides[::-1] if self.is_verb_last else sides, strict=True):
            self.side, self.removes = told, False
            if frame.name in JOINS:
                self.pending_join = JOINS[frame.name]
                continue
            if frame.name in FLAGS:
                setattr(self, FLAGS[frame.name], True)
            elif apply := getattr(self, f"_{frame.name}", None):  # others, such as “sell”, are about those beside them
                apply(frame)
            self.previous = "remove" if self.removes else frame.name

    def _refuse_contradictions(self) -> None:
        kept, before = [frame.values["part"] for frame in self.frames if frame.name == "keep"], self.before
        if before is not None and any(value_of(part, self.strategy) != value_of(part, before) for part in kept):
            raise question("keep_or_change")
        if all(any(frame.values.get(key) for frame in self.frames) for key in ("at", "is_bare")):
            raise question("price_or_percent")

    def _fresh(self, _frame: Match) -> None:
        """“New strategy: …” starts again from nothing."""
        self.strategy, self.before, self.restates = {"conditions": []}, None, True

    def _refuse(self, frame: Match) -> None:
        order = frame.values.get("order")
        raise NeedsClarification(frame.values["ask"], {"kind": "fill", "order": order} if order else None)

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
            raise question("which_chain")
        self.strategy = self.strategy if self.strategy["conditions"] else DIP
        if "places" in frame.values:
            self.strategy = with_value(self.strategy, ("portfolio", "max_open"), frame.values["places"])

    def _hours(self, frame: Match) -> None:
        """Add the hours to the entry that is said, or change those of the strategy."""
        is_entry = bool({"buy", "buy_amount"} & {each.name for each in self.frames} or frame.values.get("groups"))
        if not is_entry and ("bare" in frame.values or self.previous in ("set", "size")):
            self.doubts.append("Hours are for buying, not for a single setting.")
        self.side = "buy" if is_entry else None
        self._condition(replace(frame, values={**frame.values, "kind": "time"}))

    def _target(self, frame: Match) -> None:
        self.doubts += {frame.values["ask"]} - {*self.doubts} if "ask" in frame.values else ()
        self.targets += [(gain, frame.values.get("share")) for gain in list_items(frame.values["gain"])]

    def _ladder(self, frame: Match) -> None:
        count, gap = int(frame.values.get("n", 2)), frame.values.get("gap", 5.0)
        self.steps += [(gap * number, frame.values.get("share")) for number in range(1, count + 1)]
        self.notes += [] if "gap" in frame.values else [f"I took steps of {plain(gap)} %."]

    def _rung(self, frame: Match) -> None:
        share = self.steps[-1][1] if "same" in frame.values and self.steps else frame.values.get("share")
        self.steps += [(drop, share) for drop in list_items(frame.values["drop"])]

    def _finish_count(self) -> None:
        """Put the conditions into a group if some of them are enough: “at least 2 of: …”."""
        counted = next((frame for frame in self.frames if frame.name == "at_least"), None)
        if counted is not None:
            some = {**group("at_least", self.strategy["conditions"]), "count": counted.values["n"]}
            self.strategy = {**self.strategy, "conditions": [some], "match": "all"}

    def _finish_targets(self) -> None:
        """Make the targets that were said; what they leave is sold by a later take profit, or by the other exits."""
        risk = self.strategy.get("risk_management") or {}
        kept = (risk.get("take_profits") or []) if self.adds else []
        said = [*((each["gain_percent"], each["sell_percent"]) for each in kept), *self.targets]
        said.sort(key=lambda target: target[0])
        left = round(WHOLE - sum(share or 0.0 for _, share in said), 6)
        later = risk.get("take_profit_percent") or 0.0
        said += [(later, None)] if left and later > said[-1][0] and all(share for _, share in said) else []
        part = round(left / max(sum(share is None for _, share in said), 1), 2)
        shares = [share or part for _, share in said]
        rest = round(WHOLE - sum(shares), 6)
        if abs(rest) < 0.1:  # the last one takes what rounding leaves, as of three thirds
            shares[-1], rest = round(shares[-1] + rest, 6), 0.0
        targets = [{"gain_percent": gain, "sell_percent": share} for (gain, _), share in zip(said, shares, strict=True)]
        single, several = (said[0][0], None) if shares == [WHOLE] else (None, targets)
        risk = {**risk, "take_profit_percent": single, "take_profits": several}
        self.strategy = {**self.strategy, "risk_management": risk}
        if rest:
            has_exit = self.strategy.get("exit_conditions") or any(risk.get(key) is not None for key in EXITS)
            others = "is left to the other exits" if has_exit else "has no exit yet"
            self.notes.append(f"The other {plain(rest)} % of the position {others}.")

    def _finish_ladder(self) -> None:
        """Make the ladder; steps without a size are equal parts of the cash, and so is a first buy without one."""
        first, has_amount = self.strategy.get("position_percent", WHOLE), self.strategy.get("position_amount")
        signed = [each.values["percent"] for each in self.entry if each.is_signed]  # “buy at -5 %, add 20 % at -8 %”
        if signed and min(drop for drop, _ in self.steps) > min(signed):
            self.doubts.append("I read each step as so far below the first buy.")
        is_open, known = first == WHOLE, sum(size or 0.0 for _, size in self.steps)
        count = is_open + sum(size is None for _, size in self.steps)
        left = WHOLE - known - (0.0 if is_open else first)
        part = int(left * 100 / max(count, 1)) / 100  # rounded down: the parts are never more than the whole
        first = part if is_open and not has_amount else first
        ladder = [{"drop_percent": drop, "size_percent": size or part} for drop, size in sorted(self.steps)]
        self.notes.append(f"The first buy uses {plain(first)} % of the cash.")
        self.strategy = {**self.strategy, "ladder": ladder, "position_percent": first}

    def _finish_plan(self) -> None:
        """Let buys at fixed times go on without end, ask for their size, and give a size by risk the stop it needs."""
        now = self.strategy
        is_plan, was_plan = (
            any(each["kind"] == "every" for _, each in leaves_of(strategy, "conditions"))
            for strategy in (now, self.before or {})
        )
        has_size = now.get("position_amount") or now.get("risk_percent") or now.get("position_percent", WHOLE) != WHOLE
        if is_plan and not has_size:
            raise question("how_much")
        if is_plan != was_plan and now.get("max_entries", 1) == (1 if is_plan else MOST_BUYS):
            self.strategy = {**now, "max_entries": MOST_BUYS if is_plan else 1}
        risk = now.get("risk_management") or {}
        if "risk_percent" in self.said and all(risk.get(key) is None for key in STOPS):
            self.strategy = with_value(self.strategy, ("risk_management", "stop_loss_percent"), 5.0)
            self.notes.append("This size needs a stop, so I took a stop loss of 5 %.")

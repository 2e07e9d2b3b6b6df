"""Build the new strategy from the frames of a message. The current strategy is never changed in place."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pydantic import ValidationError

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.lexicon import SENTENCES
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.orders import OrderFold
from strategybot.conversations.offline.part_fold import value_of
from strategybot.conversations.offline.questions import NeedsClarification, question
from strategybot.conversations.offline.text import Token
from strategybot.kit.json_object import Json
from strategybot.trading.language.idioms import group
from strategybot.trading.language.strategy import Strategy

USUAL_ENTRY = {"kind": "compare", "left": {"series": "rsi", "period": 14}, "operator": "below", "right": 30}
NOTHING_TO_DO = frozenset({
    "sell", "anew", "as_well", "keep_rest", "only_this", "unless",
    "match_all", "match_any", "at_least", "exit_all", "exit_any",  # wherever they stand
})  # fmt: skip
FLAGS = {
    "add": ("adds", True), "add_exit": ("adds", True), "restate": ("restates", True),
    "join_all": ("pending_join", "all"), "join_any": ("pending_join", "any"),
}  # fmt: skip
NAMES = """
    condition set size break_even change remove wants_value unclear_change match_all match_any at_least
    exit_all exit_any fix make_it bare swap remove_it states replace reference refuse streak more target ladder rung
    amount buy_amount hours purse retune drop_exit between
"""
CHANGING = frozenset(NAMES.split())  # what changes a strategy
FRAMES = CHANGING | NOTHING_TO_DO | FLAGS.keys() | {"buy", "keep", "mention", "complaint", "token", "fresh"}
SIDES = {"buy": "buy", "buy_amount": "buy", "restate": "buy", "sell": "sell", "add_exit": "sell"}
RULES = ("condition", "between", "mention", "hours")


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
    keys, parts = {match.values.get("key") for match in matches}, {part.key: part for part in grammar.parts}
    parts["cooldown"] = parts["entry_gap" if "max_entries" in keys else "cooldown"]  # “4 buys, 30 minutes between buys”
    used = [match for match in matches if match.name in FRAMES]
    named = [replace(match, values={"part": parts.get(match.values.get("key", "")), **match.values}) for match in used]
    return _Fold(current, memory, _apply_corrections(named), grammar.parts).result(grammar, is_first)


def _validate(language: type[Strategy], strategy: Json) -> Strategy:
    try:
        return language.model_validate(strategy)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"] if isinstance(part, str)).replace("_", " ")
        raise question("invalid", where=where or "strategy", problem=first["msg"]) from error


def _apply_corrections(frames: Sequence[Match]) -> list[Match]:
    """Return the frames with each correction applied: “5 %, no, 7 %” is 7 %."""
    result: list[Match] = []
    for frame in frames:
        if frame.name != "fix":
            result.append(frame)
            continue
        token: Token = frame.values["amount"]
        window = {"w": frame.values["w"]} if "w" in frame.values else {}
        for place, each in reversed([*enumerate(result)]):
            is_time = each.name == "set" and each.values["part"].slot == "DUR"
            numbers = {key for key, value in each.values.items() if not isinstance(value, Token)}
            keys = [key for key in ("value", "amount", "level", "right") if key in numbers]
            if keys and is_time == (token.kind == "duration"):
                result[place] = replace(each, values={**each.values, keys[0]: token.value, **window})
                break
        else:
            name = "swap" if "old" in frame.values else "make_it"  # “make it 2 hours instead of 1”
            result.append(replace(frame, name=name, values={**frame.values, "value": token}))
    return result


def _sides_of(frames: Sequence[Match]) -> tuple[list[str | None], bool]:
    """Return the side of each frame, and whether the verb follows the conditions as in “drops 5 %, buy”."""
    open_sides = [frame for frame in frames if "side" not in frame.values]
    named = [frame.name for frame in open_sides if frame.name in ("condition", "between") or frame.name in SIDES]
    is_verb_last, side = _is_verb_last(named, frames), _side_told_behind(named)
    sides: list[str | None] = []
    for frame in reversed(frames) if is_verb_last else frames:
        told = frame.values.get("side", side)
        side = SIDES.get(frame.name, side if is_verb_last else told)
        if frame.name == "replace" and frame.values["part"].kind:
            side = "sell" if frame.values["part"].is_exit else "buy"
        sides.append(frame.values.get("side", side))
    return (sides[::-1] if is_verb_last else sides), is_verb_last


def _is_verb_last(named: Sequence[str], frames: Sequence[Match]) -> bool:
    if named[:1] != ["condition"] or named[-1] not in SIDES:
        return False
    last = max(at for at, frame in enumerate(frames) if frame.name in SIDES)
    is_setting = any(frame.name in ("set", "size", "remove") for frame in frames[last:])
    pair = [frame.name for frame in frames[:last]][-2:]
    is_own = pair == ["buy", "condition"] and "when" not in frames[last - 1].values  # “under 20: buy. Over 80: sell”
    return named[-1] != "sell" or is_own or not is_setting


def _side_told_behind(named: Sequence[str]) -> str | None:
    """Return the side of the first conditions if two verbs follow them: “if it pumps 9 %, sell; buy when …”."""
    verbs = [at for at, name in enumerate(named) if name in SIDES]
    is_behind = len(verbs) > 1 and 0 < verbs[0] == verbs[1] - 1
    return SIDES[named[verbs[0]]] if is_behind else None


class _Fold(OrderFold):
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
        sides, self.is_verb_last = _sides_of(self.frames)
        self.matched, self.exit_match = self._which("match"), self._which("exit")
        self.adds = self.frames[-1:] != [] and self.frames[-1].name in ("add", "as_well")  # “… too”
        self.adds = self.adds or (self.before is not None and self.frames[0].name == "join_all")
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
            raise question("keep_or_change")
        if all(any(frame.values.get(key) for frame in self.frames) for key in ("at", "is_bare")):
            raise question("price_or_percent")

    def _apply(self, frame: Match) -> None:
        if frame.name in FLAGS:
            setattr(self, *FLAGS[frame.name])
        elif frame.name not in NOTHING_TO_DO:
            getattr(self, f"_{frame.name}")(frame)

    def _fresh(self, _frame: Match) -> None:
        """“New strategy: …” starts again from nothing."""
        self.strategy, self.before, self.restates = {"conditions": []}, None, True

    def _refuse(self, frame: Match) -> None:
        order = frame.values.get("order")
        raise NeedsClarification(frame.values["ask"], {"kind": "fill", "order": order} if order else None)

    def _finish_count(self) -> None:
        """Put the conditions into a group if some of them are enough: “at least 2 of: …”."""
        counted = next((frame for frame in self.frames if frame.name == "at_least"), None)
        if counted is not None:
            some = {**group("at_least", self.strategy["conditions"]), "count": counted.values["n"]}
            self.strategy = {**self.strategy, "conditions": [some], "match": "all"}

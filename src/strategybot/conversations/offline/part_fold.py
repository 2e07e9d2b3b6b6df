"""What frames about a part of the strategy do: set it, change it, remove it, keep it."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from strategybot.conversations.offline.conditions import Condition, Json, duration_text
from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.lexicon import Part
from strategybot.conversations.offline.places import field_of, holds, setting, side_of, steps_of, with_setting
from strategybot.conversations.offline.text import Token
from strategybot.trading.language.values import duration_seconds

MOVES = ("price_drop", "price_rise", "volume_spike")
NAMED_SETTINGS = {
    "size": "position_percent", "hold": "max_holding", "hold_or": "max_holding",
    "cooldown": "cooldown", "trail": "trailing_stop_percent", "peak": "trailing_stop_percent",
    "profit": "take_profit_percent", "loss": "stop_loss_percent",
    "drawdown": "guards.max_drawdown_percent", "day_limit": "guards.max_trades_per_day",
}  # fmt: skip


STREAK = "guards.losing_streak.losses"


class Question(Exception):
    """The message cannot be done as it is; the text says what is missing."""

    def __init__(self, text: str, pending: Json | None = None) -> None:
        super().__init__(text)
        self.text, self.pending = text, pending


class PartFold:
    """The strategy in the making, and what frames about its parts do to it."""

    def __init__(self, current: Json | None, memory: Json, frames: Sequence[Match], grammar: Grammar) -> None:
        self.grammar, self.parts = grammar, {part.key: part for part in grammar.parts}
        self.frames, self.memory = frames, memory
        self.before = current
        self.strategy: Json = deepcopy(current) if current else {"conditions": []}
        self.entry: list[Condition] = []
        self.exits: list[Condition] = []
        self.joins: dict[str, set[str]] = {"buy": set(), "sell": set()}
        self.side: str | None = None
        self.adds = False
        self.restates = False
        self.doubts: list[str] = []
        self.last: Json = {}
        self.previous = ""
        self.token: Token | None = None
        self._said: Json = {}
        self.named_series = ""

    def _condition(self, frame: Match) -> None:
        raise NotImplementedError

    def _named_setting(self, frame: Match) -> None:
        if frame.name == "hold_or" and self.side != "sell":
            raise Question("Should it sell after that time? Say “sell after 6 hours”.")
        if frame.name == "peak" and self.side != "sell":
            raise Question("Should it sell that far under the peak?")
        if frame.name == "day_limit" and frame.values.get("d", 86_400) != 86_400:
            raise Question("I can limit the trades of a day. How many should it be?")
        self._put(self.parts[NAMED_SETTINGS[frame.name]], float(frame.values.get("amount", 100.0)))

    def _streak(self, frame: Match) -> None:
        """“Stop buying after 3 losses in a row for a day”."""
        self._put(self.parts[STREAK], frame.values["streak"]["n"])
        if "d" in frame.values:
            self._put(self.parts["guards.losing_streak.pause"], frame.values["d"])

    def _set(self, frame: Match) -> None:
        part: Part = frame.values["part"]
        old = frame.values.get("old")
        if self.previous == "remove" and self.value(part) == frame.values["value"]:
            self._remove(frame)  # “… and the 20 % target”
            self.has_removed = True
            return
        is_missing = part.kind in MOVES and part.field != "window" and not self._holders(part)
        if is_missing and self.previous != "remove":
            if self.strategy.get("conditions") and not self.adds and "adds" not in frame.values:
                self.doubts.append(f"There is no such condition yet, {part.said}, so this adds it.")
            self.adds = self.adds or not self.restates
            values = {
                "kind": part.kind,
                "amount": frame.values["value"],
                **{key: frame.values[key] for key in ("w",) if key in frame.values},
            }
            self._condition(replace(frame, values=values))
            return
        kind = self.parts[self.last["part"]].kind if self.last.get("part") in self.parts else ""
        if (
            part.kind == "*" and len(self._holders(part)) > 1 and kind in MOVES
        ):  # “the volume to 4x and the window to 2h”
            part = self._window_of(kind)
        self._check_clear(part, frame)
        if old is not None and self.before is not None:
            self._check_old(part, old)
        self._put(part, frame.values["value"])
        if "second" in frame.values:
            self._put(frame.values["second"], frame.values.get("other", frame.values["value"]))
        if "w" in frame.values:
            window = self._window_of(part.kind)
            self._put(window, frame.values["w"]["d"])

    def _window_of(self, kind: str) -> Part:
        return next(each for each in self.parts.values() if each.kind == kind and each.field == "window")

    def _check_clear(self, part: Part, frame: Match) -> None:
        """“RSI 21” may be its level or its period, and “raise the stop by 1 and the target 2” is unclear too."""
        if not frame.values.get("is_short"):
            return
        if self.previous == "change":
            raise Question(f"Should {part.said} change by that much, or to it?", wants(part))
        if (
            part.kind == "compare"
            and part.field == "right"
            and any(each.series == part.series and each.is_parameter for each in self.parts.values())
        ):
            raise Question(f"Is {frame.values['value']:g} {part.said}, or its period?", wants(part))

    def _check_old(self, part: Part, old: Any) -> None:
        now = self.value(part)
        if now is None or abs(now - old) > 1e-9:
            raise Question(f"{capital(part.said)} is {shown(part, now)} now. What should it be?", wants(part))

    def _change(self, frame: Match) -> None:
        part = frame.values["part"]
        now = self.value(part)
        if now is None:
            raise Question(f"There is no value for {part.said} yet. What should it be?", wants(part))
        if part.slot != "DUR" and frame.values["value"] > now:
            raise Question(f"{capital(part.said)} is {shown(part, now)} now. What should it become?", wants(part))
        self._put(part, round(now + frame.values["sign"] * frame.values["value"], 10))
        if "second" in frame.values:
            self._change(
                replace(
                    frame,
                    values={key: frame.values[key] for key in ("sign", "value")} | {"part": frame.values["second"]},
                )
            )

    def _change_too(self, frame: Match) -> None:
        """“… and the target by 5”: up or down like the change before."""
        signs = [each.values["sign"] for each in self.frames if each.name == "change"]
        if not signs:
            self._unclear_change(frame)
        self._change(replace(frame, values={**frame.values, "sign": signs[-1]}))

    def _last_part(self) -> Part:
        last = self.last or self.memory.get("last") or {}
        part = self.parts.get(last.get("part", ""))
        if part is None or last.get("many"):
            raise Question("Which part of the strategy do you mean?")
        return part

    def _scale_it(self, frame: Match) -> None:
        self._scale(replace(frame, values={"part": self._last_part(), "factor": float(frame.values["factor"])}))

    def _change_it(self, frame: Match) -> None:
        part = self._last_part()
        value = self._fitting(part, frame.values["amount"])
        self._change(replace(frame, values={"part": part, "value": value, "sign": int(frame.values["sign"])}))

    def _unclear_change(self, frame: Match) -> None:
        part = frame.values["part"]
        raise Question(f"Should {part.said} change by that much, or to it?", wants(part))

    def _scale(self, frame: Match) -> None:
        part = frame.values["part"]
        now = self.value(part)
        if now is None:
            raise Question(f"There is no value for {part.said} yet. What should it be?", wants(part))
        self._put(part, round(now * frame.values["factor"], 10))

    def _wants_value(self, frame: Match) -> None:
        part = frame.values["part"]
        if part.field == "right" and self._has_level_behind(frame):
            self.named_series = part.series  # “use RSI: below 30 buy, above 70 sell”
            return
        if part.kind and any(each.name == "condition" and each.start > frame.start for each in self.frames):
            self.adds = self.adds or part.kind == "compare"  # “add an RSI filter: RSI below 35”
            return
        if any(NAMED_SETTINGS.get(each.name) == part.key for each in self.frames):
            return  # “smaller positions: 30 % of the cash”
        if self._is_told_behind(frame):  # “a bigger target: 18 %”
            self.last = {"part": part.key}
            return
        raise Question(f"What should {part.said} be?", wants(part))

    def _is_told_behind(self, frame: Match) -> bool:
        """Whether the next frame says what becomes of “it”."""
        behind = [each.name for each in self.frames if each.start > frame.start]
        return behind[:1] in (["make_it"], ["scale_it"], ["remove_it"], ["bare"])

    def _keep(self, frame: Match) -> None:
        part, old = frame.values["part"], frame.values.get("old")
        if old is not None:
            self._check_old(part, old)

    def _mention(self, frame: Match) -> None:
        if self.previous == "remove":
            self._remove(frame)
            self.has_removed = True
        elif self._is_told_behind(frame):
            self.last = {"part": frame.values["part"].key}
        elif frame.values["part"].field == "right" and self._has_level_behind(frame):
            self.named_series = frame.values["part"].series  # “RSI: buy below 30, sell above 70”
        elif self.previous != "keep" and not self._is_kept_behind(frame):
            part = frame.values["part"]
            raise Question(f"What should I do with {part.said}?", wants(part))

    def _is_kept_behind(self, frame: Match) -> bool:
        """“The stop and the target stay as they are”."""
        behind = [each.name for each in self.frames if each.start > frame.start and each.name != "join_all"]
        return next((name for name in behind if name != "mention"), "") == "keep"

    def _has_level_behind(self, frame: Match) -> bool:
        behind = [each for each in self.frames if each.name == "condition" and each.start > frame.start]
        return bool(behind) and behind[0].values["kind"] == "price_level" and not behind[0].values["names_price"]

    def _remove(self, frame: Match) -> None:
        part, old = frame.values["part"], frame.values.get("old")
        self.previous = "remove"
        if part.kind:
            self._remove_conditions(part, old)
            return
        now = self.value(part)
        if now is None and self.before is not None:
            raise Question(f"There is no value for {part.said}, so there is nothing to remove. What should I do?")
        if old is not None and now is not None and abs(now - old) > 1e-9:
            raise Question(f"{capital(part.said)} is {shown(part, now)}. Shall I remove it?")
        if part.key == "position_percent":
            raise Question("How much of the cash should each buy use?", wants(part))
        is_streak = part.key.startswith("guards.losing_streak")
        self.strategy = with_setting(self.strategy, steps_of(part)[:2] if is_streak else steps_of(part), None)
        self._remember(part)

    def _remove_conditions(self, part: Part, old: float | None) -> None:
        key = "exit_conditions" if part.is_exit else "conditions"
        found = [each for each in self.strategy.get(key) or [] if holds(part, each)]
        if old is not None:
            is_time = part.field == "window"
            found = [each for each in found if field_of(part, each) == (duration_text(old) if is_time else old)]
        if (part.field == "window" and old is None) or len(found) != 1:
            raise Question(f"I could not tell which condition you mean by {part.said}. Which one should go?")
        kept = [each for each in self.strategy[key] if each is not found[0]]
        self.strategy[key] = kept

    def _make_it(self, frame: Match) -> None:
        token: Token = frame.values["value"]
        key = (self.last or self.memory.get("last") or {}).get("part")
        part = self.parts.get(key) if isinstance(key, str) else None
        if part is None:
            raise Question(
                f"What should be {token.written}: the stop loss, the take profit, or something else?",
                {"kind": "which", "value": token.written},
            )
        if (self.memory.get("last") or {}).get("op") == "change" and not self.last:
            raise Question(f"Should {part.said} be {token.written}?", wants(part))
        if token.kind == "duration" and part.kind in MOVES and part.slot != "DUR":
            part = self._window_of(part.kind)
        self._put(part, self._fitting(part, token))

    _bare = _make_it

    def _fitting(self, part: Part, token: Token) -> float:
        """The value of a token for a part; a bare number has the unit of the value before."""
        if token.kind == "number" and part.slot == "DUR":
            now = self.value(part) or 3600
            return token.value * (86_400 if now % 86_400 == 0 else 3600 if now % 3600 == 0 else 60)
        fits = {
            "LOSS": "percent",
            "GAIN": "percent",
            "SHARE": "percent",
            "DUR": "duration",
            "MULT": "multiple",
            "NUM": "money",
            "INT": "number",
        }
        if token.kind not in ("number", fits[part.slot]):
            raise Question(f"{token.written} does not fit {part.said}. What should it be?", wants(part))
        return token.value

    def _swap(self, frame: Match) -> None:
        new: Token = frame.values["value"]
        part = self._part_with(frame.values["old"], f"Which part should be {new.written}", new)
        self._put(part, self._fitting(part, new))

    def _part_with(self, old: Token, question: str, new: Token | None = None) -> Part:
        """The one part that has this value now."""
        kind = new.kind if new is not None and old.kind == "number" else old.kind
        found = [part for part in self.parts.values() if part.key != "window" and self._is_now(part, old, kind)]
        if len(found) != 1:
            pending = {"kind": "which", "value": new.written} if new is not None else {}
            raise Question(f"I could not tell what has the value {old.written}. {question}?", pending)
        return found[0]

    def _is_now(self, part: Part, old: Token, kind: str) -> bool:
        try:
            now = self.value(part)
            return now is not None and abs(self._fitting(part, replace(old, kind=kind)) - now) < 1e-9
        except Question:
            return False

    def value(self, part: Part) -> float | None:
        if part.kind:
            found = self._holders(part)
            value = field_of(part, found[0]) if len(found) == 1 else None
        else:
            value = setting(self.strategy, part)
        return float(duration_seconds(value)) if isinstance(value, str) else value

    def _holders(self, part: Part) -> list[Json]:
        key = "exit_conditions" if part.is_exit else "conditions"
        found = [each for each in self.strategy.get(key) or [] if holds(part, each)]
        if not found and not part.is_exit and part.kind == "compare":
            found = [each for each in self.strategy.get("exit_conditions") or [] if holds(part, each)]
        return found

    def _put(self, part: Part, value: float) -> None:
        written: Any = value
        if part.slot == "DUR":
            text = duration_text(value)
            if text is None:
                raise Question(
                    "A time must be a whole number of minutes, up to 30 days. What should it be?", wants(part)
                )
            written = text
        self._remember(part)
        if part.kind:
            self._put_in_condition(part, written)
            return
        known = self._said.get(part.key)
        if known is not None and known != written:
            raise Question(f"You named two values for {part.said}. Which one should it be?", wants(part))
        self._said = {**self._said, part.key: written}
        if part.key == "stop_loss_percent" and not 0.5 <= value <= 90:
            raise Question(
                "Is that a price or a percentage? A stop loss is a percentage under what was paid.", wants(part)
            )
        self.strategy = with_setting(self.strategy, steps_of(part), written)
        if part.key == STREAK and "pause" not in self.strategy["guards"]["losing_streak"]:
            self.strategy["guards"]["losing_streak"]["pause"] = "1d"
            is_said = any("d" in frame.values for frame in self.frames if frame.name == "streak")
            self.doubts += [] if is_said else ["You did not say how long it should pause, so I took a day."]

    def _put_in_condition(self, part: Part, written: Any) -> None:
        if self.entry and part.field == "window":
            raise Question("Which window do you mean?")
        found = self._holders(part)
        if len(found) != 1:
            what = "There is no such condition" if not found else "There are several of them"
            raise Question(f"{what}: {part.said}. What should I change?", {"kind": "which", "value": str(written)})
        if part.kind == "compare" and part.field != "right":
            side = side_of(part, found[0])
            found[0][side] = {**found[0][side], part.field: int(written)}
        else:
            found[0][part.field] = written

    def _remember(self, part: Part | None) -> None:
        is_relative = any(frame.name in ("change", "scale") for frame in self.frames)
        did = "change" if is_relative else "remove" if self.previous == "remove" else "set"
        many = bool(self.last) and part is not None and self.last.get("part") != part.key
        self.last = {"part": part.key, "op": did, **({"many": True} if many else {})} if part else {}


def wants(part: Part) -> Json:
    return {"kind": "value", "part": part.key}


def shown(part: Part, value: float | None) -> str:
    if value is None:
        return "not set"
    if part.slot == "DUR":
        return duration_text(value) or "unknown"
    return f"{value:g}{'×' if part.slot == 'MULT' else '' if part.slot in ('NUM', 'INT') else ' %'}"


def capital(text: str) -> str:
    return text[0].upper() + text[1:]

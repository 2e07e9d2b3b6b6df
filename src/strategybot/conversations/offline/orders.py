"""Fold what is said about buying and selling in parts: targets, ladder steps, the size and the times of buys."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

from strategybot.conversations.offline.conditions import list_items
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import WHOLE
from strategybot.conversations.offline.questions import question
from strategybot.conversations.offline.rule_fold import RuleFold
from strategybot.kit.json_object import Json
from strategybot.trading.language.edits import leaves, with_value
from strategybot.trading.language.idioms import usual
from strategybot.trading.language.strategy import STOPS
from strategybot.trading.language.values import plain

USUAL_GAP, USUAL_STEPS, USUAL_STOP = 5.0, 2, 5.0
DIP: Json = {"conditions": [usual("price_drop")], "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 6}}
ROUNDED = 0.1  # what three thirds may leave
MOST_BUYS = 10_000  # of a savings plan, which has no end
EXITS = (*STOPS, "max_holding", "break_even_after_percent")


class OrderFold(RuleFold):
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
        self.doubts += [frame.values["ask"]] if "ask" in frame.values and frame.values["ask"] not in self.doubts else []
        self.targets += [(gain, frame.values.get("share")) for gain in list_items(frame.values["gain"])]

    def _ladder(self, frame: Match) -> None:
        count, gap = int(frame.values.get("n", USUAL_STEPS)), frame.values.get("gap", USUAL_GAP)
        self.steps += [(gap * number, frame.values.get("share")) for number in range(1, count + 1)]
        self.notes += [] if "gap" in frame.values else [f"I took steps of {plain(gap)} %."]

    def _rung(self, frame: Match) -> None:
        share = self.steps[-1][1] if "same" in frame.values and self.steps else frame.values.get("share")
        self.steps += [(drop, share) for drop in list_items(frame.values["drop"])]

    def finish_orders(self) -> None:
        if self.targets:
            self._finish_targets({**(self.strategy.get("risk_management") or {})})
        if self.steps:
            self._finish_ladder()
        self._finish_plan()

    def _finish_targets(self, risk: Json) -> None:
        """Make the targets that were said; what they leave is sold by a later take profit, or by the other exits."""
        kept = (risk.get("take_profits") or []) if self.adds else []
        said = sorted(
            [*((each["gain_percent"], each["sell_percent"]) for each in kept), *self.targets], key=itemgetter(0)
        )
        left, later = _share_left(said), risk.get("take_profit_percent") or 0.0
        said += [(later, None)] if left and later > said[-1][0] and all(share for _, share in said) else []
        count = sum(share is None for _, share in said)
        part = round(left / max(count, 1), 2)  # the last one takes what rounding leaves
        rest = round(left - part * (count - 1), 6)
        said[-1] = (said[-1][0], round((said[-1][1] or 0.0) + left, 6)) if 0 < left < ROUNDED else said[-1]
        shares = [(gain, share or (rest if gain == said[-1][0] else part)) for gain, share in said]
        targets = [{"gain_percent": gain, "sell_percent": share} for gain, share in shares]
        is_one = [share for _, share in shares] == [WHOLE]
        risk["take_profit_percent"], risk["take_profits"] = (shares[0][0], None) if is_one else (None, targets)
        self.strategy = {**self.strategy, "risk_management": risk}
        if left := _share_left(shares):
            has_exit = self.strategy.get("exit_conditions") or any(risk.get(key) is not None for key in EXITS)
            others = "is left to the other exits" if has_exit else "has no exit yet"
            self.notes.append(f"The other {plain(left)} % of the position {others}.")

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
        now, risk = self.strategy, self.strategy.get("risk_management") or {}
        is_plan, was_plan = _is_plan(now), _is_plan(self.before or {})
        has_size = now.get("position_amount") or now.get("risk_percent") or now.get("position_percent", WHOLE) != WHOLE
        if is_plan and not has_size:
            raise question("how_much")
        if is_plan != was_plan and now.get("max_entries", 1) == (1 if is_plan else MOST_BUYS):
            self.strategy = {**self.strategy, "max_entries": MOST_BUYS if is_plan else 1}
        if "risk_percent" in self.said and all(risk.get(key) is None for key in STOPS):
            self.strategy = with_value(self.strategy, ("risk_management", "stop_loss_percent"), USUAL_STOP)
            self.notes.append(f"This size needs a stop, so I took a stop loss of {plain(USUAL_STOP)} %.")


def _is_plan(strategy: Json) -> bool:
    return any(each["kind"] == "every" for _, each in leaves(strategy.get("conditions") or [], ("conditions",)))


def _share_left(shares: Sequence[tuple[float, float | None]]) -> float:
    return round(WHOLE - sum(share or 0.0 for _, share in shares), 6)

"""Fold what is said about buying and selling in parts: targets, ladder steps, the size and the times of buys."""

from strategybot.conversations.offline.conditions import NeedsClarification, listed
from strategybot.conversations.offline.matcher import Match
from strategybot.conversations.offline.part_fold import PartFold, leaves, with_value
from strategybot.kit.json_object import Json
from strategybot.trading.language.values import plain

WHOLE = 100.0
USUAL_GAP, USUAL_STEPS, USUAL_STOP = 5.0, 2, 5.0
MOST_BUYS = 10_000  # of a savings plan, which has no end
STOPS = ("stop_loss_percent", "stop_loss_atr", "trailing_stop_percent", "trailing_stop_atr")
EXITS = (*STOPS, "max_holding", "break_even_after_percent")
HOW_MUCH = "How much should it buy each time? For example: “$100”."


class OrderFold(PartFold):
    def _target(self, frame: Match) -> None:
        self.targets.append((frame.values["gain"], frame.values.get("share")))

    def _targets(self, frame: Match) -> None:
        values = frame.values
        gains = listed(values["gains"]) if "gains" in values else [values[key] for key in ORDINALS if key in values]
        self.targets += [*((gain, round(WHOLE / len(gains), 2)) for gain in gains[:-1]), (gains[-1], None)]

    def _ladder(self, frame: Match) -> None:
        count, gap = int(frame.values.get("n", USUAL_STEPS)), frame.values.get("gap", USUAL_GAP)
        self.steps += [(gap * number, None) for number in range(1, count + 1)]
        self.notes += [] if "gap" in frame.values else [f"I took steps of {plain(gap)} %."]

    def _rung(self, frame: Match) -> None:
        self.steps.append((frame.values["drop"], frame.values["share"]))

    def _repeat(self, frame: Match) -> None:
        self._put(self.parts["max_entries"], frame.values["n"])
        if "gap" in frame.values:
            self._put(self.parts["entry_gap"], frame.values["gap"])

    def finish_orders(self) -> None:
        if self.targets:
            self._finish_targets()
        if self.steps:
            self._finish_ladder()
        self._finish_plan()

    def _finish_targets(self) -> None:
        """Make the targets that were said; what they leave is sold by a later take profit, or by the other exits."""
        risk: Json = {**(self.strategy.get("risk_management") or {})}
        kept = (risk.get("take_profits") or []) if self.adds else []
        said = [*((each["gain_percent"], each["sell_percent"]) for each in kept), *self.targets]
        left, later = WHOLE - sum(share or 0.0 for _, share in said), risk.get("take_profit_percent") or 0.0
        if left and later > max(gain for gain, _ in said):
            said.append((later, None))
        has_rest = any(share is None for _, share in said)
        shares = sorted((gain, left if share is None else share) for gain, share in said)
        targets = [{"gain_percent": gain, "sell_percent": share} for gain, share in shares]
        is_one = [share for _, share in shares] == [WHOLE]
        risk["take_profit_percent"], risk["take_profits"] = (shares[0][0], None) if is_one else (None, targets)
        self.strategy = {**self.strategy, "risk_management": risk}
        if left and not has_rest:
            has_exit = self.strategy.get("exit_conditions") or any(risk.get(key) is not None for key in EXITS)
            others = "is left to the other exits" if has_exit else "has no exit yet"
            self.notes.append(f"The other {plain(left)} % of the position {others}.")

    def _finish_ladder(self) -> None:
        """Make the ladder; steps without a size are equal parts of the cash, and so is the first buy."""
        first, has_amount = self.strategy.get("position_percent", WHOLE), self.strategy.get("position_amount")
        is_open = any(size is None for _, size in self.steps)
        shares = (WHOLE, len(self.steps) + 1) if first == WHOLE else (WHOLE - first, len(self.steps))
        part = int(shares[0] * 100 / shares[1]) / 100  # rounded down: the parts are never more than the whole
        ladder = [{"drop_percent": drop, "size_percent": size or part} for drop, size in sorted(self.steps)]
        spent = sum(step["size_percent"] for step in ladder)
        if not has_amount and first + spent > WHOLE:
            first = part if is_open else round(WHOLE - spent, 6)
        each = f", {plain(part)} % for each step" if is_open else ""
        self.notes += [] if has_amount else [f"The first buy uses {plain(first)} % of the cash{each}."]
        self.strategy = {**self.strategy, "ladder": ladder, "position_percent": first}

    def _finish_plan(self) -> None:
        """Let buys at fixed times go on without end, ask for their size, and give a size by risk the stop it needs."""
        now, risk = self.strategy, self.strategy.get("risk_management") or {}
        is_plan, was_plan = _is_plan(now), _is_plan(self.before or {})
        has_size = now.get("position_amount") or now.get("risk_percent") or now.get("position_percent", WHOLE) != WHOLE
        if is_plan and not has_size:
            raise NeedsClarification(HOW_MUCH, {"kind": "size"})
        if is_plan and not was_plan and now.get("max_entries", 1) == 1:
            self.strategy = {**self.strategy, "max_entries": MOST_BUYS}
        if was_plan and not is_plan and now.get("max_entries") == MOST_BUYS:
            self.strategy = {**self.strategy, "max_entries": 1}
        if "risk_percent" in self.said and all(risk.get(key) is None for key in STOPS):
            self.strategy = with_value(self.strategy, ("risk_management", "stop_loss_percent"), USUAL_STOP)
            self.notes.append(f"This size needs a stop, so I took a stop loss of {plain(USUAL_STOP)} %.")


ORDINALS = ("first", "second", "third")


def _is_plan(strategy: Json) -> bool:
    return any(each["kind"] == "every" for _, each in leaves(strategy.get("conditions") or [], ("conditions",)))

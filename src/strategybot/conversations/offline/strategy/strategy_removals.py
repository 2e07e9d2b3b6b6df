"""What a Reading takes out of a strategy, or what must be asked before it can."""

from typing import Any

from strategybot.conversations.offline.reading import NAMES, OldLevel, Reading
from strategybot.conversations.offline.strategy.field_edits import Unclear


def remove(strategy: dict[str, Any], reading: Reading) -> None:
    if reading.removed_place is not None:
        _remove_placed(strategy, reading.removed_place)
    _remove_named(strategy, reading)
    for level in reading.old_levels:
        _remove_level(strategy, level)
    if reading.only_exits:
        _remove_other_exits(strategy, reading.only_exits)


def _remove_named(strategy: dict[str, Any], reading: Reading) -> None:
    risk = strategy.setdefault("risk_management", {})
    for name in sorted(reading.removed):
        if name == "position_percent":
            strategy[name] = 100
        elif name in ("entry", "strategy"):
            strategy["conditions"] = []
        elif name == "exit_conditions":
            _remove_exits(strategy)
        elif name in ("price_drop", "price_rise", "volume_spike", "price_level"):
            if not (reading.buys and reading.entry and not reading.adds_entry):  # else the entry is stated anew
                _remove_condition(strategy, name, bool(reading.entry))
        elif risk.get(name) is None and not reading.entry and not reading.changes:
            raise Unclear(f"There is no {NAMES[name]} to remove. What should I change?")
        else:
            risk[name] = None


def _remove_placed(strategy: dict[str, Any], place: int) -> None:
    conditions = strategy.get("conditions") or []
    if len(conditions) < 2 or place >= len(conditions):
        raise Unclear(f"I see {len(conditions)} condition(s) to buy. Which one do you mean?")
    del conditions[place]


def _remove_exits(strategy: dict[str, Any]) -> None:
    if not strategy.get("exit_conditions"):
        raise Unclear("There is no exit condition to remove. Do you mean the stop loss or the take profit?")
    strategy["exit_conditions"] = []


def _remove_other_exits(strategy: dict[str, Any], kept: set[str]) -> None:
    risk = strategy["risk_management"]
    if risk.get("max_holding") and "max_holding" not in kept:
        raise Unclear(f"Should the {NAMES['max_holding']} go as well? Say “remove …” for each that should.")
    strategy["exit_conditions"] = []
    for name in {"stop_loss_percent", "take_profit_percent", "trailing_stop_percent"} - kept:
        risk[name] = None


def _remove_level(strategy: dict[str, Any], old: OldLevel) -> None:
    """The one condition to sell that has this price."""
    exits = strategy.get("exit_conditions") or []
    same = [
        exit_ for exit_ in exits if exit_.get("level") == old.value and old.direction in (None, exit_.get("direction"))
    ]
    if len(same) != 1:
        raise Unclear(f"It does not sell at {old.value:g} now. Which price do you mean?")
    strategy["exit_conditions"] = [exit_ for exit_ in exits if exit_ is not same[0]]


def _remove_condition(strategy: dict[str, Any], kind: str, replaced: bool) -> None:
    places = [
        (group, condition)
        for group in ("conditions", "exit_conditions")
        for condition in strategy.get(group) or []
        if condition["kind"] == kind
    ]
    if len(places) != 1:
        raise Unclear(f"Which condition do you mean? I see {len(places)} of the kind {NAMES[kind]}.")
    group, condition = places[0]
    strategy[group].remove(condition)
    if group == "conditions" and not strategy[group] and not replaced:
        raise Unclear("That is the only thing that makes it buy. When should it buy instead?")

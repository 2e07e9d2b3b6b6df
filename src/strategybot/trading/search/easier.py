"""A strategy whose conditions are met more often, for one that never buys."""

from strategybot.trading.language.conditions import Condition, Group, PriceDrop, PriceRise, VolumeSpike
from strategybot.trading.language.strategy import Strategy

FACTORS = (0.75, 0.5, 0.33, 0.2, 0.1, 0.05)


def easier(strategy: Strategy, factor: float) -> Strategy | None:
    """Return the strategy with every percentage and multiple of its entry smaller; None if it has none."""
    conditions = [_easier(each, factor) for each in strategy.conditions]
    if conditions == strategy.conditions:
        return None
    return strategy.model_copy(update={"conditions": conditions})


def _easier(condition: Condition, factor: float) -> Condition:
    match condition:
        case PriceDrop() | PriceRise():
            return condition.model_copy(update={"percent": _round(condition.percent * factor)})
        case VolumeSpike():
            return condition.model_copy(update={"multiplier": _round(max(1.1, condition.multiplier * factor))})
        case Group() if condition.match != "none":
            members = [_easier(each, factor) for each in condition.conditions]
            return condition.model_copy(update={"conditions": members})
        case _:
            return condition


def _round(number: float) -> float:
    return float(f"{number:.2g}")

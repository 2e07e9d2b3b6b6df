"""A strategy with smaller numbers is met more often, and is still a valid strategy."""

import pytest

from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.easier import FACTORS, easier

LEVEL = {"kind": "price_level", "level": 2, "direction": "above"}


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ({"kind": "price_drop", "percent": 37, "window": "1h"}, "percent"),
        ({"kind": "price_rise", "percent": 0.3, "window": "1d"}, "percent"),
        ({"kind": "volume_spike", "multiplier": 12, "window": "4h"}, "multiplier"),
    ],
)
def test_the_numbers_of_the_entry_are_smaller(condition: dict[str, object], name: str, factor: float) -> None:
    strategy = Strategy.model_validate({"conditions": [condition, LEVEL]})
    found = easier(strategy, factor)
    assert found is not None
    Strategy.model_validate(found.model_dump())
    assert getattr(found.conditions[0], name) < getattr(strategy.conditions[0], name)
    assert found.conditions[1] == strategy.conditions[1]


def test_a_strategy_without_such_a_number_has_no_easier_one() -> None:
    assert easier(Strategy.model_validate({"conditions": [LEVEL]}), 0.5) is None

"""Edits of a strategy as JSON: fields that exclude each other, and conditions inside of groups."""

from typing import Any

import pytest

from strategybot.trading.language.edits import leaves, set_paths, value_at, with_setting, without, without_condition
from strategybot.trading.language.idioms import candles, every, group
from strategybot.trading.language.strategy import EXCLUSIVE_EXITS, SIZES, Strategy

DROP: dict[str, Any] = {"kind": "price_drop", "percent": 5.0, "window": "1h"}
SPIKE: dict[str, Any] = {"kind": "volume_spike", "multiplier": 3.0, "window": "1h"}
SAMPLES: dict[str, Any] = {
    "take_profits": [{"gain_percent": 5.0, "sell_percent": 50.0}],
    "stop_loss_atr": {"times": 2.0},
    "trailing_stop_atr": {"times": 2.0},
}


@pytest.mark.parametrize("fields", [*EXCLUSIVE_EXITS, SIZES], ids=lambda fields: fields[0])
def test_setting_a_field_unsets_those_that_exclude_it(fields: tuple[str, ...]) -> None:
    strategy: dict[str, Any] = {"conditions": [DROP], "risk_management": {"trailing_stop_percent": 9.0}}
    for name in (*fields, *reversed(fields)):
        strategy = with_setting(strategy, name, SAMPLES.get(name, 4.0))
        Strategy.model_validate(strategy)  # refuses two of them
        assert [path[-1] for path in set_paths(fields[0], strategy)] == [name]
        assert set_paths(fields[0], without(strategy, set_paths(name, strategy)[0])) == []


@pytest.mark.parametrize(
    ("conditions", "path", "left"),
    [
        ([DROP, SPIKE], ("conditions", 0), [SPIKE]),
        ([DROP, group("all", [SPIKE, DROP])], ("conditions", 1, "conditions", 1), [DROP, SPIKE]),
        ([DROP, group("all", [SPIKE, DROP, SPIKE])], ("conditions", 1, "conditions", 1), [DROP, group("all", [SPIKE, SPIKE])]),
        ([DROP, group("none", [group("any", [SPIKE])])], ("conditions", 1, "conditions", 0, "conditions", 0), [DROP]),
    ],
)  # fmt: skip
def test_a_condition_goes_wherever_it_stands(
    conditions: list[Any], path: tuple[str | int, ...], left: list[Any]
) -> None:
    strategy = {"conditions": conditions}
    assert path in dict(leaves(conditions, ("conditions",)))
    assert value_at(strategy, path) in (DROP, SPIKE)
    assert without_condition(strategy, path) == {"conditions": left}


@pytest.mark.parametrize(
    "condition",
    [candles("red", 3, "green"), candles("green", 2), candles("red", 1), every("1d"), every("1d", "fri", "09:00")],
)
def test_an_idiom_is_a_condition(condition: dict[str, Any]) -> None:
    assert Strategy.model_validate({"conditions": [condition]}).conditions


def test_every_monday_is_every_week() -> None:
    assert every("1d", "mon") == {"kind": "every", "period": "7d"}

"""Paths into a strategy: what they lead to, and what is refused with a sentence."""

import pytest
from hypothesis import given, settings

from strategybot.trading.language.paths import PathError, place_of, places, with_values
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import drop, strategies, strategy_of
from tests.trading.random_series import compare

STRATEGY = strategy_of(
    drop(5, "1h"),
    compare({"series": "rsi", "period": 14}, "below", 30),
    exit_conditions=[compare({"series": "macd"}, "crosses_below", {"series": "ema", "period": 9})],
    stop_loss_percent=3,
)


@pytest.mark.parametrize(
    ("path", "kind", "value"),
    [
        ("conditions.0.percent", "number", 5),
        ("conditions.0.window", "duration", "1h"),
        ("conditions.1.left.period", "number", 14),
        ("conditions.1.right", "number", 30),
        ("exit_conditions.0.right.period", "number", 9),
        ("exit_conditions.0.left.slow", "number", 26),
        ("risk_management.stop_loss_percent", "number", 3),
        ("stop_loss_percent", "number", 3),
        ("take_profit_percent", "number", None),
        ("max_holding", "duration", None),
        ("position_percent", "number", 100),
    ],
)
def test_a_path_leads_to_a_number_or_a_duration(path: str, kind: str, value: object) -> None:
    place = place_of(STRATEGY, path)
    assert (place.kind, place.value) == (kind, value)
    assert place_of(STRATEGY, place.path) == place


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("", "no such part"),
        ("x", "no such part"),
        ("conditions", "neither a number nor a duration"),
        ("conditions.0", "neither a number nor a duration"),
        ("conditions.0.kind", "neither a number nor a duration"),
        ("conditions.0.reference", "neither a number nor a duration"),
        ("conditions.0.percent.x", "no such part"),
        ("conditions.0.__class__", "no such part"),
        ("conditions.0.model_config", "no such part"),
        ("conditions.-1.percent", "the strategy has 2 conditions"),
        ("conditions.2.percent", "the strategy has 2 conditions"),
        ("exit_conditions.1.left.fast", "the strategy has 1 exit_conditions"),
        ("exit_conditions.0.right", "neither a number nor a duration"),
        ("summary", "no such part"),
        ("match", "neither a number nor a duration"),
        ("a" * 5000, "no such part"),
    ],
)
def test_any_other_path_is_refused_with_a_sentence(path: str, sentence: str) -> None:
    with pytest.raises(PathError, match=sentence) as refusal:
        place_of(STRATEGY, path)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("conditions.0.percent", 100, "less than 100"),
        ("conditions.0.percent", "5m", "takes a number"),
        ("conditions.0.window", 5, "takes a duration"),
        ("conditions.0.window", "5 minutes", "must be a duration"),
        ("conditions.1.left.period", 2.5, "valid integer"),
        ("exit_conditions.0.left.fast", 30, "must be above fast"),
    ],
)
def test_a_value_that_the_language_refuses_is_refused(path: str, value: float | str, sentence: str) -> None:
    with pytest.raises(PathError, match=sentence):
        with_values(STRATEGY, {path: value})


def test_values_that_fit_only_together_are_put_in_together() -> None:
    changed = with_values(STRATEGY, {"exit_conditions.0.left.fast": 30, "exit_conditions.0.left.slow": 40})
    assert "MACD(30, 40, 9)" in changed.summary


@given(strategies())
@settings(max_examples=50, deadline=None, derandomize=True)
def test_every_place_of_a_strategy_is_found_again_by_its_path_and_takes_its_own_value(strategy: Strategy) -> None:
    found = list(places(strategy))
    assert found
    for place in found:
        assert place_of(strategy, place.path) == place
    assert with_values(strategy, {place.path: place.value for place in found if place.value is not None}) == strategy

"""The result with the token's pool and taxes, and the caution about a target below the costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.trading.kernel import Costs
from strategybot.trading.language.cautions import cautions, round_trip_percent
from strategybot.trading.pool import PoolFacts, with_pool
from tests.trading.builders import FREE, drop, strategy_of

returns = st.lists(st.floats(-0.5, 0.5), max_size=30).map(np.array)


def grown(values: np.ndarray, share: float) -> float:
    return float(np.prod(1 + share * values))


@given(returns, st.floats(0.01, 1))
def test_an_endless_pool_without_taxes_takes_nothing(values: np.ndarray, share: float) -> None:
    facts = PoolFacts(liquidity_usd=1e18, buy_tax_percent=0, sell_tax_percent=0, can_be_sold=True, risk_level="low")
    growth = grown(values, share)
    found = with_pool(facts, values, share, 1000.0, growth)
    assert found.total_return == pytest.approx(100 * (growth - 1), abs=1e-6)


@given(returns, st.floats(100, 1e6), st.floats(0, 20))
def test_a_thinner_pool_and_higher_taxes_never_help(values: np.ndarray, liquidity: float, tax: float) -> None:
    growth = grown(values, 1.0)

    def total(depth: float, taken: float) -> float:
        found = with_pool(PoolFacts(liquidity_usd=depth, buy_tax_percent=taken), values, 1.0, 1000.0, growth)
        assert found.total_return is not None
        return found.total_return

    assert total(liquidity, tax) <= total(2 * liquidity, tax) + 1e-9
    assert total(liquidity, tax) <= total(liquidity, tax / 2) + 1e-9


def test_one_fill_moves_the_price_by_its_size_over_half_of_the_liquidity() -> None:
    found = with_pool(PoolFacts(liquidity_usd=20_000), np.array([0.0]), 1.0, 100.0, 1.0)
    assert found.largest_impact_percent == pytest.approx(1.0)
    assert found.largest_position_usd == pytest.approx(100.0)
    assert found.expectancy_percent == pytest.approx(100 * (1 / 1.01 / (1 + 0.01 / 1.01) - 1))


def test_a_tax_that_takes_everything_takes_every_trade() -> None:
    facts = PoolFacts(liquidity_usd=1e6, buy_tax_percent=3, sell_tax_percent=100)
    found = with_pool(facts, np.array([0.1, 0.2, -0.1]), 1.0, 100.0, 1.188)
    assert found.total_return == pytest.approx(-100)
    assert found.expectancy_percent == pytest.approx(-100)


def test_unknown_figures_are_named_in_a_sentence() -> None:
    found = with_pool(PoolFacts(), np.array([0.1]), 1.0, 100.0, 1.1)
    assert found.total_return is None
    assert [sentence.split()[-1] for sentence in found.sentences[1:]] == ["unknown.", "unknown."]
    bad = with_pool(PoolFacts(can_be_sold=False, risk_level="high"), np.array([0.1]), 1.0, 100.0, 1.1)
    assert bad.sentences[-1] == "The risk of this token is high."
    assert "not be sold" in bad.sentences[-2]


@pytest.mark.parametrize(("target", "warned"), [(None, False), (0.2, True), (0.3, True), (0.31, False), (5, False)])
def test_a_target_below_the_costs_has_a_warning(target: float | None, warned: bool) -> None:
    strategy = strategy_of(drop(3), take_profit_percent=target)
    assert bool(cautions(strategy, Costs())) is warned
    assert cautions(strategy, FREE) == []
    assert round_trip_percent(Costs()) == pytest.approx(0.3005, abs=1e-3)

"""The costs of a fill, what a run says about them, and the caution about a target below them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.costs import Costs, budget_of, paid_by_trades
from strategybot.trading.engine.pool import PoolFacts
from strategybot.trading.engine.run_costs import RunCosts, requested_costs
from strategybot.trading.language.cautions import cautions, round_trip_percent
from strategybot.trading.words.costs import Traded, cost_notes
from tests.trading.builders import CASH, FREE, closes, drop, random_candles, strategy_of
from tests.trading.builders import costs as any_costs

NOW = "2026-03-01T00:00:00Z"
TAXED = Costs(fee_percent=1, slippage_percent=2, buy_tax_percent=4, sell_tax_percent=6, liquidity_usd=20_000)
GRUMP = PoolFacts(liquidity_usd=120_000, buy_tax_percent=4, sell_tax_percent=6, can_be_sold=True, risk_level="medium")


def test_a_round_trip_pays_what_the_formulas_say() -> None:
    result = run_backtest(strategy_of(drop(10), take_profit_percent=10), closes(100, 90, 90, 99, 110), TAXED, 1000.0)
    [trade] = result.trades.page(0, 5)
    spent = 1000 / 1.01
    price = 90 * 1.02
    quantity = 1000 / (price * (1 + 2 / 20_000 * spent) * 1.01) * 0.96
    assert trade.entry_price == pytest.approx(price, rel=1e-12)
    assert trade.quantity == pytest.approx(quantity, rel=1e-12)
    target = price * 1.1
    exit_price = max(99.0, target) * 0.98
    value = quantity * exit_price
    out = value / (1 + 2 / 20_000 * value)
    proceeds = out * 0.99 * 0.94
    assert trade.exit_price == pytest.approx(exit_price, rel=1e-12)
    assert trade.pnl == pytest.approx(proceeds - 1000, rel=1e-12)
    received = spent / (1 + 2 / 20_000 * spent)
    assert trade.fees == pytest.approx((1000 - spent) + out * 0.01, rel=1e-9)
    assert trade.tax == pytest.approx(received * 0.04 + out * 0.99 * 0.06, rel=1e-9)
    assert trade.impact == pytest.approx((spent - received) + (value - out), rel=1e-9)
    metrics = result.metrics
    assert metrics["tax_paid"] == pytest.approx(trade.tax)
    assert metrics["impact_paid"] == pytest.approx(trade.impact)
    hold = 110 / (100 * 1.02 * (1 + 2 / 20_000 * spent) * 1.01 / 0.96)
    assert metrics["buy_and_hold_return"] == pytest.approx(100 * (hold - 1), rel=1e-12)
    plain = run_backtest(
        strategy_of(drop(10), take_profit_percent=10), closes(100, 90, 90, 99, 110), TAXED.without_pool(), 1000.0
    )
    assert metrics["return_without_pool_costs"] == pytest.approx(plain.metrics["total_return"], rel=1e-12)
    assert plain.metrics["return_without_pool_costs"] == plain.metrics["total_return"]
    assert plain.metrics["tax_paid"] == plain.metrics["impact_paid"] == 0


@given(any_costs, st.floats(1e-6, 1e6), st.floats(1e-9, 1e6))
def test_a_budget_follows_from_what_it_bought(costs: Costs, budget: float, base: float) -> None:
    price = base * (1 + costs.slippage)
    worse = 1 + costs.impact * (budget / (1 + costs.fee))
    quantity = budget / (price * worse * (1 + costs.fee)) * costs.buy_kept
    found = budget_of(costs, np.array([quantity]), np.array([price]))
    assert found[0] == pytest.approx(budget, rel=1e-6)
    paid = paid_by_trades(costs, *np.array([[quantity], [price], [0.0]]))
    assert budget - quantity * price == pytest.approx(float(sum(each[0] for each in paid)), rel=1e-5, abs=1e-9)


@given(st.integers(0, 10**6), st.sampled_from([1e3, 1e5, 1e7]), st.sampled_from([0.0, 1.0, 20.0]))
def test_a_thinner_pool_and_higher_taxes_never_help(seed: int, liquidity: float, tax: float) -> None:
    candles, strategy = random_candles(seed, 300), strategy_of(drop(1), stop_loss_percent=3, take_profit_percent=3)

    def equity(depth: float, taken: float) -> float:
        costs = Costs(liquidity_usd=depth, buy_tax_percent=taken, sell_tax_percent=taken)
        final = run_backtest(strategy, candles, costs, CASH).metrics["final_equity"]
        assert isinstance(final, float)
        return final

    assert equity(liquidity, tax) <= equity(2 * liquidity, tax) * (1 + 1e-12)
    assert equity(liquidity, tax) <= equity(liquidity, tax / 2) * (1 + 1e-12)


def test_a_tax_that_takes_everything_leaves_nothing() -> None:
    strategy, candles = strategy_of(drop(1), max_holding="2m"), random_candles(3, 300)
    sold = run_backtest(strategy, candles, Costs(sell_tax_percent=100), CASH).metrics
    assert sold["total_return"] == pytest.approx(-100)
    never = run_backtest(strategy, candles, Costs(buy_tax_percent=100), CASH).metrics
    assert (never["total_trades"], never["total_return"], never["buy_and_hold_return"]) == (0, 0, -100)


def test_the_request_overrides_the_provider_and_off_leaves_both_out() -> None:
    read = requested_costs("auto", 0.1, 0.05).read(GRUMP, NOW)
    assert (read.liquidity_usd, read.buy_tax_percent, read.sell_tax_percent) == (120_000, 4, 6)
    assert (read.sources.liquidity, read.sources.tax, read.liquidity_read_at) == ("provider", "provider", NOW)
    asked = requested_costs("auto", 0.1, 0.05, liquidity_usd=5_000, sell_tax_percent=1).read(GRUMP, NOW)
    assert (asked.liquidity_usd, asked.buy_tax_percent, asked.sell_tax_percent) == (5_000, 4, 1)
    assert (asked.sources.liquidity, asked.sources.tax) == ("request", "request")
    off = requested_costs("off", 0.1, 0.05).read(GRUMP, NOW)
    assert off.traded() == Costs(fee_percent=0.1, slippage_percent=0.05)
    unknown = requested_costs("auto", 0.1, 0.05).read(PoolFacts(liquidity_usd=0), NOW)
    assert (unknown.liquidity_usd, unknown.sources.liquidity, unknown.sources.tax) == (None, "unknown", "unknown")


POOL_WORDS = (
    "The pool holds $120,000 today, which stands for all of the past. A fill of up to $600 gets a price that is at "
    "most 1 % worse, and moves the pool's own price by at most 2 %."
)


def notes(facts: PoolFacts, metrics: dict[str, Any] | None = None, **asked: Any) -> list[str]:
    return cost_notes(requested_costs(asked.pop("pool_costs", "auto"), 0.1, 0.05, **asked).read(facts, NOW), metrics)


def test_what_is_missing_is_said_first_and_the_plain_return_last() -> None:
    assert notes(PoolFacts(liquidity_usd=None, buy_tax_percent=0, sell_tax_percent=0, can_be_sold=True)) == [
        "The size of this pool is not known: price impact is not in this result.",
        "The token takes no tax on trades.",
    ]
    told = notes(GRUMP, {"total_return": -62.7, "return_without_pool_costs": 74.81})
    assert told == [
        "The token takes 4 % of each purchase and 6 % of each sale.",
        POOL_WORDS,
        "Without tax and price impact: +74.8 %",
    ]
    assert notes(GRUMP, {"total_return": -7.84, "return_without_pool_costs": -7.81})[-1] == told[1]
    assert notes(PoolFacts(can_be_sold=False))[0].startswith("This token can probably not be sold")
    assert notes(GRUMP, pool_costs="off") == ["Token tax and price impact are switched off in this run."]
    assert "without tax and price impact" in cost_notes(None)[0]
    assert cost_notes(RunCosts(fee_percent=0.1, slippage_percent=0.05)) == []


def test_what_is_known_of_the_costs_of_many_tokens_is_said_by_their_names() -> None:
    plain = requested_costs("auto", 0.1, 0.05)
    unknown, trap = PoolFacts(liquidity_usd=None), PoolFacts(liquidity_usd=9e4, can_be_sold=False)
    rows = [
        {"symbol": symbol, "costs": plain.read(facts, NOW).model_dump(mode="json")}
        for symbol, facts in [("GRUMP", GRUMP), *((f"NEW{number}", unknown) for number in range(6)), ("TRAP", trap)]
    ]
    metrics = {"total_return": -63.8, "return_without_pool_costs": -24.55}
    assert cost_notes(plain, metrics, tokens=[*rows, {"symbol": None, "costs": None}]) == [
        "Can probably not be sold: TRAP.",
        "Size of the pool not known, so no price impact is in the result: NEW0, NEW1, NEW2, NEW3, NEW4 and 1 more.",
        "Tax on trades not known, so none is in the result: NEW0, NEW1, NEW2, NEW3, NEW4 and 2 more.",
        "Token tax is paid: GRUMP.",
        "Without tax and price impact: −24.6 %",
    ]


@pytest.mark.parametrize(("target", "warned"), [(None, False), (0.2, True), (0.25, True), (0.26, False), (5, False)])
def test_a_target_below_the_costs_has_a_warning(target: float | None, warned: bool) -> None:
    strategy = strategy_of(drop(3), take_profit_percent=target)
    assert bool(cautions(strategy, Costs())) is warned
    assert cautions(strategy, FREE) == []
    assert round_trip_percent(Costs()) == pytest.approx(0.2503, abs=1e-3)
    assert cautions(strategy_of(drop(3), take_profit_percent=5), TAXED)


@pytest.mark.parametrize("cash", [1_000.0, 20_000.0])
@pytest.mark.parametrize("share", [30, 100])
def test_a_sale_at_the_break_even_gives_back_what_was_spent(cash: float, share: float) -> None:
    costs = Costs(buy_tax_percent=1, sell_tax_percent=2, liquidity_usd=150_000)
    gain = 1 + round_trip_percent(costs, cash, share / 100) / 100
    price, value = 3 * (1 + costs.slippage), cash / (1 + costs.fee)
    quantity = cash / (price * (1 + costs.impact * value) * (1 + costs.fee)) * costs.buy_kept
    sold = quantity * share / 100 * price * gain * (1 - costs.slippage)
    assert sold / (1 + costs.impact * sold) * (1 - costs.fee) * costs.sell_kept == pytest.approx(cash * share / 100)


def test_a_run_whose_target_loses_money_says_so_with_its_costs() -> None:
    rules, costs = strategy_of(drop(3), take_profit_percent=1), RunCosts(fee_percent=0.1, slippage_percent=0.05)
    read = costs.read(PoolFacts(liquidity_usd=700_000, buy_tax_percent=0, sell_tax_percent=0), "2026-01-01T00:00:00Z")
    assert cost_notes(read, traded=Traded(rules, 10_000))[0] == (
        "The take profit of 1 % is below what a round trip costs on this token (about 6.15 %), so reaching it loses money."
    )
    assert not any("take profit" in note for note in cost_notes(read, traded=Traded(rules, 100)))

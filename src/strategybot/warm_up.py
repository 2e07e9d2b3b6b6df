"""Compiles the engine ahead, so that the first run does not wait for it; quick if it is already compiled.

Run `python -m strategybot.warm_up` after installing. The compiled code is cached beside the source.
"""

import asyncio

import numpy as np

from strategybot.kit.clock import system_clock
from strategybot.market.demo import DemoProvider
from strategybot.trading.engine.backtest import BacktestResult, run_backtest
from strategybot.trading.engine.candles import Candles, tidy
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.equity import MOST_POINTS
from strategybot.trading.engine.loop import new_control
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.portfolio import DEAD_TOKEN_LOSS_PERCENT, run_portfolio
from strategybot.trading.engine.universe import Token, together
from strategybot.trading.evidence.portfolio import examine_portfolio
from strategybot.trading.evidence.verdict import examine, judge
from strategybot.trading.language.document import example
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.strategy import EXAMPLE_STRATEGY, Strategy
from strategybot.trading.search.grid import Axis, Grid
from strategybot.trading.search.sweep import Sweep
from strategybot.trading.words.explain import explain

MINUTE = 60
CASH = 1000.0
LONG_WINDOWS = {
    "conditions": [
        {"kind": "price_drop", "percent": 1, "window": "5h", "reference": "high"},
        {"kind": "volume_spike", "multiplier": 1.1, "window": "5h"},
    ],
    "match": "any",
}
COMPARISONS = {
    "conditions": [
        {"kind": "compare", "left": {"series": "close"}, "operator": "crosses_above", "right": {"series": "open"}},
        {"kind": "compare", "left": {"series": "volume"}, "operator": "above", "right": 10, "within_candles": 3},
    ],
    "match": "any",
}


def warm_up() -> None:
    strategy, candles, costs = Strategy.model_validate(EXAMPLE_STRATEGY), _candles(3 * MOST_POINTS), Costs()
    result = run_backtest(strategy, candles, costs, CASH)
    _read_all(result)
    judge(examine(strategy, candles, costs, 0, result))
    for conditions in (LONG_WINDOWS, COMPARISONS):
        _read_all(run_backtest(Strategy.model_validate(conditions), candles, costs, CASH))
    _read_every_series(candles)
    _trade_a_portfolio(strategy, candles, costs)
    sweep = Sweep(Grid(strategy, (Axis("conditions.0.percent", (1.0, 2.0)),)), candles, costs, CASH, 0)
    sweep.run(new_control())
    guarded = Strategy.model_validate({**EXAMPLE_STRATEGY, "guards": {"max_trades_per_day": 3}})
    run_backtest(guarded, candles, costs, CASH)
    for each in (strategy, guarded):
        PaperSession(each, costs, CASH, MINUTE).advance(candles[:200])
    explain(strategy, candles, len(candles) - 1)
    asyncio.run(DemoProvider(system_clock).trending(None, 1))


def _read_every_series(candles: Candles) -> None:
    for name in SERIES:
        example(name).column(candles)


def _trade_a_portfolio(strategy: Strategy, candles: Candles, costs: Costs) -> None:
    joined = together([Token(name, candles, 0, costs) for name in ("one", "other")])
    result = run_portfolio(strategy, joined, CASH)
    judge(examine_portfolio(strategy, joined, result, DEAD_TOKEN_LOSS_PERCENT))


def _read_all(result: BacktestResult) -> None:
    for rows in (result.trades, result.signals):
        rows.table(0, len(rows))


def _candles(count: int) -> Candles:
    """Return a few waves with jumps of the volume: enough for the strategies to buy and sell."""
    place = np.arange(count)
    close = 1 + 0.1 * np.sin(place / 5)
    volume = np.where(place % 31 == 0, 100.0, 1.0)
    return tidy(place * MINUTE, close, close, close, close, volume, interval_seconds=MINUTE)[0]


if __name__ == "__main__":
    warm_up()

"""How long does a portfolio of 20 tokens take, and how much memory? `python -m bench.portfolio`."""

import time
import tracemalloc

import numpy as np

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.portfolio import run_portfolio
from strategybot.trading.engine.universe import Token, together
from strategybot.trading.language.strategy import Strategy

TOKENS, CANDLES, CASH, RUNS = 20, 100_000, 10_000.0, 5
STRATEGY = Strategy.model_validate(
    {
        "conditions": [{"kind": "price_drop", "percent": 1, "window": "15m"}],
        "risk_management": {"stop_loss_percent": 2, "take_profit_percent": 2},
        "portfolio": {"max_open": 5},
    }
)


def walk(seed: int) -> Candles:
    chance = np.random.default_rng(seed)
    close = np.exp(np.cumsum(chance.normal(0, 0.002, CANDLES)))
    opens = np.concatenate((close[:1], close[:-1]))
    high = np.maximum(opens, close) * (1 + np.abs(chance.normal(0, 0.001, CANDLES)))
    low = np.minimum(opens, close) * (1 - np.abs(chance.normal(0, 0.001, CANDLES)))
    times = 1_700_000_040 + 60 * np.arange(CANDLES)
    return Candles(60, times, opens, high, low, close, chance.lognormal(2, 1, CANDLES))


def tokens(costs: Costs) -> list[Token]:
    return [Token(f"token {seed:02}", walk(seed), 0, costs) for seed in range(TOKENS)]


def measure(costs: Costs) -> None:
    """Print the least CPU of some runs with metrics."""
    spent, trades = [], 0
    for _ in range(RUNS + 1):
        asked = tokens(costs)
        begin = time.process_time()
        trades = run_portfolio(STRATEGY, together(asked), CASH).trade_count
        spent.append(time.process_time() - begin)
    print(f"{TOKENS} × {CANDLES:,} candles, {trades} trades, {costs}: {1000 * min(spent[1:]):.0f} ms of CPU")


def main() -> None:
    measure(Costs())
    measure(Costs(liquidity_usd=1e6))
    tracemalloc.start()
    asked = tokens(Costs())
    tracemalloc.reset_peak()
    run_portfolio(STRATEGY, together(asked), CASH)
    print(f"{tracemalloc.get_traced_memory()[1] / (TOKENS * CANDLES):.0f} bytes a candle at the peak, its own included")


if __name__ == "__main__":
    main()

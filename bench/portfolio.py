"""How long does a portfolio of 20 tokens take, and how much memory? Alone, and beside vectorbt.

`python -m bench.portfolio [PYTHON]`: the interpreter of an environment that has vectorbt; without it, ours alone.
"""

import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np

from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.ledger import ENTRY, EXIT
from strategybot.trading.engine.portfolio import PortfolioResult, run_portfolio
from strategybot.trading.engine.universe import Token, together
from strategybot.trading.language.strategy import Strategy

TOKENS, CANDLES, CASH, RUNS = 20, 100_000, 10_000.0, 5
COLUMNS = ("open", "high", "low", "close")
STRATEGY = Strategy.model_validate(
    {
        "conditions": [{"kind": "price_drop", "percent": 1, "window": "15m"}],
        "risk_management": {"stop_loss_percent": 2, "take_profit_percent": 2},
        "portfolio": {"max_open": 5},
    }
)
PEER_STRATEGY = Strategy.model_validate(
    {**STRATEGY.model_dump(exclude_none=True), "position_amount": 100, "portfolio": {"max_open": TOKENS}}
)
"""What vectorbt can say too: a place for every token, and the same amount for each purchase."""


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


def timed(strategy: Strategy, costs: Costs) -> tuple[PortfolioResult, float]:
    """Return the result, and the least CPU seconds of some runs with metrics; the first one compiles."""
    result, best = run_portfolio(strategy, together(tokens(costs)), CASH), float("inf")
    for _ in range(RUNS):
        asked = tokens(costs)
        begin = time.process_time()
        result = run_portfolio(strategy, together(asked), CASH)
        best = min(best, time.process_time() - begin)
    return result, best


def measure(costs: Costs) -> None:
    result, seconds = timed(STRATEGY, costs)
    print(f"{TOKENS} × {CANDLES:,} candles, {result.trade_count} trades, {costs}: {1000 * seconds:.0f} ms of CPU")


def beside(python: str) -> None:
    """Print how long vectorbt takes for the same rule with shared cash, and whether it makes the same trades."""
    result, ours = timed(PEER_STRATEGY, Costs(fee_percent=0.1, slippage_percent=0))
    trades = {
        (k, int(entry), int(exit_))
        for k, each in enumerate(result.tokens)
        for entry, exit_ in each.trades.places[:, [ENTRY, EXIT]].tolist()
    }
    print(f"one place a token: {1000 * ours:.0f} ms, {len(trades)} trades, {result.metrics['total_return']:.6f} %")
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "candles.npz"
        candles = [walk(seed) for seed in range(TOKENS)]
        columns = {name: np.column_stack([getattr(each, name) for each in candles]) for name in COLUMNS}
        np.savez(stored, **columns)  # type: ignore[arg-type]  # its stub has no columns by name
        for engine in ("rust", "numba"):
            command = [python, str(Path(__file__).with_name("portfolio_peer.py")), str(stored), engine]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"vectorbt ({engine}) failed: {done.stderr.strip().splitlines()[-1][:120]}")
                continue
            answer = json.loads(done.stdout)
            theirs = {tuple(trade) for trade in answer["trades"]}
            words = "the same trades" if theirs == trades else f"{len(theirs)} trades, {len(theirs & trades)} in common"
            seconds, peak = answer["seconds"], answer["bytes"]
            cost = f"{1000 * seconds:.0f} ms, × {seconds / ours:.1f}, {peak:.0f} bytes a candle"
            print(f"vectorbt ({engine}): {cost}, {words}, {answer['percent']:.6f} %")


def main() -> None:
    if len(sys.argv) > 1:
        beside(sys.argv[1])
    measure(Costs())
    measure(Costs(liquidity_usd=1e6))
    tracemalloc.start()
    asked = tokens(Costs())
    tracemalloc.reset_peak()
    run_portfolio(STRATEGY, together(asked), CASH)
    print(f"{tracemalloc.get_traced_memory()[1] / (TOKENS * CANDLES):.0f} bytes a candle at the peak, its own included")


if __name__ == "__main__":
    main()

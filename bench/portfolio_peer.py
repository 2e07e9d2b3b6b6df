"""Many tokens with one purse in vectorbt, whose columns share their cash; runs in an environment of its own.

`python bench/portfolio_peer.py CANDLES.npz ENGINE` prints JSON: the CPU seconds, the bytes a candle at the peak with
the columns, the return in percent, and token, entry and exit candle of each closed trade. The rule is that of
`bench.portfolio`: a fall decides at a close, the next open fills, in one candle the stop is reached before the target,
and each purchase spends the same amount.
"""

import json
import sys
import time
import tracemalloc
import warnings

import numpy as np
import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

WINDOW, DROP, STOP, TARGET, AMOUNT, FEE, CASH, RUNS = 15, 0.01, 0.02, 0.02, 100.0, 0.001, 10_000.0, 5


def run(path: str, engine: str) -> dict[str, object]:
    import vectorbt  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - slow, and not always there

    stored = np.load(path)
    opened, high, low, close = (pd.DataFrame(stored[name]) for name in ("open", "high", "low", "close"))
    best, answer = float("inf"), {}
    for number in range(RUNS + 2):  # the first one compiles, the last one is watched
        if number > RUNS:
            tracemalloc.start()
        begin = time.process_time()
        before = close.shift(WINDOW)
        entries = (before - close) / before >= DROP
        portfolio = vectorbt.Portfolio.from_signals(
            close,
            entries.shift(1, fill_value=False),
            pd.DataFrame(np.zeros(close.shape, bool)),
            price=opened,
            open=opened,
            high=high,
            low=low,
            sl_stop=STOP,
            tp_stop=TARGET,
            stop_entry_price="fillprice",
            size=AMOUNT / (1 + FEE),  # ours spends the fee from it
            size_type="value",
            fees=FEE,
            init_cash=CASH,
            group_by=True,
            cash_sharing=True,
            call_seq="auto",
            freq="1min",
            engine=engine,
        )
        total = portfolio.total_return()
        portfolio.max_drawdown(), portfolio.sharpe_ratio()
        closed = portfolio.trades.closed.records
        best = best if number > RUNS else min(best, time.process_time() - begin)
        answer = {
            "percent": 100 * float(total),
            "trades": closed[["col", "entry_idx", "exit_idx"]].to_numpy().tolist(),
        }
    peak = tracemalloc.get_traced_memory()[1] / close.size + 8 * len(stored.files)
    return {"seconds": best, "bytes": peak, **answer}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(run(sys.argv[1], sys.argv[2])))

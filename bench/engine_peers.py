"""The same rule in the engines a user would pick instead; runs in an environment of its own and prints JSON.

The rule is one that all of them read alike: enter after a fall with a spike of volume, leave after a rise, both at the
next open, a fee on each side, no stops (each engine has its own idea of those).
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

WINDOW, VOLUME_WINDOW, PERCENT, MULTIPLIER, FEE, CASH = 12, 20, 1, 2, 0.001, 10_000_000
Answer = tuple[list[int], list[int]]


def entries_and_exits(columns: dict[str, Any]) -> tuple[Any, Any]:
    close, volume = pd.Series(columns["close"]), pd.Series(columns["volume"])
    before = close.shift(WINDOW)
    spike = volume >= MULTIPLIER * volume.rolling(VOLUME_WINDOW).mean().shift(1)
    entries = ((before - close) / before >= PERCENT / 100) & spike
    return entries, (close - before) / before >= PERCENT / 100


def vectorbt_run(columns: dict[str, Any], engine: str) -> Answer:
    import vectorbt  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - slow, and not always there

    entries, exits = entries_and_exits(columns)
    portfolio = vectorbt.Portfolio.from_signals(
        pd.Series(columns["close"]),
        entries.shift(1, fill_value=False),
        exits.shift(1, fill_value=False),
        price=pd.Series(columns["open"]),
        fees=FEE,
        init_cash=CASH,
        freq="1min",
        engine=engine,
    )
    portfolio.total_return(), portfolio.max_drawdown(), portfolio.sharpe_ratio()
    trades = portfolio.trades.closed.records
    return trades["entry_idx"].tolist(), trades["exit_idx"].tolist()


def backtesting_run(columns: dict[str, Any]) -> Answer:
    from backtesting import Backtest, Strategy  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

    entries, exits = (flags.to_numpy() for flags in entries_and_exits(columns))

    class Rule(Strategy):  # type: ignore[misc, unused-ignore]
        def init(self) -> None:
            pass

        def next(self) -> None:
            i = len(self.data) - 1
            if self.position and exits[i]:
                self.position.close()
            elif not self.position and entries[i]:
                self.buy(size=0.9)

    frame = pd.DataFrame({name.capitalize(): columns[name] for name in ("open", "high", "low", "close", "volume")})
    frame.index = pd.to_datetime(columns["time"], unit="s")
    frame[["Open", "High", "Low", "Close"]] *= 1000  # whole units only: make them small beside the cash
    done = Backtest(frame, Rule, cash=CASH, commission=FEE, finalize_trades=False).run()
    trades = done["_trades"]
    return trades["EntryBar"].tolist(), trades["ExitBar"].tolist()


PEERS: dict[str, Callable[[dict[str, Any]], Answer]] = {
    "vectorbt (rust)": lambda columns: vectorbt_run(columns, "rust"),
    "vectorbt (numba)": lambda columns: vectorbt_run(columns, "numba"),
    "backtesting.py": backtesting_run,
}


def measured(run: Callable[[dict[str, Any]], Answer], columns: dict[str, Any], repeats: int) -> dict[str, Any]:
    run({name: column[:2000] for name, column in columns.items()})  # compiling is not what we compare
    best = float("inf")
    answer: Answer = ([], [])
    for _ in range(repeats):
        begun = time.process_time()
        answer = run(columns)
        best = min(best, time.process_time() - begun)
    return {"seconds": best, "entries": answer[0], "exits": answer[1]}


def main(path: str, candles: int) -> None:
    warnings.simplefilter("ignore")
    stored = np.load(path)
    columns = {name: stored[name][:candles] for name in stored.files}
    answers: dict[str, Any] = {}
    for name, run in PEERS.items():
        repeats = 1 if name == "backtesting.py" else 10
        try:
            answers[name] = measured(run, columns, repeats)
        except Exception as error:  # noqa: BLE001 - a peer that fails is a line in the table
            answers[name] = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answers))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

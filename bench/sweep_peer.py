"""Many variants of one rule in vectorbt, all columns of one array at once; runs in an environment of its own.

Prints JSON: CPU seconds, and the number of trades and the total return of each variant.
"""

import json
import sys
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

WINDOW, VOLUME_WINDOW, MULTIPLIER, FEE, CASH = 12, 20, 2, 0.001, 10_000
COLUMNS_AT_ONCE = 50  # more fit into no cache, and are slower


def swept(
    columns: dict[str, Any], drops: list[float], rises: list[float], engine: str
) -> tuple[list[int], list[float]]:
    import vectorbt  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - slow, and not always there

    close, volume = pd.Series(columns["close"]), pd.Series(columns["volume"])
    before = close.shift(WINDOW)
    spike = (volume >= MULTIPLIER * volume.rolling(VOLUME_WINDOW).mean().shift(1)).to_numpy()
    fall, rise = ((before - close) / before).to_numpy(), ((close - before) / before).to_numpy()
    pairs = [(drop, up) for drop in drops for up in rises]
    counts: list[int] = []
    returns: list[float] = []
    for first in range(0, len(pairs), COLUMNS_AT_ONCE):
        part = np.array(pairs[first : first + COLUMNS_AT_ONCE])
        entries = (fall[:, None] >= part[:, 0] / 100) & spike[:, None]
        exits = rise[:, None] >= part[:, 1] / 100
        for flags in (entries, exits):
            flags[1:] = flags[:-1].copy()
            flags[0] = False
        portfolio = vectorbt.Portfolio.from_signals(
            columns["close"][:, None], entries, exits, price=columns["open"][:, None], fees=FEE, init_cash=CASH,
            freq="1min", engine=engine,
        )  # fmt: skip
        returns += np.atleast_1d(portfolio.total_return()).tolist()
        counts += np.atleast_1d(portfolio.trades.closed.count()).tolist()
    return counts, returns


def main(path: str, engine: str, drops: str, rises: str) -> None:
    warnings.simplefilter("ignore")
    stored = np.load(path)
    columns = {name: stored[name] for name in stored.files}
    axes = json.loads(drops), json.loads(rises)
    swept({name: column[:2000] for name, column in columns.items()}, axes[0][:2], axes[1][:1], engine)  # compiles
    best = float("inf")
    answer: tuple[list[int], list[float]] = ([], [])
    for _ in range(2):
        begun = time.process_time()
        answer = swept(columns, *axes, engine)
        best = min(best, time.process_time() - begun)
    print(json.dumps({"seconds": best, "trades": answer[0], "returns": answer[1]}))


if __name__ == "__main__":
    main(*sys.argv[1:])

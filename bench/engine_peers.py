"""Runs the same rules in other engines, in an environment of its own, and prints JSON.

All engines interpret these rules alike: decided at a close, filled at the next open, a fee on each side. In one candle
a stop is reached before a target.
"""

import json
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd  # type: ignore[import-not-found, import-untyped, unused-ignore]

WINDOW, VOLUME_WINDOW, PERCENT, MULTIPLIER, FEE, CASH = 12, 20, 1, 2, 0.001, 10_000_000
Answer = tuple[list[int], list[int]]
Columns = dict[str, Any]


class Rule(NamedTuple):
    entries: Any  # for each candle whether its close decides to buy
    exits: Any
    stop: float | None = None  # as a share of the entry price
    target: float | None = None


def drop_and_spike(columns: Columns) -> Rule:
    close, volume = pd.Series(columns["close"]), pd.Series(columns["volume"])
    before = close.shift(WINDOW)
    spike = volume >= MULTIPLIER * volume.rolling(VOLUME_WINDOW).mean().shift(1)
    entries = ((before - close) / before >= PERCENT / 100) & spike
    return Rule(entries, (close - before) / before >= PERCENT / 100)


def rsi_dip(columns: Columns) -> Rule:
    close = pd.Series(columns["close"])
    change = close.diff()
    gains, losses = wilder(change.clip(lower=0)), wilder(-change.clip(upper=0))
    rsi = 100 * gains / (gains + losses)
    return Rule(rsi < 30, pd.Series(np.zeros(len(close), bool)), 0.02, 0.03)


def golden_cross(columns: Columns) -> Rule:
    close = pd.Series(columns["close"])
    fast, slow = (close.ewm(span=span, adjust=False).mean() for span in (50, 200))
    return Rule(crosses_above(fast, slow), crosses_above(slow, fast))


def macd_in_a_trend(columns: Columns) -> Rule:
    close = pd.Series(columns["close"])
    macd = close.ewm(span=12, adjust=False).mean() - close.ewm(span=26, adjust=False).mean()
    signal = macd.ewm(span=9, adjust=False).mean()
    trending = (adx(columns) > 25) & (close > close.rolling(50).mean())
    return Rule(crosses_above(macd, signal) & trending, crosses_above(signal, macd), 0.02)


def adx(columns: Columns) -> Any:
    high, low, close = (pd.Series(columns[name]) for name in ("high", "low", "close"))
    up, down = high.diff(), -low.diff()
    before = close.shift(1)
    ranges = np.maximum(high, before) - np.minimum(low, before)
    rising = wilder(up.where((up > down) & (up > 0), 0.0)) / wilder(ranges)
    falling = wilder(down.where((down > up) & (down > 0), 0.0)) / wilder(ranges)
    return wilder(100 * (rising - falling).abs() / (rising + falling))


def wilder(values: Any, period: int = 14) -> Any:
    return values.ewm(alpha=1 / period, adjust=False).mean()


def crosses_above(one: Any, other: Any) -> Any:
    return (one > other) & (one.shift(1) <= other.shift(1))


RULES: dict[str, Callable[[Columns], Rule]] = {
    "drop and spike": drop_and_spike,
    "RSI below 30, stop and target": rsi_dip,
    "EMA 50/200 cross": golden_cross,
    "MACD, ADX and SMA": macd_in_a_trend,
}


def rule_from(name: str, columns: Columns, known: int) -> Rule:
    """The rule; entries before candle `known` are left out, because there we do not know every indicator yet."""
    rule = RULES[name](columns)
    entries = rule.entries.copy()
    entries[:known] = False
    return rule._replace(entries=entries)


def vectorbt_run(name: str, columns: Columns, known: int, engine: str) -> Answer:
    import vectorbt  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415 - slow, and not always there

    rule = rule_from(name, columns, known)
    stops = {"sl_stop": rule.stop, "tp_stop": rule.target, "stop_entry_price": "fillprice"} if rule.stop else {}
    portfolio = vectorbt.Portfolio.from_signals(
        pd.Series(columns["close"]),
        rule.entries.shift(1, fill_value=False),
        rule.exits.shift(1, fill_value=False),
        price=pd.Series(columns["open"]),
        open=pd.Series(columns["open"]),
        high=pd.Series(columns["high"]),
        low=pd.Series(columns["low"]),
        **stops,
        fees=FEE,
        init_cash=CASH,
        freq="1min",
        engine=engine,
    )
    portfolio.total_return(), portfolio.max_drawdown(), portfolio.sharpe_ratio()
    trades = portfolio.trades.closed.records
    return trades["entry_idx"].tolist(), trades["exit_idx"].tolist()


def backtesting_run(name: str, columns: Columns, known: int) -> Answer:
    from backtesting import Backtest, Strategy  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

    rule = rule_from(name, columns, known)
    entries, exits, opens = rule.entries.to_numpy(), rule.exits.to_numpy(), 1000 * columns["open"]

    class Trader(Strategy):  # type: ignore[misc, unused-ignore]
        def init(self) -> None:
            pass

        def next(self) -> None:
            i = len(self.data) - 1
            if self.position and exits[i]:
                self.position.close()
            elif not self.position and entries[i]:
                opening = opens[min(i + 1, len(opens) - 1)]  # stops are relative to the fill, which is the next open
                self.buy(
                    size=0.9,
                    sl=opening * (1 - rule.stop) if rule.stop else None,
                    tp=opening * (1 + rule.target) if rule.target else None,
                )

    frame = pd.DataFrame({name.capitalize(): columns[name] for name in ("open", "high", "low", "close", "volume")})
    frame.index = pd.to_datetime(columns["time"], unit="s")
    frame[["Open", "High", "Low", "Close"]] *= 1000  # whole units only: make them small beside the cash
    done = Backtest(frame, Trader, cash=CASH, commission=FEE, finalize_trades=False).run()
    trades = done["_trades"]
    return trades["EntryBar"].tolist(), trades["ExitBar"].tolist()


PEERS: dict[str, Callable[[str, Columns, int], Answer]] = {
    "vectorbt (rust)": lambda name, columns, known: vectorbt_run(name, columns, known, "rust"),
    "vectorbt (numba)": lambda name, columns, known: vectorbt_run(name, columns, known, "numba"),
    "backtesting.py": backtesting_run,
}


def measured(peer: Callable[[str, Columns, int], Answer], name: str, columns: Columns, known: int, repeats: int) -> Any:
    peer(name, {each: column[:2000] for each, column in columns.items()}, 0)  # compiling is not what we compare
    best = float("inf")
    answer: Answer = ([], [])
    for _ in range(repeats):
        begun = time.process_time()
        answer = peer(name, columns, known)
        best = min(best, time.process_time() - begun)
    return {"seconds": best, "entries": answer[0], "exits": answer[1]}


def main(path: str, candles: int, name: str, known: int) -> None:
    warnings.simplefilter("ignore")
    stored = np.load(path)
    columns = {each: stored[each][:candles] for each in stored.files}
    answers: dict[str, Any] = {}
    for peer, run in PEERS.items():
        repeats = 1 if peer == "backtesting.py" else 10
        try:
            answers[peer] = measured(run, name, columns, known, repeats)
        except Exception as error:  # noqa: BLE001 - a peer that fails is a line in the table
            answers[peer] = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answers))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))

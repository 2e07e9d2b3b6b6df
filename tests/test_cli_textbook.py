"""`strategybot backtest` on short histories makes the trades of the textbook.

The expected trades come from TA-Lib's values and a loop of a few lines that shares no code with the engine: a cross or
a level at a close buys or sells at the next open.
"""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import numpy as np
import pytest
import talib
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Candles, Floats
from tests.commands import Terminal
from tests.trading.engine.indicators.markets import wild_market
from tests.trading.random_series import compare

HOUR = 3600
MARCH = 1_772_323_200  # 2026-03-01 00:00 UTC
Trade = tuple[str, str]
Flags = NDArray[np.bool_]
QUIET, WILD = 0.004, 0.005


class Rule(NamedTuple):
    """A strategy, and where TA-Lib says that it buys and sells."""

    buy: dict[str, Any]
    sell: dict[str, Any]
    signals: Callable[[Candles], tuple[Flags, Flags]]
    first: int  # the candle at which the value that is known last is known


def crosses(one: Floats, other: Floats) -> Flags:
    with np.errstate(invalid="ignore"):
        return np.append(False, (one[:-1] <= other[:-1]) & (one[1:] > other[1:]))


def ema_cross(k: Candles) -> tuple[Flags, Flags]:
    fast, slow = talib.EMA(k.close, 50), talib.EMA(k.close, 200)
    return crosses(fast, slow), crosses(slow, fast)


def rsi_levels(k: Candles) -> tuple[Flags, Flags]:
    rsi = talib.RSI(k.close, 14)
    return rsi < 40, rsi > 60


def macd_cross(k: Candles) -> tuple[Flags, Flags]:
    """TA-Lib's MACD starts its fast average with the slow one; here each starts by itself."""
    line = talib.EMA(k.close, 12) - talib.EMA(k.close, 26)
    signal = np.append(np.full(25, np.nan), talib.EMA(line[25:], 9))
    return crosses(line, signal), crosses(signal, line)


def adx_trend(k: Candles) -> tuple[Flags, Flags]:
    adx = talib.ADX(k.high, k.low, k.close, 14)
    up, down = talib.PLUS_DI(k.high, k.low, k.close, 14), talib.MINUS_DI(k.high, k.low, k.close, 14)
    return adx > 25, crosses(down, up)


def quiet(k: Candles) -> tuple[Flags, Flags]:
    atr = talib.ATR(k.high, k.low, k.close, 14)
    return atr < QUIET, atr > WILD


def stochastic_rsi(k: Candles) -> tuple[Flags, Flags]:
    smoothed = talib.STOCHRSI(k.close, 14, 14, 3)[1]
    return smoothed < 20, smoothed > 80


EMA_50, EMA_200, RSI = {"series": "ema", "period": 50}, {"series": "ema", "period": 200}, {"series": "rsi"}
MACD, SIGNAL = {"series": "macd"}, {"series": "macd", "line": "signal"}
PLUS_DI, MINUS_DI = ({"series": "adx", "line": line} for line in ("plus_di", "minus_di"))
ATR, STOCHASTIC_RSI = {"series": "atr"}, {"series": "stochastic_rsi"}
RULES = {
    "EMA 50/200": Rule(
        compare(EMA_50, "crosses_above", EMA_200), compare(EMA_50, "crosses_below", EMA_200), ema_cross, 199
    ),
    "RSI(14)": Rule(compare(RSI, "below", 40), compare(RSI, "above", 60), rsi_levels, 14),
    "MACD": Rule(compare(MACD, "crosses_above", SIGNAL), compare(MACD, "crosses_below", SIGNAL), macd_cross, 33),
    "ADX": Rule(compare({"series": "adx"}, "above", 25), compare(MINUS_DI, "crosses_above", PLUS_DI), adx_trend, 27),
    "ATR": Rule(compare(ATR, "below", QUIET), compare(ATR, "above", WILD), quiet, 14),
    "stochastic RSI": Rule(
        compare(STOCHASTIC_RSI, "below", 20), compare(STOCHASTIC_RSI, "above", 80), stochastic_rsi, 29
    ),
}


def token(seed: int, count: int) -> Candles:
    candles = wild_market(seed, count)
    return Candles(HOUR, MARCH + HOUR * (7 * seed + np.arange(count)), *candles.columns()[1:])


def csv_of(candles: Candles) -> str:
    rows = [",".join(map(repr, row)) for row in zip(*(column.tolist() for column in candles.columns()), strict=True)]
    return "\n".join(["time,open,high,low,close,volume", *rows])


def expected_trades(candles: Candles, rule: Rule) -> list[Trade]:
    """Return the times of the fills of every closed trade."""
    buys, sells = rule.signals(candles)
    trades: list[Trade] = []
    bought: int | None = None
    for i in range(len(candles) - 1):
        if bought is None and buys[i]:
            bought = i + 1
        elif bought is not None and i >= bought and sells[i]:
            trades.append((iso(candles, bought), iso(candles, i + 1)))
            bought = None
    return trades


def iso(candles: Candles, i: int) -> str:
    return f"{datetime.fromtimestamp(int(candles.time[i]), UTC):%Y-%m-%dT%H:%M:%SZ}"


def backtested(terminal: Terminal, candles: Candles, rule: Rule) -> dict[str, Any]:
    strategy = {"conditions": [rule.buy], "exit_conditions": [rule.sell]}
    files = ("--strategy", terminal.write("s.json", strategy), "--csv", terminal.write("c.csv", csv_of(candles)))
    said = terminal.run("backtest", *files, "--json")
    assert (said.code, said.err) == (0, "")
    document: dict[str, Any] = json.loads(said.out)
    return document


@pytest.mark.parametrize("name", RULES)
def test_tokens_of_120_to_1500_hours_make_the_trades_of_the_textbook(terminal: Terminal, name: str) -> None:
    rule, closed = RULES[name], 0
    for seed, count in enumerate((120, 150, 250, 320, 480, 700, 1000, 1500)):
        candles = token(seed, count)
        document = backtested(terminal, candles, rule)
        trades = [(trade["entry_time"], trade["exit_time"]) for trade in document["trades"]]
        assert trades == expected_trades(candles, rule)
        closed += len(trades)
        known = [row["known_from"] for row in document["data_report"]["warm_up"]]
        assert (None in known) == (count <= rule.first)
        assert None in known or max(known) == iso(candles, rule.first)
        untested = f"Nothing could be tested: EMA(200) needs 200 candles, this token has {count}."
        assert document["data_report"]["untested"] == (untested if count <= rule.first else None)
        if count <= rule.first:
            assert (document["verdict"]["grade"], document["verdict"]["headline"]) == ("too_few", untested)
    assert closed > 5


def test_a_golden_cross_on_2000_hours_trades_after_200_of_them(terminal: Terminal) -> None:
    candles, rule = token(4, 2000), RULES["EMA 50/200"]
    document = backtested(terminal, candles, rule)
    assert len(document["trades"]) > 2
    assert iso(candles, 200) < document["trades"][0]["entry_time"] < iso(candles, 500)
    said = terminal.run("backtest", "--strategy", "s.json", "--csv", "c.csv")
    assert "Data: 2,000 candles; nothing had to be put right." in said.out
    words = " ".join(said.out.split())
    since = iso(candles, 199)[:16].replace("T", " ")
    assert f"EMA(200) had 0 candles before the start instead of 4,399 and is known from {since} UTC." in words


def test_that_nothing_could_be_tested_is_said_before_that_it_never_bought(terminal: Terminal) -> None:
    backtested(terminal, token(1, 120), RULES["EMA 50/200"])
    words = " ".join(terminal.run("backtest", "--strategy", "s.json", "--csv", "c.csv").out.split())
    sentence = "Nothing could be tested: EMA(200) needs 200 candles, this token has 120."
    assert f"{sentence} It never bought" in words
    assert f"Verdict: {sentence} It never bought: its conditions were never known." in words

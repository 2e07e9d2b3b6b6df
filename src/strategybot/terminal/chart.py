"""A finished backtest as a PNG: price with buys and sells, equity and buy-and-hold, and the drawdown.

matplotlib is optional and slow to import, so it is imported only when a picture is requested. It needs no display.
"""

import logging
from importlib.util import find_spec
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from strategybot.terminal.drawing import reach
from strategybot.terminal.report import meaning, setting_words
from strategybot.terminal.stop import Stop
from strategybot.terminal.tested import Tested
from strategybot.trading.engine.candles import Floats, Integers
from strategybot.trading.engine.ledger import ENTRY, ENTRY_PRICE, EXIT, EXIT_PRICE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES, DOTS_AN_INCH = (14, 9), 110
MOST_POINTS = 4000
BLUE, GREEN, RED, GREY = "#1f5fa8", "#1a8a4a", "#c0392b", "#8a8f98"


def refuse_without_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise Stop("--png needs matplotlib; install it with: pip install 'strategybot[charts]'.")


def save_chart(tested: Tested, file: Path) -> None:
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # suppresses the message about its font cache
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=INCHES, dpi=DOTS_AN_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    _paint(tested, figure)
    try:
        figure.savefig(file, format="png")
    except OSError as error:
        raise Stop(f"{file} cannot be written: {error.strerror or error}.") from None


def _paint(tested: Tested, figure: "Figure") -> None:
    price, equity, drawdown = figure.subplots(3, 1, sharex=True, height_ratios=(4, 3, 1.5))
    _paint_price(tested, price)
    _paint_equity(tested, equity)
    _paint_drawdown(tested, drawdown)
    for pane in (price, equity, drawdown):
        pane.grid(visible=True, color="#e3e6ea", linewidth=0.7)
        pane.spines[["top", "right"]].set_visible(False)
        pane.margins(x=0.01)
    figure.align_ylabels()
    title = f"{fill(tested.strategy.summary, 150)}\n{fill(setting_words(tested), 150)}"
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, parse_math=False)
    figure.supxlabel(meaning(tested), x=0.01, ha="left", fontsize=10, parse_math=False)


def _paint_price(tested: Tested, pane: "Axes") -> None:
    prepared, trades = tested.material.prepared, tested.result.trades
    candles = prepared.candles[prepared.start_index :]
    pane.plot(*_thin(candles.time, candles.close), color=GREY, linewidth=1, label="close")
    time, size = prepared.candles.time, float(np.clip(6000 / (len(trades) + 1), 8, 60))
    buys, bought_at = time[trades.places[:, ENTRY]], trades.amounts[:, ENTRY_PRICE]
    position = tested.result.open_position
    if position is not None:
        buys, bought_at = np.append(buys, position.entry_time), np.append(bought_at, position.entry_price or np.nan)
    sells, sold_at = time[trades.places[:, EXIT]], trades.amounts[:, EXIT_PRICE]
    pane.scatter(
        _dates(buys), bought_at, s=size, c=GREEN, marker="^", zorder=3, linewidths=0, label=f"{len(buys)} bought"
    )
    pane.scatter(_dates(sells), sold_at, s=size, c=RED, marker="v", zorder=3, linewidths=0, label=f"{len(sells)} sold")
    _label(pane, "Price")


def _paint_equity(tested: Tested, pane: "Axes") -> None:
    dates = _dates(tested.result.equity_times)
    pane.plot(dates, tested.held_values, color=GREY, linewidth=1, linestyle="--", label="buy and hold")
    pane.plot(dates, tested.result.equity_values, color=BLUE, linewidth=1.4, label="equity")
    pane.axhline(tested.cash, color="black", linewidth=0.6)
    _label(pane, "Equity")


def _paint_drawdown(tested: Tested, pane: "Axes") -> None:
    values = tested.result.equity_values
    peaks = np.maximum.accumulate(np.maximum(values, tested.cash))
    pane.fill_between(
        _dates(tested.result.equity_times), 100 * (values / peaks - 1), color=RED, alpha=0.35, linewidth=0
    )
    pane.set_ylabel("Drawdown, %")


def _label(pane: "Axes", name: str) -> None:
    pane.set_ylabel(name)
    pane.legend(loc="best", frameon=False, fontsize=9)


def _dates(times: Integers) -> NDArray[np.datetime64]:
    return times.astype("datetime64[s]")


def _thin(times: Integers, values: Floats) -> tuple[NDArray[np.datetime64], Floats]:
    """Return at most as many points as the picture has columns, with the extremes of each column."""
    if len(times) <= MOST_POINTS:
        return _dates(times), values
    low, high = reach(times, values, MOST_POINTS // 2)
    middles: Any = np.linspace(times[0], times[-1], len(low)).astype(np.int64)
    return _dates(np.repeat(middles, 2)), np.column_stack((low, high)).ravel()

"""The terminal report of a finished backtest: parameters, curve, metrics, trades and a summary."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.terminal.drawing import DOTS, LINE_LEGEND, draw
from strategybot.terminal.moments import moment_words
from strategybot.terminal.output import change_words
from strategybot.terminal.tested import Material, Tested
from strategybot.trading.engine.candles import DataReport
from strategybot.trading.engine.tables import TradeRow
from strategybot.trading.evidence.verdict import Verdict
from strategybot.trading.language.values import plain
from strategybot.trading.words.numbers import counted, duration_words, price_words
from strategybot.trading.words.verdicts import METHOD

CURVE_HEIGHT = 12
WIDEST_CURVE = 120
HOUR = 3600


class Row(NamedTuple):
    metric: str
    label: str
    words: Callable[[Any], str]
    ends_section: bool = False


def _percent(value: float) -> str:
    return f"{value:,.2f} %"


def _number(value: float) -> str:
    return f"{value:,.2f}"


def _seconds(value: float) -> str:
    return duration_words(round(value / 60) * 60 if value >= HOUR else round(value))


def _reasons(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items() if count) or "none"


ROWS = (
    Row("total_return", "Total return", change_words),
    Row("return_without_pool_costs", "Without tax, impact", change_words),
    Row("buy_and_hold_return", "Buy and hold return", change_words),
    Row("final_equity", "Final equity", _number),
    Row("cagr", "CAGR", change_words, ends_section=True),
    Row("max_drawdown", "Max drawdown", _percent),
    Row("longest_drawdown_seconds", "Longest drawdown", _seconds),
    Row("sharpe_ratio", "Sharpe ratio", _number),
    Row("sortino_ratio", "Sortino ratio", _number),
    Row("calmar_ratio", "Calmar ratio", _number),
    Row("exposure_percent", "Exposure", _percent, ends_section=True),
    Row("total_trades", "Trades", str),
    Row("win_rate", "Win rate", _percent),
    Row("profit_factor", "Profit factor", _number),
    Row("expectancy_percent", "Expectancy", change_words),
    Row("average_win_percent", "Average win", change_words),
    Row("average_loss_percent", "Average loss", change_words),
    Row("best_trade_percent", "Best trade", change_words),
    Row("worst_trade_percent", "Worst trade", change_words),
    Row("average_holding_seconds", "Average holding", _seconds),
    Row("exit_reasons", "Sold by", _reasons, ends_section=True),
    Row("fees_paid", "Fees paid", _number),
    Row("slippage_paid", "Slippage paid", _number),
    Row("tax_paid", "Token tax paid", _number),
    Row("impact_paid", "Price impact paid", _number),
)


def show(tested: Tested, trades: int, console: Console) -> None:
    console.print(Text(tested.strategy.summary, style="bold"))
    console.print(Text(setting_words(tested)))
    for warning in filter(None, (tested.source_note, tested.material.fill_note)):
        console.print(Text(warning, style="yellow"))
    for note in filter(None, _notes(tested)):
        console.print(Text(note, style="dim"))
    _show_curve(tested, console)
    console.print(_metrics_table(tested))
    if trades:
        _show_trades(tested, trades, console)
    if untested := tested.data_report.untested:
        console.print(Text(untested, style="bold"))
    console.print(Text(meaning(tested), style="bold"))
    console.print()
    show_verdict(tested.verdict, tested.tries_counted, console)


def _notes(tested: Tested) -> list[str | None]:
    """Return what a reader should know about costs, data and exits; None where there is nothing to say."""
    return [
        *tested.cost_notes,
        data_words(tested.material),
        tested.data_report.warm_up_summary,
        tested.result.trades.fills.sentence(),
        tested.result.guards_summary,
    ]


def show_verdict(verdict: Verdict, is_counted: bool, console: Console) -> None:
    console.print(Text(f"Verdict: {verdict.headline.rstrip('.')}.", style="bold"))
    console.print(Text(verdict.sentence))
    for check in verdict.checks:
        console.print(Text(f"  {'passed' if check.passed else 'failed'}  {check.sentence}"))
    console.print(Text(METHOD, style="dim"))
    show_count(is_counted, console)


def show_count(is_counted: bool, console: Console) -> None:
    """Say if this try is not counted: the best of many that nobody counts looks good without any pattern."""
    if not is_counted:
        console.print(Text("This try is not counted: --email counts tries on a token for an account.", style="dim"))


def setting_words(tested: Tested) -> str:
    material, costs = tested.material, tested.costs
    span = f"{moment_words(material.start)} to {moment_words(material.end)} UTC"
    money = f"{tested.cash:,.2f} at a fee of {plain(costs.fee_percent)} %"
    return (
        f"{material.source}, {material.interval} candles, {span}; {money}, slippage {plain(costs.slippage_percent)} %."
    )


def data_words(material: Material) -> str:
    prepared = material.prepared
    warm_up = f" after {prepared.start_index:,} to warm up" if prepared.start_index else ""
    done = _put_right(prepared.report) or ["nothing had to be put right"]
    return f"Data: {prepared.candles_to_trade:,} candles{warm_up}; {', '.join(done)}."


def _put_right(report: DataReport) -> list[str]:
    counted = {
        "dropped": report.dropped,
        "repeated": report.duplicates,
        "completed": report.completed,
        "repaired": report.repaired,
        "without a volume": report.unknown_volumes,
        "empty buckets filled": report.filled,
    }
    gap = [f"longest gap {duration_words(report.longest_gap_seconds)}"] if report.longest_gap_seconds else []
    return [f"{count} {what}" for what, count in counted.items() if count] + gap


def _show_curve(tested: Tested, console: Console) -> None:
    times, equity, held = tested.result.equity_times, tested.result.equity_values, tested.held_values
    if not (np.isfinite(equity).all() and np.isfinite(held).all()):
        console.print("The curve cannot be drawn: it is beyond any number.")
        return
    width = min(console.width, WIDEST_CURVE)
    console.print()
    for line in draw(times, equity, held, width=width, height=CURVE_HEIGHT):
        text = Text(line)
        text.highlight_regex("[⠀-⣿]+", "cyan")
        console.print(text, no_wrap=True, overflow="crop")
    console.print(Text(_axis(moment_words(times[0]), moment_words(times[-1]), width), style="dim"))
    console.print(Text(f"{LINE_LEGEND} equity   {DOTS} buy and hold\n", style="dim"))


def _axis(first: str, last: str, width: int) -> str:
    room = width - len(first)
    return f"{first}{last:>{room}}" if room > len(last) else f"{first}\n{last}"


def _metrics_table(tested: Tested) -> Table:
    table, metrics = Table("Metric", "Value"), tested.result.metrics
    for row in ROWS:
        value = metrics[row.metric]
        error = metrics.get(f"{row.metric.removesuffix('_ratio')}_error")
        words = f"–  {tested.result.metric_notes[row.metric]}" if value is None else row.words(value)
        words += "" if error is None else f" ± {row.words(error)}"
        table.add_row(row.label, Text(words, style="dim" if value is None else ""), end_section=row.ends_section)
    return table


class Column(NamedTuple):
    title: str
    words: Callable[[TradeRow], str]
    least_width: int = 0  # the column is hidden in a narrower terminal


TRADE_COLUMNS = (
    Column("#", lambda trade: str(trade.number)),
    Column("Bought", lambda trade: moment_words(trade.entry_time)),
    Column("at", lambda trade: _price(trade.entry_price)),
    Column("Sold", lambda trade: moment_words(trade.exit_time)),
    Column("at", lambda trade: _price(trade.exit_price)),
    Column("Profit", lambda trade: _or_unknown(trade.pnl, _with_sign), least_width=84),
    Column("%", lambda trade: _or_unknown(trade.pnl_percent, _with_sign)),
    Column("By", lambda trade: trade.exit_reason.replace("_", " "), least_width=100),
    Column("Because", lambda trade: trade.entry_reason, least_width=140),
)


def _show_trades(tested: Tested, count: int, console: Console) -> None:
    total = len(tested.result.trades)
    columns = [column for column in TRADE_COLUMNS if console.width >= column.least_width]
    table = Table(box=SIMPLE_HEAD)
    for column in columns:
        table.add_column(column.title, overflow="fold")  # fold, so that no digit of a small price is cut off
    for trade in tested.result.trades.page(max(0, total - count), count):
        table.add_row(*(column.words(trade) for column in columns))
    console.print(table if total else Text("No trade was closed."))


def _or_unknown(value: float | None, words: Callable[[float], str]) -> str:
    return "–" if value is None else words(value)


def _price(value: float | None) -> str:
    return _or_unknown(value, price_words)


def _with_sign(value: float) -> str:
    return f"{value:+,.2f}"


def meaning(tested: Tested) -> str:
    """Return the result as one sentence."""
    metrics, trades = tested.result.metrics, len(tested.result.trades)
    hold = f"buying and holding would have ended {_ending(metrics['buy_and_hold_return'])}."
    none = tested.result.no_trade_words(never_known=tested.data_report.untested is not None)
    if none is not None:
        return f"{none} {hold.capitalize()}"
    still = ", still holds a position," if tested.result.open_position is not None else ""
    return f"It made {counted(trades, 'trade')}{still} and ended {_ending(metrics['total_return'])}; {hold}"


def _ending(change: Any) -> str:
    if change is None:
        return "beyond any number"
    size = f"{abs(change):,.1f}"
    return "where it began" if size == "0.0" else f"{size} % {'up' if change > 0 else 'down'}"

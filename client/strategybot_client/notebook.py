"""A run as a notebook shows it: its verdict, its metrics, and its equity curve as a picture."""

from collections.abc import Sequence
from html import escape
from typing import Any

WIDTH, HEIGHT, MOST_POINTS = 640, 160, 400
METRICS = {
    "total_return": "Return %",
    "buy_and_hold_return": "Buy and hold %",
    "max_drawdown": "Drawdown %",
    "win_rate": "Win rate %",
    "total_trades": "Trades",
}


def card(noun: str, view: Any) -> str:
    """Return the run as HTML without scripts or outside addresses."""
    head = f"<b>{escape(noun.capitalize())}</b> {escape(view.run_id)}: {escape(view.status)}"
    parts = [head, _verdict(getattr(view, "verdict", None)), _metrics(getattr(view, "metrics", None)), _chart(view)]
    return f'<div style="font-family:sans-serif">{"".join(f"<div>{part}</div>" for part in parts if part)}</div>'


def _verdict(verdict: Any) -> str:
    return "" if verdict is None else f"<b>{escape(verdict.headline)}</b> {escape(verdict.sentence)}"


def _metrics(metrics: Any) -> str:
    values = {label: getattr(metrics, name, None) for name, label in METRICS.items()}
    cells = [f"<td>{label}: <b>{value:,.6g}</b></td>" for label, value in values.items() if value is not None]
    return f"<table><tr>{''.join(cells)}</tr></table>" if cells else ""


def _chart(view: Any) -> str:
    """Return the curve of a backtest, or the prices of a simulation, as an SVG picture."""
    points = getattr(view, "equity_curve", None) or []
    curve = [(each.time, each.equity) for each in points if each.equity is not None]
    prices = [(each.time, each.close) for each in getattr(view, "klines", None) or []]
    return _picture(curve, "Equity") if curve else _picture(prices, "Price")


def _picture(points: Sequence[tuple[float, float]], title: str) -> str:
    if len(points) < 2:
        return ""
    shown = [*points[:: max(1, len(points) // MOST_POINTS)], points[-1]]
    low, high = min(value for _, value in shown), max(value for _, value in shown)
    first, span, room = shown[0][0], (shown[-1][0] - shown[0][0]) or 1, (high - low) or 1
    line = " ".join(
        f"{WIDTH * (moment - first) / span:.1f},{HEIGHT - HEIGHT * (value - low) / room:.1f}" for moment, value in shown
    )
    return (
        f'<svg viewBox="0 -4 {WIDTH} {HEIGHT + 8}" width="{WIDTH}" height="{HEIGHT}" role="img">'
        f"<title>{title} from {shown[0][1]:,.6g} to {shown[-1][1]:,.6g}</title>"
        f'<polyline points="{line}" fill="none" stroke="#2563eb" stroke-width="1.5"/></svg>'
    )

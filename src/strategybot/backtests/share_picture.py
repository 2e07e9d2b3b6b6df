"""The preview picture of a share: the result, the equity curve and the verdict."""

import io
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from strategybot.backtests.schemas import SharedBacktest
from strategybot.backtests.share_page import title_of
from strategybot.trading.words.numbers import gain_words

SIZE = WIDTH, HEIGHT = 1200, 630
MARGIN = 60
CURVE_TOP, CURVE_BOTTOM = 220, 470
CANVAS, INK, SOFT, ACCENT, WARN = "#10151c", "#f2f5f8", "#9aa7b5", "#5aa9ff", "#ffb454"
LONGEST_LINE = 62


def share_picture(found: SharedBacktest) -> bytes:
    """Return a PNG of 1200 by 630 pixels."""
    image = Image.new("RGB", SIZE, CANVAS)
    pen = ImageDraw.Draw(image)
    pen.text((MARGIN, 50), _line(title_of(found)), INK, _font(38))
    pen.text((MARGIN, 115), _line(_figures(found), 80), SOFT, _font(28))
    if found.data_source == "demo":
        pen.text((MARGIN, 160), "Made with demo prices", WARN, _font(28))
    _draw_curve(pen, found)
    if found.verdict:
        pen.text((MARGIN, 500), _line(f"Verdict: {found.verdict.headline}"), INK, _font(34))
    pen.text((MARGIN, 560), "Strategy Bot: a backtest is about the past, and no advice", SOFT, _font(24))
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _figures(found: SharedBacktest) -> str:
    metrics = found.metrics
    if metrics is None:
        return ""
    drawdown = "" if metrics.max_drawdown is None else f", deepest drawdown {metrics.max_drawdown:.2f} %"
    hold = "" if metrics.buy_and_hold_return is None else f", buy and hold {gain_words(metrics.buy_and_hold_return)}"
    return f"{metrics.total_trades} trades{drawdown}{hold}"


def _draw_curve(pen: ImageDraw.ImageDraw, found: SharedBacktest) -> None:
    points = [(point.time, point.equity) for point in found.equity_curve or [] if point.equity is not None]
    if len(points) < 2:
        return
    first, last = points[0][0], points[-1][0]
    lowest, highest = (bound(equity for _, equity in points) for bound in (min, max))
    across = (WIDTH - 2 * MARGIN) / max(1, last - first)
    up = (CURVE_BOTTOM - CURVE_TOP) / ((highest - lowest) or 1)
    line = [(MARGIN + (time - first) * across, CURVE_BOTTOM - (equity - lowest) * up) for time, equity in points]
    pen.line(line, ACCENT, 4, joint="curve")


def _line(text: str, longest: int = LONGEST_LINE) -> str:
    """Return the text as the font can draw it, which has no minus sign, cut to what fits."""
    text = text.replace("−", "-")
    return text if len(text) <= longest else text[: longest - 1] + "…"


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)

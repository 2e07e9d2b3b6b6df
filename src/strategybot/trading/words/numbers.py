"""Numbers as text for people. A number that is not finite becomes None."""

import math

from strategybot.trading.language.values import plain

PRICE_DIGITS = 6
AMOUNT_DIGITS = 3


def finite(number: float) -> float | None:
    """Return a float, or None for NaN and the infinities."""
    return float(number) if math.isfinite(number) else None


def price_words(price: float) -> str:
    return rounded(price, PRICE_DIGITS)


def amount_words(amount: float, beside: float | None = None) -> str:
    """Return the amount with a few digits, or as many as are needed to differ from the amount beside it."""
    if beside is None or amount == beside:
        return rounded(amount, AMOUNT_DIGITS)
    other = plain(beside)
    return next(
        (text for digits in range(AMOUNT_DIGITS, 17) if (text := rounded(amount, digits)) != other), plain(amount)
    )


def counted(count: int, noun: str) -> str:
    """Return "1 trade", or "2 trades"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def money_words(amount: float) -> str:
    """Return dollars with a sign, such as −$74.85 or +$3.00."""
    return f"{'−' if amount < 0 else '+'}${abs(amount):,.2f}"


def gain_words(percent: float) -> str:
    """Return a change in percent with its sign and two decimals, such as +12.35 %, −0.20 % or 0.00 %."""
    sign, size = (words := f"{percent:+,.2f} %")[0], words[1:]
    return size if size == "0.00 %" else f"{'−' if sign == '-' else sign}{size}"


def quantity_words(quantity: float) -> str:
    """Return an amount of tokens: 1,203, or 0.0456 if there are few."""
    return f"{quantity:,.0f}" if quantity >= 100 else rounded(quantity, 4)


def signed(percent: float) -> str:
    """Return the number with its sign and few digits, such as +0.8, −0.2 or 0."""
    text = sized(percent)
    if float(text) == 0:
        return "0"
    return f"{'+' if percent > 0 else '−'}{text}"


def sized(percent: float) -> str:
    """Return the size of the number, without its sign and with few digits."""
    return f"{abs(percent):.1f}" if abs(percent) >= 0.1 else f"{abs(percent):.2g}"


def rounded(number: float, digits: int) -> str:
    if not math.isfinite(number):
        return "beyond any number"
    return plain(float(f"{number:.{digits}g}") + 0.0)  # + 0.0: never "-0"


def duration_words(seconds: int) -> str:
    """Return seconds as text: 5400 as 1h 30m."""
    parts = []
    for unit, length in (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, length)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"

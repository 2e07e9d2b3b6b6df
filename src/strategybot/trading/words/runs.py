"""Sentences about a run that web app, chat, terminal, MCP and share page share: why no trade closed, whose prices."""

from collections.abc import Mapping, Sequence

from strategybot.trading.words.numbers import counted, signed

INVENTED_PRICES = "Made with demo prices: they are invented, and so is the result."


def source_note(data_source: str | None) -> str | None:
    """Return a warning if the prices are invented."""
    return INVENTED_PRICES if data_source == "demo" else None


def source_words(data_source: str | None) -> str:
    """Return the source of a table's prices, for its column `data_source`."""
    return "demo (invented prices)" if data_source == "demo" else data_source or "unknown"


def no_trade_words(
    trades: int,
    signals: int,
    held_percent: float | None,
    held: Sequence[Sequence[Mapping[str, object]]],
    *,
    never_known: bool,
) -> str | None:
    """Return which of the possible reasons it was that no trade closed; None if one did.

    `held_percent` is the unrealised result of the open position, None if it is beyond any float. `held` has the fills
    of each open position, none of a run of an older version.
    """
    if trades:
        return None
    if held:
        so_far = "" if held_percent is None else f": {signed(held_percent)} % so far"
        buys = sum(fill["action"] == "BUY" for fills in held for fill in fills)
        return f"It bought {'once' if buys < 2 else f'{buys} times'} and still holds{so_far}."
    if signals:
        return f"It never bought: of {counted(signals, 'decision')} to buy none could be filled."
    return f"It never bought: its conditions were never {'known' if never_known else 'true'}."

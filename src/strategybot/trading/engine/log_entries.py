"""An entry of the log of a paper session, and the price and cost of each fill in it."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, NotRequired, TypedDict

from strategybot.trading.engine.ledger import Fill, sale_price
from strategybot.trading.engine.risk import State
from strategybot.trading.words.reason_data import Reason


class LogEntry(TypedDict):
    number: int
    time: int
    action: Literal["BUY", "SELL", "HOLD"]
    price: float | None
    reason: str
    reasons: NotRequired[list[Reason]]  # the same as data; entries of older versions have none
    entry_price: float | None
    quantity: float | None
    pnl: float | None
    fees: float | None  # what this fill paid; None for HOLD
    slippage: float | None
    tax: float | None
    impact: float | None
    exit_reason: str | None  # such as stop_loss; None unless it sold
    token_id: NotRequired[str]  # in a portfolio; an entry about the purse has none
    symbol: NotRequired[str | None]


class Priced(NamedTuple):
    """A fill with its price, the average price of what was held, and what was spent on it."""

    fill: Fill
    price: float
    average: float
    cost: float


def price_fills(book: State, fills: list[Fill], slippage: float) -> Iterator[Priced]:
    """Yield the fills of a candle with their prices, as `orders` computes them; `book` is the state before it."""
    held, budget, average = book.quantity, book.budget, book.entry_price
    for fill in fills:
        cost = fill.money
        if fill.is_buy:
            price = fill.base * (1.0 + slippage)
            average = price if held == 0 else (held * average + fill.quantity * price) / (held + fill.quantity)
            budget += cost
        else:
            price, cost = sale_price(fill.reason, fill.base, slippage), budget * (fill.quantity / held)
            budget -= cost
        held = fill.held
        yield Priced(fill, price, average, cost)

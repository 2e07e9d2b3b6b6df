"""What a backtest found, as the API and the terminal show it. It imports little, so that a command starts soon."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from strategybot.runs.schemas import OfPortfolio
from strategybot.trading.words.reason_data import Reasons

Number = float | None
ExitReason = Literal[
    "stop_loss", "take_profit", "trailing_stop", "exit_conditions", "max_holding", "break_even", "stopped_trading"
]
FillReason = Literal[
    "entry",
    "ladder",
    "stop_loss",
    "take_profit",
    "trailing_stop",
    "exit_conditions",
    "max_holding",
    "break_even",
    "stopped_trading",
]


class MetricsView(BaseModel):
    """The metrics, each with its definition; `metric_notes` explains a null.

    E0 is the initial cash, E the marked equity, and r the returns from one UTC day's last mark to the next.
    """

    total_return: Annotated[Number, Field(description="Percent: (last E / E0 − 1) × 100, an open position at its mark")]
    win_rate: Annotated[
        Number,
        Field(
            description="Percent of the closed trades with a pnl above 0 (by more than rounding); null when none closed"
        ),
    ]
    max_drawdown: Annotated[Number, Field(description="Percent: the deepest fall of E below its highest so far")]
    sharpe_ratio: Annotated[Number, Field(description="mean(r) / std(r) × √365, null under 20 daily returns")]
    sharpe_error: Annotated[
        Number, Field(description="The standard error of the Sharpe ratio; null from 90 days on")
    ] = None
    total_trades: Annotated[int, Field(description="Closed round trips")]
    sortino_ratio: Annotated[Number, Field(description="Like Sharpe, but only days that lost count as deviation")]
    sortino_error: Annotated[
        Number, Field(description="The standard error of the Sortino ratio; null from 90 days on")
    ] = None
    calmar_ratio: Annotated[Number, Field(description="CAGR / max drawdown; null under 90 days")]
    cagr: Annotated[Number, Field(description="Percent a 365-day year, compounded; null under 90 days")]
    profit_factor: Annotated[Number, Field(description="Sum of winning pnl / sum of losing pnl; null without a loss")]
    expectancy_percent: Annotated[Number, Field(description="Mean pnl_percent of the closed trades")]
    average_win_percent: Annotated[Number, Field(description="Mean pnl_percent of the winning trades")]
    average_loss_percent: Annotated[Number, Field(description="Mean pnl_percent of the losing trades, negative")]
    best_trade_percent: Annotated[Number, Field(description="The highest pnl_percent")]
    worst_trade_percent: Annotated[Number, Field(description="The lowest pnl_percent")]
    exposure_percent: Annotated[Number, Field(description="Percent of the candles that closed with a position held")]
    average_holding_seconds: Annotated[Number, Field(description="Mean time from the entry candle to the exit candle")]
    longest_drawdown_seconds: Annotated[int, Field(description="The longest time between a highest E and the next one")]
    fees_paid: Annotated[Number, Field(description="In cash, on both sides, an open position's entry included")]
    slippage_paid: Annotated[Number, Field(description="In cash, against the price before slippage")]
    tax_paid: Annotated[Number, Field(description="In cash, to the token itself; null for runs of older versions")] = (
        None
    )
    impact_paid: Annotated[
        Number, Field(description="In cash, by the run's own fills moving the price; null for runs of older versions")
    ] = None
    return_without_pool_costs: Annotated[
        Number, Field(description="Percent: the total return without token tax and price impact")
    ] = None
    final_equity: Annotated[Number, Field(description="The last E")]
    buy_and_hold_return: Annotated[
        Number,
        Field(
            description="Percent: last close / (first open × (1 + slippage) × (1 + impact) × (1 + fee) / (1 − buy "
            "tax)) − 1, with the impact of spending all of E0"
        ),
    ]
    exit_reasons: Annotated[dict[str, int], Field(description="Closed trades by the reason of their exit")]


class FillView(BaseModel):
    """One buy or sale of a position. Of a buy, value + fee + tax + impact is what it took from the cash."""

    model_config = ConfigDict(from_attributes=True)

    time: Annotated[datetime, Field(description="When it was filled")]
    action: Annotated[Literal["BUY", "SELL"], Field(description="Whether it bought or sold")]
    price: Annotated[float | None, Field(description="Slippage included; neither tax nor impact")]
    quantity: Annotated[float | None, Field(description="How much of the token")]
    value: Annotated[float | None, Field(description="Quantity × price")]
    reason: Annotated[FillReason, Field(description="Which rule caused it")]
    fee: Annotated[float | None, Field(description="The fee, in cash")]
    slippage: Annotated[float | None, Field(description="What slippage cost, in cash")]
    tax: Annotated[float | None, Field(description="What the token's tax cost, in cash")]
    impact: Annotated[float | None, Field(description="What moving the price cost, in cash")]
    number: Annotated[
        int | None, Field(description="Which of the targets or ladder steps, counted from 1; null for other fills")
    ] = None


class OpenPosition(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    entry_time: Annotated[datetime, Field(description="When it bought")]
    entry_price: Annotated[float | None, Field(description="The average price of what is held")]
    quantity: Annotated[float | None, Field(description="How much of the token")]
    current_price: Annotated[float, Field(description="The last close")]
    value: Annotated[float | None, Field(description="Quantity × current price")]
    unrealized_pnl: Annotated[float | None, Field(description="Its value less what was spent, in cash")]
    unrealized_pnl_percent: Annotated[float | None, Field(description="The same in percent")]
    entry_reason: Annotated[str, Field(description="Why it bought, in words")]
    entry_reasons: Reasons = []
    fills: Annotated[list[FillView], Field(description="So far; empty in runs of older versions")] = []


class TradeRecord(BaseModel):
    """A closed trade, as a row of a table."""

    model_config = ConfigDict(from_attributes=True)

    number: Annotated[int, Field(description="Counted from 1, oldest first")]
    entry_time: Annotated[datetime, Field(description="When it bought first")]
    entry_price: Annotated[float | None, Field(description="Average of its buys, weighted by quantity")]
    exit_time: Annotated[datetime, Field(description="When it sold the rest")]
    exit_price: Annotated[float | None, Field(description="Average of its sales, weighted by quantity")]
    quantity: Annotated[float | None, Field(description="How much of the token")]
    pnl: Annotated[float | None, Field(description="Profit in cash, costs included; negative for a loss")]
    pnl_percent: Annotated[float | None, Field(description="Profit in percent of what was spent")]
    fees: Annotated[float | None, Field(description="In cash, of both fills")]
    slippage: Annotated[float | None, Field(description="In cash, of both fills")]
    tax: Annotated[float | None, Field(description="In cash, taken by the token")]
    impact: Annotated[float | None, Field(description="In cash, by moving the pool's price")]
    entry_reason: Annotated[str, Field(description="Why it bought, in words")]
    exit_reason: Annotated[ExitReason, Field(description="Of the last fill")]


class TradeView(TradeRecord):
    token_id: OfPortfolio = None
    entry_reasons: Reasons = []
    fills: Annotated[list[FillView], Field(description="Every buy and sale of the round trip, in order")] = []

"""The options of the commands that test a strategy. Their values are checked in `request.py`, in our own words."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any

import typer

HEADER = "A header names time, open, high, low, close and volume, in any order"

StrategyFile = Annotated[
    str, typer.Option(metavar="FILE", help="JSON: a strategy, an export, or a bot that has one; - for standard input.")
]
Token = Annotated[
    str | None, typer.Option(metavar="TOKEN", help="A symbol such as PIPO, an address, or a token id (ADDRESS-solana).")
]
PurseTokens = Annotated[
    str | None, typer.Option(metavar="A,B,C", help="Many tokens, traded with one purse; symbols, addresses or ids.")
]
Chain = Annotated[str | None, typer.Option(metavar="CHAIN", help="The chain of the token.")]
Length = Annotated[
    str | None,
    typer.Option(
        metavar="1m|5m|15m|1h|4h|1d", help="How long a candle is; what suits the strategy, or what the CSV file shows."
    ),
]
Start = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="ISO 8601 (UTC) or unix seconds; 30 days before the end, or the whole file."),
]
End = Annotated[str | None, typer.Option(metavar="TIME", help="Not included; now, or the whole file.")]
Days = Annotated[str | None, typer.Option(metavar="DAYS", help="So many days before the end, instead of --start.")]
Amount = Annotated[str, typer.Option(metavar="AMOUNT", help="What it begins with.")]
Fee = Annotated[str, typer.Option(metavar="PERCENT", help="Of each fill.")]
Slippage = Annotated[str, typer.Option(metavar="PERCENT", help="Of each price, against you.")]
PoolCostsChoice = Annotated[
    str,
    typer.Option(metavar="auto|off", help="Pay the token's tax and the price impact of each fill, or neither."),
]
Liquidity = Annotated[
    str | None,
    typer.Option(metavar="DOLLARS", help="Of the pool, both sides, instead of what the market says."),
]
BuyTax = Annotated[str | None, typer.Option(metavar="PERCENT", help="That the token takes of each purchase.")]
SellTax = Annotated[str | None, typer.Option(metavar="PERCENT", help="That the token takes of each sale.")]
IntrabarChoice = Annotated[
    str,
    typer.Option(metavar="auto|off", help="Let 1-minute candles decide what a candle cannot show, or not."),
]
Email = Annotated[
    str | None,
    typer.Option(metavar="EMAIL", help="Count what is tried for this account; without it nothing is counted."),
]
NoFill = Annotated[
    bool,
    typer.Option(
        "--no-fill", help="Trade the CSV file as it is, without candles where it has none: for a market that closes."
    ),
]
CsvFile = Annotated[Path | None, typer.Option(metavar="FILE", help=f"Your own candles, not the market's. {HEADER}.")]
PngFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Save a chart there too.")]
Listed = Annotated[str, typer.Option(metavar="N", help="List the last N trades.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document, all trades in it.")]


@dataclass(frozen=True)
class RunOptions:
    """The options that all commands which test a strategy share."""

    chain: Chain = None
    interval: Length = None
    start: Start = None
    end: End = None
    days: Days = None
    cash: Amount = "10000"
    fee: Fee = "0.1"
    slippage: Slippage = "0.05"
    pool_costs: PoolCostsChoice = "auto"
    liquidity: Liquidity = None
    buy_tax: BuyTax = None
    sell_tax: SellTax = None
    email: Email = None

    def by_name(self, token: str | None = None, intrabar: str = "off", trades: str = "0") -> dict[str, str | None]:
        """Return all options of a run by name, as `checked_request` reads them."""
        return {**asdict(self), "token": token, "intrabar": intrabar, "trades": trades}


def with_run_options(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the parameter `run` of a command by the options of `RunOptions`, so that typer offers each of them."""
    shared = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.type)
        for each in fields(RunOptions)
    ]
    own = signature(command)
    offered = [new for each in own.parameters.values() for new in (shared if each.name == "run" else [each])]

    @wraps(command)
    def call(**given: Any) -> None:
        run = RunOptions(**{each.name: given.pop(each.name) for each in shared})
        command(run=run, **given)

    call.__signature__ = own.replace(parameters=offered)  # type: ignore[attr-defined]  # typeshed knows none
    call.__annotations__ = {each.name: each.annotation for each in offered}
    return call


class Objective(StrEnum):
    """What a search makes as large as possible."""

    RETURN = "return"
    RETURN_OVER_DRAWDOWN = "return_over_drawdown"
    WIN_RATE = "win_rate"


Sweeps = Annotated[
    list[str],
    typer.Option(
        metavar="PATH=FROM:TO:STEP",
        help="A number of the strategy and its values, as conditions.0.percent=2:10:1, stop_loss_percent=2,5,10 or "
        "max_holding=4h,1d. Up to four times.",
    ),
]
ObjectiveChoice = Annotated[Objective, typer.Option(help="What is to be as large as possible.")]
LeastTrades = Annotated[int, typer.Option(metavar="N", help="A variant with fewer trades is never chosen.", min=1)]
VariantsFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Save all variants there as CSV too.")]
Tokens = Annotated[
    list[str] | None,
    typer.Option(metavar="TOKEN", help="A symbol, an address or a token id (ADDRESS-solana); once for each token."),
]
TrendingChain = Annotated[str | None, typer.Option(metavar="CHAIN", help="Test the trending tokens of this chain.")]
TokenLimit = Annotated[int, typer.Option(metavar="N", help="How many of the trending ones.", min=1, max=100)]
PaperTrending = Annotated[
    str | None, typer.Option(metavar="CHAIN", help="Trade the trending tokens of this chain with one purse.")
]
PaperLimit = Annotated[
    int | None,
    typer.Option(metavar="N", help="How many of the trending ones; as many as the tier has by default.", min=1, max=50),
]
RowsFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Save the rows there as CSV too.")]
AccountEmail = Annotated[
    str | None, typer.Option("--email", metavar="EMAIL", help="Act as this account, on this machine.")
]
ServerUrl = Annotated[
    str | None,
    typer.Option("--url", metavar="URL", help="Use this server instead, with the personal token in STRATEGYBOT_TOKEN."),
]
JsonDocument = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
BotName = Annotated[str, typer.Argument(help="The bot's name or id.", metavar="BOT")]
MostRows = Annotated[int, typer.Option("--limit", metavar="N", help="How many at the most.", min=1, max=100)]


class Mode(StrEnum):
    """How a simulation moves on."""

    LIVE = "live"
    REPLAY = "replay"


ModeChoice = Annotated[Mode, typer.Option(help="Follow the market, or replay its last hour.")]
PaperInterval = Annotated[
    str | None,
    typer.Option("--interval", metavar="1m|5m|15m|1h", help="How long a candle is; what suits the strategy."),
]

"""The options of `strategybot backtest`. Their values are checked in `request.py`, in our own words."""

from pathlib import Path
from typing import Annotated

import typer

HEADER = "A header names time, open, high, low, close and volume, in any order"

StrategyFile = Annotated[
    str, typer.Option(metavar="FILE", help="JSON: a strategy, an export, or a bot that has one; - for standard input.")
]
Token = Annotated[
    str | None, typer.Option(metavar="TOKEN", help="A symbol such as PIPO, an address, or a token id (ADDRESS-solana).")
]
Chain = Annotated[str | None, typer.Option(metavar="CHAIN", help="The chain of the token.")]
Length = Annotated[
    str | None,
    typer.Option(metavar="1m|5m|15m|1h|4h|1d", help="How long a candle is; 1h, or what the CSV file shows."),
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
IntrabarChoice = Annotated[
    str,
    typer.Option(metavar="auto|off", help="Let 1-minute candles decide what a candle cannot show, or not."),
]
CsvFile = Annotated[Path | None, typer.Option(metavar="FILE", help=f"Your own candles, not the market's. {HEADER}.")]
PngFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Save a chart there too.")]
Listed = Annotated[str, typer.Option(metavar="N", help="List the last N trades.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document, all trades in it.")]

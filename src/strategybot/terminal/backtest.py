"""`strategybot backtest`: a strategy over market candles, or over the user's own, from the terminal."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from strategybot.terminal.chart import refuse_without_matplotlib, save_chart
from strategybot.terminal.material import market_material, own_material
from strategybot.terminal.opening import put_up_with_any_text
from strategybot.terminal.progress import shown
from strategybot.terminal.report import show
from strategybot.terminal.request import Request, Written, read_strategy, request_of
from strategybot.terminal.tested import Material, Tested
from strategybot.trading.backtest import BacktestResult, run_backtest
from strategybot.trading.fast.scan import DONE, STOP_REQUESTED, new_control
from strategybot.trading.kernel import Costs
from strategybot.trading.language.strategy import Strategy

SECONDS_BETWEEN_LOOKS = 0.05
HEADER = "A header names time, open, high, low, close and volume, in any order"

StrategyFile = Annotated[
    str, typer.Option(metavar="FILE", help="JSON: a strategy, or a bot that has one; - for standard input.")
]
Token = Annotated[str | None, typer.Option(metavar="TOKEN", help="An address, or a token id such as ADDRESS-solana.")]
Chain = Annotated[str | None, typer.Option(metavar="CHAIN", help="The chain of an address.")]
Length = Annotated[
    str | None,
    typer.Option(metavar="1m|5m|15m|1h|4h|1d", help="How long a candle is; 1h, or what the CSV file shows."),
]
Start = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="ISO 8601 (UTC) or unix seconds; 30 days before the end, or the whole file."),
]
End = Annotated[str | None, typer.Option(metavar="TIME", help="Not included; now, or the whole file.")]
Amount = Annotated[str, typer.Option(metavar="AMOUNT", help="What it begins with.")]
Fee = Annotated[str, typer.Option(metavar="PERCENT", help="Of each fill.")]
Slippage = Annotated[str, typer.Option(metavar="PERCENT", help="Of each price, against you.")]
CsvFile = Annotated[Path | None, typer.Option(metavar="FILE", help=f"Your own candles, not the market's. {HEADER}.")]
PngFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Save a chart there too.")]
Listed = Annotated[str, typer.Option(metavar="N", help="List the last N trades.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document, all trades in it.")]


def backtest(
    strategy: StrategyFile,
    token: Token = None,
    chain: Chain = None,
    interval: Length = None,
    start: Start = None,
    end: End = None,
    cash: Amount = "10000",
    fee: Fee = "0.1",
    slippage: Slippage = "0.05",
    csv: CsvFile = None,
    png: PngFile = None,
    trades: Listed = "0",
    as_json: AsJson = False,
) -> None:
    """Test a strategy on market history, or on your own candles.

    Exit codes: 0 it was tested; 1 there are no candles to test it on; 2 something that was asked for is wrong.
    """
    written = read_strategy(strategy)
    where = _token_and_chain(written, token, chain)
    spans = {"interval": interval, "start": start, "end": end}
    request = request_of({**where, **spans, "cash": cash, "fee": fee, "slippage": slippage, "trades": trades})
    if png is not None:
        refuse_without_matplotlib()
    tested = _tested(written.strategy, request, csv)
    _give(tested, request.trades, as_json)
    if png is not None:
        save_chart(tested, png)


def _token_and_chain(written: Written, token: str | None, chain: str | None) -> dict[str, str | None]:
    """What is not given is the bot's; a whole token id has its chain in it."""
    if token is not None and "-" in token:
        return {"token": token, "chain": chain}
    return {"token": token or written.token, "chain": chain or written.chain}


def _tested(strategy: Strategy, request: Request, csv: Path | None) -> Tested:
    material = market_material(strategy, request) if csv is None else own_material(strategy, request, csv)
    costs = Costs(fee_percent=request.fee, slippage_percent=request.slippage)
    return Tested(strategy, material, costs, request.cash, _result(strategy, material, costs, request.cash))


def _result(strategy: Strategy, material: Material, costs: Costs, cash: float) -> BacktestResult:
    """Run the engine in a thread, and look now and then how far it is."""
    prepared, control = material.prepared, new_control()
    with shown("Testing") as tell, ThreadPoolExecutor(1) as pool:
        run = pool.submit(
            run_backtest, strategy, prepared.candles, costs, cash, start_index=prepared.start_index, control=control
        )
        try:
            while wait([run], SECONDS_BETWEEN_LOOKS).not_done:
                tell(control[DONE] / prepared.candles_to_trade)
        finally:
            control[STOP_REQUESTED] = 1  # asked to end by Ctrl+C, it should not go on behind our back
    return run.result()


def _give(tested: Tested, trades: int, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(tested.document(), allow_nan=False))
        return
    put_up_with_any_text(sys.stdout)
    show(tested, trades, Console())

"""`strategybot backtest` and `verdict`: run a strategy on market candles, or on the user's own, in the terminal."""

import sys
from functools import partial
from pathlib import Path

from rich.console import Console

from strategybot.terminal.material import compute, own_material
from strategybot.terminal.output import replace_encoding_errors, show_document
from strategybot.terminal.report import show, show_verdict
from strategybot.terminal.request import OwnFile, Request
from strategybot.terminal.tested import Material, Tested
from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.loop import DONE, new_control
from strategybot.trading.language.strategy import Strategy, content_digest


def backtest(strategy: Strategy, request: Request, csv: OwnFile | None, png: Path | None, as_json: bool) -> None:
    """Run the strategy on market candles, or on those of a CSV file, and print the result."""
    if png is None:
        _give(_test(strategy, request, csv), request.trades, as_json)
        return
    from strategybot.terminal.chart import refuse_without_matplotlib, save_chart  # noqa: PLC0415  rarely wanted

    refuse_without_matplotlib()
    tested = _test(strategy, request, csv)
    _give(tested, request.trades, as_json)
    save_chart(tested, png)


def verdict(strategy: Strategy, request: Request, csv: OwnFile | None, as_json: bool) -> None:
    """Run the strategy as `backtest` does, and print only the verdict."""
    tested = _test(strategy, request, csv)
    if as_json:
        sys.stdout.write(tested.verdict.model_dump_json() + "\n")
        return
    replace_encoding_errors(sys.stdout)
    show_verdict(tested.verdict, tested.tries_counted, Console())


def _test(strategy: Strategy, request: Request, csv: OwnFile | None) -> Tested:
    material = _market_material(strategy, request) if csv is None else own_material(strategy, request, csv)
    prepared, control = material.prepared, new_control()
    costs, start = material.run_costs.traded(), prepared.start_index
    run = partial(run_backtest, strategy, prepared.candles, costs, request.cash, start_index=start)
    whole = prepared.candles_to_trade
    result = compute("Testing", partial(run, control=control), lambda: control[DONE] / whole, control)
    if request.intrabar == "auto" and len(result.doubts) and material.instrument is not None:
        # Imported here for the reason below.
        from strategybot.terminal.market_material import resolve  # noqa: PLC0415

        result = resolve(result, material, material.instrument, lambda minutes: run(minutes=minutes))
    return Tested(strategy, material, request.cash, request.intrabar, result, _tries(strategy, request, material))


def _tries(strategy: Strategy, request: Request, material: Material) -> int | None:
    """Return how many tries the account has with this one; None if they are not counted."""
    if request.email is None:
        return None
    # Imported here for the reason below.
    from strategybot.terminal.counting import count_tries  # noqa: PLC0415

    counted = count_tries(request, material, content_digest(strategy))
    return None if counted is None else counted.total


def _market_material(strategy: Strategy, request: Request) -> Material:
    # Imported here: the market imports the whole service, which takes longer than a test on the user's own candles.
    from strategybot.terminal.market_material import market_material  # noqa: PLC0415

    return market_material(strategy, request)


def _give(tested: Tested, trades: int, as_json: bool) -> None:
    if as_json:
        show_document(tested.document())
        return
    replace_encoding_errors(sys.stdout)
    show(tested, trades, Console())

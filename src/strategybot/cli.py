"""The `strategybot` command: the names and options of all commands.

A command's module is imported when the command runs, because the service takes seconds to import: `--help`,
`--version`, shell completion and wrong arguments must not wait for it.
"""

import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from strategybot.kit.memory import return_freed_memory
from strategybot.terminal import options
from strategybot.terminal.stop import Stop
from strategybot.terminal.user_commands import user

program = typer.Typer(
    help="Strategy Bot: describe, test and paper-trade strategies.", no_args_is_help=True, rich_markup_mode=None
)
program.add_typer(user, name="user")


def main() -> None:
    gc.set_threshold(100_000, 50)  # imports leave no garbage, and to look for it takes up to 0.7 s
    try:
        program()
    except Stop as reason:
        typer.echo(str(reason), err=True)
        sys.exit(reason.exit_code)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"strategybot {version('strategybot')}")
        raise typer.Exit


@program.callback()
def everything(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Strategy Bot: describe, test and paper-trade strategies."""


@program.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Where to listen, instead of STRATEGYBOT_HOST.")] = None,
    port: Annotated[int | None, typer.Option(help="The port, instead of STRATEGYBOT_PORT.", min=1, max=65535)] = None,
) -> None:
    """Serve the web app, the API and its documentation."""
    return_freed_memory()
    from strategybot.terminal.serve import serve

    serve(host, port)


@program.command()
@options.with_run_options
def backtest(
    *,
    strategy: options.StrategyFile,
    token: options.Token = None,
    tokens: options.PurseTokens = None,
    trending: options.TrendingChain = None,
    limit: options.TokenLimit = 20,
    run: options.RunOptions,
    intrabar: options.IntrabarChoice = "auto",
    csv: options.CsvFile = None,
    no_fill: options.NoFill = False,
    png: options.PngFile = None,
    trades: options.Listed = "0",
    as_json: options.AsJson = False,
) -> None:
    """Test a strategy on market history, or on your own candles; on many tokens with one purse.

    Exit codes: 0 tested; 1 no candles to test on; 2 invalid input.
    """
    from strategybot.terminal.request import checked_request, own_file

    checked, request = checked_request(strategy, run.by_name(token, intrabar, trades))
    own = own_file(csv, no_fill)
    if tokens is not None or trending is not None:
        if own is not None or png is not None:
            raise Stop("--csv and --png are about one token: leave out --tokens and --trending.")
        from strategybot.terminal.portfolio import portfolio

        portfolio(checked, request, tokens, trending, limit, as_json=as_json)
        return
    from strategybot.terminal.backtest import backtest  # after validation: the compiler is slow to import

    backtest(checked, request, csv=own, png=png, as_json=as_json)


@program.command()
@options.with_run_options
def verdict(
    *,
    strategy: options.StrategyFile,
    token: options.Token = None,
    run: options.RunOptions,
    intrabar: options.IntrabarChoice = "auto",
    csv: options.CsvFile = None,
    no_fill: options.NoFill = False,
    as_json: options.AsJson = False,
) -> None:
    """Test a strategy, and say only how far its result can be trusted.

    Exit codes: 0 tested; 1 no candles to test on; 2 invalid input.
    """
    from strategybot.terminal.request import checked_request, own_file

    checked, request = checked_request(strategy, run.by_name(token, intrabar))
    own = own_file(csv, no_fill)
    from strategybot.terminal.backtest import verdict  # after validation: the compiler is slow to import

    verdict(checked, request, csv=own, as_json=as_json)


@program.command()
@options.with_run_options
def optimise(
    *,
    strategy: options.StrategyFile,
    sweep: options.Sweeps,
    token: options.Token = None,
    run: options.RunOptions,
    objective: options.ObjectiveChoice = options.Objective.RETURN,
    minimum_trades: options.LeastTrades = 20,
    csv: options.CsvFile = None,
    no_fill: options.NoFill = False,
    variants: options.VariantsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Run every combination of some values of a strategy, and say which to take.

    Exit codes: 0 searched; 1 no candles to search on; 2 invalid input.
    """
    from strategybot.terminal.request import checked_request, own_file

    checked, request = checked_request(strategy, run.by_name(token))
    own = own_file(csv, no_fill)
    from strategybot.terminal.optimise import optimise  # after validation: the compiler is slow to import

    optimise(checked, request, sweep, objective.value, minimum_trades, own, variants, as_json=as_json)


@program.command()
@options.with_run_options
def survey(
    *,
    strategy: options.StrategyFile,
    token: options.Tokens = None,
    trending: options.TrendingChain = None,
    limit: options.TokenLimit = 20,
    run: options.RunOptions,
    rows: options.RowsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Test a strategy on many tokens: a row each, and all of them together.

    Exit codes: 0 tested; 1 no token could be tested; 2 invalid input.
    """
    from strategybot.terminal.request import checked_request

    checked, request = checked_request(strategy, run.by_name())
    from strategybot.terminal.survey import survey  # after validation: the compiler is slow to import

    survey(checked, request, token or [], trending, limit, rows, as_json=as_json)


@program.command()
def chat(
    email: Annotated[
        str | None, typer.Option(metavar="EMAIL", help="Chat as this account; by default as a local visitor.")
    ] = None,
    resume: Annotated[bool, typer.Option("--continue", help="Continue the last conversation.")] = False,
) -> None:
    """Chat with the assistant: describe, test, change and undo strategies."""
    from strategybot.terminal.chat import chat

    raise typer.Exit(chat(email, resume=resume))


@program.command()
def bots(
    email: options.AccountEmail = None, url: options.ServerUrl = None, as_json: options.JsonDocument = False
) -> None:
    """List the bots of an account with what trades on paper: --email or --url."""
    from strategybot.terminal.listings import list_bots

    list_bots(email, url, as_json=as_json)


@program.command()
def tokens(
    query: Annotated[str, typer.Argument(help="A symbol, a name or an address.", metavar="QUERY")],
    chain: options.Chain = None,
    limit: options.MostRows = 20,
    email: options.AccountEmail = None,
    url: options.ServerUrl = None,
    as_json: options.JsonDocument = False,
) -> None:
    """Find tokens of the market: --email or --url.

    Exit codes: 0 found; 1 no token matches; 2 invalid input.
    """
    from strategybot.terminal.listings import list_tokens

    list_tokens(email, url, query, chain, limit, as_json=as_json)


@program.command()
def runs(
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="Only those of this bot, by its name or id.")] = None,
    limit: options.MostRows = 20,
    email: options.AccountEmail = None,
    url: options.ServerUrl = None,
    as_json: options.JsonDocument = False,
) -> None:
    """List the newest runs of every kind: --email or --url."""
    from strategybot.terminal.listings import list_runs

    list_runs(email, url, bot, limit, as_json=as_json)


@program.command()
def paper(
    bot: options.BotName,
    token: options.Token = None,
    tokens: options.PurseTokens = None,
    trending: options.PaperTrending = None,
    limit: options.PaperLimit = None,
    chain: options.Chain = None,
    mode: options.ModeChoice = options.Mode.LIVE,
    interval: options.PaperInterval = None,
    cash: Annotated[float | None, typer.Option(metavar="AMOUNT", help="What it begins with.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="End the simulation that the bot has.")] = False,
    detach: Annotated[bool, typer.Option("--detach", help="Start it, and do not follow it.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the simulation that the bot has.")] = False,
    email: options.AccountEmail = None,
    url: options.ServerUrl = None,
    as_json: options.JsonDocument = False,
) -> None:
    """Trade a bot on paper, on one token or on many with one purse, and follow its decisions: --email or --url.

    Without a token it follows the simulation that the bot has, or trades the bot's own tokens.

    Ctrl+C ends the following, and the simulation goes on. With --email it goes on while this command, `strategybot
    serve` or `strategybot worker` runs.

    Exit codes: 0 ended or stopped; 2 invalid input; 130 Ctrl+C.
    """
    from strategybot.terminal.paper import Wish, trade_on_paper

    wish = Wish(
        token, tokens, trending, limit, chain, mode.value, interval, cash, replace=replace, detach=detach, stop=stop
    )
    raise typer.Exit(trade_on_paper(email, url, bot, wish, as_json=as_json))


@program.command()
def mcp(email: options.AccountEmail = None, url: options.ServerUrl = None) -> None:
    """Serve MCP over standard input and output, for desktop clients: --email or --url."""
    from strategybot.terminal.service_client import Account

    Account(email, url)  # raises unless it says whose account it is
    if url is not None:
        from strategybot.terminal.mcp_proxy import serve_remote

        serve_remote(url)
    elif email is not None:
        from strategybot.terminal.mcp import serve_account

        serve_account(email)


@program.command("export")
def export_strategy(
    bot: options.BotName,
    email: Annotated[str, typer.Option(metavar="EMAIL", help="The account that has it.")],
) -> None:
    """Print a bot's strategy as one JSON file: `strategybot export "Dip buyer" --email … > dips.json`."""
    from strategybot.terminal.strategies import export_strategy

    export_strategy(bot, email)


@program.command("import")
def import_strategy(
    file: Annotated[
        str, typer.Argument(help="What export wrote, or a bare strategy; - for standard input.", metavar="FILE")
    ],
    email: Annotated[str, typer.Option(metavar="EMAIL", help="The account that gets the new bot.")],
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The name of the new bot.")] = None,
) -> None:
    """Create a bot from an exported or a bare strategy."""
    from strategybot.terminal.strategies import import_strategy

    import_strategy(file, email, name)


@program.command()
def worker() -> None:
    """Run backtests and simulations without serving requests; needs a shared STRATEGYBOT_QUEUE_URL."""
    return_freed_memory()
    from strategybot.terminal.worker import worker

    worker()


@program.command()
def backup(
    to: Annotated[Path, typer.Argument(help="The file to write; it must not exist yet.", metavar="FILE")],
) -> None:
    """Copy the SQLite database into FILE while the service runs."""
    from strategybot.terminal.backup import backup

    backup(to)


@program.command()
def doctor() -> None:
    """Check the installation and report every problem."""
    from strategybot.terminal.doctor import show_findings

    raise typer.Exit(show_findings())


@program.command("eval")
def evaluate(
    model: Annotated[str, typer.Option(metavar="MODEL", help="As in STRATEGYBOT_MODEL: offline, openai:…, ollama:….")],
    tasks: Annotated[int | None, typer.Option(help="Only so many tasks, of all groups.", min=1)] = None,
    repeat: Annotated[int, typer.Option(help="How often each task is run.", min=1, max=100)] = 1,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every run into FILE.")] = None,
    prices: Annotated[
        tuple[float, float] | None,
        typer.Option(metavar="IN OUT", help="Dollars for a million tokens, to show the cost."),
    ] = None,
) -> None:
    """Grade a language model by 60 tasks of the chat. See docs/models.md."""
    from strategybot.terminal.evaluate import evaluate_model

    evaluate_model(model, tasks, repeat, json, prices)


@program.command()
def openapi() -> None:
    """Print the OpenAPI document of the API."""
    import json

    from strategybot.app import create_app
    from strategybot.terminal.setup import open_settings

    typer.echo(json.dumps(create_app(open_settings()).openapi(), indent=2))

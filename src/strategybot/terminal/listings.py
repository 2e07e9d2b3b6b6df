"""`strategybot bots`, `tokens` and `runs`: what an account has, and what the market has, as tables or as JSON."""

import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from strategybot.client import AsyncStrategyBot
from strategybot.terminal.output import change_words, one_line, replace_encoding_errors, show_document
from strategybot.terminal.service_client import Account, named_bot
from strategybot.terminal.stop import NOTHING_TO_WORK_WITH, Stop

Json = dict[str, Any]
LONGEST_SYMBOL, LONGEST_NAME, LONGEST_SUMMARY = 20, 40, 200
LEAST_WIDTHS = {"Run id": 130, "Name": 130, "24 h": 110, "Candles": 90}  # in a narrower terminal they are left out
KINDS: dict[str, Callable[[AsyncStrategyBot], Callable[..., Any]]] = {
    "backtest": lambda client: client.backtests,
    "optimisation": lambda client: client.optimisations,
    "survey": lambda client: client.surveys,
    "simulation": lambda client: client.simulations,
    "watch": lambda client: client.watches,
}


def list_bots(email: str | None, url: str | None, *, as_json: bool) -> None:
    async def read(client: AsyncStrategyBot) -> list[Json]:
        return [each.model_dump(mode="json") async for each in client.bots()]

    found = Account(email, url).run(read)
    if as_json:
        show_document({"bots": found})
    else:
        _show(("Bot", "Token", "Strategy", "On paper"), map(_bot_cells, found), "There are no bots yet.")


def list_tokens(
    email: str | None, url: str | None, query: str, chain: str | None, limit: int, *, as_json: bool
) -> None:
    async def read(client: AsyncStrategyBot) -> list[Json]:
        chosen = {} if chain is None else {"chain": chain}
        answer = await client.search_tokens(query=query, limit=limit, **chosen)
        return [each.model_dump(mode="json") for each in answer.tokens]

    found = Account(email, url).run(read)
    if not found:
        raise Stop(f"No token{f' on {chain}' if chain else ''} matches {query}.", NOTHING_TO_WORK_WITH)
    if as_json:
        show_document({"tokens": found})
    else:
        _show(("Symbol", "Name", "Chain", "Price", "24 h", "Liquidity", "Token id"), map(_token_cells, found))


def list_runs(email: str | None, url: str | None, bot: str | None, limit: int, *, as_json: bool) -> None:
    async def read(client: AsyncStrategyBot) -> list[Json]:
        bots = [each async for each in client.bots()] if bot is None else [await named_bot(client, bot)]
        return [run for each in bots async for run in _runs_of(client, each.id, each.name, limit)]

    found = sorted(Account(email, url).run(read), key=lambda run: str(run["created_at"]), reverse=True)[:limit]
    if as_json:
        show_document({"runs": found})
    else:
        titles = ("Began", "Kind", "Bot", "Token", "Candles", "Status", "Result", "Run id")
        _show(titles, map(_run_cells, found), "There are no runs yet.")


async def _runs_of(client: AsyncStrategyBot, bot_id: str, bot_name: str, most: int) -> AsyncIterator[Json]:
    """Yield the newest runs of each kind of a bot."""
    for kind, listing in KINDS.items():
        left = most
        async for run in listing(client)(bot_id):
            yield {"kind": kind, "bot_name": bot_name, **run.model_dump(mode="json")}
            left -= 1
            if not left:
                break


def _show(titles: Sequence[str], rows: Iterable[Sequence[str]], empty: str = "") -> None:
    replace_encoding_errors(sys.stdout)
    console, table = Console(), Table(box=SIMPLE_HEAD)
    shown = [number for number, title in enumerate(titles) if console.width >= LEAST_WIDTHS.get(title, 0)]
    for number in shown:
        table.add_column(titles[number], overflow="fold")
    for row in rows:
        table.add_row(*(Text(row[number]) for number in shown))
    console.print(table if table.row_count else Text(empty))


def _bot_cells(bot: Json) -> list[str]:
    simulation = bot["simulation"]
    paper = "" if simulation is None else f"{simulation['status']}, {change_words(simulation['pnl_percent'])}"
    summary = one_line(bot["strategy_summary"] or "No strategy yet.", LONGEST_SUMMARY)
    return [one_line(bot["name"], LONGEST_NAME), one_line(bot["token"] or "", LONGEST_NAME), summary, paper]


def _token_cells(token: Json) -> list[str]:
    return [
        one_line(token["symbol"], LONGEST_SYMBOL),
        one_line(token["name"], LONGEST_NAME),
        token["chain"],
        "" if token["price_usd"] is None else f"${token['price_usd']:.6g}",
        change_words(token["price_change_24h_percent"]),
        "" if token["liquidity_usd"] is None else f"${token['liquidity_usd']:,.0f}",
        token["token_id"],
    ]


def _run_cells(run: Json) -> list[str]:
    began = str(run["created_at"])[:16].replace("T", " ")
    name, token = one_line(run["bot_name"], LONGEST_NAME), one_line(_token_words(run), LONGEST_SYMBOL)
    return [began, run["kind"], name, token, run["kline_interval"], run["status"], _result_words(run), run["run_id"]]


def _token_words(run: Json) -> str:
    several = run.get("tokens_total") or len(run.get("tokens") or [])
    return run.get("token_symbol") or run.get("token") or f"{several} tokens"


def _result_words(run: Json) -> str:
    """Return what a run has come to in a few words; each kind has its own field."""
    match run:
        case {"metrics": {"total_return": change, "total_trades": trades}}:
            return f"{change_words(change)} in {trades} trades"
        case {"portfolio": {"pnl_percent": change}}:
            return change_words(change)
        case {"variants_done": done, "variants_total": total} | {"tokens_done": done, "tokens_total": total}:
            return f"{done} of {total}"
        case {"total_signals": signals}:
            return f"{signals} signals"
    return run.get("error") or ""

"""`strategybot paper`: start a simulation of a bot, follow its decisions, and stop it."""

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from strategybot.client import AsyncStrategyBot
from strategybot.terminal.moments import moment_words
from strategybot.terminal.output import change_words, one_line, replace_encoding_errors, show_document
from strategybot.terminal.service_client import INTERRUPTED_BY_THE_USER, Account, NamedBot, named_bot
from strategybot.terminal.stop import Stop

if TYPE_CHECKING:
    from strategybot.terminal.token_choice import Found

POLL_SECONDS = 1.0
SHORTEST_CHECK_SECONDS = 10  # between two candles of a replay: somebody watches it
LONGEST_REASON = 400
NAME = 40  # letters of a symbol that are shown
Json = dict[str, Any]


@dataclass(frozen=True)
class Wish:
    """The options of the command."""

    token: str | None
    tokens: str | None
    trending: str | None
    limit: int | None
    chain: str | None
    mode: str
    interval: str | None
    cash: float | None
    replace: bool
    detach: bool
    stop: bool


def trade_on_paper(email: str | None, url: str | None, bot: str, wish: Wish, *, as_json: bool) -> int:
    """Start, follow or stop the simulation of a bot; return the exit code."""
    if sum(each is not None for each in (wish.token, wish.tokens, wish.trending)) > 1:
        raise Stop("Give --token, --tokens A,B,C or --trending with a chain, and only one of them.")
    if wish.limit is not None and wish.trending is None:
        raise Stop("--limit is how many of the trending tokens: give --trending with a chain.")
    replace_encoding_errors(sys.stdout)
    account, paper = Account(email, url), _Paper(bot, wish, as_json)
    try:
        account.run(paper.work, with_workers=not (wish.stop or wish.detach))
    except KeyboardInterrupt:
        paper.leave()
        return INTERRUPTED_BY_THE_USER
    return 0


class _Paper:
    def __init__(self, bot: str, wish: Wish, as_json: bool) -> None:
        self._bot, self._wish, self._as_json = bot, wish, as_json
        self._console = Console()
        self._told: set[tuple[int, int]] = set()
        self._run: Any = None

    async def work(self, client: AsyncStrategyBot) -> None:
        bot = await named_bot(client, self._bot)
        current: Any = getattr(bot, "simulation", None)
        if self._wish.stop:
            if current is None:
                raise Stop(f"{bot.name} does not trade on paper.")
            self._run = await client.stop_simulation(bot.id, current.run_id)
        elif current is not None and self._only_follows:
            await self._follow(client, await client.read_simulation(bot.id, current.run_id))
        else:
            await self._start(client, bot, current)
        self._show_end()

    def leave(self) -> None:
        """Say that the simulation goes on, after Ctrl+C."""
        if self._run is None:
            return
        if self._as_json:
            show_document(self._run.model_dump(mode="json"))
        sys.stderr.write(f"The simulation goes on. `strategybot paper --stop` ends it: {self._run.run_id}.\n")

    @property
    def _only_follows(self) -> bool:
        wish = self._wish
        return wish.token is wish.tokens is wish.trending is None and not (wish.replace or wish.detach)

    async def _start(self, client: AsyncStrategyBot, bot: NamedBot, current: Any) -> None:
        if current is not None and not self._wish.replace:
            traded = one_line(current.token_symbol or current.token, NAME)
            raise Stop(
                f"{bot.name} trades {traded} on paper already. Give --replace to end that, or no token to follow it."
            )
        run = await client.start_simulation(bot.id, **await self._request(client))
        if self._wish.detach:
            self._run = run
        else:
            await self._follow(client, run)

    async def _request(self, client: AsyncStrategyBot) -> Json:
        """Return the fields of the request that were given."""

        async def search(query: str | None, chain: str | None, limit: int) -> "list[Found]":
            on_chain = {} if chain is None else {"chain": chain}
            found = await client.search_tokens(query=query, limit=limit, **on_chain)
            return list(found.tokens)

        wish = self._wish
        asked: Json = {"mode": wish.mode, "kline_interval": wish.interval, "initial_cash": wish.cash}
        if wish.mode == "replay":
            asked["check_interval"] = SHORTEST_CHECK_SECONDS
        if wish.trending is not None:
            asked["universe"] = {"trending": wish.trending, "limit": wish.limit}
        # Not above: it imports the engine.
        from strategybot.terminal.token_choice import chosen_instrument, chosen_instruments  # noqa: PLC0415

        if wish.tokens is not None:
            many = await chosen_instruments(search, wish.tokens, wish.chain)
            asked["tokens"] = [{"token": each.address, "chain": each.chain} for each in many]
        if wish.token is not None:
            chosen = await chosen_instrument(search, wish.token, wish.chain)
            asked |= {"token": chosen.address, "chain": chosen.chain}
        return {name: value for name, value in asked.items() if value is not None}

    async def _follow(self, client: AsyncStrategyBot, run: Any) -> None:
        """Print each decision until the simulation ends."""
        self._run = run
        self._show(Text(f"{_subject(run)}, {run.mode}, {run.kline_interval} candles. Ctrl+C ends the following."))
        while True:
            self._show_news()
            if self._run.status == "stopped":
                return
            await asyncio.sleep(POLL_SECONDS)
            self._run = await client.read_simulation(run.bot_id, run.run_id)

    def _show_news(self) -> None:
        for entry in self._run.trade_log:
            if (entry.time, entry.number) not in self._told:
                self._told.add((entry.time, entry.number))
                price = "" if entry.price is None else f" at {entry.price:.6g}"
                style = {"BUY": "green", "SELL": "red"}.get(entry.action, "dim")
                which = f" {one_line(entry.symbol, NAME)}" if getattr(entry, "symbol", None) else ""
                reason = one_line(entry.reason, LONGEST_REASON)
                line = f"{moment_words(entry.time)}  {entry.action}{which}{price}  {reason}"
                self._show(Text(line, style))

    def _show(self, line: Text) -> None:
        if not self._as_json:
            self._console.print(line, soft_wrap=True)

    def _show_end(self) -> None:
        if self._as_json:
            show_document(self._run.model_dump(mode="json"))
            return
        portfolio, status = self._run.portfolio, self._run.status
        worth = "" if portfolio.total_value is None else f", worth {portfolio.total_value:,.2f}"
        words = f"{_subject(self._run)} is {status}: {change_words(portfolio.pnl_percent)}{worth}"
        self._show(Text(f"{words}. Run {self._run.run_id}."))
        for each in getattr(portfolio, "positions", None) or []:
            name = one_line(each.symbol or each.token_id, NAME)
            self._show(Text(f"  holds {name}, worth {each.value or 0:,.2f}, {each.unrealized_pnl or 0:+,.2f} so far"))


def _subject(run: Any) -> str:
    return f"Paper trading of {one_line(run.token_symbol or run.token, NAME)}"

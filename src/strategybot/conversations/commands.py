"""Slash commands, which work without a language model. `/help` lists them; a typo is answered with the nearest one."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process

from strategybot.conversations.agent import bot_tools, live_tools, market_tools, run_tools
from strategybot.conversations.agent.refusals import NoBotLinked
from strategybot.conversations.agent.telling import (
    bots_words,
    described,
    price_line,
    risk_words,
    run_words,
    simulation_words,
    strategy_words,
    tokens_words,
    watch_words,
)
from strategybot.conversations.agent.token_choice import is_address
from strategybot.conversations.agent.tool_definition import ToolContext, ToolServices
from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.conversations.run_arguments import read_backtest, read_simulation
from strategybot.conversations.turn.calls import CallFailed, Calls
from strategybot.kit.json_object import Json
from strategybot.trading.engine.instruments import CHAIN_PATTERN, TOKEN_ID_PATTERN, address_and_chain

NEAR_ENOUGH = 50
_TOKEN_ID = re.compile(TOKEN_ID_PATTERN)
_CHAIN = re.compile(CHAIN_PATTERN)
_STEPS = re.compile("[1-9][0-9]?")


def is_command(text: str) -> bool:
    return text.lstrip().startswith("/")


Handler = Callable[[str, Calls], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Command:
    usage: str
    purpose: str
    handle: Handler


class Commands:
    def __init__(self, services: ToolServices) -> None:
        self._services = services
        self.all: dict[str, Command] = {
            "help": Command("/help", "lists these commands", self._help),
            "bots": Command("/bots", "lists your bots", self._bots),
            "bot": Command("/bot NAME", "links a bot to this conversation", self._bot),
            "strategy": Command("/strategy", "says what the linked bot does", self._strategy),
            "undo": Command("/undo", "takes back the last change of the strategy, `/undo 2` the last two", self._undo),
            "backtest": Command(
                "/backtest [TOKEN] [INTERVAL] [DAYS]",
                "tests the strategy, e.g. `/backtest PIPO 15m 90d`",
                self._backtest,
            ),
            "simulate": Command(
                "/simulate [TOKEN] [INTERVAL] [live]",
                "paper-trades the strategy on the last hour, or live",
                self._simulate,
            ),
            "watch": Command(
                "/watch [TOKEN]", "tells you when the strategy would buy, and trades nothing", self._watch
            ),
            "stop": Command("/stop", "stops the simulation that is running", self._stop),
            "search": Command("/search WORDS", "finds tokens", self._search),
            "trending": Command("/trending [CHAIN]", "shows what everyone trades", self._trending),
            "risk": Command("/risk TOKEN", "says how dangerous a token is", self._risk),
            "price": Command("/price TOKEN", "says what a token costs", self._price),
        }

    async def _call(self, calls: Calls, tool: Callable[..., Awaitable[Any]], **arguments: Any) -> Any:
        """Call a tool as the user, through the journal."""
        work = ToolContext(self._services, calls.caller)
        return await calls.make(tool.__name__, arguments, lambda: tool(work, **arguments))

    async def answer(self, text: str, calls: Calls) -> str:
        name, *rest = text.strip().removeprefix("/").split() or [""]
        command = self.all.get(name.lower())
        if command is None:
            return self._nearest(name)
        try:
            return await command.handle(" ".join(rest), calls)
        except CallFailed as failure:
            return str(failure)

    def _nearest(self, name: str) -> str:
        found = process.extractOne(name.lower()[:40], self.all.keys(), scorer=fuzz.ratio, score_cutoff=NEAR_ENOUGH)
        known = clean_text(name, 40).replace("`", "")
        if found is None:
            return f"There is no command `/{known}`. `/help` lists all of them."
        return f"There is no command `/{known}`. Did you mean `{self.all[found[0]].usage}`? `/help` lists all of them."

    async def _help(self, _rest: str, _calls: Calls) -> str:
        lines = [f"- `{command.usage}` {command.purpose}" for command in self.all.values()]
        return "\n".join(["These are the commands. Anything else you can simply say.", "", *lines])

    async def _bots(self, _rest: str, calls: Calls) -> str:
        facts: Json = await self._call(calls, bot_tools.list_bots)
        return bots_words(facts) if facts["bots"] else "You have no bot yet. Describe a strategy and I make one."

    async def _bot(self, rest: str, calls: Calls) -> str:
        if not rest:
            return "Which bot? `/bot NAME`; `/bots` lists yours."
        facts: Json = await self._call(calls, bot_tools.set_bot, bot=rest)
        return f"From here on this is about {described(facts)}"

    async def _strategy(self, _rest: str, calls: Calls) -> str:
        return strategy_words(await self._current(calls))

    async def _undo(self, rest: str, calls: Calls) -> str:
        if rest and not _STEPS.fullmatch(rest):
            return "How many changes? `/undo` takes back the last one, `/undo 2` the last two."
        facts: Json = await self._call(calls, bot_tools.undo, steps=int(rest or 1))
        return f"Undone. {strategy_words(facts)} Another `/undo` goes further back."

    async def _backtest(self, rest: str, calls: Calls) -> str:
        said = read_backtest(rest)
        token = (await self._token(said.token, calls))["token_id"] if said.token else None
        days = None if said.days is None else float(said.days)
        interval = said.kline_interval
        run: Json = await self._call(
            calls, run_tools.run_backtest, token=token, chain=None, kline_interval=interval, days=days
        )
        return run_words(run)

    async def _simulate(self, rest: str, calls: Calls) -> str:
        said = read_simulation(rest)
        token = (await self._token(said.token, calls))["token_id"] if said.token else None
        interval, mode = said.kline_interval, said.mode or "replay"
        run: Json = await self._call(
            calls, live_tools.start_simulation, token=token, chain=None, kline_interval=interval, mode=mode
        )
        return simulation_words(run)

    async def _watch(self, rest: str, calls: Calls) -> str:
        tokens = [(await self._token(rest, calls))["token_id"]] if rest else None
        return watch_words(await self._call(calls, live_tools.start_watch, tokens=tokens))

    async def _stop(self, _rest: str, calls: Calls) -> str:
        return simulation_words(await self._call(calls, live_tools.stop_simulation, run_id=None))

    async def _search(self, rest: str, calls: Calls) -> str:
        if not rest:
            return "What for? `/search WORDS`."
        tokens = await self._find(rest, calls)
        return tokens_words(tokens) if tokens else "No token was found. Try its symbol or its address."

    async def _trending(self, rest: str, calls: Calls) -> str:
        chain = rest.lower() or None
        if chain is not None and not _CHAIN.fullmatch(chain):
            return "Which chain? For instance `/trending solana`."
        tokens: list[Json] = await self._call(calls, market_tools.trending_tokens, chain=chain)
        return tokens_words(tokens) if tokens else "Nothing is trending there."

    async def _risk(self, rest: str, calls: Calls) -> str:
        if not rest:
            return "Of which token? `/risk TOKEN`."
        token_id = (await self._token(rest, calls))["token_id"]
        return risk_words(await self._call(calls, market_tools.get_token_risk, token_id=token_id))

    async def _price(self, rest: str, calls: Calls) -> str:
        if not rest:
            return "Of which token? `/price TOKEN`."
        token = await self._token(rest, calls)
        return price_line(token, await self._call(calls, market_tools.get_price, token_id=token["token_id"]))

    async def _current(self, calls: Calls) -> Json:
        facts: Json = await self._call(calls, bot_tools.get_current_strategy)
        if facts["bot"] is None:
            raise CallFailed(NoBotLinked.message)
        return facts

    async def _find(self, words: str, calls: Calls) -> list[Json]:
        tokens: list[Json] = await self._call(
            calls, market_tools.search_tokens, query=clean_text(words, 100), chain=None
        )
        return tokens

    async def _token(self, words: str, calls: Calls) -> Json:
        """Return the token that the words name. Raise a question if there are none or several."""
        if _TOKEN_ID.fullmatch(words) and is_address(words):
            address, chain = address_and_chain(words)
            return {"token_id": words, "symbol": address[:8] + "…", "chain": chain}
        tokens = await self._find(words, calls)
        exact = [token for token in tokens if plain_name(words).casefold() in _names(token)]
        candidates = exact or tokens
        if len(candidates) == 1:
            return candidates[0]
        if not candidates:
            raise CallFailed("No such token was found. Try `/search` with its symbol or its address.")
        raise CallFailed(f"Which one? Send the command again with its id:\n{tokens_words(candidates)}")


def _names(token: Json) -> set[Any]:
    address, _ = address_and_chain(token["token_id"])
    return {token["symbol"].casefold(), token["name"].casefold(), address.casefold()}

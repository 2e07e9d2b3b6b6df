"""What can be done for somebody in a conversation: the same services as the API's, always as the caller.

The agent's tools and the slash commands share these. A bot is one of the caller's own, or it does not exist.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

from strategybot.accounts.service import Principal
from strategybot.backtests.schemas import BacktestRequest, BacktestView
from strategybot.backtests.service import Backtests
from strategybot.bots.schemas import BotDraft, BotPatch, BotView, RevisionView, RunRequest
from strategybot.bots.service import Bots, interval_for, strategy_to_run
from strategybot.conversations.caller import Caller
from strategybot.conversations.hygiene import clean_text
from strategybot.conversations.links import Links
from strategybot.kit.clock import Clock
from strategybot.kit.errors import AppError, NotFound
from strategybot.kit.identifiers import is_id
from strategybot.kit.paging import Paging
from strategybot.kit.threads import in_thread, reading
from strategybot.market.schemas import Price, Token
from strategybot.market.service import Market
from strategybot.simulations.schemas import SimulationRequest
from strategybot.simulations.service import Simulations
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.language.strategy import Strategy

Json = dict[str, Any]

MOST_DAYS = 3650
MOST_TOKENS = 10
MOST_BOTS_SHOWN = 50
SECONDS_TO_WAIT = 15
SECONDS_BETWEEN_LOOKS = 0.05
FINISHED = {"completed", "failed", "stopped"}
RUN_FACTS = {
    "run_id", "status", "progress", "token", "chain", "kline_interval", "start_time", "end_time", "initial_cash",
    "fee_percent", "slippage_percent", "strategy_revision", "data_source", "metrics", "metric_notes", "error",
}  # fmt: skip
VERDICT_FACTS = {"grade", "headline", "sentence", "trades", "trades_needed", "tries", "other_tokens_pending"}
SIMULATION_FACTS = {
    "run_id", "status", "stop_reason", "mode", "token", "chain", "check_interval", "kline_interval", "progress",
    "candles_processed", "candles_total", "portfolio",
}  # fmt: skip
TOKEN_FACTS = {
    "token_id", "symbol", "name", "chain", "price_usd", "price_change_24h_percent", "volume_24h_usd", "liquidity_usd",
    "risk_score",
}  # fmt: skip

NO_STRATEGY: Json = {
    "bot": None,
    "revision": 0,
    "strategy": None,
    "summary": None,
    "backtests_left": None,
    "previous_strategy": None,
    "has_previous": False,
}


class NoBotLinked(AppError):
    status = 409
    message = "No bot is linked to this conversation yet."


class NoStrategy(AppError):
    status = 422
    message = "This bot has no strategy yet. When should it buy?"


class NoToken(AppError):
    status = 422
    message = "There is no token to run on: neither the request nor the bot names one. Search for one first."


class NoRunYet(NotFound):
    message = "This bot has no backtest yet."


class NoSimulationRunning(NotFound):
    message = "No simulation of this bot is running."


class NothingKnown(NotFound):
    message = "Nothing is known about this token."


class Acts:
    def __init__(
        self, bots: Bots, backtests: Backtests, simulations: Simulations, market: Market, links: Links, clock: Clock
    ) -> None:
        self._bots, self._backtests, self._simulations, self._market = bots, backtests, simulations, market
        self._links, self._clock = links, clock

    async def get_current_strategy(self, caller: Caller) -> Json:
        return await reading(self._current_strategy, caller)

    async def update_trading_strategy(self, caller: Caller, strategy: Strategy | None) -> Json:
        return await in_thread(self._update, caller, strategy)

    async def create_bot(self, caller: Caller, draft: BotDraft) -> Json:
        return await in_thread(self._create, caller, draft)

    async def list_bots(self, caller: Caller) -> Json:
        return await reading(self._list, caller)

    async def set_bot(self, caller: Caller, bot: str) -> Json:
        return await in_thread(self._set, caller, bot)

    async def get_bot_info(self, caller: Caller, bot: str | None) -> Json:
        return await reading(self._info, caller, bot)

    async def run_backtest(self, caller: Caller, request: BacktestRequest, days: float | None) -> Json:
        """Start it, and wait a while: most are finished by then."""
        bot = await reading(self._ready, caller, request)
        if days is not None:
            # Back from the last closed candle, as without days: thirty of them are then the very same run.
            interval = interval_for(strategy_to_run(bot), request.kline_interval, caller.defaults)
            seconds = INTERVAL_SECONDS[interval]
            closed_until = int(self._clock().timestamp()) // seconds * seconds
            request = request.model_copy(update={"start_time": max(0, closed_until - round(days * 86_400))})
        run = await self._backtests.start(caller.principal, caller.defaults, bot.id, request)
        return _run_facts(await self._awaited(caller.principal, run))

    async def get_backtest(self, caller: Caller, run_id: str | None) -> Json:
        return await reading(self._backtest, caller, run_id)

    async def start_simulation(self, caller: Caller, request: SimulationRequest) -> Json:
        bot = await reading(self._ready, caller, request)
        run = await self._simulations.start(caller.principal, caller.defaults, bot.id, request)
        return run.model_dump(mode="json", include=SIMULATION_FACTS)

    async def stop_simulation(self, caller: Caller, run_id: str | None) -> Json:
        return await in_thread(self._stop_simulation, caller, run_id)

    async def search_tokens(self, query: str, chain: str | None) -> list[Json]:
        words = clean_text(query, 100)
        if not words:
            return await self.trending_tokens(chain)
        return [_token_facts(token) for token in await self._market.search(words, chain, MOST_TOKENS)]

    async def trending_tokens(self, chain: str | None) -> list[Json]:
        return [_token_facts(token) for token in await self._market.trending(chain, MOST_TOKENS)]

    async def get_token_risk(self, token_id: str) -> Json:
        risk = await self._market.risk(token_id)
        if risk is None:
            raise NothingKnown
        return risk.model_dump(mode="json")

    async def get_price(self, token_id: str) -> Json:
        prices: dict[str, Price] = await self._market.prices([token_id])
        if not prices:
            raise NothingKnown
        return next(iter(prices.values())).model_dump(mode="json")

    async def _awaited(self, principal: Principal, run: BacktestView) -> BacktestView:
        deadline = asyncio.get_running_loop().time() + SECONDS_TO_WAIT
        while not _is_done(run) and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            run = await reading(self._backtests.run, principal, run.bot_id, run.run_id)
        return run

    def _linked(self, caller: Caller) -> BotView:
        bot_id = self._links.bot_of(caller.principal, caller.conversation_id)
        if bot_id is None:
            raise NoBotLinked
        return self._bots.bot(caller.principal, bot_id)

    def _ready(self, caller: Caller, request: RunRequest) -> BotView:
        """The linked bot, with something to run and something to run it on."""
        bot = self._linked(caller)
        if bot.strategy is None:
            raise NoStrategy
        if request.token is None and bot.token is None:
            raise NoToken
        return bot

    def _current_strategy(self, caller: Caller) -> Json:
        """Without a linked bot there is nothing to read, which is an answer: a newcomer's first words find none."""
        if self._links.bot_of(caller.principal, caller.conversation_id) is None:
            return NO_STRATEGY
        bot = self._linked(caller)
        page = self._bots.revisions(caller.principal, bot.id, Paging(1, 2))
        earlier = page.revisions[1].strategy if len(page.revisions) > 1 else None
        return {
            **self._strategy_facts(caller, bot),
            "previous_strategy": _written(earlier),
            "has_previous": _was_changed(bot, page.revisions),
        }

    def _update(self, caller: Caller, strategy: Strategy | None) -> Json:
        before = self._linked(caller)
        based_on = caller.seen_revisions.get(before.id, before.revision)
        patch = BotPatch.model_validate({"strategy": strategy})
        after = self._bots.change(caller.principal, before.id, patch, frozenset({based_on}))
        return {
            **self._strategy_facts(caller, after),
            "before": _written(before.strategy),
            "before_summary": before.strategy_summary,
        }

    def _create(self, caller: Caller, draft: BotDraft) -> Json:
        bot = self._bots.create(caller.principal, draft)
        self._links.link(caller.principal, caller.conversation_id, bot.id)
        return self._strategy_facts(caller, bot)

    def _list(self, caller: Caller) -> Json:
        page = self._bots.page(caller.principal, Paging(1, MOST_BOTS_SHOWN))
        linked = self._links.bot_of(caller.principal, caller.conversation_id)
        bots = [{**_bot_facts(bot), "summary": bot.strategy_summary, "linked": bot.id == linked} for bot in page.bots]
        return {"bots": bots, "total_bots": page.total_bots}

    def _set(self, caller: Caller, bot: str) -> Json:
        found = self._named(caller.principal, bot)
        self._links.link(caller.principal, caller.conversation_id, found.id)
        return self._strategy_facts(caller, found)

    def _info(self, caller: Caller, bot: str | None) -> Json:
        found = self._linked(caller) if bot is None else self._named(caller.principal, bot)
        runs = self._backtests.page(caller.principal, found.id, Paging(1, 1))
        last = runs.backtests[0].model_dump(mode="json", include=RUN_FACTS) if runs.backtests else None
        created = found.model_dump(mode="json", include={"description", "created_at", "updated_at"})
        return {
            **self._strategy_facts(caller, found),
            **created,
            "backtests": runs.total_backtests,
            "last_backtest": last,
            "is_simulating": self._running_simulation(caller.principal, found) is not None,
        }

    def _backtest(self, caller: Caller, run_id: str | None) -> Json:
        bot = self._linked(caller)
        if run_id is None:
            newest = self._backtests.page(caller.principal, bot.id, Paging(1, 1)).backtests
            if not newest:
                raise NoRunYet
            run_id = newest[0].run_id
        return _run_facts(self._backtests.run(caller.principal, bot.id, run_id))

    def _strategy_facts(self, caller: Caller, bot: BotView) -> Json:
        caller.seen_revisions[bot.id] = bot.revision
        return {
            "bot": _bot_facts(bot),
            "revision": bot.revision,
            "strategy": _written(bot.strategy),
            "summary": bot.strategy_summary,
            "backtests_left": self._backtests.left(caller.principal),
        }

    def _stop_simulation(self, caller: Caller, run_id: str | None) -> Json:
        bot = self._linked(caller)
        run_id = run_id or self._running_simulation(caller.principal, bot)
        if run_id is None:
            raise NoSimulationRunning
        run = self._simulations.stop(caller.principal, bot.id, run_id)
        return run.model_dump(mode="json", include=SIMULATION_FACTS)

    def _running_simulation(self, principal: Principal, bot: BotView) -> str | None:
        """At most one of a bot's simulations is running, and it is the newest."""
        newest = self._simulations.page(principal, bot.id, Paging(1, 1)).simulations
        return newest[0].run_id if newest and newest[0].status == "running" else None

    def _named(self, principal: Principal, text: str) -> BotView:
        """By id, or by name in any letter case."""
        if is_id(text):
            return self._bots.bot(principal, text)
        wanted = clean_text(text).casefold()
        names = []
        for bot in self._all_bots(principal):
            if clean_text(bot.name).casefold() == wanted:
                return bot
            names.append(clean_text(bot.name, 40))
        yours = f"Yours are: {', '.join(names[:10])}." if names else "You have none yet."
        raise NotFound(f"No bot of yours is called that. {yours}")

    def _all_bots(self, principal: Principal) -> Iterator[BotView]:
        number, more = 1, True
        while more:
            page = self._bots.page(principal, Paging(number, 100))
            yield from page.bots
            number, more = number + 1, page.has_next


def _was_changed(bot: BotView, revisions: list[RevisionView]) -> bool:
    """Whether there is something to go back to: with its first strategy a bot was made, unless that came later."""
    return bot.revision > 1 or any(revision.created_at > bot.created_at for revision in revisions)


def _bot_facts(bot: BotView) -> Json:
    return {"id": bot.id, "name": clean_text(bot.name, 100), "token": bot.token, "chain": bot.chain}


def _written(strategy: Strategy | None) -> Json | None:
    return None if strategy is None else strategy.model_dump(mode="json")


def _is_done(run: BacktestView) -> bool:
    """Is it finished and graded? The verdict of a completed run follows within a moment."""
    graded = run.status != "completed" or run.verdict is not None or run.verdict_error is not None
    return run.status in FINISHED and graded


def _run_facts(run: BacktestView) -> Json:
    verdict = run.verdict and {
        **run.verdict.model_dump(mode="json", include=VERDICT_FACTS),
        "checks": [{"passed": each.passed, "sentence": each.sentence} for each in run.verdict.checks],
    }
    return {**run.model_dump(mode="json", include=RUN_FACTS), "verdict": verdict}


def _token_facts(token: Token) -> Json:
    return {**token.model_dump(mode="json", include=TOKEN_FACTS), "name": clean_text(token.name, 60)}

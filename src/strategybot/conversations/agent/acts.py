"""What can be done for somebody in a conversation: the same services as the API's, always as the caller.

The agent's tools and the slash commands share these. A bot is one of the caller's own, or it does not exist.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from strategybot.accounts.service import Principal
from strategybot.backtests.schemas import BacktestRequest, BacktestView
from strategybot.backtests.service import Backtests
from strategybot.bots.schemas import BotDraft, BotPatch, BotView, RunRequest
from strategybot.bots.service import Bots, interval_for, strategy_to_run
from strategybot.conversations.agent.facts import (
    FINISHED,
    LOG_ENTRIES_SHOWN,
    MOST_BOTS_SHOWN,
    MOST_TOKENS,
    NO_STRATEGY,
    RUN_FACTS,
    SECONDS_BETWEEN_LOOKS,
    SECONDS_TO_WAIT,
    TRADES_A_PAGE,
    Json,
    NoBotLinked,
    NoBotNamed,
    NoRunYet,
    NoSimulationRunning,
    NoSimulationYet,
    NoStrategy,
    NothingKnown,
    NothingToUndo,
    NoToken,
    bot_facts,
    is_done,
    optimisation_facts,
    run_facts,
    simulation_facts,
    survey_facts,
    token_facts,
    was_changed,
    written,
)
from strategybot.conversations.caller import Actor, Caller
from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.conversations.links import Links
from strategybot.kit.clock import Clock
from strategybot.kit.errors import NotFound
from strategybot.kit.identifiers import is_id
from strategybot.kit.paging import Paging
from strategybot.kit.threads import in_thread, reading
from strategybot.market.schemas import Price
from strategybot.market.service import Market
from strategybot.research.schemas import OptimisationView, OptimiseRequest, SurveyRequest, SurveyView
from strategybot.research.service import Optimisations, Surveys
from strategybot.simulations.schemas import SimulationRequest
from strategybot.simulations.service import Simulations
from strategybot.trading.instruments import INTERVAL_SECONDS
from strategybot.trading.language.strategy import Strategy

Searched = TypeVar("Searched", OptimisationView, SurveyView)


class Acts:
    def __init__(
        self,
        bots: Bots,
        backtests: Backtests,
        optimisations: Optimisations,
        surveys: Surveys,
        simulations: Simulations,
        market: Market,
        links: Links,
        clock: Clock,
    ) -> None:
        self._bots, self._backtests, self._simulations, self._market = bots, backtests, simulations, market
        self._optimisations, self._surveys = optimisations, surveys
        self._links, self._clock = links, clock

    async def get_current_strategy(self, caller: Actor) -> Json:
        return await reading(self._current_strategy, caller)

    async def update_trading_strategy(self, caller: Actor, strategy: Strategy | None, bot: str | None = None) -> Json:
        return await in_thread(self._update, caller, strategy, bot)

    async def undo(self, caller: Actor, bot: str | None) -> Json:
        return await in_thread(self._undo, caller, bot)

    async def create_bot(self, caller: Actor, draft: BotDraft) -> Json:
        return await in_thread(self._create, caller, draft)

    async def list_bots(self, caller: Actor) -> Json:
        return await reading(self._list, caller)

    async def set_bot(self, caller: Caller, bot: str) -> Json:
        return await in_thread(self._set, caller, bot)

    async def get_bot_info(self, caller: Actor, bot: str | None) -> Json:
        return await reading(self._info, caller, bot)

    async def run_backtest(
        self,
        caller: Actor,
        request: BacktestRequest,
        days: float | None,
        bot_name: str | None = None,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> Json:
        """Start it, and wait a while: most are finished by then."""
        bot = await reading(self._ready, caller, request, bot_name)
        if days is not None:
            # Back from the last closed candle, as without days: thirty of them are then the very same run.
            interval = interval_for(strategy_to_run(bot), request.kline_interval, caller.defaults)
            seconds = INTERVAL_SECONDS[interval]
            closed_until = int(self._clock().timestamp()) // seconds * seconds
            request = request.model_copy(update={"start_time": max(0, closed_until - round(days * 86_400))})
        run = await self._backtests.start(caller.principal, caller.defaults, bot.id, request)
        return run_facts(await self._awaited(caller.principal, run, seconds_to_wait))

    async def get_backtest(
        self, caller: Actor, run_id: str | None, bot: str | None = None, trades_page: int | None = None
    ) -> Json:
        return await reading(self._backtest, caller, run_id, bot, trades_page)

    async def compare_backtests(self, caller: Actor, run_ids: Sequence[str], bot: str | None) -> Json:
        return await reading(self._compare, caller, run_ids, bot)

    async def start_simulation(self, caller: Actor, request: SimulationRequest, bot_name: str | None = None) -> Json:
        bot = await reading(self._ready, caller, request, bot_name)
        run = await self._simulations.start(caller.principal, caller.defaults, bot.id, request)
        return simulation_facts(run)

    async def stop_simulation(self, caller: Actor, run_id: str | None, bot: str | None = None) -> Json:
        return await in_thread(self._stop_simulation, caller, run_id, bot)

    async def get_simulation(self, caller: Actor, run_id: str | None, bot: str | None) -> Json:
        return await reading(self._simulation, caller, run_id, bot)

    async def optimise(
        self, caller: Actor, request: OptimiseRequest, days: float | None, bot_name: str | None, seconds_to_wait: float
    ) -> Json:
        """Start it, and wait a while: most are finished by then."""
        bot = await reading(self._ready, caller, request, bot_name)
        request = request.model_copy(update=self._start_time(days))
        run = await self._optimisations.start(caller.principal, caller.defaults, bot.id, request)
        read = partial(self._optimisations.run, caller.principal, bot.id, run.run_id)
        return optimisation_facts(await _finished(run, read, seconds_to_wait))

    async def survey(
        self, caller: Actor, request: SurveyRequest, days: float | None, bot_name: str | None, seconds_to_wait: float
    ) -> Json:
        """Start it, and wait a while: most are finished by then."""
        bot = await reading(self._chosen, caller, bot_name)
        if bot.strategy is None:
            raise NoStrategy
        request = request.model_copy(update=self._start_time(days))
        run = await self._surveys.start(caller.principal, caller.defaults, bot.id, request)
        read = partial(self._surveys.run, caller.principal, bot.id, run.run_id)
        return survey_facts(await _finished(run, read, seconds_to_wait))

    def _start_time(self, days: float | None) -> Json:
        """The field of a request that begins so many days ago; none for the default."""
        return {} if days is None else {"start_time": max(0, round(self._clock().timestamp() - days * 86_400))}

    async def search_tokens(self, query: str, chain: str | None) -> list[Json]:
        words = clean_text(query, 100)
        if not words:
            return await self.trending_tokens(chain)
        return [token_facts(token) for token in await self._market.search(words, chain, MOST_TOKENS)]

    async def trending_tokens(self, chain: str | None) -> list[Json]:
        return [token_facts(token) for token in await self._market.trending(chain, MOST_TOKENS)]

    async def get_token(self, token_id: str) -> Json:
        token = await self._market.token(token_id)
        if token is None:
            raise NothingKnown
        return token_facts(token)

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

    async def _awaited(self, principal: Principal, run: BacktestView, seconds: float) -> BacktestView:
        deadline = asyncio.get_running_loop().time() + seconds
        while not is_done(run) and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            run = await reading(self._backtests.run, principal, run.bot_id, run.run_id)
        return run

    def _linked_id(self, caller: Actor) -> str | None:
        """The id of the bot that the conversation is about; None outside of a conversation."""
        return self._links.bot_of(caller.principal, caller.conversation_id) if isinstance(caller, Caller) else None

    def _linked(self, caller: Actor) -> BotView:
        bot_id = self._linked_id(caller)
        if bot_id is None:
            raise NoBotLinked if isinstance(caller, Caller) else NoBotNamed
        return self._bots.bot(caller.principal, bot_id)

    def _chosen(self, caller: Actor, bot: str | None) -> BotView:
        return self._linked(caller) if bot is None else self._named(caller.principal, bot)

    def _ready(self, caller: Actor, request: RunRequest, bot_name: str | None) -> BotView:
        """The chosen bot, with something to run and something to run it on."""
        bot = self._chosen(caller, bot_name)
        if bot.strategy is None:
            raise NoStrategy
        if request.token is None and bot.token is None:
            raise NoToken
        return bot

    def _current_strategy(self, caller: Actor) -> Json:
        """Without a linked bot there is nothing to read, which is an answer: a newcomer's first words find none."""
        if self._linked_id(caller) is None:
            return NO_STRATEGY
        bot = self._linked(caller)
        page = self._bots.revisions(caller.principal, bot.id, Paging(1, 2))
        earlier = page.revisions[1].strategy if len(page.revisions) > 1 else None
        return {
            **self._strategy_facts(caller, bot),
            "previous_strategy": written(earlier),
            "has_previous": was_changed(bot, page.revisions),
        }

    def _update(self, caller: Actor, strategy: Strategy | None, bot: str | None) -> Json:
        before = self._chosen(caller, bot)
        based_on = caller.seen_revisions.get(before.id, before.revision)
        patch = BotPatch.model_validate({"strategy": strategy})
        after = self._bots.change(caller.principal, before.id, patch, frozenset({based_on}))
        return {
            **self._strategy_facts(caller, after),
            "before": written(before.strategy),
            "before_summary": before.strategy_summary,
        }

    def _undo(self, caller: Actor, bot: str | None) -> Json:
        found = self._chosen(caller, bot)
        page = self._bots.revisions(caller.principal, found.id, Paging(1, 2))
        if not was_changed(found, page.revisions):
            raise NothingToUndo
        if len(page.revisions) < 2:
            return self._update(caller, None, found.id)
        restored = self._bots.restore(caller.principal, found.id, page.revisions[1].revision)
        return {**self._strategy_facts(caller, restored), "before_summary": found.strategy_summary}

    def _create(self, caller: Actor, draft: BotDraft) -> Json:
        bot = self._bots.create(caller.principal, draft)
        if isinstance(caller, Caller):
            self._links.link(caller.principal, caller.conversation_id, bot.id)
        return self._strategy_facts(caller, bot)

    def _list(self, caller: Actor) -> Json:
        page = self._bots.page(caller.principal, Paging(1, MOST_BOTS_SHOWN))
        linked = self._linked_id(caller)
        bots = [{**bot_facts(bot), "summary": bot.strategy_summary, "linked": bot.id == linked} for bot in page.bots]
        return {"bots": bots, "total_bots": page.total_bots}

    def _set(self, caller: Caller, bot: str) -> Json:
        found = self._named(caller.principal, bot)
        self._links.link(caller.principal, caller.conversation_id, found.id)
        return self._strategy_facts(caller, found)

    def _info(self, caller: Actor, bot: str | None) -> Json:
        found = self._chosen(caller, bot)
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

    def _backtest(self, caller: Actor, run_id: str | None, bot: str | None, trades_page: int | None) -> Json:
        run = self._found_backtest(caller, run_id, bot)
        if trades_page is None:
            return run_facts(run)
        page = self._backtests.trades(caller.principal, run.bot_id, run.run_id, Paging(trades_page, TRADES_A_PAGE))
        return {**run_facts(run), "trades_page": page.model_dump(mode="json")}

    def _found_backtest(self, caller: Actor, run_id: str | None, bot: str | None) -> BacktestView:
        if run_id is not None and bot is None:
            return self._backtests.run(caller.principal, self._backtests.bot_of(caller.principal, run_id), run_id)
        chosen = self._chosen(caller, bot)
        if run_id is None:
            newest = self._backtests.page(caller.principal, chosen.id, Paging(1, 1)).backtests
            if not newest:
                raise NoRunYet
            run_id = newest[0].run_id
        return self._backtests.run(caller.principal, chosen.id, run_id)

    def _compare(self, caller: Actor, run_ids: Sequence[str], bot: str | None) -> Json:
        """Those runs; without any, the last two of the bot."""
        if run_ids:
            runs = [self._found_backtest(caller, run_id, None) for run_id in run_ids]
        else:
            chosen = self._chosen(caller, bot)
            newest = self._backtests.page(caller.principal, chosen.id, Paging(1, 2)).backtests
            runs = [self._backtests.run(caller.principal, chosen.id, run.run_id) for run in reversed(newest)]
        if not runs:
            raise NoRunYet
        return {"backtests": [{**run_facts(run), "summary": run.strategy.summary} for run in runs]}

    def _strategy_facts(self, caller: Actor, bot: BotView) -> Json:
        caller.seen_revisions[bot.id] = bot.revision
        return {
            "bot": bot_facts(bot),
            "revision": bot.revision,
            "strategy": written(bot.strategy),
            "summary": bot.strategy_summary,
            "backtests_left": self._backtests.left(caller.principal),
        }

    def _stop_simulation(self, caller: Actor, run_id: str | None, bot: str | None) -> Json:
        if run_id is not None and bot is None:
            bot_id = self._simulations.bot_of(caller.principal, run_id)
        else:
            chosen = self._chosen(caller, bot)
            bot_id, run_id = chosen.id, run_id or self._running_simulation(caller.principal, chosen)
        if run_id is None:
            raise NoSimulationRunning
        return simulation_facts(self._simulations.stop(caller.principal, bot_id, run_id))

    def _simulation(self, caller: Actor, run_id: str | None, bot: str | None) -> Json:
        if run_id is not None:
            bot_id = self._simulations.bot_of(caller.principal, run_id)
        else:
            bot_id = self._chosen(caller, bot).id
            newest = self._simulations.page(caller.principal, bot_id, Paging(1, 1)).simulations
            if not newest:
                raise NoSimulationYet
            run_id = newest[0].run_id
        run = self._simulations.run(caller.principal, bot_id, run_id)
        log = [entry.model_dump(mode="json") for entry in run.trade_log[-LOG_ENTRIES_SHOWN:]]
        waits_for = {
            name: [each.model_dump(mode="json") for each in getattr(run, name)] for name in ("next_entry", "next_exit")
        }
        return {**simulation_facts(run), "trade_log": log, **waits_for}

    def _running_simulation(self, principal: Principal, bot: BotView) -> str | None:
        """At most one of a bot's simulations is running or paused, and it is the newest."""
        newest = self._simulations.page(principal, bot.id, Paging(1, 1)).simulations
        return newest[0].run_id if newest and newest[0].status != "stopped" else None

    def _named(self, principal: Principal, text: str) -> BotView:
        """By id, or by name in any letter case."""
        if is_id(text):
            return self._bots.bot(principal, text)
        wanted = clean_text(text).casefold()
        names = []
        for bot in self._all_bots(principal):
            if clean_text(bot.name).casefold() == wanted:
                return bot
            names.append(plain_name(bot.name, 40))
        yours = f"Yours are: {', '.join(names[:10])}." if names else "You have none yet."
        raise NotFound(f"No bot of yours is called that. {yours}")

    def _all_bots(self, principal: Principal) -> Iterator[BotView]:
        number, more = 1, True
        while more:
            page = self._bots.page(principal, Paging(number, 100))
            yield from page.bots
            number, more = number + 1, page.has_next


async def _finished(run: Searched, read: Callable[[], Searched], seconds: float) -> Searched:
    """The run at its end, or as far as it is after so many seconds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while run.status not in FINISHED and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        run = await reading(read)
    return run

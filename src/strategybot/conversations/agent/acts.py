"""What the agent's tools, the MCP tools and the slash commands do: calls of the API's services, always as the caller.

Only the caller's own bots and runs are found.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from strategybot.accounts.service import Principal
from strategybot.backtests.schemas import BacktestRequest, BacktestView
from strategybot.backtests.service import Backtests
from strategybot.bots.schemas import BotDraft, BotPatch, BotView, RevisionView
from strategybot.bots.service import Bots, interval_for, strategy_to_run
from strategybot.conversations.agent.bot_choice import BotChoice
from strategybot.conversations.agent.facts import (
    NO_STRATEGY,
    BotFacts,
    BotInfoFacts,
    BotListFacts,
    ChangedStrategyFacts,
    ComparedRunFacts,
    ComparisonFacts,
    CurrentStrategyFacts,
    ListedBotFacts,
    OptimisationFacts,
    RestoredStrategyFacts,
    RunFacts,
    RunSummaryFacts,
    RunWithTradesFacts,
    SimulationFacts,
    SimulationWithLogFacts,
    StrategyFacts,
    SurveyFacts,
    TokenFacts,
    TokenRunFacts,
)
from strategybot.conversations.agent.refusals import (
    NoRunYet,
    NoSimulationRunning,
    NoSimulationYet,
    NoStrategy,
    NothingKnown,
    NothingToUndo,
)
from strategybot.conversations.caller import Actor, Caller
from strategybot.conversations.hygiene import clean_text
from strategybot.conversations.links import Links
from strategybot.kit.clock import Clock
from strategybot.kit.paging import Paging
from strategybot.kit.threads import in_thread, reading
from strategybot.market.schemas import Price, Risk
from strategybot.market.service import Market
from strategybot.research.schemas import OptimisationView, OptimiseRequest, SurveyRequest, SurveyView
from strategybot.research.service import Optimisations, Surveys
from strategybot.simulations.schemas import SimulationRequest
from strategybot.simulations.service import Simulations
from strategybot.trading.instruments import INTERVAL_SECONDS, closed_until
from strategybot.trading.language.strategy import Strategy

MOST_DAYS = 3650  # of market history in a backtest
MOST_TOKENS = 10
MOST_BOTS_SHOWN = 50
SECONDS_TO_WAIT = 15
SECONDS_BETWEEN_LOOKS = 0.05
TRADES_A_PAGE = 20
LOG_ENTRIES_SHOWN = 20
FINISHED = {"completed", "failed", "stopped"}
Searched = TypeVar("Searched", OptimisationView, SurveyView)
RunNamed = TypeVar("RunNamed", bound=TokenRunFacts)


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
        self._choice = BotChoice(bots, links)

    async def get_current_strategy(self, caller: Actor) -> CurrentStrategyFacts:
        return await reading(self._current_strategy, caller)

    async def update_trading_strategy(
        self, caller: Actor, strategy: Strategy | None, bot: str | None = None
    ) -> ChangedStrategyFacts:
        return await in_thread(self._update, caller, strategy, bot)

    async def undo(self, caller: Actor, bot: str | None) -> RestoredStrategyFacts:
        return await in_thread(self._undo, caller, bot)

    async def create_bot(self, caller: Actor, draft: BotDraft) -> StrategyFacts:
        return await in_thread(self._create, caller, draft)

    async def list_bots(self, caller: Actor) -> BotListFacts:
        return await reading(self._list, caller)

    async def set_bot(self, caller: Caller, bot: str) -> StrategyFacts:
        return await in_thread(self._set, caller, bot)

    async def bot_id(self, caller: Actor, bot: str) -> str:
        return (await reading(self._choice.chosen, caller, bot)).id

    async def get_bot_info(self, caller: Actor, bot: str | None) -> BotInfoFacts:
        return await reading(self._info, caller, bot)

    async def run_backtest(
        self,
        caller: Actor,
        request: BacktestRequest,
        days: float | None,
        bot_name: str | None = None,
        seconds_to_wait: float = SECONDS_TO_WAIT,
    ) -> RunFacts:
        """Start a run, and wait some seconds for its end."""
        bot = await reading(self._choice.ready, caller, request, bot_name)
        if days is not None:
            # Counted from the last closed candle, as the default is, so that 30 days give the default run.
            interval = interval_for(strategy_to_run(bot), request.kline_interval, caller.defaults)
            end = closed_until(self._clock().timestamp(), INTERVAL_SECONDS[interval])
            request = request.model_copy(update={"start_time": max(0, end - round(days * 86_400))})
        run = await self._backtests.start(caller.principal, caller.defaults, bot.id, request)
        return await self._named(RunFacts.model_validate(await self._awaited(caller.principal, run, seconds_to_wait)))

    async def get_backtest(
        self, caller: Actor, run_id: str | None, bot: str | None = None, trades_page: int | None = None
    ) -> RunFacts:
        return await self._named(await reading(self._backtest, caller, run_id, bot, trades_page))

    async def compare_backtests(self, caller: Actor, run_ids: Sequence[str], bot: str | None) -> ComparisonFacts:
        compared = await reading(self._compare, caller, run_ids, bot)
        return ComparisonFacts(backtests=[await self._named(run) for run in compared.backtests])

    async def start_simulation(
        self, caller: Actor, request: SimulationRequest, bot_name: str | None = None
    ) -> SimulationFacts:
        bot = await reading(self._choice.ready, caller, request, bot_name)
        run = await self._simulations.start(caller.principal, caller.defaults, bot.id, request)
        return await self._named(SimulationFacts.model_validate(run))

    async def stop_simulation(self, caller: Actor, run_id: str | None, bot: str | None = None) -> SimulationFacts:
        return await self._named(await in_thread(self._stop_simulation, caller, run_id, bot))

    async def get_simulation(self, caller: Actor, run_id: str | None, bot: str | None) -> SimulationWithLogFacts:
        return await self._named(await reading(self._simulation, caller, run_id, bot))

    async def optimise(
        self, caller: Actor, request: OptimiseRequest, days: float | None, bot_name: str | None, seconds_to_wait: float
    ) -> OptimisationFacts:
        """Start a run, and wait some seconds for its end."""
        bot = await reading(self._choice.ready, caller, request, bot_name)
        request = request.model_copy(update=self._start_time(days))
        run = await self._optimisations.start(caller.principal, caller.defaults, bot.id, request)
        read = partial(self._optimisations.run, caller.principal, bot.id, run.run_id)
        return await self._named(OptimisationFacts.model_validate(await _finished(run, read, seconds_to_wait)))

    async def survey(
        self, caller: Actor, request: SurveyRequest, days: float | None, bot_name: str | None, seconds_to_wait: float
    ) -> SurveyFacts:
        """Start a run, and wait some seconds for its end."""
        bot = await reading(self._choice.chosen, caller, bot_name)
        if bot.strategy is None:
            raise NoStrategy
        request = request.model_copy(update=self._start_time(days))
        run = await self._surveys.start(caller.principal, caller.defaults, bot.id, request)
        read = partial(self._surveys.run, caller.principal, bot.id, run.run_id)
        return SurveyFacts.model_validate(await _finished(run, read, seconds_to_wait))

    async def _named(self, run: RunNamed) -> RunNamed:
        """Return the run with the symbol of its token, if the market knows it."""
        token = await self._market.token_if_reachable(f"{run.token}-{run.chain}")
        return run if token is None else run.model_copy(update={"symbol": TokenFacts.model_validate(token).symbol})

    def _start_time(self, days: float | None) -> dict[str, int]:
        """Return the start time of a request that begins this many days ago; an empty dict for the default."""
        return {} if days is None else {"start_time": max(0, round(self._clock().timestamp() - days * 86_400))}

    async def search_tokens(self, query: str, chain: str | None) -> list[TokenFacts]:
        words = clean_text(query, 100)
        if not words:
            return await self.trending_tokens(chain)
        return [TokenFacts.model_validate(token) for token in await self._market.search(words, chain, MOST_TOKENS)]

    async def trending_tokens(self, chain: str | None) -> list[TokenFacts]:
        return [TokenFacts.model_validate(token) for token in await self._market.trending(chain, MOST_TOKENS)]

    async def get_token(self, token_id: str) -> TokenFacts:
        token = await self._market.token(token_id)
        if token is None:
            raise NothingKnown
        return TokenFacts.model_validate(token)

    async def get_token_risk(self, token_id: str) -> Risk:
        risk = await self._market.risk(token_id)
        if risk is None:
            raise NothingKnown
        return risk

    async def get_price(self, token_id: str) -> Price:
        prices: dict[str, Price] = await self._market.prices([token_id])
        if not prices:
            raise NothingKnown
        return next(iter(prices.values()))

    async def _awaited(self, principal: Principal, run: BacktestView, seconds: float) -> BacktestView:
        deadline = asyncio.get_running_loop().time() + seconds
        while not _is_done(run) and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            run = await reading(self._backtests.run, principal, run.bot_id, run.run_id)
        return run

    def _current_strategy(self, caller: Actor) -> CurrentStrategyFacts:
        """Return the strategy of the linked bot. Without one return `NO_STRATEGY`: a new user has no bot yet."""
        if self._choice.linked_id(caller) is None:
            return NO_STRATEGY
        bot = self._choice.chosen(caller, None)
        page = self._bots.revisions(caller.principal, bot.id, Paging(1, 2))
        earlier = page.revisions[1].strategy if len(page.revisions) > 1 else None
        return CurrentStrategyFacts(
            **dict(self._strategy_facts(caller, bot)),
            previous_strategy=earlier,
            has_previous=_was_changed(bot, page.revisions),
        )

    def _update(self, caller: Actor, strategy: Strategy | None, bot: str | None) -> ChangedStrategyFacts:
        before = self._choice.chosen(caller, bot)
        based_on = caller.seen_revisions.get(before.id, before.revision)
        patch = BotPatch.model_validate({"strategy": strategy})
        after = self._bots.change(caller.principal, before.id, patch, frozenset({based_on}))
        return ChangedStrategyFacts(
            **dict(self._strategy_facts(caller, after)),
            before=before.strategy,
            before_summary=before.strategy_summary,
        )

    def _undo(self, caller: Actor, bot: str | None) -> RestoredStrategyFacts:
        found = self._choice.chosen(caller, bot)
        page = self._bots.revisions(caller.principal, found.id, Paging(1, 2))
        if not _was_changed(found, page.revisions):
            raise NothingToUndo
        if len(page.revisions) < 2:
            return self._update(caller, None, found.id)
        restored = self._bots.restore(caller.principal, found.id, page.revisions[1].revision)
        facts = self._strategy_facts(caller, restored)
        return RestoredStrategyFacts(**dict(facts), before_summary=found.strategy_summary)

    def _create(self, caller: Actor, draft: BotDraft) -> StrategyFacts:
        bot = self._bots.create(caller.principal, draft)
        if isinstance(caller, Caller):
            self._links.link(caller.principal, caller.conversation_id, bot.id)
        return self._strategy_facts(caller, bot)

    def _list(self, caller: Actor) -> BotListFacts:
        page = self._bots.page(caller.principal, Paging(1, MOST_BOTS_SHOWN))
        linked = self._choice.linked_id(caller)
        bots = [
            ListedBotFacts(
                id=bot.id,
                name=bot.name,
                token=bot.token,
                chain=bot.chain,
                summary=bot.strategy_summary,
                linked=bot.id == linked,
            )
            for bot in page.bots
        ]
        return BotListFacts(bots=bots, total_bots=page.total_bots)

    def _set(self, caller: Caller, bot: str) -> StrategyFacts:
        found = self._choice.chosen(caller, bot)
        self._links.link(caller.principal, caller.conversation_id, found.id)
        return self._strategy_facts(caller, found)

    def _info(self, caller: Actor, bot: str | None) -> BotInfoFacts:
        found = self._choice.chosen(caller, bot)
        runs = self._backtests.page(caller.principal, found.id, Paging(1, 1))
        return BotInfoFacts(
            **dict(self._strategy_facts(caller, found)),
            description=found.description,
            created_at=found.created_at,
            updated_at=found.updated_at,
            backtests=runs.total_backtests,
            last_backtest=RunSummaryFacts.model_validate(runs.backtests[0]) if runs.backtests else None,
            is_simulating=self._running_simulation(caller.principal, found) is not None,
        )

    def _backtest(self, caller: Actor, run_id: str | None, bot: str | None, trades_page: int | None) -> RunFacts:
        run = self._found_backtest(caller, run_id, bot)
        if trades_page is None:
            return RunFacts.model_validate(run)
        page = self._backtests.trades(caller.principal, run.bot_id, run.run_id, Paging(trades_page, TRADES_A_PAGE))
        return RunWithTradesFacts.model_validate({**dict(run), "trades_page": page})

    def _found_backtest(self, caller: Actor, run_id: str | None, bot: str | None) -> BacktestView:
        if run_id is not None and bot is None:
            return self._backtests.run(caller.principal, self._backtests.bot_of(caller.principal, run_id), run_id)
        chosen = self._choice.chosen(caller, bot)
        if run_id is None:
            newest = self._backtests.page(caller.principal, chosen.id, Paging(1, 1)).backtests
            if not newest:
                raise NoRunYet
            run_id = newest[0].run_id
        return self._backtests.run(caller.principal, chosen.id, run_id)

    def _compare(self, caller: Actor, run_ids: Sequence[str], bot: str | None) -> ComparisonFacts:
        """Return the runs with these ids; without ids, the last two of the bot."""
        if run_ids:
            runs = [self._found_backtest(caller, run_id, None) for run_id in run_ids]
        else:
            chosen = self._choice.chosen(caller, bot)
            newest = self._backtests.page(caller.principal, chosen.id, Paging(1, 2)).backtests
            runs = [self._backtests.run(caller.principal, chosen.id, run.run_id) for run in reversed(newest)]
        if not runs:
            raise NoRunYet
        return ComparisonFacts(backtests=[ComparedRunFacts.model_validate(run) for run in runs])

    def _strategy_facts(self, caller: Actor, bot: BotView) -> StrategyFacts:
        caller.seen_revisions[bot.id] = bot.revision
        return StrategyFacts(
            bot=BotFacts.model_validate(bot),
            revision=bot.revision,
            strategy=bot.strategy,
            summary=bot.strategy_summary,
            backtests_left=self._backtests.left(caller.principal),
        )

    def _stop_simulation(self, caller: Actor, run_id: str | None, bot: str | None) -> SimulationFacts:
        if run_id is not None and bot is None:
            bot_id = self._simulations.bot_of(caller.principal, run_id)
        else:
            chosen = self._choice.chosen(caller, bot)
            bot_id, run_id = chosen.id, run_id or self._running_simulation(caller.principal, chosen)
        if run_id is None:
            raise NoSimulationRunning
        return SimulationFacts.model_validate(self._simulations.stop(caller.principal, bot_id, run_id))

    def _simulation(self, caller: Actor, run_id: str | None, bot: str | None) -> SimulationWithLogFacts:
        if run_id is not None:
            bot_id = self._simulations.bot_of(caller.principal, run_id)
        else:
            bot_id = self._choice.chosen(caller, bot).id
            newest = self._simulations.page(caller.principal, bot_id, Paging(1, 1)).simulations
            if not newest:
                raise NoSimulationYet
            run_id = newest[0].run_id
        run = self._simulations.run(caller.principal, bot_id, run_id)
        log = run.trade_log[-LOG_ENTRIES_SHOWN:]
        return SimulationWithLogFacts.model_validate(run.model_copy(update={"trade_log": log}))

    def _running_simulation(self, principal: Principal, bot: BotView) -> str | None:
        """At most one of a bot's simulations is running or paused, and it is the newest."""
        newest = self._simulations.page(principal, bot.id, Paging(1, 1)).simulations
        return newest[0].run_id if newest and newest[0].status != "stopped" else None


async def _finished(run: Searched, read: Callable[[], Searched], seconds: float) -> Searched:
    """Return the run once it has finished, or as it is after this many seconds."""
    deadline = asyncio.get_running_loop().time() + seconds
    while run.status not in FINISHED and asyncio.get_running_loop().time() < deadline:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        run = await reading(read)
    return run


def _is_done(run: BacktestView) -> bool:
    """Return whether the run is finished and graded: the verdict of a completed run follows within a moment."""
    graded = run.status != "completed" or run.verdict is not None or run.verdict_error is not None
    return run.status in FINISHED and graded


def _was_changed(bot: BotView, revisions: list[RevisionView]) -> bool:
    """Return whether there is a strategy to go back to. A bot is made with its first one, unless that came later."""
    return bot.revision > 1 or any(revision.created_at > bot.created_at for revision in revisions)

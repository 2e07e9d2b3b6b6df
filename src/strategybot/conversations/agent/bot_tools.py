"""The tools about bots and their strategies."""

from strategybot.bots.schemas import BotDraft, BotPatch, BotView, RevisionView
from strategybot.conversations.agent.arguments import (
    Bot,
    BotName,
    DryRun,
    NewName,
    NewToken,
    OnChain,
    Purpose,
    SameStrategy,
    WholeStrategy,
)
from strategybot.conversations.agent.facts import (
    NO_STRATEGY,
    BotFacts,
    BotInfoFacts,
    BotListFacts,
    ChangedStrategyFacts,
    CheckedStrategyFacts,
    CurrentStrategyFacts,
    ListedBotFacts,
    RestoredStrategyFacts,
    RunSummaryFacts,
    StrategyFacts,
)
from strategybot.conversations.agent.refusals import NothingToUndo
from strategybot.conversations.agent.running import running_simulation, running_watch_id
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.caller import Caller
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_blocking, run_read
from strategybot.trading.language.strategy import Strategy

MOST_BOTS_SHOWN = 50


async def get_current_strategy(work: ToolContext) -> CurrentStrategyFacts:
    """The linked bot's strategy, in plain English too, and the one before it; `bot` is null if none is linked."""
    return await run_read(_current_strategy, work)


async def update_trading_strategy(
    work: ToolContext, strategy: WholeStrategy, bot: Bot = None, dry_run: DryRun = False
) -> ChangedStrategyFacts | CheckedStrategyFacts:
    """Replace a bot's whole strategy, or check one with `dry_run`."""
    if dry_run:
        return CheckedStrategyFacts(summary=strategy.summary if strategy else None, strategy=strategy)
    return await run_blocking(_update, work, strategy, bot)


async def create_bot(
    work: ToolContext,
    name: NewName,
    description: Purpose = "",
    token: NewToken = None,
    chain: OnChain = None,
    strategy: SameStrategy = None,
) -> StrategyFacts:
    """Create a bot, with its strategy if that is known, and link it to this conversation."""
    if token is not None:
        token, chain = await work.services.token_choice.token_and_chain(token, chain)
    draft = BotDraft(name=name, description=description, token=token, chain=chain, strategy=strategy)
    return await run_blocking(_create, work, draft)


async def list_bots(work: ToolContext) -> BotListFacts:
    """The user's bots, newest first, and which one is linked to this conversation."""
    return await run_read(_list, work)


async def set_bot(work: ToolContext, bot: BotName) -> StrategyFacts:
    """Link one of the user's bots to this conversation."""
    return await run_blocking(_link, work, bot)


async def get_bot_info(work: ToolContext, bot: Bot = None) -> BotInfoFacts:
    """A bot with its strategy, its last backtest, and whether a simulation of it is running."""
    return await run_read(_info, work, bot)


async def undo(work: ToolContext, bot: Bot = None) -> RestoredStrategyFacts:
    """Bring back the strategy that a bot had before its last change."""
    return await run_blocking(_undo, work, bot)


def _current_strategy(work: ToolContext) -> CurrentStrategyFacts:
    """Return the strategy of the linked bot. Without one return `NO_STRATEGY`: a new user has no bot yet."""
    caller, services = work.caller, work.services
    if services.bot_choice.linked_id(caller) is None:
        return NO_STRATEGY
    bot = services.bot_choice.chosen(caller, None)
    page = services.bots.revisions(caller.principal, bot.id, Paging(1, 2))
    earlier = page.revisions[1].strategy if len(page.revisions) > 1 else None
    return CurrentStrategyFacts(
        **dict(_strategy_facts(work, bot)),
        previous_strategy=earlier,
        has_previous=_was_changed(bot, page.revisions),
    )


def _update(work: ToolContext, strategy: Strategy | None, bot: str | None) -> ChangedStrategyFacts:
    caller = work.caller
    before = work.services.bot_choice.to_act_on(caller, bot)
    based_on = caller.seen_revisions.get(before.id, before.revision)
    patch = BotPatch.model_validate({"strategy": strategy})
    after = work.services.bots.change(caller.principal, before.id, patch, frozenset({based_on}))
    return ChangedStrategyFacts(
        **dict(_strategy_facts(work, after)),
        before=before.strategy,
        before_summary=before.strategy_summary,
    )


def _undo(work: ToolContext, bot: str | None) -> RestoredStrategyFacts:
    caller, bots = work.caller, work.services.bots
    found = work.services.bot_choice.to_act_on(caller, bot)
    page = bots.revisions(caller.principal, found.id, Paging(1, 2))
    if not _was_changed(found, page.revisions):
        raise NothingToUndo
    if len(page.revisions) < 2:
        return _update(work, None, found.id if bot else None)
    restored = bots.restore(caller.principal, found.id, page.revisions[1].revision)
    return RestoredStrategyFacts(**dict(_strategy_facts(work, restored)), before_summary=found.strategy_summary)


def _create(work: ToolContext, draft: BotDraft) -> StrategyFacts:
    caller = work.caller
    bot = work.services.bots.create(caller.principal, draft)
    if isinstance(caller, Caller):
        work.services.links.link(caller.principal, caller.conversation_id, bot.id)
    return _strategy_facts(work, bot)


def _list(work: ToolContext) -> BotListFacts:
    page = work.services.bots.page(work.caller.principal, Paging(1, MOST_BOTS_SHOWN))
    linked = work.services.bot_choice.linked_id(work.caller)
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


def _link(work: ToolContext, bot: str) -> StrategyFacts:
    found = work.services.bot_choice.to_link(work.caller, bot)
    if isinstance(work.caller, Caller):
        work.services.links.link(work.caller.principal, work.caller.conversation_id, found.id)
    return _strategy_facts(work, found)


def _info(work: ToolContext, bot: str | None) -> BotInfoFacts:
    services, principal = work.services, work.caller.principal
    found = services.bot_choice.chosen(work.caller, bot)
    runs = services.backtests.page(principal, found.id, Paging(1, 1))
    return BotInfoFacts(
        **dict(_strategy_facts(work, found)),
        description=found.description,
        created_at=found.created_at,
        updated_at=found.updated_at,
        backtests=runs.total_backtests,
        last_backtest=RunSummaryFacts.model_validate(runs.backtests[0]) if runs.backtests else None,
        is_simulating=running_simulation(work, found.id) is not None,
        watch_run_id=running_watch_id(work, found.id),
    )


def _strategy_facts(work: ToolContext, bot: BotView) -> StrategyFacts:
    work.caller.seen_revisions[bot.id] = bot.revision
    return StrategyFacts(
        bot=BotFacts.model_validate(bot),
        revision=bot.revision,
        strategy=bot.strategy,
        summary=bot.strategy_summary,
        backtests_left=work.services.backtests.backtests_remaining(work.caller.principal),
    )


def _was_changed(bot: BotView, revisions: list[RevisionView]) -> bool:
    """Return whether there is a strategy to go back to. A bot is made with its first one, unless that came later."""
    return bot.revision > 1 or any(revision.created_at > bot.created_at for revision in revisions)

"""The tools about bots and their strategies."""

from strategybot.bots.schemas import BotDraft, BotPatch, BotView, HoldoutRequest
from strategybot.bots.service import NothingToUndo
from strategybot.conversations.agent.agreement import check_agreed_for_good
from strategybot.conversations.agent.arguments import (
    Bot,
    BotName,
    ChangedName,
    ChangedPurpose,
    Confirmation,
    DryRun,
    HoldoutAction,
    NewName,
    NewToken,
    OnChain,
    Purpose,
    Revision,
    SameStrategy,
    SealedFrom,
    Steps,
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
    RevisionFacts,
    RunSummaryFacts,
    StrategyFacts,
)
from strategybot.conversations.agent.refusals import NotConfirmed
from strategybot.conversations.agent.result_facts import DeletedFacts, HoldoutFacts
from strategybot.conversations.agent.run_choice import running_simulation, running_watch_id
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.caller import Caller
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_blocking, run_read
from strategybot.trading.language.strategy import Strategy

MOST_BOTS_SHOWN = 50
REVISIONS_SHOWN = 5


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


async def update_bot(
    work: ToolContext,
    bot: Bot = None,
    name: ChangedName = None,
    description: ChangedPurpose = None,
    token: NewToken = None,
    chain: OnChain = None,
) -> StrategyFacts:
    """Rename a bot, or change its description, default token or chain. Its strategy stays."""
    if token is not None:
        token, chain = await work.services.token_choice.token_and_chain(token, chain)
    given = {"name": name, "description": description, "token": token, "chain": chain}
    changes = {field: value for field, value in given.items() if value is not None}
    if not changes:
        raise InvalidInput([FieldError("name", "is required, or another field to change")])
    return await run_blocking(_change, work, bot, BotPatch.model_validate(changes))


async def delete_bot(work: ToolContext, bot: BotName, confirm: Confirmation) -> DeletedFacts:
    """Delete a bot with all its runs and revisions, for good."""
    return await run_blocking(_delete, work, bot, confirm)


async def restore_revision(work: ToolContext, revision: Revision, bot: Bot = None) -> RestoredStrategyFacts:
    """Bring back the strategy of an earlier revision of a bot, as a new one."""
    return await run_blocking(_restore, work, bot, revision)


async def holdout(
    work: ToolContext, action: HoldoutAction, starts_at: SealedFrom = None, bot: Bot = None
) -> HoldoutFacts:
    """Seal the newest part of a bot's history, so that tests cannot see it, or open it for a last, honest test."""
    return await run_blocking(_hold_out, work, action, starts_at, bot)


async def undo(work: ToolContext, bot: Bot = None, steps: Steps = 1) -> RestoredStrategyFacts:
    """Take back the last change of a bot's strategy, or the last few. The next undo goes further back."""
    return await run_blocking(_undo, work, bot, steps)


def _current_strategy(work: ToolContext) -> CurrentStrategyFacts:
    """Return the strategy of the linked bot. Without one return `NO_STRATEGY`: a new user has no bot yet."""
    caller, services = work.caller, work.services
    if services.bot_choice.linked_id(caller) is None:
        return NO_STRATEGY
    bot = services.bot_choice.chosen(caller, None)
    has_previous, earlier = True, None
    try:
        earlier = services.bots.before(caller.principal, bot.id)
    except NothingToUndo:
        has_previous = False
    return CurrentStrategyFacts(
        **dict(_strategy_facts(work, bot)), previous_strategy=earlier, has_previous=has_previous
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


def _undo(work: ToolContext, bot: str | None, steps: int) -> RestoredStrategyFacts:
    found = work.services.bot_choice.to_act_on(work.caller, bot)
    restored = work.services.bots.undo(work.caller.principal, found.id, steps)
    return RestoredStrategyFacts(**dict(_strategy_facts(work, restored)), before_summary=found.strategy_summary)


def _change(work: ToolContext, bot: str | None, patch: BotPatch) -> StrategyFacts:
    found = work.services.bot_choice.to_act_on(work.caller, bot)
    return _strategy_facts(work, work.services.bots.change(work.caller.principal, found.id, patch))


def _delete(work: ToolContext, bot: str, confirm: str) -> DeletedFacts:
    found = work.services.bot_choice.to_act_on(work.caller, bot)
    if confirm != found.name:
        raise NotConfirmed
    check_agreed_for_good(work, found.id, "delete_bot", "This deletes the bot {name} with all its runs")
    work.services.bots.delete(work.caller.principal, found.id)
    return DeletedFacts(deleted=found.name)


def _restore(work: ToolContext, bot: str | None, revision: int) -> RestoredStrategyFacts:
    found = work.services.bot_choice.to_act_on(work.caller, bot)
    restored = work.services.bots.restore(work.caller.principal, found.id, revision)
    return RestoredStrategyFacts(**dict(_strategy_facts(work, restored)), before_summary=found.strategy_summary)


def _hold_out(work: ToolContext, action: str, starts_at: int | None, bot: str | None) -> HoldoutFacts:
    bots, principal = work.services.bots, work.caller.principal
    found = work.services.bot_choice.to_act_on(work.caller, bot)
    if action == "seal":
        question = "Tests of {name} no longer see the sealed part. It can be sealed once: this is"
        check_agreed_for_good(work, found.id, "seal_history", question)
        changed = bots.seal(principal, found.id, HoldoutRequest.model_validate({"from": starts_at}))
    else:
        check_agreed_for_good(work, found.id, "open_history", "This opens the sealed history of {name}")
        changed = bots.open_holdout(principal, found.id)
    sealed = changed.holdout
    assert sealed is not None  # noqa: S101  it was just sealed or opened
    return HoldoutFacts(
        bot_id=found.id,
        sealed=sealed.sealed,
        starts_at=sealed.from_time,
        sealed_at=sealed.sealed_at,
        opened_at=sealed.opened_at,
    )


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
    revisions = services.bots.revisions(principal, found.id, Paging(1, REVISIONS_SHOWN))
    return BotInfoFacts(
        **dict(_strategy_facts(work, found)),
        description=found.description,
        created_at=found.created_at,
        updated_at=found.updated_at,
        backtests=runs.total_backtests,
        last_backtest=RunSummaryFacts.model_validate(runs.backtests[0]) if runs.backtests else None,
        is_simulating=running_simulation(work, found.id) is not None,
        watch_run_id=running_watch_id(work, found.id),
        holdout=_holdout_words(found),
        revisions=[RevisionFacts.model_validate(each, from_attributes=True) for each in revisions.revisions],
    )


def _holdout_words(bot: BotView) -> str | None:
    if bot.holdout is None:
        return None
    since = f"{bot.holdout.from_time:%Y-%m-%dT%H:%MZ}"
    return f"sealed from {since}" if bot.holdout.sealed else f"was sealed from {since}, and is open"


def _strategy_facts(work: ToolContext, bot: BotView) -> StrategyFacts:
    work.caller.seen_revisions[bot.id] = bot.revision
    return StrategyFacts(
        bot=BotFacts.model_validate(bot),
        revision=bot.revision,
        strategy=bot.strategy,
        summary=bot.strategy_summary,
        backtests_left=work.services.backtests.backtests_remaining(work.caller.principal),
    )

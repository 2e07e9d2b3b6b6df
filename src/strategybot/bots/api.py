"""`/api/bots`: create, list, read, change and delete bots, and go back to an earlier strategy."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response

from strategybot.accounts.dependencies import CurrentPrincipal
from strategybot.bots.dependencies import STALE, ExpectedRevisions, revision_tag
from strategybot.bots.schemas import (
    BotDraft,
    BotPage,
    BotPatch,
    BotView,
    HoldoutRequest,
    RevisionPage,
    StrategyDescription,
    StrategyExport,
)
from strategybot.bots.service import Bots
from strategybot.bots.views import description_of
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import HundredAPage, Id
from strategybot.kit.http.provided import provide
from strategybot.trading.language.document import LanguageView, language
from strategybot.trading.language.strategy import Strategy

router = APIRouter(prefix="/api/bots", tags=["Bots"], route_class=JsonRoute)


BotsService = Annotated[Bots, Depends(provide(Bots))]

WithRuns = Annotated[bool, Query(description="Whether each bot has its newest run of each kind")]

strategies_router = APIRouter(prefix="/api/strategies", tags=["Bots"], route_class=JsonRoute)
language_router = APIRouter(prefix="/api/language", tags=["Strategy language"])


@language_router.get("")
def read_language() -> LanguageView:
    """Return the strategy language: its JSON schema, and every series with its parameters, phrase and pane. Public."""
    return language()


@router.post("", status_code=201, responses=error_responses(401, 403, 409))
def create_bot(bots: BotsService, principal: CurrentPrincipal, draft: BotDraft, response: Response) -> BotView:
    """Create a bot. Its strategy may be set later."""
    return _tag(response, bots.create(principal, draft))


@router.get("", responses=error_responses(401))
def list_bots(bots: BotsService, principal: CurrentPrincipal, paging: HundredAPage, runs: WithRuns = False) -> BotPage:
    """Return your bots, newest first."""
    return bots.page(principal, paging, runs)


@router.get("/{bot_id}", responses=error_responses(401, 404))
def read_bot(bots: BotsService, principal: CurrentPrincipal, bot_id: Id, response: Response) -> BotView:
    """Return a bot. The header `ETag` names the revision of its strategy."""
    return _tag(response, bots.bot(principal, bot_id))


@router.patch("/{bot_id}", responses={**error_responses(401, 404, 409), **STALE})
def change_bot(
    bots: BotsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    patch: BotPatch,
    expected: ExpectedRevisions,
    response: Response,
) -> BotView:
    """Change any subset of a bot. A new strategy replaces the old one completely and becomes a new revision."""
    return _tag(response, bots.change(principal, bot_id, patch, expected))


@router.put("/{bot_id}", responses={**error_responses(401, 404, 409), **STALE})
def replace_bot(
    bots: BotsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    draft: BotDraft,
    expected: ExpectedRevisions,
    response: Response,
) -> BotView:
    """Replace a bot. Omitted fields are reset to their defaults."""
    return _tag(response, bots.replace(principal, bot_id, draft, expected))


@router.delete("/{bot_id}", status_code=204, responses=error_responses(401, 404))
def delete_bot(bots: BotsService, principal: CurrentPrincipal, bot_id: Id) -> None:
    """Delete a bot and everything that belongs to it."""
    bots.delete(principal, bot_id)


@strategies_router.post("/import", status_code=201, responses=error_responses(401, 403, 409))
def import_strategy(bots: BotsService, principal: CurrentPrincipal, exported: StrategyExport) -> BotView:
    """Create a bot from an exported strategy. If its name is taken, a number is appended."""
    return bots.adopt(principal, exported)


@strategies_router.post("/describe", responses=error_responses(401))
def describe_strategy(_principal: CurrentPrincipal, strategy: Strategy) -> StrategyDescription:
    """Return a strategy in words, and the candles it cannot run on. Nothing is saved."""
    return description_of(strategy)


@router.get("/{bot_id}/export", responses=error_responses(401, 404))
def export_strategy(bots: BotsService, principal: CurrentPrincipal, bot_id: Id, response: Response) -> StrategyExport:
    """Return the bot's strategy as one file, with the versions that wrote it and nothing about its owner."""
    exported = bots.export(principal, bot_id)
    response.headers["Content-Disposition"] = f"attachment; filename=strategy-{bot_id}.json"
    return exported


@router.get("/{bot_id}/revisions", responses=error_responses(401, 404))
def list_revisions(bots: BotsService, principal: CurrentPrincipal, bot_id: Id, paging: HundredAPage) -> RevisionPage:
    """Return the kept strategies of the bot, newest first."""
    return bots.revisions(principal, bot_id, paging)


@router.post("/{bot_id}/revisions/{revision}/restore", responses={**error_responses(401, 404), **STALE})
def restore_revision(
    bots: BotsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    revision: Annotated[int, Path(ge=1, description="The number of the revision")],
    expected: ExpectedRevisions,
    response: Response,
) -> BotView:
    """Restore an earlier strategy as a new revision."""
    return _tag(response, bots.restore(principal, bot_id, revision, expected))


@router.post("/{bot_id}/undo", responses={**error_responses(401, 404, 409), **STALE})
def undo_changes(
    bots: BotsService,
    principal: CurrentPrincipal,
    bot_id: Id,
    expected: ExpectedRevisions,
    response: Response,
    steps: Annotated[int, Query(ge=1, le=100, description="How many changes to take back")] = 1,
) -> BotView:
    """Take back the last change of the strategy, or the last few, as a new revision. Each undo goes further back."""
    return _tag(response, bots.undo(principal, bot_id, steps, expected))


@router.post("/{bot_id}/holdout", responses=error_responses(401, 404, 409))
def seal_history(
    bots: BotsService, principal: CurrentPrincipal, bot_id: Id, request: HoldoutRequest | None = None
) -> BotView:
    """Seal the newest part of the bot's history: backtests do not see it until it is opened."""
    return bots.seal(principal, bot_id, request or HoldoutRequest())


@router.post("/{bot_id}/holdout/open", responses=error_responses(401, 404, 409, 429))
def open_history(bots: BotsService, principal: CurrentPrincipal, bot_id: Id) -> BotView:
    """Open the sealed history. This is recorded, shown with every later result, and cannot be undone."""
    return bots.open_holdout(principal, bot_id)


def _tag(response: Response, bot: BotView) -> BotView:
    response.headers.update(revision_tag(bot.revision))
    return bot

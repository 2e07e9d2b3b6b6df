"""Bots: each belongs to one owner, has one strategy, and keeps its newest revisions."""

from collections.abc import Callable, Mapping
from datetime import datetime
from importlib.metadata import version
from itertools import count
from typing import Literal

from strategybot.accounts.service import Accounts, Principal
from strategybot.accounts.tiers import TIERS, upsell
from strategybot.bots import storage
from strategybot.bots.schemas import (
    DEFAULT_SPAN_SECONDS,
    BotDraft,
    BotPage,
    BotPatch,
    BotSimulation,
    BotView,
    HoldoutRequest,
    LatestRun,
    PaperTotal,
    RevisionPage,
    StrategyExport,
)
from strategybot.bots.storage import ConversationOf
from strategybot.bots.views import list_bot, revision_view, view_of
from strategybot.kit.changes import Change, note
from strategybot.kit.clock import Clock, utc_moment
from strategybot.kit.database import AnyRow, Database, Session
from strategybot.kit.errors import AppError, Conflict, FieldError, InvalidInput, NotFound, Refused
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.paging import Paging, page_fields
from strategybot.trading.language.strategy import Strategy

REVISIONS_KEPT = max(limits.revisions_per_bot for limits in TIERS.values())
LANGUAGE_VERSION: Literal[3] = 3
MAX_REVISION = 2**31 - 1
SEALED_SHARE = 0.25
HOUR = 3600
Expected = frozenset[int] | None
"""The revisions on which a change may be based; None allows any."""


LatestRuns = Callable[[Session, str], Mapping[str, list[LatestRun]]]
"""Of an owner, the newest run of each kind, by the ids of their bots."""
TestedSpan = Callable[[Session, str], tuple[int | None, int | None]]
"""From when to when the runs of a bot have seen its history, in unix seconds."""
SimulationsOf = Callable[[Session, str], Mapping[str, BotSimulation]]
"""Of an owner, the simulations that are running or paused, by the ids of their bots. One query for all of them."""


class BotNotFound(NotFound):
    message = "Bot not found."


class RevisionNotFound(NotFound):
    message = "Revision not found."


class NothingToUndo(Conflict):
    message = "There is nothing to undo: this strategy was never changed."

    def __init__(self, revision: int, changes: int) -> None:
        counted = "1 change" if changes == 1 else f"{changes} changes"
        earlier = f"Only {counted} can be undone." if changes else "There is nothing more to undo."
        super().__init__(earlier if revision > 1 else None)


class StaleRevision(AppError):
    """The request is based on a strategy that has been replaced. The body contains the current bot."""

    status = 412

    def __init__(self, current: BotView) -> None:
        super().__init__(
            f"The strategy of this bot has changed since you read it: it is at revision {current.revision} now."
        )
        self.current = current

    def body(self) -> dict[str, object]:
        return {**super().body(), "current": self.current.model_dump(mode="json")}


class AlreadySealed(Conflict):
    message = "The newest part of this bot's history was sealed already. It can be sealed only once."


class NothingSealed(Conflict):
    message = "This bot has no sealed history, or it was opened already."


class TooManyBots(Refused):
    def __init__(self, principal: Principal) -> None:
        limit = principal.limits.bots
        bots = "1 bot" if limit == 1 else f"{limit} bots"
        who = "Without an account you" if principal.standing == "anonymous" else f"The {principal.standing} tier"
        super().__init__(f"{who} can have {bots}.", upsell(principal.standing, "bots"))


class Bots:
    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        clock: Clock,
        conversation_of: ConversationOf,
        simulations_of: SimulationsOf,
        tested_span: TestedSpan,
        latest_runs: LatestRuns,
    ) -> None:
        self._database, self._accounts, self._clock = database, accounts, clock
        self._tested_span, self._latest_runs = tested_span, latest_runs
        self._queries, self._simulations_of = storage.BotQueries(conversation_of), simulations_of

    def create(self, principal: Principal, draft: BotDraft) -> BotView:
        now = self._clock()
        bot = storage.Bot(id=new_id(), owner_id=principal.owner_id, revision=0, created_at=now, updated_at=now)
        with self._database.write() as session:
            self._accounts.lock_owner(session, principal)
            if storage.count_bots(session, principal.owner_id) >= principal.limits.bots:
                raise TooManyBots(principal)
            with storage.unique_name(session):
                session.add(bot)
                # It never was without its first strategy, so an undo cannot take that away.
                self._apply(session, bot, draft, set(BotDraft.model_fields), undo_to=None)
            return self._changed(session, bot, "created")

    def page(self, principal: Principal, paging: Paging, with_runs: bool = False) -> BotPage:
        with self._database.read() as session:
            found = self._queries.page(session, principal.owner_id, paging)
            simulated = self._simulations_of(session, principal.owner_id)
            latest = self._latest_runs(session, principal.owner_id) if with_runs else None
        bots = [
            list_bot(bot, simulated.get(bot.id), None if latest is None else latest.get(bot.id, []))
            for bot in found.rows
        ]
        total = PaperTotal.of(simulated.values())
        return BotPage(bots=bots, total_bots=found.total, paper_total=total, **page_fields(paging, found.total))

    def bot(self, principal: Principal, bot_id: str, expected: Expected = None) -> BotView:
        if not is_id(bot_id):
            raise BotNotFound
        with self._database.read() as session:
            bot = _show(self._queries.bot(session, principal.owner_id, bot_id))
        if expected is not None and bot.revision not in expected:
            raise StaleRevision(bot)
        return bot

    def change(self, principal: Principal, bot_id: str, patch: BotPatch, expected: Expected = None) -> BotView:
        return self._update(principal, bot_id, patch, patch.model_fields_set, expected)

    def replace(self, principal: Principal, bot_id: str, draft: BotDraft, expected: Expected = None) -> BotView:
        return self._update(principal, bot_id, draft, set(BotDraft.model_fields), expected)

    def delete(self, principal: Principal, bot_id: str) -> None:
        with self._database.write() as session:
            if not is_id(bot_id) or not storage.delete_bot(session, principal.owner_id, bot_id):
                raise BotNotFound
            note(session, Change(principal.owner_id, "bot", "deleted", bot_id))

    def export(self, principal: Principal, bot_id: str) -> StrategyExport:
        bot = self.bot(principal, bot_id)
        return StrategyExport(
            strategybot_version=version("strategybot"),
            language_version=LANGUAGE_VERSION,
            name=bot.name,
            description=bot.description,
            strategy=strategy_to_run(bot),
        )

    def adopt(self, principal: Principal, exported: StrategyExport) -> BotView:
        """Create a bot from an exported strategy. If its name is taken, a number is appended."""
        with self._database.read() as session:
            name = _free_name(exported.name, storage.names_of_bots(session, principal.owner_id))
        draft = BotDraft(name=name, description=exported.description, strategy=exported.strategy)
        return self.create(principal, draft)

    def revisions(self, principal: Principal, bot_id: str, paging: Paging) -> RevisionPage:
        with self._database.read() as session:
            _find_owned(session, principal, bot_id)
            found = storage.page_of_revisions(session, bot_id, paging)
        views = [revision_view(revision) for revision in found.rows]
        return RevisionPage(revisions=views, total_revisions=found.total, **page_fields(paging, found.total))

    def restore(self, principal: Principal, bot_id: str, revision: int, expected: Expected = None) -> BotView:
        """Save the strategy of an earlier revision as a new one."""
        with self._database.write() as session:
            bot = self._lock(session, principal, bot_id, expected)
            earlier = storage.revision_of(session, bot_id, revision) if revision <= MAX_REVISION else None
            if earlier is None:
                raise RevisionNotFound
            bot.updated_at = self._clock()
            _set_strategy(session, bot, earlier.strategy, bot.revision)
            return self._changed(session, bot)

    def before(self, principal: Principal, bot_id: str) -> Strategy | None:
        """Return the strategy that an undo brings back. Raise `NothingToUndo` if there is none."""
        with self._database.read() as session:
            return _undone(session, _find_owned(session, principal, bot_id), 1)[0]

    def undo(self, principal: Principal, bot_id: str, steps: int = 1, expected: Expected = None) -> BotView:
        """Take back the last changes of the strategy, as a new revision. The next undo goes further back."""
        with self._database.write() as session:
            bot = self._lock(session, principal, bot_id, expected)
            bot.strategy, below = _undone(session, bot, steps)
            bot.updated_at = self._clock()
            _add_revision(session, bot, below)
            return self._changed(session, bot)

    def seal(self, principal: Principal, bot_id: str, request: HoldoutRequest) -> BotView:
        """Hide the history from the requested time on from the bot's backtests, once. The default is the newest
        quarter of the history that its runs have used, without what they have seen of it.
        """
        now = self._clock()
        with self._database.write() as session:
            bot = _find_owned(session, principal, bot_id, lock=True)
            start = request.from_time
            if start is None:
                begun, ended = self._tested_span(session, bot_id)
                start = max(_newest_quarter(begun, now), ended or 0)
            elif start >= now.timestamp():
                raise InvalidInput([FieldError("from", "must lie in the past: only history can be sealed")])
            if bot.holdout_from is not None:
                raise AlreadySealed
            bot.holdout_from, bot.holdout_sealed_at = utc_moment(start), now
            return self._changed(session, bot)

    def open_holdout(self, principal: Principal, bot_id: str) -> BotView:
        """Let backtests use the sealed history from now on. This cannot be undone."""
        with self._database.write() as session:
            bot = _find_owned(session, principal, bot_id, lock=True)
            if bot.holdout_from is None or bot.holdout_opened_at is not None:
                raise NothingSealed
            bot.holdout_opened_at = self._clock()
            return self._changed(session, bot)

    def _update(
        self, principal: Principal, bot_id: str, draft: BotDraft, fields: set[str], expected: Expected
    ) -> BotView:
        with self._database.write() as session:
            bot = self._lock(session, principal, bot_id, expected)
            with storage.unique_name(session):
                bot.updated_at = self._clock()
                self._apply(session, bot, draft, fields, undo_to=bot.revision)
            return self._changed(session, bot)

    def _changed(self, session: Session, bot: storage.Bot, what: str = "changed") -> BotView:
        """Write the bot and note the change. Return it as it is now."""
        session.flush()
        note(session, Change(bot.owner_id, "bot", what, bot.id))
        return _show(self._queries.bot(session, bot.owner_id, bot.id))

    def _lock(self, session: Session, principal: Principal, bot_id: str, expected: Expected) -> storage.Bot:
        """Return the locked row. Raise `StaleRevision` if its strategy is none of the expected ones."""
        bot = _find_owned(session, principal, bot_id, lock=True)
        if expected is not None and bot.revision not in expected:
            raise StaleRevision(_show(self._queries.bot(session, principal.owner_id, bot_id)))
        return bot

    def chains_in_use(self) -> list[str]:
        """Return the chains that the bots of all owners name."""
        with self._database.read() as session:
            return storage.chains_in_use(session)

    def _apply(
        self, session: Session, bot: storage.Bot, draft: BotDraft, fields: set[str], undo_to: int | None
    ) -> None:
        for name in fields - {"strategy", "universe"}:
            setattr(bot, name, getattr(draft, name))
        if "universe" in fields:
            bot.universe = draft.model_dump(mode="json", include={"universe"})["universe"]
        if "strategy" in fields:
            _set_strategy(session, bot, draft.strategy, undo_to)


def _set_strategy(session: Session, bot: storage.Bot, strategy: Strategy | None, undo_to: int | None) -> None:
    if strategy != bot.strategy:
        bot.strategy = strategy
        _add_revision(session, bot, undo_to)


def _add_revision(session: Session, bot: storage.Bot, undo_to: int | None) -> None:
    bot.revision += 1
    storage.add_revision(session, bot, undo_to)
    if bot.revision > REVISIONS_KEPT:
        storage.delete_old_revisions(session, bot, REVISIONS_KEPT)


def _undone(session: Session, bot: storage.Bot, steps: int) -> tuple[Strategy | None, int | None]:
    """Return the strategy so many changes ago, and to which revision an undo goes back from there."""
    here = storage.revision_of(session, bot.id, bot.revision)
    strategy, below = bot.strategy, here.undo_to if here else None
    for done in range(steps):
        if below is None:
            raise NothingToUndo(bot.revision, done)
        earlier = storage.revision_of(session, bot.id, below)
        if earlier is None and below > 0:  # too old to be kept
            raise NothingToUndo(bot.revision, done)
        strategy, below = (earlier.strategy, earlier.undo_to) if earlier else (None, None)
    return strategy, below


def _newest_quarter(begin: int | None, now: datetime) -> int:
    """Return the full hour at which the newest quarter of the history since `begin` starts."""
    end = int(now.timestamp())
    begin = end - DEFAULT_SPAN_SECONDS if begin is None else begin
    return int(end - SEALED_SHARE * (end - begin)) // HOUR * HOUR


def strategy_to_run(bot: BotView) -> Strategy:
    if bot.strategy is None:
        raise InvalidInput([FieldError("strategy", "is required: this bot has none yet")])
    return bot.strategy


names_by_id = storage.names_by_id
count_bots = storage.count_bots


def name_of(session: Session, bot_id: str) -> str:
    """Return the bot's name for a notification; it may have been deleted."""
    return names_by_id(session, [bot_id]).get(bot_id, "A bot")


def transfer_bots(session: Session, from_owner: str, to_owner: str) -> None:
    """Move every bot to another owner. A number is appended to a name that is taken there."""
    taken = storage.names_of_bots(session, to_owner)
    for bot in storage.bots_of(session, from_owner):
        bot.owner_id, bot.name = to_owner, _free_name(bot.name, taken)
        taken.add(bot.name)
    session.flush()


def _free_name(name: str, taken: set[str]) -> str:
    candidates = (f"{name[:94]} ({number})" for number in count(2))
    return name if name not in taken else next(free for free in candidates if free not in taken)


def _find_owned(session: Session, principal: Principal, bot_id: str, *, lock: bool = False) -> storage.Bot:
    bot = storage.bot_of(session, principal.owner_id, bot_id, lock=lock) if is_id(bot_id) else None
    if bot is None:
        raise BotNotFound
    return bot


def _show(row: AnyRow | None) -> BotView:
    if row is None:
        raise BotNotFound
    return view_of(row)

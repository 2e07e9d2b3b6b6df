"""The runs of a bot, for its owner. The service of every kind of run inherits `Runs`, or `QueuedRuns`."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Principal
from strategybot.accounts.tiers import MOST_DETAILED_SEARCHES, upsell
from strategybot.bots.schemas import BotView
from strategybot.bots.service import BotNotFound, Bots, strategy_to_run
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, Gone, NotFound, Refused
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.json_object import Json
from strategybot.kit.paging import PageView, Paging, page_fields
from strategybot.kit.threads import run_blocking
from strategybot.market.service import Market
from strategybot.runs import storage
from strategybot.runs.planning import costs_of, instrument_of
from strategybot.runs.schemas import HistoryRequest, RunToken
from strategybot.runs.spans import span_of
from strategybot.runs.storage import BotRun, QueuedRun
from strategybot.trading.engine.instruments import Interval

Run = TypeVar("Run", bound=BotRun)
Queued = TypeVar("Queued", bound=QueuedRun)
View = TypeVar("View", bound=BaseModel)
Page = TypeVar("Page", bound=PageView)


class RunFinished(Conflict):
    message = "This run is finished already."


class SearchDetailsDeleted(Gone):
    message = (
        f"The details of this run were deleted: the newest {MOST_DETAILED_SEARCHES} of a bot keep them, "
        "older ones keep their summary."
    )


class TooManyRuns(Refused):
    def __init__(self, principal: Principal, what: str) -> None:
        limit = principal.limits.backtests
        message = f"The {principal.standing} tier can run {limit} {what} at once."
        super().__init__(message, upsell(principal.standing, what))


class NeedsAnAccount(Refused):
    def __init__(self, principal: Principal, what: str) -> None:
        super().__init__(f"Without an account you cannot run {what}.", upsell(principal.standing, what))


class TooManyTokens(Refused):
    def __init__(self, principal: Principal, what: str, limit: int, tokens: int) -> None:
        message = (
            f"In the {principal.standing} tier a {what} can have {limit} tokens, and this one would have {tokens}."
        )
        super().__init__(message, upsell(principal.standing, f"tokens a {what}"))


class Runs(ABC, Generic[Run, View, Page]):
    """The service of one kind of run."""

    model: type[Run]
    missing: type[NotFound]
    summary_type: type[BaseModel]
    page_type: type[Page]
    plural: str
    """The name of the list in a page, and what refusals call the runs."""

    def __init__(self, database: Database, accounts: Accounts, bots: Bots, market: Market, clock: Clock) -> None:
        self._database, self._accounts, self._bots = database, accounts, bots
        self._market, self._clock = market, clock

    @abstractmethod
    def view(self, run: Run) -> View:
        """Return the run as its owner sees it."""

    @abstractmethod
    def stop(self, principal: Principal, bot_id: str, run_id: str) -> View:
        """Stop the run, whichever process works on it."""

    def stop_all(self, owner_id: str) -> None:
        """Stop the runs of an owner that would never end; for the operator."""

    def run(self, principal: Principal, bot_id: str, run_id: str) -> View:
        return self.view(self.find(principal, bot_id, run_id))

    def page(self, principal: Principal, bot_id: str, paging: Paging) -> Page:
        """Return the bot's runs, newest first, without their long fields."""
        self._bots.bot(principal, bot_id)
        with self._database.read() as session:
            found = storage.page_of_runs(session, self.model, bot_id, paging)
        summaries = [self.summary_type.model_validate(run) for run in found.rows]
        listed: dict[str, Any] = {self.plural: summaries, f"total_{self.plural}": found.total}
        return self.page_type(**listed, **page_fields(paging, found.total))

    def bot_of(self, principal: Principal, run_id: str) -> str:
        """Return the id of the bot that a run of this owner belongs to."""
        with self._database.read() as session:
            known = is_id(run_id)
            bot_id = storage.bot_of_run(session, self.model, principal.owner_id, run_id) if known else None
        if bot_id is None:
            raise self.missing
        return bot_id

    def live(self) -> dict[str, int]:
        """Return the number of live runs of all users, by their status."""
        with self._database.read() as session:
            return storage.count_live_by_status(session, self.model)

    def find(self, principal: Principal, bot_id: str, run_id: str) -> Run:
        with self._database.read() as session:
            return self.find_owned(session, principal, bot_id, run_id)

    def find_owned(
        self, session: Session, principal: Principal, bot_id: str, run_id: str, *, lock: bool = False, **options: Any
    ) -> Run:
        """Return the row of the owner's run, or raise that it is missing."""
        place = (principal.owner_id, bot_id, run_id)
        known = is_id(bot_id) and is_id(run_id)
        run = storage.find_run(session, self.model, *place, lock=lock, **options) if known else None
        if run is None:
            raise self.missing
        return run

    def columns(self, principal: Principal, bot: BotView) -> Json:
        """Return the columns that every new run of the bot has."""
        return {
            "run_id": new_id(),
            "bot_id": bot.id,
            "owner_id": principal.owner_id,
            "epoch": 0,
            "status": self.model.live_statuses[0],
            "created_at": self._clock(),
            "strategy": strategy_to_run(bot),
            "strategy_revision": bot.revision,
            "data_source": self._market.source,
            "details_kept": True,
        }

    def tokens_once(self, bot: BotView, defaults: UserSettings, tokens: Iterable[RunToken]) -> list[Json]:
        """Return the address and chain of each token, without those that were named before."""
        found: dict[str, Json] = {}
        for each in tokens:
            token, chain = instrument_of(bot, each.token, each.chain, defaults.default_chain)
            found.setdefault(self._market.normal_id(f"{token}-{chain}"), {"token": token, "chain": chain})
        return list(found.values())


class Starter(Protocol):
    """What a service needs of the runner of its kind."""

    def start(self, run_id: str) -> Awaitable[None]: ...

    def stop(self, run_id: str) -> None: ...


class QueuedRuns(Runs[Queued, View, Page]):
    """The service of one kind of run over a span of history."""

    finished: type[Conflict] = RunFinished

    def __init__(
        self, database: Database, accounts: Accounts, bots: Bots, market: Market, clock: Clock, runner: Starter
    ) -> None:
        super().__init__(database, accounts, bots, market, clock)
        self._runner = runner

    def stop(self, principal: Principal, bot_id: str, run_id: str) -> View:
        with self._database.write() as session:
            run = self.find_owned(session, principal, bot_id, run_id, lock=True)
            if run.status not in self.model.live_statuses:
                raise self.finished
            storage.end(session, run, "stopped", self._clock())
        self._runner.stop(run_id)
        return self.view(run)

    def admit(self, session: Session, principal: Principal) -> None:
        """Raise if the owner has too many runs of this kind. The owner is locked."""
        if storage.count_unfinished(session, self.model, principal.owner_id) >= principal.limits.backtests:
            raise TooManyRuns(principal, self.plural)

    def history_columns(
        self,
        principal: Principal,
        bot: BotView,
        defaults: UserSettings,
        request: HistoryRequest,
        interval: Interval,
        warm_up: int,
        tokens: int = 1,
    ) -> Json:
        """Return the columns of a new run over the span of the request. Raise if the tier does not allow the span."""
        now = int(self._clock().timestamp())
        start, end = span_of(principal, request, interval, bot.holdout, now, warm_up, tokens)
        return {
            **self.columns(principal, bot),
            **costs_of(request, defaults),
            "progress": 0.0,
            "kline_interval": interval,
            "start_time": start,
            "end_time": end,
            "holdout": bot.holdout and bot.holdout.model_dump(mode="json"),
        }

    async def _submit(self, principal: Principal, create: Callable[[], Queued]) -> View:
        """Save the run that `create` returns, and ask for it to be run in the background."""
        run = await run_blocking(self._add, principal, create)
        await self._runner.start(run.run_id)
        return self.view(run)

    def _add(self, principal: Principal, create: Callable[[], Queued]) -> Queued:
        run = create()
        with self._database.write() as session:
            self._accounts.lock_owner(session, principal)
            self.admit(session, principal)
            self._accounts.admit_run(session, principal)
            if not storage.add(session, run):
                raise BotNotFound
        return run


Service = TypeVar("Service", bound=Runs[Any, Any, Any])


class RunNotFound(NotFound):
    message = "Run not found."


class AllRuns:
    """The services of all kinds of run, by the names of the kinds."""

    def __init__(self, services: Mapping[str, Runs[Any, Any, Any]]) -> None:
        self._services = services

    def __iter__(self) -> Iterator[Runs[Any, Any, Any]]:
        return iter(self._services.values())

    def of(self, service: type[Service]) -> Service:
        """Return the service of this class."""
        return next(each for each in self if isinstance(each, service))

    def find(self, principal: Principal, run_id: str) -> BaseModel:
        """Return a run of this owner, of whatever kind and bot it is."""
        service, bot_id = self._place(principal, run_id)
        found: BaseModel = service.run(principal, bot_id, run_id)
        return found

    def stop(self, principal: Principal, run_id: str) -> BaseModel:
        """Stop a run of this owner, of whatever kind and bot it is."""
        service, bot_id = self._place(principal, run_id)
        stopped: BaseModel = service.stop(principal, bot_id, run_id)
        return stopped

    def kinds(self) -> Iterable[tuple[str, Runs[Any, Any, Any]]]:
        """Return the names of the kinds with their services."""
        return self._services.items()

    def kind_of(self, principal: Principal, run_id: str) -> str:
        """Return the name of the kind of a run."""
        service, _ = self._place(principal, run_id)
        return next(name for name, each in self._services.items() if each is service)

    def stop_all(self, owner_id: str) -> None:
        for service in self:
            service.stop_all(owner_id)

    def _place(self, principal: Principal, run_id: str) -> tuple[Runs[Any, Any, Any], str]:
        for service in self:
            with suppress(service.missing):
                return service, service.bot_of(principal, run_id)
        raise RunNotFound

    def bot_of(self, principal: Principal, run_id: str) -> str:
        """Return the id of the bot of a run, of whatever kind it is."""
        return self._place(principal, run_id)[1]

    def count_live(self) -> dict[str, int]:
        """Return the number of live runs of all users, by kind, and by status where a kind has several."""
        return {
            name if len(counts) == 1 else f"{name}_{status}": count
            for name, service in self._services.items()
            for counts in [service.live()]
            for status, count in counts.items()
        }

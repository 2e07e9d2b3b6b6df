"""Starts, stops and returns the optimisations and surveys of a bot, for its owner."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Generic, TypeVar

from pydantic import BaseModel

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Accounts, Principal
from strategybot.accounts.tiers import MOST_DETAILED_SEARCHES, upsell
from strategybot.backtests.service import Backtests
from strategybot.bots.schemas import BotView
from strategybot.bots.service import (
    BotNotFound,
    Bots,
    instrument_of,
    interval_for,
    money_of,
    new_run,
    strategy_to_run,
)
from strategybot.kit.clock import Clock, utc_moment
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, FieldError, Gone, InvalidInput, NotFound, Refused
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.json_object import Json
from strategybot.kit.leases import count_live_by_status
from strategybot.kit.paging import Paging, Slice, page_fields
from strategybot.kit.runs import QueuedRunner
from strategybot.kit.threads import in_thread
from strategybot.market.service import Market
from strategybot.research import storage
from strategybot.research.findings import grid_of
from strategybot.research.live import LiveResearch
from strategybot.research.parameters import grid_asked_for
from strategybot.research.schemas import (
    OptimisationPage,
    OptimisationSummary,
    OptimisationView,
    OptimiseRequest,
    SurveyPage,
    SurveyRequest,
    SurveySummary,
    SurveyView,
    VariantsPage,
    VariantView,
)
from strategybot.research.storage import Optimisation, ResearchRun, Survey
from strategybot.research.survey_rows import return_of, survey_csv
from strategybot.trading.conditions import known_after_candles
from strategybot.trading.cost_words import cost_notes
from strategybot.trading.grid import Grid
from strategybot.trading.instruments import INTERVAL_SECONDS, INTERVALS, Interval
from strategybot.trading.search import COLUMNS, Singles
from strategybot.trading.search_words import not_recommended
from strategybot.trading.words import finite

MOST_WORK = 5_000_000_000  # variants times candles
ELSEWHERE_TAKES = timedelta(minutes=15)  # at most; after that the process that tested other tokens has died
Model = TypeVar("Model", bound=ResearchRun)


class OptimisationNotFound(NotFound):
    message = "Optimisation not found."


class SurveyNotFound(NotFound):
    message = "Survey not found."


class ResearchFinished(Conflict):
    message = "This run is finished already."


class DetailsDeleted(Gone):
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
    def __init__(self, principal: Principal, tokens: int) -> None:
        limit = principal.limits.survey_tokens
        message = (
            f"In the {principal.standing} tier a survey can have {limit} tokens, and this one would have {tokens}."
        )
        super().__init__(message, upsell(principal.standing, "tokens a survey"))


class Runs(Generic[Model]):
    """What optimisations and surveys have in common."""

    model: type[Model]
    missing: type[NotFound]
    what: str

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        bots: Bots,
        backtests: Backtests,
        market: Market,
        runner: QueuedRunner[Model, LiveResearch],
        clock: Clock,
    ) -> None:
        self._database, self._accounts, self._bots, self._backtests = database, accounts, bots, backtests
        self._market, self._runner, self._clock = market, runner, clock

    def live(self) -> dict[str, int]:
        """Return the number of pending and running runs of all users."""
        with self._database.read() as session:
            return count_live_by_status(session, self.model)

    async def _started(self, create: Callable[[], Model]) -> Model:
        """Return the run that `create` saves, and run it in the background."""
        run = await in_thread(create)
        await self._runner.start(run.run_id)
        return run

    def _add(self, principal: Principal, run: Model) -> Model:
        with self._database.write() as session:
            self._accounts.hold(session, principal)
            if storage.count_live(session, self.model, principal.owner_id) >= principal.limits.backtests:
                raise TooManyRuns(principal, self.what)
            self._accounts.admit_run(session, principal)
            if not storage.add(session, run):
                raise BotNotFound
        return run

    def _new(self, bot: BotView, interval: Interval, span: tuple[int, int]) -> Json:
        """Return the columns of a new run that do not depend on its kind."""
        return {
            "epoch": 0,
            "status": "pending",
            "progress": 0.0,
            "created_at": self._clock(),
            "kline_interval": interval,
            "start_time": span[0],
            "end_time": span[1],
            "data_source": self._market.source,
            "holdout": bot.holdout and bot.holdout.model_dump(mode="json"),
            "details_kept": True,
        }

    def _page(self, principal: Principal, bot_id: str, paging: Paging) -> Slice[Model]:
        self._bots.bot(principal, bot_id)
        with self._database.read() as session:
            return storage.page_of_runs(session, self.model, bot_id, paging)

    def _found(self, principal: Principal, bot_id: str, run_id: str) -> Model:
        with self._database.read() as session:
            return self._owned(session, principal, bot_id, run_id)

    def _detailed(self, principal: Principal, bot_id: str, run_id: str) -> Model:
        """Return the run, or raise `DetailsDeleted` if its variants or rows were deleted."""
        run = self._found(principal, bot_id, run_id)
        if not run.details_kept:
            raise DetailsDeleted
        return run

    def _stopped(self, principal: Principal, bot_id: str, run_id: str) -> Model:
        with self._database.write() as session:
            run = self._owned(session, principal, bot_id, run_id, lock=True)
            if run.status not in self.model.live_statuses:
                raise ResearchFinished
            storage.stop(session, run, self._clock())
        self._runner.stop(run_id)
        return run

    def _owned(self, session: Session, principal: Principal, bot_id: str, run_id: str, *, lock: bool = False) -> Model:
        known = is_id(bot_id) and is_id(run_id)
        run = storage.find_run(session, self.model, principal.owner_id, bot_id, run_id, lock=lock) if known else None
        if run is None:
            raise self.missing
        return run


class Optimisations(Runs[Optimisation]):
    model, missing, what = Optimisation, OptimisationNotFound, "optimisations"

    async def start(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: OptimiseRequest
    ) -> OptimisationView:
        """Save the search and run it in the background."""
        return self._view(await self._started(partial(self._create, principal, defaults, bot_id, request)))

    def run(self, principal: Principal, bot_id: str, run_id: str) -> OptimisationView:
        return self._view(self._found(principal, bot_id, run_id))

    def page(self, principal: Principal, bot_id: str, paging: Paging) -> OptimisationPage:
        found = self._page(principal, bot_id, paging)
        summaries = [OptimisationSummary.model_validate(_facts(run, OptimisationSummary)) for run in found.rows]
        fields = page_fields(paging, found.total)
        return OptimisationPage(optimisations=summaries, total_optimisations=found.total, **fields)

    def variants(self, principal: Principal, bot_id: str, run_id: str, paging: Paging) -> VariantsPage:
        run = self._detailed(principal, bot_id, run_id)
        with self._database.read() as session:
            rows = storage.variants_of(session, run_id)
        grid, total = grid_of(run), len(rows)
        numbers = range(paging.offset, min(total, paging.offset + paging.per_page))
        views = [variant_view(grid, number, rows) for number in numbers]
        return VariantsPage(variants=views, total_variants=total, **page_fields(paging, total))

    def stop(self, principal: Principal, bot_id: str, run_id: str) -> OptimisationView:
        return self._view(self._stopped(principal, bot_id, run_id))

    def _create(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: OptimiseRequest
    ) -> Optimisation:
        bot, limits = self._bots.bot(principal, bot_id), principal.limits
        if not limits.optimiser_variants:
            raise NeedsAnAccount(principal, self.what)
        planned = vars(new_run(bot, principal, defaults, request))
        planned.pop("intrabar")
        more = upsell(principal.standing, "variants")
        grid = grid_asked_for(strategy_to_run(bot), request.parameters, limits.optimiser_variants, more)
        interval = _interval(grid, request.kline_interval, defaults)
        warm_up = grid.known_after_candles(INTERVAL_SECONDS[interval])
        span = self._backtests.span(principal, request, interval, bot.holdout, warm_up)
        _refuse_too_much_work(len(grid), (span[1] - span[0]) // INTERVAL_SECONDS[interval])
        run = Optimisation(
            **planned,
            **self._new(bot, interval, span),
            parameters=grid.parameters,
            objective=request.objective,
            minimum_trades=request.minimum_trades,
            variants_total=len(grid),
            variants_done=0,
        )
        return self._add(principal, run)

    def _view(self, run: Optimisation) -> OptimisationView:
        found = run.found or {"best": None, "recommended": None, "walk_forward": None, "p_loss": None}
        verdict = run.verdict
        if verdict is not None and run.finished_at is not None:
            is_waiting = verdict["other_tokens_pending"] and self._clock() - run.finished_at < ELSEWHERE_TAKES
            verdict = {**verdict, "other_tokens_pending": is_waiting}
        return OptimisationView.model_validate(
            {
                **_facts(run, OptimisationView),
                **found,
                "verdict": verdict,
                "strategy_summary": run.strategy.summary,
                "cost_notes": cost_notes(run.costs),
                "not_recommended": _not_recommended(found, verdict),
            }
        )


class Surveys(Runs[Survey]):
    model, missing, what = Survey, SurveyNotFound, "surveys"

    async def start(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: SurveyRequest
    ) -> SurveyView:
        """Save the survey and run it in the background."""
        return _survey_view(await self._started(partial(self._create, principal, defaults, bot_id, request)))

    def run(self, principal: Principal, bot_id: str, run_id: str) -> SurveyView:
        return _survey_view(self._found(principal, bot_id, run_id))

    def page(self, principal: Principal, bot_id: str, paging: Paging) -> SurveyPage:
        found = self._page(principal, bot_id, paging)
        summaries = [SurveySummary.model_validate(_facts(run, SurveySummary)) for run in found.rows]
        return SurveyPage(surveys=summaries, total_surveys=found.total, **page_fields(paging, found.total))

    def rows_csv(self, principal: Principal, bot_id: str, run_id: str) -> Iterator[str]:
        """Return the rows of the survey as CSV, the best return first."""
        run = self._detailed(principal, bot_id, run_id)
        return iter([survey_csv(sorted(run.rows, key=return_of, reverse=True), run.data_source)])

    def stop(self, principal: Principal, bot_id: str, run_id: str) -> SurveyView:
        return _survey_view(self._stopped(principal, bot_id, run_id))

    def _create(self, principal: Principal, defaults: UserSettings, bot_id: str, request: SurveyRequest) -> Survey:
        bot, most = self._bots.bot(principal, bot_id), principal.limits.survey_tokens
        if not most:
            raise NeedsAnAccount(principal, self.what)
        strategy = strategy_to_run(bot)
        tokens = self._tokens(bot, defaults, request)
        count = len(tokens) or request.limit or most
        if count > most:
            raise TooManyTokens(principal, count)
        interval = interval_for(strategy, request.kline_interval, defaults)
        warm_up = known_after_candles(strategy, INTERVAL_SECONDS[interval])
        span = self._backtests.span(principal, request, interval, bot.holdout, warm_up)
        money = money_of(defaults, request)
        run = Survey(
            **self._new(bot, interval, span),
            **money,
            costs=request.run_costs(money["fee_percent"], money["slippage_percent"]),
            run_id=new_id(),
            bot_id=bot.id,
            owner_id=principal.owner_id,
            strategy=strategy,
            strategy_revision=bot.revision,
            tokens=tokens,
            trending=request.trending,
            tokens_total=count,
            tokens_done=0,
            rows=[],
        )
        return self._add(principal, run)

    def _tokens(self, bot: BotView, defaults: UserSettings, request: SurveyRequest) -> list[Json]:
        """Return the requested tokens, each once; an empty list if trending tokens are requested."""
        if (request.tokens is None) == (request.trending is None):
            raise InvalidInput([FieldError("tokens", "or `trending` must be given, and not both")])
        found: dict[str, Json] = {}
        for each in request.tokens or []:
            token, chain = instrument_of(bot, each.token, each.chain, defaults.default_chain)
            found.setdefault(self._market.normal_id(f"{token}-{chain}"), {"token": token, "chain": chain})
        return list(found.values())


def transfer_research(session: Session, from_owner: str, to_owner: str) -> None:
    storage.transfer_runs(session, from_owner, to_owner)


def variant_view(grid: Grid, number: int, rows: Singles) -> VariantView:
    numbers = [finite(each) for each in rows[number].tolist()]
    known = dict(zip(COLUMNS, numbers, strict=False))
    trades = known.pop("total_trades")
    return VariantView.model_validate(
        {
            **known,
            "number": number,
            "parameters": grid.values_at(number),
            "total_trades": None if trades is None else int(trades),
            "blocks": numbers[len(COLUMNS) :],
        }
    )


def _interval(grid: Grid, asked: Interval | None, defaults: UserSettings) -> Interval:
    """Return the interval of the run. It must fit the windows and intervals of every variant."""
    among = grid.fitting_intervals()
    if not among:
        raise InvalidInput([FieldError("parameters", f"do not fit: {grid.misfit(INTERVALS[0], INTERVALS)}")])
    for variant in grid.one_at_a_time if asked is not None else ():
        interval_for(variant, asked, defaults, among)  # raises with the advice for this variant
    return interval_for(grid.strategy, asked, defaults, among)


def _refuse_too_much_work(variants: int, candles: int) -> None:
    if variants * candles > MOST_WORK:
        message = (
            f"make {variants} variants of {candles} candles each, and a search can have {MOST_WORK:.0e} of both "
            "together. Use longer candles, less time or fewer values."
        )
        raise InvalidInput([FieldError("parameters", message)])


MADE_LATER = {
    "strategy_summary",
    "cost_notes",
    "best",
    "recommended",
    "not_recommended",
    "walk_forward",
    "p_loss",
}


def _facts(run: ResearchRun, view: type[BaseModel]) -> Json:
    names = view.model_fields.keys() - MADE_LATER - {"start_time", "end_time"}
    facts = {name: getattr(run, name) for name in names}
    return {**facts, "start_time": utc_moment(run.start_time), "end_time": utc_moment(run.end_time)}


def _not_recommended(found: Json, verdict: Json | None) -> str | None:
    if found["recommended"] is None:
        return None
    graded, walked = verdict or {}, found["walk_forward"] or {}
    return not_recommended(walked.get("total_return"), graded.get("grade"), graded.get("headline"))


def _survey_view(run: Survey) -> SurveyView:
    facts = _facts(run, SurveyView)
    rows = sorted(facts.pop("rows"), key=return_of, reverse=True)
    return SurveyView.model_validate({**facts, "rows": rows, "strategy_summary": run.strategy.summary})

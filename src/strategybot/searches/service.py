"""Searches: the owner of a bot looks for better values of its strategy. The API calls them optimisations."""

from datetime import timedelta

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.accounts.tiers import upsell
from strategybot.bots.service import strategy_to_run
from strategybot.kit.errors import FieldError, InvalidInput, NotFound
from strategybot.kit.json_object import Json
from strategybot.kit.paging import Paging, page_fields
from strategybot.runs.planning import instrument_of, interval_for
from strategybot.runs.service import NeedsAnAccount, QueuedRuns, SearchDetailsDeleted
from strategybot.searches import storage
from strategybot.searches.findings import grid_of
from strategybot.searches.parameters import grid_asked_for
from strategybot.searches.schemas import (
    OptimisationPage,
    OptimisationSummary,
    OptimisationView,
    OptimiseRequest,
    VariantsPage,
    VariantView,
)
from strategybot.searches.storage import Optimisation
from strategybot.trading.engine.instruments import INTERVAL_SECONDS, INTERVALS, Interval
from strategybot.trading.search.grid import Grid
from strategybot.trading.search.results import COLUMNS, Singles
from strategybot.trading.words.costs import cost_notes
from strategybot.trading.words.numbers import finite
from strategybot.trading.words.searches import not_recommended

MOST_WORK = 5_000_000_000  # variants times candles
ELSEWHERE_TAKES = timedelta(minutes=15)  # at most; after that the process that tested other tokens has died
NOTHING_FOUND: Json = {"best": None, "recommended": None, "walk_forward": None, "p_loss": None}


class OptimisationNotFound(NotFound):
    message = "Optimisation not found."


class Optimisations(QueuedRuns[Optimisation, OptimisationView, OptimisationPage]):
    model, missing = Optimisation, OptimisationNotFound
    summary_type, page_type, plural = OptimisationSummary, OptimisationPage, "optimisations"

    async def start(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: OptimiseRequest
    ) -> OptimisationView:
        """Save the search and run it in the background."""
        return await self._submit(principal, lambda: self._plan(principal, defaults, bot_id, request))

    def view(self, run: Optimisation) -> OptimisationView:
        found, verdict = run.found or NOTHING_FOUND, run.verdict
        if verdict is not None and run.finished_at is not None:
            is_waiting = verdict["other_tokens_pending"] and self._clock() - run.finished_at < ELSEWHERE_TAKES
            verdict = {**verdict, "other_tokens_pending": is_waiting}
        return OptimisationView.model_validate(
            {
                **dict(OptimisationSummary.model_validate(run)),
                **found,
                "strategy": run.strategy,
                "strategy_summary": run.strategy.summary,
                "cost_notes": cost_notes(run.costs),
                "not_recommended": _not_recommended(found, verdict),
                "verdict": verdict,
                "data_report": run.data_report,
                "holdout": run.holdout,
            }
        )

    def variants(self, principal: Principal, bot_id: str, run_id: str, paging: Paging) -> VariantsPage:
        run = self.find(principal, bot_id, run_id)
        if not run.details_kept:
            raise SearchDetailsDeleted
        with self._database.read() as session:
            rows = storage.variants_of(session, run_id)
        grid, total = grid_of(run), len(rows)
        numbers = range(paging.offset, min(total, paging.offset + paging.per_page))
        views = [variant_view(grid, number, rows) for number in numbers]
        return VariantsPage(variants=views, total_variants=total, **page_fields(paging, total))

    def _plan(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: OptimiseRequest
    ) -> Optimisation:
        bot, limits = self._bots.bot(principal, bot_id), principal.limits
        if not limits.optimiser_variants:
            raise NeedsAnAccount(principal, self.plural)
        token, chain = instrument_of(bot, request.token, request.chain, defaults.default_chain)
        more = upsell(principal.standing, "variants")
        grid = grid_asked_for(strategy_to_run(bot), request.parameters, limits.optimiser_variants, more)
        interval = _interval(grid, request.kline_interval, defaults)
        warm_up = grid.known_after_candles(INTERVAL_SECONDS[interval])
        run = Optimisation(
            **self.history_columns(principal, bot, defaults, request, interval, warm_up),
            token=token,
            chain=chain,
            parameters=grid.parameters,
            objective=request.objective,
            minimum_trades=request.minimum_trades,
            variants_total=len(grid),
            variants_done=0,
        )
        _refuse_too_much_work(len(grid), (run.end_time - run.start_time) // run.interval_seconds)
        return run


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


def _not_recommended(found: Json, verdict: Json | None) -> str | None:
    if found["recommended"] is None:
        return None
    graded, walked = verdict or {}, found["walk_forward"] or {}
    own = found["recommended"]["metrics"].get("total_return")
    return not_recommended(walked.get("total_return"), graded.get("grade"), graded.get("headline"), own)

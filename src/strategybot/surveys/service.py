"""Surveys: the owner of a bot tests its strategy on many tokens at once."""

from collections.abc import Iterator

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.bots.schemas import BotView
from strategybot.bots.service import strategy_to_run
from strategybot.kit.errors import FieldError, InvalidInput, NotFound
from strategybot.kit.json_object import Json
from strategybot.runs.planning import interval_for
from strategybot.runs.service import NeedsAnAccount, QueuedRuns, SearchDetailsDeleted, TooManyTokens
from strategybot.surveys.rows import return_of, survey_csv
from strategybot.surveys.schemas import SurveyPage, SurveyRequest, SurveySummary, SurveyView
from strategybot.surveys.storage import Survey
from strategybot.trading.engine.conditions import known_after_candles
from strategybot.trading.engine.instruments import INTERVAL_SECONDS


class SurveyNotFound(NotFound):
    message = "Survey not found."


class Surveys(QueuedRuns[Survey, SurveyView, SurveyPage]):
    model, missing = Survey, SurveyNotFound
    summary_type, page_type, plural = SurveySummary, SurveyPage, "surveys"

    async def start(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: SurveyRequest
    ) -> SurveyView:
        """Save the survey and run it in the background."""
        return await self._submit(principal, lambda: self._plan(principal, defaults, bot_id, request))

    def view(self, run: Survey) -> SurveyView:
        return SurveyView.model_validate(
            {
                **dict(SurveySummary.model_validate(run)),
                "strategy": run.strategy,
                "strategy_summary": run.strategy.summary,
                "rows": sorted(run.rows, key=return_of, reverse=True),
                "notes": run.notes,
                "holdout": run.holdout,
            }
        )

    def rows_csv(self, principal: Principal, bot_id: str, run_id: str) -> Iterator[str]:
        """Return the rows of the survey as CSV, the best return first."""
        run = self.find(principal, bot_id, run_id)
        if not run.details_kept:
            raise SearchDetailsDeleted
        return iter([survey_csv(sorted(run.rows, key=return_of, reverse=True), run.data_source)])

    def _plan(self, principal: Principal, defaults: UserSettings, bot_id: str, request: SurveyRequest) -> Survey:
        bot, most = self._bots.bot(principal, bot_id), principal.limits.survey_tokens
        if not most:
            raise NeedsAnAccount(principal, self.plural)
        strategy = strategy_to_run(bot)
        tokens = self._tokens(bot, defaults, request)
        count = len(tokens) or request.limit or most
        if count > most:
            raise TooManyTokens(principal, "survey", most, count)
        interval = interval_for(strategy, request.kline_interval, defaults)
        warm_up = known_after_candles(strategy, INTERVAL_SECONDS[interval])
        return Survey(
            **self.history_columns(principal, bot, defaults, request, interval, warm_up),
            tokens=tokens,
            trending=request.trending,
            tokens_total=count,
            tokens_done=0,
            rows=[],
        )

    def _tokens(self, bot: BotView, defaults: UserSettings, request: SurveyRequest) -> list[Json]:
        """Return the requested tokens, each once; an empty list if trending tokens are requested."""
        if (request.tokens is None) == (request.trending is None):
            raise InvalidInput([FieldError("tokens", "or `trending` must be given, and not both")])
        return self.tokens_once(bot, defaults, request.tokens or [])

"""What a tool tells of a bot, a run and a token: the members of their views that matter, and why there may be none."""

from typing import Any

from strategybot.backtests.schemas import BacktestView, VerdictView
from strategybot.bots.schemas import BotView, RevisionView
from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.kit.errors import AppError, NotFound
from strategybot.market.schemas import Token
from strategybot.research.schemas import OptimisationView, Point, SurveyView
from strategybot.simulations.schemas import SimulationSummary
from strategybot.trading.language.strategy import Strategy

Json = dict[str, Any]

MOST_DAYS = 3650
MOST_TOKENS = 10
MOST_BOTS_SHOWN = 50
SECONDS_TO_WAIT = 15
SECONDS_BETWEEN_LOOKS = 0.05
TRADES_A_PAGE = 20
LOG_ENTRIES_SHOWN = 20
FINISHED = {"completed", "failed", "stopped"}
RUN_FACTS = {
    "run_id", "status", "progress", "token", "chain", "kline_interval", "start_time", "end_time", "initial_cash",
    "fee_percent", "slippage_percent", "strategy_revision", "data_source", "metrics", "metric_notes", "error",
}  # fmt: skip
VERDICT_FACTS = {"grade", "headline", "sentence", "trades", "trades_needed", "tries", "other_tokens_pending"}
SIMULATION_FACTS = {
    "run_id", "status", "stop_reason", "mode", "token", "chain", "check_interval", "kline_interval", "progress",
    "candles_processed", "candles_total", "portfolio",
}  # fmt: skip
OPTIMISATION_FACTS = {
    "run_id", "status", "progress", "token", "chain", "kline_interval", "start_time", "end_time", "parameters",
    "objective", "minimum_trades", "variants_total", "variants_done", "walk_forward", "p_loss", "error",
}  # fmt: skip
SURVEY_FACTS = {
    "run_id", "status", "progress", "kline_interval", "start_time", "end_time", "tokens_total", "tokens_done", "error",
}  # fmt: skip
POINT_METRICS = {"total_return", "win_rate", "max_drawdown", "total_trades", "sharpe_ratio"}
TOKEN_FACTS = {
    "token_id", "symbol", "name", "chain", "price_usd", "price_change_24h_percent", "volume_24h_usd", "liquidity_usd",
    "risk_score",
}  # fmt: skip

NO_STRATEGY: Json = {
    "bot": None,
    "revision": 0,
    "strategy": None,
    "summary": None,
    "backtests_left": None,
    "previous_strategy": None,
    "has_previous": False,
}


UNTRUSTED = ["symbol", "name"]
"""Fields of a token that a stranger wrote: data, never instructions."""


class NoBotNamed(AppError):
    status = 422
    message = "Say which bot: give its name or id as `bot`."


class NothingToUndo(AppError):
    status = 409
    message = "This bot's strategy has not been changed yet."


class NoBotLinked(AppError):
    status = 409
    message = "No bot is linked to this conversation yet."


class NoStrategy(AppError):
    status = 422
    message = "This bot has no strategy yet. When should it buy?"


class NoToken(AppError):
    status = 422
    message = "There is no token to run on: neither the request nor the bot names one. Search for one first."


class NoRunYet(NotFound):
    message = "This bot has no backtest yet."


class NoSimulationRunning(NotFound):
    message = "No simulation of this bot is running."


class NoSimulationYet(NotFound):
    message = "This bot has no simulation yet."


class NothingKnown(NotFound):
    message = "Nothing is known about this token."


def was_changed(bot: BotView, revisions: list[RevisionView]) -> bool:
    """Whether there is something to go back to: with its first strategy a bot was made, unless that came later."""
    return bot.revision > 1 or any(revision.created_at > bot.created_at for revision in revisions)


def bot_facts(bot: BotView) -> Json:
    return {"id": bot.id, "name": clean_text(bot.name, 100), "token": bot.token, "chain": bot.chain}


def written(strategy: Strategy | None) -> Json | None:
    return None if strategy is None else strategy.model_dump(mode="json")


def is_done(run: BacktestView) -> bool:
    """Is it finished and graded? The verdict of a completed run follows within a moment."""
    graded = run.status != "completed" or run.verdict is not None or run.verdict_error is not None
    return run.status in FINISHED and graded


def run_facts(run: BacktestView) -> Json:
    verdict = verdict_facts(run.verdict)
    said = {name: run.data_report and getattr(run.data_report, name) for name in ("fills_summary", "guards_summary")}
    return {**run.model_dump(mode="json", include=RUN_FACTS), "verdict": verdict, **said}


def verdict_facts(verdict: VerdictView | None) -> Json | None:
    if verdict is None:
        return None
    return {
        **verdict.model_dump(mode="json", include=VERDICT_FACTS),
        "checks": [{"passed": each.passed, "sentence": each.sentence} for each in verdict.checks],
    }


def optimisation_facts(run: OptimisationView) -> Json:
    """The walk-forward first: it is the figure to believe, and the best point flatters."""
    return {
        **run.model_dump(mode="json", include=OPTIMISATION_FACTS),
        "recommended": _point_facts(run.recommended),
        "best_in_sample": _point_facts(run.best),
        "verdict": verdict_facts(run.verdict),
    }


def _point_facts(point: Point | None) -> Json | None:
    if point is None:
        return None
    return {
        "parameters": point.parameters,
        "strategy": written(point.strategy),
        "metrics": point.metrics.model_dump(mode="json", include=POINT_METRICS),
    }


def survey_facts(run: SurveyView) -> Json:
    """Rows without their curves. A symbol is a stranger's text: cleaned, escaped, and marked as such."""
    rows = [
        {
            "token_id": row.token_id,
            "symbol": None if row.symbol is None else plain_name(row.symbol, 60),
            "error": row.error,
            "metrics": row.metrics and row.metrics.model_dump(mode="json", include=POINT_METRICS),
            "p": row.p,
            "good": row.good,
            "risk_level": row.risk_level,
        }
        for row in run.rows
    ]
    combined = run.combined and run.combined.model_dump(mode="json", exclude={"equity_curve"})
    facts = run.model_dump(mode="json", include=SURVEY_FACTS)
    return {**facts, "combined": combined, "rows": rows, "untrusted": ["symbol"]}


def token_facts(token: Token) -> Json:
    """Name and symbol are a stranger's text: cleaned, escaped, and marked as such."""
    facts = token.model_dump(mode="json", include=TOKEN_FACTS)
    return {**facts, **{name: plain_name(facts[name], 60) for name in UNTRUSTED}, "untrusted": UNTRUSTED}


def simulation_facts(run: SimulationSummary) -> Json:
    return run.model_dump(mode="json", include=SIMULATION_FACTS)

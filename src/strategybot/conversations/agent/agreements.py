"""What a tool does only after the user's own yes: each check raises the question until there is one."""

from strategybot.bots.schemas import BotView
from strategybot.bots.service import strategy_to_run
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.caller import Actor, Caller
from strategybot.conversations.consent import Kind, NeedsYes, act_of
from strategybot.conversations.hygiene import plain_name
from strategybot.kit.paging import Paging
from strategybot.runs.planning import interval_for
from strategybot.simulations.schemas import KLINE_INTERVALS, SimulationRequest, SimulationSummary
from strategybot.simulations.service import REPLAYED_SECONDS
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.words.numbers import counted

FEW_CANDLES = 20  # a replay of fewer is over before it shows anything


def running_simulation(work: ToolContext, bot_id: str) -> SimulationSummary | None:
    """At most one of a bot's simulations is running or paused, and it is the newest."""
    newest = work.services.simulations.page(work.caller.principal, bot_id, Paging(1, 1)).simulations
    return newest[0] if newest and newest[0].status != "stopped" else None


def check_last_backtest(work: ToolContext) -> None:
    """Raise if this would be a visitor's only backtest and they have not asked for it."""
    if isinstance(work.caller, Caller) and work.services.backtests.backtests_remaining(work.caller.principal) == 1:
        question = "This uses the only backtest that you have without an account. Shall I run it?"
        _check_agreed(work.caller, "last_backtest", work.caller.principal.owner_id, question)


def check_start(work: ToolContext, simulated: BotView, request: SimulationRequest) -> None:
    """Raise if a live simulation would end, or a replay would be over at once, and the user has not agreed to that."""
    may = work.caller.principal.standing != "anonymous"  # a visitor's simulation is refused anyway
    few = _few_candles_words(simulated, request, work.caller) if may and request.mode == "replay" else ""
    check_end_of_live(work, simulated.id, "replace_simulation", f"{few}This replaces", None)
    running = running_simulation(work, simulated.id)
    if few and isinstance(work.caller, Caller) and (running is None or running.mode == "replay"):
        question = f"{few}Say “follow it live” to trade on paper from now on, or “replay it on 1m candles” to see 60."
        _check_agreed(work.caller, "short_replay", simulated.id, f"{question} Shall I replay it anyway?")


def _few_candles_words(simulated: BotView, request: SimulationRequest, caller: Actor) -> str:
    interval = interval_for(strategy_to_run(simulated), request.kline_interval, caller.defaults, KLINE_INTERVALS)
    candles = REPLAYED_SECONDS // INTERVAL_SECONDS[interval]
    if candles >= FEW_CANDLES:
        return ""
    return f"An hour of {interval} candles is only {counted(candles, 'candle')}, so this replay is over at once. "


def check_end_of_watch(work: ToolContext, bot_id: str, kind: Kind, verb: str, run_id: str | None) -> None:
    """Raise if a running watch would end and the user has not agreed to that: at most one runs, the newest."""
    newest = work.services.watches.page(work.caller.principal, bot_id, Paging(1, 1)).watches
    if newest and newest[0].status != "stopped" and run_id in (None, newest[0].run_id):
        _check_agreed_to_end(work, bot_id, kind, f"This {verb} the watch of {{name}}")


def check_end_of_live(work: ToolContext, bot_id: str, kind: Kind, act: str, run_id: str | None) -> None:
    """Raise if a live simulation would end and the user has not agreed to that."""
    running = running_simulation(work, bot_id)
    if running is not None and running.mode == "live" and run_id in (None, running.run_id):
        since = f"{running.started_at:%Y-%m-%d %H:%M} UTC"
        _check_agreed_to_end(work, bot_id, kind, f"{act} the live simulation of {{name}}, running since {since},")


def _check_agreed_to_end(work: ToolContext, bot_id: str, kind: Kind, act: str) -> None:
    if isinstance(work.caller, Caller):
        name = plain_name(work.services.bots.bot(work.caller.principal, bot_id).name, 40)
        _check_agreed(work.caller, kind, bot_id, f"{act.format(name=name)} for good. Shall I do it?")


def _check_agreed(caller: Caller, kind: Kind, subject: str, question: str) -> None:
    if not caller.said.agrees_to(kind, subject):
        raise NeedsYes(act_of(kind, subject), question)

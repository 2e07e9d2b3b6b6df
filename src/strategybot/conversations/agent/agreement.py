"""What a conversation does only after the user's own order or yes. Outside of one, the client asks its user."""

from strategybot.bots.schemas import BotView
from strategybot.bots.service import strategy_to_run
from strategybot.conversations.agent.run_choice import running_simulation, running_watch_id
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.conversations.caller import Actor, Caller
from strategybot.conversations.consent import Kind, NeedsYes, act_of
from strategybot.conversations.hygiene import plain_name
from strategybot.runs.planning import interval_for
from strategybot.simulations.schemas import KLINE_INTERVALS, SimulationRequest
from strategybot.simulations.service import REPLAYED_SECONDS
from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from strategybot.trading.words.numbers import counted

FEW_CANDLES = 20  # a replay of fewer is over before it shows anything


def check_last_backtest(work: ToolContext) -> None:
    """Raise if this would be a visitor's only backtest and they have not asked for it."""
    if isinstance(work.caller, Caller) and work.services.backtests.backtests_remaining(work.caller.principal) == 1:
        question = "This uses the only backtest that you have without an account. Shall I run it?"
        check_agreed(work, "last_backtest", work.caller.principal.owner_id, question)


def check_start(work: ToolContext, simulated: BotView, request: SimulationRequest) -> None:
    """Raise if a live simulation would end, or a replay would be over at once, and the user has not agreed to that."""
    may = work.caller.principal.standing != "anonymous"  # a visitor's simulation is refused anyway
    is_replay = request.mode == "replay" and not has_many(simulated, request)
    few = _few_candles_words(simulated, request, work.caller) if may and is_replay else ""
    check_end_of_live(work, simulated.id, "replace_simulation", f"{few}This replaces", None)
    running = running_simulation(work, simulated.id)
    if few and isinstance(work.caller, Caller) and (running is None or running.mode == "replay"):
        question = f"{few}Say “follow it live” to trade on paper from now on. Shall I replay it anyway?"
        check_agreed(work, "short_replay", simulated.id, question)


def has_many(simulated: BotView, request: SimulationRequest) -> bool:
    """Return whether the simulation trades many tokens, and so is live."""
    own = request.token is None and simulated.universe is not None
    return own or request.tokens is not None or request.universe is not None


def _few_candles_words(simulated: BotView, request: SimulationRequest, caller: Actor) -> str:
    interval = interval_for(strategy_to_run(simulated), request.kline_interval, caller.defaults, KLINE_INTERVALS)
    candles = REPLAYED_SECONDS // INTERVAL_SECONDS[interval]
    if candles >= FEW_CANDLES:
        return ""
    few = f"An hour of {interval} candles is only {counted(candles, 'candle')}, so this replay is over at once."
    return f"{few} Say “replay it on 1m candles” to see 60. "


def check_end_of_watch(work: ToolContext, bot_id: str, kind: Kind, verb: str, run_id: str | None) -> None:
    """Raise if a running watch would end and the user has not agreed to that: at most one runs, the newest."""
    running = running_watch_id(work, bot_id)
    if running is not None and run_id in (None, running):
        check_agreed_for_good(work, bot_id, kind, f"This {verb} the watch of {{name}}")


def check_end_of_live(work: ToolContext, bot_id: str, kind: Kind, act: str, run_id: str | None) -> None:
    """Raise if a live simulation would end and the user has not agreed to that."""
    running = running_simulation(work, bot_id)
    if running is not None and running.mode == "live" and run_id in (None, running.run_id):
        since = f"{running.started_at:%Y-%m-%d %H:%M} UTC"
        check_agreed_for_good(work, bot_id, kind, f"{act} the live simulation of {{name}}, running since {since},")


def check_agreed_for_good(work: ToolContext, bot_id: str, kind: Kind, act: str) -> None:
    """Raise if the user has not agreed to this act on a bot, which cannot be taken back."""
    if isinstance(work.caller, Caller):
        name = plain_name(work.services.bots.bot(work.caller.principal, bot_id).name, 40)
        check_agreed(work, kind, bot_id, f"{act.format(name=name)} for good. Shall I do it?")


def check_agreed(work: ToolContext, kind: Kind, subject: str, question: str) -> None:
    if isinstance(work.caller, Caller) and not work.caller.said.agrees_to(kind, subject):
        raise NeedsYes(act_of(kind, subject), question)

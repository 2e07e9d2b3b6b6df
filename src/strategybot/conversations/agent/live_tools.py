"""The tools about what goes on until it is stopped: simulations and watches."""

from typing import Any, Unpack

from strategybot.bots.schemas import BotView
from strategybot.conversations.agent.agreement import check_end_of_live, check_end_of_watch, check_start
from strategybot.conversations.agent.arguments import (
    Bot,
    Candles,
    NeededMode,
    PaperArguments,
    Replace,
    RunId,
    RunMode,
    WatchTokens,
)
from strategybot.conversations.agent.live_facts import SimulationFacts, SimulationWithLogFacts, WatchFacts
from strategybot.conversations.agent.refusals import NoSimulationRunning, NoSimulationYet, WouldReplace
from strategybot.conversations.agent.run_choice import (
    add_symbol,
    purse_of,
    ready,
    run_tokens,
    running_simulation,
    with_strategy,
)
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.kit.paging import Paging
from strategybot.kit.threads import run_blocking, run_read
from strategybot.simulations.schemas import SimulationRequest
from strategybot.watches.schemas import WatchRequest, WatchView

LOG_ENTRIES_SHOWN = 20


async def start_simulation(work: ToolContext, mode: RunMode = None, **asked: Unpack[PaperArguments]) -> SimulationFacts:
    """Paper-trade a bot's strategy, with no real money. A simulation of the bot that runs already is replaced."""
    simulated, request = await _asked(work, {"mode": mode} if mode else {}, asked)
    await run_read(check_start, work, simulated, request)
    return await _start(work, simulated.id, request)


async def begin_simulation(
    work: ToolContext, mode: NeededMode, replace: Replace = False, **asked: Unpack[PaperArguments]
) -> SimulationFacts:
    """Paper-trade a bot's strategy, with no real money. Each bot runs one simulation at a time."""
    simulated, request = await _asked(work, {"mode": mode}, asked)
    running = await run_read(running_simulation, work, simulated.id)
    if running is not None and not replace:
        raise WouldReplace(running)
    return await _start(work, simulated.id, request)


async def stop_simulation(work: ToolContext, run_id: RunId = None, bot: Bot = None) -> SimulationFacts:
    """Stop a simulation."""
    return await add_symbol(work, await run_blocking(_stop_simulation, work, run_id, bot))


async def get_simulation(work: ToolContext, run_id: RunId = None, bot: Bot = None) -> SimulationWithLogFacts:
    """A simulation: its status, portfolio, last decisions, and what it waits for."""
    return await add_symbol(work, await run_read(_simulation, work, run_id, bot))


async def start_watch(
    work: ToolContext, tokens: WatchTokens = None, kline_interval: Candles = None, bot: Bot = None
) -> WatchFacts:
    """ "Alert me when …": notify the user whenever a bot's entry conditions become true on some tokens. Trades nothing.

    The bot's strategy must hold these conditions first. A watch of the bot that runs already is replaced.
    """
    chosen = None if tokens is None else await run_tokens(work, tokens)
    request = WatchRequest(tokens=chosen, kline_interval=kline_interval)
    return WatchFacts.model_validate(await run_blocking(_start_watch, work, request, bot))


async def _asked(work: ToolContext, mode: dict[str, Any], asked: PaperArguments) -> tuple[BotView, SimulationRequest]:
    """Return the bot that is to trade, and the request. Raise if it has no strategy, or nothing to trade."""
    purse, token, chain = await purse_of(work, asked), asked.get("token"), asked.get("chain")
    request = SimulationRequest(
        **mode,
        **purse,
        token=token and await work.services.token_choice.token_id(token, chain),
        chain=chain,
        check_interval=asked.get("check_interval"),
        kline_interval=asked.get("kline_interval"),
        initial_cash=asked.get("initial_cash"),
    )
    return await run_read(ready, work, request, asked.get("bot"), bool(purse)), request


async def _start(work: ToolContext, bot_id: str, request: SimulationRequest) -> SimulationFacts:
    run = await work.services.simulations.start(work.caller.principal, work.caller.defaults, bot_id, request)
    return await add_symbol(work, SimulationFacts.model_validate(run))


def _start_watch(work: ToolContext, request: WatchRequest, bot: str | None) -> WatchView:
    chosen = with_strategy(work, bot, needs_token=request.tokens is None)
    check_end_of_watch(work, chosen.id, "replace_watch", "replaces", None)
    return work.services.watches.start(work.caller.principal, work.caller.defaults, chosen.id, request)


def _stop_simulation(work: ToolContext, run_id: str | None, bot: str | None) -> SimulationFacts:
    principal, simulations, choice = work.caller.principal, work.services.simulations, work.services.bot_choice
    of_run = None if run_id is None or bot is not None else simulations.bot_of(principal, run_id)
    chosen = choice.to_act_on(work.caller, of_run or bot)
    running = running_simulation(work, chosen.id)
    run_id = run_id or (running.run_id if running else None)
    if run_id is None:
        raise NoSimulationRunning
    check_end_of_live(work, chosen.id, "end_simulation", "This ends", run_id)
    return SimulationFacts.model_validate(simulations.stop(principal, chosen.id, run_id))


def _simulation(work: ToolContext, run_id: str | None, bot: str | None) -> SimulationWithLogFacts:
    principal, simulations = work.caller.principal, work.services.simulations
    if run_id is not None:
        bot_id = simulations.bot_of(principal, run_id)
    else:
        bot_id = work.services.bot_choice.chosen(work.caller, bot).id
        newest = simulations.page(principal, bot_id, Paging(1, 1)).simulations
        if not newest:
            raise NoSimulationYet
        run_id = newest[0].run_id
    run = simulations.run(principal, bot_id, run_id)
    log = run.trade_log[-LOG_ENTRIES_SHOWN:]
    return SimulationWithLogFacts.model_validate(run.model_copy(update={"trade_log": log}))

"""The run of a bot that goes on: at most one simulation and one watch, each the newest of its kind."""

from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.kit.paging import Paging
from strategybot.simulations.schemas import SimulationSummary


def running_simulation(work: ToolContext, bot_id: str) -> SimulationSummary | None:
    """Return the simulation that is running or paused."""
    newest = work.services.simulations.page(work.caller.principal, bot_id, Paging(1, 1)).simulations
    return newest[0] if newest and newest[0].status != "stopped" else None


def running_watch_id(work: ToolContext, bot_id: str) -> str | None:
    newest = work.services.watches.page(work.caller.principal, bot_id, Paging(1, 1)).watches
    return newest[0].run_id if newest and newest[0].status != "stopped" else None

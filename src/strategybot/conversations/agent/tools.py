"""The table of all tools, each defined once: for the agent of a conversation and for MCP clients."""

from strategybot.conversations.agent.bot_tools import (
    create_bot,
    get_bot_info,
    get_current_strategy,
    list_bots,
    set_bot,
    undo,
    update_trading_strategy,
)
from strategybot.conversations.agent.market_tools import get_token, get_token_risk, search_tokens
from strategybot.conversations.agent.run_tools import (
    compare_backtests,
    get_backtest,
    get_run,
    get_simulation,
    optimise,
    run_backtest,
    start_simulation,
    start_watch,
    stop_run,
    stop_simulation,
    survey,
)
from strategybot.conversations.agent.slim import cleaned, slim
from strategybot.conversations.agent.tool_definition import ToolContext, ToolDefinition, ToolServices
from strategybot.conversations.caller import Actor

__all__ = [
    "TOOLS",
    "Actor",
    "ToolContext",
    "ToolDefinition",
    "ToolServices",
    "cleaned",
    "get_backtest",
    "get_bot_info",
    "slim",
]

TOOLS = (
    ToolDefinition(get_current_strategy, "reads", mcp_name=""),
    ToolDefinition(update_trading_strategy, "changes", mcp_name="update_strategy"),
    ToolDefinition(create_bot, "adds"),
    ToolDefinition(list_bots, "reads"),
    ToolDefinition(set_bot, "changes", mcp_name=""),
    ToolDefinition(get_bot_info, "reads", mcp_name="get_bot"),
    ToolDefinition(undo, "changes"),
    ToolDefinition(run_backtest, "adds"),
    ToolDefinition(get_backtest, "reads"),
    ToolDefinition(compare_backtests, "reads"),
    ToolDefinition(optimise, "adds"),
    ToolDefinition(survey, "adds"),
    ToolDefinition(start_simulation, "changes"),
    ToolDefinition(stop_simulation, "changes"),
    ToolDefinition(get_simulation, "reads"),
    ToolDefinition(start_watch, "changes"),
    ToolDefinition(get_run, "reads"),
    ToolDefinition(stop_run, "changes"),
    ToolDefinition(search_tokens, "reads"),
    ToolDefinition(get_token, "reads"),
    ToolDefinition(get_token_risk, "reads"),
)

"""The table of all tools, each defined once: for the agent of a conversation and for MCP clients."""

from strategybot.conversations.agent.bot_tools import (
    create_bot,
    delete_bot,
    get_bot_info,
    get_current_strategy,
    holdout,
    list_bots,
    restore_revision,
    set_bot,
    undo,
    update_bot,
    update_trading_strategy,
)
from strategybot.conversations.agent.live_tools import (
    begin_simulation,
    get_simulation,
    start_simulation,
    start_watch,
    stop_simulation,
)
from strategybot.conversations.agent.market_tools import (
    get_token,
    get_token_risk,
    market_candles,
    notify_me,
    search_tokens,
    token_with_risk,
)
from strategybot.conversations.agent.result_tools import explain, get_run, list_runs, share, stop_run
from strategybot.conversations.agent.run_tools import (
    compare_backtests,
    get_backtest,
    optimise,
    run_backtest,
    survey,
)
from strategybot.conversations.agent.slim import clean_result, slim
from strategybot.conversations.agent.tool_definition import (
    TOOLSETS,
    ToolContext,
    ToolDefinition,
    ToolServices,
    Toolset,
)
from strategybot.conversations.caller import Actor

__all__ = [
    "CHAT_TOOLS",
    "MCP_TOOLS",
    "TOOLS",
    "TOOLSETS",
    "Actor",
    "ToolContext",
    "ToolDefinition",
    "ToolServices",
    "Toolset",
    "clean_result",
    "get_bot_info",
    "get_run",
    "slim",
]

READ: tuple[Toolset, ...] = ("read",)
DESIGN: tuple[Toolset, ...] = ("design",)
RESEARCH: tuple[Toolset, ...] = ("research",)
PAPER: tuple[Toolset, ...] = ("paper",)
TOOLS = (
    ToolDefinition(get_current_strategy, "reads"),
    ToolDefinition(update_trading_strategy, "changes", DESIGN, mcp_name="update_strategy"),
    ToolDefinition(create_bot, "adds", DESIGN),
    ToolDefinition(update_bot, "changes", DESIGN),
    ToolDefinition(delete_bot, "changes", DESIGN),
    ToolDefinition(list_bots, "reads", READ),
    ToolDefinition(set_bot, "changes"),
    ToolDefinition(get_bot_info, "reads", READ, mcp_name="get_bot"),
    ToolDefinition(undo, "changes", DESIGN),
    ToolDefinition(restore_revision, "changes", DESIGN),
    ToolDefinition(holdout, "changes", RESEARCH),
    ToolDefinition(run_backtest, "adds", RESEARCH),
    ToolDefinition(get_backtest, "reads"),
    ToolDefinition(compare_backtests, "reads", READ),
    ToolDefinition(optimise, "adds", RESEARCH),
    ToolDefinition(survey, "adds", RESEARCH),
    ToolDefinition(start_simulation, "changes"),
    ToolDefinition(begin_simulation, "changes", PAPER, mcp_name="start_simulation", in_chat=False),
    ToolDefinition(stop_simulation, "changes"),
    ToolDefinition(get_simulation, "reads"),
    ToolDefinition(start_watch, "changes", PAPER),
    ToolDefinition(notify_me, "adds", PAPER, in_chat=False),  # a conversation must not send events elsewhere
    ToolDefinition(list_runs, "reads", READ, in_chat=False),
    ToolDefinition(get_run, "reads", READ),
    ToolDefinition(stop_run, "changes", ("research", "paper")),
    ToolDefinition(explain, "reads", READ),
    ToolDefinition(share, "changes", RESEARCH),
    ToolDefinition(search_tokens, "reads", READ),
    ToolDefinition(get_token, "reads"),
    ToolDefinition(get_token_risk, "reads"),
    ToolDefinition(token_with_risk, "reads", READ, mcp_name="get_token", in_chat=False),
    ToolDefinition(market_candles, "reads", READ, in_chat=False),  # many numbers, of which a chat tells few
)
CHAT_TOOLS = tuple(tool for tool in TOOLS if tool.in_chat)
MCP_TOOLS = tuple(tool for tool in TOOLS if tool.toolsets)

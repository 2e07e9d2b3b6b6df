"""The agent's tools. Each docstring is what a language model reads; each body is one act, as the caller.

No argument says who is asking: that is in the context, and an id is only ever looked up among the caller's own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import Field
from pydantic_ai import FunctionToolset, RunContext, ToolFailed
from pydantic_ai.toolsets import ToolsetTool, WrapperToolset
from pydantic_core import to_jsonable_python

from strategybot.accounts.schemas import Cash, CostPercent
from strategybot.backtests.schemas import BacktestRequest
from strategybot.bots.schemas import BotDraft, Description, Name
from strategybot.conversations.acts import MOST_DAYS, Acts, Json
from strategybot.conversations.calls import CallFailed, Calls
from strategybot.simulations.schemas import CheckInterval, KlineInterval, Mode, SimulationRequest
from strategybot.trading.instruments import Address, Chain, Interval, TokenId
from strategybot.trading.language.strategy import Strategy

BotName = Annotated[str, Field(min_length=1, max_length=100)]
RunId = Annotated[str, Field(max_length=36)]
Query = Annotated[str, Field(max_length=100)]
Days = Annotated[float, Field(gt=0, le=MOST_DAYS)]
RETRIES_A_TOOL = 2


@dataclass(frozen=True, slots=True)
class Desk:
    """What a tool works with: the acts, and the calls of this turn, which know the caller."""

    acts: Acts
    calls: Calls
    ends_at: float  # by the clock of the event loop


Context = RunContext[Desk]


@dataclass
class Recorded(WrapperToolset[Desk]):
    """Every call goes through the turn's calls: bounded, journalled, told."""

    async def call_tool(
        self, name: str, tool_args: dict[str, Any], ctx: RunContext[Desk], tool: ToolsetTool[Desk]
    ) -> Any:
        arguments = to_jsonable_python(tool_args)
        call = super().call_tool
        try:
            return await ctx.deps.calls.make(
                name, arguments, lambda: call(name, tool_args, ctx, tool), ctx.tool_call_id
            )
        except CallFailed as failure:
            raise ToolFailed(str(failure)) from failure


async def get_current_strategy(context: Context) -> Json:
    """The linked bot's strategy, its summary in plain English, and the one before it; `bot` may be null."""
    return await context.deps.acts.get_current_strategy(context.deps.calls.caller)


async def update_trading_strategy(context: Context, strategy: Strategy | None) -> Json:
    """Replace the linked bot's whole strategy.

    Args:
        strategy: All of the new strategy, not only what changes; null clears it.
    """
    return await context.deps.acts.update_trading_strategy(context.deps.calls.caller, strategy)


async def create_bot(
    context: Context,
    name: Name,
    description: Description = "",
    token: Address | None = None,
    chain: Chain | None = None,
    strategy: Strategy | None = None,
) -> Json:
    """Create a bot and link it to this conversation.

    Args:
        name: A short name that none of the user's bots has yet.
        description: One sentence.
        token: The address or token id it trades by default; only one that search_tokens or the user gave.
        chain: The chain of that address, such as solana, eth, bsc or base.
        strategy: Its strategy, if it is known already.
    """
    draft = BotDraft(name=name, description=description, token=token, chain=chain, strategy=strategy)
    return await context.deps.acts.create_bot(context.deps.calls.caller, draft)


async def list_bots(context: Context) -> Json:
    """The user's bots, newest first, and which one is linked to this conversation."""
    return await context.deps.acts.list_bots(context.deps.calls.caller)


async def set_bot(context: Context, bot: BotName) -> Json:
    """Link one of the user's bots to this conversation.

    Args:
        bot: Its name, in any letter case, or its id.
    """
    return await context.deps.acts.set_bot(context.deps.calls.caller, bot)


async def get_bot_info(context: Context, bot: BotName | None = None) -> Json:
    """A bot with its strategy, its last backtest, and whether a simulation of it is running.

    Args:
        bot: Its name or id; the linked one by default.
    """
    return await context.deps.acts.get_bot_info(context.deps.calls.caller, bot)


async def run_backtest(
    context: Context,
    token: Address | None = None,
    chain: Chain | None = None,
    kline_interval: Interval | None = None,
    days: Days | None = None,
    initial_cash: Cash | None = None,
    fee_percent: CostPercent | None = None,
) -> Json:
    """Test the linked bot's strategy on market history. Waits a while for the result; if it is still running, say so.

    Args:
        token: An address or token id; the bot's own by default. Never a name or symbol: search_tokens finds the id.
        chain: The chain of that address.
        kline_interval: The length of a candle; by default the longest that fits the strategy.
        days: How many days back from now; 30 by default.
        initial_cash: What it starts with, in dollars; the user's settings by default.
        fee_percent: The fee of each trade, in percent; the user's settings by default.
    """
    request = BacktestRequest(
        token=token,
        chain=chain,
        kline_interval=kline_interval,
        initial_cash=initial_cash,
        fee_percent=fee_percent,
    )
    return await context.deps.acts.run_backtest(context.deps.calls.caller, request, days)


async def get_backtest(context: Context, run_id: RunId | None = None) -> Json:
    """A backtest of the linked bot: its status and metrics.

    Args:
        run_id: The run; the last one by default.
    """
    return await context.deps.acts.get_backtest(context.deps.calls.caller, run_id)


async def start_simulation(
    context: Context,
    token: Address | None = None,
    chain: Chain | None = None,
    check_interval: CheckInterval | None = None,
    kline_interval: KlineInterval | None = None,
    mode: Mode | None = None,
    initial_cash: Cash | None = None,
) -> Json:
    """Paper-trade the linked bot's strategy, with no real money. A simulation of the bot that runs already is replaced.

    Args:
        token: An address or token id; the bot's own by default. Never a name or symbol: search_tokens finds the id.
        chain: The chain of that address.
        check_interval: Seconds between two candles.
        kline_interval: The length of a candle; by default the longest that fits the strategy.
        mode: `replay` the last hour, the default, or follow the market `live`.
        initial_cash: What it starts with, in dollars; the user's settings by default.
    """
    request = SimulationRequest(
        token=token,
        chain=chain,
        check_interval=check_interval,
        kline_interval=kline_interval,
        mode=mode or "replay",
        initial_cash=initial_cash,
    )
    return await context.deps.acts.start_simulation(context.deps.calls.caller, request)


async def stop_simulation(context: Context, run_id: RunId | None = None) -> Json:
    """Stop a simulation of the linked bot.

    Args:
        run_id: The run; the one that is running by default.
    """
    return await context.deps.acts.stop_simulation(context.deps.calls.caller, run_id)


async def search_tokens(context: Context, query: Query, chain: Chain | None = None) -> list[Json]:
    """Find tokens by symbol, name or address.

    Args:
        query: What to look for; empty for what trends now.
        chain: Only on this chain.
    """
    return await context.deps.acts.search_tokens(query, chain)


async def get_token_risk(context: Context, token_id: TokenId) -> Json:
    """How dangerous a token is, with warnings in words.

    Args:
        token_id: `<address>-<chain>`, as search_tokens gives it.
    """
    return await context.deps.acts.get_token_risk(token_id)


@cache
def toolset() -> Recorded:
    """One call at a time: the next may rest on what the last one did. It keeps nothing, so one serves every agent."""
    tools: list[Callable[..., Any]] = [
        get_current_strategy,
        update_trading_strategy,
        create_bot,
        list_bots,
        set_bot,
        get_bot_info,
        run_backtest,
        get_backtest,
        start_simulation,
        stop_simulation,
        search_tokens,
        get_token_risk,
    ]
    return Recorded(FunctionToolset(tools, max_retries=RETRIES_A_TOOL, sequential=True))

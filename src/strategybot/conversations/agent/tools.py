"""The tools, each defined once: for the agent of a conversation and for MCP clients.

A language model reads the docstrings. Each body is one act, as the caller, who is in the context and never in an
argument: ids are only looked up among the caller's own.
"""

from typing import Annotated

from pydantic import Field

from strategybot.backtests.schemas import BacktestRequest
from strategybot.bots.schemas import BotDraft, Description, Name
from strategybot.conversations.agent.acts import MOST_DAYS, Acts
from strategybot.conversations.agent.facts import (
    BotInfoFacts,
    BotListFacts,
    ChangedStrategyFacts,
    CheckedStrategyFacts,
    ComparisonFacts,
    CurrentStrategyFacts,
    OptimisationFacts,
    RestoredStrategyFacts,
    RunFacts,
    SimulationFacts,
    SimulationWithLogFacts,
    StrategyFacts,
    SurveyFacts,
    TokenFacts,
)
from strategybot.conversations.agent.tool_definition import ToolContext, ToolDefinition, cleaned
from strategybot.conversations.caller import Actor
from strategybot.market.schemas import Risk
from strategybot.research.schemas import (
    MOST_PARAMETERS,
    MOST_TOKENS,
    OptimiseRequest,
    ParameterRequest,
    SurveyRequest,
    SurveyToken,
)
from strategybot.simulations.schemas import CheckInterval, KlineInterval, Mode, SimulationRequest
from strategybot.trading.instruments import Address, Chain, Interval, TokenId
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Cash, CostPercent
from strategybot.trading.search import Objective

__all__ = ["TOOLS", "Actor", "Acts", "ToolContext", "ToolDefinition", "cleaned"]


BotName = Annotated[str, Field(min_length=1, max_length=100)]
RunId = Annotated[str, Field(max_length=36)]
RunIds = Annotated[list[RunId], Field(min_length=2, max_length=10)]
TradesPage = Annotated[int, Field(ge=1, le=100_000)]
Query = Annotated[str, Field(max_length=100)]
Parameters = Annotated[list[ParameterRequest], Field(min_length=1, max_length=MOST_PARAMETERS)]
SurveyTokens = Annotated[list[SurveyToken], Field(min_length=1, max_length=MOST_TOKENS)]
SurveyLimit = Annotated[int, Field(ge=1, le=MOST_TOKENS)]
Days = Annotated[float, Field(gt=0, le=MOST_DAYS)]


async def get_current_strategy(work: ToolContext) -> CurrentStrategyFacts:
    """The linked bot's strategy, its summary in plain English, and the one before it; `bot` may be null."""
    return await work.acts.get_current_strategy(work.caller)


async def update_trading_strategy(
    work: ToolContext, strategy: Strategy | None, bot: BotName | None = None
) -> ChangedStrategyFacts:
    """Replace a bot's whole strategy.

    Args:
        strategy: All of the new strategy, not only what changes; null clears it.
        bot: Its name or id; the linked one by default.
    """
    return await work.acts.update_trading_strategy(work.caller, strategy, bot)


async def create_bot(
    work: ToolContext,
    name: Name,
    description: Description = "",
    token: Address | None = None,
    chain: Chain | None = None,
    strategy: Strategy | None = None,
) -> StrategyFacts:
    """Create a bot and link it to this conversation.

    Args:
        name: A short name that none of the user's bots has yet.
        description: One sentence.
        token: The address or token id it trades by default; only one that search_tokens or the user gave.
        chain: The chain of that address, such as solana, eth, bsc or base.
        strategy: Its strategy, if it is known already.
    """
    draft = BotDraft(name=name, description=description, token=token, chain=chain, strategy=strategy)
    return await work.acts.create_bot(work.caller, draft)


async def list_bots(work: ToolContext) -> BotListFacts:
    """The user's bots, newest first, and which one is linked to this conversation."""
    return await work.acts.list_bots(work.caller)


async def set_bot(work: ToolContext, bot: BotName) -> StrategyFacts:
    """Link one of the user's bots to this conversation.

    Args:
        bot: Its name, in any letter case, or its id.
    """
    return await work.acts.set_bot(work.caller, bot)


async def get_bot_info(work: ToolContext, bot: BotName | None = None) -> BotInfoFacts:
    """A bot with its strategy, its last backtest, and whether a simulation of it is running.

    Args:
        bot: Its name or id; the linked one by default.
    """
    return await work.acts.get_bot_info(work.caller, bot)


async def run_backtest(
    work: ToolContext,
    token: Address | None = None,
    chain: Chain | None = None,
    kline_interval: Interval | None = None,
    days: Days | None = None,
    initial_cash: Cash | None = None,
    fee_percent: CostPercent | None = None,
    bot: BotName | None = None,
) -> RunFacts:
    """Test a bot's strategy on market history. Waits a while for the result; if it is still running, say so.

    Args:
        token: An address or token id; the bot's own by default. Never a name or symbol: search_tokens finds the id.
        chain: The chain of that address.
        kline_interval: The length of a candle; by default the longest that fits the strategy.
        days: How many days back from now; 30 by default.
        initial_cash: What it starts with, in dollars; the user's settings by default.
        fee_percent: The fee of each trade, in percent; the user's settings by default.
        bot: Its name or id; the linked one by default.
    """
    request = BacktestRequest(
        token=token,
        chain=chain,
        kline_interval=kline_interval,
        initial_cash=initial_cash,
        fee_percent=fee_percent,
    )
    return await work.acts.run_backtest(work.caller, request, days, bot, work.seconds_to_wait)


async def get_backtest(
    work: ToolContext, run_id: RunId | None = None, bot: BotName | None = None, trades_page: TradesPage | None = None
) -> RunFacts:
    """A backtest: its status, metrics and, if asked for, a page of its trades.

    Args:
        run_id: The run; the bot's last one by default.
        bot: Its name or id; the linked one by default.
        trades_page: Show this page of 20 trades too, oldest first.
    """
    return await work.acts.get_backtest(work.caller, run_id, bot, trades_page)


async def compare_backtests(
    work: ToolContext, run_ids: RunIds | None = None, bot: BotName | None = None
) -> ComparisonFacts:
    """Several backtests side by side: what was tested, and the metrics of each.

    Args:
        run_ids: Two to ten runs; the bot's last two by default.
        bot: Its name or id; the linked one by default.
    """
    return await work.acts.compare_backtests(work.caller, run_ids or [], bot)


async def optimise(
    work: ToolContext,
    parameters: Parameters,
    token: Address | None = None,
    chain: Chain | None = None,
    kline_interval: Interval | None = None,
    days: Days | None = None,
    objective: Objective = "return",
    bot: BotName | None = None,
) -> OptimisationFacts:
    """Run every combination of some values of a bot's strategy, and say which to take. Changes no strategy.

    `walk_forward` is the return on time that was not used to choose: tell that figure first. `best_in_sample` is too
    optimistic.

    Args:
        parameters: One to four. `path` is as in conditions.0.percent, conditions.1.left.period or stop_loss_percent;
            with `from`, `to` and `step`, or with `values`, where durations such as 15m stand.
        token: An address or token id; the bot's own by default. Never a name or symbol: search_tokens finds the id.
        chain: The chain of that address.
        kline_interval: The length of a candle; by default the longest that fits all variants.
        days: How many days back from now; 30 by default.
        objective: What is to be as large as possible.
        bot: Its name or id; the linked one by default.
    """
    request = OptimiseRequest(
        parameters=parameters, token=token, chain=chain, kline_interval=kline_interval, objective=objective
    )
    return await work.acts.optimise(work.caller, request, days, bot, work.seconds_to_wait)


async def survey(
    work: ToolContext,
    tokens: SurveyTokens | None = None,
    trending: Chain | None = None,
    limit: SurveyLimit | None = None,
    kline_interval: Interval | None = None,
    days: Days | None = None,
    bot: BotName | None = None,
) -> SurveyFacts:
    """Test a bot's strategy on many tokens: a row each, and all of them together. Give `tokens` or `trending`.

    Args:
        tokens: Addresses or token ids, as search_tokens gives them.
        trending: A chain such as solana, whose trending tokens are tested.
        limit: How many of the trending ones; as many as the user's tier allows by default.
        kline_interval: The length of a candle; by default the longest that fits the strategy.
        days: How many days back from now; 30 by default.
        bot: Its name or id; the linked one by default.
    """
    request = SurveyRequest(tokens=tokens, trending=trending, limit=limit, kline_interval=kline_interval)
    return await work.acts.survey(work.caller, request, days, bot, work.seconds_to_wait)


async def start_simulation(
    work: ToolContext,
    token: Address | None = None,
    chain: Chain | None = None,
    check_interval: CheckInterval | None = None,
    kline_interval: KlineInterval | None = None,
    mode: Mode | None = None,
    initial_cash: Cash | None = None,
    bot: BotName | None = None,
) -> SimulationFacts:
    """Paper-trade a bot's strategy, with no real money. A simulation of the bot that runs already is replaced.

    Args:
        token: An address or token id; the bot's own by default. Never a name or symbol: search_tokens finds the id.
        chain: The chain of that address.
        check_interval: Seconds between two candles.
        kline_interval: The length of a candle; by default the longest that fits the strategy.
        mode: `replay` the last hour, the default, or follow the market `live`.
        initial_cash: What it starts with, in dollars; the user's settings by default.
        bot: Its name or id; the linked one by default.
    """
    request = SimulationRequest(
        token=token,
        chain=chain,
        check_interval=check_interval,
        kline_interval=kline_interval,
        mode=mode or "replay",
        initial_cash=initial_cash,
    )
    return await work.acts.start_simulation(work.caller, request, bot)


async def stop_simulation(
    work: ToolContext, run_id: RunId | None = None, bot: BotName | None = None
) -> SimulationFacts:
    """Stop a simulation.

    Args:
        run_id: The run; the one of the bot that is running by default.
        bot: Its name or id; the linked one by default.
    """
    return await work.acts.stop_simulation(work.caller, run_id, bot)


async def get_simulation(
    work: ToolContext, run_id: RunId | None = None, bot: BotName | None = None
) -> SimulationWithLogFacts:
    """A simulation: its status, portfolio and last decisions.

    Args:
        run_id: The run; the bot's last one by default.
        bot: Its name or id; the linked one by default.
    """
    return await work.acts.get_simulation(work.caller, run_id, bot)


async def search_tokens(work: ToolContext, query: Query, chain: Chain | None = None) -> list[TokenFacts]:
    """Find tokens by symbol, name or address.

    Args:
        query: What to look for; empty for what trends now.
        chain: Only on this chain.
    """
    return await work.acts.search_tokens(query, chain)


async def get_token_risk(work: ToolContext, token_id: TokenId) -> Risk:
    """How dangerous a token is, with warnings in words.

    Args:
        token_id: `<address>-<chain>`, as search_tokens gives it.
    """
    return await work.acts.get_token_risk(token_id)


async def get_token(work: ToolContext, token_id: TokenId) -> TokenFacts:
    """A token's price, volume, liquidity and risk score.

    Args:
        token_id: `<address>-<chain>`, as search_tokens gives it.
    """
    return await work.acts.get_token(token_id)


async def validate_strategy(work: ToolContext, strategy: Strategy) -> CheckedStrategyFacts:  # noqa: ARG001  every tool takes it
    """Check a strategy and say it back in plain English. Changes nothing.

    Args:
        strategy: All of the strategy.
    """
    return CheckedStrategyFacts(valid=True, summary=strategy.summary, strategy=strategy)


async def undo(work: ToolContext, bot: BotName | None = None) -> RestoredStrategyFacts:
    """Bring back the strategy that a bot had before its last change.

    Args:
        bot: Its name or id; the linked one by default.
    """
    return await work.acts.undo(work.caller, bot)


TOOLS = (
    ToolDefinition(get_current_strategy, "reads", mcp_name=""),
    ToolDefinition(update_trading_strategy, "changes", mcp_name="update_strategy"),
    ToolDefinition(create_bot, "adds"),
    ToolDefinition(list_bots, "reads"),
    ToolDefinition(set_bot, "changes", mcp_name=""),
    ToolDefinition(get_bot_info, "reads", mcp_name="get_bot"),
    ToolDefinition(validate_strategy, "reads"),
    ToolDefinition(undo, "changes"),
    ToolDefinition(run_backtest, "adds"),
    ToolDefinition(get_backtest, "reads"),
    ToolDefinition(compare_backtests, "reads"),
    ToolDefinition(optimise, "adds"),
    ToolDefinition(survey, "adds"),
    ToolDefinition(start_simulation, "changes"),
    ToolDefinition(stop_simulation, "changes"),
    ToolDefinition(get_simulation, "reads"),
    ToolDefinition(search_tokens, "reads"),
    ToolDefinition(get_token, "reads"),
    ToolDefinition(get_token_risk, "reads"),
)

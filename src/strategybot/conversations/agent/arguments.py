"""The arguments of the tools, each described once for the language models that fill them in."""

from typing import Annotated, Any, Literal, TypedDict

from pydantic import BeforeValidator, Field, WithJsonSchema

from strategybot.bots.schemas import Description, Name
from strategybot.kit.validation import Moment
from strategybot.notifications.schemas import EVENTS, EventName
from strategybot.searches.schemas import MOST_PARAMETERS, ParameterRequest
from strategybot.simulations.schemas import CheckInterval, KlineInterval, Mode
from strategybot.surveys.schemas import MOST_TOKENS
from strategybot.trading.engine.instruments import Chain, Interval
from strategybot.trading.engine.run_costs import PoolCosts
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import Cash, CostPercent

MOST_DAYS = 3650  # of market history in a backtest
Text = Annotated[str, Field(min_length=1, max_length=200)]


def _as_named(token: Any) -> Any:
    """Take `{token, chain}` for a token too, as the API does."""
    if isinstance(token, dict) and isinstance(token.get("token"), str):
        return f"{token['token']}-{token['chain']}" if token.get("chain") else token["token"]
    return token


BotName = Annotated[str, Field(min_length=1, max_length=100, description="Name or id")]
Bot = Annotated[BotName | None, Field(description="Name or id; the linked one by default")]
NewName = Annotated[Name, Field(description="Short, and none of the user's bots has it")]
Purpose = Annotated[Description, Field(description="One sentence")]
WholeStrategy = Annotated[Strategy | None, Field(description="All of it, not only what changes; null clears it")]
SameStrategy = Annotated[
    Strategy | None,
    WithJsonSchema({"type": "object", "description": "As in update_trading_strategy"}),
]
Steps = Annotated[Annotated[int, Field(ge=1, le=100)], Field(description="How many changes")]
DryRun = Annotated[bool, Field(description="Only check it and say it back; changes nothing and needs no bot")]
Token = Annotated[Text | None, Field(description="Symbol, address or token id; the bot's own by default")]
NewToken = Annotated[Text | None, Field(description="Symbol, address or token id that it trades by default")]
AnyToken = Annotated[Text, BeforeValidator(_as_named), Field(description="Symbol, address or token id")]
OnChain = Annotated[Chain | None, Field(description="Such as solana, eth, bsc or base")]
Candles = Annotated[Interval | None, Field(description="Candle length; by default the longest that fits the strategy")]
LiveCandles = Annotated[
    KlineInterval | None, Field(description="Candle length; by default the longest that fits the strategy")
]
Days = Annotated[
    Annotated[float, Field(gt=0, le=MOST_DAYS)] | None, Field(description="Days back from now; 30 by default")
]
StartCash = Annotated[Cash | None, Field(description="Dollars at the start; the user's setting by default")]
Start = Annotated[Annotated[Moment, WithJsonSchema({"type": "string"})] | None, Field(description="ISO 8601, UTC")]
End = Annotated[
    Annotated[Moment, WithJsonSchema({"type": "string"})] | None, Field(description="ISO 8601, UTC; now by default")
]
OfMany = Annotated[Text | None, Field(description="Which, of a backtest of many")]
When = Annotated[Moment, WithJsonSchema({"type": "string"}), Field(description="ISO 8601, UTC")]
Slippage = Annotated[CostPercent | None, Field(description="Of each price; the user's setting by default")]
PoolCostsOrOff = Annotated[PoolCosts, Field(description="Whether it pays token tax and price impact")]
Fee = Annotated[CostPercent | None, Field(description="Of each trade; the user's setting by default")]
RunId = Annotated[Annotated[str, Field(max_length=36)] | None, Field(description="By default the newest of the bot")]
RunIds = Annotated[
    Annotated[list[Annotated[str, Field(max_length=36)]], Field(min_length=2, max_length=10)] | None,
    Field(description="By default the last two of the bot"),
]
TradesPage = Annotated[
    Annotated[int, Field(ge=1, le=100_000)] | None, Field(description="Also this page of 20 trades, oldest first")
]
Parameters = Annotated[
    list[ParameterRequest],
    Field(
        min_length=1,
        max_length=MOST_PARAMETERS,
        description="`path` such as conditions.0.percent, conditions.1.left.period or stop_loss_percent, with `from`, "
        "`to` and `step`, or with `values`",
    ),
]
AnyRunId = Annotated[str, Field(max_length=36, description="Of a run of any kind")]
Shared = Annotated[bool, Field(description="False ends the share")]
Revision = Annotated[Annotated[int, Field(ge=1)], Field(description="Its number, as in get_bot_info")]
Confirmation = Annotated[str, Field(max_length=100, description="The name of the bot, once the user has agreed")]
HoldoutAction = Annotated[
    Literal["seal", "open"], Field(description="Seal the newest part of the history, or open it, each only once")
]
SealedFrom = Annotated[
    Annotated[Moment, WithJsonSchema({"type": "string"})] | None,
    Field(description="ISO 8601, UTC; by default the newest quarter of what was tested"),
]
ChangedName = Annotated[Name | None, Field(description="The new name")]
ChangedPurpose = Annotated[Description | None, Field(description="One sentence")]
AnyCandles = Annotated[Interval, Field(description="Candle length")]
MostCandles = Annotated[Annotated[int, Field(ge=1, le=200)], Field(description="At most 200, the newest ones")]
TargetUrl = Annotated[
    Annotated[str, Field(max_length=1000)] | None,
    Field(
        description="Where to: https://… (a webhook), ntfy://topic, tgram://token/chat, discord://… or slack://…; "
        "without it the targets that exist are listed"
    ),
]
TargetEvents = Annotated[
    list[EventName] | None, Field(description="Which events; all by default", min_length=1, max_length=len(EVENTS))
]
TargetName = Annotated[Name, Field(description="What the user calls it")]
WatchTokens = Annotated[
    Annotated[list[AnyToken], Field(min_length=1, max_length=MOST_TOKENS)] | None,
    Field(description="The bot's own by default"),
]
SurveyTokens = Annotated[
    Annotated[list[AnyToken], Field(min_length=1, max_length=MOST_TOKENS)] | None,
    Field(description="These tokens; or else `trending`"),
]
PurseTokens = Annotated[
    Annotated[list[AnyToken], Field(min_length=1, max_length=50)] | None, Field(description="Many, with one purse")
]
Trending = Annotated[Chain | None, Field(description="The trending tokens of this chain")]
AsOf = Annotated[
    Literal["each_day"] | None, Field(description="Of `trending`: each day's own list, with tokens that died later")
]
PurseLimit = Annotated[Annotated[int, Field(ge=1, le=50)] | None, Field(description="How many trending ones")]
SurveyLimit = Annotated[Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None, Field(description="How many trending ones")]
CheckSeconds = Annotated[CheckInterval | None, Field(description="Seconds between two steps")]
NeededMode = Annotated[Mode, Field(description="Follow the market `live`, or `replay` the last hour")]
Replace = Annotated[bool, Field(description="End the simulation of the bot that runs already, for good")]
RunMode = Annotated[
    Mode | None,
    Field(description="`live`: “paper trade it”, “follow it”; `replay` of the last hour, the default: “simulate”"),
]
Query = Annotated[str, Field(max_length=100, description="Symbol, name or address; empty for what trends now")]


class PurseArguments(TypedDict, total=False):
    """Instead of one token: many, or the trending ones."""

    tokens: PurseTokens
    trending: Trending
    limit: PurseLimit
    as_of: AsOf


class PaperArguments(PurseArguments, total=False):
    """What a simulation begins with."""

    token: Token
    chain: OnChain
    check_interval: CheckSeconds
    kline_interval: LiveCandles
    initial_cash: StartCash
    bot: Bot

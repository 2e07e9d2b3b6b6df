"""The arguments of the tools, each described once for the language models that fill them in."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from strategybot.bots.schemas import Description, Name
from strategybot.searches.schemas import MOST_PARAMETERS, ParameterRequest
from strategybot.simulations.schemas import CheckInterval, KlineInterval, Mode
from strategybot.surveys.schemas import MOST_TOKENS
from strategybot.trading.engine.instruments import Chain, Interval
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
SurveyLimit = Annotated[Annotated[int, Field(ge=1, le=MOST_TOKENS)] | None, Field(description="How many trending ones")]
CheckSeconds = Annotated[CheckInterval | None, Field(description="Seconds between two steps")]
RunMode = Annotated[Mode | None, Field(description="`replay` the last hour, the default, or follow the market `live`")]
Query = Annotated[str, Field(max_length=100, description="Symbol, name or address; empty for what trends now")]

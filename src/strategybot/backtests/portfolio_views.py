"""What a backtest of many tokens says beside the result of its purse."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from strategybot.backtests.result_views import OpenPosition
from strategybot.bots.schemas import TrendingUniverse
from strategybot.runs.schemas import TokenOfPurse


class PortfolioToken(TokenOfPurse):
    first_candle: Annotated[datetime | None, Field(description="From which on it was traded")] = None
    last_candle: Annotated[datetime | None, Field(description="The newest candle that it had")] = None
    plain_return: Annotated[
        float | None, Field(description="Percent: the plain strategy with all the cash on this token alone")
    ] = None
    open_position: Annotated[OpenPosition | None, Field(description="What is held at the end")] = None


class PlacesUsed(BaseModel):
    time: Annotated[int, Field(description="The candle, by its unix seconds")]
    used: Annotated[int, Field(description="Tokens held at the close of this candle")]


class Correlation(BaseModel):
    """Of the daily returns of the tokens, pair by pair."""

    mean: Annotated[float, Field(description="The mean of all pairs")]
    highest: Annotated[float, Field(description="Of the two most alike")]
    highest_tokens: Annotated[list[str], Field(description="The ids of the two most alike")]
    pairs: Annotated[int, Field(description="Pairs with enough days in common")]


class Benchmarks(BaseModel):
    """What else could have been done with the cash. All are total returns in percent."""

    equal_parts: Annotated[float | None, Field(description="All tokens bought in equal parts and held")]
    largest: Annotated[float | None, Field(description="The largest token bought and held")]
    largest_token_id: Annotated[str, Field(description="The id of the largest token")]
    plain_mean: Annotated[float | None, Field(description="The mean of the plain strategy on each token alone")]


class PortfolioView(BaseModel):
    """All are null in a run on one token."""

    tokens: Annotated[list[PortfolioToken] | None, Field(description="A row for each token")] = None
    universe: Annotated[
        TrendingUniverse | None, Field(description="The lists that it traded, if they were those of each day")
    ] = None
    turned_away: Annotated[
        int | None, Field(description="How often a token was wanted and no place was free, counted at each close")
    ] = None
    places_used: Annotated[list[PlacesUsed] | None, Field(description="At the times of the equity curve")] = None
    correlation: Annotated[Correlation | None, Field(description="Null with fewer than two tokens or few days")] = None
    benchmarks: Annotated[Benchmarks | None, Field(description="What else could have been done with the cash")] = None
    dead_token_loss_percent: Annotated[
        float | None, Field(description="What a position lost whose token had no candle for 24 hours")
    ] = None
    portfolio_notes: Annotated[
        list[str], Field(description="What the choice of tokens did to the result, in sentences")
    ] = []

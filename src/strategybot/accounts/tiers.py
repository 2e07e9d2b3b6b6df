"""The limits of each tier, one row per tier. Every rule reads its number from here."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

Tier = Literal["free", "normal", "pro"]
Standing = Literal["anonymous", "free", "normal", "pro"]


@dataclass(frozen=True, slots=True)
class Limits:
    bots: Annotated[int, Field(description="Bots at the same time")]
    backtests: Annotated[int, Field(description="Pending and running at the same time; for a visitor, in total")]
    candles_per_backtest: Annotated[int, Field(description="Candles of one backtest")]
    running_simulations: Annotated[
        int, Field(description="Running or paused at the same time, and so many watches beside them")
    ]
    optimiser_variants: Annotated[int, Field(description="In one search")]
    survey_tokens: Annotated[int, Field(description="In one survey")]
    watch_tokens: Annotated[int, Field(description="In one watch")]
    detailed_backtests_per_bot: Annotated[
        int,
        Field(
            description="The newest backtests keep trades, signals and equity curve; older ones keep only their metrics"
        ),
    ]
    detailed_simulations_per_bot: Annotated[
        int,
        Field(description="The newest simulations keep candles, signals and log; older ones keep only their portfolio"),
    ]
    detailed_searches_per_bot: Annotated[
        int,
        Field(description="The newest searches, surveys and watches keep their details; older ones only a summary"),
    ]
    revisions_per_bot: Annotated[int, Field(description="The newest revisions are kept; older ones are deleted")]
    conversations: Annotated[int, Field(description="Conversations at the same time")]
    chain_swap: Annotated[bool, Field(description="Whether unsigned swaps are prepared")]
    portfolio_tokens: Annotated[int, Field(description="In one portfolio")]
    runs_per_day: Annotated[
        int, Field(description="Runs of all kinds together, in any 24 hours. A visitor has one backtest in all")
    ]


TIERS: dict[Standing, Limits] = {
    "anonymous": Limits(
        1, 1, 10_000, 0, 0, 0, 0, 200, 100, 50, 500, 200, chain_swap=False, portfolio_tokens=0, runs_per_day=1
    ),
    "free": Limits(
        10, 2, 100_000, 3, 500, 5, 3, 200, 100, 50, 500, 200, chain_swap=False, portfolio_tokens=10, runs_per_day=200
    ),
    "normal": Limits(
        50,
        5,
        500_000,
        20,
        5_000,
        20,
        20,
        200,
        100,
        50,
        500,
        200,
        chain_swap=True,
        portfolio_tokens=20,
        runs_per_day=1_000,
    ),
    "pro": Limits(
        500,
        20,
        5_000_000,
        100,
        20_000,
        100,
        50,
        200,
        100,
        50,
        500,
        200,
        chain_swap=True,
        portfolio_tokens=50,
        runs_per_day=10_000,
    ),
}
MOST_DETAILED_BACKTESTS = max(limits.detailed_backtests_per_bot for limits in TIERS.values())
MOST_DETAILED_SIMULATIONS = max(limits.detailed_simulations_per_bot for limits in TIERS.values())
MOST_DETAILED_SEARCHES = max(limits.detailed_searches_per_bot for limits in TIERS.values())
RUNS_KEPT_PER_BOT = 2_000
"""Of each kind. Older ones are deleted, those that are starred or shared last."""
_LADDER: tuple[Standing, ...] = ("anonymous", "free", "normal", "pro")


def next_standing(standing: Standing) -> Standing | None:
    """Return the next higher tier, or None for the highest."""
    place = _LADDER.index(standing) + 1
    return _LADDER[place] if place < len(_LADDER) else None


def tiers_with_swaps() -> str:
    return " and ".join(standing for standing in _LADDER if TIERS[standing].chain_swap)


def upsell(standing: Standing, what: str) -> str:
    """Return the sentence that names the tier with a higher limit."""
    match next_standing(standing):
        case None:
            return f"This is the largest allowance of {what} there is."
        case "free":
            return f"Sign up for a free account to get more {what}."
        case tier:
            return f"The {tier} tier has more {what}."

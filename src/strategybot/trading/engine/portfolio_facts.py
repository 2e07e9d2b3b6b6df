"""What the result of a portfolio is compared with: holding, the plain strategy on each token, and each other."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.conditions import wanted_of
from strategybot.trading.engine.loop import market_of
from strategybot.trading.engine.portfolio import PortfolioResult, TokenResult
from strategybot.trading.engine.step import rules_of
from strategybot.trading.evidence.stress import total_return
from strategybot.trading.language.strategy import Strategy

DAY = 86_400
LEAST_DAYS = 10  # in common, before two tokens are compared


class Correlation(NamedTuple):
    mean: float
    highest: float
    highest_tokens: list[str]
    pairs: int


def plain_returns(strategy: Strategy, result: PortfolioResult, control: Integers) -> list[float]:
    """Return what the plain strategy makes of all the cash on each token alone, in percent."""
    found = []
    for each in result.tokens:
        token = each.token
        rules = rules_of(strategy, token.costs, token.candles.interval_seconds)
        wanted, market = wanted_of(strategy, token.candles), market_of(token.candles, token.minutes)
        found.append(100 * total_return(rules, market, wanted, token.start, result.initial_cash, control))
    return found


def largest_token(result: PortfolioResult) -> TokenResult:
    """Return the token with the largest pool; if the size of one is not known, the one with the most volume."""
    pools = [each.token.costs.liquidity_usd for each in result.tokens]
    known = [pool for pool in pools if pool is not None]
    volumes = [float(np.nansum(each.token.candles.volume[each.token.start :])) for each in result.tokens]
    sizes = known if len(known) == len(pools) else volumes
    return result.tokens[int(np.argmax(sizes))]


def correlation_of(result: PortfolioResult) -> Correlation | None:
    """Return how alike the tokens move from day to day; None if no two have enough days in common."""
    daily = {each.token.token_id: _daily_returns(each.token.candles, each.token.start) for each in result.tokens}
    found = []
    for one, other in combinations(daily, 2):
        days = sorted(daily[one].keys() & daily[other].keys())
        if len(days) >= LEAST_DAYS:
            pair = np.array([[daily[one][day], daily[other][day]] for day in days]).T
            if (pair.std(axis=1) > 0).all():
                found.append((float(np.corrcoef(pair)[0, 1]), one, other))
    if not found:
        return None
    highest, one, other = max(found)
    return Correlation(float(np.mean([value for value, _, _ in found])), highest, [one, other], len(found))


def _daily_returns(candles: Candles, start: int) -> dict[int, float]:
    """Return the change of the last close of each UTC day against that of the day before."""
    days = candles.time[start:] // DAY
    last = np.flatnonzero(np.diff(days, append=-1))
    closes = candles.close[start:][last]
    return dict(zip(days[last][1:].tolist(), (closes[1:] / closes[:-1] - 1).tolist(), strict=True))

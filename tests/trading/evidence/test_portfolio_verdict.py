"""The verdict of a portfolio: that of one token is the plain one, and many are added by calendar day."""

import numpy as np
import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, DataReport, densify
from strategybot.trading.engine.costs import Costs
from strategybot.trading.engine.portfolio import run_portfolio
from strategybot.trading.engine.universe import Token, together
from strategybot.trading.evidence.portfolio import examine_portfolio, sample_of_portfolio
from strategybot.trading.evidence.timing import AddedSums, strength_of
from strategybot.trading.evidence.verdict import examine, judge
from strategybot.trading.language.strategy import Strategy
from tests.trading.builders import CASH, drop, random_candles, strategy_of

DIP = strategy_of(drop(2, "5m"), stop_loss_percent=3, take_profit_percent=4)
ONE = Strategy.model_validate({**DIP.model_dump(), "portfolio": {"max_open": 1}})


def dense(seed: int) -> Candles:
    return densify(random_candles(seed, 4000), DataReport())[0]


def test_the_verdict_of_one_token_and_one_place_is_the_plain_one() -> None:
    candles = dense(5)
    plain = examine(DIP, candles, Costs(), 10, run_backtest(DIP, candles, Costs(), CASH, start_index=10))
    joined = together([Token("only", candles, 10, Costs())])
    purse = examine_portfolio(ONE, joined, run_portfolio(ONE, joined, CASH), 50)
    expected, found = judge(plain), judge(purse)
    assert len(purse.sample) > 50
    assert (found.grade, found.p, found.timing) == (expected.grade, expected.p, expected.timing)
    for one, other in zip(found.checks, expected.checks, strict=True):
        assert one.name == other.name
        assert one.value == pytest.approx(other.value, rel=1e-6)


def test_the_day_sums_of_many_tokens_are_added() -> None:
    joined = together([Token(name, dense(seed), 0, Costs()) for seed, name in enumerate("abcd")])
    result = run_portfolio(DIP, joined, CASH)
    sums = sample_of_portfolio(result).sums
    assert isinstance(sums, AddedSums)
    assert sample_of_portfolio(result).strength == pytest.approx(tuple(strength_of(sums.parts)))
    assert sums.gross.sum() == pytest.approx(sum(each.gross.sum() for each in sums.parts))
    assert (np.diff(sums.days) > 0).all()

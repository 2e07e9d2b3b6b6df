"""`make install` compiles everything of the engine that backtests, simulations and explanations use."""

import subprocess
import sys

from strategybot.trading.backtest import run_backtest
from strategybot.trading.kernel import Costs
from strategybot.trading.language.strategy import EXAMPLE_STRATEGY, Strategy
from strategybot.warm_up import CASH, _candles


def test_it_runs_as_a_module_and_says_nothing() -> None:
    command = [sys.executable, "-m", "strategybot.warm_up"]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert (result.stdout, result.stderr) == ("", "")


def test_its_candles_make_the_engine_buy_and_sell() -> None:
    result = run_backtest(Strategy.model_validate(EXAMPLE_STRATEGY), _candles(3000), Costs(), CASH)
    assert len(result.trades) > 0

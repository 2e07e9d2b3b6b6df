"""`make install` compiles everything of the engine that backtests, simulations and explanations use."""

import subprocess
import sys

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.strategy import EXAMPLE_STRATEGY, Strategy
from strategybot.warm_up import CASH, _candles

NAMES_OF_WHAT_IS_NOT_COMPILED = """
import runpy
runpy.run_module("strategybot.warm_up", run_name="__main__")
from strategybot.trading.engine.indicators import momentum, recursive, sliding
everything = (vars(momentum) | vars(recursive) | vars(sliding)).items()
print(*(name for name, function in everything if name.startswith("fill_") and not function.signatures))
"""


def test_it_runs_as_a_module_says_nothing_and_compiles_every_indicator() -> None:
    command = [sys.executable, "-c", NAMES_OF_WHAT_IS_NOT_COMPILED]
    result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert (result.stdout, result.stderr) == ("\n", "")


def test_its_candles_make_the_engine_buy_and_sell() -> None:
    result = run_backtest(Strategy.model_validate(EXAMPLE_STRATEGY), _candles(3000), Costs(), CASH)
    assert len(result.trades) > 0

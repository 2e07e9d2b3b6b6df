"""A new kind of condition is one class: backtest, paper trading, tables, explanation and outlook need nothing else."""

from typing import Any, Literal

import numpy as np

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles, Integers
from strategybot.trading.engine.columns import Flags
from strategybot.trading.engine.conditions import known_after_candles, lookback_candles
from strategybot.trading.engine.first_values import untested
from strategybot.trading.engine.paper import PaperSession
from strategybot.trading.engine.resolution import recommended_interval
from strategybot.trading.engine.step import opening_state
from strategybot.trading.language.condition_kind import ConditionKind, Reading, SeriesColumns
from strategybot.trading.words.explain import explain
from strategybot.trading.words.outlook import outlook
from tests.trading.builders import CASH, FREE, MINUTE, drop, random_candles, strategy_of


class Green(ConditionKind):
    """The last `count` candles closed above their open."""

    kind: Literal["green"] = "green"
    count: int = 2

    def phrase(self) -> str:
        return f"{self.count} green candles in a row"

    def reach(self, interval_seconds: int) -> int:  # noqa: ARG002
        return self.count - 1

    def flags(self, candles: Candles, series: SeriesColumns) -> Flags:  # noqa: ARG002
        green = (candles.close > candles.open).astype(np.uint8)
        flags = np.zeros(len(candles), np.uint8)
        flags[self.count - 1 :] = green[self.count - 1 :]
        for back in range(1, self.count):
            flags[self.count - 1 :] &= green[self.count - 1 - back : len(green) - back]
        return flags

    def read(self, candles: Candles, places: Integers) -> Reading:
        return Reading(self.flags(candles, {})[places] != 0, (100 * (candles.close / candles.open - 1)[places],))


TOY: Any = Green()
STRATEGY = strategy_of(drop(1, "3m"), stop_loss_percent=2, take_profit_percent=3).model_copy(
    update={"conditions": [TOY], "exit_conditions": [Green(count=3)]}
)
CANDLES = random_candles(5, 900, calm=0.004)


def test_backtest_and_paper_trading_agree_about_a_kind_that_is_one_class() -> None:
    result = run_backtest(STRATEGY, CANDLES, FREE, CASH)
    session = PaperSession(STRATEGY, FREE, CASH, MINUTE)
    done = [session.advance(CANDLES[i : i + 1]) for i in range(len(CANDLES))]
    sold = [entry for each in done for entry in each.log if entry["action"] == "SELL"]
    assert len(sold) == len(result.trades) > 20
    signals = [row for each in done for row in each.signals]
    assert signals == result.signals.page(0, len(result.signals))
    assert {row.reason for row in signals if row.side == "buy"} == {"2 green candles in a row"}


def test_everything_that_describes_a_condition_has_an_answer_for_it() -> None:
    assert (lookback_candles(STRATEGY, MINUTE), known_after_candles(STRATEGY, MINUTE)) == (2, 2)
    assert recommended_interval(STRATEGY) == "1h"
    result = run_backtest(STRATEGY, CANDLES, FREE, CASH)
    assert result.trades.page(0, 1)[0].entry_reason == "2 green candles in a row"
    sides = [explain(STRATEGY, CANDLES, i).entry for i in range(20)]
    assert {side.conditions[0].sentence for side in sides} >= {
        "2 green candles in a row",
        "not true: 2 green candles in a row",
    }
    assert outlook(STRATEGY, FREE, CANDLES, opening_state(CASH)).entry[0].condition == "2 green candles in a row"
    assert untested(STRATEGY, CANDLES, 0) is None
    assert untested(STRATEGY, CANDLES[:1], 0) is not None

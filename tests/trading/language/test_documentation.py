"""The examples of docs/strategy-language.md are valid, trade, and have the summary that the page shows."""

import json
import re
from pathlib import Path

import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.conditions import comparisons_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.series import SERIES, Series
from strategybot.trading.language.strategy import Strategy, describe
from tests.trading.engine.indicators.markets import wild_market

PAGE = (Path(__file__).parents[3] / "docs" / "strategy-language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```json\n(.*?)```\n\n> (.*?)\n", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def candles() -> Candles:
    return wild_market(8, 30_000, scale=10)


@pytest.mark.parametrize(("text", "sentence"), EXAMPLES, ids=[sentence for _, sentence in EXAMPLES])
def test_an_example_trades_and_has_the_summary_of_the_page(text: str, sentence: str, candles: Candles) -> None:
    strategy = Strategy.model_validate(json.loads(text))
    assert describe(strategy) == sentence
    assert len(run_backtest(strategy, candles, Costs(), 1000).trades) > 0


def test_every_series_has_an_example() -> None:
    assert len(EXAMPLES) == PAGE.count("```json")
    shown = [each for text, _ in EXAMPLES for each in comparisons_of(Strategy.model_validate(json.loads(text)))]
    sides = [side for each in shown for side in (each.left, each.right) if isinstance(side, Series)]
    assert {side.model_dump()["series"] for side in sides} == set(SERIES)
    changes = {
        name for side in sides for name in ("interval", "offset", "times", "plus") if name in side.model_fields_set
    }
    assert changes == {"interval", "offset", "times", "plus"}
    assert any(each.within_candles > 1 for each in shown)

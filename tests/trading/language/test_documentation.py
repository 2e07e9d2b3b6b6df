"""The examples of docs/strategy-language.md are valid, trade, and have the summary that the page shows."""

import json
import re
from pathlib import Path

import pytest

from strategybot.trading.engine.backtest import run_backtest
from strategybot.trading.engine.candles import Candles
from strategybot.trading.engine.conditions import comparisons_of
from strategybot.trading.engine.costs import Costs
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy, describe
from tests.trading.engine.indicators.markets import wild_market

PAGE = (Path(__file__).parents[3] / "docs" / "strategy-language.md").read_text(encoding="utf-8")
ROWS = [
    (names.replace("`", ""), text)
    for names, text in re.findall(r"^\| (`.*?`) \| .*? \| `(\{.*\})` \|$", PAGE, re.MULTILINE)
]
EXAMPLES = re.findall(r"```json\n(.*?)```\n\n> (.*?)\n", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def candles() -> Candles:
    return wild_market(8, 30_000, scale=10)


@pytest.mark.parametrize(("text", "sentence"), EXAMPLES, ids=[sentence for _, sentence in EXAMPLES])
def test_an_example_trades_and_has_the_summary_of_the_page(text: str, sentence: str, candles: Candles) -> None:
    strategy = Strategy.model_validate(json.loads(text))
    assert describe(strategy) == sentence
    assert len(run_backtest(strategy, candles, Costs(), 1000).fills) > 0


@pytest.mark.parametrize(("names", "text"), ROWS, ids=[names for names, _ in ROWS])
def test_an_example_of_the_table_trades_and_shows_its_series(names: str, text: str, candles: Candles) -> None:
    strategy = _strategy(text)
    assert len(run_backtest(strategy, candles, Costs(), 1000).fills) > 0
    shown = {side.model_dump()["series"] for each in comparisons_of(strategy) for side in each.series()}
    assert shown & set(names.split(", "))


def _strategy(text: str) -> Strategy:
    condition = {"kind": "compare", **json.loads(text)}
    return Strategy.model_validate({"conditions": [condition], "risk_management": {"max_holding": "1h"}})


def test_the_page_is_short_enough_for_a_language_model() -> None:
    assert len(PAGE) / 4 <= 4_500


def test_every_series_has_an_example() -> None:
    assert len(EXAMPLES) == PAGE.count("```json")
    assert {name for names, _ in ROWS for name in names.split(", ")} == set(SERIES)
    strategies = [*(_strategy(text) for _, text in ROWS), *(Strategy.model_validate_json(text) for text, _ in EXAMPLES)]
    shown = [each for strategy in strategies for each in comparisons_of(strategy)]
    sides = [side for each in shown for side in (each.left, each.right) if isinstance(side, Series)]
    changes = {
        name for side in sides for name in ("interval", "offset", "times", "plus") if name in side.model_fields_set
    }
    assert changes == {"interval", "offset", "times", "plus"}
    assert any(each.within_candles > 1 for each in shown)

"""Names for strategies, as a trader would give them."""

from typing import Any

import pytest

from strategybot.trading.words.naming import strategy_name


def compare(left: dict[str, Any], operator: str, right: Any) -> dict[str, Any]:
    return {"kind": "compare", "left": left, "operator": operator, "right": right}


CLOSE = {"series": "close"}


@pytest.mark.parametrize(
    ("condition", "symbol", "name"),
    [
        ({"kind": "price_drop", "percent": 5.0, "window": "1h"}, None, "Dip buyer 5 %"),
        ({"kind": "volume_spike", "multiplier": 3.0, "window": "1h"}, "KOI", "Volume buyer 3x on KOI"),
        (compare({"series": "rsi", "period": 14}, "below", 30), "PIPO", "RSI dip on PIPO"),
        (compare({"series": "stochastic_rsi"}, "above", 80), None, "Stochastic RSI rise"),
        (compare({"series": "sma", "period": 50}, "crosses_above", {"series": "sma", "period": 200}), None, "Golden cross (SMA)"),
        (compare({"series": "ema", "period": 9}, "crosses_above", {"series": "ema", "period": 21}), "SOL", "EMA 9/21 cross on SOL"),
        (compare({"series": "macd"}, "crosses_above", {"series": "macd", "line": "signal"}), None, "MACD turn"),
        (compare(CLOSE, "below", {"series": "bollinger", "line": "lower"}), None, "Bollinger bounce"),
        (compare(CLOSE, "crosses_above", {"series": "highest", "period": 20}), None, "Breakout of 20 candles"),
        (compare(CLOSE, "below", {"series": "vwap"}), None, "Price under VWAP"),
    ],
)  # fmt: skip
def test_a_strategy_is_named_by_its_first_rule_and_its_token(
    condition: dict[str, Any], symbol: str | None, name: str
) -> None:
    assert strategy_name({"conditions": [condition]}, symbol) == name

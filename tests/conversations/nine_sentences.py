"""Parts of the strategies that the nine sentences of the strategy language say."""

from typing import Any

Json = dict[str, Any]
RSI: Json = {"kind": "compare", "left": {"series": "rsi"}, "operator": "below", "right": 30}
DIP: Json = {"kind": "price_drop", "percent": 5, "window": "1h"}
HALVES = [{"gain_percent": 10, "sell_percent": 50}, {"gain_percent": 20, "sell_percent": 50}]
STREAK: Json = {"kind": "compare", "left": {"series": "streak", "offset": 1}, "operator": "below", "right": -2.5}
GREEN: Json = {"kind": "compare", "left": {"series": "body"}, "operator": "above", "right": 0}
THIRDS = [{"drop_percent": 5, "size_percent": 33.33}, {"drop_percent": 10, "size_percent": 33.33}]
EITHER: Json = {
    "kind": "group",
    "match": "all",
    "conditions": [DIP, {"kind": "volume_spike", "multiplier": 3, "window": "1h"}],
}


def holds(strategy: Any, part: Any) -> bool:
    """Return whether the strategy says what the part says, whatever it says beside it."""
    if isinstance(part, dict):
        return isinstance(strategy, dict) and all(holds(strategy.get(key), value) for key, value in part.items())
    if isinstance(part, list):
        return len(strategy) == len(part) and all(holds(*pair) for pair in zip(strategy, part, strict=True))
    return bool(strategy == part)

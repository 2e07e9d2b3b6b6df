"""Names for strategies, as a trader would give them."""

from collections.abc import Mapping, Sequence
from typing import Any

from strategybot.trading.language.values import plain

SHORT_NAME = 4  # letters of an indicator that is written in capitals, such as MACD


def strategy_name(strategy: Mapping[str, Any], symbol: str | None = None) -> str:
    """Return a short name for the strategy, such as Dip buyer 5 %, or RSI dip on PIPO if it is of one token."""
    first = _first(strategy["conditions"])
    amount = plain(first.get("percent") or first.get("multiplier") or first.get("level") or 0)
    names = {
        "price_drop": f"Dip buyer {amount} %",
        "price_rise": f"Momentum buyer {amount} %",
        "volume_spike": f"Volume buyer {amount}x",
        "price_level": f"Level buyer {first.get('direction')} {amount}",
        "every": "Savings plan",
        "time": "Clock buyer",
    }
    name = names.get(first["kind"]) or _comparison_name(first)
    return f"{name} on {symbol}" if symbol else name


def _first(conditions: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the first condition that is not about hours, inside of a group too."""
    first = next((each for each in conditions if each["kind"] != "time"), conditions[0])
    return _first(first["conditions"]) if first["kind"] == "group" else first


def _comparison_name(condition: Mapping[str, Any]) -> str:
    """Return a name for a rule about indicators, as a trader would give it."""
    left, right, is_below = condition["left"], condition["right"], "below" in condition["operator"]
    name = _short(left)
    if not isinstance(right, dict):
        return f"{name} {'dip' if is_below else 'rise'}"
    if left["series"] == right["series"]:
        periods = left.get("period"), right.get("period")
        if periods == (50, 200) and not is_below:
            return f"Golden cross ({name})"
        return f"{name} turn" if periods[0] == periods[1] else f"{name} {periods[0]}/{periods[1]} cross"
    if right["series"] in ("highest", "lowest"):
        return f"{'Fall under' if is_below else 'Breakout of'} {right.get('period', 20)} candles"
    if right["series"] == "bollinger":
        return "Bollinger bounce" if is_below else "Bollinger breakout"
    return f"{'Price' if left['series'] == 'close' else name} {'under' if is_below else 'over'} {_short(right)}"


def _short(series: Mapping[str, Any]) -> str:
    name = str(series["series"]).replace("_", " ")
    return name.upper() if len(name) <= SHORT_NAME else name.capitalize().replace("rsi", "RSI")

"""Conditions, as JSON, for what traders say in a few words: red candles in a row, every Friday, a usual dip."""

from strategybot.trading.language.edits import Json

USUAL = {"price_drop": ("percent", 5.0), "price_rise": ("percent", 5.0), "volume_spike": ("multiplier", 3.0)}


def usual(kind: str) -> Json:
    """Return what “a dip” or “volume” is without a number."""
    field, value = USUAL[kind]
    return {"kind": kind, field: value, "window": "1h"}


def group(match: str, conditions: list[Json]) -> Json:
    return {"kind": "group", "match": match, "conditions": conditions}


def candles(colour: str, count: int, then: str | None = None) -> Json:
    """Return the condition of red or green candles in a row, and of another one after them."""
    left = {"series": "streak" if count > 1 else "body"} | ({"offset": 1} if then else {})
    row = _colour(colour, left, count - 0.5 if count > 1 else 0.0)
    return group("all", [row, _colour(then, {"series": "body"}, 0.0)]) if then else row


def _colour(colour: str, left: Json, least: float) -> Json:
    operator, right = ("above", least) if colour == "green" else ("below", 0.0 - least)
    return {"kind": "compare", "left": left, "operator": operator, "right": right}


def every(period: str, weekday: str = "", at: str | None = None) -> Json:
    """Return the condition that a period begins. Weeks begin on Monday; another weekday is a day beside its name."""
    begins = {"kind": "every", "period": "7d" if weekday == "mon" else period, **({"at": at} if at else {})}
    is_other = weekday not in ("", "mon")
    return group("all", [begins, {"kind": "time", "weekdays": weekday.split()}]) if is_other else begins

"""Fields of a strategy laid anew: set to a value, moved by one, or asked about."""

from typing import Any

from strategybot.conversations.offline.reading import NAMES, Amount, Change, Claim, Reading
from strategybot.conversations.offline.words.quantities import DAY, HOUR, MINUTE, duration_text
from strategybot.trading.language.values import duration_seconds

WINDOWED = ("price_drop", "price_rise", "volume_spike")
MOVING = ("price_drop", "price_rise")
TIMES = ("max_holding", "cooldown", "window")


class Unclear(Exception):
    """What has to be asked before the strategy can be changed."""

    def __init__(self, question: str) -> None:
        super().__init__(question)
        self.question = question


def adjust(strategy: dict[str, Any], reading: Reading) -> None:
    risk = strategy["risk_management"]
    for name, change in reading.changes.items():
        holder = strategy if name == "position_percent" else risk
        holder[name] = moved(holder.get(name), change, NAMES[name])
    if reading.window is not None:
        _rewindow(strategy, reading.window, reading)
    if reading.reference is not None:
        _refer(strategy, reading.reference)
    if reading.level is not None:
        _relevel(strategy, reading)
    if reading.swap is not None:
        _swap(strategy, *reading.swap)
    if reading.move:
        _move(strategy, reading.move)


def moved(old: Any, change: Change, name: str = "value") -> Any:
    if change.how == "to":
        return change.value
    if old is None:
        raise Unclear(f"There is no {name} yet to start from. What should it be?")
    if isinstance(old, str):
        return _moved_duration(old, change, name)
    if change.how == "by" and float(change.value) > float(old):
        raise Unclear(
            f"By {change.value:g} percent points, or by that share of {float(old):g}? What should the {name} be?"
        )
    value = float(old) * float(change.value) if change.how == "times" else float(old) + float(change.value)
    return round(value, 10)


def _moved_duration(old: str, change: Change, name: str) -> str:
    seconds = float(duration_seconds(old))
    if change.how == "times":
        seconds *= float(change.value)
    else:
        amount = str(change.value)
        seconds += duration_seconds(amount.removeprefix("-")) * (-1 if amount.startswith("-") else 1)
    text = duration_text(seconds)
    if text is None:
        raise Unclear(f"The {name} has to be from 1 minute to 30 days. What should it be?")
    return text


def _rewindow(strategy: dict[str, Any], window: Change, reading: Reading) -> None:
    """Of the one condition that has a window, or that has had the one which is named as the old one."""
    standing = [condition for condition in strategy.get("conditions") or [] if condition["kind"] in WINDOWED]
    found = [condition for condition in standing if not any(condition is new for new in reading.entry)] or standing
    former = _former_times(reading)
    others = [strategy["risk_management"].get(name) for name in ("max_holding", "cooldown")]
    if len(found) > 1 and not any(value and duration_seconds(value) in former for value in others):
        found = [each for each in found if duration_seconds(each.get("window", "1h")) in former] or found
    if len(found) != 1:
        raise Unclear("Which window do you mean: " + " or ".join(f"of the {NAMES[c['kind']]}" for c in found) + "?")
    found[0]["window"] = moved(found[0].get("window"), window, "window")


def _former_times(reading: Reading) -> list[float]:
    """The old values in seconds; the 4 of "8 hours instead of 4" may have any unit where nothing else is changed."""
    lone = not (reading.changes or reading.entry or reading.exit)
    return [
        claim.value * unit
        for claim in reading.claimed + reading.denied
        for unit in ((1,) if claim.is_time else (MINUTE, HOUR, DAY) if lone else ())
    ]


def _refer(strategy: dict[str, Any], reference: str) -> None:
    kinds = {"high": ("price_drop",), "low": ("price_rise",), "close": ("price_drop", "price_rise")}[reference]
    found = [condition for condition in strategy.get("conditions") or [] if condition["kind"] in kinds]
    if len(found) != 1:
        raise Unclear("Which price move should be measured from there?")
    found[0]["reference"] = reference


def _relevel(strategy: dict[str, Any], reading: Reading) -> None:
    group = "exit_conditions" if reading.level_side == "SELL" else "conditions"
    found = [condition for condition in strategy.get(group) or [] if condition["kind"] == "price_level"]
    if len(found) != 1:
        raise Unclear("Which price level do you mean, and should the price rise above it or fall below it?")
    found[0]["level"] = reading.level


def _move(strategy: dict[str, Any], move: dict[str, Any]) -> None:
    found = [condition for condition in strategy.get("conditions") or [] if condition["kind"] in MOVING]
    if len(found) != 1:
        raise Unclear("Which price move do you mean: should the price drop or rise by that much?")
    found[0].update(move)


def _swap(strategy: dict[str, Any], old: Claim, new: Amount) -> None:
    """ "change 5% to 7%", "change the 1h to 2h": of the one value that is so now."""
    holders = [strategy["risk_management"], strategy, *(strategy.get("conditions") or [])]
    found = [(holder, key) for holder in holders for key, value in holder.items() if _is_old(key, value, old)]
    if len(found) != 1:
        raise Unclear(f"What should be {new}: the stop loss, the take profit, or something else?")
    holder, key = found[0]
    holder[key] = new


def _is_old(key: str, value: Any, old: Claim) -> bool:
    if key in TIMES:
        return bool(value) and old.is_time and duration_seconds(value) == old.value
    return key != "level" and not old.is_time and value == old.value

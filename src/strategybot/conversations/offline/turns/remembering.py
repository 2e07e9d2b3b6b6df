"""What a change leaves behind for the next message: which parts it was about, what they hold now, and held before."""

from collections.abc import Iterator
from typing import Any

from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.reading import NAMES, Change, Reading
from strategybot.trading.language.values import plain

_ALIKE = (("stop_loss_percent", "take_profit_percent", "trailing_stop_percent"), ("max_holding", "cooldown"))
_TIMES = {2.0: "double", 3.0: "triple", 0.5: "halve"}
_UNITS = {"percent": "%", "multiplier": "x"}


def remembered(reading: Reading, before: Json | None, after: Json) -> Json:
    """The sentence a follow-up fits into, the unit of a bare number, the order to repeat, and what was said."""
    said = [*_fields(reading, before, after), *_conditions(reading, before, after)]
    gone = sorted(NAMES[name] for name in reading.removed if name in NAMES)
    moves = [condition for condition in [*reading.entry, *reading.exit] if condition["kind"] != "volume_spike"]
    move = {"move": _move(moves[0], bool(reading.exit))} if len(moves) == 1 and _is_whole(moves[0]) else {}
    return _template(reading) | _repeat(reading) | ({"said": said, "gone": gone} if said or gone else {}) | move


def untimed(reading: Reading, before: Json | None, after: Json) -> Json:
    """What is left behind beside a run, of which "make it 30 days" would be said: only what is no time."""
    said = remembered(reading, before, after).get("said") or []
    return {"said": [each for each in said if each["now"] and each["now"][-1] in "%x"]}


def _fields(reading: Reading, before: Json | None, after: Json) -> Iterator[Json]:
    for name, change in reading.changes.items():
        yield _part(NAMES[name], _held(before, name), _held(after, name), _sign(change)) | _scaled(change)


def _conditions(reading: Reading, before: Json | None, after: Json) -> Iterator[Json]:
    """Each amount of the conditions to buy that were said, where there is one of the kind."""
    lone = sum("window" in condition for condition in after["conditions"]) == 1
    for condition in reading.entry:
        kind, name = condition["kind"], NAMES[condition["kind"]]
        old, new = _only(before, kind), _only(after, kind)
        for key in ("percent", "multiplier"):
            if new and condition.get(key) is not None:
                yield _part(
                    name, _written(old.get(key), key), _written(new[key], key), _sign(condition[key])
                ) | _scaled(condition[key])
        if new and condition.get("window") is not None:
            yield _part("window" if lone else f"{name} window", old.get("window"), new["window"], 0)


def _part(name: str, was: str | None, now: str | None, sign: int) -> Json:
    return {"part": name, "was": was, "now": now, "by": sign}


def _sign(change: Any) -> int:
    """Whether the value was moved up or down; 0 where it was set."""
    if not isinstance(change, Change) or change.how != "by":
        return 0
    return -1 if str(change.value).startswith("-") else 1


def _scaled(change: Any) -> Json:
    """Marks a value that was doubled or halved: it was not said, and so is not meant for another part."""
    return {"scaled": True} if isinstance(change, Change) and change.how == "times" else {}


def _held(strategy: Json | None, name: str) -> str | None:
    strategy = strategy or {}
    holder = strategy if name == "position_percent" else strategy.get("risk_management") or {}
    return _written(holder.get(name), name)


def _written(value: Any, name: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    return f"{plain(value)}{_UNITS.get(name, '%')}"


def _only(strategy: Json | None, kind: str) -> Json:
    found = [condition for condition in (strategy or {}).get("conditions") or [] if condition["kind"] == kind]
    return found[0] if len(found) == 1 else {}


def _is_whole(condition: Json) -> bool:
    """A drop or a rise from an earlier close, with both of its amounts."""
    amounts = (condition.get("percent"), condition.get("window"))
    return condition.get("reference", "close") == "close" and isinstance(amounts[0], float) and bool(amounts[1])


def _move(condition: Json, sells: bool) -> Json:
    drops = condition["kind"] == "price_drop"
    return {"verb": "sell" if sells else "buy", "drops": drops, "by": f"{plain(condition['percent'])}%"} | {
        "in": condition["window"]
    }


def _repeat(reading: Reading) -> Json:
    """ "same for …": a removal for any part, a change only for a part that is like the last."""
    beside = reading.entry or reading.exit or reading.window
    if len(reading.removed) == 1 and not (reading.changes or beside):
        return {"repeat": "remove the {}"}
    if len(reading.changes) != 1 or reading.removed or beside:
        return {}
    name, change = next(iter(reading.changes.items()))
    alike = [NAMES[other] for group in _ALIKE for other in group if name in group and other != name]
    order = _ordered(name, change)
    return {"repeat": order, "alike": alike} if alike and order else {}


def _ordered(name: str, change: Change) -> str | None:
    """The change once more, of whatever part is put in."""
    if change.how == "to":
        return f"set the {{}} to {_written(change.value, name)}"
    if change.how == "times":
        return f"{_TIMES[float(change.value)]} the {{}}" if change.value in _TIMES else None
    amount = _written(change.value, name) or ""
    return f"{'lower' if amount.startswith('-') else 'raise'} the {{}} by {amount.removeprefix('-')}"


def _template(reading: Reading) -> Json:
    template = _sentence(reading)
    if template is None:
        return {}
    changes = [*reading.changes.values(), *([reading.window] if reading.window else [])]
    units = {change.value[-1] for change in changes if isinstance(change.value, str)}
    return {"template": template} | ({"unit": units.pop()} if len(units) == 1 else {})


def _sentence(reading: Reading) -> str | None:
    """The sentence into which a follow-up such as "make it 7" fits."""
    if len(reading.removed) == 1 and not (reading.changes or reading.entry or reading.exit):
        return None
    if len(reading.changes) == 1 and not (reading.entry or reading.exit or reading.window):
        return f"set the {NAMES[next(iter(reading.changes))]} to {{}}"
    if reading.window is not None and not (reading.changes or reading.entry):
        return "change the window to {}"
    if reading.changes or len(reading.entry) != 1:
        return None
    kind = reading.entry[0]["kind"]
    return f"change the {NAMES[kind]} to {{}}" if kind != "price_level" else None

"""Values that a strategy is said to have: "remove the 3% stop", "from 4 to 6". Said wrongly, another one was meant."""

from collections.abc import Iterator
from typing import Any

from strategybot.conversations.offline.reading import NAMES, Claim, Reading
from strategybot.conversations.offline.strategy.field_edits import TIMES, Unclear
from strategybot.conversations.offline.words.quantities import DAY, HOUR, MINUTE
from strategybot.trading.language.values import duration_seconds

RISKS = frozenset({"stop_loss_percent", "take_profit_percent", "trailing_stop_percent", "max_holding", "cooldown"})


def question_claims(reading: Reading, current: dict[str, Any] | None) -> None:
    """Each claim has to be true of what is changed or removed, or of anything where neither says what it is about."""
    left = {condition["kind"] for condition in (current or {}).get("conditions") or []} - reading.removed
    if reading.alone is not None and left != {reading.alone}:
        raise Unclear("Which of the conditions to buy should go? Say “remove the …”.")
    _question_absent(reading, current)
    _question_other_exits(reading, current)
    about = _about(reading)
    for claim in reading.claimed:
        named = {claim.about} if claim.about else about
        held = [(value, is_time) for name, value, is_time in _values(current or {}) if not named or name in named]
        if not _is_true(claim, held):
            said = f"{claim.value / 60:g} minutes" if claim.is_time else f"{claim.value:g}"
            raise Unclear(f"You wrote {said}, which it does not hold now. Which one do you mean?")


def _question_absent(reading: Reading, current: dict[str, Any] | None) -> None:
    """ "stop 4 and trailing the same", where there is no trailing stop: it cannot stay, and may be meant to be 4."""
    kept = reading.kept & RISKS
    risk = (current or {}).get("risk_management") or {}
    if current and kept and kept == reading.kept and not any(risk.get(name) for name in kept):
        raise Unclear(f"There is no {NAMES[min(kept)]} yet. What should it be?")


def _question_other_exits(reading: Reading, current: dict[str, Any] | None) -> None:
    """ "the only exit should be a 10% target", where there is a stop as well."""
    risk = (current or {}).get("risk_management") or {}
    others = {name for name in RISKS - {"cooldown"} if risk.get(name)} - reading.changes.keys() - reading.removed
    if reading.sells_only and (others or ((current or {}).get("exit_conditions") and not reading.exit)):
        raise Unclear("Should the other exits go? Say “remove …” for each that should.")


def holds(strategy: dict[str, Any], claim: Claim, about: str | None) -> bool:
    """Whether the strategy has that value: in what it is said of, or anywhere where that was left open."""
    return _is_true(claim, [(value, is_time) for name, value, is_time in _values(strategy) if about in (None, name)])


def _is_true(claim: Claim, held: list[tuple[float, bool]]) -> bool:
    """ "1 day instead of 2" says the 2 without its unit."""
    spans = [] if claim.is_time else [(claim.value * unit, True) for unit in (MINUTE, HOUR, DAY)]
    return any(said in held for said in [(claim.value, claim.is_time), *spans])


def _about(reading: Reading) -> set[str]:
    kinds = {condition["kind"] for condition in [*reading.entry, *reading.exit]}
    return {*reading.changes, *(reading.removed - {"strategy", "entry"}), *kinds}


def _values(strategy: dict[str, Any]) -> Iterator[tuple[str, float, bool]]:
    """Each value with the field or the kind of condition it belongs to, and whether it is a time, in seconds."""
    yield "position_percent", strategy.get("position_percent") or 100, False
    yield from _named((strategy.get("risk_management") or {}).items())
    for group in ("conditions", "exit_conditions"):
        for condition in strategy.get(group) or []:
            for _, value, is_time in _named(condition.items()):
                yield condition["kind"], value, is_time
                if group == "exit_conditions":
                    yield group, value, is_time


def _named(pairs: Any) -> Iterator[tuple[str, float, bool]]:
    for name, value in pairs:
        if name in TIMES and value:
            yield name, float(duration_seconds(value)), True
        elif isinstance(value, int | float):
            yield name, value, False

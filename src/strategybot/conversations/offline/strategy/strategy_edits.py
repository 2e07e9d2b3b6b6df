"""A Reading laid over the strategy that a bot has: the strategy that results, or what must be asked first."""

from copy import deepcopy
from typing import Any

from pydantic import ValidationError

from strategybot.conversations.offline.reading import NAMES, Change, Reading
from strategybot.conversations.offline.strategy.claims import question_claims
from strategybot.conversations.offline.strategy.field_edits import Unclear, adjust, moved
from strategybot.conversations.offline.strategy.strategy_removals import remove
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.language.values import duration_seconds

NO_ENTRY = "When should it buy? For example: when the price drops 5% in an hour."


def edited(reading: Reading, current: dict[str, Any] | None) -> dict[str, Any] | None:
    """The strategy after the edit, valid and with its defaults; None when it is cleared."""
    if reading.questions:
        raise Unclear(reading.questions[0])
    question_claims(reading, current)
    cleared = "strategy" in reading.removed
    if cleared and not reading.entry:
        if reading.changes or reading.exit:
            raise Unclear(NO_ENTRY)
        return None
    strategy = deepcopy(current) if current and not cleared else {}
    remove(strategy, reading)
    _enter(strategy, reading)
    _leave(strategy, reading)
    adjust(strategy, reading)
    if not strategy.get("conditions"):
        raise Unclear(NO_ENTRY)
    return _checked(strategy)


def _checked(strategy: dict[str, Any]) -> dict[str, Any]:
    try:
        return Strategy.model_validate(strategy).model_dump(mode="json")
    except ValidationError as error:
        first = error.errors()[0]
        name = str(next((part for part in reversed(first["loc"]) if isinstance(part, str)), "strategy"))
        message = first["msg"].removeprefix("Input ")
        raise Unclear(f"The {NAMES.get(name, name.replace('_', ' '))} {message}. What should it be?") from error


def _enter(strategy: dict[str, Any], reading: Reading) -> None:
    existing: list[dict[str, Any]] = strategy.get("conditions") or []
    _question_entry(existing, reading)
    complete = any(_is_complete(condition) for condition in reading.entry)
    restated = reading.buys and not reading.adds_entry and complete and not _renews(existing, reading)
    if restated or not existing:
        strategy["conditions"] = [_fresh(condition) for condition in reading.entry]
        strategy["match"] = (reading.match or "all") if reading.entry else strategy.get("match", "all")
    else:
        _amend_or_add(existing, reading)
    _match(strategy, reading)
    _question_impossible(strategy)


def _renews(existing: list[dict[str, Any]], reading: Reading) -> bool:
    """ "buy at a 10% drop instead of 8": each condition has one of its kind that holds the old value."""
    old = {claim.value for claim in reading.claimed + reading.denied if not claim.is_time}
    spans = {claim.value for claim in reading.claimed + reading.denied if claim.is_time}
    renewed = {
        condition["kind"]
        for condition in existing
        if old & {condition.get("percent"), condition.get("multiplier")}
        or duration_seconds(condition.get("window", "1h")) in spans
    }
    return bool(renewed) and {condition["kind"] for condition in reading.entry} <= renewed


def _amend_or_add(existing: list[dict[str, Any]], reading: Reading) -> None:
    kinds = {condition["kind"] for condition in existing}
    added = [condition for condition in reading.entry if _is_added(condition, kinds, reading)]
    if not reading.restates:
        _question_second_volume(existing, added)
    _question_same_window(existing, added)
    amended = [condition for condition in reading.entry if condition not in added]
    _question_twice([condition["kind"] for condition in amended])
    for condition in amended:
        _amend(existing, condition)
    existing += [_fresh(condition) for condition in added]


def _is_added(condition: dict[str, Any], kinds: set[str], reading: Reading) -> bool:
    if condition["kind"] in kinds and reading.restates:
        return False  # "require a 10% drop instead of 8"
    return reading.adds_entry or (reading.must and condition["kind"] not in kinds)


def _question_twice(kinds: list[str]) -> None:
    """Two values for one condition: neither may be dropped in favour of the other."""
    for kind in kinds:
        if kinds.count(kind) > 1:
            raise Unclear(f"I read two values for the {NAMES[kind]}. Which one do you mean?")


def _question_impossible(strategy: dict[str, Any]) -> None:
    """A drop and a rise over the same window never hold together."""
    moves = [condition for condition in strategy["conditions"] if condition["kind"] in ("price_drop", "price_rise")]
    spans = {(condition.get("window", "1h"), condition.get("reference", "close")) for condition in moves}
    kinds = {condition["kind"] for condition in moves}
    if len(kinds) > 1 and len(spans) == 1 and strategy.get("match") != "any":
        raise Unclear("The price cannot fall and rise over the same window. Is either one enough, or which windows?")


def _question_second_volume(existing: list[dict[str, Any]], added: list[dict[str, Any]]) -> None:
    kinds = [condition["kind"] for condition in existing + added]
    if kinds.count("volume_spike") > 1 and any(condition["kind"] == "volume_spike" for condition in added):
        raise Unclear("It looks at the volume already. Should that change? Say “change the volume to …”.")


def _question_same_window(existing: list[dict[str, Any]], added: list[dict[str, Any]]) -> None:
    """Two drops over the same window: one of them says nothing, so the one there is may be meant to change."""
    spans = [_span(condition) for condition in existing if condition["kind"] in ("price_drop", "price_rise")]
    for condition in added:
        if _span(condition) in spans:
            name = NAMES[condition["kind"]]
            raise Unclear(
                f"It watches a {name} over that time already. Should that change? Say “change the {name} to …”."
            )


def _span(condition: dict[str, Any]) -> tuple[str, str, str]:
    return condition["kind"], str(condition.get("window", "1h")), condition.get("reference", "close")


def _question_entry(existing: list[dict[str, Any]], reading: Reading) -> None:
    if not existing or not reading.entry:
        return
    if reading.buys and not (reading.adds_entry or reading.restates or reading.removed):
        _question_unmeasured(reading.entry)
    if reading.is_mixed:
        raise Unclear("Should all of these be added to what makes it buy, or replace it? Say “add …” or “buy when …”.")
    if reading.only_buys and not reading.adds_entry:
        raise Unclear("Should that be added to what makes it buy, or replace it? Say “add …” or “buy when …”.")
    if reading.also_buys and reading.match is None:
        raise Unclear("Must that hold together with what makes it buy now (“all”), or is either one enough (“any”)?")


def _question_unmeasured(entry: list[dict[str, Any]]) -> None:
    """ "buy when it is red for 3 hours": by how much is not said, and what there is may not be meant."""
    if all(len(condition) == 2 and "window" in condition for condition in entry):
        _fresh(entry[0])


def _match(strategy: dict[str, Any], reading: Reading) -> None:
    conditions = strategy.get("conditions") or []
    if reading.match is not None and len(reading.exit) == 1 and not reading.entry:
        raise Unclear("Must all hold, or is any one enough: of what makes it buy, or of what makes it sell?")
    if reading.match is not None and conditions and not reading.exit:
        if len(conditions) < 2:
            raise Unclear("There is only one condition to buy. Which other one should there be?")
        strategy["match"] = reading.match


def _is_complete(condition: dict[str, Any]) -> bool:
    return any(not isinstance(condition.get(key), Change | None) for key in ("percent", "multiplier", "level"))


def _fresh(condition: dict[str, Any]) -> dict[str, Any]:
    if not _is_complete(condition):
        unit = "how many times the average" if condition["kind"] == "volume_spike" else "how many percent"
        raise Unclear(f"The {NAMES[condition['kind']]}: {unit}?")
    if isinstance(condition.get("window"), Change):
        raise Unclear(f"How long should the window of the {NAMES[condition['kind']]} be?")
    return condition


def _amend(existing: list[dict[str, Any]], change: dict[str, Any]) -> None:
    same = [condition for condition in existing if condition["kind"] == change["kind"]]
    if len(same) > 1:
        raise Unclear(f"There are {len(same)} conditions of the kind {NAMES[change['kind']]}. Which one do you mean?")
    if not same:
        name = NAMES[change["kind"]]
        raise Unclear(f"Should the {name} be added to what makes it buy, or replace it? Say “add …” or “buy when …”.")
    for key, value in change.items():
        same[0][key] = moved(same[0].get(key), value) if isinstance(value, Change) else value


def _leave(strategy: dict[str, Any], reading: Reading) -> None:
    exits: list[dict[str, Any]] = strategy.setdefault("exit_conditions", [])
    before = list(exits)
    for condition in reading.exit:
        twins = [exit_ for exit_ in before if _twin(exit_, condition)]
        if reading.adds and any(
            _is_held(exit_, condition) for exit_ in twins
        ):  # "also the sell at 0.012", said of a removal
            raise Unclear("It sells on that already. What should I do with it?")
        if before and not reading.adds and not reading.buys and len(twins) != 1:
            raise Unclear("It has an exit already. Should this be added (say “also …”), or replace it?")
        if twins and not reading.adds:
            _question_twice([exit_["kind"] for exit_ in reading.exit if _twin(twins[0], exit_)])
            exits[exits.index(twins[0])] = _fresh(condition)
        else:
            exits.append(_fresh(condition))
    if reading.exit_match is not None and len(exits) > 1:
        strategy["exit_match"] = reading.exit_match


def _is_held(exit_: dict[str, Any], condition: dict[str, Any]) -> bool:
    return all(exit_.get(key) == value for key, value in condition.items() if key != "place")


def _twin(exit_: dict[str, Any], condition: dict[str, Any]) -> bool:
    return exit_["kind"] == condition["kind"] and exit_.get("direction") == condition.get("direction")

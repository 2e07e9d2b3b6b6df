"""Edit a strategy as JSON: where its settings and conditions stand, and what goes when another is set or removed."""

from collections.abc import Iterator, Sequence
from typing import Any

from strategybot.trading.language.strategy import EXCLUSIVE_EXITS, SIZES, Strategy

Json = dict[str, Any]
JsonPath = tuple[str | int, ...]
UNSET = {"position_percent": 100.0, "max_entries": 1}  # what a field has that cannot be empty


def value_at(node: Any, path: JsonPath) -> Any:
    """Return the value at the path; None where there is no such key."""
    for step in path:
        node = node[step] if isinstance(step, int) else (node or {}).get(step)
    return node


def with_value(node: Any, path: JsonPath, value: Any) -> Any:
    """Return a copy of the node with the value at the path."""
    if not path:
        return value
    step, *rest = path
    if isinstance(step, int):
        return [*node[:step], with_value(node[step], tuple(rest), value), *node[step + 1 :]]
    return {**(node or {}), step: with_value((node or {}).get(step), tuple(rest), value)}


def setting_path(key: str) -> JsonPath:
    """Return where a setting stands; `risk_management` may be left out of its key."""
    first, *rest = key.split(".")
    return (first, *rest) if first in Strategy.model_fields else ("risk_management", first, *rest)


def set_paths(key: str, strategy: Json) -> list[JsonPath]:
    """Return where the setting is set, or another one that says the same: a stop in ATR instead of percent."""
    paths = [setting_path(key)[:2], *map(setting_path, _excluded_by(key))]
    return [path for path in paths if value_at(strategy, path) not in (None, UNSET.get(str(path[0])))]


def with_setting(strategy: Json, key: str, value: float | str | None) -> Json:
    """Return the strategy with the setting, and without those that exclude it."""
    for other in _excluded_by(key):
        strategy = without(strategy, setting_path(other))
    return dict(with_value(strategy, setting_path(key), value))


def without(strategy: Json, path: JsonPath) -> Json:
    """Return the strategy without a setting."""
    return dict(with_value(strategy, path, UNSET.get(str(path[0]))))


def leaves(conditions: Sequence[Json], path: JsonPath) -> Iterator[tuple[JsonPath, Json]]:
    """Yield every condition with its path, those inside of groups too."""
    for number, each in enumerate(conditions):
        inner = each.get("conditions")
        yield from leaves(inner, (*path, number, "conditions")) if inner else [((*path, number), each)]


def without_condition(strategy: Json, path: JsonPath) -> Json:
    """Return the strategy without the condition at the path; of a group of two, the other one stays alone."""
    kept = [each for place, each in enumerate(value_at(strategy, path[:-1])) if place != path[-1]]
    is_grouped = len(path) > len(("conditions", 0))
    if is_grouped and not kept:
        return without_condition(strategy, path[:-2])
    is_alone = is_grouped and len(kept) == 1
    return dict(with_value(strategy, path[:-2], kept[0]) if is_alone else with_value(strategy, path[:-1], kept))


def _excluded_by(key: str) -> list[str]:
    first = key.partition(".")[0]
    return [other for fields in (*EXCLUSIVE_EXITS, SIZES) if first in fields for other in fields if other != first]

"""Turns the requested parameters of a search into the axes of a grid."""

from decimal import Decimal

from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.searches.schemas import MOST_VALUES, ParameterRequest
from strategybot.trading.language.paths import PathError, place_of
from strategybot.trading.language.strategy import Strategy
from strategybot.trading.search.grid import Axis, Grid


def grid_asked_for(strategy: Strategy, parameters: list[ParameterRequest], most: int, upsell: str) -> Grid:
    """Return the grid. Raises `InvalidInput` where a path or a value does not fit, or where there are too many."""
    axes = [_axis(number, each) for number, each in enumerate(parameters)]
    for number, axis in enumerate(axes):
        try:
            place_of(strategy, axis.path)
        except PathError as error:
            raise InvalidInput([FieldError(f"parameters.{number}.path", str(error))]) from None
    grid = Grid(strategy, tuple(axes))
    if len(grid) > most:
        message = f"make {len(grid)} variants, and your search can have {most}. {upsell}"
        raise InvalidInput([FieldError("parameters", message)])
    try:
        grid.check()
    except PathError as error:
        raise InvalidInput([FieldError("parameters", f"do not fit the strategy: {error}")]) from None
    return grid


def _axis(number: int, asked: ParameterRequest) -> Axis:
    field = f"parameters.{number}"
    span = (asked.first, asked.last, asked.step)
    if asked.values is not None and span == (None, None, None):
        return Axis(asked.path, tuple(dict.fromkeys(asked.values)))
    if asked.values is not None or None in span:
        raise InvalidInput([FieldError(field, "must have either `values`, or `from`, `to` and `step`")])
    return Axis(asked.path, _steps(field, asked.first or 0.0, asked.last or 0.0, asked.step or 1.0))


def _steps(field: str, first: float, last: float, step: float) -> tuple[float, ...]:
    """Return the values from first to last, both included, without rounding errors such as 0.30000000000000004."""
    if last < first:
        raise InvalidInput([FieldError(f"{field}.to", "must not be below `from`")])
    if (last - first) / step >= MOST_VALUES:
        raise InvalidInput([FieldError(field, f"has too many values: a parameter can have {MOST_VALUES}")])
    start, distance = Decimal(repr(first)), Decimal(repr(step))
    count = int((Decimal(repr(last)) - start) / distance) + 1
    return tuple(float(start + number * distance) for number in range(count))

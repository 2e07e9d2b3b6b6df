"""Prepared queries for most requests, run on the driver's cursor.

SQLAlchemy compiles the statement and its types once; executing it through SQLAlchemy takes several times as long as the
query. The result is plain named tuples, with values converted as SQLAlchemy would.
"""

from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from sqlalchemy import Dialect, Select

Row = Any
"""A named tuple with the statement's columns as fields."""

REMEMBERED_ROWS = 4096

Kept = TypeVar("Kept")
Made = TypeVar("Made")


def kept(make: Callable[[Kept], Made]) -> Callable[[Kept], Made]:
    """Return the function with a cache by the identity of its argument: an unchanged row is read as the same object."""
    made: dict[int, tuple[Kept, Made]] = {}

    def find(value: Kept) -> Made:
        found = made.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        if len(made) >= REMEMBERED_ROWS:
            made.clear()
        result = make(value)
        made[id(value)] = value, result
        return result

    return find


class PreparedRead:
    """A SELECT with bound parameters.

    The caller must not change the returned values: an unchanged row is returned as the same object again.
    """

    def __init__(self, statement: Select[*tuple[Any, ...]]) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}

    def compiled(self, dialect: Dialect) -> "_Compiled":
        found = self._compiled.get(dialect.name)
        if found is None:
            found = self._compiled[dialect.name] = _Compiled(self._statement, dialect)
        return found


class Look:
    """Runs prepared queries on one connection of the driver."""

    def __init__(self, cursor: Any, dialect: Dialect) -> None:
        self._cursor, self._dialect = cursor, dialect

    def all(self, query: PreparedRead, **values: object) -> list[Row]:
        compiled = query.compiled(self._dialect)
        self._cursor.execute(compiled.sql, compiled.parameters(values))
        return list(map(compiled.row, self._cursor.fetchall()))

    def first(self, query: PreparedRead, **values: object) -> Row | None:
        found = self.all(query, **values)
        return found[0] if found else None


class _Compiled:
    def __init__(self, statement: Select[*tuple[Any, ...]], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._binders = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect) for name, bind in compiled.binds.items()
        }
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        self._order: list[str] | None = getattr(compiled, "positiontup", None)
        columns = list(statement.selected_columns)
        processors = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
        self.row = _row_maker([str(column.key) for column in columns], processors)

    def parameters(self, values: dict[str, object]) -> Any:
        bound = {**self._fixed, **values}
        for name, bind in self._binders.items():
            if bind is not None:
                bound[name] = bind(bound[name])
        return bound if self._order is None else tuple(bound[name] for name in self._order)


def _row_maker(names: list[str], processors: Sequence[Callable[[Any], Any] | None]) -> Callable[[tuple[Any, ...]], Row]:
    make: Callable[[list[Any]], Row] = namedtuple("Row", names, rename=True)._make  # type: ignore[attr-defined]  # made as it runs
    converted = [(place, processor) for place, processor in enumerate(processors) if processor is not None]

    def convert(raw: tuple[Any, ...]) -> Row:
        values = list(raw)
        for place, processor in converted:
            values[place] = processor(values[place])
        return make(values)

    remembered = lru_cache(maxsize=REMEMBERED_ROWS)(convert)

    def row(raw: tuple[Any, ...]) -> Row:
        try:
            return remembered(raw)
        except TypeError:  # PostgreSQL's driver decodes JSON columns itself, and a dict is not hashable
            return convert(raw)

    return row

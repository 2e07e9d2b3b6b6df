"""Prepared queries for most requests, run by the driver.

SQLAlchemy compiles the statement and its types once; executing it through SQLAlchemy takes several times as long as the
query. The result is plain named tuples, with values converted as SQLAlchemy would.
"""

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar

from sqlalchemy import Dialect, Select
from sqlalchemy.types import TypeDecorator, TypeEngine

from strategybot.kit.json_object import json_value

Row = Any
"""A named tuple with the statement's columns as fields."""

REMEMBERED_ROWS = 4096
_numbers = count()

Processor = Callable[[Any], Any]
"""Converts the value of a column."""

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


class Look(ABC):
    """Runs prepared queries on one connection of the driver."""

    @abstractmethod
    def all(self, query: PreparedRead, **values: object) -> list[Row]:
        """Return the rows of the query."""

    def first(self, query: PreparedRead, **values: object) -> Row | None:
        found = self.all(query, **values)
        return found[0] if found else None


class SqliteLook(Look):
    def __init__(self, cursor: Any, dialect: Dialect) -> None:
        self._cursor, self._dialect = cursor, dialect

    def all(self, query: PreparedRead, **values: object) -> list[Row]:
        compiled = query.compiled(self._dialect)
        bound = compiled.bound(values)
        self._cursor.execute(compiled.sql, [bound[name] for name in compiled.order])
        return list(map(compiled.row, self._cursor.fetchall()))


class PostgresLook(Look):
    """Runs each query as one call of PostgreSQL's library, in text form.

    psycopg's cursor calls it three times and takes the interpreter's lock again after each; under load that took half
    of the time of a list. `prepared` has the names of the statements that this connection has prepared.
    """

    def __init__(self, connection: Any, prepared: set[bytes], dialect: Dialect) -> None:
        self._connection, self._prepared, self._dialect = connection.pgconn, prepared, dialect
        self._driver: Any = dialect.loaded_dbapi

    def all(self, query: PreparedRead, **values: object) -> list[Row]:
        compiled = query.compiled(self._dialect)
        bound = compiled.bound(values)
        parameters = [_as_text(bound[name]) for name in compiled.order]
        try:
            found = self._found(compiled, parameters)
        except self._driver.errors.InvalidSqlStatementName:
            self._prepared.discard(compiled.name)  # psycopg deallocates those of a connection after a rollback
            found = self._found(compiled, parameters)
        value, columns = found.get_value, range(found.nfields)
        return [compiled.row(tuple([value(row, column) for column in columns])) for row in range(found.ntuples)]

    def _found(self, compiled: "_Compiled", parameters: list[bytes | None]) -> Any:
        if compiled.name not in self._prepared:
            self._refuse_error(self._connection.prepare(compiled.name, compiled.sql.encode()))
            self._prepared.add(compiled.name)
        found = self._connection.exec_prepared(compiled.name, parameters)
        self._refuse_error(found)
        return found

    def _refuse_error(self, result: Any) -> None:
        if result.error_message:
            error = self._driver.errors.error_from_result(result)
            # Without a state it does not come from the server: the connection is broken.
            raise error if error.sqlstate else self._driver.OperationalError(str(error))


class _Compiled:
    """A statement for one kind of database; `order` names its parameters by their place. No two have the same name."""

    def __init__(self, statement: Select[*tuple[Any, ...]], dialect: Dialect) -> None:
        self.name = f"read_{next(_numbers)}".encode()
        compiled = statement.compile(dialect=dialect)
        self._binders = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect) for name, bind in compiled.binds.items()
        }
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}
        columns = list(statement.selected_columns)
        processors: list[Processor | None]
        processors = [column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns]
        if dialect.name == "sqlite":
            self.sql, self.order = str(compiled), list(compiled.positiontup or ())
        else:
            self.order = list(compiled.params)
            self.sql = str(compiled) % {name: f"${place}" for place, name in enumerate(self.order, 1)}
            parsers = [_PARSERS[_stored(column.type).python_type] for column in columns]
            processors = [_after(parse, more) for parse, more in zip(parsers, processors, strict=True)]
        self.row = _row_maker([str(column.key) for column in columns], processors)

    def bound(self, values: dict[str, object]) -> dict[str, Any]:
        """Return the value of each parameter as the driver takes it."""
        bound = {**self._fixed, **values}
        for name, bind in self._binders.items():
            if bind is not None:
                bound[name] = bind(bound[name])
        return bound


_PARSERS: dict[type, Processor] = {
    str: bytes.decode,
    int: int,
    float: float,
    bool: b"t".__eq__,
    datetime: lambda text: datetime.fromisoformat(text.decode()),
    object: json_value,
}
"""How a value that PostgreSQL sends as text is read, by the type of its column."""


def _stored(kind: TypeEngine[Any]) -> TypeEngine[Any]:
    return kind.impl_instance if isinstance(kind, TypeDecorator) else kind


def _after(parse: Processor, more: Processor | None) -> Processor:
    def read(text: bytes | None) -> Any:
        value = None if text is None else parse(text)
        return value if more is None else more(value)

    return read


def _as_text(value: object) -> bytes | None:
    return None if value is None else str(value).encode()


def _row_maker(names: list[str], processors: Sequence[Processor | None]) -> Callable[[tuple[Any, ...]], Row]:
    make: Callable[[list[Any]], Row] = namedtuple("Row", names, rename=True)._make  # type: ignore[attr-defined]  # made as it runs
    converted = [(place, processor) for place, processor in enumerate(processors) if processor is not None]

    @lru_cache(maxsize=REMEMBERED_ROWS)
    def row(raw: tuple[Any, ...]) -> Row:
        values = list(raw)
        for place, processor in converted:
            values[place] = processor(values[place])
        return make(values)

    return row

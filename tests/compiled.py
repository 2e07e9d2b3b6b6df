"""SQL that is compiled once a process. Each test has an engine of its own, and SQLAlchemy would compile each statement
anew for each engine, which took a sixth of a test of the API.
"""

from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

STATEMENTS = 2000


class _AlikeForAllEngines:
    """Equal to any other of its class: a cache of statements has the dialect in its key."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


class Sqlite(_AlikeForAllEngines, SQLiteDialect_pysqlite):
    supports_statement_cache = True


class Postgres(_AlikeForAllEngines, PGDialect_psycopg):
    supports_statement_cache = True


_compiled: LRUCache[Any, Any] = LRUCache(STATEMENTS)


def compile_once() -> None:
    """Let all engines that are made from now on share what is compiled."""
    registry.register("sqlite", __name__, "Sqlite")
    registry.register("postgresql.psycopg", __name__, "Postgres")
    event.listen(Engine, "engine_connect", _use_what_is_compiled)


def _use_what_is_compiled(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_compiled)

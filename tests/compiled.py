"""What all engines of a process share in tests. Each test has an engine of its own, and SQLAlchemy would compile each
statement and ask the server for its version anew for each engine, and connect again, for which PostgreSQL starts a
process. That took half of a test of the API.
"""

from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

from tests.kept_connections import keep, taken

STATEMENTS = 2000


class _AlikeForAllEngines:
    """Equal to any other of its class, as a cache of statements has the dialect in its key, and as much in the know."""

    learned: dict[str, Any] | None = None
    """What the first engine has asked its server."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def initialize(self, connection: Connection) -> None:
        if self.learned is None:
            before = dict(vars(self))
            super().initialize(connection)  # type: ignore[misc]  # the dialect's
            learned = {name: value for name, value in vars(self).items() if before.get(name) is not value}
            type(self).learned = learned
        vars(self).update(self.learned or {})


class Sqlite(_AlikeForAllEngines, SQLiteDialect_pysqlite):
    supports_statement_cache = True


class Postgres(_AlikeForAllEngines, PGDialect_psycopg):
    supports_statement_cache = True

    def connect(self, *arguments: Any, **options: Any) -> Any:
        return taken(options) or super().connect(*arguments, **options)

    def do_close(self, dbapi_connection: Any) -> None:
        keep(dbapi_connection)

    def do_terminate(self, dbapi_connection: Any) -> None:
        dbapi_connection.close()


_compiled: LRUCache[Any, Any] = LRUCache(STATEMENTS)


def compile_once() -> None:
    """Let all engines that are made from now on share what is compiled."""
    registry.register("sqlite", __name__, "Sqlite")
    registry.register("postgresql.psycopg", __name__, "Postgres")
    event.listen(Engine, "engine_connect", _use_what_is_compiled)


def _use_what_is_compiled(connection: Connection) -> None:
    connection.execution_options(compiled_cache=_compiled)

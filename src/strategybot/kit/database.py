"""The database: SQLite or PostgreSQL; a unit of work is `with database.read()` or `with database.write()`.

On SQLite a process has one writer at a time, takes the write lock when a write begins, and syncs each commit to the
disk. A database that cannot be reached raises `DatabaseUnavailable`, a 503.
"""

import select
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import sqlalchemy
from pydantic import BaseModel
from sqlalchemy import (
    DateTime,
    Dialect,
    Engine,
    MetaData,
    Select,
    String,
    Text,
    TypeDecorator,
    Uuid,
    event,
    text,
)
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InvalidatePoolError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import ConnectionPoolEntry

from strategybot.kit.errors import Unavailable
from strategybot.kit.json_object import json_text, json_value
from strategybot.kit.paging import Paging, Row, Slice

__all__ = [
    "AnyRow",
    "Base",
    "Database",
    "DatabaseDamaged",
    "DatabaseUnavailable",
    "Id",
    "ModelText",
    "Session",
    "UtcDateTime",
    "flush",
    "is_database_url",
    "rows_and_total",
    "window",
    "with_total",
]

BUSY_TIMEOUT_MS = 15_000

AnyRow = sqlalchemy.Row[*tuple[Any, ...]]
"""A row with the columns of a query as attributes."""


class DatabaseUnavailable(Unavailable):
    message = "The database cannot be reached at the moment. Please try again."


class DatabaseDamaged(DatabaseUnavailable):
    message = "The database is damaged, or its file is no database at all."


class UtcDateTime(TypeDecorator[datetime]):
    """An aware datetime in UTC, on both engines."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        return None if value is None else value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class ModelText(TypeDecorator[BaseModel]):
    """A frozen pydantic model as JSON text. Parsed models are cached by their text, because they never change."""

    impl = Text
    cache_ok = True

    def __init__(self, model: type[BaseModel]) -> None:
        super().__init__()
        self.model = model

    def process_bind_param(self, value: BaseModel | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else value.model_dump_json()

    def process_result_value(self, value: str | None, dialect: Dialect) -> BaseModel | None:  # noqa: ARG002
        return None if value is None else _parse(self.model, value)


@lru_cache(maxsize=1024)  # at most 20 MB: a model takes 20 kB at most
def _parse(model: type[BaseModel], text: str) -> BaseModel:
    return model.model_validate_json(text)


# Native on PostgreSQL; plain text on SQLite, where converting each one would cost more than the query.
Id = String(36).with_variant(Uuid(as_uuid=False), "postgresql")


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar = {datetime: UtcDateTime}


class Database:
    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self._writing = threading.Lock()
        self._driver: Any = self.engine.dialect.loaded_dbapi
        self.is_damaged = False
        """Whether SQLite has found damage since the start, or the last `check` has."""
        self.on_change: Callable[[], None] | None = None
        """Called in the writer's thread after a commit that noted changes (`kit/changes.py`)."""

    def create_file(self) -> None:
        """Create a missing SQLite file readable only by its owner; SQLite gives the files beside it the same
        permissions, and would let everyone read all of them.
        """
        if self.is_sqlite and self.engine.url.database:
            with suppress(OSError):  # the connection to it says what is wrong
                Path(self.engine.url.database).touch(mode=0o600, exist_ok=False)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Yield a session that only reads. On SQLite it sees one state of the database. On PostgreSQL each statement
        sees what is committed by then, so it runs without a transaction, which saves two round trips."""
        with self._guard(), self.engine.connect() as connection:
            if self.is_sqlite:
                connection.connection.cursor().execute("BEGIN")  # without what SQLAlchemy does for a statement
            with Session(connection, expire_on_commit=False) as session:
                yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Yield a session that is committed at the end of the block, and rolled back by any exception."""
        with self._guard(), self._turn(), self.engine.connect() as connection, connection.begin():
            connection.exec_driver_sql("BEGIN IMMEDIATE" if self.is_sqlite else "BEGIN READ WRITE")
            with Session(connection, expire_on_commit=False) as session, session.begin():
                yield session
        if self.on_change is not None and session.info.get("has_changes"):
            self.on_change()

    def exclusive(self, session: Session, key: str) -> None:
        """Lock the key until the end of the transaction, for all processes."""
        if not self.is_sqlite:  # SQLite has one writer anyway
            session.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": key})

    def ping(self) -> None:
        with self.read() as session:
            session.execute(text("SELECT 1"))

    def check(self) -> None:
        """Raise `DatabaseDamaged` if a SQLite file is damaged. It reads the whole file, beside reads and writes."""
        if not self.is_sqlite:
            return
        with self.read() as session:
            found = session.scalar(text("PRAGMA quick_check(1)"))
        self.is_damaged = found != "ok"
        self.refuse_damaged()

    def refuse_damaged(self) -> None:
        if self.is_damaged:
            raise DatabaseDamaged

    def copy_to(self, path: Path) -> None:
        """Write a consistent copy of a SQLite database to a new file, while others read and write it."""
        with self._guard(), self.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection  # VACUUM cannot run in a transaction
            driver.execute("VACUUM INTO ?", (str(path),))

    @property
    def name(self) -> str:
        """Return the URL without the password."""
        return self.engine.url.render_as_string(hide_password=True)

    def close(self) -> None:
        """Close the pool. Connections in use stay open until they are returned; then they are closed too."""
        event.listen(self.engine, "checkin", _close)
        self.engine.dispose()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self.is_sqlite:
            yield
            return
        with self._writing:
            yield

    @contextmanager
    def _guard(self) -> Iterator[None]:
        try:
            yield
        except (OperationalError, InterfaceError, PoolTimeout) as error:
            raise DatabaseUnavailable from error
        except (self._driver.OperationalError, self._driver.InterfaceError) as error:
            raise DatabaseUnavailable from error
        except (DatabaseError, self._driver.DatabaseError) as error:
            # Any other kind is a violated constraint, which the writer handles.
            if type(error) not in (DatabaseError, self._driver.DatabaseError):
                raise
            self.is_damaged = True
            raise DatabaseDamaged from error


def rows_and_total(
    session: Session, rows: Select[Row], total: Select[int], paging: Paging, **values: object
) -> Slice[Row]:
    """Return one page of a query that takes `limit` and `offset`."""
    found = list(session.scalars(rows, {**values, **window(paging)}))
    return with_total(session, found, total, paging, **values)


def window(paging: Paging) -> dict[str, int]:
    return {"limit": paging.per_page, "offset": paging.offset}


def with_total(
    session: Session, found: Sequence[Row], total: Select[int], paging: Paging, **values: object
) -> Slice[Row]:
    """Return the page with the total. A first page that is not full needs no second query."""
    if paging.page == 1 and len(found) < paging.per_page:
        return Slice(found, len(found))
    return Slice(found, session.scalar(total, values) or 0)


def flush(session: Session) -> bool:
    """Write what the session holds; return False if a row that it refers to has just been deleted."""
    try:
        session.flush()
    except IntegrityError:
        return False
    return True


def is_database_url(url: str) -> bool:
    """Return whether the URL names a database, with a valid host and port or with a file."""
    try:
        parsed = sqlalchemy.make_url(url)
    except (ArgumentError, ValueError):
        return False
    return bool(parsed.database)


_JSON: dict[str, Any] = {"json_serializer": json_text, "json_deserializer": json_value}


def _engine(url: str) -> Engine:
    if url.startswith("sqlite"):
        engine = sqlalchemy.create_engine(url, pool_size=10, max_overflow=50, hide_parameters=True, **_JSON)
        event.listen(engine, "connect", _prepare_sqlite)
    else:
        engine = sqlalchemy.create_engine(
            url.replace("postgresql://", "postgresql+psycopg://", 1),
            pool_size=10,
            max_overflow=50,
            pool_timeout=10,
            hide_parameters=True,  # so that no error in the log shows an email
            connect_args={"connect_timeout": 5, "autocommit": True},
            **_JSON,
        )
        event.listen(engine, "connect", _prepare_postgres)
        event.listen(engine, "checkout", _refuse_closed)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions itself
    _use_write_ahead_log(connection)
    for pragma in ("synchronous=FULL", f"busy_timeout={BUSY_TIMEOUT_MS}", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _use_write_ahead_log(connection: Any) -> None:
    """Set the journal mode, which a file keeps. Of processes that set it at the same moment SQLite refuses all but one
    without letting them wait.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _prepare_postgres(connection: Any, _record: object) -> None:
    """Make the connection read-only: reads run without a transaction, so a write could not be rolled back."""
    from psycopg.types.string import TextLoader  # noqa: PLC0415  SQLite does not need it

    connection.execute("SET default_transaction_read_only = on")
    connection.adapters.register_loader("uuid", TextLoader)  # ids are texts here, and quicker so


def _refuse_closed(connection: Any, record: ConnectionPoolEntry, _checked_out: object) -> None:
    """Raise if PostgreSQL has closed the connection: on an idle one it sends data only then."""
    was_used = record.info.get("was_used", False)
    record.info["was_used"] = True
    if was_used and _has_unread_data(connection.fileno()):
        raise InvalidatePoolError


def _close(_connection: Any, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _has_unread_data(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))

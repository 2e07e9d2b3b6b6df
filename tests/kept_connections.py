"""Connections to the databases that tests share. One test's engine leaves them to the next: connecting takes 10 ms of CPU
and a test needs six.
"""

import select
from collections import defaultdict
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from sqlalchemy.dialects.postgresql.psycopg import _log_notices

Place = tuple[int, str]

_shared: set[Place] = set()
_idle: defaultdict[Place, list[psycopg.Connection[Any]]] = defaultdict(list)


def share(port: int, database: str) -> None:
    """Keep the connections to this database from now on."""
    _shared.add((port, database))


def taken(options: dict[str, Any]) -> psycopg.Connection[Any] | None:
    """Return a kept connection to the database of these options that the server has not closed; None without one."""
    idle = _idle[int(options.get("port") or 0), options.get("dbname", "")]
    while idle:
        connection = idle.pop()
        if not _has_unread_data(connection):
            return connection
        connection.close()
    return None


def keep(connection: psycopg.Connection[Any]) -> None:
    """Keep the connection for the next engine; close it if it is in use or leads to another database."""
    if not _is_at_rest(connection) or (connection.info.port, connection.info.dbname) not in _shared:
        connection.close()
        return
    try:
        connection._prepared.clear()  # noqa: SLF001 - of the driver, which notices only the first of several such commands
        connection.execute("DISCARD ALL", prepare=False)  # settings and prepared statements, as if it were new
    except psycopg.Error:
        connection.close()
        return
    connection.remove_notice_handler(_log_notices)  # each engine adds it
    _idle[connection.info.port, connection.info.dbname].append(connection)


def _is_at_rest(connection: psycopg.Connection[Any]) -> bool:
    return not connection.closed and connection.info.transaction_status is TransactionStatus.IDLE


def processes(port: int, database: str) -> list[int]:
    """Return the server's processes behind the kept connections."""
    return [connection.info.backend_pid for connection in _idle[port, database]]


def close_all(port: int) -> None:
    """Close the connections to the server on this port."""
    for place in [place for place in _idle if place[0] == port]:
        for connection in _idle.pop(place):
            connection.close()


def _has_unread_data(connection: psycopg.Connection[Any]) -> bool:
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))

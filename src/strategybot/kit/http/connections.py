"""The open connections of the server: their maximum number, and how long each may wait for its client.

A connection waits for its client while a request is incomplete, and between two requests. If there are too many
connections, the one that has waited longest is closed. A connection whose request is being answered is never closed for
another one, however long its response streams, as long as the client reads it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Protocol

logger = logging.getLogger("strategybot.http")

MIB = 1024 * 1024


@lru_cache(maxsize=4096)
def client_of(host: str | None) -> str:
    """Return the client to which limits apply. One subscriber has a whole /64 of IPv6 addresses, so a /64 is one."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return host or "unknown"
    if isinstance(address, IPv4Address) or address.ipv4_mapped:
        return str(getattr(address, "ipv4_mapped", None) or address)
    return str(ip_network((address, 64), strict=False))


LOOPBACK = ip_network("127.0.0.0/8"), ip_network("::/64")  # the second as `client_of` writes ::1


def is_remote(client: str) -> bool:
    """Return whether the client, as named by `client_of`, is another machine. One without an IP address is not."""
    try:
        network = ip_network(client)
    except ValueError:
        return False
    return not any(network.version == local.version and network.overlaps(local) for local in LOOPBACK)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    connections: int = 1000
    """In total; one client may hold half of them."""
    head_bytes: int = 64 * 1024
    """Request line and headers together; the same limit applies to trailers and chunk sizes."""
    head_seconds: float = 10
    idle_seconds: float = 15
    """Between two requests."""
    write_seconds: float = 20
    """For a response that the client does not read, plus the time that its unsent bytes take at the slowest rate."""
    slowest_bytes_a_second: int = 16 * 1024
    unsent_bytes: int = 64 * MIB
    """Of all responses together that clients have not read yet."""
    pipelined_requests: int = 32
    """Sent without waiting for the first response."""
    linger_seconds: float = 2
    linger_bytes: int = 32 * MIB
    """Read and discarded after a refusal, so that a client that is still sending can read the response."""
    seconds_between_checks: float = 0.5


class Connection(Protocol):
    client_name: str

    def unsent_bytes(self) -> int:
        """Return how many bytes of the response are not sent yet."""

    def check_waiting(self, now: float) -> None:
        """Close the connection if it has waited too long for its client."""

    def check_writing(self, now: float) -> None:
        """Close the connection if the client has not read for too long."""

    def drop(self) -> None:
        """Close the connection at once, without a response."""


class Connections:
    def __init__(self, limits: ConnectionLimits, proxies: Sequence[str] = ()) -> None:
        self.limits = limits
        self._proxies = [ip_network(proxy) for proxy in proxies]
        self._open: dict[Connection, None] = {}
        self._of_client: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}
        """Ordered: the connection that has waited longest is first."""
        self._stalled: dict[Connection, None] = {}
        """Connections whose clients read more slowly than the response is written, ordered by when they stalled."""
        self._dropped: Counter[str] = Counter()
        """By client, since the last check."""
        self._check: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: Connection) -> bool:
        """Return whether the connection is accepted. If necessary, another connection that is only waiting
        is closed.
        """
        if not self._make_room(connection.client_name):
            self._dropped[connection.client_name] += 1
            return False
        self._open[connection] = None
        self._of_client[connection.client_name] += 1
        if self._check is None:
            self._check = self._check_later()
        return True

    def remove(self, connection: Connection) -> None:
        if connection not in self._open:
            return
        del self._open[connection]
        self._waiting.pop(connection, None)
        self._stalled.pop(connection, None)
        self._of_client[connection.client_name] -= 1
        if not self._of_client[connection.client_name]:
            del self._of_client[connection.client_name]

    def wait(self, connection: Connection) -> None:
        """Record that the connection waits for its client from now on."""
        self._waiting.pop(connection, None)
        if connection in self._open:
            self._waiting[connection] = None

    def work(self, connection: Connection) -> None:
        """Record that the connection's request is complete and is being answered."""
        self._waiting.pop(connection, None)

    def stall(self, connection: Connection) -> None:
        """Record that the client reads more slowly than the response is written."""
        if connection in self._open:
            self._stalled[connection] = None
            self._bound_unsent_bytes()

    def flow(self, connection: Connection) -> None:
        """Record that the client reads again."""
        self._stalled.pop(connection, None)

    def _make_room(self, client: str) -> bool:
        if self._of_client[client] >= self._most_of(client) and not self._drop_one(lambda name: name == client):
            return False
        return len(self._open) < self.limits.connections or self._drop_one(lambda _: True)

    def _most_of(self, client: str) -> int:
        """Return the maximum for this client. A trusted proxy carries many clients, so only the total limits it."""
        return self.limits.connections if self._is_proxy(client) else -(-self.limits.connections // 2)

    def _is_proxy(self, client: str) -> bool:
        try:
            network = ip_network(client)
        except ValueError:
            return False
        return any(proxy.version == network.version and network.overlaps(proxy) for proxy in self._proxies)

    def _drop_one(self, matches: Callable[[str], bool]) -> bool:
        """Close the matching connection that has waited longest. Return whether there was one."""
        for connection in self._waiting:
            if matches(connection.client_name):
                self._drop(connection)
                return True
        return False

    def _drop(self, connection: Connection) -> None:
        self._dropped[connection.client_name] += 1
        self.remove(connection)
        connection.drop()

    def _bound_unsent_bytes(self) -> None:
        unsent = {connection: connection.unsent_bytes() for connection in self._stalled}
        while sum(unsent.values()) > self.limits.unsent_bytes:
            of_client: Counter[str] = Counter()
            for connection, size in unsent.items():
                of_client[connection.client_name] += size
            greediest, _ = of_client.most_common(1)[0]
            connection = next(connection for connection in unsent if connection.client_name == greediest)
            del unsent[connection]
            self._drop(connection)

    def _check_later(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(self.limits.seconds_between_checks, self._check_all)

    def _check_all(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in list(self._waiting):
            connection.check_waiting(now)
        for connection in list(self._stalled):
            connection.check_writing(now)
        for client, count in self._dropped.items():
            logger.warning("closed waiting connections to make room", extra={"client": client, "count": count})
        self._dropped.clear()
        self._check = self._check_later() if self._open else None

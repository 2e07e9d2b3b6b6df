"""Looks up the hosts that users name, and refuses private addresses unless the operator allows them."""

import asyncio
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import anyio

SECONDS_TO_LOOK_UP = 5
MOST_LOOKUPS = 8
MOST_LOOKUPS_OF_AN_OWNER = 2
# Addresses in these networks contain IPv4 addresses, which may be private.
TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("2002::/16"))

Lookup = Callable[..., Any]
"""A function with the parameters and the result of `socket.getaddrinfo`."""


class BadHost(Exception):
    """Messages cannot go to this host. The text continues a sentence that begins with the address."""


class Place(NamedTuple):
    host: str
    port: int


class Resolver:
    """Looks up names in threads of its own: the default ones are few, and the market provider needs them.

    A lookup cannot be interrupted, so its thread keeps its places until it has ended, also after the deadline.
    """

    def __init__(
        self, *, private_allowed: bool, lookup: Lookup = socket.getaddrinfo, seconds: float = SECONDS_TO_LOOK_UP
    ) -> None:
        self._private_allowed, self._lookup, self._seconds = private_allowed, lookup, seconds
        self._all = asyncio.Semaphore(MOST_LOOKUPS)
        self._of_owner: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def address_of(self, place: Place, owner_id: str) -> str:
        """Return one address of the host. Raise `BadHost` if it has none, or if one of them is private."""
        try:
            with anyio.fail_after(self._seconds):
                addresses = await self._addresses(place, owner_id)
        except TimeoutError:
            raise BadHost("names a host that could not be found in time") from None
        except (OSError, ValueError):  # the second for a name that cannot be encoded
            raise BadHost("names a host that cannot be found") from None
        if not self._private_allowed and not all(map(is_public, addresses)):
            raise BadHost("names a private address, which this service does not send to")
        return addresses[0]

    async def _addresses(self, place: Place, owner_id: str) -> list[str]:
        own = self._of_owner.setdefault(owner_id, asyncio.Semaphore(MOST_LOOKUPS_OF_AN_OWNER))
        await own.acquire()
        try:
            await self._all.acquire()
        except BaseException:  # also a cancellation: the owner's place must be free again
            own.release()
            raise
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[str]] = loop.create_future()

        def finish(addresses: list[str], error: Exception | None) -> None:
            own.release()
            self._all.release()
            if found.done():  # cancelled by the deadline
                return
            if error is None:
                found.set_result(addresses)
            else:
                found.set_exception(error)

        def look_up() -> None:
            result = self._looked_up(place)
            with suppress(RuntimeError):  # the loop is closed and nobody waits for the result
                loop.call_soon_threadsafe(finish, *result)

        # A daemon, so that a name server that does not answer cannot delay the end of the process.
        threading.Thread(target=look_up, name="lookup", daemon=True).start()
        return await found

    def _looked_up(self, place: Place) -> tuple[list[str], Exception | None]:
        try:
            return [str(each[0]) for *_, each in self._lookup(*place, type=socket.SOCK_STREAM)], None
        except Exception as error:  # noqa: BLE001  raised again in the task that waits for the result
            return [], error


def is_public(text: str) -> bool:
    address: IPv4Address | IPv6Address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if any(address in network for network in TRANSLATED):
            return False
        address = address.ipv4_mapped or address
    return address.is_global and not address.is_multicast

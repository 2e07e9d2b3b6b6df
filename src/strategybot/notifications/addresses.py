"""Which addresses messages may go to: schemes on an allow list, and public hosts unless the operator allows others."""

import asyncio
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, parse_qs, urlsplit

from strategybot.kit.errors import FieldError, InvalidInput

WEBHOOKS = frozenset({"http", "https"})
OWN_HOSTS = frozenset({"mailto", "mailtos", "ntfy", "ntfys"})
"""Schemes whose URLs name a host. Those of the others belong to one vendor."""
VENDORS = frozenset({"discord", "gchat", "pbul", "pover", "slack", "tgram"})
SCHEMES = WEBHOOKS | OWN_HOSTS | VENDORS
# No others: some of the library's options read local files, name other hosts or switch checks off.
OPTIONS = frozenset(
    {
        "bcc",
        "cc",
        "format",
        "from",
        "name",
        "pass",
        "priority",
        "silent",
        "smtp",
        "sound",
        "thread",
        "to",
        "topic",
        "user",
    }
)
# Addresses in these networks contain IPv4 addresses, which may be private.
TRANSLATED = (ip_network("64:ff9b::/96"), ip_network("2002::/16"))
Address = IPv4Address | IPv6Address


class BadTarget(InvalidInput):
    def __init__(self, message: str) -> None:
        super().__init__([FieldError("url", message)])


@dataclass(frozen=True, slots=True)
class Host:
    name: str
    port: int
    address: str
    """The address that was checked, and to which the sender connects."""


def parsed(url: str) -> SplitResult:
    """Return the parts of the URL. Raise `BadTarget` if its scheme or an option of it is not allowed."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise BadTarget("must be a URL") from None
    if parts.scheme not in SCHEMES:
        raise BadTarget(f"must begin with one of: {', '.join(sorted(SCHEMES))}")
    if not parts.hostname or (parts.scheme in WEBHOOKS and "@" in parts.netloc):
        raise BadTarget("must name a host, and a webhook no user")
    if parts.scheme not in WEBHOOKS:
        unknown = set(parse_qs(parts.query, keep_blank_values=True)) - OPTIONS
        if unknown:
            raise BadTarget(f"may only have the options {', '.join(sorted(OPTIONS))}")
    return parts


def masked(url: str) -> str:
    """Return what may be shown of the URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}/…" if parts.scheme in WEBHOOKS else f"{parts.scheme}://…"


async def check(url: str, *, private_allowed: bool) -> None:
    """Raise `BadTarget` unless messages may go there."""
    parts = parsed(url)
    for host in _hosts(parts):
        await resolved(host, _port(parts), private_allowed=private_allowed)


async def resolved_webhook(url: str, *, private_allowed: bool) -> Host:
    parts = parsed(url)
    return await resolved(parts.hostname or "", _port(parts), private_allowed=private_allowed)


async def resolved(host: str, port: int, *, private_allowed: bool) -> Host:
    """Return the host with an address. Raise `BadTarget` if it has none, or if one of them is private."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise BadTarget("names a host that cannot be found") from None
    addresses = [str(place[0]) for *_, place in found]
    if not private_allowed and not all(map(is_public, addresses)):
        raise BadTarget("names a private address, which this service does not send to")
    return Host(host, port, addresses[0])


def is_public(text: str) -> bool:
    address: Address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv6Address):
        if any(address in network for network in TRANSLATED):
            return False
        address = address.ipv4_mapped or address
    return address.is_global and not address.is_multicast


def _hosts(parts: SplitResult) -> Iterable[str]:
    """Return the hosts that the URL names."""
    if parts.scheme in VENDORS:
        return
    is_topic_only = parts.scheme in {"ntfy", "ntfys"} and not parts.path.strip("/")
    if not is_topic_only:
        yield parts.hostname or ""
    yield from parse_qs(parts.query).get("smtp", [])


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)

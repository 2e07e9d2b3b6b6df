"""Maps an address to the client to which limits apply."""

import ipaddress
from functools import lru_cache


@lru_cache(maxsize=4096)
def client_of(host: str | None) -> str:
    """Return the client of an address. One subscriber has a whole /64 of IPv6 addresses, so a /64 is one client."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return host or "unknown"
    if isinstance(address, ipaddress.IPv4Address) or address.ipv4_mapped:
        return str(getattr(address, "ipv4_mapped", None) or address)
    return str(ipaddress.ip_network((address, 64), strict=False))

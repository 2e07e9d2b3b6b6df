"""How a token, a chain and a candle interval are written.

The grammar is also the allow-list for what may reach a provider's URL: no dot, slash, percent, question mark, hash,
blank or control character. An address may hold colons (Sui, Aptos), dashes and underscores (TON); in a token id the
chain stands behind the last dash.
"""

import re
from typing import Annotated, Literal, get_args

from pydantic import Field

Interval = Literal["1m", "5m", "15m", "1h", "4h", "1d"]
INTERVALS: tuple[Interval, ...] = get_args(Interval)
INTERVAL_SECONDS: dict[Interval, int] = {"1m": 60, "5m": 300, "15m": 900, "1h": 3600, "4h": 14400, "1d": 86400}

ADDRESS_PATTERN = r"^[A-Za-z0-9_:-]{1,150}$"
CHAIN_PATTERN = r"^[a-z0-9_]{1,32}$"
TOKEN_ID_PATTERN = r"^[A-Za-z0-9_:-]{1,150}-[a-z0-9_]{1,32}$"

Address = Annotated[str, Field(pattern=ADDRESS_PATTERN)]
Chain = Annotated[str, Field(pattern=CHAIN_PATTERN)]
TokenAddress = Annotated[str, Field(description="The address of the token")]
TokenChain = Annotated[str, Field(description="The chain of the token, such as solana")]
AddressAndChain = Annotated[str, Field(description="The address and the chain: `<address>-<chain>`")]
TokenId = Annotated[str, Field(pattern=TOKEN_ID_PATTERN)]


# Anyone can choose a symbol, and language models read sentences with it: no link, markup or instruction fits in this.
_PLAIN_SYMBOL = re.compile(r"\$?[^\W_]{1,20}")


def plain_symbol(symbol: str) -> str | None:
    """Return the symbol if it is only letters and digits; otherwise None."""
    return symbol if _PLAIN_SYMBOL.fullmatch(symbol) else None


def closed_until(now: float, interval_seconds: int) -> int:
    """Return the end of the last candle that is closed now."""
    return int(now) // interval_seconds * interval_seconds


def address_and_chain(token_id: str) -> tuple[str, str]:
    """Return the two parts of a token id. Without a dash the address is empty."""
    address, _, chain = token_id.rpartition("-")
    return address, chain

"""Quotes and swaps of the demo market, exact to the smallest unit.

The transaction of a swap has no effect: on EVM chains it sends 0 to the burn address, on Solana it is a sentence.
"""

import base64
from fractions import Fraction
from typing import Final

from strategybot.market.addresses import BURN_ADDRESS, NATIVE_COIN, normal_address
from strategybot.market.demo_tokens import CHAINS, LISTINGS
from strategybot.market.schemas import Quote, QuoteRequest, Swap, SwapRequest, UnsignedTransaction

Side = tuple[float, int]  # price in dollars, decimals

SOLANA_WORDS: Final = {"sol": "SOL", "usdt": "USDT", "usdc": "USDC"}
NOTE: Final = b"Strategy Bot demo market: this transaction does nothing."
GAS_LIMIT: Final = "50000"

_ADDRESSES: Final = {(listing.symbol, listing.chain): listing.address for listing in LISTINGS}


def address_of(name: str, chain: str) -> str:
    """Return the address of a currency name such as "sol", or the argument if it is no such name."""
    words = SOLANA_WORDS if chain == "solana" else {NATIVE_COIN: CHAINS[chain].native} if chain in CHAINS else {}
    symbol = words.get(normal_address(name, chain), "")
    return _ADDRESSES.get((symbol, chain), name)


def amount_out(amount: int, spent: Side, wanted: Side) -> int:
    """Return whole smallest units, rounded down. Fractions keep the prices exact."""
    worth = amount * Fraction(spent[0]) / 10 ** spent[1]
    return int(worth / Fraction(wanted[0]) * 10 ** wanted[1])


def quote_of(request: QuoteRequest, spent: Side, wanted: Side) -> Quote:
    return Quote(
        chain=request.chain,
        from_token=request.from_token,
        to_token=request.to_token,
        amount=request.amount,
        slippage=request.slippage,
        estimated_out=str(amount_out(int(request.amount), spent, wanted)),
        decimals=wanted[1],
        spender=None if request.chain == "solana" else BURN_ADDRESS,
    )


def swap_of(request: SwapRequest, spent: Side, wanted: Side) -> Swap:
    quote = quote_of(request, spent, wanted)
    kept = 1 - Fraction(str(request.slippage)) / 100
    return Swap(
        **quote.model_dump(),
        wallet_address=request.wallet_address,
        minimum_out=str(int(int(quote.estimated_out) * kept)),
        transaction=_transaction(request.chain),
    )


def _transaction(chain: str) -> UnsignedTransaction:
    if chain == "solana":
        return UnsignedTransaction(serialized=base64.b64encode(NOTE).decode())
    return UnsignedTransaction(to=BURN_ADDRESS, data="0x" + NOTE.hex(), value="0", gas_limit=GAS_LIMIT)

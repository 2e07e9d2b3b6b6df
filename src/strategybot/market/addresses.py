"""Token ids of the form `<address>-<chain>`, in lower case where the chain ignores case."""

import re
from typing import TypeGuard

from strategybot.market.provider import ProviderFailure
from strategybot.trading.engine.instruments import ADDRESS_PATTERN, CHAIN_PATTERN, TOKEN_ID_PATTERN, address_and_chain

NATIVE_COIN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"  # of an EVM chain, which has no contract
BURN_ADDRESS = "0x000000000000000000000000000000000000dead"
DEFAULT_CHAIN = "solana"  # used when a provider requires a chain and the caller names none
CASE_SENSITIVE_CHAINS = frozenset(
    "solana ton sui tron osmosis aptos dfs multiversx btc doge ltc polkadot".split()  # noqa: SIM905 - reads as a list
)
_EVM_ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
_ADDRESS, _CHAIN, _TOKEN_ID = map(re.compile, (ADDRESS_PATTERN, CHAIN_PATTERN, TOKEN_ID_PATTERN))


def is_evm_address(address: object) -> TypeGuard[str]:
    return isinstance(address, str) and _EVM_ADDRESS.fullmatch(address) is not None


def normal_address(address: str, chain: str) -> str:
    """Return an EVM address in lower case; return any other address unchanged, because its case is significant."""
    if chain not in CASE_SENSITIVE_CHAINS and is_evm_address(address):
        return address.lower()
    return address


def split_token_id(token_id: str) -> tuple[str, str]:
    """Return the normalised address and the chain, which follows the last dash. Raise ProviderFailure for any other
    form.
    """
    if not _TOKEN_ID.fullmatch(token_id):
        raise ProviderFailure("the request names no token id of the form <address>-<chain>")
    address, chain = address_and_chain(token_id)
    return normal_address(address, chain), chain


def normal_token_id(token_id: str) -> str:
    """Return the token id with its address normalised, so that equal tokens have equal ids."""
    return "-".join(split_token_id(token_id))


def token_id_of(address: str | None, chain: str | None) -> str | None:
    """Return the token id of an address in a provider's response, or None if the API would not accept that id."""
    if not (address and chain and _ADDRESS.fullmatch(address) and _CHAIN.fullmatch(chain)):
        return None
    return f"{normal_address(address, chain)}-{chain}"

"""Conversion of GeckoTerminal's pools and tokens to our records, and of its network ids to our chain names."""

from dataclasses import dataclass
from typing import Literal

from strategybot.market.addresses import normal_address, token_id_of
from strategybot.market.fields import Row, amount, count, fields, link, number, text
from strategybot.market.schemas import Pair, Price, Token, TokenDetail

Side = Literal["base", "quote"]

# Chains whose GeckoTerminal id differs from our name.
NETWORKS = {
    "polygon": "polygon_pos",
    "avalanche": "avax",
    "sui": "sui-network",
    "cronos": "cro",
    "starknet": "starknet-alpha",
    "sei": "sei-evm",
}
CHAINS = {network: chain for chain, network in NETWORKS.items()}


def network_of(chain: str) -> str:
    return NETWORKS.get(chain, chain)


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool, and which of its two tokens was requested."""

    address: str
    side: Side
    liquidity_usd: float


def pool_of(row: Row, address: str, chain: str) -> Pool | None:
    """Return the pool as seen from one token, or None if the token is not one of its two."""
    pool = text(fields(row.get("attributes")).get("address"))
    side = _side_of(row, address, chain)
    if pool is None or side is None:
        return None
    return Pool(pool, side, amount(fields(row.get("attributes")).get("reserve_in_usd")) or 0.0)


def found_token(row: Row, included: dict[str, Row]) -> Token | None:
    """Return the base token of a pool with the pool's figures. Symbol and name come from the included tokens."""
    attributes = fields(row.get("attributes"))
    base = _related_id(row, "base_token")
    chain = _chain_of(row)
    address = _address_in(base, chain)
    token_id = token_id_of(address, chain)
    if address is None or chain is None or token_id is None:
        return None
    names = included.get(base or "", {})
    return Token(
        token_id=token_id,
        address=normal_address(address, chain),
        chain=chain,
        symbol=text(names.get("symbol")) or _symbols(attributes)[0] or "",
        name=text(names.get("name")) or "",
        decimals=count(names.get("decimals")),
        price_usd=amount(attributes.get("base_token_price_usd")),
        price_change_24h_percent=number(fields(attributes.get("price_change_percentage")).get("h24")),
        volume_24h_usd=amount(fields(attributes.get("volume_usd")).get("h24")),
        liquidity_usd=amount(attributes.get("reserve_in_usd")),
        market_cap_usd=amount(attributes.get("market_cap_usd")),
        logo_url=link(names.get("image_url")),
    )


def detail_of(token_id: str, address: str, chain: str, row: Row, pools: list[Row]) -> TokenDetail:
    attributes = fields(row.get("attributes"))
    own = [pool for pool in pools if _side_of(pool, address, chain) is not None]
    return TokenDetail(
        token_id=token_id,
        address=address,
        chain=chain,
        symbol=text(attributes.get("symbol")) or "",
        name=text(attributes.get("name")) or "",
        decimals=count(attributes.get("decimals")),
        price_usd=amount(attributes.get("price_usd")),
        price_change_24h_percent=_change_in(own, address, chain),
        volume_24h_usd=amount(fields(attributes.get("volume_usd")).get("h24")),
        liquidity_usd=amount(attributes.get("total_reserve_in_usd")),
        market_cap_usd=amount(attributes.get("market_cap_usd")),
        logo_url=link(attributes.get("image_url")),
        pairs=[pair for pool in own if (pair := _pair_of(pool, address, chain)) is not None],
    )


def price_of(attributes: Row, address: str, chain: str) -> Price | None:
    """Return one token's price from maps that are keyed by address."""

    def member(name: str) -> object:
        values = fields(attributes.get(name))
        return next((values[key] for key in values if normal_address(key, chain) == address), None)

    price = amount(member("token_prices"))
    if price is None:
        return None
    return Price(
        price_usd=price,
        price_change_24h_percent=number(member("h24_price_change_percentage")),
        liquidity_usd=amount(member("total_reserve_in_usd")),
        volume_24h_usd=amount(member("h24_volume_usd")),
    )


def _pair_of(row: Row, address: str, chain: str) -> Pair | None:
    attributes = fields(row.get("attributes"))
    pool = text(attributes.get("address"))
    if pool is None:
        return None
    side = _side_of(row, address, chain)
    first, second = _symbols(attributes)
    return Pair(
        pair=pool,
        exchange=_related_id(row, "dex"),
        base=first if side == "base" else second,
        quote=second if side == "base" else first,
        price_usd=amount(attributes.get(f"{side}_token_price_usd")),
        liquidity_usd=amount(attributes.get("reserve_in_usd")),
        volume_24h_usd=amount(fields(attributes.get("volume_usd")).get("h24")),
    )


def _change_in(pools: list[Row], address: str, chain: str) -> float | None:
    """Return the price change of the first pool in which the token is the base token: a pool reports no
    other change.
    """
    based = (fields(pool.get("attributes")) for pool in pools if _side_of(pool, address, chain) == "base")
    changes = (number(fields(attributes.get("price_change_percentage")).get("h24")) for attributes in based)
    return next((change for change in changes if change is not None), None)


def _side_of(row: Row, address: str, chain: str) -> Side | None:
    sides: tuple[Side, Side] = ("base", "quote")
    for side in sides:
        other = _address_in(_related_id(row, f"{side}_token"), chain)
        if other is not None and normal_address(other, chain) == address:
            return side
    return None


def _related_id(row: Row, name: str) -> str | None:
    return text(fields(fields(fields(row.get("relationships")).get(name)).get("data")).get("id"))


def _chain_of(row: Row) -> str | None:
    """Return the chain of a pool's id, which is `<network>_<address>`. Both parts may contain underscores."""
    pool_id, address = text(row.get("id")), text(fields(row.get("attributes")).get("address"))
    if pool_id is None or address is None or not pool_id.endswith(f"_{address}"):
        return None
    network = pool_id.removesuffix(f"_{address}")
    return CHAINS.get(network, network)


def _address_in(related_id: str | None, chain: str | None) -> str | None:
    prefix = f"{network_of(chain)}_" if chain else ""
    return related_id.removeprefix(prefix) if related_id and prefix and related_id.startswith(prefix) else None


def _symbols(attributes: Row) -> tuple[str | None, str | None]:
    """Return the symbols from the pool's name, which may end with its fee: "WETH / USDC 0.05%"."""
    first, _, second = (text(attributes.get("name")) or "").partition(" / ")
    return first or None, second.split(" ")[0] or None

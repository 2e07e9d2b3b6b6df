"""Conversion of AVE's rows to our records. Search, detail and trending use different keys; a missing key
means unknown.
"""

from datetime import datetime
from typing import TypedDict

from strategybot.market.addresses import normal_address, token_id_of
from strategybot.market.fields import Row, amount, count, link, moment, number, text
from strategybot.market.schemas import Pair, Price, Token, TokenDetail

HIGHEST_RISK_SCORE = 100


class _TokenFields(TypedDict):
    token_id: str
    address: str
    chain: str
    symbol: str
    name: str
    decimals: int | None
    price_usd: float | None
    price_change_24h_percent: float | None
    volume_24h_usd: float | None
    liquidity_usd: float | None
    market_cap_usd: float | None
    holders: int | None
    risk_score: float | None
    logo_url: str | None
    created_at: datetime | None


def token_of(row: Row) -> Token | None:
    known = _token_fields(row)
    return Token(**known) if known else None


def detail_of(row: Row, pairs: list[Pair]) -> TokenDetail | None:
    known = _token_fields(row)
    return TokenDetail(**known, pairs=pairs) if known else None


def _token_fields(row: Row) -> _TokenFields | None:
    address, chain = text(row.get("token")), text(row.get("chain"))
    token_id = token_id_of(address, chain)
    if address is None or chain is None or token_id is None:
        return None
    return {
        "token_id": token_id,
        "address": normal_address(address, chain),
        "chain": chain,
        "symbol": text(row.get("symbol")) or "",
        "name": text(row.get("name")) or "",
        "decimals": count(row.get("decimal")),
        "price_usd": amount(row.get("current_price_usd")),
        "price_change_24h_percent": number(_first(row, "token_price_change_24h", "price_change_24h")),
        "volume_24h_usd": amount(_first(row, "token_tx_volume_usd_24h", "tx_volume_u_24h")),
        "liquidity_usd": amount(_first(row, "tvl", "main_pair_tvl")),
        "market_cap_usd": amount(row.get("market_cap")),
        "holders": count(row.get("holders")),
        "risk_score": risk_score_of(row),
        "logo_url": link(row.get("logo_url")),
        "created_at": moment(row.get("created_at")),
    }


def risk_score_of(row: Row) -> float | None:
    score = amount(row.get("risk_score"))
    return score if score is not None and score <= HIGHEST_RISK_SCORE else None


def pair_of(row: Row) -> Pair | None:
    address = text(row.get("pair"))
    if address is None:
        return None
    own, other = ("token1", "token0") if _is_second(row) else ("token0", "token1")
    return Pair(
        pair=address,
        exchange=text(row.get("amm")),
        base=text(row.get(f"{own}_symbol")),
        quote=text(row.get(f"{other}_symbol")),
        price_usd=amount(row.get(f"{own}_price_usd")),
        liquidity_usd=_liquidity_of(row),
        volume_24h_usd=amount(row.get("volume_u")),
    )


def price_of(row: Row) -> Price | None:
    price = amount(row.get("current_price_usd"))
    if price is None:
        return None
    return Price(
        price_usd=price,
        price_change_24h_percent=number(row.get("price_change_24h")),
        liquidity_usd=amount(row.get("tvl")),
        volume_24h_usd=amount(row.get("tx_volume_u_24h")),
        updated_at=moment(row.get("updated_at")),
    )


def _first(row: Row, *names: str) -> object:
    return next((row[name] for name in names if number(row.get(name)) is not None), None)


def _is_second(row: Row) -> bool:
    """Return True if the requested token is the second of the pair. AVE orders a pair by address and names the
    requested token in `target_token`.
    """
    target, second = text(row.get("target_token")), text(row.get("token1_address"))
    return target is not None and second is not None and target.lower() == second.lower()


def _liquidity_of(row: Row) -> float | None:
    """Return the value of both sides of the pool; AVE gives no total."""
    sides = [(amount(row.get(f"reserve{side}")), amount(row.get(f"token{side}_price_usd"))) for side in (0, 1)]
    values = [reserve * price for reserve, price in sides if reserve is not None and price is not None]
    return number(sum(values)) if len(values) == len(sides) else None

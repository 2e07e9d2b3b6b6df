"""The catalogue of the demo market: well-known coins at their real addresses, and invented tokens with varied
behaviour.

Tokens with the same symbol are one asset and move together on every chain. Prices, volumes and risks are invented.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import NamedTuple

import numpy as np

from strategybot.market.demo_candles import DAY_MINUTES, Series
from strategybot.market.fields import risk_level
from strategybot.market.schemas import Risk

HISTORY_STARTS = "2022-01-01"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_POWER_OF_TWO = 1.4426950408889634  # converts a small relative change to powers of two


class DemoChain(NamedTuple):
    native: str  # symbol of the wrapped native coin
    dollar: str  # symbol of the dollar token in most pairs of the chain
    exchanges: tuple[str, str]


class RiskFacts(NamedTuple):
    """Findings of a contract check; None for a check that was not made."""

    score: float | None
    honeypot: bool | None = None
    buy_tax: float | None = None
    sell_tax: float | None = None
    mintable: bool | None = None
    open_source: bool | None = None
    renounced: bool | None = None
    locked: float | None = None
    top_holders: float | None = None


CHAINS = {
    "eth": DemoChain("WETH", "USDT", ("uniswap_v3", "sushiswap")),
    "solana": DemoChain("SOL", "USDC", ("raydium", "orca")),
    "bsc": DemoChain("WBNB", "USDT", ("pancakeswap_v2", "biswap")),
    "base": DemoChain("WETH", "USDC", ("aerodrome", "uniswap_v3")),
    "arbitrum": DemoChain("WETH", "USDC", ("camelot", "uniswap_v3")),
    "optimism": DemoChain("WETH", "USDC", ("velodrome", "uniswap_v3")),
    "polygon": DemoChain("WPOL", "USDC", ("quickswap", "uniswap_v3")),
    "avalanche": DemoChain("WAVAX", "USDC", ("traderjoe", "pangolin")),
}

RISKS = {
    "coin": RiskFacts(2, False, 0, 0, False, True, True, 98, 18),
    "stable": RiskFacts(8, False, 0, 0, True, True, False, 95, 34),
    "sound": RiskFacts(15, False, 0, 0, False, True, True, 92, 27),
    "common": RiskFacts(32, False, 0, 0, False, True, False, 61, 38),
    "taxed": RiskFacts(48, False, 4, 6, False, True, False, 45, 41),
    "unchecked": RiskFacts(55, None, None, None, True, True, False, 22, 46),
    "risky": RiskFacts(67, False, 2, 9, True, True, False, 12, 63),
    "hidden": RiskFacts(81, False, 5, 18, True, False, False, 3, 78),
    "trap": RiskFacts(98, True, 3, 100, True, False, False, 0, 91),
    "unknown": RiskFacts(None),
}

KNOWN_ADDRESSES = {
    ("WBTC", "eth"): "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599",
    ("WETH", "eth"): "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    ("WETH", "base"): "0x4200000000000000000000000000000000000006",
    ("WETH", "optimism"): "0x4200000000000000000000000000000000000006",
    ("WETH", "arbitrum"): "0x82af49447d8a07e3bd95bd0d56f35241523fbab1",
    ("WBNB", "bsc"): "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c",
    ("WPOL", "polygon"): "0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270",
    ("WAVAX", "avalanche"): "0xb31f66aa3c1e785363f0875a1b74e27b84fd66c7",
    ("SOL", "solana"): "So11111111111111111111111111111111111111112",
    ("USDC", "eth"): "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
    ("USDC", "base"): "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
    ("USDC", "arbitrum"): "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
    ("USDC", "solana"): "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    ("USDT", "eth"): "0xdac17f958d2ee523a2206206994597c13d831ec7",
    ("USDT", "bsc"): "0x55d398326f99059ff775485246999027b3197955",
    ("USDT", "solana"): "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
}


@dataclass(frozen=True, eq=False)
class Listing:
    symbol: str
    name: str
    chain: str
    price: float  # dollars; the price moves around it
    volatility: float  # percent a day
    volume: float  # dollars a day
    liquidity: float  # dollars, at `price`
    supply: float
    decimals: int
    holders: int
    risk: str
    listed: str = HISTORY_STARTS
    ended: str | None = None  # the day on which it stops trading

    @cached_property
    def address(self) -> str:
        known = KNOWN_ADDRESSES.get((self.symbol, self.chain))
        return known or invented_address(f"{self.symbol}:{self.chain}", self.chain)

    @cached_property
    def token_id(self) -> str:
        return f"{self.address}-{self.chain}"

    @property
    def facts(self) -> RiskFacts:
        return RISKS[self.risk]

    @cached_property
    def created_at(self) -> datetime:
        return datetime.fromisoformat(self.listed).replace(tzinfo=UTC)

    @cached_property
    def ended_at(self) -> datetime | None:
        return None if self.ended is None else datetime.fromisoformat(self.ended).replace(tzinfo=UTC)

    def series(self, seed: int) -> Series:
        share, by_minute = self.volatility / 100, self.volume / DAY_MINUTES
        return Series(
            key=np.uint64(int.from_bytes(hashlib.sha256(f"{seed}:{self.symbol}".encode()).digest()[:8])),
            price=float(self.price),  # an int would cause a second compilation
            volatility=share * _POWER_OF_TWO,
            pace=by_minute / 60,
            volume=by_minute,
            memory=min(180, int(1 / (share * share))),
            shocks=min(0.2, 0.02 + 0.9 * share),
        )


def invented_address(name: str, chain: str) -> str:
    """Return an unused address in the format of the chain."""
    digest = hashlib.sha256(f"demo market {name}".encode()).digest()
    if chain != "solana":
        return "0x" + digest[:20].hex()
    number, text = int.from_bytes(digest), ""
    while number:
        number, digit = divmod(number, 58)
        text = _BASE58[digit] + text
    return "1" * (len(digest) - len(digest.lstrip(b"\0"))) + text


def risk_of(listing: Listing, now: datetime) -> Risk:
    facts, level = listing.facts, risk_level(listing.facts.score)
    # as at real providers, taxes and honeypots are checked on EVM chains only
    trade_checked = listing.chain != "solana"
    return Risk(
        token_id=listing.token_id,
        risk_score=facts.score,
        risk_level=level,
        is_honeypot=facts.honeypot if trade_checked else None,
        buy_tax_percent=facts.buy_tax if trade_checked else None,
        sell_tax_percent=facts.sell_tax if trade_checked else None,
        is_mintable=facts.mintable,
        is_open_source=facts.open_source,
        owner_renounced=facts.renounced,
        liquidity_locked_percent=facts.locked,
        top_holders_percent=facts.top_holders,
        holders=listing.holders,
        warnings=[sentence for sentence, told in _warnings(listing, now, trade_checked) if told],
    )


def _warnings(listing: Listing, now: datetime, trade_checked: bool) -> Iterator[tuple[str, bool]]:
    facts, checked = listing.facts, listing.facts.score is not None
    yield "Nobody has checked its contract.", not checked
    yield "Holders cannot sell it again: it is a honeypot.", trade_checked and facts.honeypot is True
    yield "Nobody has checked whether it can be sold again.", trade_checked and checked and facts.honeypot is None
    yield f"Buying it costs a tax of {facts.buy_tax} %.", trade_checked and (facts.buy_tax or 0) > 0
    yield f"Selling it costs a tax of {facts.sell_tax} %.", trade_checked and (facts.sell_tax or 0) > 0
    yield "The owner can create more of it.", facts.mintable is True
    yield "Its source code is not public.", facts.open_source is False
    yield f"Only {facts.locked} % of its liquidity is locked.", facts.locked is not None and facts.locked < 25
    yield f"Its largest holders own {facts.top_holders} % of it.", (facts.top_holders or 0) > 50
    yield "It was listed less than 30 days ago.", now - listing.created_at < timedelta(days=30)


LISTINGS: tuple[Listing, ...] = (
    Listing("WBTC", "Wrapped Bitcoin", "eth", 60_000, 2.2, 9e8, 8.2e8, 1.3e5, 8, 118_000, "coin"),
    Listing("WETH", "Wrapped Ether", "eth", 3_000, 2.8, 1.4e9, 9.1e8, 2.6e6, 18, 940_000, "coin"),
    Listing("USDC", "USD Coin", "eth", 1, 0.02, 1.1e9, 7.5e8, 3.4e10, 6, 2_600_000, "stable"),
    Listing("USDT", "Tether USD", "eth", 1, 0.03, 1.3e9, 7.9e8, 7.1e10, 6, 6_300_000, "stable"),
    Listing("HARB", "Harbor Protocol", "eth", 14.2, 4.5, 2.4e7, 3.1e7, 4.2e7, 18, 38_400, "sound"),
    Listing("ORBT", "Orbit Finance", "eth", 6.4, 5.5, 8.8e6, 1.2e7, 1.1e8, 18, 21_700, "sound"),
    Listing("LOOM9", "Loom Nine", "eth", 0.37, 6.5, 1.9e6, 3.6e6, 9e8, 18, 12_300, "common"),
    Listing("GRUMP", "Grumpy Whale", "eth", 0.0000082, 11, 6.3e6, 5.2e6, 4.2e14, 18, 54_200, "taxed"),
    Listing("VELL", "Vellum Archive", "eth", 1.9, 7, 41_000, 260_000, 1.5e7, 18, 1_870, "common"),
    Listing("SOL", "Wrapped SOL", "solana", 150, 3.6, 1.6e9, 6.8e8, 4.6e8, 9, 1_900_000, "coin"),
    Listing("USDC", "USD Coin", "solana", 1, 0.02, 9.2e8, 4.4e8, 8.9e9, 6, 2_100_000, "stable"),
    Listing("USDT", "Tether USD", "solana", 1, 0.03, 3.1e8, 1.7e8, 2.3e9, 6, 1_200_000, "stable"),
    Listing("GLDE", "Glide Exchange", "solana", 0.85, 5, 3.3e7, 2.2e7, 1.4e9, 6, 310_000, "sound"),
    Listing("FERN", "Fernwork", "solana", 2.4, 5, 7.2e6, 9.4e6, 2.1e8, 8, 44_100, "common"),
    Listing("PIPO", "Pipo the Cat", "solana", 0.00042, 9, 1.8e7, 8.7e6, 9.9e11, 6, 96_500, "common"),
    Listing("BRRR", "Money Printer", "solana", 0.0081, 11, 9.6e6, 4.1e6, 1e10, 6, 58_800, "unchecked"),
    Listing("ZOOM", "Zoomies", "solana", 0.000021, 10, 4.4e6, 2.6e6, 8.8e12, 5, 71_300, "common"),
    Listing("MOOG", "Moogle Moon", "solana", 0.00000031, 14, 920_000, 640_000, 1e15, 9, 17_900, "risky"),
    Listing("NAPP", "Nap Token", "solana", 0.013, 8, 36_000, 140_000, 1e9, 6, 2_240, "unchecked", "2024-03-11"),
    Listing("ROKT", "Rocket Hamster", "solana", 0.00006, 18, 5.1e6, 880_000, 1e9, 6, 9_300, "risky", "2026-10-26"),
    Listing("DUST", "Moon Dust", "solana", 0.0000009, 16, 8_500, 21_000, 1e12, 6, 410, "unknown", "2026-08-03"),
    Listing("WBNB", "Wrapped BNB", "bsc", 600, 2.6, 7.4e8, 5.6e8, 1.4e6, 18, 3_400_000, "coin"),
    Listing("USDT", "Tether USD", "bsc", 1, 0.03, 8.4e8, 5.1e8, 5.4e9, 18, 9_800_000, "stable"),
    Listing("PANC", "Pancroft", "bsc", 2.1, 4.8, 1.6e7, 1.9e7, 3.1e8, 18, 640_000, "sound"),
    Listing("KOI", "Koi Garden", "bsc", 0.034, 8, 2.7e6, 2.9e6, 2.5e9, 18, 33_600, "common"),
    Listing("MBTL", "Moon Beetle", "bsc", 0.000000012, 13, 3.8e6, 1.7e6, 4.2e16, 9, 88_100, "taxed"),
    Listing("TOLL", "Toll Road", "bsc", 0.0007, 12, 310_000, 290_000, 5e10, 18, 6_450, "hidden", "2023-06-19"),
    Listing("GATE1", "Golden Gate", "bsc", 0.0045, 15, 150_000, 95_000, 1e9, 18, 3_020, "trap", "2025-02-10"),
    Listing("WETH", "Wrapped Ether", "base", 3_000, 2.8, 6.1e8, 3.3e8, 2.4e5, 18, 1_500_000, "coin"),
    Listing("USDC", "USD Coin", "base", 1, 0.02, 7.7e8, 3.9e8, 3.8e9, 6, 4_200_000, "stable"),
    Listing("TIDE", "Tidepool", "base", 0.46, 6, 1.1e7, 1.3e7, 6.4e8, 18, 82_300, "sound", "2023-09-04"),
    Listing("ECHO", "Echo Agents", "base", 0.021, 9, 6.9e6, 5.5e6, 1e10, 18, 47_700, "common", "2024-01-15"),
    Listing("FROGO", "Froggo", "base", 0.0000075, 12, 2.2e6, 1.4e6, 4.2e13, 18, 29_400, "unchecked", "2024-04-22"),
    Listing("BLINK", "Blink Pay", "base", 0.0019, 17, 1.4e6, 420_000, 1e9, 18, 4_880, "risky", "2026-11-02"),
    Listing("WETH", "Wrapped Ether", "arbitrum", 3_000, 2.8, 3.9e8, 2.4e8, 1.9e5, 18, 760_000, "coin"),
    Listing("USDC", "USD Coin", "arbitrum", 1, 0.02, 4.1e8, 2.1e8, 1.9e9, 6, 1_100_000, "stable"),
    Listing("DELT", "Delta Perps", "arbitrum", 22, 4.6, 1.3e7, 1.6e7, 9.6e6, 18, 25_900, "sound"),
    Listing("QUIL", "Quill Collective", "arbitrum", 0.18, 6, 29_000, 210_000, 1e8, 18, 1_460, "common", "2023-04-03"),
    Listing("WETH", "Wrapped Ether", "optimism", 3_000, 2.8, 2.2e8, 1.3e8, 8.1e4, 18, 430_000, "coin"),
    Listing("LANT", "Lantern", "optimism", 0.33, 6.2, 640_000, 1.5e6, 5e8, 18, 18_200, "common"),
    Listing("WPOL", "Wrapped POL", "polygon", 0.45, 3.8, 2.1e8, 9.7e7, 2.3e8, 18, 1_300_000, "coin"),
    Listing("RIVR", "Riverbank", "polygon", 0.92, 5.2, 18_000, 170_000, 4e7, 18, 2_910, "unknown"),
    Listing("WAVAX", "Wrapped AVAX", "avalanche", 28, 3.7, 2.4e8, 1.1e8, 2e7, 18, 540_000, "coin"),
    Listing("SLOP", "Slope Finance", "avalanche", 1.15, 6.4, 1.2e6, 2.3e6, 1.4e8, 18, 9_700, "common"),
)


def _mortal(
    names: tuple[str, str, str], price: float, volatility: float, volume: float, risk: str, lives: tuple[str, str]
) -> Listing:
    """Return a token that is born on the one day and stops trading on the other."""
    symbol, name, chain = names
    return Listing(symbol, name, chain, price, volatility, volume, volume / 6, 1e9, 6, 7_300, risk, *lives)


MORTALS: tuple[Listing, ...] = (
    _mortal(("FIZZ", "Fizzle", "solana"), 0.0016, 22, 7.9e6, "risky", ("2025-11-03", "2025-12-14")),
    _mortal(("KERP", "Kerplunk", "solana"), 0.00027, 24, 8.5e6, "risky", ("2025-11-17", "2025-12-28")),
    _mortal(("LULU", "Lulu Llama", "base"), 0.0062, 21, 3.0e6, "unchecked", ("2025-10-27", "2025-12-21")),
    _mortal(("YOLO7", "Yolo Seven", "solana"), 0.00031, 22, 6.1e6, "risky", ("2026-02-09", "2026-03-21")),
    _mortal(("HYPR", "Hyper Snail", "solana"), 0.0044, 19, 4.7e6, "unchecked", ("2026-03-30", "2026-05-17")),
    _mortal(("GLOP", "Glop", "solana"), 0.000085, 24, 8.8e6, "risky", ("2026-05-11", "2026-06-29")),
    _mortal(("NOVA5", "Nova Five", "solana"), 0.012, 20, 5.2e6, "unchecked", ("2026-06-22", "2026-08-09")),
    _mortal(("BONG", "Bongo Drum", "solana"), 0.00019, 23, 7.4e6, "risky", ("2026-08-03", "2026-09-20")),
    _mortal(("WOBL", "Wobble", "solana"), 0.0027, 21, 9.1e6, "risky", ("2026-09-07", "2026-10-24")),
    _mortal(("SPLT", "Splat", "solana"), 0.00058, 25, 8.2e6, "risky", ("2026-09-28", "2026-11-02")),
    _mortal(("FLIK", "Flicker", "solana"), 0.0091, 20, 6.6e6, "unchecked", ("2026-10-12", "2026-11-09")),
    _mortal(("PUFF2", "Puff Again", "base"), 0.0013, 21, 2.9e6, "risky", ("2026-07-06", "2026-08-30")),
    _mortal(("ZAPP", "Zapp", "base"), 0.000044, 23, 3.4e6, "risky", ("2026-09-21", "2026-11-05")),
    _mortal(("MUDD", "Muddle", "bsc"), 0.0000021, 22, 2.6e6, "hidden", ("2026-06-15", "2026-08-02")),
    _mortal(("RUSH3", "Rush Three", "bsc"), 0.00072, 20, 3.1e6, "taxed", ("2026-09-14", "2026-11-08")),
)
"""Tokens that were born and have died: a list that is chosen today does not have them."""
ALL_LISTINGS = (*LISTINGS, *MORTALS)

"""The eight operations of the market proxy, with their requests and their names in the specification."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from fastapi.testclient import TestClient

from strategybot.settings import Settings
from tests.market.upstream.ave import KEY
from tests.market.upstream.market import SOL, WBNB
from tests.servers import SECRET

DOLLARS = "0x55d398326f99059ff775485246999027b3197955"
NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
WALLET = "0xd6afd6bfade550ad3959460212e2fd1624b8cac1"
QUOTE = {"chain": "bsc", "from_token": NATIVE, "to_token": DOLLARS, "amount": "1000000000000000"}
SWAP = {**QUOTE, "slippage": 1, "wallet_address": WALLET}


@dataclass(frozen=True, eq=False)
class Operation:
    name: str
    what: str
    method: str
    path: str
    record: str
    """The single field of a successful response."""
    cost_units: int
    body: dict[str, Any] | None = None
    repeatable: bool = True

    def ask(self, client: TestClient | httpx2.Client, who: dict[str, str]) -> httpx2.Response:
        return client.request(self.method, f"/api/market{self.path}", json=self.body, headers=who)


SEARCH = Operation("search", "tokens", "GET", "/tokens?query=sol", "tokens", 5)
PRICES = Operation(
    "prices", "batch prices", "POST", "/tokens/price", "prices", 100, {"token_ids": [SOL.token_id, WBNB.token_id]}
)
TOKEN = Operation("token", "token details", "GET", f"/tokens/{SOL.token_id}", "token", 5)
KLINES = Operation("klines", "klines", "GET", f"/klines/{SOL.token_id}", "klines", 10)
TRENDING = Operation("trending", "trending tokens", "GET", "/tokens/trending?chain=solana", "tokens", 5)
RISK = Operation("risk", "token risk", "GET", f"/contracts/{SOL.token_id}", "risk", 10)
CHAIN_QUOTE = Operation("quote", "chain quote", "POST", "/chain/quote", "quote", 0, QUOTE)
CHAIN_SWAP = Operation("swap", "chain swap", "POST", "/chain/swap", "swap", 0, SWAP, repeatable=False)
OPERATIONS = [SEARCH, PRICES, TOKEN, KLINES, TRENDING, RISK, CHAIN_QUOTE, CHAIN_SWAP]


def ave_settings(folder: Path, upstream_url: str, **more: Any) -> Settings:
    """Return settings of a service that uses an AVE key and this upstream server."""
    return Settings(
        _env_file=None,
        **{
            "data_dir": folder,
            "secret_key": SECRET,
            "ave_api_key": KEY,
            "ave_api_plan": "pro",
            "ave_data_url": upstream_url,
            "ave_trade_url": upstream_url,
            **more,
        },
    )

"""`/api/market` over HTTP: exact bodies, authentication, validation before the provider is called, and tiers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.tiers import Tier
from strategybot.app import Services, create_app
from strategybot.market.schemas import Kline, Price, Quote, Risk, Swap, Token, TokenDetail
from strategybot.settings import Settings
from tests.application import application
from tests.engines import on_sqlite_alone
from tests.market.proxy import CHAIN_SWAP, OPERATIONS, QUOTE, SWAP, Operation, ave_settings
from tests.market.upstream.ave import KEY, AveUpstream
from tests.market.upstream.market import SOL, WBNB
from tests.servers import SECRET
from tests.support import ManualClock, sign_up, visitor

pytestmark = on_sqlite_alone

UNKNOWN = "4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R-solana"
TOKEN_FIELDS = {
    "token_id", "address", "chain", "symbol", "name", "decimals", "price_usd", "price_change_24h_percent",
    "volume_24h_usd", "liquidity_usd", "market_cap_usd", "holders", "risk_score", "logo_url", "created_at",
}  # fmt: skip
RISK_FIELDS = {
    "token_id", "risk_score", "risk_level", "is_honeypot", "buy_tax_percent", "sell_tax_percent", "is_mintable",
    "is_open_source", "owner_renounced", "liquidity_locked_percent", "top_holders_percent", "holders", "warnings",
}  # fmt: skip
PRICE_FIELDS = {"price_usd", "price_change_24h_percent", "liquidity_usd", "volume_24h_usd", "updated_at"}
QUOTE_FIELDS = {"chain", "from_token", "to_token", "amount", "slippage", "estimated_out", "decimals", "spender"}


def get(client: TestClient, who: dict[str, str], path: str) -> Any:
    answer = client.get(f"/api/market{path}", headers=who)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(client: TestClient, who: dict[str, str], path: str, body: dict[str, Any]) -> Any:
    answer = client.post(f"/api/market{path}", json=body, headers=who)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def upstream() -> Iterator[AveUpstream]:
    with AveUpstream() as upstream:
        yield upstream


@pytest.fixture(params=["demo", "ave"])
def market(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TestClient]:
    """The whole service with the demo market, and with a provider that speaks AVE's protocol."""
    if request.param == "demo":
        app = application(Settings(_env_file=None, data_dir=tmp_path, secret_key=SECRET), ManualClock())
    else:
        app = application(ave_settings(tmp_path, request.getfixturevalue("upstream").url))
    with TestClient(app) as client:
        yield client


@pytest.fixture
def trader(market: TestClient) -> dict[str, str]:
    """A user of the pro tier."""
    who = sign_up(market, "trader@example.com")
    services = market.app.state.services  # type: ignore[attr-defined]
    services.operator.set_tier("trader@example.com", "pro")
    return who


def test_every_operation_answers_with_its_record_and_nothing_else(market: TestClient, trader: dict[str, str]) -> None:
    answers = {operation: operation.ask(market, trader) for operation in OPERATIONS}
    assert {answer.status_code for answer in answers.values()} == {200}
    for operation, answer in answers.items():
        assert list(answer.json()) == [operation.record], operation.name
        assert answer.json()[operation.record], operation.name


def test_the_records_have_exactly_the_fields_of_the_contract(market: TestClient, trader: dict[str, str]) -> None:
    tokens = get(market, trader, "/tokens?query=sol")["tokens"] + get(market, trader, "/tokens/trending")["tokens"]
    assert all(set(token) == TOKEN_FIELDS and Token.model_validate(token) for token in tokens)
    detail = get(market, trader, f"/tokens/{SOL.token_id}")["token"]
    assert set(detail) == TOKEN_FIELDS | {"pairs"}
    assert TokenDetail.model_validate(detail).pairs
    prices = post(market, trader, "/tokens/price", {"token_ids": [SOL.token_id, UNKNOWN]})["prices"]
    assert set(prices) == {SOL.token_id}
    assert set(prices[SOL.token_id]) == PRICE_FIELDS
    assert Price.model_validate(prices[SOL.token_id]).price_usd > 0
    risk = get(market, trader, f"/contracts/{SOL.token_id}")["risk"]
    assert set(risk) == RISK_FIELDS
    assert Risk.model_validate(risk).token_id == SOL.token_id
    quote = post(market, trader, "/chain/quote", QUOTE)["quote"]
    assert set(quote) == QUOTE_FIELDS
    assert Quote.model_validate(quote).slippage == 0.5
    swap = post(market, trader, "/chain/swap", SWAP)["swap"]
    assert set(swap) == QUOTE_FIELDS | {"wallet_address", "minimum_out", "transaction"}
    transaction = Swap.model_validate(swap).transaction
    assert transaction.to
    assert transaction.data


def test_klines_are_plain_ascending_numbers(market: TestClient, trader: dict[str, str]) -> None:
    klines = get(market, trader, f"/klines/{SOL.token_id}")["klines"]
    assert len(klines) == 100
    assert all(set(kline) == {"time", "open", "high", "low", "close", "volume"} for kline in klines)
    assert all(Kline.model_validate(kline).close > 0 for kline in klines)
    times = [kline["time"] for kline in klines]
    assert times == list(range(times[0], times[0] + 100 * 3600, 3600))
    span = f"interval=1h&limit=7&start_time={times[0]}&end_time={times[-2]}"
    some = [kline["time"] for kline in get(market, trader, f"/klines/{SOL.token_id}?{span}")["klines"]]
    assert some == times[-8:-1]
    first, second = get(market, trader, f"/klines/{SOL.token_id}?interval=15m&limit=2")["klines"]
    assert second["time"] - first["time"] == 900


EMPTY: list[tuple[str, str, dict[str, Any] | None, dict[str, Any]]] = [
    ("GET", "/tokens?query=nothinglikeit", None, {"tokens": []}),
    ("GET", "/tokens/trending?chain=nowhere", None, {"tokens": []}),
    ("POST", "/tokens/price", {"token_ids": []}, {"prices": {}}),
    ("POST", "/tokens/price", {"token_ids": [UNKNOWN]}, {"prices": {}}),
    ("GET", f"/tokens/{UNKNOWN}", None, {"token": None, "upsell_message": None}),
    ("GET", f"/klines/{UNKNOWN}", None, {"klines": []}),
    ("GET", f"/contracts/{UNKNOWN}", None, {"risk": None, "upsell_message": None}),
    ("POST", "/chain/quote", {**QUOTE, "chain": "nowhere"}, {"quote": None, "upsell_message": None}),
    ("POST", "/chain/swap", {**SWAP, "chain": "nowhere"}, {"swap": None, "upsell_message": None}),
]


def test_an_empty_result_has_the_specified_body(market: TestClient, trader: dict[str, str]) -> None:
    for method, path, body, expected in EMPTY:
        answer = market.request(method, f"/api/market{path}", json=body, headers=trader)
        assert (answer.status_code, answer.json()) == (200, expected), path


def test_trending_is_not_read_as_a_token_id_and_limits_default_to_twenty(
    client: TestClient, user: dict[str, str]
) -> None:
    trending = get(client, user, "/tokens/trending")["tokens"]
    assert len(trending) == len(get(client, user, "/tokens")["tokens"]) == 20
    assert len(get(client, user, "/tokens/trending?limit=3&chain=bsc")["tokens"]) == 3
    assert {token["chain"] for token in get(client, user, "/tokens?chain=bsc&query=w")["tokens"]} == {"bsc"}


def test_the_tokens_of_the_demo_market_are_for_everybody(client: TestClient, user: dict[str, str]) -> None:
    assert get(client, {}, "/demo-tokens") == get(client, user, "/tokens/trending")
    assert get(client, {}, "/demo-tokens?query=pipo&limit=5") == get(client, user, "/tokens?query=pipo&limit=5")


def test_the_tokens_of_a_real_market_are_not(tmp_path: Path, upstream: AveUpstream) -> None:
    with TestClient(application(ave_settings(tmp_path, upstream.url))) as client:
        answer = client.get("/api/market/demo-tokens?query=sol")
    assert answer.status_code == 404
    assert "no demo market" in answer.json()["detail"]


class TestWhoMayAsk:
    @pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
    def test_a_login_is_required(self, client: TestClient, services: Services, operation: Operation) -> None:
        logged_out = sign_up(client)
        client.post("/api/auth/logout", headers=logged_out)
        guest = visitor(services.accounts.welcome_visitor("203.0.113.5"))
        for who in ({}, guest, logged_out, {"Authorization": "Bearer nonsense"}):
            answer = operation.ask(client, who)
            assert answer.status_code == 401
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert list(answer.json()) == ["detail"]

    @pytest.mark.parametrize(("tier", "may"), [("free", False), ("normal", True), ("pro", True)])
    def test_swaps_come_with_the_higher_tiers(
        self, client: TestClient, services: Services, user: dict[str, str], tier: Tier, may: bool
    ) -> None:
        services.operator.set_tier("ada@example.com", tier)
        answer = CHAIN_SWAP.ask(client, user)
        assert answer.status_code == 200
        if may:
            assert answer.json()["swap"]["transaction"]["data"]
        else:
            assert answer.json() == {"swap": None, "upsell_message": "Swaps come with the normal and pro tiers."}

    def test_a_free_users_swap_never_reaches_the_provider(self, tmp_path: Path, upstream: AveUpstream) -> None:
        with TestClient(application(ave_settings(tmp_path, upstream.url))) as client:
            assert CHAIN_SWAP.ask(client, sign_up(client)).json()["swap"] is None
        assert upstream.requests == []


NO_TOKEN_IDS: list[Any] = [["../x-solana"], ["x"], [1], "x", None, [None], {}, [SOL.token_id] * 201]
REFUSED: list[tuple[str, str, dict[str, Any] | None]] = [
    *[("GET", f"/tokens?limit={limit}", None) for limit in ("0", "-1", "101", "x", "1e2", "9" * 30)],
    *[("GET", f"/tokens/trending?limit={limit}", None) for limit in ("0", "101")],
    *[("GET", f"/tokens?query={query}", None) for query in ("%00", "%0d%0aX:1", "%1b[31m", "x" * 101)],
    *[("GET", f"/tokens?chain={chain}", None) for chain in ("", "BSC", "a/b", "..", "a%20b", "x" * 33, "%0a", "bsc%0a")],
    *[("GET", f"/tokens/trending?chain={chain}", None) for chain in ("a%3Fb", "%23", "%2e%2e")],
    *[("GET", f"/klines/{SOL.token_id}?limit={limit}", None) for limit in ("0", "1001", "NaN")],
    *[("GET", f"/klines/{SOL.token_id}?interval={interval}", None) for interval in ("2m", "1H", "", "1h%0a")],
    *[("GET", f"/klines/{SOL.token_id}?start_time={time}", None) for time in ("-1", "1767323045000", "1e9", "x")],
    *[("GET", f"/klines/{SOL.token_id}?end_time={time}", None) for time in ("-1", "99999999999", "1.5")],
    *[
        ("GET", f"/{operation}/{token_id}", None)
        for operation in ("tokens", "klines", "contracts")
        for token_id in (
            "..-solana", "a%3Fx-solana", "a%23f-solana", "a%0d%0ab-solana", "%2e%2e", "a%25b-solana", "solana", "-solana",
            "a%20b-solana", "a-Solana", "a-solana%0a", "é-solana", "a" * 151 + "-solana", "%00-solana", "a%5cb-solana",
        )
    ],
    *[("POST", "/tokens/price", {"token_ids": ids}) for ids in NO_TOKEN_IDS],
    ("POST", "/tokens/price", {}),
    ("POST", "/tokens/price", {"token_ids": [], "extra": 1}),
    *[
        ("POST", path, {**SWAP, **wrong} if path == "/chain/swap" else {**QUOTE, **wrong})
        for path in ("/chain/quote", "/chain/swap")
        for wrong in (
            {"chain": "BSC"}, {"chain": None}, {"from_token": "../x"}, {"to_token": ""}, {"to_token": "a?b"}, {"amount": 1000},
            {"amount": "0"}, {"amount": "-1"}, {"amount": "1.5"}, {"amount": "1e9"}, {"amount": "9" * 79}, {"amount": "１"},
            {"slippage": -0.1}, {"slippage": 50.1}, {"slippage": "1"}, {"slippage": None}, {"surprise": 1},
        )
    ],
    ("POST", "/chain/swap", {**SWAP, "wallet_address": "a b"}),
    ("POST", "/chain/swap", QUOTE),
]  # fmt: skip


def test_invalid_parameters_are_refused_before_the_provider_is_called(tmp_path: Path, upstream: AveUpstream) -> None:
    with TestClient(application(ave_settings(tmp_path, upstream.url))) as client:
        who = sign_up(client)
        client.app.state.services.operator.set_tier("ada@example.com", "pro")  # type: ignore[attr-defined]
        for method, path, body in REFUSED:
            answer = client.request(method, f"/api/market{path}", json=body, headers=who)
            assert answer.status_code == 422, (path, body, answer.text)
            assert set(answer.json()) == {"detail", "errors"}
        for path in ("/tokens/a%2fb-solana", "/tokens/../x", "/klines/", "/contracts/a/b"):  # not a route
            assert client.get(f"/api/market{path}", headers=who).status_code in (404, 422), path
    assert upstream.requests == []


def test_the_largest_valid_parameters_are_accepted(client: TestClient, user: dict[str, str]) -> None:
    ids = [f"0x{number:040x}-bsc" for number in range(199)]
    assert set(post(client, user, "/tokens/price", {"token_ids": [*ids, WBNB.token_id]})["prices"]) == {WBNB.token_id}
    assert len(get(client, user, f"/klines/{SOL.token_id}?limit=1000&interval=1m")["klines"]) == 1000
    assert get(client, user, "/tokens?limit=100&query=" + "x" * 100) == {"tokens": []}
    assert get(client, user, f"/klines/{SOL.token_id}?start_time=0&end_time=0") == {"klines": []}


def test_costs_are_in_the_metrics(tmp_path: Path, upstream: AveUpstream) -> None:
    with TestClient(create_app(ave_settings(tmp_path, upstream.url, metrics=True))) as client:
        who = sign_up(client)
        for operation in OPERATIONS:
            operation.ask(client, who)
        page = client.get("/metrics").text
    for operation in OPERATIONS[:6]:
        assert f'provider_cost_units_total{{operation="{operation.name}"}} {operation.cost_units}.0' in page
    assert KEY not in page

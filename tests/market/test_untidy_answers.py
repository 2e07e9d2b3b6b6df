"""Irregular responses: order, duplicates and strings change nothing; a truncated response or a wrong type gives data or
a ProviderFailure.
"""

import asyncio
import copy
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strategybot.market.ave import AveProvider
from strategybot.market.geckoterminal import GeckoTerminalProvider
from strategybot.market.provider import Provider, ProviderFailure
from strategybot.market.schemas import QuoteRequest, SwapRequest
from strategybot.trading.engine.candles import Candles, DataReport, parse_candles
from tests.market.upstream import ave, geckoterminal
from tests.market.upstream.market import SOL, WBNB
from tests.market.upstream.server import LoopbackServer, Reply, Request, http

Ask = Callable[[Provider], Awaitable[Any]]
WRONG: list[Any] = [None, True, 7, -1e308, 10**400, "x", "NaN", "1e999", "9" * 5000, [], [None], [[]], {}, {"x": {}}]

QUESTION = {"chain": "bsc", "from_token": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "to_token": WBNB.address}
QUOTE = QuoteRequest.model_validate({**QUESTION, "amount": "1000"})
SWAP = SwapRequest.model_validate({**QUESTION, "amount": "1000", "wallet_address": WBNB.address})
NATIVE_SOL = {"chain": "solana", "from_token": "sol", "to_token": WBNB.address, "amount": "1", "wallet_address": "w"}
SOLANA_SWAP = SwapRequest.model_validate(NATIVE_SOL)

AVE: dict[str, Ask] = {
    "search": lambda p: p.search("sol", None, 20),
    "prices": lambda p: p.prices([SOL.token_id]),
    "token": lambda p: p.token(SOL.token_id),
    "klines": lambda p: p.klines(SOL.token_id, "1h", None, None, 2),
    "trending": lambda p: p.trending("solana", 20),
    "risk": lambda p: p.risk(SOL.token_id),
    "quote": lambda p: p.quote(QUOTE),
    "swap": lambda p: p.swap(SWAP),
    "solana swap": lambda p: p.swap(SOLANA_SWAP),
}
GECKOTERMINAL: dict[str, Ask] = {name: AVE[name] for name in ("search", "prices", "token", "klines", "trending")}


class RecordingUpstream(LoopbackServer):
    """Responds correctly and records each response, until a test replaces one of them."""

    def __init__(self, reply_to: Callable[[Request], Reply]) -> None:
        super().__init__(self._handle)
        self.good: list[Any] = []
        self.instead: dict[int, bytes] = {}
        self._reply_to = reply_to

    def begin(self, instead: dict[int, bytes]) -> None:
        self.good, self.instead = [], instead

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        reply = self._reply_to(request)
        number = len(self.good)
        self.good.append(reply.payload)  # before the response is sent: the next request may come at once
        writer.write(self.instead.get(number, reply.encoded()))


def build(kind: str, url: str) -> Provider:
    if kind == "ave":
        return AveProvider(ave.KEY, data_url=url, trade_url=url)
    return GeckoTerminalProvider(base_url=f"{url}/api/v2", monotonic=iter(range(0, 10**9, 10**4)).__next__)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield every path in a document; of a list of records, which are alike, into the last."""
    members: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))[-1 if value and isinstance(value[0], dict | list) else 0 :]
    for key, member in members:
        yield (*path, key)
        yield from places(member, (*path, key))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> bytes:
    other = copy.deepcopy(document)
    inner = other
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return http(json.dumps(other).encode())


CASES = [("ave", name, ask) for name, ask in AVE.items()] + [
    ("geckoterminal", name, ask) for name, ask in GECKOTERMINAL.items()
]
UPSTREAMS = {"ave": ave.reply_to, "geckoterminal": geckoterminal.reply_to}


@pytest.mark.parametrize(("kind", "name", "ask"), CASES, ids=[f"{kind}-{name}" for kind, name, _ in CASES])
def test_a_wrong_type_in_any_place_gives_data_or_a_failure(kind: str, name: str, ask: Ask) -> None:
    async def try_all(upstream: RecordingUpstream) -> int:
        provider = build(kind, upstream.url)
        await ask(provider)
        answers, failed = upstream.good, 0
        chance = random.Random(name)
        for number, document in enumerate(answers):
            for path in places(document):
                for value in chance.sample(WRONG, 5):
                    upstream.begin({number: changed(document, path, value)})
                    try:
                        await ask(provider)
                    except ProviderFailure:
                        failed += 1
        await provider.aclose()
        return failed

    with RecordingUpstream(UPSTREAMS[kind]) as upstream:
        assert asyncio.run(try_all(upstream)) > 0


@pytest.mark.parametrize(("kind", "name", "ask"), CASES, ids=[f"{kind}-{name}" for kind, name, _ in CASES])
def test_an_answer_cut_at_any_byte_is_never_data(kind: str, name: str, ask: Ask) -> None:
    async def try_cuts(upstream: RecordingUpstream) -> None:
        provider = build(kind, upstream.url)
        await ask(provider)
        for number, document in enumerate(upstream.good):
            whole = json.dumps(document).encode()
            for length in {0, 1, len(whole) - 1, *random.Random(name).sample(range(len(whole)), 40)}:
                upstream.begin({number: http(whole[:length])})
                with pytest.raises(ProviderFailure, match="not JSON" if length else "empty"):
                    await ask(provider)
        await provider.aclose()

    with RecordingUpstream(UPSTREAMS[kind]) as upstream:
        asyncio.run(try_cuts(upstream))


def test_a_short_answer_cut_at_every_byte_is_never_data() -> None:
    async def try_cuts(upstream: RecordingUpstream) -> None:
        provider = build("ave", upstream.url)
        await AVE["klines"](provider)
        whole = json.dumps(upstream.good[0]).encode()
        for length in range(1, len(whole)):
            upstream.begin({0: http(whole[:length])})
            with pytest.raises(ProviderFailure, match="not JSON"):
                await AVE["klines"](provider)
        await provider.aclose()

    with RecordingUpstream(ave.reply_to) as upstream:
        asyncio.run(try_cuts(upstream))


PRICES = st.floats(1e-12, 1e12)
ROWS = st.lists(st.tuples(st.integers(0, 500), PRICES, PRICES, PRICES, PRICES, PRICES), max_size=12).map(
    lambda rows: [(row[0] * 3600, row[1], max(row[1:5]), min(row[1:5]), row[4], row[5]) for row in rows]
)
NAMES = ("time", "open", "high", "low", "close", "volume")


def written(row: tuple[float, ...], as_text: bool) -> list[Any]:
    return [repr(value) if as_text else value for value in row]


@pytest.fixture(scope="module", params=["ave", "geckoterminal"])
def wire(request: pytest.FixtureRequest) -> Iterator[tuple[str, RecordingUpstream]]:
    with RecordingUpstream(UPSTREAMS[request.param]) as upstream:
        yield request.param, upstream


async def candles_of(kind: str, rows: list[list[Any]], upstream: RecordingUpstream) -> tuple[Candles, DataReport]:
    """Return the candles that a provider makes from these rows; GeckoTerminal's first response is about the pool."""
    if kind == "ave":
        points = [dict(zip(NAMES, row, strict=True)) for row in rows]
        upstream.begin({0: Reply({"status": 1, "data": {"points": points}}).encoded()})
    else:
        upstream.begin({1: Reply({"data": {"attributes": {"ohlcv_list": rows}}}).encoded()})
    provider = build(kind, upstream.url)
    try:
        return await provider.klines(SOL.token_id, "1h", None, None, 1000)
    finally:
        await provider.aclose()


@settings(max_examples=60)
@given(rows=ROWS, chance=st.randoms(use_true_random=False), repeats=st.integers(1, 3))
def test_order_repeats_and_strings_change_no_candle(
    wire: tuple[str, RecordingUpstream], rows: list[tuple[float, ...]], chance: random.Random, repeats: int
) -> None:
    once = list({row[0]: row for row in rows}.values())
    expected, _ = parse_candles([dict(zip(NAMES, row, strict=True)) for row in once], 3600)
    untidy = [written(row, chance.random() < 0.5) for row in once for _ in range(repeats)]
    chance.shuffle(untidy)
    candles, report = asyncio.run(candles_of(wire[0], untidy, wire[1]))
    assert candles.records() == expected.records()
    assert (report.received, report.duplicates, report.dropped) == (len(untidy), len(untidy) - len(once), 0)

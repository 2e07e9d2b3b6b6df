"""Every fault of a provider in every operation: the right error and message, in time, and no more tries
than allowed.
"""

import asyncio
import json
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from strategybot.market.ave import AveProvider
from strategybot.market.geckoterminal import GeckoTerminalProvider
from strategybot.market.provider import Provider, ProviderError, ProviderFailure, ProviderStatus
from strategybot.market.schemas import QuoteRequest, SwapRequest
from tests.market.upstream import ave, geckoterminal
from tests.market.upstream.faults import (
    HARMLESS,
    MAX_BYTES,
    MENDED,
    TINY_TIMEOUT,
    WIRE_FAULTS,
    Fault,
    FaultyUpstream,
    body,
    failure,
    refusal,
    says,
)
from tests.market.upstream.market import SOL, WBNB
from tests.market.upstream.server import Reply, http

pytestmark = pytest.mark.anyio

WALLET = "0xd6afd6bfade550ad3959460212e2fd1624b8cac1"
QUESTION = {"chain": "bsc", "from_token": "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "to_token": WBNB.address}
QUOTE = QuoteRequest.model_validate({**QUESTION, "amount": "1000"})
SWAP = SwapRequest.model_validate({**QUESTION, "amount": "1000", "wallet_address": WALLET})


@dataclass(frozen=True)
class Operation:
    name: str
    ask: Callable[[Provider], Awaitable[Any]]
    path: str  # of its first call
    repeatable: bool = True


AVE = [
    Operation("search", lambda p: p.search("sol", None, 20), "v2/tokens"),
    Operation("prices", lambda p: p.prices([SOL.token_id]), "v2/tokens/price"),
    Operation("token", lambda p: p.token(SOL.token_id), f"v2/tokens/{SOL.token_id}"),
    Operation("klines", lambda p: p.klines(SOL.token_id, "1h", None, None, 5), f"v2/klines/token/{SOL.token_id}"),
    Operation("trending", lambda p: p.trending("solana", 20), "v2/tokens/trending"),
    Operation("risk", lambda p: p.risk(SOL.token_id), f"v2/contracts/{SOL.token_id}"),
    Operation("quote", lambda p: p.quote(QUOTE), "v1/thirdParty/chainWallet/getAmountOut"),
    Operation("swap", lambda p: p.swap(SWAP), "v1/thirdParty/chainWallet/createEvmTx", repeatable=False),
]
TOKEN_PATH = f"api/v2/networks/solana/tokens/{SOL.address}"
GECKOTERMINAL = [
    Operation("search", lambda p: p.search("sol", None, 20), "api/v2/search/pools"),
    Operation("prices", lambda p: p.prices([SOL.token_id]), f"api/v2/simple/networks/solana/token_price/{SOL.address}"),
    Operation("token", lambda p: p.token(SOL.token_id), TOKEN_PATH),
    Operation("klines", lambda p: p.klines(SOL.token_id, "1h", None, None, 5), f"{TOKEN_PATH}/pools"),
    Operation("trending", lambda p: p.trending("solana", 20), "api/v2/networks/solana/trending_pools"),
]


def envelope(name: str, words: str, **members: Any) -> Fault:
    return body(name, json.dumps(members).encode(), words)


def nothing(name: str, **members: Any) -> Fault:
    return Fault(name, says(Reply(members).encoded()), None, empty=True)


AVE_FAULTS = [
    *WIRE_FAULTS,
    *MENDED,
    *HARMLESS,
    refusal("not_found", 404, b"no such token", "no such token"),
    envelope("refused", "refused: quota exceeded (status 5)", status=5, msg="quota exceeded", data_type=1),
    envelope("refused_with_data", "refused: no (status -1)", status=-1, msg="no", data=[]),
    envelope("refused_with_the_key", "refused: bad key [redacted] (status 9)", status=9, msg=f"bad key {ave.KEY}"),
    envelope("refused_without_a_word", "refused: no reason given (status 1001)", status=1001),
    envelope("refused_at_length", "refused: " + "y" * 200 + " (status 2)", status=2, msg="y" * 900),
    envelope("refused_in_the_old_way", "refused: openapi.error (status None)", code=2, msg="openapi.error", data={}),
    envelope("status_of_a_wrong_type", "refused: SUCCESS (status None)", status=True, msg="SUCCESS", data=[]),
    nothing("null_data", status=1, msg="SUCCESS", data=None),
    nothing("empty_list", status=1, msg="SUCCESS", data=[]),
    nothing("empty_object", status=1, msg="SUCCESS", data={}),
    nothing("unknown_token", status=1, msg="token not found", data={}),
    nothing("unknown_token_refused", status=0, msg="Error: Token not found!"),
]
GECKOTERMINAL_FAULTS = [
    *(fault for fault in WIRE_FAULTS if "redacted" not in fault.words and "[reda" not in fault.words),
    *MENDED,
    *HARMLESS,
    Fault("not_found", says(http(b'{"errors": []}', 404)), None, empty=True),
    failure("errors_alone", says(Reply({"errors": [{"status": "500"}]}).encoded()), "data is missing"),
]

BUILD: dict[str, Callable[..., Provider]] = {
    "ave": lambda url, **more: AveProvider(ave.KEY, data_url=url, trade_url=url, **more),
    "geckoterminal": lambda url, **more: GeckoTerminalProvider(base_url=f"{url}/api/v2", **more),
}
OPERATIONS = {"ave": AVE, "geckoterminal": GECKOTERMINAL}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def upstreams() -> Iterator[dict[str, FaultyUpstream]]:
    with (
        FaultyUpstream(AVE_FAULTS, ave.reply_to) as first,
        FaultyUpstream(GECKOTERMINAL_FAULTS, geckoterminal.reply_to) as second,
    ):
        yield {"ave": first, "geckoterminal": second}


@dataclass(frozen=True)
class Outcome:
    operation: Operation
    value: Any
    error: BaseException | None
    seconds: float


async def outcome(operation: Operation, provider: Provider) -> Outcome:
    started = time.monotonic()
    ended = partial(lambda value, error: Outcome(operation, value, error, time.monotonic() - started))
    try:
        return ended(await operation.ask(provider), None)
    except ProviderError as error:
        return ended(None, error)


def is_empty(value: Any) -> bool:
    return not len(value[0]) if isinstance(value, tuple) else not value


def check(fault: Fault, found: Outcome) -> None:
    repeated = found.operation.repeatable
    if fault.error is None and not (fault in MENDED and not repeated):
        assert found.error is None, found
        assert is_empty(found.value) == fault.empty, found
        return
    wanted = fault.error or ProviderStatus
    assert isinstance(found.error, wanted), found
    if isinstance(found.error, ProviderStatus):
        text = fault.words or ("try again" if fault in MENDED else "")
        assert (found.error.status, found.error.text, str(found.error)) == (fault.status, text, f"HTTP {fault.status}")
    else:
        assert fault.words in str(found.error), found


CASES = [("ave", fault) for fault in AVE_FAULTS] + [("geckoterminal", fault) for fault in GECKOTERMINAL_FAULTS]


@pytest.mark.parametrize(("kind", "fault"), CASES, ids=[f"{kind}-{fault.name}" for kind, fault in CASES])
async def test_each_wire_fault_has_its_message(
    upstreams: dict[str, FaultyUpstream], kind: str, fault: Fault, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    upstream, operations = upstreams[kind], OPERATIONS[kind]
    provider = BUILD[kind](upstream.address(fault), total_timeout=fault.timeout, max_bytes=MAX_BYTES)
    try:
        found = await asyncio.gather(*(outcome(operation, provider) for operation in operations))
    finally:
        await provider.aclose()
    for each in found:
        check(fault, each)
        assert each.seconds < fault.timeout + 5  # the upstream would take 30 s
        assert ave.KEY.lower() not in "".join(traceback.format_exception(each.error)).lower()
        tries = fault.tries if each.operation.repeatable else 1
        visits = upstream.visits[(fault.name, each.operation.path)]
        # On a busy machine a very short timeout may expire before the request is read.
        assert visits == tries or (visits < tries and fault.timeout == TINY_TIMEOUT), each
    assert ave.KEY.lower() not in caplog.text.lower()


def test_the_table_is_long_enough() -> None:
    assert len({fault.name for fault in AVE_FAULTS}) == len(AVE_FAULTS) >= 30
    assert len({fault.name for fault in GECKOTERMINAL_FAULTS}) == len(GECKOTERMINAL_FAULTS) >= 30


@pytest.mark.parametrize("kind", BUILD)
async def test_a_refused_connection_fails_within_the_time_limit(kind: str) -> None:
    provider = BUILD[kind]("http://127.0.0.1:1", total_timeout=TINY_TIMEOUT * 4)
    try:
        found = await asyncio.gather(*(outcome(operation, provider) for operation in OPERATIONS[kind]))
    finally:
        await provider.aclose()
    assert all(isinstance(each.error, ProviderFailure) for each in found)
    assert {str(each.error) for each in found} == {"the provider cannot be reached"}

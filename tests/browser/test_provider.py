"""A provider that fails, and comes back: what the app says of it, in the specification's words, and how one goes on."""

from collections.abc import Iterator

import httpx2
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.backtests.upstream import HeldUpstream, with_key
from tests.browser.support import Person, come_as
from tests.browser.trading import runs_of, see_chart, trading_bot
from tests.market.upstream.market import SOL
from tests.market.upstream.server import Reply
from tests.servers import ServiceProcess
from tests.support import sign_up

DOWN = Reply({"msg": "down for maintenance"}, 503)
BUSY = Reply({"msg": "too many requests"}, 429)
CONFUSED = Reply({"status": 0, "msg": "no luck today"})


@pytest.fixture(scope="module")
def upstream() -> Iterator[HeldUpstream]:
    with HeldUpstream() as upstream:
        upstream.let_through.set()
        yield upstream


@pytest.fixture(scope="module")
def customer(upstream: HeldUpstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """Someone at a service whose market is that provider's."""
    data = with_key(tmp_path_factory.mktemp("provider"))
    with (
        ServiceProcess(data, ave_data_url=upstream.url, ave_trade_url=upstream.url) as service,
        httpx2.Client(base_url=service.url, timeout=30) as client,
    ):
        headers = sign_up(client, "customer@example.com")
        client.headers.update(headers)
        yield Person("customer@example.com", headers["Authorization"].removeprefix("Bearer "), client)


@pytest.fixture
def shop(page: Page, context: BrowserContext, customer: Person) -> Page:
    """Their browser."""
    come_as(context, str(customer.client.base_url), customer.token, "access")
    return page


@pytest.mark.parametrize(
    ("address", "fault", "words"),
    [
        ("/market", CONFUSED, "Failed to fetch trending tokens: the provider refused: no luck today"),
        ("/market?q=sol", DOWN, 'upstream API error: {"msg": "down for maintenance"}'),
        (f"/market/{SOL.token_id}", BUSY, "Rate limit exceeded. Please try again later."),
    ],
)
def test_what_the_provider_did_is_said_and_once_it_is_back_it_is_asked_again(
    shop: Page, customer: Person, upstream: HeldUpstream, address: str, fault: Reply, words: str
) -> None:
    upstream.fault = fault
    shop.goto(f"{customer.client.base_url}{address}")
    expect(shop.get_by_role("alert").first).to_contain_text(words)
    upstream.fault = None
    shop.get_by_role("button", name="Try again").first.click()
    expect(shop.get_by_text("Wrapped SOL").first).to_be_visible()


def test_a_backtest_fails_in_the_providers_words_and_is_run_again(
    shop: Page, customer: Person, upstream: HeldUpstream
) -> None:
    bot = trading_bot(customer)
    upstream.fault = CONFUSED
    shop.goto(f"{customer.client.base_url}/bots/{bot['id']}")
    shop.get_by_role("radio", name="Dates").check()
    shop.get_by_role("textbox", name="From").fill("2025-08-05")
    shop.get_by_role("textbox", name="To").fill("2025-08-25")
    shop.get_by_role("button", name="Run backtest").click()
    expect(shop.get_by_role("alert").first).to_contain_text(
        "Failed to fetch klines: the provider refused: no luck today"
    )
    upstream.fault = None
    shop.get_by_role("button", name="Try again").click()
    see_chart(shop)
    expect(shop.get_by_role("alert")).to_have_count(0)
    spans = {(run["start_time"], run["end_time"]) for run in runs_of(customer, bot)}
    assert spans == {("2025-08-05T00:00:00Z", "2025-08-25T00:00:00Z")}

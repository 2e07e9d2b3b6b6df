"""Journeys in a real Chromium against a real server, as a person takes them.

Nothing may go wrong unseen: an error in the page, or a file that the policy refuses, fails the test that met it.
"""

import itertools
import shutil
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, StorageState, WebError, expect

from strategybot.kit.http.site import SITE, is_built
from tests.browser.support import MOST_SECONDS, WIDE, Person, come_as
from tests.servers import ServiceProcess
from tests.support import sign_up

# The one that can do nothing but run without a window does so with half the work.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # One process for all pages of the service: to start one for each test is a fifth of the work.
    "--process-per-site",
    "--renderer-process-limit=1",
    "--disable-features=IsolateOrigins,site-per-process",
]
counter = itertools.count()
NOTHING_STORED: StorageState = {"cookies": [], "origins": []}

expect.set_options(timeout=MOST_SECONDS * 1000)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed: Debian's package is called chromium-headless-shell")
    if not is_built(SITE):
        pytest.skip("The browser app is not built: `make install` does it where Node is installed")
    return {"executable_path": CHROMIUM, "args": CHROMIUM_OPTIONS}


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    data = tmp_path_factory.mktemp("browser") / "data"
    with ServiceProcess(data, login_limit="1000000/1m", trusted_proxies="127.0.0.1") as service:
        yield service


@pytest.fixture(scope="session")
def base_url(service: ServiceProcess) -> str:
    return service.url


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any], base_url: str) -> dict[str, Any]:
    return {
        **browser_context_args,
        "base_url": base_url,
        "locale": "en-GB",
        "timezone_id": "Europe/Berlin",
        "reduced_motion": "reduce",
        "viewport": WIDE,
    }


@pytest.fixture(scope="session")
def kept_context(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[BrowserContext]:
    """One for all tests, with a page that stays open: otherwise each test would start a process and compile the app."""
    context = browser.new_context(**browser_context_args)
    context.new_page().goto("/healthz")
    yield context
    context.close()


@pytest.fixture
def context(kept_context: BrowserContext) -> Iterator[BrowserContext]:
    """A browser that remembers nothing. Nothing may go wrong unseen in it.

    It has an address of its own, because one address may have ten visitors an hour.
    """
    number, faults = next(counter), list[str]()

    def note_error(error: WebError) -> None:
        faults.append(str(error.error))

    def note_message(message: ConsoleMessage) -> None:
        # A refused request is written to the console by the browser itself; what it led to is the test's own affair.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            faults.append(message.text)

    kept_context.set_extra_http_headers({"X-Forwarded-For": f"10.0.{number // 250}.{number % 250 + 1}"})
    kept_context.on("weberror", note_error)
    kept_context.on("console", note_message)
    yield kept_context
    kept_context.remove_listener("weberror", note_error)
    kept_context.remove_listener("console", note_message)
    for page in kept_context.pages[1:]:
        page.close()
    kept_context.set_offline(False)
    kept_context.set_storage_state(NOTHING_STORED)
    assert not faults


@pytest.fixture
def person(base_url: str) -> Iterator[Person]:
    """Someone with an account, and the API as they see it."""
    email = f"person-{next(counter)}@example.com"
    with httpx2.Client(base_url=base_url, timeout=30) as client:
        headers = sign_up(client, email)
        client.headers.update(headers)
        yield Person(email, headers["Authorization"].removeprefix("Bearer "), client)


@pytest.fixture
def signed_in(page: Page, context: BrowserContext, base_url: str, person: Person) -> Page:
    """Their browser, logged in, not yet anywhere."""
    come_as(context, base_url, person.token, "access")
    return page

"""What the journeys share: a person, axe, and looks at a screen in both themes."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import httpx2
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, StorageState, ViewportSize

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = Path(__file__).parent / "screenshots"
PICTURES = "PICTURES" in os.environ
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
Theme = Literal["light", "dark"]
CONTRAST = "color-contrast"
MOST_SECONDS = 30  # on a busy machine; what is there earlier is not waited for
# Until the theme is there and every colour has changed; what moves for ever, such as a skeleton, may go on.
_SETTLE = """async theme => {
    const frame = () => new Promise(requestAnimationFrame);
    const moves = animation => animation.playState === 'running' && animation.effect.getTiming().iterations !== Infinity;
    while (!matchMedia(`(prefers-color-scheme: ${theme})`).matches) await frame();
    await frame();
    do await frame(); while (document.getAnimations().some(moves));
}"""


@dataclass(frozen=True)
class Person:
    email: str
    token: str
    client: httpx2.Client


def come_as(context: BrowserContext, base_url: str, token: str, kind: Literal["access", "anonymous"]) -> None:
    """Whoever opens the app in this browser is known by their token."""
    kept: StorageState = {
        "cookies": [],
        "origins": [{"origin": base_url, "localStorage": [{"name": f"strategybot.{kind}-token", "value": token}]}],
    }
    context.set_storage_state(kept)


@contextmanager
def fresh_page(browser: Browser, arguments: dict[str, Any], person: Person | None = None) -> Iterator[Page]:
    """A page of a browser that has never seen the app: nothing is cached in it."""
    context = browser.new_context(**arguments)
    if person:
        come_as(context, arguments["base_url"], person.token, "access")
    yield context.new_page()
    context.close()


def held_requests(page: Page, pattern: str) -> list[Route]:
    """The requests like this, which wait from now on until the test continues them."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(pattern, hold)
    return held


@cache
def _axe() -> str:
    return AXE.read_text("utf-8")


def assert_accessible(page: Page, only: str | None = None, but: str | None = None, part: Locator | None = None) -> None:
    """No violation of any rule that axe knows, of one alone, or of all but one, on the page or in a part of it."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}  # no rule of ours reads style sheets
    if only:
        options["runOnly"] = {"type": "rule", "values": [only]}
    if but:
        options["rules"] = {but: {"enabled": False}}
    looked_at = part or page.locator("html")
    found: dict[str, Any] = looked_at.evaluate("(part, options) => axe.run(part, options)", options)
    assert not found["violations"], [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def next_frame(page: Page) -> None:
    """Until what has changed is drawn."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def wait_until(page: Page, holds: Callable[[], bool], seen: Callable[[], object] = lambda: "") -> None:
    """For what no locator can wait for; `seen` says what there was instead."""
    deadline = time.monotonic() + MOST_SECONDS
    while not holds():
        assert time.monotonic() < deadline, f"not within {MOST_SECONDS} s: {seen()}"
        next_frame(page)


def assert_no_sideways_scrolling(page: Page) -> None:
    widths = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1], f"{widths[0]} pixels of content in {widths[1]}"


def look_at(page: Page, name: str, part: Locator | None = None) -> None:
    """The screen as it stands, wide and on a phone, light and dark: accessible, and with PICTURES set a picture of each.

    A theme changes nothing but colours, and the phone has no colour that the wide screen lacks: what cannot differ is
    checked once, because axe takes its time. If another test looks at the rest of the screen, `part` is what axe checks.
    The screen is left wide and light.
    """
    show(page, name, "light", WIDE)
    assert_no_sideways_scrolling(page)
    assert_accessible(page, part=part)
    show(page, name, "dark", WIDE)
    assert_accessible(page, only=CONTRAST, part=part)
    show(page, name, "dark", PHONE)
    assert_no_sideways_scrolling(page)
    assert_accessible(page, but=CONTRAST, part=part)
    if PICTURES:
        show(page, name, "light", PHONE)
    set_look(page, "light", WIDE)


def show(page: Page, name: str, theme: Theme, size: ViewportSize) -> None:
    set_look(page, theme, size)
    take_picture(page, f"{name}-{'wide' if size is WIDE else 'phone'}-{theme}")


def set_look(page: Page, theme: Theme, size: ViewportSize) -> None:
    if page.viewport_size != size:
        page.set_viewport_size(size)
    page.emulate_media(color_scheme=theme)
    page.evaluate(_SETTLE, theme)


def take_picture(page: Page, name: str) -> None:
    """For a person to look at; no test reads it."""
    if PICTURES:
        page.screenshot(path=SCREENSHOTS / f"{name}.png")

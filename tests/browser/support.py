"""What the journeys share: a person, axe, and looks at a screen in both themes."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import httpx2
from playwright.sync_api import BrowserContext, Page, Route, StorageState, ViewportSize

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
SCREENSHOTS = Path(__file__).parent / "screenshots"
WIDE: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
Look = tuple[str, Literal["light", "dark"], ViewportSize, tuple[str, ...] | None]
# A theme changes nothing but colours, and the phone has no colour that the wide screen lacks: axe takes its time.
LOOKS: tuple[Look, ...] = (
    ("wide", "dark", WIDE, ("color-contrast",)),
    ("phone", "dark", PHONE, ()),
    ("phone", "light", PHONE, None),
    ("wide", "light", WIDE, ()),
)
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


def assert_accessible(page: Page, *rules: str) -> None:
    """No violation of any rule that axe knows, or of these alone."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe())
    only = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
    found: dict[str, Any] = page.evaluate(
        "options => axe.run(document, options)", {"resultTypes": ["violations"], **only}
    )
    assert not found["violations"], [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found["violations"]
        for node in violation["nodes"]
    ]


def assert_no_sideways_scrolling(page: Page) -> None:
    widths = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1], f"{widths[0]} pixels of content in {widths[1]}"


def look_at(page: Page, name: str) -> None:
    """The screen as it stands, wide and on a phone, light and dark: accessible, and a picture of each to look at.

    It is left wide and light.
    """
    for size, theme, viewport, rules in LOOKS:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=theme)
        page.evaluate(_SETTLE, theme)
        assert_no_sideways_scrolling(page)
        if rules is not None:
            assert_accessible(page, *rules)
        page.screenshot(path=SCREENSHOTS / f"{name}-{size}-{theme}.png")

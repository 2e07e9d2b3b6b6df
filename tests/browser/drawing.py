"""What a chart has drawn."""

import re

from playwright.sync_api import Page

from tests.browser.support import wait_until

_NOTE_TEXTS = """
window.drawn = [];
window.cut = [];
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    window.drawn.push([String(text), String(this.fillStyle)]);
    const half = this.measureText(text).width / 2;
    const width = this.canvas.clientWidth;  // 0 while it is not shown
    const isCut = place[0] - half < -1 || place[0] + half > width + 1;
    if (this.textAlign === 'center' && isCut && width > 0) window.cut.push(String(text));
    return write.call(this, text, ...place);
};
"""


def note_what_is_drawn(page: Page) -> None:
    page.add_init_script(_NOTE_TEXTS)


def drawn(page: Page) -> list[tuple[str, str]]:
    """Every text that was drawn since the page was opened or this was forgotten, with its colour."""
    return [(text, colour) for text, colour in page.evaluate("() => window.drawn")]


def drawn_labels(page: Page, pattern: str) -> list[str]:
    """The texts like this; waits for one."""

    def found() -> list[str]:
        return [text for text, _ in drawn(page) if re.search(pattern, text)]

    wait_until(page, lambda: bool(found()), lambda: f"{pattern} among {sorted({text for text, _ in drawn(page)})}")
    return found()

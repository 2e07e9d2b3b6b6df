"""How much script a browser must load before it can show the first screen."""

import gzip
import re
from pathlib import Path

import pytest

from strategybot.kit.http.site import SITE, is_built

MOST_BYTES = 100_000
_IN_THE_PAGE = re.compile(r'(?:src|href)="/(assets/[^"]+\.js)"')
_IMPORTED = re.compile(r'(?:from|import) ?["`]\./([^"`]+\.js)["`]')  # not `import(…)`, which is fetched later


def needed_with(file: Path, known: set[Path]) -> set[Path]:
    """Return the file and all files that it imports at its start."""
    if file in known:
        return known
    known = known | {file}
    for name in _IMPORTED.findall(file.read_text("utf-8")):
        known = needed_with(file.parent / name, known)
    return known


@pytest.mark.skipif(not is_built(SITE), reason="The browser app is not built")
@pytest.mark.parametrize("screen", ["StartScreen", "BotsScreen", "LoginScreen"])
def test_a_first_screen_needs_less_than_100_kilobytes_of_script(screen: str) -> None:
    (chunk,) = (SITE / "assets").glob(f"{screen}-*.js")
    needed = needed_with(chunk, set())
    for name in _IN_THE_PAGE.findall((SITE / "index.html").read_text("utf-8")):
        needed = needed_with(SITE / name, needed)
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 9)) for file in needed}
    assert len(sizes) > 2
    assert sum(sizes.values()) < MOST_BYTES, sizes

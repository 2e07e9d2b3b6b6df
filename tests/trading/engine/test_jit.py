"""The stamp of the cache covers all compiled files, and compiled code uses IEEE arithmetic."""

import os
from pathlib import Path

import pytest

from strategybot.trading.engine import columns, jit, loop, step

FOLDER = Path(jit.__file__).parent.parent


def test_every_file_with_compiled_code_is_in_the_stamp() -> None:
    users = {
        str(path.relative_to(FOLDER))
        for path in FOLDER.rglob("*.py")
        if any(mark in path.read_text() for mark in ("@lean\n", "@compiled\n", "@inlined\n"))
    }
    assert users == set(jit.COMPILED_FILES)


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
@pytest.mark.parametrize("function", [step.step, loop.run, columns.compare_changes])
def test_compiled_code_is_cached_releases_the_gil_and_is_stamped_with_all_files(function: object) -> None:
    options = function.targetoptions  # type: ignore[attr-defined]
    assert options["nogil"]
    assert not options.get("fastmath")
    assert function._cache._cache_file._source_stamp == jit.STAMP  # type: ignore[attr-defined]  # noqa: SLF001 - of numba

"""How functions are compiled: cached on disk, without the GIL, IEEE arithmetic as written (no fastmath).

A cached function has the functions it calls compiled into it, so a change in any compiled file must renew them all.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core.caching import FunctionCache
from numba.core.runtime.nrt import rtsys

COMPILED_FILES = (
    "engine/indicators/sliding.py",
    "engine/indicators/recursive.py",
    "engine/indicators/momentum.py",
    "engine/indicators/lagged.py",
    "engine/indicators/trends.py",
    "engine/columns.py",
    "engine/comparisons.py",
    "engine/conditions.py",
    "engine/risk.py",
    "engine/guards.py",
    "engine/orders.py",
    "engine/inside.py",
    "engine/step.py",
    "engine/ledger.py",
    "engine/loop.py",
    "engine/equity.py",
    "engine/positions.py",
    "engine/decisions.py",
    "engine/purse.py",
    "search/variants.py",
)

Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def _stamp_of_all() -> bytes:
    folder = Path(__file__).parent.parent
    return hashlib.sha256(b"".join(name.encode() + (folder / name).read_bytes() for name in COMPILED_FILES)).digest()


STAMP = _stamp_of_all()


class CompiledForms(FunctionCache):
    """The compiled forms of a function on disk."""

    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]  # numba has no types
        self._cache_file._source_stamp = STAMP  # noqa: SLF001  numba stamps with the function's own file alone

    def load_overload(self, signature: object, target: object) -> object:
        """Return the form for these types, or None.

        Numba's own also loads what only compiling needs, which takes 0.3 s of CPU in every process.
        """
        rtsys.initialize(target)
        return self._load_overload(signature, target)  # type: ignore[no-untyped-call]


def compiled(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """Compile a function that creates or returns arrays."""
    return _compile(function, counted=True)


def lean(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """Compile a function that neither creates nor returns an array: without reference counts it is 40 times faster."""
    return _compile(function, counted=False)


def inlined(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """Compile and inline a function that is called for every candle: the call would take longer than its work."""
    return _compile(function, counted=False, inline=True)


def _compile(
    function: Callable[Parameters, Answer], counted: bool, inline: bool = False
) -> Callable[Parameters, Answer]:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": counted}
    dispatcher: Any = numba.njit(forceinline=inline, **options)(function)
    if dispatcher is not function:  # equal when compiling is switched off
        dispatcher._cache = CompiledForms(function)  # noqa: SLF001
    return cast("Callable[Parameters, Answer]", dispatcher)

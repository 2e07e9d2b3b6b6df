"""Trades and signals packed in chunks of some hundreds, which can be read without the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from strategybot.trading.engine.filled import Table
from strategybot.trading.engine.packing import compress, decompress

ROWS_A_CHUNK = 500
FORMAT = b"\x01"  # first byte of a chunk


@dataclass(frozen=True, slots=True)
class Packed:
    """Packed trades or signals. They are packed before the write transaction, which is then short."""

    count: int = 0
    chunks: Sequence[bytes] = ()


NO_ROWS = Packed()


def pack(count: int, table: Callable[[int, int], Table]) -> Packed:
    """Pack the table chunk by chunk, so that only the rows of one chunk are in memory."""
    parts = (table(first, ROWS_A_CHUNK) for first in range(0, count, ROWS_A_CHUNK))
    return Packed(count, [FORMAT + compress(part) for part in parts])


def unpack(chunk: bytes, fields: np.dtype[np.void]) -> Table:
    return decompress(chunk[len(FORMAT) :], fields)

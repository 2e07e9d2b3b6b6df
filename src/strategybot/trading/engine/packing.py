"""Arrays and candles as compressed bytes, and back again to the bit."""

import struct
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from strategybot.trading.engine.candles import Candles

_LENGTHS = struct.Struct("<HI")
_COMPRESSION = 1  # the last bytes of prices are noise, so that more effort gains nothing


def compress(items: NDArray[Any]) -> bytes:
    """Return the items compressed: all first bytes, then all second ones, because like bytes compress better."""
    return zlib.compress(items.view(np.uint8).reshape(-1, items.itemsize).T.tobytes(), _COMPRESSION)


def decompress(data: bytes, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return the items of `compressed`, in one dimension."""
    shuffled = np.frombuffer(zlib.decompress(data), np.uint8).reshape(kind.itemsize, -1)
    return np.ascontiguousarray(shuffled.T).view(kind)[:, 0]


def pack(candles: Candles) -> bytes:
    """Return the columns of the candles, one after the other, compressed."""
    return compress(np.stack([column.view(np.uint64) for column in candles.columns()]))


def packed_by_token(candles: Mapping[str, Candles]) -> bytes:
    """Return the candles of several tokens: for each the lengths of its name and of its candles, and both."""
    parts = [(name.encode(), pack(own)) for name, own in candles.items() if len(own)]
    return b"".join(_LENGTHS.pack(len(name), len(data)) + name + data for name, data in parts)


def unpacked_by_token(data: bytes, interval_seconds: int) -> dict[str, Candles]:
    found, place = {}, 0
    while place < len(data):
        name, size = _LENGTHS.unpack_from(data, place)
        begin = place + _LENGTHS.size
        place = begin + name + size
        found[data[begin : begin + name].decode()] = unpack(data[begin + name : place], interval_seconds)
    return found


def unpack(data: bytes, interval_seconds: int) -> Candles:
    time, *prices = decompress(data, np.dtype(np.uint64)).reshape(6, -1)
    return Candles(interval_seconds, time.view(np.int64), *(column.view(np.float64) for column in prices))

"""Candles as bytes, and back again to the bit."""

import zlib

import numpy as np

from strategybot.trading.candles import Candles

_COMPRESSION = 1  # the bytes of prices are mostly noise: more effort gains nothing


def packed(candles: Candles) -> bytes:
    """The columns one behind the other, like bytes beside like bytes: that is what a compressor can use."""
    columns = np.stack([column.view(np.uint64) for column in candles.columns()])
    return zlib.compress(columns.view(np.uint8).reshape(-1, 8).T.tobytes(), _COMPRESSION)


def unpacked(data: bytes, interval_seconds: int) -> Candles:
    raw = np.frombuffer(zlib.decompress(data), np.uint8)
    rows = np.ascontiguousarray(raw.reshape(8, -1).T).view(np.uint64).reshape(6, -1)
    time, *prices = rows
    return Candles(interval_seconds, time.view(np.int64), *(column.view(np.float64) for column in prices))

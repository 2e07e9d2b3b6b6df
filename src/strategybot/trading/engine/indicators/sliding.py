"""Mean, deviation, sum, highest and lowest of the window that ends at each candle, by pairwise doubling.

The window of 2k candles is made of two windows of k. A window of another length is put together from such windows,
newest first. NaN (an unknown value) makes exactly those windows unknown that contain it.

The loops run over slices from 0 on: with an offset in the index, numba tests it for below zero and does not vectorise.
"""

import numpy as np

from strategybot.trading.engine.candles import Floats
from strategybot.trading.engine.jit import inlined, lean

BLOCK = 2048  # candles at once: the buffers stay in the processor's cache


def sliding_mean(values: Floats, window: int) -> Floats:
    mean = np.empty(len(values))
    buffers = np.empty((3, BLOCK + window - 1))
    fill_means(values, window, buffers, mean)
    return mean


def sliding_mean_and_deviation(values: Floats, window: int) -> tuple[Floats, Floats]:
    """Return the mean and the population standard deviation of each window."""
    mean, deviation = np.empty(len(values)), np.empty(len(values))
    buffers = np.empty((6, BLOCK + window - 1))
    fill_deviations(values, window, buffers, mean, deviation)
    return mean, deviation


def sliding_sum(values: Floats, window: int) -> Floats:
    total = np.empty(len(values))
    buffers = np.empty((3, BLOCK + window - 1))
    fill_sums(values, window, buffers, total)
    return total


def sliding_highest(values: Floats, window: int) -> Floats:
    highest = np.empty(len(values))
    fill_highest(values, window, np.empty((2, BLOCK + window - 1)), highest)
    return highest


def sliding_lowest(values: Floats, window: int) -> Floats:
    lowest = sliding_highest(-values, window)
    return np.negative(lowest, out=lowest)


@inlined
def load(values: Floats, first: int, end: int, buffer: Floats) -> int:
    """Copy values[first:end] to the start of the buffer, NaN where first is negative; return how many."""
    missing = max(0, -first)
    buffer[:missing] = np.nan
    copy(values[first + missing : end], buffer[missing : end - first])
    return end - first


@inlined
def copy(values: Floats, into: Floats) -> None:
    """Copy in a loop, because numba allocates memory to assign a slice to a slice."""
    for k in range(len(values)):
        into[k] = values[k]


@lean
def fill_means(values: Floats, window: int, buffers: Floats, mean: Floats) -> None:
    level, total, spare = buffers[0], buffers[1], buffers[2]
    for low in range(0, len(values), BLOCK):
        high = min(low + BLOCK, len(values))
        size = load(values, low - window + 1, high, level)
        done, length = 0, 1
        while True:
            if window & length:
                add_means(total, done, level, length, size)
                done += length
            if done == window:
                break
            double_means(level, length, spare, size)
            level, spare = spare, level
            length *= 2
        copy(total[window - 1 : size], mean[low:high])


@inlined
def add_means(total: Floats, done: int, level: Floats, length: int, size: int) -> None:
    """Extend each mean of `done` values by the `length` values before them."""
    if done == 0:
        copy(level[:size], total)
        return
    share = length / (done + length)
    means, earlier = total[done:size], level[: size - done]
    for k in range(len(means)):
        means[k] += (earlier[k] - means[k]) * share


@inlined
def double_means(level: Floats, length: int, doubled: Floats, size: int) -> None:
    doubled[:length] = np.nan
    both, earlier, later = doubled[length:size], level[: size - length], level[length:size]
    for k in range(len(both)):
        both[k] = earlier[k] + (later[k] - earlier[k]) * 0.5


@lean
def fill_deviations(values: Floats, window: int, buffers: Floats, mean: Floats, deviation: Floats) -> None:
    """Write the deviations. Sums of squares around the means are merged, so that no large squares are subtracted."""
    level, total, spare = buffers[0], buffers[1], buffers[2]
    squares, square_total, square_spare = buffers[3], buffers[4], buffers[5]
    for low in range(0, len(values), BLOCK):
        high = min(low + BLOCK, len(values))
        size = load(values, low - window + 1, high, level)
        squares[:size] = 0.0
        done, length = 0, 1
        while True:
            if window & length:
                add_squares(square_total, total, done, squares, level, length, size)
                add_means(total, done, level, length, size)
                done += length
            if done == window:
                break
            double_squares(squares, level, length, square_spare, size)
            double_means(level, length, spare, size)
            level, spare = spare, level
            squares, square_spare = square_spare, squares
            length *= 2
        copy(total[window - 1 : size], mean[low:high])
        for k in range(low, high):
            deviation[k] = np.sqrt(square_total[k - low + window - 1] / window)


@inlined
def add_squares(
    squares: Floats, total: Floats, done: int, level_squares: Floats, level: Floats, length: int, size: int
) -> None:
    if done == 0:
        copy(level_squares[:size], squares)
        return
    weight = done * (length / (done + length))
    sums, means = squares[done:size], total[done:size]
    earlier_sums, earlier_means = level_squares[: size - done], level[: size - done]
    for k in range(len(sums)):
        difference = earlier_means[k] - means[k]
        sums[k] += earlier_sums[k] + difference * difference * weight


@inlined
def double_squares(squares: Floats, level: Floats, length: int, doubled: Floats, size: int) -> None:
    doubled[:length] = np.nan
    both, earlier, later = doubled[length:size], level[: size - length], level[length:size]
    earlier_squares, later_squares = squares[: size - length], squares[length:size]
    for k in range(len(both)):
        difference = later[k] - earlier[k]
        both[k] = earlier_squares[k] + later_squares[k] + difference * difference * (0.5 * length)


@lean
def fill_sums(values: Floats, window: int, buffers: Floats, sums: Floats) -> None:
    level, total, spare = buffers[0], buffers[1], buffers[2]
    for low in range(0, len(values), BLOCK):
        high = min(low + BLOCK, len(values))
        size = load(values, low - window + 1, high, level)
        done, length = 0, 1
        total[:size] = 0.0
        while True:
            if window & length:
                add_to(total[done:size], level[: size - done])
                done += length
            if done == window:
                break
            copy(level[:size], spare)
            spare[:length] = np.nan
            add_to(spare[length:size], level[: size - length])
            level, spare = spare, level
            length *= 2
        copy(total[window - 1 : size], sums[low:high])


@inlined
def add_to(sums: Floats, values: Floats) -> None:
    for k in range(len(sums)):
        sums[k] += values[k]


@lean
def fill_highest(values: Floats, window: int, buffers: Floats, highest: Floats) -> None:
    """Write the highest values. Two overlapping windows of a power of two cover a window of any length."""
    level, spare = buffers[0], buffers[1]
    for low in range(0, len(values), BLOCK):
        high = min(low + BLOCK, len(values))
        size = load(values, low - window + 1, high, level)
        length = 1
        while length < window:
            shift = min(length, window - length)
            spare[:shift] = np.nan
            both, earlier, later = spare[shift:size], level[: size - shift], level[shift:size]
            for k in range(len(both)):
                both[k] = higher(earlier[k], later[k])
            level, spare = spare, level
            length += shift
        copy(level[window - 1 : size], highest[low:high])


@inlined
def higher(one: float, other: float) -> float:
    """Return the higher of two values; NaN if either is unknown."""
    return one if one > other or one != one else other

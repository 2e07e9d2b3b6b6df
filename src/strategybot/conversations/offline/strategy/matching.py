"""Which number belongs to which cue: the pairing of least total cost, for "SL 3% TP 10%" and "3% SL 10% TP" alike."""

from collections.abc import Sequence
from functools import cache

MOST_NUMBERS = 8
MOST_CUES = 8
LEFT_OVER = 40.0  # dearer than any pairing: a number is left over only when nothing takes it
IMPOSSIBLE = 1e9


def matched(costs: Sequence[Sequence[float]]) -> list[int | None]:
    """For each number (a row) the cue (a column) it goes to, or None; costs of IMPOSSIBLE are never paired."""

    @cache
    def best(row: int, taken: int) -> tuple[float, tuple[int | None, ...]]:
        if row == len(costs):
            return 0.0, ()
        rest, choice = best(row + 1, taken)
        cheapest: tuple[float, tuple[int | None, ...]] = (rest + LEFT_OVER, (None, *choice))
        for column, cost in enumerate(costs[row]):
            if cost < IMPOSSIBLE and not taken & (1 << column):
                rest, choice = best(row + 1, taken | (1 << column))
                if cost + rest < cheapest[0]:
                    cheapest = (cost + rest, (column, *choice))
        return cheapest

    return list(best(0, 0)[1])

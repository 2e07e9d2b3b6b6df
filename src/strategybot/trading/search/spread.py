"""The values of a part that a search tries, where they are said in few words or not at all."""

from collections.abc import Iterable
from typing import Any

from strategybot.trading.language.values import duration_text

MOST_VALUES = 12  # of a range whose step was not said
STEPS = tuple(float(f"{digit}e{power}") for power in range(-6, 7) for digit in (1, 2, 5))
TIME_STEPS = (60, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400, 172_800, 432_000)
AROUND = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0)  # times the present value


def value_range(first: float, last: float, step: float | None, least_step: float, is_time: bool) -> dict[str, Any]:
    """Return a range in the step that was said, or else in round steps; times as a list, because they are texts."""
    first, last = sorted((first, last))
    round_steps = (each for each in (TIME_STEPS if is_time else STEPS) if each >= least_step)
    step = step or next(each for each in round_steps if (last - first) / each < MOST_VALUES)
    if not is_time:
        return {"from": first, "to": last, "step": step}
    return value_list((first + number * step for number in range(int((last - first) / step) + 1)), is_time)


def value_list(values: Iterable[float], is_time: bool) -> dict[str, Any]:
    """Return each value once; times as texts, without those that no strategy can have."""
    written = map(duration_text, values) if is_time else values
    return {"values": [value for value in dict.fromkeys(written) if value is not None]}


def values_around(base: float, most: float, is_whole: bool) -> list[float]:
    """Return round values around the present one, up to `most`."""
    digits = 0 if is_whole else 2 if base >= 0.5 else 8
    return [round(base * times, digits) for times in AROUND if base * times <= most]

"""The arguments of `/backtest` and `/simulate`: a token, a candle length, a number of days, a mode.

Order and letter case do not matter. A length of time that is not allowed is refused with a list of those that are; it
is never read as the name of a token.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, get_args

from strategybot.conversations.agent.arguments import MOST_DAYS
from strategybot.conversations.turn.calls import CallFailed
from strategybot.simulations.schemas import KlineInterval, Mode
from strategybot.trading.engine.instruments import INTERVALS, Interval

Choice = TypeVar("Choice", bound=str)

_UNITS = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "s"),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "m"),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "h"),
    **dict.fromkeys(("d", "day", "days"), "d"),
    **dict.fromkeys(("w", "week", "weeks"), "w"),
    **dict.fromkeys(("mo", "month", "months"), "mo"),
    **dict.fromkeys(("y", "year", "years"), "y"),
}
_SHORTER_THAN_A_DAY = ("s", "m", "h")
_DAY_LONG = "1d"  # a candle length; if another one is given, a number of days
_TIME = re.compile(rf"(?<!\S)(-?[0-9][0-9.,]*) ?({'|'.join(_UNITS)})(?!\S)", re.IGNORECASE)
_NUMBER = re.compile("[0-9]{1,9}")


class Time(NamedTuple):
    number: str
    unit: str
    written: str

    @property
    def interval(self) -> str:
        return self.number + self.unit


@dataclass(frozen=True, slots=True)
class BacktestArguments:
    token: str
    kline_interval: Interval | None
    days: int | None


@dataclass(frozen=True, slots=True)
class SimulationArguments:
    token: str
    kline_interval: KlineInterval | None
    mode: Mode | None


def read_backtest(text: str) -> BacktestArguments:
    times, token = _apart(text)
    candles = [time for time in times if time.unit in _SHORTER_THAN_A_DAY]
    candles = candles or [time for time in times if time.written == _DAY_LONG][:1]
    spans = [time for time in times if time not in candles]
    interval = _one_of(INTERVALS, [time.interval for time in candles], "A candle is")
    return BacktestArguments(token, interval, _days(spans))


def read_simulation(text: str) -> SimulationArguments:
    times, rest = _apart(text)
    modes = [word for word in rest.lower().split() if word in get_args(Mode)]
    token = " ".join(word for word in rest.split() if word.lower() not in modes)
    interval = _one_of(get_args(KlineInterval), [time.interval for time in times], "The candle of a simulation is")
    return SimulationArguments(token, interval, _one_of(get_args(Mode), modes, "A simulation is"))


def _apart(text: str) -> tuple[list[Time], str]:
    """Return the lengths of time in the text, and the rest of the text."""
    times = [Time(match[1], _UNITS[match[2].lower()], match[0].lower()) for match in _TIME.finditer(text)]
    return times, " ".join(_TIME.sub("", text).split())


def _one_of(choices: Sequence[Choice], said: Sequence[str], subject: str) -> Choice | None:
    if not said:
        return None
    chosen = [choice for choice in choices if [choice] == list(said)]
    if not chosen:
        raise CallFailed(f"{subject} {', '.join(choices[:-1])} or {choices[-1]}: please say one of them.")
    return chosen[0]


def _days(spans: Sequence[Time]) -> int | None:
    if not spans:
        return None
    (number, unit, _), *more = spans
    if more or unit != "d" or not _NUMBER.fullmatch(number) or not 1 <= int(number) <= MOST_DAYS:
        raise CallFailed(f"A backtest goes back 1 to {MOST_DAYS:,} days: please say how many, for example `90d`.")
    return int(number)

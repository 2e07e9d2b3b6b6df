"""The arguments of `/backtest` and `/simulate`, in any order and letter case."""

import pytest

from strategybot.conversations.run_arguments import read_backtest, read_simulation
from strategybot.conversations.turn.calls import CallFailed

DAYS = "A backtest goes back 1 to 3,650 days: please say how many, for example `90d`."
CANDLES = "A candle is 1m, 5m, 15m, 1h, 4h or 1d: please say one of them."
SIMULATED = "The candle of a simulation is 1m, 5m, 15m or 1h: please say one of them."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("", None, None)),
        ("PIPO", ("PIPO", None, None)),
        ("PIPO 15M 9D", ("PIPO", "15m", 9)),
        ("30 days 1H Pipo the Cat", ("Pipo the Cat", "1h", 30)),
        ("PIPO 15 minutes 1 Day", ("PIPO", "15m", 1)),
        ("PIPO 4 hours", ("PIPO", "4h", None)),
        ("PIPO 1d", ("PIPO", "1d", None)),
        ("1d PIPO 3650d", ("PIPO", "1d", 3650)),
        ("30d 1D", ("", "1d", 30)),
        ("15m 1d", ("", "15m", 1)),
        ("1d 15m", ("", "15m", 1)),
        ("1INCH", ("1INCH", None, None)),
        ("live", ("live", None, None)),
    ],
)
def test_the_arguments_of_a_backtest_are_parsed(text: str, expected: tuple[str, str | None, int | None]) -> None:
    said = read_backtest(text)
    assert (said.token, said.kline_interval, said.days) == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        *((f"PIPO {days}", DAYS) for days in ("0d", "3651d", "9999d", "1.5d", "-3 days", "9d 30d", "2 weeks", "3mo", "1y")),
        (f"{'9' * 400}d", DAYS),
        *((f"PIPO {candle}", CANDLES) for candle in ("30m", "2h", "0m", "60 minutes", "10s", "15m 1h", "15m 15m")),
    ],
)  # fmt: skip
def test_invalid_backtest_arguments_are_answered_with_the_allowed_ones(text: str, answer: str) -> None:
    with pytest.raises(CallFailed) as failure:
        read_backtest(text)
    assert str(failure.value) == answer


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("", None, None)),
        ("PIPO LIVE", ("PIPO", None, "live")),
        ("replay 5M Pipo the Cat", ("Pipo the Cat", "5m", "replay")),
        ("Live 1 hour", ("", "1h", "live")),
    ],
)
def test_the_arguments_of_a_simulation_are_parsed(text: str, expected: tuple[str, str | None, str | None]) -> None:
    said = read_simulation(text)
    assert (said.token, said.kline_interval, said.mode) == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        *((f"PIPO {candle}", SIMULATED) for candle in ("4h", "1D", "30m", "30 days", "1m 5m")),
        ("PIPO live replay", "A simulation is replay or live: please say one of them."),
    ],
)
def test_invalid_simulation_arguments_are_answered_with_the_allowed_ones(text: str, answer: str) -> None:
    with pytest.raises(CallFailed) as failure:
        read_simulation(text)
    assert str(failure.value) == answer

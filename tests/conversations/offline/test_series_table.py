"""A series is one entry of the table and its words: nothing else has to know it."""

import asyncio
from functools import cache
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from strategybot.conversations.offline.grammar import Grammar
from strategybot.conversations.offline.lexicon import SeriesWords
from strategybot.conversations.offline.model import OfflineModel
from strategybot.trading.language.conditions import Compare, PriceDrop
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.series_kind import Series
from strategybot.trading.language.strategy import Strategy
from tests.conversations.offline.world import World


class Wobble(Series):
    series: Literal["wobble"]
    period: int = 5

    def name(self) -> str:
        return f"Wobble({self.period})"


class WobbleCompare(Compare):
    left: Wobble  # type: ignore[assignment]


class WobbleStrategy(Strategy):
    conditions: list[Annotated[PriceDrop | WobbleCompare, Field(discriminator="kind")]]  # type: ignore[assignment]
    exit_conditions: list[WobbleCompare] = []  # type: ignore[assignment]


@cache
def model() -> OfflineModel:
    words = SeriesWords({**SERIES, "wobble": Wobble}, {"wobble": "wobble, wobble index"})
    return OfflineModel(Grammar(words, WobbleStrategy))


def told(*said: str) -> dict[str, Any]:
    """The strategy of a bot after these messages."""
    world = World(model(), WobbleStrategy)
    world.set_up("empty")

    async def talk() -> None:
        for text in said:
            await world.say(text)

    asyncio.run(talk())
    assert world.linked is not None
    assert world.linked.strategy is not None
    return world.linked.strategy


def number(strategy: dict[str, Any]) -> tuple[int, str, float]:
    (condition,) = strategy["conditions"]
    return condition["left"]["period"], condition["operator"], condition["right"]


ENTRY = "buy when the wobble index is below 30"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((ENTRY,), (5, "below", 30)),
        (("buy when wobble(9) crosses above 20",), (9, "crosses_above", 20)),
        ((ENTRY, "set the wobble to 25"), (5, "below", 25)),
        ((ENTRY, "raise the wobble by 5"), (5, "below", 35)),
        ((ENTRY, "lower the wobble level to 10"), (5, "below", 10)),
        ((ENTRY, "double the wobble period"), (10, "below", 30)),
    ],
)
def test_a_made_up_series_is_entered_and_changed(said: tuple[str, ...], expected: tuple[int, str, float]) -> None:
    assert number(told(*said)) == expected


def test_a_made_up_series_is_sold_on_and_removed() -> None:
    assert told(ENTRY, "sell when wobble is above 70")["exit_conditions"][0]["right"] == 70
    both = told("buy when it drops 5% in 1h", "add wobble below 40", "remove the wobble condition")
    assert [condition["kind"] for condition in both["conditions"]] == ["price_drop"]

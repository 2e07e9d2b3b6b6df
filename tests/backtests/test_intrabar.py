"""Which 1-minute candles a run requests, and how a backtest reports the exits that they decided."""

import asyncio
from typing import cast

import numpy as np
import pytest
from fastapi.testclient import TestClient

from strategybot.backtests.intrabar import MOST_ROUNDS, PAGE_SECONDS, MinuteFetcher
from strategybot.kit.errors import AppError
from strategybot.market.service import Market
from strategybot.trading.engine.candles import Candles, DataReport
from tests.backtests.driving import Headers, Json, finished, start
from tests.engines import on_sqlite_alone
from tests.market.scripted import candles_at
from tests.support import create_bot

pytestmark = on_sqlite_alone

DAY = 86_400
HOUR = 3600
END = 100 * PAGE_SECONDS
PAIRS = {
    "conditions": [{"kind": "compare", "left": {"series": "change", "period": 1}, "operator": "below", "right": -0.3}],
    "risk_management": {"stop_loss_percent": 0.6, "take_profit_percent": 0.6},
}


class MinuteMarket:
    """A market with every minute except those of some pages. It raises after too many requests."""

    def __init__(self, without: set[int] = frozenset(), answers: int = 1000) -> None:  # type: ignore[assignment]
        self.asked: list[tuple[int, int]] = []
        self._without, self._answers = without, answers

    async def candles(
        self, token_id: str, interval: str, start: int, end: int, run_owner_id: str
    ) -> tuple[Candles, DataReport]:
        assert (token_id, interval, run_owner_id) == ("token", "1m", "owner")
        self.asked.append((start, end))
        if len(self.asked) > self._answers:
            raise AppError("The provider is away.")
        times = [time for time in range(start, end, 60) if time // PAGE_SECONDS not in self._without]
        return candles_at(times), DataReport()


def fetcher(market: MinuteMarket, most_minutes: int = 50_000, start: int = 0) -> MinuteFetcher:
    return MinuteFetcher(cast("Market", market), "token", (start, END), most_minutes, "owner")


def fetched(minutes: MinuteFetcher, *doubts: int, seconds: int = HOUR) -> bool:
    return asyncio.run(minutes.fetch(np.array(doubts), seconds, lambda _: None))


def pages(*numbers: int) -> list[tuple[int, int]]:
    return [(number * PAGE_SECONDS, (number + 1) * PAGE_SECONDS) for number in numbers]


def test_only_pages_of_candles_in_doubt_are_requested_and_each_only_once() -> None:
    market = MinuteMarket()
    minutes = fetcher(market)
    assert fetched(minutes, 0, HOUR, 7 * PAGE_SECONDS)
    assert market.asked == pages(0, 7)
    assert len(minutes.minutes) == 2000
    assert not fetched(minutes, 0, HOUR)
    assert fetched(minutes, 3 * PAGE_SECONDS - 60)  # it ends in the next page
    assert market.asked[2:] == [(2 * PAGE_SECONDS, 4 * PAGE_SECONDS)]


def test_a_long_candle_may_need_three_pages() -> None:
    market = MinuteMarket()
    assert fetched(fetcher(market), 3 * PAGE_SECONDS - 600, seconds=DAY)
    assert market.asked == [(2 * PAGE_SECONDS, 5 * PAGE_SECONDS)]


def test_requests_stay_within_the_limit_and_the_oldest_candles_in_doubt_come_first() -> None:
    market = MinuteMarket()
    minutes = fetcher(market, most_minutes=2_500)
    assert fetched(minutes, *(number * PAGE_SECONDS for number in (1, 4, 9)))
    assert market.asked == pages(1, 4)
    assert not fetched(minutes, 9 * PAGE_SECONDS)


def test_if_most_pages_are_needed_all_are_requested_unless_that_exceeds_the_limit() -> None:
    doubts = [number * PAGE_SECONDS for number in range(0, 100, 2)] + [PAGE_SECONDS]
    market, poor = MinuteMarket(), MinuteMarket()
    assert fetched(fetcher(market, most_minutes=100_000), *doubts)
    assert market.asked == [(0, END)]
    assert fetched(fetcher(poor, most_minutes=60_000), *doubts)
    assert sum(end - start for start, end in poor.asked) == 51 * PAGE_SECONDS


def test_no_minutes_before_the_start_of_the_run_are_requested() -> None:
    market = MinuteMarket()
    assert fetched(fetcher(market, start=600), 600)
    assert market.asked == [(600, PAGE_SECONDS)]


def test_no_minutes_are_requested_for_1_minute_candles() -> None:
    market = MinuteMarket()
    assert not fetched(fetcher(market), 0, seconds=60)
    assert market.asked == []


def test_a_provider_without_minutes_or_with_an_error_keeps_the_minutes_known_so_far() -> None:
    assert not fetched(fetcher(MinuteMarket(without={0})), 0)
    minutes = fetcher(MinuteMarket(answers=1))
    assert fetched(minutes, 0, 5 * PAGE_SECONDS)
    assert len(minutes.minutes) == 1000
    assert not fetched(minutes, 9 * PAGE_SECONDS)  # it is not asked again


def test_the_number_of_rounds_is_limited() -> None:
    minutes = fetcher(MinuteMarket())
    rounds = [fetched(minutes, number * PAGE_SECONDS) for number in range(0, 2 * MOST_ROUNDS + 2, 2)]
    assert rounds == [True] * MOST_ROUNDS + [False]


@pytest.fixture
def pairs(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=PAIRS)


TOKEN = "So11111111111111111111111111111111111111112"


def test_a_backtest_counts_how_its_exits_were_decided(client: TestClient, user: Headers, pairs: Json) -> None:
    runs = {
        intrabar: finished(
            client, user, start(client, user, pairs, token=TOKEN, kline_interval="4h", intrabar=intrabar)
        )
        for intrabar in ("auto", "off")
    }
    assert {name: run["intrabar"] for name, run in runs.items()} == {"auto": "auto", "off": "off"}
    counts = {name: run["data_report"]["fills_resolved"] for name, run in runs.items()}
    for name, run in runs.items():
        assert sum(counts[name].values()) == run["metrics"]["total_trades"] > 10
    assert counts["auto"]["resolved"] > 3
    assert counts["auto"]["assumed"] == 0  # the demo market has every minute
    assert counts["off"]["resolved"] == 0
    assert counts["off"]["assumed"] > 3
    assert "decided on 1-minute candles." in runs["auto"]["data_report"]["fills_summary"]
    assert "assumed: the order of the prices" in runs["off"]["data_report"]["fills_summary"]
    assert runs["auto"]["metrics"]["total_return"] != runs["off"]["metrics"]["total_return"]


def test_auto_is_the_default_and_other_words_are_refused(client: TestClient, user: Headers, pairs: Json) -> None:
    assert start(client, user, pairs, token=TOKEN, kline_interval="1h")["intrabar"] == "auto"
    wrong = client.post(f"/api/bots/{pairs['id']}/backtest", json={"token": TOKEN, "intrabar": "on"}, headers=user)
    assert wrong.status_code == 422
    assert "intrabar" in wrong.json()["detail"]

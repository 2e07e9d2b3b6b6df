"""The candles before the start of a backtest: how many are fetched, what the report says, and what is computed again."""

import asyncio
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from strategybot.backtests.runner import Runner
from strategybot.backtests.storage import Backtest
from strategybot.kit.database import Database
from strategybot.kit.jobs import LocalJobs
from strategybot.market.service import Market
from strategybot.trading.engine.candles import Candles
from strategybot.trading.language.strategy import Strategy
from strategybot.verdicts.schemas import FinishedRun
from tests.backtests.driving import Headers, Json, finished, read, start
from tests.backtests.stage import Stage
from tests.backtests.upstream import HeldUpstream
from tests.engines import on_sqlite_alone
from tests.market.scripted import ScriptedProvider
from tests.market.upstream.market import FIRST_CANDLE, SOL
from tests.support import ManualClock, create_bot
from tests.trading.engine.indicators.markets import wild_market
from tests.trading.random_series import compare

pytestmark = on_sqlite_alone

HOUR, DAY = 3600, 86_400
PRICE = {"series": "close"}
GOLDEN: Json = {
    "conditions": [compare({"series": "ema", "period": 50}, "crosses_above", {"series": "ema", "period": 200})]
}
DAILY: Json = {
    "conditions": [compare({"series": "rsi", "interval": "1d"}, "above", 50)],
    "exit_conditions": [compare({"series": "rsi", "interval": "1d"}, "below", 50)],
}


def hours(count: int, end: int) -> Candles:
    candles = wild_market(8, count)
    return Candles(HOUR, end - HOUR * np.arange(count, 0, -1), *candles.columns()[1:])


class MonthOfHours(Stage):
    """A run of 30 days of hours over a provider with 800 days of them, in pages of 1,000."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        self.end = int(clock().timestamp()) // DAY * DAY
        super().__init__(database, clock)
        self.provider = ScriptedProvider(hours(800 * 24, self.end))
        self.market = Market(self.provider, database, clock, lambda *_: None)

    def new_run(self, **fields: Any) -> Backtest:
        values = {"kline_interval": "1h", "start_time": self.end - 30 * DAY, "end_time": self.end, "token": "a" * 32}
        return super().new_run(strategy=Strategy.model_validate(DAILY), **values, **fields)

    def executed(self) -> dict[str, Any]:
        jobs = LocalJobs
        runner = Runner(
            self.database, self.market, self.clock, self.worker(), lambda _, handler: jobs(handler, slots=1)
        )
        asyncio.run(runner.execute(self.run_id))
        return self.seen()


def test_a_daily_rsi_on_hours_takes_one_page_and_five_more(database: Database, clock: ManualClock) -> None:
    """Its whole reach would take 16."""
    stage = MonthOfHours(database, clock)
    run = stage.executed()
    assert (run["status"], len(stage.provider.asked)) == ("completed", 6)
    report = run["data_report"]
    assert (report["candles"], report["warm_up_candles"], report["warm_up_cut"]) == (720, 5280, True)
    assert report["warm_up"][0]["needed"] == (616 + 2) * 24 - 1
    assert report["warm_up"][0]["had"] == 5280
    assert report["warm_up_summary"] is None
    assert run["trade_count"] > 0


def test_a_run_that_is_computed_again_sees_the_same_candles(database: Database, clock: ManualClock) -> None:
    """Its verdict is missing; meanwhile more of the history was stored."""
    stage = MonthOfHours(database, clock)
    run = stage.executed()
    asyncio.run(stage.market.candles(f"{'a' * 32}-solana", "1h", 0, stage.end))
    with database.read() as session:
        row = session.get(Backtest, stage.run_id)
        assert row is not None
        assert row.first_candle == stage.end - 6000 * HOUR
    jobs = LocalJobs
    runner = Runner(database, stage.market, clock, stage.worker(), lambda _, handler: jobs(handler, slots=1))
    again = asyncio.run(runner.compute_again(row))
    assert isinstance(again, FinishedRun)
    assert int(again.candles.time[0]) == row.first_candle
    assert len(again.result.trades) == run["trade_count"]
    assert again.result.metrics == run["metrics"]


class TestYoungToken:
    """The provider's token has 1,500 hours; the run starts after 125 of them."""

    @pytest.fixture
    def run(self, held: TestClient, held_user: Headers, upstream: HeldUpstream) -> Json:
        upstream.let_through.set()
        bot = create_bot(held, held_user, strategy=GOLDEN)
        return finished(held, held_user, start(held, held_user, bot, **self.request()))

    @staticmethod
    def request(first: int = 125, last: int = 1000) -> Json:
        times = {"start_time": FIRST_CANDLE + first * HOUR, "end_time": FIRST_CANDLE + last * HOUR}
        return {"token": SOL.token_id, "kline_interval": "1h", **times}

    def test_the_report_says_what_each_series_had(self, run: Json) -> None:
        report = run["data_report"]
        assert (report["candles"], report["warm_up_candles"]) == (875, 125)
        assert report["warm_up"] == [
            {"series": "EMA(50)", "needed": 1099, "had": 125, "known_from": "2025-08-09T05:00:00Z"},
            {"series": "EMA(200)", "needed": 4399, "had": 125, "known_from": "2025-08-12T07:00:00Z"},
        ]
        assert report["warm_up_summary"] == (
            "EMA(200) had 125 candles before the start instead of 4,399 and is known from 2025-08-12 07:00 UTC."
        )
        assert report["untested"] is None

    def test_the_lines_of_the_chart_are_the_values_of_the_run(
        self, held: TestClient, held_user: Headers, run: Json
    ) -> None:
        slow = read(held, held_user, run, "/series", before=50)["series"][1]["points"]
        known = [point["time"] for point in slow if point["value"] is not None]
        assert min(known) == FIRST_CANDLE + 199 * HOUR

    def test_a_run_that_never_knew_its_conditions_says_that_first(
        self, held: TestClient, held_user: Headers, run: Json
    ) -> None:
        sentence = "Nothing could be tested: EMA(200) needs 200 candles, this token has 120."
        bot = create_bot(held, held_user, "Short", strategy=GOLDEN)
        short = finished(held, held_user, start(held, held_user, bot, **self.request(20, 120)))
        assert short["data_report"]["untested"] == sentence
        assert (short["verdict"]["grade"], short["verdict"]["headline"]) == ("too_few", sentence)
        assert run["verdict"]["headline"] != sentence
        shown = held.post(f"/api/bots/{bot['id']}/preview", json=self.request(20, 120), headers=held_user).json()
        assert shown["warnings"] == [sentence]
        shared = held.post(f"/api/bots/{bot['id']}/backtest/{short['run_id']}/share", headers=held_user).json()
        page = held.get(shared["url"].removeprefix("http://testserver"))
        assert sentence.replace("'", "&#x27;") in page.text

    def test_a_run_of_an_older_version_keeps_its_warm_up(
        self, held: TestClient, held_user: Headers, run: Json, database: Database
    ) -> None:
        """Its report does not name a warm-up: its lines are unknown where its conditions were."""
        with database.write() as session:
            row = session.get(Backtest, run["run_id"])
            assert row is not None
            row.data_report = {"received": 1000}
        assert read(held, held_user, run)["data_report"]["warm_up"] is None
        lines = read(held, held_user, run, "/series")["series"]
        assert all(point["value"] is None for point in lines[1]["points"])

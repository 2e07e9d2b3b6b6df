"""What was trending in the past: kept by the service, known by the demo market, and traded day by day."""

# ruff: noqa: ARG002 - the list does not depend on the limit

import asyncio
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.kit.database import Database
from strategybot.kit.errors import InvalidInput
from strategybot.market.demo import DemoProvider
from strategybot.market.demo_tokens import MORTALS
from strategybot.market.listings import KEPT, TrendingList, delete_old
from strategybot.market.schemas import Token
from strategybot.market.service import Market
from strategybot.runs.schemas import PurseRequest
from strategybot.runs.universes import Universes
from tests.backtests.driving import Headers, Json, finished, start
from tests.engines import on_sqlite_alone
from tests.market.scripted import ScriptedProvider
from tests.support import ManualClock, create_bot

DIP: Json = {
    "conditions": [{"kind": "price_drop", "percent": 3, "window": "4h"}],
    "risk_management": {"stop_loss_percent": 5, "take_profit_percent": 8},
    "portfolio": {"max_open": 4},
}
LIVED, DIED = datetime(2026, 10, 20, tzinfo=UTC), datetime(2026, 11, 15, tzinfo=UTC)


class Listed(ScriptedProvider):
    """A provider whose trending list has the number of its call as the only token."""

    async def trending(self, chain: str | None, limit: int) -> list[Token]:
        await self._called("trending")
        number = str(len(self.calls))
        names = {"token_id": f"{number}-{chain}", "address": number, "symbol": number, "name": number}
        return [Token(**names, chain=chain or "", decimals=6, volume_24h_usd=5.0, liquidity_usd=7.0)]


def test_each_hours_list_is_kept_once_and_for_a_year(database: Database, clock: ManualClock) -> None:
    async def story() -> None:
        provider = Listed()
        lists = Market(provider, database, clock, lambda *_: None).lists
        assert await lists.known_from("solana") is None
        begun = int(clock().timestamp())
        clock.advance(seconds=3600 - begun % 3600)
        begun = int(clock().timestamp())
        for _ in range(3):  # the second look is in the same hour
            await lists.keep(["solana", "base"])
            clock.advance(seconds=1800)
        assert await lists.known_from("solana") == begun // 3600 * 3600
        assert await lists.at("solana", 5, begun) == [{"token": "1", "chain": "solana"}]
        assert await lists.at("solana", 5, begun - 1) == []
        assert await lists.at("eth", 5, begun) == []

    asyncio.run(story())
    with database.read() as session:
        row = session.query(TrendingList).order_by(TrendingList.hour, TrendingList.chain.desc()).first()
        assert row is not None
        assert session.query(TrendingList).count() == 4  # of two chains in two hours
        assert row.tokens == [{"token": "1", "chain": "solana", "volume": 5.0, "liquidity": 7.0}]
    with database.write() as session:
        delete_old(session, clock() + KEPT + timedelta(hours=1))
    with database.read() as session:
        assert session.query(TrendingList).count() == 0


def test_demo_tokens_are_listed_while_they_live() -> None:
    async def listed(now: datetime) -> set[str]:
        return {token.symbol for token in await DemoProvider(lambda: now).trending("solana", 50)}

    async def story() -> None:
        today = DemoProvider(lambda: DIED)
        past = {token.symbol for token in await today.trending_at("solana", 50, int(LIVED.timestamp()))}
        assert past == await listed(LIVED) > {"WOBL", "SPLT", "FLIK"}
        assert not {each.symbol for each in MORTALS} & await listed(DIED)
        dead = next(each for each in MORTALS if each.symbol == "SPLT")
        candles, _ = await today.klines(dead.token_id, "1h", int(LIVED.timestamp()), int(DIED.timestamp()), 5000)
        assert dead.ended_at is not None
        assert candles.time[-1] < dead.ended_at.timestamp() <= candles.time[-1] + 2 * 3600
        assert (await today.token(dead.token_id)) is not None

    asyncio.run(story())


@on_sqlite_alone
def test_todays_list_and_the_list_of_each_day_differ(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=DIP)
    span = {"start_time": "2025-11-25T00:00:00Z", "kline_interval": "1h"}
    universe = {"trending": "solana", "limit": 6}
    today = finished(client, user, start(client, user, bot, universe=universe, **span))
    each_day = finished(client, user, start(client, user, bot, universe={**universe, "as_of": "each_day"}, **span))
    symbols = {row["symbol"] for row in each_day["tokens"]}
    mortal = {each.symbol for each in MORTALS}
    assert not {row["symbol"] for row in today["tokens"]} & mortal
    assert symbols & mortal
    assert each_day["tokens_total"] > 6
    assert each_day["universe"] == {**universe, "as_of": "each_day"}
    assert today["universe"] is None
    assert "Those that died meanwhile are in it." in each_day["portfolio_notes"][0]
    assert "tokens that died meanwhile are not in it" in today["portfolio_notes"][0]
    assert any("stopped trading on" in note for note in each_day["portfolio_notes"])
    assert each_day["verdict"]["grade"]
    assert today["metrics"]["total_return"] != each_day["metrics"]["total_return"]


@on_sqlite_alone
def test_days_before_the_first_kept_list_are_refused_with_its_date(database: Database, clock: ManualClock) -> None:
    async def story() -> None:
        market = Market(Listed(), database, clock, lambda *_: None)
        universes, asked = (
            Universes(market),
            PurseRequest.model_validate({"universe": {"trending": "solana", "limit": 2, "as_of": "each_day"}}),
        )
        now = int(clock().timestamp())
        who = Principal(owner_id="1", standing="pro")
        bot: Any = SimpleNamespace(universe=None)
        with pytest.raises(InvalidInput, match="works from 2026-01-02 on: earlier lists were not kept"):
            await universes.tokens(who, UserSettings(), bot, asked, (now - 86_400, now))
        await market.lists.keep(["solana"])
        with pytest.raises(InvalidInput, match=r"works from 2026-01-02 \d\d:00 UTC on"):
            await universes.tokens(who, UserSettings(), bot, asked, (now - 86_400, now))
        clock.advance(seconds=3 * 86_400)
        found = await universes.tokens(who, UserSettings(), bot, asked, (now, now + 2 * 86_400))
        day = now // 86_400 * 86_400
        assert found == [{"token": "1", "chain": "solana", "listed": [[day, day + 3 * 86_400]]}]

    asyncio.run(story())

"""What counts as another try on a token, and what is the same try again."""

from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from strategybot.accounts.storage import Owner
from strategybot.app import Services
from strategybot.trading.engine.pool import PoolFacts
from strategybot.trading.engine.run_costs import requested_costs
from strategybot.verdicts.storage import Try, record_try, transfer_tries
from strategybot.verdicts.tries import Attempt, Tries
from tests.backtests.driving import Headers
from tests.engines import on_both, on_sqlite_alone
from tests.support import sign_up

pytestmark = on_sqlite_alone

DAY, HOUR = 86_400, 3600
NOW = 1_767_322_800  # a whole hour
TOKEN = "So11111111111111111111111111111111111111112-solana"
COSTS = requested_costs("auto", 0.1, 0.05)


@pytest.fixture
def owner_id(services: Services, user: Headers) -> str:
    with services.database.read() as session:
        return str(session.scalars(select(Owner.id)).one())


@pytest.fixture
def tries(services: Services) -> Tries:
    return Tries(services.database, services.market)


@pytest.fixture
def sliding(owner_id: str) -> Attempt:
    """A run of 30 days up to the newest candle."""
    return Attempt(owner_id, TOKEN, "1h", NOW - 30 * DAY, NOW, NOW + 20, "rules", COSTS)


def later(attempt: Attempt, seconds: int, *, grown: bool = False) -> Attempt:
    """Return the same request some time later; a grown one keeps its start."""
    start = attempt.start_time if grown else attempt.start_time + seconds
    return replace(attempt, start_time=start, end_time=attempt.end_time + seconds, asked_at=attempt.asked_at + seconds)


def fixed(attempt: Attempt, first_day: int, days: int) -> Attempt:
    """Return the attempt on dates of the past; the day is counted back from now."""
    start = NOW - first_day * DAY
    return replace(attempt, start_time=start, end_time=start + days * DAY)


@pytest.mark.parametrize(
    ("changes", "counted"),
    [
        ({}, 1),
        ({"asked_at": NOW + 3500}, 1),
        ({"kline_interval": "15m"}, 2),
        ({"rules": "others"}, 2),
        ({"costs": requested_costs("auto", 0.2, 0.05)}, 2),
        ({"costs": requested_costs("off", 0.1, 0.05)}, 2),
        ({"costs": requested_costs("auto", 0.1, 0.05, liquidity_usd=1e6)}, 2),
        ({"costs": COSTS.read(PoolFacts(liquidity_usd=5e5, buy_tax_percent=3), "2026-01-01T00:00:00Z")}, 1),
        ({"token_id": TOKEN.replace("112-", "113-")}, 1),
        ({"start_time": NOW - 60 * DAY}, 2),
        ({"start_time": NOW - 30 * DAY + 1800}, 1),  # to a candle the same length: the web app asks for it by seconds
    ],
)
def test_a_try_is_rules_interval_span_and_requested_costs(
    tries: Tries, sliding: Attempt, changes: dict[str, Any], counted: int
) -> None:
    tries.count(sliding)
    assert tries.count(replace(sliding, **changes)).total == counted


@on_both
def test_a_run_up_to_now_is_the_same_try_when_it_slides_or_grows(tries: Tries, sliding: Attempt) -> None:
    for days in range(40):
        assert tries.count(later(sliding, days * DAY)).total == 1
    grown = replace(sliding, start_time=NOW - 33 * DAY, rules="grown")
    assert tries.count(grown).total == 2
    for days in range(1, 5):
        assert tries.count(later(grown, days * DAY, grown=True)).total == 2


def test_dates_of_the_past_count_each_if_they_overlap(tries: Tries, sliding: Attempt) -> None:
    assert [tries.count(fixed(sliding, day, 10)).total for day in (40, 38, 36, 34)] == [1, 2, 3, 4]
    assert tries.count(fixed(sliding, 38, 10)).total == 4
    assert tries.count(fixed(sliding, 60, 10)).total == 1
    assert tries.count(sliding).total == 4  # the first of them ended before its start


def test_an_old_span_of_a_run_that_slid_on_is_counted_once_with_it(tries: Tries, sliding: Attempt) -> None:
    tries.count(sliding)
    tries.count(later(sliding, DAY))
    again = replace(sliding, asked_at=NOW + 9 * DAY)  # the dates of the first run, by now of the past
    assert tries.count(again).total == 2
    assert tries.count(again).total == 2


def test_after_a_survey_the_same_rules_count_as_many_tries_as_it_had_tokens(tries: Tries, sliding: Attempt) -> None:
    surveyed = replace(sliding, tokens=5)
    assert tries.count(surveyed).total == 5
    assert tries.count(sliding).total == 5
    assert tries.count(replace(sliding, kline_interval="15m")).total == 6
    assert tries.count(replace(sliding, rules="others")).total == 3


def test_a_search_counts_its_variants_and_knows_what_was_tried_before_it(tries: Tries, sliding: Attempt) -> None:
    tries.count(sliding)
    search = replace(sliding, rules="search", strategies=12)
    assert tries.count(search) == (13, 1)
    assert tries.count(replace(search, strategies=9)) == (13, 1)
    assert tries.count(sliding) == (13, 12)


@on_both
def test_rows_from_before_keep_their_count_and_are_not_counted_twice(
    services: Services, tries: Tries, sliding: Attempt
) -> None:
    span = {"start_time": NOW - 20 * DAY, "end_time": NOW - 10 * DAY}
    other = {"start_time": NOW - 25 * DAY, "end_time": NOW - 5 * DAY}
    old = [{"digest": "old", **span}, {"digest": "old", **other}, {"digest": "rules", **span}]
    with services.database.write() as session:
        for each in (*old, {"digest": "search", "strategies": 7, **span}):
            record_try(session, Try(owner_id=sliding.owner_id, token_id=TOKEN, **each))
    assert tries.count(replace(sliding, rules="new")).total == 10
    assert tries.count(sliding).total == 10  # the old row of its rules is the same try
    assert tries.count(fixed(sliding, 100, 10)).total == 1


@on_both
def test_the_tries_of_a_visitor_are_joined_with_those_of_the_account(
    client: TestClient, services: Services, tries: Tries, sliding: Attempt
) -> None:
    sign_up(client, "other@example.com")
    with services.database.read() as session:
        other = next(each for each in session.scalars(select(Owner.id)) if each != sliding.owner_id)
    mine, theirs = replace(sliding, tokens=3), replace(later(sliding, DAY), owner_id=other)
    tries.count(mine)
    tries.count(theirs)
    tries.count(replace(theirs, rules="others"))
    with services.database.write() as session:
        transfer_tries(session, other, sliding.owner_id)
    assert tries.count(sliding).total == 4
    assert tries.count(theirs).total == 1

"""Surveys over the API: one row per token, and the combined result."""

import csv
import io
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.trading.engine.instruments import INTERVAL_SECONDS
from tests.backtests import driving as backtests
from tests.backtests.driving import Headers, Json
from tests.engines import on_both, on_sqlite_alone
from tests.searches.driving import CHAIN, STRATEGY, TOKEN, asked, finished, start
from tests.support import create_bot

pytestmark = on_sqlite_alone

NOWHERE = "nosuchtoken1111111111111111111111"


@pytest.fixture
def bot(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=STRATEGY)


def surveyed(client: TestClient, user: Headers, bot: Json, **request: Any) -> Json:
    run = start(client, user, bot, "survey", kline_interval="15m", **request)
    return finished(client, user, run, "survey")


def test_trending_tokens_are_tested_and_combined(client: TestClient, user: Headers, bot: Json) -> None:
    run = surveyed(client, user, bot, trending=CHAIN, limit=3)
    assert (run["status"], run["progress"], run["tokens_total"], run["tokens_done"]) == ("completed", 100, 3, 3)
    returns = [row["metrics"]["total_return"] for row in run["rows"]]
    assert returns == sorted(returns, reverse=True)
    younger = sum(row["younger"] for row in run["rows"])
    are = "None is" if younger == 0 else "1 is" if younger == 1 else f"{younger} are"
    assert run["notes"] == [
        f"These 3 tokens were chosen today. {are} younger than the test; tokens that died meanwhile are not in it."
    ]
    for row in run["rows"]:
        assert row["error"] is None
        assert row["risk_level"] in ("low", "medium", "high", "unknown")
        assert row["trades"] == row["metrics"]["total_trades"]
        assert 1 < len(row["sparkline"]) <= 60
        assert row["symbol"]
    combined = run["combined"]
    assert combined["profitable_percent"] == pytest.approx(100 * sum(each > 0 for each in returns) / 3)
    assert combined["best"] == {"token_id": run["rows"][0]["token_id"], "total_return": returns[0]}
    assert combined["worst"]["total_return"] == returns[-1]
    assert combined["trades"] == sum(row["trades"] for row in run["rows"])
    assert combined["mean_return"] == pytest.approx(sum(returns) / 3)
    assert combined["equity_curve"][-1]["equity"] == pytest.approx(100 * (100 + sum(returns) / 3))
    seconds = INTERVAL_SECONDS[run["kline_interval"]]
    assert {point["time"] % seconds for point in combined["equity_curve"]} == {0}  # each is a candle
    listed = client.get(f"/api/bots/{bot['id']}/surveys", headers=user).json()
    assert (listed["total_surveys"], listed["surveys"][0]["combined"]["trades"]) == (1, combined["trades"])
    assert "rows" not in listed["surveys"][0]


def test_a_row_is_the_backtest_of_its_token_and_counts_as_a_try(client: TestClient, user: Headers, bot: Json) -> None:
    run = surveyed(client, user, bot, tokens=[{"token": TOKEN, "chain": CHAIN}, {"token": f"{TOKEN}-{CHAIN}"}])
    (row,) = run["rows"]
    span = {name: run[name] for name in ("start_time", "end_time")}
    asked_for = {"token": TOKEN, "chain": CHAIN, "kline_interval": "15m", "intrabar": "off", **span}
    single = backtests.finished(client, user, backtests.start(client, user, bot, **asked_for))
    assert row["metrics"] == single["metrics"]
    assert row["average_entry_percent"] == single["verdict"]["average_entry_percent"]
    assert row["p"] == single["verdict"]["p"]
    assert single["verdict"]["tries"] == 1  # the same strategy on the same token


def test_the_best_token_of_a_survey_was_chosen_among_all_of_them(client: TestClient, user: Headers, bot: Json) -> None:
    run = surveyed(client, user, bot, trending=CHAIN, limit=3)
    best = {"token": run["rows"][0]["token"], "chain": CHAIN, "kline_interval": "15m"}
    single = backtests.finished(client, user, backtests.start(client, user, bot, **best))
    assert single["verdict"]["tries"] == 3


def test_a_token_that_fails_has_an_error_and_the_others_are_tested(
    client: TestClient, user: Headers, bot: Json
) -> None:
    run = surveyed(client, user, bot, tokens=[{"token": NOWHERE, "chain": CHAIN}, {"token": TOKEN, "chain": CHAIN}])
    assert run["status"] == "completed"
    good, bad = run["rows"]
    assert (good["token"], good["error"]) == (TOKEN, None)
    assert (bad["token"], bad["metrics"]) == (NOWHERE, None)
    assert bad["error"]
    assert (run["combined"]["tokens"], run["combined"]["failed"]) == (2, 1)


def test_the_rows_are_available_as_csv(client: TestClient, user: Headers, bot: Json) -> None:
    run = surveyed(client, user, bot, tokens=[{"token": NOWHERE, "chain": CHAIN}, {"token": TOKEN, "chain": CHAIN}])
    answer = client.get(f"/api/bots/{bot['id']}/survey/{run['run_id']}/rows.csv", headers=user)
    assert answer.headers["content-type"].startswith("text/csv")
    table = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["token_id"] for row in table] == [row["token_id"] for row in run["rows"]]
    assert float(table[0]["total_return"]) == run["rows"][0]["metrics"]["total_return"]
    assert table[1]["error"] == run["rows"][1]["error"]


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        ({}, 422, "must be given"),
        ({"trending": CHAIN, "tokens": [{"token": TOKEN}]}, 422, "not both"),
        ({"tokens": []}, 422, "at least 1 item"),
        ({"trending": CHAIN, "limit": 6}, 403, "can have 5 tokens"),
        ({"tokens": [{"token": f"{TOKEN[:-1]}{n}", "chain": CHAIN} for n in range(1, 7)]}, 403, "can have 5 tokens"),
        ({"trending": CHAIN, "token": TOKEN}, 422, "is not a known field"),
    ],
)
def test_invalid_requests_are_refused(
    shared_client: TestClient, shared_user: Headers, request_: Json, status: int, words: str
) -> None:
    bot = create_bot(shared_client, shared_user, strategy=STRATEGY)
    answer = asked(shared_client, shared_user, bot, "survey", **request_)
    assert answer.status_code == status
    assert words in answer.json()["detail"]


@on_both
def test_a_survey_that_was_stopped_keeps_its_rows(client: TestClient, user: Headers, bot: Json) -> None:
    run = start(client, user, bot, "survey", kline_interval="1m", trending=CHAIN, limit=5)
    answer = client.post(f"/api/bots/{bot['id']}/survey/{run['run_id']}/stop", headers=user)
    assert answer.status_code in (200, 409)
    done = finished(client, user, run, "survey")
    assert done["tokens_done"] == len(done["rows"])
    again = client.post(f"/api/bots/{bot['id']}/survey/{run['run_id']}/stop", headers=user)
    assert again.status_code == 409

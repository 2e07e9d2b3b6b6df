"""A preview: where a strategy would buy, before it is saved or tested."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from tests.backtests.driving import Headers, Json, finished, read, start
from tests.engines import on_both, on_sqlite_alone
from tests.market.upstream.market import SOL
from tests.support import ManualClock, create_bot, sign_up, visitor

pytestmark = on_sqlite_alone

DIPS: Json = {
    "conditions": [{"kind": "price_drop", "percent": 1, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 1, "take_profit_percent": 1},
}
DATES = {"token": SOL.token_id, "kline_interval": "15m", "start_time": "2025-12-01", "end_time": "2026-01-01"}
NEVER: Json = {"conditions": [{"kind": "price_drop", "percent": 15, "window": "1h"}]}


def preview(client: TestClient, headers: Headers, bot: Json, **request: Any) -> Json:
    answer = client.post(f"/api/bots/{bot['id']}/preview", json=request, headers=headers)
    assert answer.status_code == 200, answer.text
    shown: Json = answer.json()
    return shown


def test_a_preview_counts_what_the_backtest_would_buy(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=DIPS)
    shown = preview(client, user, bot, **DATES, candles=500)
    run = finished(client, user, start(client, user, bot, **DATES))
    buys: list[Json] = []
    for page in range(1, 1 + read(client, user, run, "/signals")["total_pages"]):
        buys += [each for each in read(client, user, run, "/signals", page=page)["signals"] if each["side"] == "buy"]
    assert shown["total_entries"] == len(buys) > 10
    assert len(shown["klines"]) == 500
    assert shown["entries"] == [each for each in buys if each["time"] >= shown["klines"][0]["time"]]
    assert (shown["easier"], shown["warnings"]) == (None, [])
    cheap = {**DIPS, "risk_management": {"take_profit_percent": 0.1}}
    (warning,) = preview(client, user, bot, **DATES, strategy=cheap)["warnings"]
    assert "below what a round trip costs" in warning


def test_a_preview_draws_the_series_of_a_strategy_that_is_not_saved(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, token=SOL.token_id)
    rsi = {"series": "rsi", "period": 14}
    strategy = {"conditions": [{"kind": "compare", "left": rsi, "operator": "below", "right": 30}]}
    shown = preview(client, user, bot, strategy=strategy, candles=120)
    assert len(shown["klines"]) == 120
    (line,) = shown["series"]
    assert [point["time"] for point in line["points"]] == [kline["time"] for kline in shown["klines"]]
    values = {point["time"]: point["value"] for point in line["points"]}
    assert all(value is not None for value in values.values())
    assert all(values[entry["time"]] < 30 for entry in shown["entries"])
    assert client.get(f"/api/bots/{bot['id']}", headers=user).json()["strategy"] is None


def test_a_strategy_that_never_buys_comes_with_smaller_numbers_that_do(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=NEVER)
    shown = preview(client, user, bot, **DATES, candles=0)
    assert (shown["klines"], shown["entries"], shown["total_entries"]) == ([], [], 0)
    easier = shown["easier"]
    assert easier["strategy"]["conditions"][0]["percent"] < 15
    again = preview(client, user, bot, **DATES, candles=0, strategy=easier["strategy"])
    assert again["total_entries"] == easier["total_entries"] > 0


def test_a_preview_is_not_saved_and_not_counted_as_a_backtest(client: TestClient) -> None:
    headers = {"X-Anonymous-Token": client.post("/api/conversations", json={}).json()["anonymous_token"]}
    bot = create_bot(client, headers, strategy=DIPS)
    for _ in range(3):
        preview(client, headers, bot, **DATES, candles=10)
    assert client.get(f"/api/bots/{bot['id']}/backtests", headers=headers).json()["total_backtests"] == 0
    assert client.post(f"/api/bots/{bot['id']}/backtest", json=DATES, headers=headers).status_code == 202


@pytest.mark.parametrize(
    ("request_", "detail"),
    [
        ({**DATES, "kline_interval": "4h"}, "1h"),
        ({**DATES, "start_time": "2026-02-01"}, "start_time"),
        ({**DATES, "candles": 1001}, "candles"),
    ],
)
def test_a_preview_is_refused_for_the_reasons_of_a_backtest(
    shared_client: TestClient, shared_user: Headers, request_: Json, detail: str
) -> None:
    bot = create_bot(shared_client, shared_user, strategy=DIPS)
    answer = shared_client.post(f"/api/bots/{bot['id']}/preview", json=request_, headers=shared_user)
    assert answer.status_code == 422
    assert detail in answer.json()["detail"]


@on_both
def test_an_account_has_sixty_previews_a_minute_and_the_visitors_of_one_address_together(
    client: TestClient, user: Headers, services: Services, clock: ManualClock
) -> None:
    path, draft = f"/api/bots/{new_id()}/preview", {"strategy": DIPS}
    visitors = [visitor(services.accounts.welcome_visitor("203.0.113.5")) for _ in range(2)]
    for callers in ([user], visitors):
        answers = [client.post(path, json=draft, headers=callers[n % len(callers)]) for n in range(61)]
        assert [answer.status_code for answer in answers] == [404] * 60 + [429]
        assert answers[-1].headers["Retry-After"] == "60"
    assert client.post(path, json=draft, headers=sign_up(client, "bob@example.com")).status_code == 404
    clock.advance(seconds=60)
    assert client.post(path, json=draft, headers=user).status_code == 404

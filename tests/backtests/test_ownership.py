"""A run belongs to one bot; a visitor's run moves to the user at sign-up. `tests/test_ownership.py` tests access."""

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from tests.backtests.driving import Headers, Json, finished, read, start
from tests.engines import on_both, on_sqlite_alone
from tests.market.upstream.market import SOL
from tests.support import STRATEGY, create_bot, sign_up, visitor

pytestmark = on_sqlite_alone

OPERATIONS = (
    ("POST", "/backtest", {"token": SOL.token_id}),
    ("GET", "/backtests", None),
    ("GET", "/backtest/{run_id}", None),
    ("POST", "/backtest/{run_id}/stop", None),
    ("GET", "/backtest/{run_id}/trades", None),
    ("GET", "/backtest/{run_id}/trades.csv", None),
    ("GET", "/backtest/{run_id}/signals", None),
    ("GET", "/backtest/{run_id}/klines", None),
)


@pytest.fixture
def guest(services: Services) -> Headers:
    return visitor(services.accounts.welcome_visitor("203.0.113.5"))


def test_a_run_belongs_to_one_bot(client: TestClient, user: Headers, bot: Json) -> None:
    run = start(client, user, bot, token=SOL.token_id)
    other = create_bot(client, user, "Another", strategy=STRATEGY)
    for method, path, body in OPERATIONS[2:]:
        place = path.format(run_id=run["run_id"])
        answer = client.request(method, f"/api/bots/{other['id']}{place}", json=body, headers=user)
        assert (answer.status_code, answer.json()) == (404, {"detail": "Backtest not found."})


def test_an_invalid_id_is_not_found(client: TestClient, user: Headers, bot: Json) -> None:
    for run_id in ("0", "9" * 25, "%00", "{id}", "ABCDEF00-0000-7000-8000-000000000000"):
        for method, path, body in OPERATIONS[2:]:
            place = path.replace("{run_id}", run_id)
            answer = client.request(method, f"/api/bots/{bot['id']}{place}", json=body, headers=user)
            assert answer.status_code == 404, (method, path, run_id)


@on_both
def test_a_visitor_has_one_run_in_total_and_keeps_it_on_sign_up(client: TestClient, guest: Headers) -> None:
    bot = create_bot(client, guest, strategy=STRATEGY)
    long = client.post(
        f"/api/bots/{bot['id']}/backtest",
        json={"token": SOL.token_id, "kline_interval": "1m", "start_time": "2025-12-01", "end_time": "2025-12-31"},
        headers=guest,
    )
    assert (long.status_code, long.json()) == (
        403,
        {
            "detail": "Without an account a backtest can have 10000 candles, and this one would have 43200.",
            "upsell_message": "Sign up for a free account to get more candles a backtest.",
        },
    )
    run = finished(client, guest, start(client, guest, bot, token=SOL.token_id))  # a refusal has cost nothing
    assert run["status"] == "completed"
    refusal = {
        "detail": "Without an account you can run 1 backtest.",
        "upsell_message": "Sign up for a free account to get more backtests.",
    }
    again = client.post(f"/api/bots/{bot['id']}/backtest", json={"token": SOL.token_id}, headers=guest)
    assert (again.status_code, again.json()) == (403, refusal)

    user = sign_up(client, "ada@example.com", **guest)
    assert read(client, user, run) == run
    assert read(client, user, run, "/trades")["total_trades"] == run["metrics"]["total_trades"]
    assert client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}", headers=guest).status_code == 401
    start(client, user, bot, token=SOL.token_id)


def test_the_look_back_of_a_run_is_limited_like_its_length(client: TestClient, guest: Headers) -> None:
    def drop_within(window: str) -> Json:
        return {"strategy": {"conditions": [{"kind": "price_drop", "percent": 5, "window": window}]}}

    bot = create_bot(client, guest, **drop_within("10001m"))
    request = {"token": SOL.token_id, "kline_interval": "1m", "start_time": "2025-12-01", "end_time": "2025-12-02"}
    refused = client.post(f"/api/bots/{bot['id']}/backtest", json=request, headers=guest)
    assert (refused.status_code, refused.json()) == (
        403,
        {
            "detail": "Without an account a backtest can look back on 10000 candles before its start, "
            "and this one would on 10001.",
            "upsell_message": "Sign up for a free account to get more candles a backtest.",
        },
    )
    client.patch(f"/api/bots/{bot['id']}", json=drop_within("10000m"), headers=guest).raise_for_status()
    start(client, guest, bot, **request)


def test_deleting_the_bot_does_not_give_the_visitors_run_back(client: TestClient, guest: Headers) -> None:
    bot = create_bot(client, guest, strategy=STRATEGY)
    start(client, guest, bot, token=SOL.token_id)
    client.delete(f"/api/bots/{bot['id']}", headers=guest)
    another = create_bot(client, guest, strategy=STRATEGY)
    answer = client.post(f"/api/bots/{another['id']}/backtest", json={"token": SOL.token_id}, headers=guest)
    assert answer.status_code == 403

"""A bot's newest history: sealed, hidden from its backtests, and opened once, which every later result shows."""

from fastapi.testclient import TestClient

from tests.backtests.driving import Headers, Json, finished, start
from tests.engines import on_both, on_sqlite_alone
from tests.support import STRATEGY, ManualClock, create_bot, sign_up

pytestmark = on_sqlite_alone

TOKEN = "So11111111111111111111111111111111111111112"


def seal(client: TestClient, who: Headers, bot: Json, **body: object) -> Json:
    answer = client.post(f"/api/bots/{bot['id']}/holdout", json=body, headers=who)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def run(client: TestClient, who: Headers, bot: Json, **request: object) -> Json:
    return finished(client, who, start(client, who, bot, token=TOKEN, chain="solana", kline_interval="5m", **request))


def test_sealed_history_is_hidden_until_it_is_opened_once(
    client: TestClient, user: Headers, clock: ManualClock
) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    assert bot["holdout"] is None
    assert run(client, user, bot, end_time="2025-12-20T00:00:00Z")["holdout"] is None
    sealed = seal(client, user, bot)["holdout"]
    assert sealed["from"] == "2025-12-22T08:00:00Z"  # after three quarters of the time since the start of its run
    assert sealed["opened_at"] is None
    unseen = run(client, user, bot, end_time="2026-01-01T00:00:00Z")
    assert unseen["end_time"] == sealed["from"]
    assert unseen["holdout"] == sealed
    clock.advance(hours=1)
    opened = client.post(f"/api/bots/{bot['id']}/holdout/open", headers=user).json()["holdout"]
    assert (opened["from"], opened["opened_at"]) == (sealed["from"], "2026-01-02T04:04:05Z")
    seen = run(client, user, bot, end_time="2026-01-01T00:00:00Z")
    assert (seen["end_time"], seen["holdout"]) == ("2026-01-01T00:00:00Z", opened)


@on_both
def test_what_a_run_has_seen_is_not_sealed(client: TestClient, user: Headers, clock: ManualClock) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    seen = run(client, user, bot)
    run(client, user, bot, end_time="2025-12-20T00:00:00Z")
    assert seal(client, user, bot)["holdout"]["from"] == seen["end_time"]  # only candles to come
    clock.advance(hours=6)
    assert run(client, user, bot)["end_time"] == seen["end_time"]


@on_both
def test_sealing_or_opening_twice_is_a_conflict(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    where = f"/api/bots/{bot['id']}/holdout"
    assert client.post(f"{where}/open", headers=user).status_code == 409
    seal(client, user, bot, **{"from": "2025-12-01T00:00:00Z"})
    assert client.post(where, headers=user).status_code == 409
    assert client.post(f"{where}/open", headers=user).status_code == 200
    assert client.post(f"{where}/open", headers=user).status_code == 409
    assert client.post(where, headers=user).status_code == 409


def test_only_the_past_of_an_own_bot_can_be_sealed(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    where = f"/api/bots/{bot['id']}/holdout"
    late = client.post(where, json={"from": "2026-02-01T00:00:00Z"}, headers=user)
    assert (late.status_code, late.json()["errors"][0]["field"]) == (422, "from")
    other = sign_up(client, "eve@example.com")
    assert client.post(where, headers=other).status_code == 404
    seal(client, user, bot)
    inside = client.post(
        f"/api/bots/{bot['id']}/backtest",
        json={"token": TOKEN, "chain": "solana", "start_time": "2026-01-01T00:00:00Z"},
        headers=user,
    )
    assert inside.status_code == 422
    assert "sealed" in inside.json()["errors"][0]["message"]


def test_a_target_below_the_costs_has_a_warning_when_it_is_saved(client: TestClient, user: Headers) -> None:
    risk = {"stop_loss_percent": 3, "take_profit_percent": 0.2}
    bot = create_bot(client, user, strategy={**STRATEGY, "risk_management": risk})
    assert len(bot["warnings"]) == 1
    assert create_bot(client, user, name="Other", strategy=STRATEGY)["warnings"] == []

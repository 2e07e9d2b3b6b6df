"""Every kind of run counts against the runs that a tier has in a day; a refused one starts nothing."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import insert, select

from strategybot.app import Services
from strategybot.kit.limits import Admission
from strategybot.rates import TOO_MANY_RUNS
from tests.backtests import driving as backtests
from tests.engines import on_sqlite_alone
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import ManualClock, create_bot, sign_up

Headers = dict[str, str]
PARAMETERS = [{"path": "risk_management.stop_loss_percent", "values": [1, 2]}]
KINDS: dict[str, dict[str, Any]] = {
    "backtest": {"start_time": "2026-01-01"},
    "simulate": {},
    "optimise": {"parameters": PARAMETERS, "start_time": "2026-01-01"},
    "survey": {"trending": "solana", "limit": 1, "start_time": "2026-01-01"},
}


def used(client: TestClient, who: Headers) -> dict[str, int]:
    rate: dict[str, int] = client.get("/api/auth/me", headers=who).json()["rates"]["runs"]
    return rate


def use(services: Services, client: TestClient, who: Headers, count: int) -> None:
    """Let the account have started so many runs."""
    principal = services.accounts.identity(who["Authorization"].removeprefix("Bearer ")).principal
    with services.database.write() as session:
        services.accounts.admit_run(session, principal)
        newest = select(Admission).order_by(Admission.id.desc()).limit(1)
        row = session.scalars(newest).one()
        session.execute(insert(Admission), [{"key": row.key, "expires_at": row.expires_at}] * (count - 1))


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_counts_and_the_one_too_many_is_refused(
    client: TestClient, user: Headers, services: Services, clock: ManualClock, kind: str
) -> None:
    bot = create_bot(client, user, strategy=LIVELY, token=TOKEN)
    place = f"/api/bots/{bot['id']}/{kind}"
    use(services, client, user, 199)
    assert client.post(place, json=KINDS[kind], headers=user).status_code in (201, 202)
    assert used(client, user) == {"count": 200, "window_seconds": 86_400, "used": 200}
    refused = client.post(place, json=KINDS[kind], headers=user)
    assert (refused.status_code, refused.json()) == (429, {"detail": TOO_MANY_RUNS})
    assert refused.headers["Retry-After"] == "86400"
    other = sign_up(client, "bob@example.com")
    assert used(client, other)["used"] == 0
    clock.advance(days=1)
    assert used(client, sign_up(client, "carol@example.com"))["used"] == 0


@pytest.mark.parametrize(("tier", "count"), [("free", 200), ("normal", 1000), ("pro", 10_000)])
@on_sqlite_alone
def test_the_number_is_that_of_the_tier(client: TestClient, services: Services, tier: Any, count: int) -> None:
    user = sign_up(client)
    services.operator.set_tier("ada@example.com", tier)
    assert used(client, user)["count"] == count
    assert client.get("/api/auth/me", headers=user).json()["limits"]["runs_per_day"] == count


def test_of_concurrent_starts_exactly_those_within_the_limit_are_admitted(
    client: TestClient, user: Headers, services: Services
) -> None:
    services.operator.set_tier("ada@example.com", "pro")
    bot = create_bot(client, user, strategy=LIVELY, token=TOKEN)
    use(services, client, user, 9_990)
    request = KINDS["backtest"]
    with ThreadPoolExecutor(10) as pool:
        starts = [
            pool.submit(client.post, f"/api/bots/{bot['id']}/backtest", json=request, headers=user) for _ in range(15)
        ]
    answers = [start.result() for start in starts]
    assert sorted(answer.status_code for answer in answers) == [202] * 10 + [429] * 5
    for answer in answers:
        if answer.status_code == 202:
            backtests.finished(client, user, answer.json())


@on_sqlite_alone
def test_a_refused_run_leaves_nothing_behind(client: TestClient, user: Headers, services: Services) -> None:
    bot = create_bot(client, user, strategy=LIVELY, token=TOKEN)
    use(services, client, user, 200)
    for kind, body in KINDS.items():
        assert client.post(f"/api/bots/{bot['id']}/{kind}", json=body, headers=user).status_code == 429
    for kind in ("backtests", "simulations", "optimisations", "surveys"):
        page = client.get(f"/api/bots/{bot['id']}/{kind}", headers=user).json()
        assert page[f"total_{kind}"] == 0

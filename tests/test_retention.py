"""What one account can keep is bounded, and the retention job deletes what may go and nothing else."""

from datetime import timedelta
from typing import Any

from fastapi.testclient import TestClient
from sqlalchemy import func, insert, select

from strategybot.app import Services
from strategybot.backtests.storage import Backtest, Chunk
from strategybot.bots.storage import Bot, Revision
from strategybot.conversations.storage import Conversation, ToolCall
from strategybot.kit.identifiers import new_id
from strategybot.retention import Retention
from strategybot.searches.storage import Optimisation, PackedVariants
from strategybot.simulations.storage import Fetched, Simulation, Step
from strategybot.surveys.storage import Survey
from tests.backtests import driving as backtests
from tests.searches import driving as research
from tests.simulations import driving as simulations
from tests.simulations.driving import LIVELY, TOKEN
from tests.support import ManualClock, create_bot

Headers = dict[str, str]
DETAILS_KEPT = {"backtest": 200, "simulate": 100, "optimise": 50, "survey": 50}
EXTRA = 3


def columns(row: Any) -> dict[str, Any]:
    return {column.key: getattr(row, column.key) for column in type(row).__table__.columns}


def copied(services: Services, run_id: str, table: type[Any], parts: list[type[Any]], count: int) -> list[str]:
    """Store the finished run so many times more, and return the ids of all, oldest first."""
    ids = [new_id() for _ in range(count)]
    with services.database.write() as session:
        run = session.get(table, run_id)
        session.execute(insert(table), [{**columns(run), "run_id": each} for each in ids])
        for part in parts:
            rows = [columns(row) for row in session.scalars(select(part).where(part.run_id == run_id))]
            session.execute(insert(part), [{**row, "run_id": each} for row in rows for each in ids])
    return [run_id, *ids]


def with_rows(services: Services, part: type[Any]) -> set[str]:
    with services.database.read() as session:
        return set(session.scalars(select(part.run_id).distinct()))


def test_old_backtests_keep_their_metrics_and_lose_their_trades(
    client: TestClient, user: Headers, services: Services, clock: ManualClock
) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    start = int((clock() - timedelta(hours=12)).timestamp())
    run = backtests.finished(client, user, backtests.start(client, user, bot, token=TOKEN, start_time=start))
    assert run["details_kept"] is True
    ids = copied(services, run["run_id"], Backtest, [Chunk], DETAILS_KEPT["backtest"] + EXTRA - 1)
    services.retention.run()
    assert with_rows(services, Chunk) == set(ids[EXTRA:])
    old = backtests.read(client, user, run)
    assert (old["details_kept"], old["metrics"], old["equity_curve"]) == (False, run["metrics"], None)
    for what in ("trades", "signals", "trades.csv"):
        gone = client.get(f"/api/bots/{bot['id']}/backtest/{run['run_id']}/{what}", headers=user)
        assert gone.status_code == 410
        assert "newest 200 backtests" in gone.json()["detail"]
    kept = {**run, "run_id": ids[EXTRA]}
    assert backtests.read(client, user, kept, "/trades")["total_trades"] > 0


def test_old_simulations_keep_their_portfolio_and_lose_their_log(
    client: TestClient, user: Headers, services: Services
) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    run = simulations.stop(client, user, simulations.start(client, user, bot))
    ids = copied(services, run["run_id"], Simulation, [Fetched, Step], DETAILS_KEPT["simulate"] + EXTRA - 1)
    running = simulations.start(client, user, bot)["run_id"]
    services.retention.run()
    assert with_rows(services, Fetched) == with_rows(services, Step) == {*ids[EXTRA:], running}
    old = simulations.read(client, user, run)
    assert (old["details_kept"], old["portfolio"]) == (False, run["portfolio"])
    assert (old["klines"], old["signals"], old["trade_log"]) == ([], [], [])
    gone = client.get(f"/api/bots/{bot['id']}/simulate/{run['run_id']}/parity", headers=user)
    assert (gone.status_code, "newest 100 simulations" in gone.json()["detail"]) == (410, True)
    assert simulations.read(client, user, {**run, "run_id": running})["status"] == "running"


def test_old_searches_keep_what_they_found_and_lose_their_variants(
    client: TestClient, user: Headers, services: Services
) -> None:
    bot = create_bot(client, user, strategy=research.STRATEGY)
    run = research.settled(client, user, research.start(client, user, bot, **research.REQUEST))
    ids = copied(services, run["run_id"], Optimisation, [PackedVariants], DETAILS_KEPT["optimise"] + EXTRA - 1)
    services.retention.run()
    assert with_rows(services, PackedVariants) == set(ids[EXTRA:])
    assert research.read(client, user, run) == {**run, "details_kept": False}
    gone = client.get(f"/api/bots/{bot['id']}/optimise/{run['run_id']}/variants", headers=user)
    assert (gone.status_code, "newest 50 of a bot" in gone.json()["detail"]) == (410, True)
    kept = research.read(client, user, {**run, "run_id": ids[EXTRA]}, what="/variants")
    assert kept["total_variants"] == run["variants_total"]


def test_old_surveys_keep_their_combined_result_and_lose_their_rows(
    client: TestClient, user: Headers, services: Services
) -> None:
    bot = create_bot(client, user, strategy=research.STRATEGY)
    asked = {"kline_interval": "15m", "tokens": [{"token": research.TOKEN, "chain": research.CHAIN}]}
    run = research.finished(client, user, research.start(client, user, bot, "survey", **asked), "survey")
    ids = copied(services, run["run_id"], Survey, [], DETAILS_KEPT["survey"] + EXTRA - 1)
    services.retention.run()
    assert research.read(client, user, run, "survey") == {**run, "details_kept": False, "rows": []}
    gone = client.get(f"/api/bots/{bot['id']}/survey/{run['run_id']}/rows.csv", headers=user)
    assert (gone.status_code, "newest 50 of a bot" in gone.json()["detail"]) == (410, True)
    whole = [len(research.read(client, user, {**run, "run_id": each}, "survey")["rows"]) for each in ids]
    assert whole == [0] * EXTRA + [1] * DETAILS_KEPT["survey"]


def test_a_bot_keeps_its_newest_five_hundred_revisions(client: TestClient, user: Headers, services: Services) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    with services.database.write() as session:  # as if it had been changed 499 times
        first = session.get(Revision, (bot["id"], 1))
        assert first is not None
        session.execute(insert(Revision), [{**columns(first), "revision": number} for number in range(2, 501)])
        session.get_one(Bot, bot["id"]).revision = 500
    changed = {"strategy": {**LIVELY, "risk_management": {"stop_loss_percent": 2, "take_profit_percent": 1}}}
    answer = client.patch(f"/api/bots/{bot['id']}", json=changed, headers=user)
    assert (answer.status_code, answer.json()["revision"]) == (200, 501)
    page = client.get(f"/api/bots/{bot['id']}/revisions", params={"page": 5, "per_page": 100}, headers=user).json()
    assert (page["total_revisions"], page["revisions"][-1]["revision"]) == (500, 2)
    assert client.post(f"/api/bots/{bot['id']}/revisions/1/restore", headers=user).status_code == 404


def test_an_account_has_two_hundred_conversations(client: TestClient, user: Headers, services: Services) -> None:
    first = client.post("/api/conversations", json={}, headers=user).json()
    with services.database.write() as session:
        row = session.get(Conversation, first["id"])
        session.execute(insert(Conversation), [{**columns(row), "id": new_id()} for _ in range(199)])
    profile = client.get("/api/auth/me", headers=user).json()
    assert (profile["usage"]["conversations"], profile["limits"]["conversations"]) == (200, 200)
    refused = client.post("/api/conversations", json={}, headers=user)
    assert (refused.status_code, refused.json()) == (
        403,
        {
            "detail": "You have 200 conversations, and cannot have more.",
            "upsell_message": "Delete conversations that you no longer need, then begin a new one.",
        },
    )
    client.delete(f"/api/conversations/{first['id']}", headers=user)
    assert client.post("/api/conversations", json={}, headers=user).status_code == 201


def test_the_journal_of_tool_calls_is_kept_for_ninety_days(
    client: TestClient, user: Headers, services: Services, clock: ManualClock
) -> None:
    owner_id = client.get("/api/auth/me", headers=user).json()["id"]
    entry = {"owner_id": owner_id, "conversation_id": new_id(), "turn_id": new_id(), "name": "x", "arguments": {}}
    with services.database.write() as session:
        for days in (91, 89):
            created_at = clock() - timedelta(days=days)
            session.add(ToolCall(id=new_id(), outcome=None, created_at=created_at, **entry))
    services.retention.run()
    with services.database.read() as session:
        assert session.scalar(select(func.count()).select_from(ToolCall)) == 1


def test_old_runs_are_deleted_and_those_that_are_starred_or_shared_are_the_last(
    client: TestClient, user: Headers, services: Services, clock: ManualClock
) -> None:
    bot = create_bot(client, user, strategy=LIVELY)
    start = int((clock() - timedelta(hours=12)).timestamp())
    run = backtests.finished(client, user, backtests.start(client, user, bot, token=TOKEN, start_time=start))
    ids = copied(services, run["run_id"], Backtest, [Chunk], 9)
    place = f"/api/bots/{bot['id']}/backtest"
    url = client.post(f"{place}/{ids[0]}/share", headers=user).json()["url"]
    client.patch(f"{place}/{ids[2]}", json={"starred": True}, headers=user)
    stopped = simulations.stop(client, user, simulations.start(client, user, bot))["run_id"]
    stopped_ids = copied(services, stopped, Simulation, [Fetched, Step], 9)
    running = simulations.start(client, user, bot)["run_id"]
    retention = Retention(services.database, services.accounts, clock, runs_kept=5)
    retention.run()
    assert with_rows(services, Backtest) == with_rows(services, Chunk) == {ids[0], ids[2], *ids[-3:]}
    assert with_rows(services, Simulation) == with_rows(services, Fetched) == {running, *stopped_ids[-4:]}
    assert client.get(url).status_code == 200
    assert client.get(f"{place}/{ids[1]}", headers=user).status_code == 404
    copied(services, ids[0], Backtest, [Chunk], 3)
    retention.run()
    assert len(with_rows(services, Backtest)) == 8, "they are counted once an hour"
    clock.advance(hours=1)
    retention.run()
    assert len(with_rows(services, Backtest)) == 5

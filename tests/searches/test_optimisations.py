"""Optimisations over the API: their requests, their results and what is kept of them."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select

from strategybot.app import Services
from strategybot.bots.storage import Bot
from strategybot.kit import changes
from strategybot.kit.jobs import LocalJobs
from strategybot.searches.runner import Optimiser
from strategybot.searches.storage import Optimisation
from tests.backtests import driving as backtests
from tests.backtests.driving import Headers, Json
from tests.engines import on_both, on_sqlite_alone
from tests.searches.driving import CHAIN, PARAMETERS, REQUEST, STRATEGY, TOKEN, asked, finished, read, settled, start
from tests.support import ManualClock, create_bot, sign_up, visitor

pytestmark = on_sqlite_alone


@pytest.fixture
def bot(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=STRATEGY)


@pytest.fixture
def run(client: TestClient, user: Headers, bot: Json) -> Json:
    return settled(client, user, start(client, user, bot, **REQUEST))


def test_a_search_has_all_its_fields(client: TestClient, user: Headers, run: Json) -> None:
    assert (run["status"], run["progress"], run["error"]) == ("completed", 100, None)
    assert (run["variants_total"], run["variants_done"]) == (12, 12)
    assert run["parameters"][0] == {"path": "conditions.0.percent", "values": [0.5, 1.0, 1.5, 2.0]}
    for point in (run["best"], run["recommended"]):
        assert point.keys() == {"parameters", "strategy", "strategy_summary", "metrics"}
        assert point["parameters"].keys() == {"conditions.0.percent", "stop_loss_percent"}
        assert point["strategy"]["conditions"][0]["percent"] == point["parameters"]["conditions.0.percent"]
    walk = run["walk_forward"]
    assert len(walk["blocks"]) == 5
    assert walk["trades"] == sum(block["trades"] for block in walk["blocks"])
    assert all(
        one["end_time"] == two["start_time"] for one, two in zip(walk["blocks"], walk["blocks"][1:], strict=False)
    )
    assert 0 <= run["p_loss"] <= 1
    assert run["verdict"]["tries"] == 12
    assert run["verdict"]["checks"][1]["sentence"].startswith("This is your 12th try on SOL. ")
    listed = client.get(f"/api/bots/{run['bot_id']}/optimisations", headers=user).json()
    assert (listed["total_optimisations"], listed["optimisations"][0]["run_id"]) == (1, run["run_id"])
    assert "best" not in listed["optimisations"][0]


def test_each_variant_is_the_backtest_of_its_values(client: TestClient, user: Headers, run: Json, bot: Json) -> None:
    page = read(client, user, run, what="/variants", per_page=5, page=2)
    assert (page["total_variants"], page["total_pages"], len(page["variants"])) == (12, 3, 5)
    variant = page["variants"][1]
    assert (variant["number"], variant["parameters"]) == (6, {"conditions.0.percent": 1.5, "stop_loss_percent": 1})
    strategy = {
        "conditions": [{**STRATEGY["conditions"][0], "percent": 1.5}],
        "risk_management": {**STRATEGY["risk_management"], "stop_loss_percent": 1},
    }
    client.patch(f"/api/bots/{bot['id']}", json={"strategy": strategy}, headers=user)
    span = {name: run[name] for name in ("start_time", "end_time")}
    asked_for = {"token": TOKEN, "chain": CHAIN, "kline_interval": "15m", "intrabar": "off", **span}
    single = backtests.finished(client, user, backtests.start(client, user, bot, **asked_for))
    for name in ("total_return", "total_trades", "win_rate", "max_drawdown", "expectancy_percent"):
        assert variant[name] == pytest.approx(single["metrics"][name], rel=1e-5), name
    assert single["verdict"]["tries"] == 13  # the search counts as all of its variants
    assert len(variant["blocks"]) == 8


def test_repeating_a_search_adds_no_tries(client: TestClient, user: Headers, bot: Json, run: Json) -> None:
    again = settled(client, user, start(client, user, bot, **REQUEST))
    assert again["verdict"]["tries"] == run["verdict"]["tries"] == 12
    wider = {**REQUEST, "parameters": [{"path": "stop_loss_percent", "values": [1, 9]}]}
    assert settled(client, user, start(client, user, bot, **wider))["verdict"]["tries"] == 14
    same = ("best", "recommended", "walk_forward", "p_loss")
    assert [again[name] for name in same] == [run[name] for name in same]


@pytest.mark.parametrize(
    ("parameters", "field", "message"),
    [
        ([], "parameters", "at least 1 item"),
        ([PARAMETERS[1]] * 5, "parameters", "at most 4 items"),
        ([{"path": "conditions.0.kind", "values": [1]}], "parameters.0.path", "neither a number nor a duration"),
        ([{"path": "conditions.7.percent", "values": [1]}], "parameters.0.path", "has 1 conditions"),
        ([{"path": "__class__", "values": [1]}], "parameters.0.path", "no such part"),
        ([{"path": "stop_loss_percent", "values": [1, 200]}], "parameters", "less than 100"),
        ([{"path": "stop_loss_percent", "values": ["5m"]}], "parameters", "takes a number"),
        ([{"path": "max_holding", "from": 1, "to": 2, "step": 1}], "parameters", "takes a duration"),
        ([{"path": "stop_loss_percent"}], "parameters.0", "either `values`, or"),
        ([{"path": "stop_loss_percent", "from": 1, "to": 2}], "parameters.0", "either `values`, or"),
        ([{"path": "stop_loss_percent", "from": 1, "to": 2, "step": 1, "values": [1]}], "parameters.0", "either"),
        ([{"path": "stop_loss_percent", "from": 3, "to": 2, "step": 1}], "parameters.0.to", "not be below"),
        ([{"path": "stop_loss_percent", "from": 1, "to": 2, "step": 1e-300}], "parameters.0", "can have 1000"),
        ([{"path": "stop_loss_percent", "from": 1, "to": 51, "step": 0.1}], "parameters", "make 501 variants"),
        ([PARAMETERS[1], PARAMETERS[1]], "parameters", "same path"),
    ],
)
def test_an_invalid_value_is_refused_with_its_field(
    shared_client: TestClient, shared_user: Headers, parameters: list[Any], field: str, message: str
) -> None:
    bot = create_bot(shared_client, shared_user, strategy=STRATEGY)
    answer = asked(shared_client, shared_user, bot, "optimise", **{**REQUEST, "parameters": parameters})
    assert answer.status_code == 422, answer.text
    (error,) = answer.json()["errors"]
    assert error["field"] == field
    assert message in error["message"]


@pytest.mark.parametrize(
    "parameter",
    [
        {"path": "conditions.0.marker", "values": [1]},
        {"path": "conditions.marker.percent", "values": [1]},
        {"path": "conditions.0.percent", "values": ["marker"]},
        {"path": "conditions.0.window", "values": ["marker"]},
        {"path": "conditions.0.percent", "values": [77777]},
    ],
)
def test_a_refusal_does_not_repeat_what_was_sent(
    shared_client: TestClient, shared_user: Headers, parameter: Json
) -> None:
    bot = create_bot(shared_client, shared_user, strategy=STRATEGY)
    answer = asked(shared_client, shared_user, bot, "optimise", **{**REQUEST, "parameters": [parameter]})
    assert answer.status_code == 422
    assert "marker" not in answer.text
    assert "77777" not in answer.text


@on_both
def test_candles_must_show_every_variant(client: TestClient, user: Headers, bot: Json) -> None:
    windows = [{"path": "conditions.0.window", "values": ["5m", "1h"]}]
    refused = asked(client, user, bot, "optimise", **{**REQUEST, "parameters": windows})
    sentence = "The strategy looks at 5m; candles of 15m cannot show that. Use 5m or shorter."
    assert refused.status_code == 422
    assert refused.json() == {
        "detail": sentence,
        "errors": [{"field": "kline_interval", "message": sentence}],
        "suggested_kline_interval": "1m",
    }
    chosen = {name: value for name, value in REQUEST.items() if name != "kline_interval"}
    run = start(client, user, bot, **{**chosen, "parameters": windows, "start_time": "2026-01-01T00:00:00Z"})
    assert run["kline_interval"] in ("1m", "5m")


def test_visitors_are_refused_and_told_that_they_need_an_account(client: TestClient, services: Services) -> None:
    guest = visitor(services.accounts.welcome_visitor("203.0.113.5"))
    own = create_bot(client, guest, strategy=STRATEGY)
    for kind, request in (("optimise", REQUEST), ("survey", {"trending": "solana"})):
        answer = asked(client, guest, own, kind, **request)
        assert answer.status_code == 403
        assert "Sign up for a free account" in answer.json()["upsell_message"]


def test_a_search_ends_where_the_sealed_history_begins(client: TestClient, user: Headers, bot: Json) -> None:
    sealed = client.post(f"/api/bots/{bot['id']}/holdout", json={}, headers=user).json()["holdout"]
    run = finished(client, user, start(client, user, bot, **REQUEST))
    assert run["end_time"] <= sealed["from"]
    assert run["holdout"]["opened_at"] is None
    assert run["walk_forward"]["blocks"][-1]["end_time"] <= sealed["from"]


@on_both
def test_no_variant_with_enough_trades_means_no_choice_and_no_verdict(
    client: TestClient, user: Headers, bot: Json
) -> None:
    run = finished(client, user, start(client, user, bot, **REQUEST, minimum_trades=10_000))
    assert (run["status"], run["best"], run["recommended"], run["verdict"]) == ("completed", None, None, None)
    assert run["walk_forward"]["trades"] == 0


def test_a_token_without_candles_fails_with_a_message(client: TestClient, user: Headers, bot: Json) -> None:
    run = finished(client, user, start(client, user, bot, **{**REQUEST, "token": "nosuchtoken1111111111111111111111"}))
    assert run["status"] == "failed"
    assert run["error"]


@on_both
def test_more_than_the_tier_allows_do_not_run_at_once(
    client: TestClient, user: Headers, services: Services, bot: Json
) -> None:
    run = start(client, user, bot, **REQUEST)
    finished(client, user, run)
    with services.database.write() as session:
        row = session.get(Optimisation, run["run_id"])
        assert row is not None
        for number in range(2):
            columns = {column.key: getattr(row, column.key) for column in Optimisation.__table__.columns}
            clone = {**columns, "run_id": f"00000000-0000-7000-8000-00000000000{number}", "status": "running"}
            session.add(Optimisation(**clone))
        session.flush()
        for each in session.query(Optimisation).filter(Optimisation.status == "running"):
            each.worker_id = services.leases.worker_id
    refused = asked(client, user, bot, "optimise", **REQUEST)
    assert refused.status_code == 403
    assert "at once" in refused.json()["detail"]


def stage(services: Services, **options: Any) -> Optimiser:
    """Return a second optimiser that gets no jobs of the application."""
    return Optimiser(
        services.database,
        services.market,
        services.clock,
        services.leases,
        lambda _, handler: LocalJobs(handler, slots=1),
        services.verdicts,
        **options,
    )


@on_both
def test_a_stopped_search_keeps_the_variants_it_ran(
    client: TestClient, user: Headers, services: Services, bot: Json
) -> None:
    """The time limit is zero: as after a stop, it ends between two variants."""
    run = finished(client, user, start(client, user, bot, **REQUEST))
    with services.database.write() as session:
        row = session.get(Optimisation, run["run_id"])
        assert row is not None
        session.execute(Optimisation.__table__.update().values(status="pending", variants_done=0, found=None))  # type: ignore[attr-defined]
        session.connection().exec_driver_sql("DELETE FROM research_variants")
    asyncio.run(stage(services, most_seconds=0.0).execute(run["run_id"]))
    stopped = read(client, user, run)
    assert stopped["status"] == "stopped"
    assert "took longer than 0 seconds" in stopped["error"]
    assert stopped["walk_forward"] is None
    assert stopped["variants_done"] < 12


@on_both
def test_stopping_twice_is_a_conflict_and_stopping_ends_it(client: TestClient, user: Headers, run: Json) -> None:
    stop = f"/api/bots/{run['bot_id']}/optimise/{run['run_id']}/stop"
    assert client.post(stop, headers=user).status_code == 409


def test_an_unknown_or_foreign_search_is_not_found(client: TestClient, user: Headers, run: Json) -> None:
    other = sign_up(client, "bob@example.com")
    for what in ("", "/variants"):
        address = f"/api/bots/{run['bot_id']}/optimise/{run['run_id']}{what}"
        assert client.get(address, headers=other).status_code == 404
        assert client.get(address.replace(run["run_id"], "nothing"), headers=user).status_code == 404


def test_a_verdict_does_not_wait_for_ever_for_other_tokens(
    client: TestClient, user: Headers, services: Services, run: Json, clock: ManualClock
) -> None:
    with services.database.write() as session:
        row = session.get(Optimisation, run["run_id"])
        assert row is not None
        row.verdict = {**(row.verdict or {}), "other_tokens_pending": True}
    assert read(client, user, run)["verdict"]["other_tokens_pending"] is True
    clock.advance(minutes=timedelta(minutes=16).total_seconds() / 60)
    assert read(client, user, run)["verdict"]["other_tokens_pending"] is False


@on_both
def test_the_values_of_a_guard_can_be_searched(client: TestClient, user: Headers) -> None:
    guarded = create_bot(client, user, "Guarded", strategy={**STRATEGY, "guards": {"max_trades_per_day": 3}})
    parameters = [{"path": "guards.max_trades_per_day", "values": [1, 50]}]
    run = settled(client, user, start(client, user, guarded, **{**REQUEST, "parameters": parameters}))
    few, many = read(client, user, run, what="/variants")["variants"]
    assert 0 < few["total_trades"] < many["total_trades"]


@on_both
def test_open_streams_and_notifications_report_a_search(
    client: TestClient, user: Headers, bot: Json, services: Services
) -> None:
    with services.database.write() as session:
        owner_id = session.scalar(select(Bot.owner_id).where(Bot.id == bot["id"])) or ""
        changes.watch(session, owner_id)
    run = settled(client, user, start(client, user, bot, **REQUEST))
    with services.database.read() as session:
        noted = [each for each in changes.read_after(session, changes.START) if each.run_id == run["run_id"]]
    of_search = [each.what for each in noted if each.kind == "optimisation"]
    assert (of_search[0], "status" in of_search) == ("created", True)
    (told,) = client.get("/api/notifications", headers=user).json()["notifications"]
    assert (told["event"], told["run_id"]) == ("optimisation.finished", run["run_id"])
    assert "12 of 12 variants" in told["text"]

"""Simulations over the API: states, transitions, limits and fields of the specification, on both databases."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient

from strategybot.app import Services
from strategybot.kit.identifiers import new_id
from strategybot.simulations.storage import Step
from tests.backtests import driving as backtests
from tests.backtests.driving import Headers, Json
from tests.engines import on_both, on_sqlite_alone
from tests.simulations.driving import LIVELY, TOKEN, asked, page, processed, read, start, stop, stopped
from tests.support import STRATEGY, ManualClock, create_bot, sign_up, visitor

pytestmark = on_sqlite_alone

SUMMARY = {
    "run_id", "bot_id", "status", "stop_reason", "mode", "token", "chain", "check_interval", "kline_interval", "created_at",
    "started_at", "stopped_at", "progress", "candles_processed", "candles_total", "initial_cash", "fee_percent",
    "slippage_percent", "intrabar", "portfolio", "waiting", "details_kept", "strategy_revision", "data_source",
    "paused_at", "resumed_at", "costs", "token_symbol",
}  # fmt: skip
LONG_FIELDS = {
    "klines", "signals", "trade_log", "strategy", "fills_resolved", "guards_summary", "next_entry", "next_exit",
    "expectation", "cost_notes", "pool_warning",
}  # fmt: skip


def test_the_response_has_the_klines_and_the_first_processed_candle(
    client: TestClient, user: Headers, bot: Json
) -> None:
    run = start(client, user, bot, check_interval=10)
    assert run.keys() == SUMMARY | LONG_FIELDS
    assert (run["status"], run["stop_reason"], run["stopped_at"], run["waiting"]) == ("running", None, None, None)
    assert (run["mode"], run["kline_interval"], run["check_interval"]) == ("replay", "1m", 10)
    assert (run["token"], run["chain"], run["bot_id"]) == (TOKEN, "solana", bot["id"])
    assert (run["candles_processed"], run["candles_total"], run["progress"]) == (1, 60, pytest.approx(100 / 60))
    times = [kline["time"] for kline in run["klines"]]
    assert times == list(range(1767319440, 1767319440 + 3600, 60))  # the last hour before 03:04:05, closed candles only
    (first,) = run["trade_log"]
    assert (first["number"], first["time"], first["action"], first["late"]) == (1, times[0], "HOLD", False)
    assert first["price"] == run["klines"][0]["close"]
    assert first["reason"] == "price fell 0.131 % in 2m, threshold 0.05 %"  # known at once: it was warmed up
    assert run["portfolio"] == {
        "initial_cash": 10_000.0, "cash_balance": 10_000.0, "position": {"quantity": 0.0, "value": 0.0},
        "entry_price": None, "current_price": first["price"], "unrealized_pnl": 0.0, "total_value": 10_000.0,
        "pnl": 0.0, "pnl_percent": 0.0,
    }  # fmt: skip
    assert run["strategy"]["conditions"][0] == {**LIVELY["conditions"][0], "reference": "close"}
    assert read(client, user, run) == run


def test_a_step_that_is_saved_while_a_run_is_read_is_not_in_its_log(
    client: TestClient, user: Headers, bot: Json, services: Services
) -> None:
    run = start(client, user, bot)
    later = run["trade_log"][0] | {"number": 2, "time": run["klines"][1]["time"]}
    step = Step(run_id=run["run_id"], number=2, time=later["time"], late=False, log=[later], signals=[], candle=None)
    with services.database.write() as session:
        session.add(step)
    assert read(client, user, run) == run
    assert read(client, user, run, "/parity")["differences"] == []


def test_one_candle_each_check_interval_until_the_data_ends(
    client: TestClient, user: Headers, clock: ManualClock
) -> None:
    every_candle = [{"kind": "price_drop", "percent": 0.05, "window": "5m"}]
    bot = create_bot(client, user, strategy={"conditions": every_candle})
    run = start(client, user, bot, check_interval=30, kline_interval="5m", initial_cash=500)
    total = run["candles_total"]
    assert total == 12
    clock.advance(seconds=29)
    for count in range(2, total + 1):
        clock.advance(seconds=1)
        run = processed(client, user, run, count)
        assert run["candles_processed"] == count  # one, and not more
        clock.advance(seconds=29)
    assert (run["status"], run["stop_reason"], run["progress"]) == ("stopped", "completed", 100)
    assert run["stopped_at"] is not None
    assert [entry["time"] for entry in run["trade_log"]] == [kline["time"] for kline in run["klines"]]
    assert [entry["number"] for entry in run["trade_log"]] == list(range(1, total + 1))
    assert all(entry["reason"] for entry in run["trade_log"])
    actions = Counter(entry["action"] for entry in run["trade_log"])
    assert actions["BUY"] >= 1
    assert len(run["signals"]) >= actions["BUY"]
    portfolio = run["portfolio"]
    assert portfolio["initial_cash"] == 500
    assert portfolio["current_price"] == run["klines"][-1]["close"]
    assert portfolio["total_value"] == portfolio["cash_balance"] + portfolio["position"]["value"]
    assert portfolio["pnl"] == portfolio["total_value"] - 500
    clock.advance(hours=1)
    assert read(client, user, run) == run


def test_a_run_has_an_hour_of_candles_and_complete_windows_before_it(client: TestClient, user: Headers) -> None:
    bot = create_bot(client, user, strategy={"conditions": [{"kind": "price_drop", "percent": 99, "window": "1d"}]})
    for interval, count in (("1m", 60), ("5m", 12), ("15m", 4), ("1h", 1)):
        run = start(client, user, bot, kline_interval=interval)
        assert (run["candles_total"], len(run["klines"]), run["status"]) == (count, count, "running")
        assert re.fullmatch(r"waiting: price_drop -?[\d.]+ of 99 %", run["trade_log"][0]["reason"])


def test_a_replay_of_one_candle_ends_at_its_next_check(client: TestClient, user: Headers, clock: ManualClock) -> None:
    bot = create_bot(client, user, strategy=STRATEGY)
    run = start(client, user, bot, kline_interval="1h", check_interval=10)
    assert (run["status"], run["progress"]) == ("running", 100)
    clock.advance(seconds=10)
    done = stopped(client, user, run)
    assert (done["stop_reason"], done["candles_processed"], len(done["trade_log"])) == ("completed", 1, 1)


def test_a_new_start_replaces_the_run_and_a_second_stop_changes_nothing(
    client: TestClient, user: Headers, bot: Json, clock: ManualClock
) -> None:
    first = start(client, user, bot)
    clock.advance(seconds=5)
    second = start(client, user, bot)
    replaced = read(client, user, first)
    assert (replaced["status"], replaced["stop_reason"]) == ("stopped", "replaced")
    assert replaced["trade_log"] == first["trade_log"]
    ended = stop(client, user, second)
    assert (ended["status"], ended["stop_reason"], ended["stopped_at"]) == ("stopped", "user", "2026-01-02T03:04:10Z")
    assert (ended["signals"], ended["klines"]) == (second["signals"], second["klines"])
    clock.advance(hours=1)
    assert stop(client, user, second) == ended
    assert stop(client, user, first) == replaced


def test_the_list_is_newest_first_and_without_long_fields(client: TestClient, user: Headers, bot: Json) -> None:
    runs = [start(client, user, bot, initial_cash=cash) for cash in (1, 2, 3)]
    found = page(client, user, bot, per_page=2)
    assert (found["total_simulations"], found["total_pages"], found["has_next"]) == (3, 2, True)
    assert [run["run_id"] for run in found["simulations"]] == [runs[2]["run_id"], runs[1]["run_id"]]
    assert found["simulations"][0] == {name: runs[2][name] for name in SUMMARY}
    assert page(client, user, bot, page=3)["simulations"] == []


@on_both
def test_a_long_run_is_read_from_a_given_candle_on(
    client: TestClient, user: Headers, bot: Json, clock: ManualClock
) -> None:
    run = start(client, user, bot, check_interval=10)
    for count in range(2, 8):
        clock.advance(seconds=10)
        run = processed(client, user, run, count)
    times = [kline["time"] for kline in run["klines"]]
    part = read(client, user, run, since=times[4] - 30)
    assert part["klines"] == run["klines"][4:]
    assert part["trade_log"] == [entry for entry in run["trade_log"] if entry["time"] >= times[4]]
    assert part["signals"] == [signal for signal in run["signals"] if signal["time"] >= times[4]]
    assert 0 < len(part["trade_log"]) < len(run["trade_log"])
    assert part["portfolio"] == run["portfolio"]
    nothing = read(client, user, run, since=times[-1] + 60)
    assert (nothing["klines"], nothing["trade_log"], nothing["signals"]) == ([], [], [])


def test_defaults_come_from_the_bot_and_the_settings(client: TestClient, user: Headers) -> None:
    settings = {"default_check_interval": 30, "initial_cash": 77, "fee_percent": 1, "slippage_percent": 2}
    client.patch("/api/auth/settings", json={**settings, "default_chain": "base"}, headers=user)
    bot = create_bot(client, user, strategy=STRATEGY, token=TOKEN, chain="solana")
    answer = client.post(f"/api/bots/{bot['id']}/simulate", headers=user)
    assert answer.status_code == 201
    run = answer.json()
    assert {name: run[name] for name in ("token", "chain", "check_interval", "kline_interval", "mode")} == {
        "token": TOKEN, "chain": "solana", "check_interval": 30, "kline_interval": "1h", "mode": "replay"
    }  # fmt: skip
    assert (run["initial_cash"], run["fee_percent"], run["slippage_percent"]) == (77, 1, 2)


WRONG: tuple[tuple[Json, str], ...] = (
    ({"check_interval": 5}, "check_interval"),
    ({"check_interval": 10.5}, "check_interval"),
    ({"kline_interval": "4h"}, "kline_interval"),
    ({"mode": "paper"}, "mode"),
    ({"initial_cash": 0}, "initial_cash"),
    ({"fee_percent": 100}, "fee_percent"),
    ({"status": "stopped"}, "status"),
    ({"token": "a/../b"}, "token"),
)


def test_a_wrong_request_is_refused_and_changes_nothing(client: TestClient, user: Headers, bot: Json) -> None:
    running = start(client, user, bot)
    for request, field in WRONG:
        answer = asked(client, user, bot, **request)
        assert answer.status_code == 422
        assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert read(client, user, running)["status"] == "running"
    assert page(client, user, bot)["total_simulations"] == 1


def test_a_bot_needs_a_strategy_and_a_token(client: TestClient, user: Headers, bot: Json) -> None:
    bare = create_bot(client, user, "Bare")
    assert asked(client, user, bare).json()["errors"][0]["field"] == "strategy"
    answer = client.post(f"/api/bots/{bot['id']}/simulate", json={}, headers=user)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "token")


@on_both
def test_the_tier_limits_how_many_simulations_run_at_once(
    client: TestClient, user: Headers, services: Services
) -> None:
    bots = [create_bot(client, user, f"Bot {number}", strategy=LIVELY) for number in range(5)]
    runs = [start(client, user, each) for each in bots[:3]]
    refused = asked(client, user, bots[3])
    assert (refused.status_code, refused.json()) == (
        403,
        {
            "detail": "The free tier can run 3 simulations at once.",
            "upsell_message": "The normal tier has more running simulations.",
        },
    )
    start(client, user, bots[0])  # replaces the bot's own run, which does not count any more
    profile = client.get("/api/auth/me", headers=user).json()
    assert profile["usage"]["running_simulations"] == 3
    stop(client, user, runs[1])
    start(client, user, bots[3])
    assert asked(client, user, bots[4]).status_code == 403
    services.operator.set_tier("ada@example.com", "normal")
    start(client, user, bots[4])


@on_both
def test_parallel_starts_leave_one_running_and_keep_to_the_limit(client: TestClient, user: Headers, bot: Json) -> None:
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: asked(client, user, bot), range(20)))
    assert {answer.status_code for answer in answers} == {201}
    statuses = Counter((run["status"], run["stop_reason"]) for run in page(client, user, bot)["simulations"])
    assert statuses == {("running", None): 1, ("stopped", "replaced"): 19}
    others = [create_bot(client, user, f"Bot {number}", strategy=LIVELY) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda each: asked(client, user, each), others))
    assert Counter(answer.status_code for answer in answers) == {201: 2, 403: 6}


def test_deleting_a_bot_deletes_its_simulation(
    client: TestClient, user: Headers, bot: Json, clock: ManualClock
) -> None:
    run = start(client, user, bot, check_interval=10)
    assert client.delete(f"/api/bots/{bot['id']}", headers=user).status_code == 204
    clock.advance(seconds=20)
    path = f"/api/bots/{bot['id']}/simulate/{run['run_id']}"
    assert client.get(path, headers=user).json() == {"detail": "Simulation not found."}
    other = create_bot(client, user, strategy=LIVELY)
    going = start(client, user, other, check_interval=10)
    clock.advance(seconds=10)
    processed(client, user, going, 2)  # the worker of the deleted run continues
    assert client.get("/api/auth/me", headers=user).json()["usage"]["running_simulations"] == 1


def test_a_live_run_follows_the_market(client: TestClient, user: Headers, bot: Json, clock: ManualClock) -> None:
    run = start(client, user, bot, mode="live", check_interval=10)
    assert (run["candles_processed"], len(run["klines"]), len(run["trade_log"])) == (1, 60, 1)
    assert run["trade_log"][0]["time"] == run["klines"][-1]["time"]
    for count in range(2, 5):
        clock.advance(seconds=60)
        run = processed(client, user, run, count)
    assert (run["candles_processed"], run["candles_total"], len(run["klines"])) == (4, 4, 63)
    assert [entry["time"] for entry in run["trade_log"]] == [kline["time"] for kline in run["klines"][-4:]]
    assert not any(entry["late"] for entry in run["trade_log"])
    clock.advance(seconds=300)  # as if it had been down
    run = processed(client, user, run, 9)
    assert [entry["late"] for entry in run["trade_log"]] == [False] * 4 + [True] * 4 + [False]
    assert read(client, user, run, "/parity")["equal"] is True
    assert len(read(client, user, run, since=run["trade_log"][-2]["time"])["klines"]) == 2


OPERATIONS: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/simulate", {"token": TOKEN}),
    ("GET", "/simulations", None),
    ("GET", "/simulate/{run_id}", None),
    ("POST", "/simulate/{run_id}/stop", None),
    ("GET", "/simulate/{run_id}/parity", None),
)


def test_simulations_of_other_users_are_not_found(
    client: TestClient, user: Headers, bot: Json, services: Services
) -> None:
    run = start(client, user, bot)
    guest = visitor(services.accounts.welcome_visitor("203.0.113.5"))
    logged_out, other = sign_up(client, "carol@example.com"), sign_up(client, "bob@example.com")
    client.post("/api/auth/logout", headers=logged_out)
    for headers, status in ((other, 404), (guest, 401), (logged_out, 401), ({}, 401)):
        for method, path, body in OPERATIONS:
            place = path.format(run_id=run["run_id"])
            answer = client.request(method, f"/api/bots/{bot['id']}{place}", json=body, headers=headers)
            assert answer.status_code == status, (method, path)
            if status == 404:
                nowhere = path.format(run_id=new_id())
                missing = client.request(method, f"/api/bots/{new_id()}{nowhere}", json=body, headers=headers)
                assert (answer.json(), answer.status_code) == (missing.json(), missing.status_code)
    another = create_bot(client, user, "Another", strategy=STRATEGY)
    for run_id, bot_id in ((run["run_id"], another["id"]), ("0", bot["id"]), ("9" * 25, bot["id"]), ("%00", bot["id"])):
        for method, path, body in OPERATIONS[2:]:
            place = path.replace("{run_id}", run_id)
            answer = client.request(method, f"/api/bots/{bot_id}{place}", json=body, headers=user)
            assert (answer.status_code, answer.json()) == (404, {"detail": "Simulation not found."})
    assert read(client, user, run) == run
    assert page(client, user, bot)["total_simulations"] == 1


@on_both
def test_a_run_is_paused_and_resumed_over_the_api(client: TestClient, user: Headers, bot: Json) -> None:
    run = start(client, user, bot, check_interval=10, mode="live")
    address = f"/api/bots/{bot['id']}/simulate/{run['run_id']}"
    paused = client.post(f"{address}/pause", headers=user)
    assert (paused.status_code, paused.json()["status"]) == (200, "paused")
    assert client.get("/api/auth/me", headers=user).json()["usage"]["running_simulations"] == 1
    assert client.post(f"{address}/resume", headers=user).json()["status"] == "running"
    stop(client, user, run)
    for act in ("pause", "resume"):
        refused = client.post(f"{address}/{act}", headers=user)
        assert (refused.status_code, refused.json()["detail"]) == (
            409,
            "The simulation is stopped: it cannot be paused or resumed.",
        )


def test_a_run_says_how_far_its_conditions_are_until_it_is_stopped(
    client: TestClient, user: Headers, clock: ManualClock
) -> None:
    strategy = {"conditions": [{"kind": "price_drop", "percent": 90, "window": "10m"}]}
    bot = create_bot(client, user, name="Never", strategy=strategy)
    run = start(client, user, bot, check_interval=10)
    (waiting,) = run["next_entry"]
    assert (waiting["condition"], waiting["limit"], waiting["met"]) == (
        "the price falls at least 90 % within 10m",
        90,
        False,
    )
    assert re.fullmatch(r"needs a \d+(\.\d+)? % fall within \d+m", waiting["sentence"])
    assert run["next_exit"] == []
    assert read(client, user, run)["next_entry"] == run["next_entry"]
    assert stop(client, user, run)["next_entry"] == []


def test_a_run_is_compared_with_the_newest_backtest_of_the_same_strategy(client: TestClient, user: Headers) -> None:
    first, second = LIVELY["conditions"][0], {"kind": "price_drop", "percent": 0.02, "window": "4m"}
    bot = create_bot(client, user, name="Beside", strategy={**LIVELY, "conditions": [first, second]})
    run = start(client, user, bot, check_interval=60)
    assert read(client, user, run)["expectation"] is None
    begun = backtests.start(client, user, bot, token=TOKEN, kline_interval="1m", start_time=1767225600)
    tested = backtests.finished(client, user, begun)
    other = {**LIVELY, "conditions": [second, first]}  # the order of conditions does not matter
    client.patch(f"/api/bots/{bot['id']}", json={"strategy": other}, headers=user)
    found = read(client, user, start(client, user, bot, check_interval=60))["expectation"]
    assert found["backtest_run_id"] == tested["run_id"]
    assert found["trades"] == tested["metrics"]["total_trades"]
    assert found["max_drawdown"]["high"] == pytest.approx(tested["metrics"]["max_drawdown"])
    assert found["notes"] == []
    client.patch(f"/api/bots/{bot['id']}", json={"strategy": LIVELY}, headers=user)
    assert read(client, user, start(client, user, bot, check_interval=60))["expectation"] is None


def test_the_list_of_bots_shows_every_paper_portfolio_at_a_glance(client: TestClient, user: Headers, bot: Json) -> None:
    idle = create_bot(client, user, name="Idle")
    other = create_bot(client, user, name="Other", strategy=LIVELY)
    runs = [start(client, user, each, check_interval=30) for each in (bot, other)]
    client.post(f"/api/bots/{other['id']}/simulate/{runs[1]['run_id']}/pause", headers=user)
    listed = client.get("/api/bots", headers=user).json()
    shown = {each["id"]: each["simulation"] for each in listed["bots"]}
    assert shown[idle["id"]] is None
    running, last = shown[bot["id"]], runs[0]["trade_log"][-1]
    assert (running["run_id"], running["status"], running["mode"]) == (runs[0]["run_id"], "running", "replay")
    traded = "token", "chain", "token_symbol", "kline_interval", "started_at"
    assert [running[name] for name in traded] == [runs[0][name] for name in traded]
    assert running["total_value"] == runs[0]["portfolio"]["total_value"]
    assert (running["last_time"], running["last_action"], running["last_reason"]) == (
        last["time"],
        last["action"],
        last["reason"],
    )
    assert running["next_check_at"] > runs[0]["started_at"]
    assert (shown[other["id"]]["status"], shown[other["id"]]["next_check_at"]) == ("paused", None)
    assert listed["paper_total"] == {
        "simulations": 2, "initial_cash": 20_000.0, "total_value": 20_000.0, "pnl": 0.0, "pnl_percent": 0.0,
    }  # fmt: skip
    assert all("latest_runs" not in each for each in listed["bots"])
    for run in runs:
        stop(client, user, run)
    for each in client.get("/api/bots?runs=true", headers=user).json()["bots"]:
        kinds = [(run["kind"], run["status"], run["ended_at"] is None) for run in each["latest_runs"]]
        assert kinds == ([] if each["id"] == idle["id"] else [("simulation", "stopped", False)])
    listed = client.get("/api/bots", headers=user).json()
    assert all(each["simulation"] is None for each in listed["bots"])
    assert (listed["paper_total"]["simulations"], listed["paper_total"]["pnl_percent"]) == (0, None)

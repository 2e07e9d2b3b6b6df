"""Helpers that start, follow and read backtests over the API of an application or of a real process."""

import time
from collections.abc import Callable
from typing import Any

import httpx2
from fastapi.testclient import TestClient

from tests.support import PASSWORD, bearer

Headers = dict[str, str]
Json = dict[str, Any]
Client = TestClient | httpx2.Client

FINISHED = {"completed", "failed", "stopped"}
SECONDS_FOR_A_VERDICT = 20


def start(client: Client, who: Headers, bot: Json, **request: Any) -> Json:
    answer = client.post(f"/api/bots/{bot['id']}/backtest", json=request, headers=who)
    assert answer.status_code == 202, answer.text
    run: Json = answer.json()
    return run


def read(client: Client, who: Headers, run: Json, what: str = "", **query: Any) -> Json:
    answer = client.get(f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}{what}", params=query, headers=who)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


def stop(client: Client, who: Headers, run: Json) -> httpx2.Response:
    return client.post(f"/api/bots/{run['bot_id']}/backtest/{run['run_id']}/stop", headers=who)


def finished(client: Client, who: Headers, run: Json, seconds: float = 60) -> Json:
    """Return the run once it has ended; a completed one with its verdict and pool, if they come soon."""
    done = awaited(lambda: read(client, who, run), lambda now: now["status"] in FINISHED, seconds)
    deadline = time.monotonic() + SECONDS_FOR_A_VERDICT
    while not _is_graded(done) and time.monotonic() < deadline:
        time.sleep(0.05)
        done = read(client, who, run)
    return done


def _is_graded(run: Json) -> bool:
    if run["status"] != "completed" or run["verdict_error"] is not None:
        return True
    return run["verdict"] is not None and not run["verdict"]["other_tokens_pending"]


def running(client: Client, who: Headers, run: Json, seconds: float = 60) -> Json:
    return awaited(lambda: read(client, who, run), lambda now: now["status"] == "running", seconds)


def awaited(look: Callable[[], Json], wanted: Callable[[Json], bool], seconds: float) -> Json:
    """Return the result of `look` once `wanted` accepts it."""
    deadline = time.monotonic() + seconds
    while not wanted(seen := look()):
        assert time.monotonic() < deadline, f"not so after {seconds} s: {seen}"
        time.sleep(0.05)
    return seen


def lasting(run: Json) -> Json:
    """Return what must be equal in two runs of one request.

    Ids and times are a run's own. The verdict follows its end, and depends on what the provider answers then.
    """
    own = ("run_id", "bot_id", "created_at", "started_at", "finished_at", "verdict", "costs")
    return {name: value for name, value in run.items() if name not in own}


def new_user(client: httpx2.Client, email: str = "ada@example.com") -> Headers:
    answer = client.post("/api/auth/register", json={"email": email, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    return bearer(answer.json()["access_token"])


def new_bot(client: Client, who: Headers, strategy: Json, name: str = "Dip buyer") -> Json:
    answer = client.post("/api/bots", json={"name": name, "strategy": strategy}, headers=who)
    assert answer.status_code == 201, answer.text
    bot: Json = answer.json()
    return bot

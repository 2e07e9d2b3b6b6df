"""Optimisations and surveys in a real process that is killed: they begin again, and never leave half a result."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.backtests.driving import Json, awaited, new_bot, new_user
from tests.backtests.test_backtest_processes import SECONDS_TO_RECOVER, Stage, revived
from tests.backtests.upstream import HeldUpstream, request_of
from tests.research.driving import finished, read, start
from tests.support import STRATEGY

PARAMETERS = [{"path": "conditions.0.percent", "from": 0.5, "to": 5, "step": 0.5}]
OWN = {"run_id", "bot_id", "created_at", "started_at", "finished_at", "verdict"}


@pytest.fixture
def upstream() -> Iterator[HeldUpstream]:
    with HeldUpstream() as upstream:
        yield upstream


@pytest.fixture
def stage(tmp_path: Path, upstream: HeldUpstream) -> Iterator[Stage]:
    with ExitStack() as stack:
        yield Stage(tmp_path, upstream, stack)


def lasting(run: Json) -> Json:
    return {name: value for name, value in run.items() if name not in OWN}


def test_killed_in_the_middle_they_come_to_what_they_would_have_come_to(stage: Stage, upstream: HeldUpstream) -> None:
    (service,) = stage.processes(1)
    client = stage.client(service)
    who = new_user(client)
    bot = new_bot(client, who, STRATEGY)
    span = request_of()
    asked = {
        "optimise": {**span, "parameters": PARAMETERS, "minimum_trades": 1},
        "survey": {**{name: span[name] for name in span if name != "token"}, "tokens": [{"token": span["token"]}]},
    }
    runs = {kind: start(client, who, bot, kind, **request) for kind, request in asked.items()}
    for kind, run in runs.items():
        awaited(lambda kind=kind, run=run: read(client, who, run, kind), lambda now: now["status"] == "running", 60)  # type: ignore[misc]
    service.kill()
    upstream.let_through.set()
    revived(service)
    for kind, run in runs.items():
        done = finished(client, who, run, kind, SECONDS_TO_RECOVER)
        assert (done["status"], done["error"], done["progress"]) == ("completed", None, 100)
        again = finished(client, who, start(client, who, bot, kind, **asked[kind]), kind)
        assert lasting(again) == lasting(done)
    searched = runs["optimise"]
    assert read(client, who, searched, what="/variants")["total_variants"] == 10
    assert "Traceback" not in service.log()

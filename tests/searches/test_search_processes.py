"""Optimisations and surveys in a real process that is killed: they start again, and never leave half a result."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest

from strategybot.app import Services
from strategybot.searches.runner import FETCHED_PERCENT
from strategybot.searches.storage import Optimisation, PackedVariants
from strategybot.settings import Settings
from tests.backtests.driving import Headers, Json, awaited, new_bot, new_user
from tests.backtests.processes import SECONDS_TO_RECOVER, Stage, revived
from tests.backtests.upstream import HeldUpstream, request_of
from tests.market.upstream.market import SOL, WBNB, WPOL
from tests.searches.driving import TOKEN, finished, read, start
from tests.servers import SECRET, ServiceProcess
from tests.support import STRATEGY

PARAMETERS = [{"path": "conditions.0.percent", "from": 0.5, "to": 5, "step": 0.5}]
UNKNOWN = [f"{SOL.address[:-1]}{last}-solana" for last in (3, 4)]
OWN = {"run_id", "bot_id", "created_at", "started_at", "finished_at", "verdict"}
EMAIL = "ada@example.com"


@pytest.fixture
def upstream() -> Iterator[HeldUpstream]:
    with HeldUpstream() as upstream:
        yield upstream


@pytest.fixture
def stage(tmp_path: Path, upstream: HeldUpstream) -> Iterator[Stage]:
    with ExitStack() as stack:
        yield Stage(tmp_path, upstream, stack)


def lasting(run: Json) -> Json:
    """Return what must be equal in two runs of one request; `costs` say when each run read them."""
    kept = {name: value for name, value in run.items() if name not in (*OWN, "costs")}
    rows = [{name: value for name, value in row.items() if name != "costs"} for row in kept.get("rows", [])]
    return {**kept, "rows": rows}


def awaited_run(client: httpx2.Client, who: Headers, run: Json, kind: str, wanted: Callable[[Json], bool]) -> Json:
    return awaited(lambda: read(client, who, run, kind), wanted, SECONDS_TO_RECOVER)


def completed(client: httpx2.Client, who: Headers, run: Json, kind: str) -> Json:
    done = finished(client, who, run, kind, SECONDS_TO_RECOVER)
    assert (done["status"], done["error"], done["progress"]) == ("completed", None, 100)
    return done


def test_killed_while_they_fetch_candles_they_complete_after_the_restart(stage: Stage, upstream: HeldUpstream) -> None:
    (service,) = stage.processes(1)
    client = stage.client(service)
    who = new_user(client)
    bot = new_bot(client, who, STRATEGY)
    span = request_of(liquidity_usd=1e6, buy_tax_percent=1, sell_tax_percent=2)
    asked = {
        "optimise": {**span, "parameters": PARAMETERS, "minimum_trades": 1},
        "survey": {
            **{name: span[name] for name in span if name != "token"},
            "tokens": [{"token": each} for each in (SOL.token_id, *UNKNOWN, WBNB.token_id, WPOL.token_id)],
        },
    }
    # The last token first: the combined result must not depend on the order of the tests.
    upstream.open_for |= {WPOL.token_id, UNKNOWN[1]}
    survey = start(client, who, bot, "survey", **asked["survey"])
    partial = awaited_run(client, who, survey, "survey", lambda now: now["tokens_done"] >= 2)
    assert (partial["status"], partial["combined"]) == ("running", None)
    search = start(client, who, bot, "optimise", **asked["optimise"])
    awaited_run(client, who, search, "optimise", lambda now: now["status"] == "running")
    service.kill()
    upstream.let_through.set()
    revived(service)
    for kind, run in {"survey": survey, "optimise": search}.items():
        done = completed(client, who, run, kind)
        again = completed(client, who, start(client, who, bot, kind, **asked[kind]), kind)
        assert lasting(again) == lasting(done)
    assert read(client, who, search, what="/variants")["total_variants"] == 10
    whole = read(client, who, survey, "survey")
    assert (whole["tokens_done"], whole["combined"]["tokens"], whole["combined"]["failed"]) == (5, 5, 2)
    assert "Traceback" not in service.log()


def test_killed_while_it_runs_its_variants_a_search_completes_after_the_restart(tmp_path: Path) -> None:
    # With a trailing stop most candles are read one by one, which takes the longest.
    grid = [
        {"path": "conditions.0.percent", "from": 0.01, "to": 1, "step": 0.01},
        {"path": "trailing_stop_percent", "from": 0.2, "to": 20, "step": 0.2},
    ]
    days = {"start_time": 1_760_000_000, "end_time": 1_760_000_000 + 35 * 86400}
    costs = {"liquidity_usd": 1e6, "buy_tax_percent": 1, "sell_tax_percent": 2}
    asked: Json = {"token": TOKEN, "chain": "solana", "kline_interval": "1m", "parameters": grid, **days, **costs}
    with ServiceProcess(tmp_path / "data") as service, httpx2.Client(base_url=service.url, timeout=60) as client:
        who = new_user(client, EMAIL)
        services = Services(Settings(_env_file=None, data_dir=tmp_path / "data", secret_key=SECRET))
        services.operator.set_tier(EMAIL, "pro")
        bot = new_bot(client, who, STRATEGY)
        run = start(client, who, bot, **asked)
        awaited_run(client, who, run, "optimise", lambda now: now["progress"] > FETCHED_PERCENT)
        service.kill()
        with services.database.read() as session:
            left = session.get_one(Optimisation, run["run_id"])
            assert (left.status, left.variants_done, left.found) == ("running", 0, None)
            assert session.get(PackedVariants, run["run_id"]) is None
        services.database.close()
        revived(service)
        done = completed(client, who, run, "optimise")
        assert done["variants_done"] == done["variants_total"] == 10_000
        assert done["walk_forward"] is not None
        again = completed(client, who, start(client, who, bot, **asked), "optimise")
        assert lasting(again) == lasting(done)
        pages = [read(client, who, each, what="/variants", per_page=5000, page=2) for each in (run, again)]
        assert pages[0] == pages[1]
        assert "Traceback" not in service.log()

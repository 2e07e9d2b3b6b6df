"""A bot that trades every few minutes on the demo market, and a stage whose market and runners a test controls."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from strategybot.kit.threads import run_blocking
from strategybot.simulations.runner import Runner
from tests.backtests.driving import Headers, Json
from tests.simulations.driving import LIVELY
from tests.simulations.stage import Later, Stage
from tests.support import ManualClock, create_bot


@pytest.fixture
def bot(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=LIVELY)


@pytest.fixture
def stage(tmp_path: Path, database_url: str, clock: ManualClock) -> Iterator[Stage]:
    stage = Stage(tmp_path, database_url, clock)
    yield stage
    stage.close()


@pytest.fixture
def later(clock: ManualClock) -> Later:
    async def later(seconds: float, *runners: Runner) -> None:
        """Move the clock; then let these runners send a heartbeat, claim runs, take due steps and ask the market."""
        clock.advance(seconds=seconds)
        for runner in runners:
            await run_blocking(runner.leases.heartbeat)
            await runner.look()
            await runner.turn()
            await runner.finish_background_work()

    return later

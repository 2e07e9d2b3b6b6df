"""A bot that trades every few minutes, on the demo market; and a stage whose market and runners a test has in hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.backtests.driving import Headers, Json
from tests.simulations.driving import LIVELY
from tests.simulations.stage import Stage
from tests.support import ManualClock, create_bot


@pytest.fixture
def bot(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=LIVELY)


@pytest.fixture
def stage(tmp_path: Path, database_url: str, clock: ManualClock) -> Iterator[Stage]:
    stage = Stage(tmp_path, database_url, clock)
    yield stage
    stage.close()

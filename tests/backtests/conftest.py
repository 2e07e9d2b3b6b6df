"""A service on the demo market, and one whose provider a test can block."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.application import application
from tests.backtests.driving import Headers, Json
from tests.backtests.upstream import HeldUpstream
from tests.market.proxy import ave_settings
from tests.support import STRATEGY, ManualClock, create_bot, sign_up


@pytest.fixture
def bot(client: TestClient, user: Headers) -> Json:
    return create_bot(client, user, strategy=STRATEGY)


@pytest.fixture
def upstream() -> Iterator[HeldUpstream]:
    with HeldUpstream() as upstream:
        yield upstream


@pytest.fixture
def held(tmp_path: Path, database_url: str, clock: ManualClock, upstream: HeldUpstream) -> Iterator[TestClient]:
    """Yield an application whose runs cannot finish while the provider is blocked."""
    settings = ave_settings(tmp_path / "data", upstream.url, database_url=database_url)
    with TestClient(application(settings, clock)) as client:
        yield client


@pytest.fixture
def held_user(held: TestClient) -> Headers:
    return sign_up(held)


@pytest.fixture
def held_bot(held: TestClient, held_user: Headers) -> Json:
    return create_bot(held, held_user, strategy=STRATEGY)

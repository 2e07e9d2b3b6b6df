from collections.abc import Iterator

import pytest

from tests.openapi.world import World


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("openapi"))
    yield world
    world.close()

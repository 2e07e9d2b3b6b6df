"""A base of test classes that need no clock or database of their own."""

import pytest
from fastapi.testclient import TestClient


class SharedApplication:
    """Each test of the class is a new user of one application, which the tests of a module share."""

    @pytest.fixture
    def client(self, shared_client: TestClient) -> TestClient:
        return shared_client

    @pytest.fixture
    def user(self, shared_user: dict[str, str]) -> dict[str, str]:
        return shared_user

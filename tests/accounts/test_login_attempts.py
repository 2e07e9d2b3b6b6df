"""Guesses at one account from many addresses are limited; its owner is not locked out at their usual address."""

import asyncio
from collections import Counter
from itertools import count

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from strategybot.accounts.login_attempts import MOST_ADDRESSES
from strategybot.accounts.schemas import LoginAttempt, TokenView
from strategybot.accounts.service import WrongCredentials
from strategybot.accounts.storage import KnownAddress
from strategybot.app import Services
from strategybot.kit.errors import TooManyRequests
from strategybot.rates import TOO_MANY_FAILED_LOGINS, TOO_MANY_LOGINS
from tests.engines import on_sqlite_alone
from tests.support import PASSWORD, ManualClock, sign_up

HOME = ("198.51.100.7", 1)


class World:
    """The application, asked from any address."""

    def __init__(self, app: FastAPI) -> None:
        self._app, self._numbers = app, count(1)

    def at(self, address: str | None = None) -> TestClient:
        """Return a client at this address, or at one that was not used before."""
        number = next(self._numbers)
        return TestClient(self._app, client=(address or f"203.0.{number // 250}.{number % 250 + 1}", 1))

    def log_in(self, address: str | None = None, email: str = "ada@example.com", password: str = "wrong") -> int:
        answer = self.at(address).post("/api/auth/login", json={"email": email, "password": password})
        self.detail, self.retry_after = answer.json().get("detail"), answer.headers.get("Retry-After")
        return int(answer.status_code)


@pytest.fixture
def world(app: FastAPI, client: TestClient) -> World:
    """The application with one account, opened at HOME."""
    world = World(app)
    sign_up(world.at(HOME[0]))
    return world


def test_twenty_failures_from_new_addresses_are_the_limit_of_an_account(world: World, clock: ManualClock) -> None:
    assert [world.log_in() for _ in range(21)] == [401] * 20 + [429]
    assert (world.detail, world.retry_after) == (TOO_MANY_FAILED_LOGINS, "900")
    assert world.log_in(password=PASSWORD) == 429, "also with the right password"
    assert world.log_in(email="ADA@example.com") == 429
    assert world.log_in(HOME[0], password=PASSWORD) == 200, "the owner at home"
    assert world.log_in(HOME[0]) == 401
    assert world.log_in(email="bob@example.com") == 401
    clock.advance(minutes=15)
    assert world.log_in(password=PASSWORD) == 200


def test_an_address_that_logged_in_once_is_known(world: World) -> None:
    assert world.log_in("203.0.113.9", password=PASSWORD) == 200
    assert [world.log_in() for _ in range(21)] == [401] * 20 + [429], "a login that succeeded does not count"
    assert world.log_in("203.0.113.9", password=PASSWORD) == 200


@on_sqlite_alone
def test_an_email_without_an_account_is_limited_alike(world: World) -> None:
    assert [world.log_in(email="nobody@example.com") for _ in range(21)] == [401] * 20 + [429]
    assert world.detail == TOO_MANY_FAILED_LOGINS


@on_sqlite_alone
def test_five_attempts_a_minute_from_one_client_are_refused_before(world: World, clock: ManualClock) -> None:
    assert [world.log_in("203.0.113.9") for _ in range(6)] == [401] * 5 + [429]
    assert (world.detail, world.retry_after) == (TOO_MANY_LOGINS, "60")
    assert [world.log_in(HOME[0]) for _ in range(6)] == [401] * 5 + [429]
    clock.advance(minutes=1)
    assert world.log_in(HOME[0], password=PASSWORD) == 200


@pytest.mark.usefixtures("world")
def test_of_concurrent_guesses_exactly_twenty_are_tried(services: Services) -> None:
    guess = LoginAttempt(email="ada@example.com", password="wrong")

    async def all_at_once() -> list[BaseException | TokenView]:
        tries = [services.accounts.log_in(guess, f"203.0.113.{number}", None) for number in range(30)]
        return await asyncio.gather(*tries, return_exceptions=True)

    outcomes = Counter(type(each) for each in asyncio.run(all_at_once()))
    assert outcomes == {WrongCredentials: 20, TooManyRequests: 10}


def test_the_newest_addresses_are_remembered(world: World, services: Services, clock: ManualClock) -> None:
    for _ in range(MOST_ADDRESSES + 3):
        clock.advance(seconds=1)
        assert world.log_in(password=PASSWORD) == 200
    with services.database.read() as session:
        assert session.scalar(select(func.count()).select_from(KnownAddress)) == MOST_ADDRESSES
        assert HOME[0] not in str(session.scalars(select(KnownAddress.address_hash)).all())

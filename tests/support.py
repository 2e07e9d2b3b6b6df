"""Helpers of many tests: a clock that a test controls, a client, and signing up."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2

PASSWORD = "correct horse battery staple"
STRATEGY: dict[str, Any] = {
    "conditions": [{"kind": "price_drop", "percent": 5, "window": "1d"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 10},
}


class ManualClock:
    """A clock that moves only when a test moves it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def visitor(token: str) -> dict[str, str]:
    return {"X-Anonymous-Token": token}


def sign_up(client: httpx2.Client, email: str = "ada@example.com", **headers: str) -> dict[str, str]:
    """Register a new user and return the headers of its requests."""
    answer = client.post("/api/auth/register", json={"email": email, "password": PASSWORD}, headers=headers)
    assert answer.status_code == 201, answer.text
    return bearer(answer.json()["access_token"])


def create_bot(client: httpx2.Client, who: dict[str, str], name: str = "Dip buyer", **fields: Any) -> dict[str, Any]:
    answer = client.post("/api/bots", json={"name": name, **fields}, headers=who)
    assert answer.status_code == 201, answer.text
    bot: dict[str, Any] = answer.json()
    return bot

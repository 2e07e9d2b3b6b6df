"""Hostile bytes on every route that takes a body, and hostile values in every field: never a 5xx, never an echo."""

import json
import time
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.engines import on_postgresql_alone, on_sqlite_alone
from tests.examples import example_of
from tests.support import create_bot, sign_up

DEEP = 100_000
CORPUS: dict[str, bytes] = {
    "nothing": b"",
    "a blank": b" ",
    "NaN": b'{"x": NaN}',
    "Infinity": b'{"x": -Infinity}',
    "a number beyond floats": b'{"x": 1e999}',
    "5000 digits": b'{"x": ' + b"9" * 5000 + b"}",
    "400 digits": b'{"x": ' + b"9" * 400 + b"}",
    "a surrogate as a value": b'{"x": "\\ud800"}',
    "a surrogate as a key": b'{"\\udfff": 1}',
    "a raw surrogate": b'{"x": "\xed\xa0\x80"}',
    "NUL in a value": b'{"x": "a\\u0000b"}',
    "a raw NUL": b'{"x": "a\x00b"}',
    "NUL in a key": b'{"\\u0000": 1}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "invalid UTF-8": b'{"x": "\xff\xfe"}',
    "UTF-16": '{"x": 1}'.encode("utf-16"),
    "deep lists": b"[" * DEEP + b"]" * DEEP,
    "deep objects": b'{"x":' * DEEP + b"1" + b"}" * DEEP,
    "a deep field": b'{"strategy":' * 150 + b"1" + b"}" * 150,
    "cut off": b'{"email": "a@b.io", "pass',
    "two documents": b"{}{}",
    "a list": b"[1, 2]",
    "a string": b'"x"',
    "true": b"true",
    "null": b"null",
    "a prototype": b'{"__proto__": {"tier": "pro"}, "constructor": 1, "__class__": 1}',
    "the same key twice": b'{"name": "a", "name": "b"}',
    "many keys": json.dumps({f"k{number}": number for number in range(20_000)}).encode(),
    "a long key": b'{"' + b"k" * 500_000 + b'": 1}',
    "over a mebibyte": b'{"x": "' + b"y" * (1 << 20) + b'"}',
    "ten megabytes": b'{"x": "' + b"y" * (10 << 20) + b'"}',
}
VALUES: dict[str, Any] = {
    "null": None,
    "true": True,
    "a list": [],
    "an object": {},
    "a text": "x",
    "an empty text": "",
    "NUL": "a\u0000b",
    "a long text": "x" * 100_000,
    "bidi": "\u202e\u2066",
    "an injection": "'; DROP TABLE bots; --",
    "zero": 0,
    "minus one": -1,
    "a huge integer": 10**300,
    "2^63": 2**63,
    "a tiny float": 5e-324,
    "a fraction": 0.1,
    "nested": [[[[{"x": [None]}]]]],
}


def routes_with_bodies(client: TestClient) -> list[tuple[str, str, Any]]:
    schema = client.app.openapi()  # type: ignore[attr-defined]  # an application of ours
    return [
        (method.upper(), path, example_of(schema, operation["requestBody"]["content"]["application/json"]["schema"]))
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation
    ]


def send(client: TestClient, method: str, path: str, user: dict[str, str], bot: str, content: bytes) -> None:
    headers = {**user, "Content-Type": "application/json"}
    if "{conversation_id}" in path:
        path = path.replace("{conversation_id}", client.post("/api/conversations", headers=user).json()["id"])
    answer = client.request(method, path.replace("{bot_id}", bot), content=content, headers=headers)
    assert answer.status_code < 500, (method, path, content[:80], answer.text)
    if answer.status_code >= 400:
        assert answer.json()["detail"]
        assert len(answer.content) < 4000
    if answer.status_code == 422:
        assert all(error.keys() == {"field", "message"} for error in answer.json()["errors"])


def fresh(client: TestClient, counter: list[int]) -> tuple[dict[str, str], str]:
    """A new user with a bot: the routes of accounts may delete or lock the last one."""
    counter.append(1)
    user = sign_up(client, f"user{len(counter)}@example.com")
    return user, str(create_bot(client, user)["id"])


@pytest.mark.parametrize("name", CORPUS)
@on_sqlite_alone
def test_hostile_bytes_are_refused_on_every_route(client: TestClient, name: str) -> None:
    user, bot = fresh(client, [])
    routes = routes_with_bodies(client)
    assert len(routes) >= 8
    for method, path, _example in routes:
        send(client, method, path, user, bot, CORPUS[name])


@pytest.mark.parametrize("name", VALUES)
@on_postgresql_alone
def test_a_hostile_value_in_any_field_is_accepted_or_refused(client: TestClient, name: str) -> None:
    """What is accepted is stored, and PostgreSQL stores less than SQLite."""
    counter: list[int] = []
    regular = fresh(client, counter)
    for method, path, example in routes_with_bodies(client):
        user, bot = fresh(client, counter) if path.startswith("/api/auth") else regular
        for field in example:
            send(client, method, path, user, bot, json.dumps({**example, field: VALUES[name]}).encode())


@on_sqlite_alone
def test_hostile_values_in_unknown_fields_are_accepted_or_refused(client: TestClient) -> None:
    user, bot = fresh(client, [])
    for method, path, example in routes_with_bodies(client):
        unknown = {f"extra {number}": value for number, value in enumerate(VALUES.values())}
        send(client, method, path, user, bot, json.dumps({**example, **unknown}).encode())


@pytest.mark.parametrize("name", VALUES)
@on_postgresql_alone
def test_a_hostile_value_anywhere_in_a_strategy_is_accepted_or_refused(client: TestClient, name: str) -> None:
    user, bot = fresh(client, [])
    strategy = {
        "conditions": [
            {"kind": "price_drop", "percent": 5, "window": "15m", "reference": "high"},
            {"kind": "price_level", "level": 1, "direction": "above", "trigger": "is"},
        ],
        "match": "all",
        "risk_management": {"stop_loss_percent": 3, "max_holding": "2d"},
        "position_percent": 100,
    }
    for place in places(strategy):
        send(
            client,
            "PATCH",
            "/api/bots/{bot_id}",
            user,
            bot,
            json.dumps(replaced(strategy, place, VALUES[name])).encode(),
        )


@pytest.mark.parametrize("place", ["{}", '{"strategy": {}}'], ids=["in the body", "in a field of it"])
@on_sqlite_alone
def test_a_mebibyte_of_unknown_fields_is_refused_before_it_costs_much(client: TestClient, place: str) -> None:
    user, _bot = fresh(client, [])
    many = "{" + ",".join(f'"k{number}":1' for number in range(80_000)) + "}"
    body = place.replace("{}", many)
    assert len(body) < 1 << 20
    before = time.process_time()
    answer = client.post("/api/bots", content=body, headers={**user, "Content-Type": "application/json"})
    assert answer.status_code == 422
    assert time.process_time() - before < 0.5  # of processor time, so that other load does not count


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in inside for place in places(inner, (*path, key)))]


def replaced(strategy: Any, place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(json.dumps({"strategy": strategy}))
    *parents, last = ("strategy", *place)
    target: Any = body
    for key in parents:
        target = target[key]
    target[last] = value
    return body

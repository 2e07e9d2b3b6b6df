"""Only HS256 with our key and valid claims is accepted; everything else gives 401 and never 500."""

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import jwt
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from strategybot.accounts.credentials import AccessTokens
from strategybot.kit.identifiers import new_id
from tests.engines import on_sqlite_alone
from tests.servers import SECRET
from tests.support import ManualClock, sign_up

pytestmark = on_sqlite_alone

ME = "/api/auth/me"
Claims = dict[str, Any]


def claims_of(headers: dict[str, str]) -> Claims:
    token = headers["Authorization"].removeprefix("Bearer ")
    claims: Claims = jwt.decode(token, options={"verify_signature": False})
    return claims


def signed(claims: Claims, key: str = SECRET, algorithm: str = "HS256", **headers: Any) -> str:
    return jwt.encode(claims, key, algorithm=algorithm, headers=headers or None)


def part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_faithful_copy_is_accepted(client: TestClient, user: dict[str, str]) -> None:
    """Checks the forgeries of this file: an unchanged copy is accepted, so they fail only for what they change."""
    copy = signed(claims_of(user))
    assert client.get(ME, headers={"Authorization": f"Bearer {copy}"}).status_code == 200


FORGERIES: dict[str, Callable[[Claims], str]] = {
    "another key": lambda claims: signed(claims, "another key that is long enough for it"),
    "another algorithm": lambda claims: signed(claims, SECRET + "x" * 16, "HS512"),
    "HS384 with our key": lambda claims: signed(claims, algorithm="HS384"),
    "no algorithm": lambda claims: f"{part({'alg': 'none', 'typ': 'JWT'})}.{part(claims)}.",
    "no signature": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "two parts": lambda claims: signed(claims).rpartition(".")[0],
    "four parts": lambda claims: signed(claims) + ".x",
    "a list for claims": lambda _: jwt.api_jws.encode(b"[]", SECRET),
    "no JSON for claims": lambda _: jwt.api_jws.encode(b"{", SECRET),
    "an unknown jti": lambda claims: signed({**claims, "jti": new_id()}),
    "an unknown sub": lambda claims: signed({**claims, "sub": new_id()}),
    "a sub that is no id": lambda claims: signed({**claims, "sub": "' OR 1=1 --"}),
    "a jti that is no id": lambda claims: signed({**claims, "jti": "\u0000"}),
    "issued in the future": lambda claims: signed({**claims, "iat": claims["iat"] + 3600}),
    "expired": lambda claims: signed({**claims, "exp": claims["iat"]}),
    "issued long ago": lambda claims: signed({**claims, "iat": 5}),
    "issued before all time": lambda claims: signed({**claims, "iat": -1}),
    "never to expire": lambda claims: signed({**claims, "exp": 10**30}),
    "more than 30 days to live": lambda claims: signed({**claims, "exp": claims["iat"] + 30 * 86_400 + 1}),
    "an expiry as text": lambda claims: signed({**claims, "exp": str(claims["exp"])}),
    "an expiry beyond all time": lambda claims: signed({**claims, "exp": "9" * 400}),
    "a boolean expiry": lambda claims: signed({**claims, "exp": True}),
    "a list of audiences": lambda claims: signed({**claims, "aud": ["strategybot"]}),
    **{
        f"no {name}": lambda claims, name=name: signed({key: value for key, value in claims.items() if key != name})  # type: ignore[misc]
        for name in ("sub", "jti", "iat", "exp", "iss", "aud")
    },
    **{f"wrong {name}": lambda claims, name=name: signed({**claims, name: "other"}) for name in ("iss", "aud")},  # type: ignore[misc]
    **{f"null {name}": lambda claims, name=name: signed({**claims, name: None}) for name in ("exp", "iat", "jti")},  # type: ignore[misc]
    "a padded signature": lambda claims: signed(claims) + "=",
    "a line break inside": lambda claims: signed(claims)[:50] + "%0a" + signed(claims)[50:],
    "ten thousand letters": lambda _: "x" * 10_000,
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_token_is_refused(shared_client: TestClient, shared_user: dict[str, str], forgery: str) -> None:
    token = FORGERIES[forgery](claims_of(shared_user))
    answer = shared_client.get(ME, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json().keys() == {"detail"}


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic YTpi", "Token abc", "bearer", "\xff\xfe", "Bearer a b"]
)
def test_a_malformed_header_is_refused(shared_client: TestClient, header: str) -> None:
    assert shared_client.get(ME, headers=[(b"Authorization", header.encode("latin-1"))]).status_code == 401


def test_a_token_outside_the_header_is_ignored(client: TestClient, user: dict[str, str]) -> None:
    token = user["Authorization"].removeprefix("Bearer ")
    assert client.get(ME, params={"access_token": token, "token": token}).status_code == 401
    client.cookies.set("access_token", token)
    assert client.get(ME).status_code == 401


def test_the_scheme_is_read_in_any_letter_case(client: TestClient, user: dict[str, str]) -> None:
    lower = user["Authorization"].replace("Bearer", "bearer")
    assert client.get(ME, headers={"Authorization": lower}).status_code == 200


@pytest.fixture
def tokens(clock: ManualClock) -> AccessTokens:
    return AccessTokens(SECRET, timedelta(hours=1), clock)


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"iat": 60}, True),  # the clock of another host may be a minute ahead
        ({"iat": 61}, False),
        ({"exp": 1}, True),
        ({"exp": 0}, False),
        ({"exp": 30 * 86_400}, True),  # the longest that a setting may ask for
    ],
)
def test_a_token_counts_from_a_minute_before_its_issue_until_its_end(
    tokens: AccessTokens, clock: ManualClock, changes: dict[str, int], counts: bool
) -> None:
    claims = jwt.decode(tokens.issue(new_id()).text, options={"verify_signature": False})
    now = int(clock().timestamp())
    text = signed({**claims, **{name: now + seconds for name, seconds in changes.items()}})
    assert (tokens.read(text) is not None) == counts


def test_a_malformed_or_non_canonical_id_is_never_looked_up(tokens: AccessTokens) -> None:
    text = tokens.issue(new_id()).text
    claims = jwt.decode(text, options={"verify_signature": False})
    for name in ("sub", "jti"):
        assert tokens.read(signed({**claims, name: "no id"})) is None
    assert tokens.read(text + "=") is None


def test_the_claims_of_a_token_are_immutable(tokens: AccessTokens) -> None:
    claims = tokens.read(tokens.issue(new_id()).text)
    assert claims is not None
    with pytest.raises(ValidationError, match="frozen"):
        setattr(claims, "sub", new_id())  # noqa: B010 - the type checker knows it, too


def test_a_token_of_4096_letters_is_read_and_a_longer_one_is_not(tokens: AccessTokens) -> None:
    claims = jwt.decode(tokens.issue(new_id()).text, options={"verify_signature": False})
    texts = (signed({**claims, "filling": "x" * size}) for size in range(2700, 2900))
    by_length = {len(text): text for text in texts}
    assert tokens.read(by_length[4096]) is not None
    assert tokens.read(by_length[4097]) is None


@given(data=st.data())
def test_a_token_with_any_changed_character_is_refused(data: st.DataObject) -> None:
    tokens = AccessTokens(SECRET, timedelta(hours=1), ManualClock())
    token = tokens.issue(new_id()).text
    assert tokens.read(token) is not None
    place = data.draw(st.integers(0, len(token) - 1))
    letter = data.draw(st.sampled_from("ABCXYZabcxyz0189-_.=+/ "))
    changed = token[:place] + letter + token[place + 1 :]
    assert changed == token or tokens.read(changed) is None


@pytest.mark.parametrize("place", range(-4, 0))
def test_the_last_letters_are_part_of_the_signature(place: int) -> None:
    """Base64 leaves two spare bits in the last character, which decoders ignore."""
    tokens = AccessTokens(SECRET, timedelta(hours=1), ManualClock())
    token = tokens.issue(new_id()).text
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    others = (token[:place] + letter + token[place:][1:] for letter in alphabet if letter != token[place])
    assert [tokens.read(other) for other in others] == [None] * 63


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    assert AccessTokens(SECRET, timedelta(hours=1), ManualClock()).read(text) is None


def test_a_token_of_one_user_never_authenticates_another(client: TestClient, user: dict[str, str]) -> None:
    other = sign_up(client, "bob@example.com")
    mixed = signed({**claims_of(user), "sub": claims_of(other)["sub"]})
    assert client.get(ME, headers={"Authorization": f"Bearer {mixed}"}).status_code == 401

"""Passwords, access tokens, personal tokens and visitor tokens: creation and checks. Passwords and random tokens are
stored only as hashes.
"""

import base64
import binascii
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

import argon2
import jwt
from pydantic import BaseModel, ConfigDict, ValidationError

from strategybot.kit.clock import Clock, utc_moment
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.lanes import Lane

Party = Literal["strategybot"]
ISSUER: Party = "strategybot"
AUDIENCE: Party = "strategybot"
LONGEST_TOKEN = 4096
CLOCK_SKEW_SECONDS = 60  # allowed between hosts
LONGEST_LIFETIME_SECONDS = 30 * 86_400  # the maximum of the setting


class Passwords:
    """Argon2id hashing, one hash at a time and outside the event loop, so that a burst of logins does not block other
    work.

    Password checks run before hashes for new accounts, so that a flood of registrations does not delay logins.
    """

    def __init__(self, time_cost: int = 2, memory_kib: int = 19 * 1024) -> None:
        self._hasher = argon2.PasswordHasher(time_cost=time_cost, memory_cost=memory_kib, parallelism=1)
        self._lane = Lane()
        self._dummy_hash = self._hasher.hash(secrets.token_hex())

    async def hash(self, password: str, *, urgent: bool = False) -> str:
        return await self._lane.run(self.hash_now, password, urgent=urgent)

    def hash_now(self, password: str) -> str:
        """Return the hash without queueing; for the operator's commands."""
        return self._hasher.hash(password)

    async def matches(self, hashed: str | None, password: str) -> bool:
        """Return whether the password matches. For an account that does not exist (None) it takes the same time, so
        that timing reveals nothing.
        """
        verdict = await self._lane.run(self._verify, hashed or self._dummy_hash, password, urgent=True)
        return verdict and hashed is not None

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except argon2.exceptions.VerificationError:
            return False


class Claims(BaseModel):
    """The claims of an access token; all are required."""

    model_config = ConfigDict(strict=True, frozen=True)

    sub: str
    jti: str
    iat: int
    exp: int
    iss: Party
    aud: Party


@dataclass(frozen=True, slots=True)
class AccessToken:
    text: str
    jti: str
    expires_at: datetime


class AccessTokens:
    """Signs and verifies JWTs with HS256 and our key only."""

    def __init__(self, secret_key: str, lifetime: timedelta, clock: Clock) -> None:
        self._key, self.lifetime, self._clock = secret_key, lifetime, clock
        # The verified content of a token never changes; expiry and revocation are checked on every request.
        self._claims_of = lru_cache(maxsize=4096)(self._verify_claims)

    def issue(self, user_id: str) -> AccessToken:
        issued = int(self._clock().timestamp())
        expires = issued + int(self.lifetime.total_seconds())
        claims = Claims(sub=user_id, jti=new_id(), iat=issued, exp=expires, iss=ISSUER, aud=AUDIENCE)
        text = jwt.encode(claims.model_dump(), self._key, algorithm="HS256")
        return AccessToken(text, claims.jti, utc_moment(expires))

    def read(self, text: str) -> Claims | None:
        """Return the claims of a token that we signed and that has not expired, else None."""
        claims = self._claims_of(text) if len(text) <= LONGEST_TOKEN else None
        if claims is None:
            return None
        alive = claims.iat - CLOCK_SKEW_SECONDS <= self._clock().timestamp() < claims.exp
        return claims if alive else None

    def _verify_claims(self, text: str) -> Claims | None:
        if not _is_canonical(text):
            return None
        try:
            claims = Claims.model_validate(self._decode(text))
        except (jwt.PyJWTError, ValidationError):
            return None
        has_our_lifetime = 0 < claims.exp - claims.iat <= LONGEST_LIFETIME_SECONDS
        return claims if has_our_lifetime and is_id(claims.sub) and is_id(claims.jti) else None

    def _decode(self, text: str) -> object:
        # `read` compares the times with our own clock.
        unchecked = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}
        return jwt.decode(text, self._key, algorithms=["HS256"], audience=AUDIENCE, issuer=ISSUER, options=unchecked)  # type: ignore[arg-type]


def _is_canonical(token: str) -> bool:
    """Return whether each part is the canonical base64url form of its bytes: the decoder ignores the spare bits of the
    last character.
    """
    return all(_respell(part) == part for part in token.split("."))


def _respell(part: str) -> str | None:
    try:
        decoded = base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
    return base64.urlsafe_b64encode(decoded).rstrip(b"=").decode()


PERSONAL_PREFIX = "sbt_"


def new_visitor_token() -> str:
    return secrets.token_urlsafe(32)


def new_personal_token() -> str:
    return PERSONAL_PREFIX + secrets.token_urlsafe(32)


def random_token_hash(token: str) -> str:
    """Return the hash under which a random token is stored. A token has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()

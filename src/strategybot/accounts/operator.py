"""The operator's changes to accounts, by email and without a password: `strategybot user …`."""

import secrets
from datetime import datetime

from strategybot.accounts import storage
from strategybot.accounts.credentials import Passwords
from strategybot.accounts.service import UserNotFound
from strategybot.accounts.tiers import Tier
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session

PASSWORD_BYTES = 12


class Operator:
    def __init__(self, database: Database, passwords: Passwords, clock: Clock) -> None:
        self._database, self._passwords, self._clock = database, passwords, clock

    def users(self) -> list[tuple[str, Tier, datetime, datetime | None]]:
        """Return email, tier, and the times of registration and of disabling of every account, oldest first."""
        with self._database.read() as session:
            return [(user.email, user.tier, user.created_at, user.disabled_at) for user in storage.users(session)]

    def set_tier(self, email: str, tier: Tier) -> None:
        with self._database.write() as session:
            _user(session, email).tier = tier

    def disable(self, email: str) -> str:
        """Refuse all logins and tokens of the account until it is enabled; return its id."""
        with self._database.write() as session:
            user = _user(session, email)
            user.disabled_at = user.disabled_at or self._clock()
            storage.revoke_other_tokens(session, user.id, None, self._clock())
            storage.note_revocation(session, user.id)
            return user.id

    def enable(self, email: str) -> None:
        with self._database.write() as session:
            _user(session, email).disabled_at = None

    def delete(self, email: str) -> None:
        """Delete the account and everything it owns."""
        with self._database.write() as session:
            storage.delete_owner(session, _user(session, email).id)

    def reset_password(self, email: str) -> str:
        """Replace the password with a new random one and return it. Every token of the account is revoked."""
        password = secrets.token_urlsafe(PASSWORD_BYTES)
        hashed = self._passwords.hash_now(password)
        with self._database.write() as session:
            user = _user(session, email)
            user.password_hash = hashed
            storage.revoke_other_tokens(session, user.id, None, self._clock())
            storage.note_revocation(session, user.id)
            storage.delete_personal_tokens(session, user.id)
        return password


def _user(session: Session, email: str) -> storage.User:
    user = storage.user_by_email(session, email)
    if user is None:
        raise UserNotFound
    return user

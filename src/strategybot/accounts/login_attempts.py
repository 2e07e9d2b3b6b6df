"""Which login attempts are admitted: a few a minute from one client, and a few to an account from clients new to it.

The second limit stops guesses that come from many addresses. An address from which the account was opened before is not
subject to it, so nobody can lock out a user at their usual places. Emails without an account are counted alike, so that
the limit does not reveal which exist.
"""

from dataclasses import dataclass
from hashlib import sha256

from strategybot.accounts import storage
from strategybot.accounts.storage import User
from strategybot.kit.clock import Clock
from strategybot.kit.database import Session
from strategybot.kit.limits import RollingLimit

NOBODY = "00000000-0000-0000-0000-000000000000"
MOST_ADDRESSES = 50
"""The newest addresses of an account that are remembered."""


@dataclass(frozen=True, slots=True)
class AdmittedAttempt:
    user: User | None
    address: str
    failure_id: int | None
    """The attempt is counted as failed until it succeeds, so that of concurrent ones no more than allowed are tried."""


class LoginAttempts:
    def __init__(self, from_client: RollingLimit, failures_of_account: RollingLimit, clock: Clock) -> None:
        self._from_client, self._failures, self._clock = from_client, failures_of_account, clock

    def admit(self, session: Session, email: str, address: str) -> AdmittedAttempt:
        """Count the attempt and return it with the account of the email. Raise `TooManyRequests` before any hashing."""
        self._from_client.admit(session, address)
        user = storage.user_by_email(session, email)
        user_id = NOBODY if user is None else user.id
        if storage.is_known_address(session, user_id, _digest(user_id, address)):
            return AdmittedAttempt(user, address, None)
        return AdmittedAttempt(user, address, self._failures.admit(session, _digest("email", email.lower())))

    def succeed(self, session: Session, attempt: AdmittedAttempt, user: User) -> None:
        """Remember the address, and do not count the attempt as failed."""
        if attempt.failure_id is not None:
            self._failures.take_back(session, attempt.failure_id)
        self.remember(session, user, attempt.address)

    def remember(self, session: Session, user: User, address: str) -> None:
        """Note that the account was opened from this address."""
        storage.note_address(session, user.id, _digest(user.id, address), self._clock(), MOST_ADDRESSES)


def _digest(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()

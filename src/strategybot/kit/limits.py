"""Rolling limits in the database: at most `count` admissions in any window, counted across all processes.

Only admissions count. A refused attempt does not extend the wait, so `Retry-After` is exact.
"""

import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Self

from sqlalchemy import ColumnElement, Index, delete, func, select
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.clock import Clock
from strategybot.kit.database import Base, Database, Session
from strategybot.kit.errors import TooManyRequests

_RATE = re.compile(r"([1-9][0-9]{0,8})/([1-9][0-9]{0,4})([smhd])")
MOST_SKEW = timedelta(minutes=1)  # between the clocks of hosts
PROBE = "readiness"
_UNIT_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True, slots=True)
class Rate:
    """A count in a window, such as `5/1m` or `500/5h`."""

    count: int
    window: timedelta

    @classmethod
    def parse(cls, text: str) -> Self:
        match = _RATE.fullmatch(text)
        if match is None:
            raise ValueError("must be a rate such as 5/1m or 500/5h")
        count, number, unit = match.groups()
        return cls(int(count), timedelta(seconds=int(number) * _UNIT_SECONDS[unit]))

    def share(self, percent: int) -> Self:
        """Return this percentage of the count, at least 1, in the same window."""
        return type(self)(max(1, self.count * percent // 100), self.window)


class Admission(Base):
    __tablename__ = "limits_admissions"
    __table_args__ = (Index("ix_limits_admissions_key_expires_at", "key", "expires_at"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str]
    expires_at: Mapped[datetime] = mapped_column(index=True)


class RollingLimit:
    def __init__(self, database: Database, clock: Clock, name: str, rate: Rate, message: str | None = None) -> None:
        self._database, self._clock, self._name, self._message = database, clock, name, message
        self.rate = rate

    def with_count(self, count: int) -> "RollingLimit":
        """Return the same limit with another count: that of the subject's tier."""
        return RollingLimit(self._database, self._clock, self._name, Rate(count, self.rate.window), self._message)

    def admit(self, session: Session, subject: str) -> int:
        """Record an admission and return its id. Raise `TooManyRequests` with the seconds until the next one if the
        window is full.
        """
        self._database.exclusive(session, self._key(subject))
        self.refuse_full(session, subject)
        admission = Admission(key=self._key(subject), expires_at=self._clock() + self.rate.window)
        session.add(admission)
        session.flush()
        return admission.id

    def admit_alone(self, subject: str) -> None:
        """Record an admission in a transaction of its own."""
        with self._database.write() as session:
            self.admit(session, subject)

    def take_back(self, session: Session, admission_id: int) -> None:
        """Delete an admission, as if it had not been recorded."""
        session.execute(delete(Admission).where(Admission.id == admission_id))

    def left(self, session: Session, subject: str) -> int:
        """Return how many admissions are left now."""
        return max(0, self.rate.count - self.used(session, subject))

    def used(self, session: Session, subject: str) -> int:
        """Return how many admissions are in the window now."""
        counted = select(func.count()).select_from(Admission).where(*self._in_window(subject, self._clock()))
        return session.scalar(counted) or 0

    def refuse_full(self, session: Session, subject: str) -> None:
        """Raise `TooManyRequests` if the window is full. No admission is recorded."""
        now = self._clock()
        # It has space again when the earliest of the newest `count` admissions has left it.
        ends = select(Admission.expires_at).where(*self._in_window(subject, now)).order_by(Admission.expires_at.desc())
        free_at = session.scalar(ends.offset(self.rate.count - 1).limit(1))
        if free_at is not None:
            raise TooManyRequests(max(1, math.ceil((free_at - now).total_seconds())), self._message)

    def _in_window(self, subject: str, now: datetime) -> tuple[ColumnElement[bool], ...]:
        """Return the conditions for admissions that have not left the window.

        An end later than that of an admission made now means that the clock was set back; it is ignored.
        """
        latest = now + self.rate.window + MOST_SKEW
        ends = Admission.expires_at
        return Admission.key == self._key(subject), ends > now, ends <= latest

    def _key(self, subject: str) -> str:
        return f"{self._name}:{subject}"


def write_probe(database: Database, clock: Clock) -> None:
    """Write to the database, so that a full disk or a read-only file is noticed. It leaves one row, already expired.

    Raise `DatabaseDamaged` if damage was found before.
    """
    database.refuse_damaged()
    with database.write() as session:
        session.execute(delete(Admission).where(Admission.key == PROBE))
        session.add(Admission(key=PROBE, expires_at=clock()))


def forget_expired(session: Session, now: datetime) -> None:
    session.execute(delete(Admission).where(Admission.expires_at <= now))

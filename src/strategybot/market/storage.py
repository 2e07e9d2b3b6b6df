"""What all processes share about the provider: whose turn it is to call, and what the calls have cost."""

from datetime import datetime, timedelta

from sqlalchemy import BigInteger, func, select
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Session


class Pace(Base):
    """When the plan's next request would be due if all before it had kept exactly to the plan's rate."""

    __tablename__ = "market_paces"

    provider: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[datetime]


class Meter(Base):
    __tablename__ = "market_meters"

    provider: Mapped[str] = mapped_column(primary_key=True)
    operation: Mapped[str] = mapped_column(primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    cost_units: Mapped[int] = mapped_column(BigInteger)


def take_turn(
    session: Session, provider: str, now: datetime, spacing: timedelta, burst: int, patience: timedelta
) -> timedelta | None:
    """How long to wait for the next turn, which is then taken; None, and nothing taken, when that is too long."""
    pace = session.get(Pace, provider) or Pace(provider=provider, due_at=now)
    # A due time further ahead than any turn that is given can only come from a clock that was set back.
    furthest = now + patience + (burst + 1) * spacing
    due_at = max(now, pace.due_at) if pace.due_at <= furthest else now
    wait = max(timedelta(0), due_at - now - (burst - 1) * spacing)
    if wait > patience:
        return None
    pace.due_at = due_at + spacing
    session.add(pace)
    return wait


def add_to_meter(session: Session, provider: str, operation: str, calls: int, cost_units: int) -> None:
    meter = session.get(Meter, (provider, operation), with_for_update=True)
    if meter is None:
        session.add(Meter(provider=provider, operation=operation, calls=calls, cost_units=cost_units))
    else:
        meter.calls += calls
        meter.cost_units += cost_units


def cost_units_used(session: Session, provider: str) -> int:
    return int(session.scalar(select(func.sum(Meter.cost_units)).where(Meter.provider == provider)) or 0)

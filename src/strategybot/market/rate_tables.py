"""The tables that all processes share for the provider: the time of the next call, and the cost of calls."""

from datetime import datetime, timedelta

from sqlalchemy import BigInteger, func, select
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Session


class Pace(Base):
    """The due time of the next request, if all earlier ones had kept exactly to the rate of the plan."""

    __tablename__ = "market_paces"

    provider: Mapped[str] = mapped_column(primary_key=True)
    due_at: Mapped[datetime]


class CostMeter(Base):
    __tablename__ = "market_meters"

    provider: Mapped[str] = mapped_column(primary_key=True)
    operation: Mapped[str] = mapped_column(primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    cost_units: Mapped[int] = mapped_column(BigInteger)


def take_turn(
    session: Session, provider: str, now: datetime, spacing: timedelta, burst: int, patience: timedelta
) -> timedelta | None:
    """Take the next slot and return how long to wait for it. Return None and take nothing if the wait exceeds the
    patience.
    """
    pace = session.get(Pace, provider) or Pace(provider=provider, due_at=now)
    # A due time further ahead than any slot can be means that the clock was set back.
    furthest = now + patience + (burst + 1) * spacing
    due_at = max(now, pace.due_at) if pace.due_at <= furthest else now
    wait = max(timedelta(0), due_at - now - (burst - 1) * spacing)
    if wait > patience:
        return None
    pace.due_at = due_at + spacing
    session.add(pace)
    return wait


def add_to_meter(session: Session, provider: str, operation: str, calls: int, cost_units: int) -> None:
    meter = session.get(CostMeter, (provider, operation), with_for_update=True)
    if meter is None:
        session.add(CostMeter(provider=provider, operation=operation, calls=calls, cost_units=cost_units))
    else:
        meter.calls += calls
        meter.cost_units += cost_units


def cost_units_used(session: Session, provider: str) -> int:
    return int(session.scalar(select(func.sum(CostMeter.cost_units)).where(CostMeter.provider == provider)) or 0)

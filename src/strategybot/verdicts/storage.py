"""The tables of verdicts: what an owner has tried on a token, and the tokens on which every strategy is tested."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, ColumnElement, ForeignKey, and_, case, func, or_, select, update
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Id, Session


class Try(Base):
    """What its owner has tried on a token in a span of time (`tries.py`).

    It is kept when the bot is deleted: the strategy was tried nevertheless.
    """

    __tablename__ = "research_tries"

    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), primary_key=True)
    token_id: Mapped[str] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(primary_key=True)
    start_time: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    end_time: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    strategies: Mapped[int] = mapped_column(default=1, server_default="1")
    """How many strategies the row stands for: 1, or the number of variants that an optimisation ran."""
    rules: Mapped[str | None]
    """The digest of the rules alone; None in rows from when interval, span and costs did not count."""
    tokens: Mapped[int] = mapped_column(default=1, server_default="1")
    """The number of tokens of the survey it was part of, which counts for these rules."""
    length: Mapped[int | None] = mapped_column(BigInteger)
    """In seconds, of a run that reached to the newest candle; start and end then enclose all its repetitions."""


class Basket(Base):
    """The tokens of a chain on which every strategy is also tested. Users cannot choose them."""

    __tablename__ = "research_baskets"

    provider: Mapped[str] = mapped_column(primary_key=True)
    chain: Mapped[str] = mapped_column(primary_key=True)
    tokens: Mapped[list[str]] = mapped_column(JSON)
    made_at: Mapped[datetime]


def record_try(session: Session, attempt: Try, candle_seconds: int = 0) -> Try:
    """Save the attempt as one row with its repetitions, and return that row."""
    for known in session.scalars(select(Try).where(*_same_try(attempt, candle_seconds))).all():
        attempt.start_time = min(attempt.start_time, known.start_time)
        attempt.end_time = max(attempt.end_time, known.end_time)
        attempt.strategies = max(attempt.strategies, known.strategies)
        attempt.tokens = max(attempt.tokens, known.tokens)
        session.delete(known)
    session.flush()
    session.add(attempt)
    session.flush()
    return attempt


def _same_try(attempt: Try, candle_seconds: int) -> list[ColumnElement[bool]]:
    """Return which rows are the same try: of the same span, or both up to their newest candle with the same length
    (to a candle) or start.
    """
    same_start = Try.start_time == attempt.start_time
    repeated = and_(same_start, Try.end_time == attempt.end_time)
    if attempt.length is not None:
        as_long = Try.length.between(attempt.length - candle_seconds, attempt.length + candle_seconds)
        repeated = or_(repeated, as_long, and_(same_start, Try.length.is_not(None)))
    same = (Try.owner_id == attempt.owner_id, Try.token_id == attempt.token_id, Try.digest == attempt.digest)
    return [*same, repeated]


def count_tries(session: Session, attempt: Try) -> int:
    """Return how often something different was tried on this token in spans that overlap this one."""
    overlapping = (
        Try.owner_id == attempt.owner_id,
        Try.token_id == attempt.token_id,
        Try.start_time < attempt.end_time,
        Try.end_time > attempt.start_time,
    )
    surveyed = and_(Try.rules == attempt.rules, Try.tokens > Try.strategies)
    tried = select(func.sum(case((surveyed, Try.tokens), else_=Try.strategies)))
    known_rules = select(Try.rules).where(*overlapping, Try.rules.is_not(None))
    older = (
        select(func.max(Try.strategies).label("strategies"))
        .where(*overlapping, Try.rules.is_(None), Try.digest.not_in(known_rules))
        .group_by(Try.digest)
        .subquery()
    )
    counts = (tried.where(*overlapping, Try.rules.is_not(None)), select(func.sum(older.c.strategies)))
    return sum(int(session.scalar(each) or 0) for each in counts)


def transfer_tries(session: Session, from_owner: str, to_owner: str) -> None:
    theirs = select(Try).where(Try.owner_id == from_owner)
    for each in session.scalars(theirs).all():
        columns = {column.key: getattr(each, column.key) for column in Try.__mapper__.columns}
        record_try(session, Try(**{**columns, "owner_id": to_owner}))
        session.delete(each)


def basket_of(session: Session, provider: str, chain: str) -> Basket | None:
    return session.get(Basket, (provider, chain))


def save_basket(session: Session, provider: str, chain: str, tokens: list[str], now: datetime) -> None:
    known = basket_of(session, provider, chain)
    if known is None:
        session.add(Basket(provider=provider, chain=chain, tokens=tokens, made_at=now))
    else:
        session.execute(
            update(Basket).where(Basket.provider == provider, Basket.chain == chain).values(tokens=tokens, made_at=now)
        )

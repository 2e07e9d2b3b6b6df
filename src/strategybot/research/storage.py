"""What research remembers: which strategies an owner has tried on a token, and the basket of tokens of each chain."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, ForeignKey, func, select, update
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.kit.database import Base, Id, Session


class Try(Base):
    """A strategy, by its content, that its owner has backtested on a token between two moments.

    It stays when the bot is deleted: deleting a bot makes no result less lucky.
    """

    __tablename__ = "research_tries"

    owner_id: Mapped[str] = mapped_column(Id, ForeignKey("accounts_owners.id", ondelete="CASCADE"), primary_key=True)
    token_id: Mapped[str] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(primary_key=True)
    start_time: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    end_time: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)


class Basket(Base):
    """The tokens of a chain on which every strategy is tried too; a user does not choose them."""

    __tablename__ = "research_baskets"

    provider: Mapped[str] = mapped_column(primary_key=True)
    chain: Mapped[str] = mapped_column(primary_key=True)
    tokens: Mapped[list[str]] = mapped_column(JSON)
    made_at: Mapped[datetime]


def record_try(session: Session, attempt: Try) -> None:
    key = (attempt.owner_id, attempt.token_id, attempt.digest, attempt.start_time, attempt.end_time)
    if session.get(Try, key) is None:
        session.add(attempt)
        session.flush()


def count_tries(session: Session, owner_id: str, token_id: str, start: int, end: int) -> int:
    """Return how many different strategies were tried on this token in spans that overlap this one."""
    overlapping = (Try.start_time < end, Try.end_time > start)
    query = select(func.count(Try.digest.distinct())).where(
        Try.owner_id == owner_id, Try.token_id == token_id, *overlapping
    )
    return session.scalar(query) or 0


def transfer_tries(session: Session, from_owner: str, to_owner: str) -> None:
    theirs = select(Try).where(Try.owner_id == from_owner)
    for each in session.scalars(theirs).all():
        record_try(
            session,
            Try(
                owner_id=to_owner,
                token_id=each.token_id,
                digest=each.digest,
                start_time=each.start_time,
                end_time=each.end_time,
            ),
        )
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

"""Account tables. An owner is a user or a visitor who has not signed up; all other data belongs to an owner."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, bindparam, delete, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from strategybot.accounts.tiers import Tier
from strategybot.kit.changes import Change, note
from strategybot.kit.database import AnyRow, Base, Id, Session
from strategybot.kit.errors import Conflict
from strategybot.kit.identifiers import new_id


class EmailTaken(Conflict):
    message = "An account with this email exists already."


class Owner(Base):
    __tablename__ = "accounts_owners"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    created_at: Mapped[datetime]


class User(Base):
    __tablename__ = "accounts_users"

    id: Mapped[str] = mapped_column(Id, ForeignKey(Owner.id, ondelete="CASCADE"), primary_key=True)
    email: Mapped[str]
    email_key: Mapped[str] = mapped_column(unique=True)
    password_hash: Mapped[str]
    tier: Mapped[Tier] = mapped_column(String)
    settings: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime]
    disabled_at: Mapped[datetime | None]
    """When the operator disabled the account; its tokens are refused since then."""


class IssuedToken(Base):
    """An access token that has been issued and has not expired; `revoked_at` is set if it is revoked."""

    __tablename__ = "accounts_tokens"

    jti: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey(User.id, ondelete="CASCADE"), index=True)
    expires_at: Mapped[datetime] = mapped_column(index=True)
    revoked_at: Mapped[datetime | None]


class KnownAddress(Base):
    """A client address from which the account was opened. Only its hash is stored."""

    __tablename__ = "accounts_addresses"

    user_id: Mapped[str] = mapped_column(Id, ForeignKey(User.id, ondelete="CASCADE"), primary_key=True)
    address_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    used_at: Mapped[datetime]


class Visitor(Base):
    __tablename__ = "accounts_visitors"

    id: Mapped[str] = mapped_column(Id, ForeignKey(Owner.id, ondelete="CASCADE"), primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    """Updated at most once a day; None on the first day."""

    @property
    def last_used_at(self) -> datetime:
        return self.used_at or self.created_at


class PersonalToken(Base):
    """A token that a user created for a program; only its hash is stored."""

    __tablename__ = "accounts_personal_tokens"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey(User.id, ondelete="CASCADE"), index=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    name: Mapped[str]
    may_write: Mapped[bool]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime] = mapped_column(index=True)
    last_used_at: Mapped[datetime | None]
    client_id: Mapped[str | None] = mapped_column(Id)
    """The program that the user has connected; None for a token that the user copies into a program."""
    renewal_hash: Mapped[str | None] = mapped_column(String(64))
    access_until: Mapped[datetime | None]
    """When the token of a connected program must be renewed."""

    __table_args__ = (Index(None, "renewal_hash", unique=True),)

    @property
    def connected(self) -> bool:
        return self.client_id is not None

    @property
    def scopes(self) -> list[str]:
        return ["read", "write"] if self.may_write else ["read"]


class ConnectedClient(Base):
    """A program that has registered itself to be connected by users. It has no secret of its own that is stored."""

    __tablename__ = "accounts_clients"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    facts: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[datetime] = mapped_column(index=True)


class ConnectionCode(Base):
    """A code that a program exchanges for its tokens, once, after a user has agreed."""

    __tablename__ = "accounts_codes"

    code_hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    client_id: Mapped[str] = mapped_column(Id, ForeignKey(ConnectedClient.id, ondelete="CASCADE"), index=True)
    user_id: Mapped[str] = mapped_column(Id, ForeignKey(User.id, ondelete="CASCADE"), index=True)
    facts: Mapped[dict[str, Any]] = mapped_column(JSON)
    expires_at: Mapped[datetime] = mapped_column(index=True)


def add_user(session: Session, email: str, password_hash: str, now: datetime) -> User:
    user = User(
        id=_new_owner(session, now),
        email=email,
        email_key=email.lower(),
        password_hash=password_hash,
        tier="free",
        settings={},
        created_at=now,
    )
    session.add(user)
    try:
        session.flush()
    except IntegrityError:
        raise EmailTaken from None
    return user


def add_visitor(session: Session, token_hash: str, now: datetime) -> Visitor:
    visitor = Visitor(id=_new_owner(session, now), token_hash=token_hash, created_at=now)
    session.add(visitor)
    return visitor


def _new_owner(session: Session, now: datetime) -> str:
    owner = Owner(id=new_id(), created_at=now)
    session.add(owner)
    session.flush()
    return owner.id


def lock_owner(session: Session, owner_id: str) -> bool:
    """Return whether the owner exists. If so, lock it until the transaction ends."""
    return session.scalar(select(Owner.id).where(Owner.id == owner_id).with_for_update()) is not None


def user_by_email(session: Session, email: str) -> User | None:
    return session.scalar(select(User).where(User.email_key == email.lower()))


def user_by_id(session: Session, user_id: str) -> User | None:
    return session.get(User, user_id)


def is_disabled(session: Session, owner_id: str) -> bool:
    disabled = select(User.id).where(User.id == owner_id, User.disabled_at.is_not(None))
    return session.scalar(disabled) is not None


def users(session: Session) -> list[User]:
    return list(session.scalars(select(User).order_by(User.id)))


# Runs in every authenticated request.
_USER_OF_LIVE_TOKEN = (
    select(User.__table__)
    .join(IssuedToken.__table__, IssuedToken.user_id == User.id)
    .where(
        IssuedToken.jti == bindparam("jti"),
        IssuedToken.user_id == bindparam("user_id"),
        IssuedToken.revoked_at.is_(None),
    )
    .where(User.disabled_at.is_(None))
)


def user_of_live_token(session: Session, jti: str, user_id: str) -> AnyRow | None:
    """Return the columns of the token's user, or None if the token is unknown or revoked, or the user disabled."""
    return session.connection().execute(_USER_OF_LIVE_TOKEN, {"jti": jti, "user_id": user_id}).first()


_USER_OF_PERSONAL_TOKEN = (
    select(
        User.__table__,
        PersonalToken.id.label("token_id"),
        PersonalToken.may_write,
        PersonalToken.last_used_at,
    )
    .join(PersonalToken.__table__, PersonalToken.user_id == User.id)
    .where(PersonalToken.token_hash == bindparam("token_hash"), PersonalToken.expires_at > bindparam("now"))
    .where(or_(PersonalToken.access_until.is_(None), PersonalToken.access_until > bindparam("now")))
    .where(User.disabled_at.is_(None))
)


def user_of_personal_token(session: Session, token_hash: str, now: datetime) -> AnyRow | None:
    """Return the columns of the token's user with `token_id`, `may_write` and `last_used_at`, or None if unknown or
    expired.
    """
    return session.connection().execute(_USER_OF_PERSONAL_TOKEN, {"token_hash": token_hash, "now": now}).first()


def personal_tokens(session: Session, user_id: str, now: datetime) -> list[PersonalToken]:
    """Return the user's tokens that have not expired, newest first."""
    of_user = select(PersonalToken).where(PersonalToken.user_id == user_id, PersonalToken.expires_at > now)
    return list(session.scalars(of_user.order_by(PersonalToken.id.desc())))


def note_use(session: Session, token_id: str, now: datetime) -> None:
    session.execute(update(PersonalToken).where(PersonalToken.id == token_id).values(last_used_at=now))


def delete_personal_token(session: Session, user_id: str, token_id: str) -> bool:
    """Delete the token and return whether it existed."""
    chosen = delete(PersonalToken).where(PersonalToken.id == token_id, PersonalToken.user_id == user_id)
    return session.execute(chosen.returning(PersonalToken.id)).first() is not None


def delete_personal_tokens(session: Session, user_id: str) -> None:
    session.execute(delete(PersonalToken).where(PersonalToken.user_id == user_id))


def take_code(session: Session, code_hash: str, now: datetime) -> ConnectionCode | None:
    """Delete the code and return it, unless it is unknown or has expired. Only one of several callers gets it."""
    code = session.scalar(select(ConnectionCode).where(ConnectionCode.code_hash == code_hash).with_for_update())
    if code is None:
        return None
    session.delete(code)
    session.flush()
    return code if code.expires_at > now else None


def connection_by_renewal(
    session: Session, renewal_hash: str, now: datetime, *, lock: bool = False
) -> PersonalToken | None:
    query = select(PersonalToken).where(PersonalToken.renewal_hash == renewal_hash, PersonalToken.expires_at > now)
    return session.scalar(query.with_for_update() if lock else query)


def connection_by_access(session: Session, token_hash: str, now: datetime) -> PersonalToken | None:
    of_client = select(PersonalToken).where(PersonalToken.token_hash == token_hash, PersonalToken.access_until > now)
    return session.scalar(of_client)


def delete_connections(session: Session, user_id: str, client_id: str) -> None:
    """Delete the tokens of this program for this user."""
    session.execute(delete(PersonalToken).where(PersonalToken.user_id == user_id, PersonalToken.client_id == client_id))


def delete_unused_clients(session: Session, registered_before: datetime) -> None:
    """Delete programs that registered before this time and that no user has connected."""
    used = exists().where(PersonalToken.client_id == ConnectedClient.id)
    session.execute(delete(ConnectedClient).where(ConnectedClient.created_at < registered_before, ~used))


def visitor_by_token_hash(session: Session, token_hash: str) -> Visitor | None:
    return session.scalar(select(Visitor).where(Visitor.token_hash == token_hash))


def add_token(session: Session, jti: str, user_id: str, expires_at: datetime) -> None:
    session.add(IssuedToken(jti=jti, user_id=user_id, expires_at=expires_at, revoked_at=None))


def revoke_token(session: Session, jti: str, now: datetime) -> None:
    session.execute(update(IssuedToken).where(IssuedToken.jti == jti).values(revoked_at=now))


def revoke_other_tokens(session: Session, user_id: str, kept_jti: str | None, now: datetime) -> None:
    others = update(IssuedToken).where(IssuedToken.user_id == user_id, IssuedToken.revoked_at.is_(None))
    if kept_jti is not None:
        others = others.where(IssuedToken.jti != kept_jti)
    session.execute(others.values(revoked_at=now))


def note_revocation(session: Session, owner_id: str) -> None:
    """Note a change that makes the owner's open event streams check their tokens again."""
    note(session, Change(owner_id, "session", "changed"))


def delete_owner(session: Session, owner_id: str) -> None:
    """Delete the owner; foreign keys with ON DELETE CASCADE delete everything it owns."""
    note_revocation(session, owner_id)
    session.execute(delete(Owner).where(Owner.id == owner_id))


def is_known_address(session: Session, user_id: str, address_hash: str) -> bool:
    known = select(KnownAddress.user_id).where(KnownAddress.user_id == user_id)
    return session.scalar(known.where(KnownAddress.address_hash == address_hash)) is not None


def note_address(session: Session, user_id: str, address_hash: str, now: datetime, most: int) -> None:
    """Remember the address of the user, whose row is locked or new; forget all but the newest `most`."""
    session.merge(KnownAddress(user_id=user_id, address_hash=address_hash, used_at=now))
    session.flush()
    of_user = select(KnownAddress.address_hash).where(KnownAddress.user_id == user_id)
    older = session.scalars(of_user.order_by(KnownAddress.used_at.desc()).offset(most)).all()
    if older:
        session.execute(
            delete(KnownAddress).where(KnownAddress.user_id == user_id, KnownAddress.address_hash.in_(older))
        )


def note_visit(session: Session, visitor_id: str, now: datetime) -> None:
    session.execute(update(Visitor).where(Visitor.id == visitor_id).values(used_at=now))


def delete_visitors(session: Session, unused_since: datetime, most: int) -> None:
    """Delete up to `most` visitors not used since this time, with everything they own."""
    last_use = func.coalesce(Visitor.used_at, Visitor.created_at)
    gone = session.scalars(select(Visitor.id).where(last_use <= unused_since).limit(most)).all()
    if gone:
        session.execute(delete(Owner).where(Owner.id.in_(gone)))


def delete_expired_tokens(session: Session, now: datetime) -> None:
    session.execute(delete(IssuedToken).where(IssuedToken.expires_at <= now))
    session.execute(delete(PersonalToken).where(PersonalToken.expires_at <= now))
    session.execute(delete(ConnectionCode).where(ConnectionCode.expires_at <= now))

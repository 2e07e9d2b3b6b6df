"""Accounts: registration, login, tokens, settings and limits.

A `Principal` is the caller: a user with a tier, or a visitor who has not signed up. Everything else belongs to an
`owner_id`, and moves to the user's when a visitor signs up.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from strategybot.accounts import storage
from strategybot.accounts.credentials import (
    PERSONAL_PREFIX,
    AccessTokens,
    Passwords,
    new_visitor_token,
    random_token_hash,
)
from strategybot.accounts.login_attempts import AdmittedAttempt, LoginAttempts
from strategybot.accounts.schemas import (
    LoginAttempt,
    MeView,
    PasswordChange,
    RateView,
    Registration,
    TokenView,
    UsageView,
    UserSettings,
)
from strategybot.accounts.tiers import TIERS, Limits, Standing, Tier
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import NotFound, Unauthorized
from strategybot.kit.lanes import Lane
from strategybot.kit.limits import RollingLimit
from strategybot.kit.logs import note_account
from strategybot.kit.threads import run_blocking

Access = Literal["login", "write", "read"]  # the kind of token: of a login, or a personal one with this scope
USE_NOTED_EVERY = timedelta(minutes=1)
UNUSED_CLIENT_LIFETIME = timedelta(days=1)
VISITOR_LIFETIME = timedelta(days=30)  # since the last use
BETWEEN_NOTES_OF_USE = timedelta(days=1)
MOST_VISITORS_DELETED = 200  # per run: everything they own is deleted too, and other writers wait meanwhile
NO_ROOM_FOR_BOTS = (
    "What you made before you logged in was not moved to your account: the {tier} tier can have {limit} bots. "
    "Delete one and log in again with the visitor's token."
)
UsageCounter = Callable[[Session, str], int]
Transfer = Callable[[Session, str, str], None]


class WrongCredentials(Unauthorized):
    message = "Incorrect email or password."


class WrongPassword(Unauthorized):
    message = "Incorrect password."


class NotAuthenticated(Unauthorized):
    message = "Not authenticated. Send a valid token as 'Authorization: Bearer <token>'."


class AccountDisabled(Unauthorized):
    message = "This account is disabled. Please ask the operator of this service."


class UserNotFound(NotFound):
    message = "User not found."


@dataclass(frozen=True, slots=True)
class Principal:
    owner_id: str
    standing: Standing

    @property
    def limits(self) -> Limits:
        return TIERS[self.standing]


@dataclass(frozen=True, slots=True)
class Identity:
    """A logged-in user, as identified by the presented token."""

    user_id: str
    email: str
    tier: Tier
    settings: UserSettings
    created_at: datetime
    password_hash: str
    token_id: str
    access: Access

    @property
    def principal(self) -> Principal:
        return Principal(self.user_id, self.tier)


@dataclass(frozen=True, slots=True)
class AccountRateLimits:
    """The rate limits of registrations, logins, password checks, new visitors, new programs and runs."""

    logins: RollingLimit
    failed_logins: RollingLimit
    password_checks: RollingLimit
    visitors: RollingLimit
    registrations: RollingLimit
    clients: RollingLimit
    runs: RollingLimit
    """The count is that of the tier."""

    def runs_of(self, principal: Principal) -> RollingLimit:
        return self.runs.with_count(principal.limits.runs_per_day)


class Accounts:
    def __init__(
        self,
        database: Database,
        passwords: Passwords,
        tokens: AccessTokens,
        rate_limits: AccountRateLimits,
        clock: Clock,
        usage: Mapping[str, UsageCounter],
        rates: Mapping[str, RollingLimit],
        transfers: Sequence[Transfer],
    ) -> None:
        self._database, self._passwords, self._tokens, self._rate_limits = database, passwords, tokens, rate_limits
        self._clock, self._usage, self._rates, self._transfers = clock, usage, rates, transfers
        self._attempts = LoginAttempts(rate_limits.logins, rate_limits.failed_logins, clock)
        # Registrations are written one at a time, so that a flood of them does not occupy all threads.
        self._registering = Lane()

    async def register(self, registration: Registration, address: str, visitor_token: str | None) -> TokenView:
        await self._registering.run(self._admit_registration, registration.email, address)
        hashed = await self._passwords.hash(registration.password)
        return await self._registering.run(self.open_account, registration.email, hashed, address, visitor_token)

    async def log_in(self, attempt: LoginAttempt, address: str, visitor_token: str | None) -> TokenView:
        admitted = await run_blocking(self.admit_login, attempt.email, address)
        hashed = None if admitted.user is None else admitted.user.password_hash
        if not await self._passwords.matches(hashed, attempt.password):
            raise WrongCredentials
        return await run_blocking(self.open_session, admitted, visitor_token)

    def log_out(self, identity: Identity) -> None:
        """Revoke the presented token."""
        with self._database.write() as session:
            if identity.access == "login":
                storage.revoke_token(session, identity.token_id, self._clock())
            else:
                storage.delete_personal_token(session, identity.user_id, identity.token_id)
            storage.note_revocation(session, identity.user_id)

    async def change_password(self, identity: Identity, change: PasswordChange) -> None:
        await self._confirm(identity, change.current_password)
        hashed = await self._passwords.hash(change.new_password, urgent=True)
        await run_blocking(self._replace_password, identity, hashed)

    async def delete(self, identity: Identity, password: str) -> None:
        await self._confirm(identity, password)
        await run_blocking(self._delete, identity.user_id)

    def identity(self, token: str) -> Identity:
        """Return the user of this token. Raise `NotAuthenticated` unless it is signed by us, unexpired and
        not revoked.
        """
        if token.startswith(PERSONAL_PREFIX):
            return self._holder(token)
        claims = self._tokens.read(token)
        if claims is None:
            raise NotAuthenticated
        with self._database.read() as session:
            user = storage.user_of_live_token(session, claims.jti, claims.sub)
        if user is None:
            raise NotAuthenticated
        return _identity(user, claims.jti, "login")

    def visitor(self, token: str) -> Principal:
        now = self._clock()
        with self._database.read() as session:
            visitor = storage.visitor_by_token_hash(session, random_token_hash(token))
        if visitor is None or now - visitor.last_used_at >= VISITOR_LIFETIME:
            raise NotAuthenticated
        note_account(visitor.id)
        if now - visitor.last_used_at >= BETWEEN_NOTES_OF_USE:
            with self._database.write() as session:
                storage.note_visit(session, visitor.id, now)
        return Principal(visitor.id, "anonymous")

    def lock_owner(self, session: Session, principal: Principal) -> None:
        """Lock the owner until the transaction ends, so that concurrent requests cannot pass a limit on
        what it owns.
        """
        # deleted, or merged into an account, since it was authenticated
        if not storage.lock_owner(session, principal.owner_id):
            raise NotAuthenticated

    def admit_run(self, session: Session, principal: Principal) -> None:
        """Count a run of any kind. Raise `TooManyRequests` if the owner has started too many today."""
        if principal.standing != "anonymous":  # who has one backtest in all
            self._rate_limits.runs_of(principal).admit(session, principal.owner_id)

    def refuse_too_many_runs(self, session: Session, principal: Principal) -> None:
        """Raise `TooManyRequests` if `admit_run` would, without counting."""
        self._rate_limits.runs_of(principal).refuse_full(session, principal.owner_id)

    def welcome_visitor(self, address: str) -> str:
        """Create a visitor and return its token, which cannot be shown again."""
        token = new_visitor_token()
        with self._database.write() as session:
            self._rate_limits.visitors.admit(session, address)
            storage.add_visitor(session, random_token_hash(token), self._clock())
        return token

    def me(self, identity: Identity) -> MeView:
        with self._database.read() as session:
            usage = {name: count(session, identity.user_id) for name, count in self._usage.items()}
            limits = {**self._rates, "runs": self._rate_limits.runs_of(identity.principal)}
            rates = {name: _rate_view(limit, session, identity.user_id) for name, limit in limits.items()}
        return MeView(
            id=identity.user_id,
            email=identity.email,
            tier=identity.tier,
            created_at=identity.created_at,
            limits=identity.principal.limits,
            usage=UsageView(**usage),
            rates=rates,
        )

    def change_settings(self, identity: Identity, patch: UserSettings) -> UserSettings:
        with self._database.write() as session:
            self.lock_owner(session, identity.principal)
            user = _existing(storage.user_by_id(session, identity.user_id))
            user.settings = {**user.settings, **patch.model_dump(exclude_unset=True)}
            return UserSettings(**user.settings)

    def account(self, email: str) -> tuple[Principal, UserSettings]:
        """Return an account by email without a password. Only the operator's commands use it; they have the database
        anyway.
        """
        with self._database.read() as session:
            user = _existing(storage.user_by_email(session, email))
        return Principal(user.id, user.tier), UserSettings.stored(user.settings)

    def open_local_session(self, email: str) -> str:
        """Return a new access token of an account without a password; for the operator's commands, like `account`."""
        with self._database.write() as session:
            user = _existing(storage.user_by_email(session, email))
            if user.disabled_at is not None:
                raise AccountDisabled
            return self._issue(session, user, None).access_token

    def forget_expired(self) -> None:
        """Delete expired tokens, and inactive visitors with everything they own."""
        now = self._clock()
        with self._database.write() as session:
            storage.delete_expired_tokens(session, now)
            storage.delete_unused_clients(session, now - UNUSED_CLIENT_LIFETIME)
            storage.delete_visitors(session, now - VISITOR_LIFETIME, MOST_VISITORS_DELETED)

    def _holder(self, personal_token: str) -> Identity:
        now = self._clock()
        with self._database.read() as session:
            found = storage.user_of_personal_token(session, random_token_hash(personal_token), now)
        if found is None:
            raise NotAuthenticated
        # Noted at most once per interval: SQLite has one writer, and a write per request would make reads wait for it.
        if found.last_used_at is None or now - found.last_used_at >= USE_NOTED_EVERY:
            with self._database.write() as session:
                storage.note_use(session, found.token_id, now)
        return _identity(found, found.token_id, "write" if found.may_write else "read")

    def _admit_registration(self, email: str, address: str) -> None:
        """Raise before the password is hashed. The unique index alone decides whether the email is free."""
        with self._database.write() as session:
            self._rate_limits.registrations.admit(session, address)
            taken = storage.user_by_email(session, email) is not None
        if taken:  # outside the transaction, so that the attempt counts
            raise storage.EmailTaken

    def open_account(self, email: str, password_hash: str, address: str, visitor_token: str | None) -> TokenView:
        with self._database.write() as session:
            user = storage.add_user(session, email, password_hash, self._clock())
            self._attempts.remember(session, user, address)
            return self._issue(session, user, visitor_token)

    def admit_login(self, email: str, address: str) -> AdmittedAttempt:
        with self._database.write() as session:
            admitted = self._attempts.admit(session, email, address)
        if admitted.user is not None:
            note_account(admitted.user.id)
        return admitted

    def open_session(self, admitted: AdmittedAttempt, visitor_token: str | None) -> TokenView:
        checked = _existing(admitted.user)
        with self._database.write() as session:
            storage.lock_owner(session, checked.id)
            user = storage.user_by_id(session, checked.id)
            # The account was deleted, or its password changed, while the old one was being checked.
            if user is None or user.password_hash != checked.password_hash:
                raise WrongCredentials
            if user.disabled_at is not None:
                raise AccountDisabled
            self._attempts.succeed(session, admitted, user)
            return self._issue(session, user, visitor_token)

    def _issue(self, session: Session, user: storage.User, visitor_token: str | None) -> TokenView:
        note_account(user.id)
        notice = None if visitor_token is None else self._claim(session, visitor_token, Principal(user.id, user.tier))
        token = self._tokens.issue(user.id)
        storage.add_token(session, token.jti, user.id, token.expires_at)
        lifetime = int(self._tokens.lifetime.total_seconds())
        return TokenView(access_token=token.text, expires_in=lifetime, notice=notice)

    def _claim(self, session: Session, visitor_token: str, user: Principal) -> str | None:
        """Move everything that the visitor made to the user. An unknown or used visitor token moves nothing.

        Return None, or the reason if nothing was moved; the visitor's token then stays valid.
        """
        visitor = storage.visitor_by_token_hash(session, random_token_hash(visitor_token))
        if visitor is None:
            return None
        # Lock both, in a fixed order that prevents deadlocks.
        held = [storage.lock_owner(session, owner_id) for owner_id in sorted((visitor.id, user.owner_id))]
        if not all(held):  # a concurrent login has moved it already
            return None
        bots = [self._usage["bots"](session, owner_id) for owner_id in (visitor.id, user.owner_id)]
        if bots[0] and sum(bots) > user.limits.bots:
            return NO_ROOM_FOR_BOTS.format(tier=user.standing, limit=user.limits.bots)
        for transfer in self._transfers:
            transfer(session, visitor.id, user.owner_id)
        storage.delete_owner(session, visitor.id)
        return None

    async def _confirm(self, identity: Identity, password: str) -> None:
        await run_blocking(self._rate_limits.password_checks.admit_alone, identity.user_id)
        if not await self._passwords.matches(identity.password_hash, password):
            raise WrongPassword

    def _replace_password(self, identity: Identity, password_hash: str) -> None:
        with self._database.write() as session:
            self.lock_owner(session, identity.principal)
            user = _existing(storage.user_by_id(session, identity.user_id))
            if user.password_hash != identity.password_hash:  # changed by another request during the check
                raise WrongPassword
            user.password_hash = password_hash
            storage.revoke_other_tokens(session, identity.user_id, identity.token_id, self._clock())
            storage.delete_personal_tokens(session, identity.user_id)
            storage.note_revocation(session, identity.user_id)

    def _delete(self, user_id: str) -> None:
        with self._database.write() as session:
            storage.delete_owner(session, user_id)


def is_disabled(session: Session, owner_id: str) -> bool:
    """Return whether the operator has disabled this account. A visitor is never disabled."""
    return storage.is_disabled(session, owner_id)


def _identity(user: Any, token_id: str, access: Access) -> Identity:
    note_account(user.id)
    settings = UserSettings.stored(user.settings)
    return Identity(user.id, user.email, user.tier, settings, user.created_at, user.password_hash, token_id, access)


def _rate_view(limit: RollingLimit, session: Session, owner_id: str) -> RateView:
    window_seconds = int(limit.rate.window.total_seconds())
    return RateView(count=limit.rate.count, window_seconds=window_seconds, used=limit.used(session, owner_id))


def _existing(user: storage.User | None) -> storage.User:
    if user is None:
        raise UserNotFound
    return user

"""Programs that a user connects by OAuth: they register themselves, the user agrees, and they get tokens.

The tokens are stored like personal tokens, and renewed.

What a program asks for is signed while the user decides, so nothing has to be stored before they agree. The secret of a
client is derived from its id and our key.
"""

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode, urlsplit

from strategybot.accounts import storage
from strategybot.accounts.credentials import new_personal_token, random_token_hash
from strategybot.accounts.service import Accounts, Identity
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.json_object import Json
from strategybot.kit.limits import RollingLimit

MOST_CONNECTIONS = 50
REQUEST_LIFETIME = timedelta(minutes=30)
CODE_LIFETIME = timedelta(minutes=5)
ACCESS_LIFETIME = timedelta(hours=1)
RENEWAL_LIFETIME = timedelta(days=90)
RENEWAL_PREFIX = "sbr_"
LONGEST_NAME = 100


class RequestExpired(Conflict):
    message = "This request to connect a program is not valid any more. Please start again in the program."


class TooManyConnections(Conflict):
    message = f"An account can have {MOST_CONNECTIONS} connected programs. Revoke one that you no longer use."


@dataclass(frozen=True, slots=True)
class Asked:
    """What a program asks a user for, and the program."""

    client: Json
    facts: Json

    @property
    def client_name(self) -> str:
        return str(self.client.get("client_name") or "A program without a name")[:LONGEST_NAME]

    @property
    def redirect_uri(self) -> str:
        return str(self.facts["redirect_uri"])

    @property
    def may_write(self) -> bool:
        return "write" in self.facts["scopes"]

    def address_of_answer(self, **told: str) -> str:
        """Return the address that takes an answer to the program."""
        state = self.facts.get("state")
        query = urlencode(told if state is None else {**told, "state": state})
        return f"{self.redirect_uri}{'&' if urlsplit(self.redirect_uri).query else '?'}{query}"


@dataclass(frozen=True, slots=True)
class Issued:
    """The tokens of a connection. Only their hashes are stored."""

    access: str
    renewal: str
    seconds: int
    scopes: list[str]


@dataclass(frozen=True, slots=True)
class Connection:
    """A stored token of a connected program."""

    token_id: str
    user_id: str
    client_id: str
    scopes: list[str]
    expires_at: int


class Connections:
    def __init__(
        self, database: Database, accounts: Accounts, clock: Clock, secret: str, registrations: RollingLimit
    ) -> None:
        self._database, self._accounts, self._clock = database, accounts, clock
        self._key = hmac.digest(secret.encode(), b"connections", "sha256")
        self._registrations = registrations

    def register(self, address: str, client_id: str, facts: Json) -> None:
        """Store a program. Raise `TooManyRequests` if too many came from this client address."""
        with self._database.write() as session:
            self._registrations.admit(session, address)
            session.add(storage.ConnectedClient(id=client_id, facts=facts, created_at=self._clock()))

    def client(self, client_id: str) -> Json | None:
        """Return what a program has said about itself."""
        if not is_id(client_id):
            return None
        with self._database.read() as session:
            found = session.get(storage.ConnectedClient, client_id)
        return None if found is None else found.facts

    def client_secret(self, client_id: str) -> str:
        return hmac.new(self._key, f"client {client_id}".encode(), "sha256").hexdigest()

    def sign(self, facts: Json) -> str:
        """Return a request as a text that only we can have written."""
        until = int((self._clock() + REQUEST_LIFETIME).timestamp())
        body = base64.urlsafe_b64encode(json.dumps({**facts, "until": until}).encode()).decode()
        return f"{body}.{self._signature(body)}"

    def read_request(self, request: str) -> Asked:
        """Return what a signed request asks for. Raise `RequestExpired` if it is old or forged."""
        body, _, signature = request.rpartition(".")
        try:
            if not hmac.compare_digest(signature.encode(), self._signature(body).encode()):
                raise RequestExpired
            facts: Json = json.loads(base64.urlsafe_b64decode(body))
        except (ValueError, binascii.Error):
            raise RequestExpired from None
        client = self.client(facts["client_id"])
        if client is None or facts["until"] < self._clock().timestamp():
            raise RequestExpired
        return Asked(client, facts)

    def agree(self, identity: Identity, asked: Asked, *, may_write: bool) -> str:
        """Return the code that the program exchanges for its tokens."""
        code, now = secrets.token_urlsafe(32), self._clock()
        scopes = ["read", "write"] if may_write and asked.may_write else ["read"]
        with self._database.write() as session:
            self._accounts.lock_owner(session, identity.principal)
            connected = [each for each in storage.personal_tokens(session, identity.user_id, now) if each.client_id]
            if len(connected) >= MOST_CONNECTIONS:
                raise TooManyConnections
            session.add(
                storage.ConnectionCode(
                    code_hash=random_token_hash(code),
                    client_id=asked.facts["client_id"],
                    user_id=identity.user_id,
                    facts={**asked.facts, "scopes": scopes},
                    expires_at=now + CODE_LIFETIME,
                )
            )
        return code

    def code(self, code: str) -> storage.ConnectionCode | None:
        with self._database.read() as session:
            found = session.get(storage.ConnectionCode, random_token_hash(code))
        return found if found is not None and found.expires_at > self._clock() else None

    def exchange(self, code: str, client_id: str) -> Issued | None:
        """Return the tokens for a code, once; None if it was used, has expired or is another program's.

        An earlier connection of the same program to the same account ends.
        """
        now = self._clock()
        with self._database.write() as session:
            used = storage.take_code(session, random_token_hash(code), now)
            client = None if used is None else session.get(storage.ConnectedClient, used.client_id)
            if used is None or client is None or client.id != client_id:
                return None
            storage.delete_connections(session, used.user_id, used.client_id)
            token = storage.PersonalToken(
                id=new_id(),
                user_id=used.user_id,
                client_id=used.client_id,
                name=Asked(client.facts, {}).client_name,
                may_write="write" in used.facts["scopes"],
                created_at=now,
                last_used_at=None,
            )
            session.add(token)
            return self._issue(session, token)

    def renew(self, renewal: str, client_id: str, scopes: list[str]) -> Issued | None:
        """Return new tokens for the renewal token, which ends; None if it is unknown or has expired."""
        with self._database.write() as session:
            token = storage.connection_by_renewal(session, random_token_hash(renewal), self._clock(), lock=True)
            if token is None or token.client_id != client_id:
                return None
            token.may_write = token.may_write and "write" in scopes
            return self._issue(session, token)

    def by_renewal(self, renewal: str) -> Connection | None:
        with self._database.read() as session:
            token = storage.connection_by_renewal(session, random_token_hash(renewal), self._clock())
            return None if token is None else _connection(token)

    def by_access(self, access: str) -> Connection | None:
        with self._database.read() as session:
            token = storage.connection_by_access(session, random_token_hash(access), self._clock())
            return None if token is None else _connection(token)

    def end(self, user_id: str, client_id: str) -> None:
        with self._database.write() as session:
            storage.delete_connections(session, user_id, client_id)
            storage.note_revocation(session, user_id)

    def _issue(self, session: Session, token: storage.PersonalToken) -> Issued:
        now, access = self._clock(), new_personal_token()
        renewal = RENEWAL_PREFIX + secrets.token_urlsafe(32)
        token.token_hash, token.renewal_hash = random_token_hash(access), random_token_hash(renewal)
        token.access_until, token.expires_at = now + ACCESS_LIFETIME, now + RENEWAL_LIFETIME
        session.flush()
        return Issued(access, renewal, int(ACCESS_LIFETIME.total_seconds()), token.scopes)

    def _signature(self, body: str) -> str:
        return hmac.new(self._key, f"request {body}".encode(), hashlib.sha256).hexdigest()


def _connection(token: storage.PersonalToken) -> Connection:
    facts: dict[str, Any] = {"token_id": token.id, "user_id": token.user_id, "scopes": token.scopes}
    return Connection(**facts, client_id=token.client_id or "", expires_at=int(token.expires_at.timestamp()))

"""Personal tokens, which users create for programs that act for them, with a scope and an expiry date."""

from datetime import timedelta

from strategybot.accounts import storage
from strategybot.accounts.credentials import new_personal_token, random_token_hash
from strategybot.accounts.schemas import NewPersonalToken, PersonalTokenDraft, PersonalTokenFacts, PersonalTokenView
from strategybot.accounts.service import Accounts, Identity
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.errors import Conflict, NotFound
from strategybot.kit.identifiers import is_id, new_id

MOST_TOKENS = 20


class TooManyPersonalTokens(Conflict):
    message = f"An account can have {MOST_TOKENS} personal tokens. Revoke one that you no longer use."


class PersonalTokenNotFound(NotFound):
    message = "Token not found."


class PersonalTokens:
    def __init__(self, database: Database, accounts: Accounts, clock: Clock) -> None:
        self._database, self._accounts, self._clock = database, accounts, clock

    def create(self, identity: Identity, draft: PersonalTokenDraft) -> NewPersonalToken:
        """Store a new token and return it. Only its hash is kept, so it cannot be shown again."""
        now, text = self._clock(), new_personal_token()
        token = storage.PersonalToken(
            id=new_id(),
            user_id=identity.user_id,
            token_hash=random_token_hash(text),
            name=draft.name,
            may_write="write" in draft.scopes,
            created_at=now,
            expires_at=now + timedelta(days=draft.expires_in_days),
            last_used_at=None,
        )
        with self._database.write() as session:
            self._accounts.lock_owner(session, identity.principal)
            made = [each for each in storage.personal_tokens(session, identity.user_id, now) if not each.connected]
            if len(made) >= MOST_TOKENS:
                raise TooManyPersonalTokens
            session.add(token)
        return NewPersonalToken(**dict(PersonalTokenFacts.model_validate(token)), token=text)

    def all(self, identity: Identity) -> list[PersonalTokenView]:
        with self._database.read() as session:
            found = storage.personal_tokens(session, identity.user_id, self._clock())
        return [PersonalTokenView.model_validate(token) for token in found]

    def revoke(self, identity: Identity, token_id: str) -> None:
        with self._database.write() as session:
            if not is_id(token_id) or not storage.delete_personal_token(session, identity.user_id, token_id):
                raise PersonalTokenNotFound
            storage.note_revocation(session, identity.user_id)

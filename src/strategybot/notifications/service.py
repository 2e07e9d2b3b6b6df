"""Notifications: what happened to an owner's runs, shown by the bell in the app and sent to targets of their choice.

`tell` is the one function for writers. They call it in the transaction that makes the event true.
"""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from strategybot.accounts.service import Accounts, Identity, Principal
from strategybot.kit.changes import Change, note
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, NotFound
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.limits import RollingLimit
from strategybot.kit.threads import in_thread
from strategybot.notifications import storage
from strategybot.notifications.addresses import masked
from strategybot.notifications.schemas import (
    EventName,
    NewTarget,
    NotificationList,
    NotificationView,
    TargetDraft,
    TargetMessage,
    TargetPatch,
    TargetView,
    TestView,
)
from strategybot.notifications.sealing import Sealer, Unsealable
from strategybot.notifications.senders import NotSent, Senders
from strategybot.notifications.storage import Target

MOST_TARGETS = 20
UNSEALABLE = "The secret of this service has changed since: please enter the URL again."


class TargetNotFound(NotFound):
    message = "Target not found."


class TooManyTargets(Conflict):
    message = f"An account can have {MOST_TARGETS} notification targets. Delete one that you no longer use."


@dataclass(frozen=True, slots=True)
class Occurrence:
    owner_id: str
    event: EventName
    title: str
    text: str
    bot_id: str | None = None
    run_id: str | None = None


def tell(session: Session, now: datetime, *occurrences: Occurrence) -> None:
    """Add these events to their owners' notifications, and deliveries to the targets that want them."""
    if not occurrences:
        return
    owners = {each.owner_id for each in occurrences}
    targets = defaultdict(list)
    for target in storage.enabled_targets(session, owners):
        targets[target.owner_id].append(target)
    notifications, deliveries = [], []
    for each in occurrences:
        row = _row(each, now)
        notifications.append(row)
        chosen = [target for target in targets[each.owner_id] if each.event in target.events]
        deliveries += [_delivery(target.id, row) for target in chosen]
    storage.add(session, notifications, deliveries)
    note(session, *(Change(owner_id, "notification", "created") for owner_id in owners))


def _row(occurrence: Occurrence, now: datetime) -> dict[str, Any]:
    return {
        "id": new_id(),
        "owner_id": occurrence.owner_id,
        "event": occurrence.event,
        "title": occurrence.title,
        "text": occurrence.text,
        "bot_id": occurrence.bot_id,
        "run_id": occurrence.run_id,
        "created_at": now,
        "read": False,
    }


def _delivery(target_id: str, row: dict[str, Any]) -> dict[str, Any]:
    delivery_id = new_id()
    facts = {name: row[name] for name in ("event", "title", "text", "bot_id", "run_id", "created_at")}
    message = TargetMessage(id=delivery_id, **facts).model_dump(mode="json")
    return {
        "id": delivery_id,
        "target_id": target_id,
        "message": message,
        "attempts": 0,
        "admitted": False,
        "due_at": row["created_at"],
    }


def transfer_notifications(session: Session, from_owner: str, to_owner: str) -> None:
    storage.transfer(session, from_owner, to_owner)


class Notifications:
    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        sealer: Sealer,
        senders: Senders,
        limit: RollingLimit,
        clock: Clock,
    ) -> None:
        self._database, self._accounts, self._sealer = database, accounts, sealer
        self._senders, self._limit, self._clock = senders, limit, clock

    def newest(self, principal: Principal) -> NotificationList:
        with self._database.read() as session:
            found = storage.newest(session, principal.owner_id)
        views = [NotificationView.model_validate(each, from_attributes=True) for each in found]
        return NotificationList(notifications=views, unread_count=sum(not each.read for each in found))

    def mark_read(self, principal: Principal, until: str | None) -> None:
        if until is not None and not is_id(until):
            return
        with self._database.write() as session:
            if storage.mark_read(session, principal.owner_id, until):
                note(session, Change(principal.owner_id, "notification", "read"))

    def targets(self, identity: Identity) -> list[TargetView]:
        with self._database.read() as session:
            return [_view(target) for target in storage.targets_of(session, identity.user_id)]

    async def create(self, identity: Identity, draft: TargetDraft) -> NewTarget:
        await self._senders.check(draft.url)
        return await in_thread(self._create, identity, draft)

    async def change(self, identity: Identity, target_id: str, patch: TargetPatch) -> TargetView:
        await in_thread(self._existing_view, identity, target_id)
        if "url" in patch.model_fields_set:
            await self._senders.check(patch.url)
        return await in_thread(self._change, identity, target_id, patch)

    def delete(self, identity: Identity, target_id: str) -> None:
        with self._database.write() as session:
            if not is_id(target_id) or not storage.delete_target(session, identity.user_id, target_id):
                raise TargetNotFound

    async def test(self, identity: Identity, target_id: str) -> TestView:
        """Send one message now. It counts under the target's rate limit."""
        sealed = await in_thread(self._admitted, identity, target_id)
        message = TargetMessage(
            id=new_id(),
            event="test",
            title="Strategy Bot: a test",
            text="This target works. It will be told of the events that you chose.",
            bot_id=None,
            run_id=None,
            created_at=self._clock(),
        )
        try:
            url = self._sealer.unseal(sealed, target_id)
            await self._senders.send(url, message, self._sealer.signing_secret(target_id))
        except Unsealable:
            return TestView(sent=False, error=UNSEALABLE)
        except NotSent as error:
            return TestView(sent=False, error=str(error))
        return TestView(sent=True, error=None)

    def _create(self, identity: Identity, draft: TargetDraft) -> NewTarget:
        target = Target(id=new_id(), owner_id=identity.user_id, created_at=self._clock(), name=draft.name)
        target.events, target.enabled = list(dict.fromkeys(draft.events)), draft.enabled
        self._set_url(target, draft.url)
        with self._database.write() as session:
            self._accounts.hold(session, identity.principal)
            if len(storage.targets_of(session, identity.user_id)) >= MOST_TARGETS:
                raise TooManyTargets
            session.add(target)
        secret = self._sealer.signing_secret(target.id)
        return NewTarget(**_view(target).model_dump(), signing_secret=secret)

    def _existing_view(self, identity: Identity, target_id: str) -> TargetView:
        with self._database.read() as session:
            return _view(_owned(session, identity, target_id))

    def _change(self, identity: Identity, target_id: str, patch: TargetPatch) -> TargetView:
        fields = patch.model_fields_set
        with self._database.write() as session:
            target = _owned(session, identity, target_id, lock=True)
            target.name = patch.name if "name" in fields else target.name
            target.enabled = patch.enabled if "enabled" in fields else target.enabled
            target.events = list(dict.fromkeys(patch.events)) if "events" in fields else target.events
            if "url" in fields:
                self._set_url(target, patch.url)
            return _view(target)

    def _set_url(self, target: Target, url: str) -> None:
        target.masked_url, target.sealed_url = masked(url), self._sealer.seal(url, target.id)
        target.last_sent_at = target.last_error = None

    def _admitted(self, identity: Identity, target_id: str) -> bytes:
        with self._database.write() as session:
            sealed = _owned(session, identity, target_id).sealed_url
            self._limit.admit(session, target_id)
            return sealed


def _owned(session: Session, identity: Identity, target_id: str, *, lock: bool = False) -> Target:
    target = storage.find_target(session, identity.user_id, target_id, lock=lock) if is_id(target_id) else None
    if target is None:
        raise TargetNotFound
    return target


def _view(target: Target) -> TargetView:
    return TargetView(
        id=target.id,
        name=target.name,
        url=target.masked_url,
        events=target.events,
        enabled=target.enabled,
        created_at=target.created_at,
        last_sent_at=target.last_sent_at,
        last_error=target.last_error,
    )

"""Notifications: what happened to an owner's runs, shown by the bell in the app and sent to targets of their choice.

`tell` is the one function for writers. They call it in the transaction that makes the event true.
"""

import json
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from strategybot.accounts.service import Accounts, Principal
from strategybot.kit.changes import Change, note
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import Conflict, FieldError, InvalidInput, NotFound
from strategybot.kit.identifiers import is_id, new_id
from strategybot.kit.limits import RollingLimit
from strategybot.kit.threads import run_blocking
from strategybot.notifications import storage
from strategybot.notifications.addresses import BadHost
from strategybot.notifications.kinds import TargetKind, kind_name, public_fields, target_of
from strategybot.notifications.old_urls import BadUrl, target_from_url
from strategybot.notifications.schemas import (
    BellEvent,
    KindName,
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
ADDRESS_MEMBERS = {"kind", "fields", "url"}
ADDRESS_LOST = "The address of this target cannot be read any more: please enter it again."


class TargetNotFound(NotFound):
    message = "Target not found."


class TooManyTargets(Conflict):
    message = f"An account can have {MOST_TARGETS} notification targets. Delete one that you no longer use."


@dataclass(frozen=True, slots=True)
class Occurrence:
    owner_id: str
    event: BellEvent
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

    def targets(self, principal: Principal) -> list[TargetView]:
        with self._database.read() as session:
            return [self._view(target) for target in storage.targets_of(session, principal.owner_id)]

    async def create(self, principal: Principal, draft: TargetDraft) -> NewTarget:
        address = await self._check(draft, None, principal.owner_id)
        return await run_blocking(self._create, principal, draft, address)

    async def change(self, principal: Principal, target_id: str, patch: TargetPatch) -> TargetView:
        known = await run_blocking(self._kind_of, principal, target_id)
        has_address = patch.model_fields_set & ADDRESS_MEMBERS
        address = await self._check(patch, known, principal.owner_id) if has_address else None
        return await run_blocking(self._change, principal, target_id, patch, address)

    async def _check(self, draft: TargetDraft | TargetPatch, known: KindName | None, owner_id: str) -> TargetKind:
        """Return the address that the request asks for. Raise `InvalidInput` if messages cannot go there."""
        address = asked_address(draft, known)
        try:
            await self._senders.check(address, owner_id)
        except BadHost as error:
            named = "url" if "url" in draft.model_fields_set else f"fields.{address.host_field}"
            raise InvalidInput([FieldError(named, str(error))]) from None
        return address

    def convert_old_targets(self) -> None:
        """Turn the URLs that targets had in older versions into fields. A target whose URL cannot be used is switched
        off, and its owner is told by the bell.

        It is done at the start of a process and not by a migration, because a migration does not have the key.
        """
        with self._database.write() as session:
            for target in storage.targets_with_urls(session):
                with suppress(Unsealable):  # made with another secret, which may come back
                    self._convert(session, target)

    def _convert(self, session: Session, target: Target) -> None:
        url = self._sealer.unseal(target.sealed_fields, target.id)
        try:
            self._set_address(target, target_from_url(url))
        except BadUrl as error:
            target.enabled, target.sealed_fields, target.last_error = False, b"", ADDRESS_LOST
            title = f"Notifications to {target.name} are switched off"
            text = f"Its URL {error.reason}. Enter on the account page where to send them."
            tell(session, self._clock(), Occurrence(target.owner_id, "target.disabled", title, text))

    def delete(self, principal: Principal, target_id: str) -> None:
        with self._database.write() as session:
            if not is_id(target_id) or not storage.delete_target(session, principal.owner_id, target_id):
                raise TargetNotFound

    async def test(self, principal: Principal, target_id: str) -> TestView:
        """Send one message now. It counts under the target's rate limit."""
        with self._senders.place(principal.owner_id):
            target = await run_blocking(self._admit, principal, target_id)
            error = await self._send_test(target)
        return TestView(sent=error is None, error=error)

    async def _send_test(self, target: Target) -> str | None:
        """Send one message to the target; return why it was not delivered."""
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
            secret = self._sealer.signing_secret(target.id)
            await self._senders.send(unseal(self._sealer, target), message, secret, target.owner_id)
        except Unsealable:
            return ADDRESS_LOST
        except NotSent as error:
            return str(error)
        return None

    def _create(self, principal: Principal, draft: TargetDraft, address: TargetKind) -> NewTarget:
        target = Target(id=new_id(), owner_id=principal.owner_id, created_at=self._clock(), name=draft.name)
        target.events, target.enabled = list(dict.fromkeys(draft.events)), draft.enabled
        self._set_address(target, address)
        with self._database.write() as session:
            self._accounts.lock_owner(session, principal)
            if len(storage.targets_of(session, principal.owner_id)) >= MOST_TARGETS:
                raise TooManyTargets
            session.add(target)
        secret = self._sealer.signing_secret(target.id)
        return NewTarget(**self._view(target).model_dump(), signing_secret=secret)

    def _kind_of(self, principal: Principal, target_id: str) -> KindName | None:
        with self._database.read() as session:
            return _find_owned(session, principal, target_id).kind

    def _change(
        self, principal: Principal, target_id: str, patch: TargetPatch, address: TargetKind | None
    ) -> TargetView:
        fields = patch.model_fields_set
        with self._database.write() as session:
            target = _find_owned(session, principal, target_id, lock=True)
            target.name = patch.name if "name" in fields else target.name
            target.enabled = patch.enabled if "enabled" in fields else target.enabled
            target.events = list(dict.fromkeys(patch.events)) if "events" in fields else target.events
            if address is not None:
                self._set_address(target, address)
            return self._view(target)

    def _set_address(self, target: Target, address: TargetKind) -> None:
        target.kind, target.masked_url = kind_name(address), address.masked
        target.sealed_fields = self._sealer.seal(json.dumps(address.model_dump()), target.id)
        target.last_sent_at = target.last_error = None

    def _admit(self, principal: Principal, target_id: str) -> Target:
        with self._database.write() as session:
            target = _find_owned(session, principal, target_id)
            self._limit.admit(session, target_id)
            return target

    def _view(self, target: Target) -> TargetView:
        try:
            address = unseal(self._sealer, target)
        except Unsealable:
            address = None
        return TargetView(
            id=target.id,
            name=target.name,
            kind=address and target.kind,
            fields={} if address is None else public_fields(address),
            url=target.masked_url,
            events=target.events,
            enabled=target.enabled,
            created_at=target.created_at,
            last_sent_at=target.last_sent_at,
            last_error=target.last_error,
        )


def unseal(sealer: Sealer, target: Target) -> TargetKind:
    """Return where messages to the target go. Raise `Unsealable` if that cannot be read."""
    if target.kind is None:
        raise Unsealable
    try:
        return target_of(target.kind, json.loads(sealer.unseal(target.sealed_fields, target.id)))
    except InvalidInput:  # written by a version with other rules
        raise Unsealable from None


def asked_address(draft: TargetDraft | TargetPatch, known: KindName | None) -> TargetKind:
    """Return the address that a request asks for, of the kind `known` if it names none."""
    members = draft.model_fields_set & ADDRESS_MEMBERS
    if members == {"url"}:
        return target_from_url(draft.url)
    if "url" in members:
        raise InvalidInput([FieldError("url", "cannot be given together with `kind` and `fields`")])
    kind = draft.kind if "kind" in members else known
    if kind is None or "fields" not in members:
        missing = "fields" if kind else "kind"
        raise InvalidInput([FieldError(missing, "is required, or `url` instead of `kind` and `fields`")])
    return target_of(kind, draft.fields)


def _find_owned(session: Session, principal: Principal, target_id: str, *, lock: bool = False) -> Target:
    target = storage.find_target(session, principal.owner_id, target_id, lock=lock) if is_id(target_id) else None
    if target is None:
        raise TargetNotFound
    return target

"""Delivers messages to targets: at least once, three more tries with growing pauses, 30 an hour and then one summary.

The deliveries are rows, each asked for through the job queue when it is due. While a process sends one, it is not due
for a minute; if the process dies, another one sends it again, with the same id.
"""

import logging
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import anyio

from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.errors import TooManyRequests
from strategybot.kit.jobs import JobsFactory
from strategybot.kit.limits import RollingLimit
from strategybot.kit.threads import repeat, run_blocking, run_read
from strategybot.notifications import storage
from strategybot.notifications.schemas import TargetMessage
from strategybot.notifications.sealing import Sealer, Unsealable
from strategybot.notifications.senders import MOST_SENT_AT_ONCE, NotSent, Senders, TooManySent
from strategybot.notifications.service import ADDRESS_LOST, unseal
from strategybot.notifications.storage import Delivery, Target

logger = logging.getLogger("strategybot.notifications")

POLL_SECONDS = 1
MOST_AT_ONCE = 100
TIME_TO_SEND = timedelta(minutes=1)
PAUSES = (timedelta(seconds=10), timedelta(minutes=1), timedelta(minutes=5))
LEAST_OF_A_SUMMARY = 2
WAITS_FOR_A_PLACE = -1  # as the number of attempts: the limit was full when it was due


@dataclass(frozen=True, slots=True)
class Claimed:
    target: Target
    message: TargetMessage


class Courier:
    def __init__(
        self,
        database: Database,
        sealer: Sealer,
        senders: Senders,
        limit: RollingLimit,
        clock: Clock,
        jobs: JobsFactory,
    ) -> None:
        self._database, self._sealer, self.senders = database, sealer, senders
        self._limit, self._clock = limit, clock
        self._jobs = jobs("notifications", self.deliver)

    async def work(self) -> None:
        """Deliver what is due until cancelled."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._jobs.work)
            tasks.start_soon(repeat, "looking for deliveries", self.look, POLL_SECONDS)

    async def look(self) -> None:
        """Queue the deliveries that are due."""
        for delivery_id in await run_read(self.due):
            await self._jobs.ask(delivery_id)

    async def deliver(self, delivery_id: str) -> None:
        """Send one delivery, unless another process sends it or it has to wait."""
        owner_id = await run_read(self._owner_of, delivery_id)
        with suppress(TooManySent), self.senders.place(owner_id):  # if they are taken, it stays due
            await self._deliver(delivery_id)

    async def _deliver(self, delivery_id: str) -> None:
        claimed = await run_blocking(self.claim, delivery_id)
        if claimed is None:
            return
        error, target = None, claimed.target
        try:
            secret = self._sealer.signing_secret(target.id)
            await self.senders.send(unseal(self._sealer, target), claimed.message, secret, target.owner_id)
        except Unsealable:
            error = ADDRESS_LOST
        except NotSent as fault:
            error = str(fault)
        await run_blocking(self._write_down, delivery_id, error)

    def due(self) -> list[str]:
        with self._database.read() as session:
            return storage.due_deliveries(session, self._clock(), MOST_AT_ONCE, MOST_SENT_AT_ONCE)

    def _owner_of(self, delivery_id: str) -> str:
        with self._database.read() as session:
            return storage.owner_of_delivery(session, delivery_id) or ""

    def claim(self, delivery_id: str) -> Claimed | None:
        now = self._clock()
        with self._database.write() as session:
            found = storage.due_delivery(session, delivery_id, now)
            if found is None:
                return None
            delivery, target = found
            if not delivery.admitted and not self._admit(session, delivery, now):
                return None
            delivery.attempts, delivery.due_at = delivery.attempts + 1, now + TIME_TO_SEND
            return Claimed(target, TargetMessage.model_validate(delivery.message))

    def _admit(self, session: Session, delivery: Delivery, now: datetime) -> bool:
        """Take a place under the rate limit, for this and all waiting deliveries. If it is full, postpone this one."""
        was_full = delivery.attempts == WAITS_FOR_A_PLACE
        try:
            self._limit.admit(session, delivery.target_id)
        except TooManyRequests as full:
            delivery.attempts, delivery.due_at = WAITS_FOR_A_PLACE, now + timedelta(seconds=full.retry_after_seconds)
            return False
        delivery.admitted, delivery.attempts = True, 0
        if was_full:
            delivery.message = summary(delivery.id, storage.take_waiting(session, delivery, LEAST_OF_A_SUMMARY), now)
        return True

    def _write_down(self, delivery_id: str, error: str | None) -> None:
        now = self._clock()
        with self._database.write() as session:
            delivery = session.get(Delivery, delivery_id)
            target = None if delivery is None else session.get(Target, delivery.target_id)
            if delivery is None or target is None:  # deleted meanwhile
                return
            target.last_error = error
            if error is None:
                target.last_sent_at = now
            if error is None or delivery.attempts > len(PAUSES):
                session.delete(delivery)
            else:
                delivery.due_at = now + PAUSES[delivery.attempts - 1]


def summary(delivery_id: str, messages: list[dict[str, Any]], now: datetime) -> dict[str, Any]:
    """Return one message for several; a single one is returned unchanged."""
    if len(messages) == 1:
        return messages[0]
    counts = Counter(message["event"] for message in messages)
    lines = [f"{count} × {event}" for event, count in counts.most_common()]
    return TargetMessage(
        id=delivery_id,
        event="summary",
        title=f"Strategy Bot: {len(messages)} more events",
        text="\n".join(["There were more than 30 messages in an hour. Since then:", *lines]),
        bot_id=None,
        run_id=None,
        created_at=now,
        summarises=len(messages),
    ).model_dump(mode="json")

"""The request rate of the plan, shared by all processes: each call waits for its slot or is refused."""

from datetime import timedelta

import anyio

from strategybot.kit.clock import Clock
from strategybot.kit.database import Database
from strategybot.kit.threads import in_thread
from strategybot.market import storage
from strategybot.market.provider import NotAdmitted

PATIENCE = timedelta(seconds=5)


class SharedPace:
    def __init__(self, database: Database, clock: Clock, provider: str, spacing: timedelta, burst: int = 1) -> None:
        self._database, self._clock, self._provider = database, clock, provider
        self._spacing, self._burst = spacing, burst

    async def __call__(self) -> None:
        """Return when the call may be made. Raise NotAdmitted if that is later than `PATIENCE`."""
        wait = await in_thread(self._take_turn)
        if wait is None:
            raise NotAdmitted("our share of the provider's plan is used up for the moment")
        await anyio.sleep(wait.total_seconds())

    def _take_turn(self) -> timedelta | None:
        with self._database.write() as session:
            self._database.exclusive(session, f"pace:{self._provider}")
            return storage.take_turn(session, self._provider, self._clock(), self._spacing, self._burst, PATIENCE)

"""The retention job: deletes what has expired, old runs, and the details of younger ones, a bounded piece at a time.

`docs/operations.md` lists what is kept for how long.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta

import strategybot.notifications.storage as notifications
from strategybot.accounts.service import Accounts
from strategybot.accounts.tiers import RUNS_KEPT_PER_BOT
from strategybot.conversations.storage import delete_old_calls
from strategybot.kit import changes
from strategybot.kit.clock import Clock
from strategybot.kit.database import Database, Session
from strategybot.kit.limits import forget_expired
from strategybot.market import listings
from strategybot.run_kinds import RUN_KINDS, RunKind
from strategybot.runs.retention import delete_runs, old_runs, runs_to_trim

JOURNAL_KEPT = timedelta(days=90)
ROWS_AT_ONCE = 100  # in one transaction: others wait to write meanwhile
CHANGES_AT_ONCE = 1000
BETWEEN_COUNTS = timedelta(hours=1)  # of all runs, which reads a whole index
MOST_PIECES = 200  # in one round; the next round continues


class Retention:
    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        clock: Clock,
        runs_kept: int = RUNS_KEPT_PER_BOT,
        kinds: Sequence[RunKind] = RUN_KINDS,
    ) -> None:
        self._database, self._accounts, self._clock = database, accounts, clock
        self._runs_kept, self._kinds = runs_kept, kinds
        self._rows_due = clock()

    def run(self) -> None:
        self._accounts.forget_expired()
        with self._database.write() as session:
            forget_expired(session, self._clock())
            listings.delete_old(session, self._clock())
        for kind in self._kinds:
            self._trim(kind)
        self._delete_old_runs()
        now = self._clock()
        self._in_pieces(lambda session: delete_old_calls(session, now - JOURNAL_KEPT, ROWS_AT_ONCE), ROWS_AT_ONCE)
        self._in_pieces(lambda session: changes.prune(session, now, CHANGES_AT_ONCE), CHANGES_AT_ONCE)
        self._in_pieces(lambda session: notifications.trim(session, ROWS_AT_ONCE), ROWS_AT_ONCE)

    def _delete_old_runs(self) -> None:
        now = self._clock()
        if now < self._rows_due:
            return
        self._rows_due = now + BETWEEN_COUNTS
        for kind in self._kinds:
            for _ in range(MOST_PIECES):
                with self._database.read() as session:
                    runs = old_runs(session, kind.row, self._runs_kept, ROWS_AT_ONCE, kind.kept_first)
                if not runs:
                    break
                with self._database.write() as session:
                    delete_runs(session, kind.row, runs)

    def _trim(self, kind: RunKind) -> None:
        for _ in range(MOST_PIECES):
            with self._database.read() as session:
                runs = runs_to_trim(session, kind.row, kind.detailed, ROWS_AT_ONCE)
            if not runs:
                return
            with self._database.write() as session:
                kind.trim(session, runs)

    def _in_pieces(self, delete: Callable[[Session], int], at_once: int) -> None:
        """Delete rows, so many in one transaction, until there are no more."""
        for _ in range(MOST_PIECES):
            with self._database.write() as session:
                deleted = delete(session)
            if deleted < at_once:
                return

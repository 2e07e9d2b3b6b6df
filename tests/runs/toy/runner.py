"""Works on the toy: counts the hours of the span."""

from strategybot.kit.threads import run_blocking
from strategybot.runs.runner import LiveRun, QueuedRunner
from strategybot.runs.storage import end, run_to_write
from tests.runs.toy.storage import Count


class Counter(QueuedRunner[Count, LiveRun]):
    model, live, queue = Count, LiveRun, "counts"

    async def work_on(self, run: Count, live: LiveRun) -> None:
        live.follow = lambda: 50.0
        if not live.abandoned:
            await run_blocking(self._write_down, run)

    def _write_down(self, run: Count) -> None:
        with self._database.write() as session:
            held = run_to_write(session, Count, run.lease)
            if held is not None:
                held.counted = (run.end_time - run.start_time) // run.interval_seconds
                end(session, held, "completed", self._clock())

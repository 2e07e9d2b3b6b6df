"""Starts and shows the toy."""

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.kit.errors import NotFound
from strategybot.runs.service import QueuedRuns
from tests.runs.toy.schemas import CountPage, CountRequest, CountView
from tests.runs.toy.storage import Count


class CountNotFound(NotFound):
    message = "Count not found."


class Counts(QueuedRuns[Count, CountView, CountPage]):
    model, missing = Count, CountNotFound
    summary_type, page_type, plural = CountView, CountPage, "counts"

    async def start(
        self, principal: Principal, defaults: UserSettings, bot_id: str, request: CountRequest
    ) -> CountView:
        def planned() -> Count:
            bot = self._bots.bot(principal, bot_id)
            return Count(**self.history_columns(principal, bot, defaults, request, "1h", 0), counted=0)

        return await self._submit(principal, planned)

    def view(self, run: Count) -> CountView:
        return CountView.model_validate(run)

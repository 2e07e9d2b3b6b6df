"""What the research endpoints take and give."""

from typing import Annotated

from pydantic import ConfigDict, Field

from strategybot.backtests.schemas import Moment
from strategybot.kit.validation import Body


class HoldoutRequest(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"from": "2026-01-01T00:00:00Z"}]})

    from_time: Annotated[
        Moment | None, Field(alias="from", description="The newest quarter of the bot's history by default")
    ] = None

"""Path and query parameters that several routes share."""

from typing import Annotated

from fastapi import Path, Query

from strategybot.kit.clock import LATEST_MOMENT

Id = Annotated[str, Path(json_schema_extra={"format": "uuid"})]
Moment = Annotated[int | None, Query(ge=0, le=LATEST_MOMENT, description="Unix seconds")]
FromTime = Annotated[int | None, Query(alias="from", ge=0, le=LATEST_MOMENT, description="Unix seconds")]
ToTime = Annotated[int | None, Query(alias="to", ge=0, le=LATEST_MOMENT, description="Unix seconds")]

"""Path and query parameters that several routes share."""

from typing import Annotated

from fastapi import Depends, Path, Query

from strategybot.kit.clock import LATEST_MOMENT
from strategybot.kit.paging import Paging

Id = Annotated[str, Path(description="The id, as listings and answers have it", json_schema_extra={"format": "uuid"})]
Moment = Annotated[int | None, Query(ge=0, le=LATEST_MOMENT, description="Unix seconds")]
FromTime = Annotated[int | None, Query(alias="from", ge=0, le=LATEST_MOMENT, description="Unix seconds")]
ToTime = Annotated[int | None, Query(alias="to", ge=0, le=LATEST_MOMENT, description="Unix seconds")]

# 2^31 pages of 100 rows fit into the integers of both databases.
Page = Annotated[int, Query(ge=1, le=2**31 - 1, description="The page, from 1")]
PerPage = Annotated[int, Query(ge=1, le=100, description="Entries a page")]


async def _hundred_a_page(page: Page = 1, per_page: PerPage = 100) -> Paging:
    return Paging(page, per_page)


async def _twenty_a_page(page: Page = 1, per_page: PerPage = 20) -> Paging:
    return Paging(page, per_page)


TwentyAPage = Annotated[Paging, Depends(_twenty_a_page)]
HundredAPage = Annotated[Paging, Depends(_hundred_a_page)]
OfToken = Annotated[str | None, Query(max_length=200, description="Of a portfolio: one of its tokens")]

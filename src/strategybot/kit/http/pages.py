"""Paging parameters of the query string."""

from typing import Annotated

from fastapi import Depends, Query

from strategybot.kit.http.quick import quick
from strategybot.kit.paging import Paging

# 2^31 pages of 100 rows fit into the integers of both databases.
Page = Annotated[int, Query(ge=1, le=2**31 - 1, description="The page, from 1")]
PerPage = Annotated[int, Query(ge=1, le=100, description="Entries a page")]


@quick(lambda _request: Paging(1, 100))  # without a query string
async def _hundred_a_page(page: Page = 1, per_page: PerPage = 100) -> Paging:
    return Paging(page, per_page)


@quick(lambda _request: Paging(1, 20))
async def _twenty_a_page(page: Page = 1, per_page: PerPage = 20) -> Paging:
    return Paging(page, per_page)


TwentyAPage = Annotated[Paging, Depends(_twenty_a_page)]
HundredAPage = Annotated[Paging, Depends(_hundred_a_page)]

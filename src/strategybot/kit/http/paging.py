"""Pages: `page` from 1, `per_page` up to 100; past the last page is an empty list, not an error."""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import BaseModel

# 2^31 pages of 100 stay far inside what both databases count with.
Page = Annotated[int, Query(ge=1, le=2**31 - 1, description="The page, from 1")]
PerPage = Annotated[int, Query(ge=1, le=100, description="Entries a page")]

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Paging:
    page: int
    per_page: int

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.per_page


async def _hundred_a_page(page: Page = 1, per_page: PerPage = 100) -> Paging:
    return Paging(page, per_page)


HundredAPage = Annotated[Paging, Depends(_hundred_a_page)]


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """One page of rows, and how many there are in all."""

    rows: list[Row]
    total: int


class PageView(BaseModel):
    """What every page says of itself; the list and its total carry the noun's own name."""

    page: int
    per_page: int
    total_pages: int
    has_next: bool
    has_prev: bool


def page_fields(paging: Paging, total: int) -> dict[str, int | bool]:
    pages = -(-total // paging.per_page)
    return {
        "page": paging.page,
        "per_page": paging.per_page,
        "total_pages": pages,
        "has_next": paging.page < pages,
        "has_prev": paging.page > 1 and pages > 0,
    }

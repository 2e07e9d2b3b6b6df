"""Pages: `page` from 1, `per_page` up to 100. A page after the last one is an empty list, not an error."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, Field

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Paging:
    page: int
    per_page: int

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.per_page


@dataclass(frozen=True, slots=True)
class Slice(Generic[Row]):
    """One page of rows, and the total number of rows."""

    rows: Sequence[Row]
    total: int


class PageView(BaseModel):
    """The fields that every page has; the list and its total are named after the noun."""

    page: Annotated[int, Field(description="The number of this page, from 1")]
    per_page: Annotated[int, Field(description="How many rows a page has at most")]
    total_pages: Annotated[int, Field(description="How many pages there are")]
    has_next: Annotated[bool, Field(description="Whether there is a next page")]
    has_prev: Annotated[bool, Field(description="Whether there is a page before")]


def page_fields(paging: Paging, total: int) -> dict[str, int | bool]:
    pages = -(-total // paging.per_page)
    return {
        "page": paging.page,
        "per_page": paging.per_page,
        "total_pages": pages,
        "has_next": paging.page < pages,
        "has_prev": paging.page > 1 and pages > 0,
    }

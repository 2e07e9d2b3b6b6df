"""The rows of all pages as one sequence. A page is fetched when its first row is read."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from strategybot_client.frames import pandas_frame, polars_frame

Item = TypeVar("Item", bound=BaseModel)


class Rows(Generic[Item]):
    def __init__(self, item: type[Item], page: Callable[[int], tuple[list[Item], bool]]) -> None:
        self.item, self._page = item, page

    @classmethod
    def of(cls, item: type[Item], items: Sequence[Item]) -> "Rows[Item]":
        """Return these rows."""
        return cls(item, lambda _: (list(items), False))

    def __iter__(self) -> Iterator[Item]:
        number, has_next = 1, True
        while has_next:
            items, has_next = self._page(number)
            yield from items
            number += 1

    def to_pandas(self) -> Any:
        """Return a DataFrame of pandas, which must be installed. Its columns are those of the model, with and without
        rows.
        """
        return pandas_frame(self.item, list(self))

    def to_polars(self) -> Any:
        """Return a DataFrame of polars, which must be installed. A column that is no plain value is JSON text."""
        return polars_frame(self.item, list(self))


class AsyncRows(Generic[Item]):
    def __init__(self, item: type[Item], page: Callable[[int], Awaitable[tuple[list[Item], bool]]]) -> None:
        self.item, self._page = item, page

    async def __aiter__(self) -> AsyncIterator[Item]:
        number, has_next = 1, True
        while has_next:
            items, has_next = await self._page(number)
            for item in items:
                yield item
            number += 1

    async def to_pandas(self) -> Any:
        return pandas_frame(self.item, [item async for item in self])

    async def to_polars(self) -> Any:
        return polars_frame(self.item, [item async for item in self])

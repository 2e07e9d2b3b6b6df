"""The rows of all pages as one sequence. A page is fetched when its first row is read."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


class Rows(Generic[Item]):
    def __init__(self, page: Callable[[int], tuple[list[Item], bool]]) -> None:
        self._page = page

    def __iter__(self) -> Iterator[Item]:
        number, has_next = 1, True
        while has_next:
            items, has_next = self._page(number)
            yield from items
            number += 1

    def to_pandas(self) -> Any:
        return _frame("pandas", self)

    def to_polars(self) -> Any:
        return _polars(self)


class AsyncRows(Generic[Item]):
    def __init__(self, page: Callable[[int], Awaitable[tuple[list[Item], bool]]]) -> None:
        self._page = page

    async def __aiter__(self) -> AsyncIterator[Item]:
        number, has_next = 1, True
        while has_next:
            items, has_next = await self._page(number)
            for item in items:
                yield item
            number += 1

    async def to_pandas(self) -> Any:
        return _frame("pandas", [item async for item in self])

    async def to_polars(self) -> Any:
        return _polars([item async for item in self])


def _frame(library: str, items: Iterable[Any]) -> Any:
    """Return a DataFrame of this library, which must be installed."""
    return import_module(library).DataFrame([item.model_dump() for item in items])


def _polars(items: Iterable[Any]) -> Any:
    """Return a frame in which a strategy is JSON text: a column of polars has one type, and strategies differ."""
    rows = [{**item.model_dump(), **_strategy_text(item)} for item in items]
    return import_module("polars").DataFrame(rows, infer_schema_length=None)


def _strategy_text(item: Any) -> dict[str, str]:
    strategy = getattr(item, "strategy", None)
    return {} if strategy is None else {"strategy": strategy.model_dump_json()}

"""Sends requests and reads answers; the operations are written on top of it.

A GET is sent again after a connection error: it changes nothing, and a server may be restarting.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from strategybot_client.errors import UnexpectedAnswer, Unreachable, raise_refusal, raise_refusal_async
from strategybot_client.rows import AsyncRows, Rows

LOCAL = "http://127.0.0.1:8000"
SECONDS_TO_ANSWER = 60.0
PAUSES = (0.2, 0.6, 1.5)  # seconds before a GET is sent again
ROWS_A_PAGE = 100
UNSET: Any = object()
"""The default of an argument that is not sent."""
Item = TypeVar("Item", bound=BaseModel)
Values = Mapping[str, Any] | None


class _Requests:
    http_client: type[Any]
    check: Callable[[httpx2.Response], object]

    def __init__(
        self, url: str = LOCAL, token: str | None = None, timeout: float = SECONDS_TO_ANSWER, transport: Any = None
    ) -> None:
        """`transport` takes the place of the network; see httpx2."""
        self._url = url
        self._http = self.http_client(
            base_url=url, timeout=timeout, event_hooks={"response": [self.check]}, transport=transport
        )
        self.token = token or os.environ.get("STRATEGYBOT_TOKEN") or None
        """A personal token, or the access token of a login; STRATEGYBOT_TOKEN by default. It can be set later."""

    def events(self) -> Any:
        """Return a context with an iterator of changes as they happen: `with client.events() as events:`."""
        return self._http.sse("/api/events", headers=self._headers(None))

    @staticmethod
    def quoted(part: object) -> str:
        """Return a part of a path."""
        return quote(str(part), safe="")

    def _headers(self, more: Values) -> dict[str, str]:
        own = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return {**own, **_given(more)}

    def _request(self, method: str, path: str, query: Values, body: Values, headers: Values) -> dict[str, Any]:
        """Return the arguments of the HTTP client's `request`."""
        request = {"method": method, "url": path, "headers": self._headers(headers), "params": _given(query) or None}
        return request if body is None else {**request, "json": _given(body)}

    def _unreachable(self, error: Exception) -> Unreachable:
        return Unreachable(f"The server at {self._url} cannot be reached: {str(error) or type(error).__name__}")


class Sender(_Requests):
    """Sends a request and waits for the answer."""

    http_client, check = httpx2.Client, staticmethod(raise_refusal)

    def send(
        self, answer: Any, method: str, path: str, query: Values = None, body: Values = None, headers: Values = None
    ) -> Any:
        request = self._request(method, path, query, body, headers)
        for seconds in _pauses(method):
            try:
                return parsed(answer, self._http.request(**request))
            except httpx2.TransportError as error:
                if seconds is None:
                    raise self._unreachable(error) from error
                time.sleep(seconds)
        return None

    def rows(self, item: type[Item], name: str, path: str, query: Values = None) -> Rows[Item]:
        """Return the rows of all pages of a listing."""

        def page(number: int) -> tuple[list[Item], bool]:
            found = self.send(dict[str, Any], "GET", path, {**(query or {}), **_page(number)})
            return _items(item, name, found)

        return Rows(item, page)


class AsyncSender(_Requests):
    """The same, to be awaited."""

    http_client, check = httpx2.AsyncClient, staticmethod(raise_refusal_async)

    async def send(
        self, answer: Any, method: str, path: str, query: Values = None, body: Values = None, headers: Values = None
    ) -> Any:
        request = self._request(method, path, query, body, headers)
        for seconds in _pauses(method):
            try:
                return parsed(answer, await self._http.request(**request))
            except httpx2.TransportError as error:
                if seconds is None:
                    raise self._unreachable(error) from error
                await pause(seconds)
        return None

    def rows(self, item: type[Item], name: str, path: str, query: Values = None) -> AsyncRows[Item]:
        async def page(number: int) -> tuple[list[Item], bool]:
            found = await self.send(dict[str, Any], "GET", path, {**(query or {}), **_page(number)})
            return _items(item, name, found)

        return AsyncRows(item, page)


async def pause(seconds: float) -> None:
    from asyncio import sleep  # noqa: PLC0415  a client that is not awaited does not need it

    await sleep(seconds)


def parsed(answer: Any, response: httpx2.Response) -> Any:
    """Return the answer as this type."""
    if answer is str:
        return response.text
    try:
        return _adapter(answer).validate_json(response.content or b"null")
    except ValidationError as error:
        where = f"{response.request.method} {response.request.url}"
        raise UnexpectedAnswer(f"{where} was not answered as Strategy Bot does: {error}") from error


@cache
def _adapter(answer: Any) -> TypeAdapter[Any]:
    return TypeAdapter(answer)


def _pauses(method: str) -> Iterator[float | None]:
    """Yield the pause after each try; None after the last."""
    if method == "GET":
        yield from PAUSES
    yield None


def _page(number: int) -> dict[str, int]:
    return {"page": number, "per_page": ROWS_A_PAGE}


def _items(item: type[Item], name: str, page: dict[str, Any]) -> tuple[list[Item], bool]:
    return [item.model_validate(each) for each in page[name]], bool(page["has_next"])


def _given(values: Values) -> dict[str, Any]:
    """Return the values that were given, as JSON."""
    return {name: _jsonable(value) for name, value in (values or {}).items() if value is not UNSET}


def _jsonable(value: Any) -> Any:
    """Return a value as JSON; of models only the fields that were set."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {name: _jsonable(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(each) for each in value]
    return to_jsonable_python(value, fallback=str)

"""Strict parsing of JSON bodies: no NaN, lone surrogates, byte order mark or excessive nesting."""

from collections.abc import Callable, Coroutine
from functools import partial
from inspect import iscoroutinefunction, signature
from itertools import islice
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json

from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.threads import run_read

LARGE = 16 * 1024
MOST_MEMBERS = 100  # more than any schema has; an object with more is invalid whichever of them are kept


class JsonRequest(Request):
    """A request that returns the raw bytes if its body is not valid JSON."""

    async def json(self) -> Any:
        body = await self.body()
        try:
            read = from_json(body, allow_inf_nan=False)
            return read if len(body) < LARGE else _with_few_members(read)
        except ValueError:
            # No schema accepts bytes, so validation fails later. Raising here would answer 422 before authentication.
            return body


def _with_few_members(value: Any) -> Any:
    """Return the object with at most `MOST_MEMBERS` + 1 members: an error per unknown member costs far more than
    parsing it.
    """
    if isinstance(value, dict):
        return {name: _with_few_members(member) for name, member in islice(value.items(), MOST_MEMBERS + 1)}
    return [_with_few_members(item) for item in value] if isinstance(value, list) else value


def _read_in_thread(endpoint: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """Return the endpoint as a coroutine. FastAPI's own threads may all be waiting for a lock of the database."""

    async def run(**values: Any) -> Any:
        return await run_read(partial(endpoint, **values))

    # Only what FastAPI reads of a route: with `__wrapped__` it would inspect the plain function again.
    run.__name__, run.__doc__, run.__module__ = endpoint.__name__, endpoint.__doc__, endpoint.__module__
    run.__signature__ = signature(endpoint)  # type: ignore[attr-defined]  # a function takes one, typeshed knows none
    return run


class JsonRoute(APIRoute):
    """A route whose body is parsed by `JsonRequest`. A plain function that reads runs in the threads of reads."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        is_read = {"GET", "HEAD"} >= set(options.get("methods") or {"GET"})
        if not is_read and 401 in (options.get("responses") or {}):
            # Every route that changes something refuses a personal token with the scope `read` with 403.
            options["responses"] = {**error_responses(403), **options["responses"]}
        is_blocking_read = is_read and not iscoroutinefunction(endpoint)
        super().__init__(path, _read_in_thread(endpoint) if is_blocking_read else endpoint, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(JsonRequest(request.scope, request.receive))

        return handle_strictly

"""Strict parsing of JSON bodies: no NaN, lone surrogates, byte order mark or excessive nesting."""

from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from inspect import iscoroutinefunction, signature
from itertools import islice
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute, RouteContext
from pydantic_core import from_json

from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.quick import QuickRoutes, quick_answer
from strategybot.kit.threads import in_thread, reading

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


class JsonRoute(APIRoute):
    """A route whose body is parsed by `JsonRequest`.

    A plain `def` runs in a thread and validates its response there: FastAPI would use a second thread for that, which
    costs more than the validation.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        is_read = {"GET", "HEAD"} >= set(options.get("methods") or {"GET"})
        if not is_read and 401 in (options.get("responses") or {}):
            # Every route that changes something refuses a personal token with the scope `read` with 403.
            options["responses"] = {**error_responses(403), **options["responses"]}
        plain = endpoint if iscoroutinefunction(endpoint) else _in_one_thread(endpoint, is_read=is_read)
        self.quick_answer = quick_answer(endpoint) if is_read else None
        super().__init__(path, plain, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle, answer = super().get_route_handler(), self.quick_answer

        async def handle_strictly(request: Request) -> Response:
            if answer is not None and not request.scope["query_string"]:
                return await reading(answer, request)
            return await handle(JsonRequest(request.scope, request.receive))

        return handle_strictly


def quick_routes(contexts: Iterable[RouteContext]) -> QuickRoutes:
    """Return one route for all plain GET requests among these whose path has no parameters."""
    quick = {}
    for context in contexts:
        route = context.original_route
        if isinstance(route, JsonRoute) and route.quick_answer and context.path and not route.param_convertors:
            quick[context.path] = (route, route.quick_answer)
    return QuickRoutes(quick)


def _in_one_thread(endpoint: Callable[..., Any], *, is_read: bool) -> Callable[..., Coroutine[Any, Any, Any]]:
    async def run(**values: Any) -> Any:
        return await (reading if is_read else in_thread)(partial(endpoint, **values))

    # Only what FastAPI reads of a route: with `__wrapped__` it would inspect the plain function again.
    run.__name__, run.__doc__, run.__module__ = endpoint.__name__, endpoint.__doc__, endpoint.__module__
    run.__signature__ = signature(endpoint)  # type: ignore[attr-defined]  # a function takes one, typeshed knows none
    return run

"""A faster path for plain GET requests: dependencies, endpoint and response run in one thread.

FastAPI resolves each dependency separately, which costs more than most of our reads, and runs each blocking one in its
own thread. A dependency that is marked with `quick` names a plain function of the request that returns the same value.
A GET without a query string, whose parameters are all of that kind or parts of the path, bypasses FastAPI's resolver,
and its routers too if the path has no parameters (`QuickRoutes`). Everything else, including the OpenAPI document, is
unchanged.
"""

from collections.abc import Callable, Mapping
from functools import partial
from inspect import iscoroutinefunction
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from fastapi import Request, Response
from fastapi.params import Depends, Path
from pydantic import BaseModel, TypeAdapter
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from strategybot.kit.threads import reading

Dependency = TypeVar("Dependency", bound=Callable[..., Any])
Finder = Callable[[Request], Any]
QuickAnswer = Callable[[Request], Response]


def quick(find: Finder) -> Callable[[Dependency], Dependency]:
    """Mark a dependency with a function of the request that returns the same value. The function runs in a thread."""

    def mark(dependency: Dependency) -> Dependency:
        dependency.quick_finder = find  # type: ignore[attr-defined]
        return dependency

    return mark


def quick_answer(endpoint: Callable[..., Any]) -> QuickAnswer | None:
    """Return a function that answers a GET of this endpoint, or None if FastAPI must resolve it.

    A schema with a method `as_json` is encoded by it. The endpoint and its dependencies read with one connection.
    """
    hints = get_type_hints(endpoint, include_extras=True)
    shape = hints.pop("return", None)
    finders = {name: _finder(name, hint) for name, hint in hints.items()}
    is_plain = isinstance(shape, type) and issubclass(shape, BaseModel) and not iscoroutinefunction(endpoint)
    if not is_plain or not all(finders.values()):
        return None

    as_json: Callable[[Any], bytes]
    as_json = getattr(shape, "as_json", None) or partial(TypeAdapter(shape).dump_json, by_alias=True)

    def answer(request: Request) -> Response:
        with request.app.state.database.shared_look():
            result = endpoint(**{name: find(request) for name, find in finders.items() if find})
        return Response(as_json(result), media_type="application/json")

    return answer


class QuickRoutes(BaseRoute):
    """Answers plain GET requests of routes without path parameters. It comes before all routers: to try those takes
    FastAPI longer than the read itself.
    """

    def __init__(self, routes: Mapping[str, tuple[BaseRoute, QuickAnswer]]) -> None:
        self.answers = routes

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        found = self.answers.get(scope["path"])
        if found is None or scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
            return Match.NONE, {}
        return Match.FULL, {"route": found[0], "path_params": {}}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        _, answer = self.answers[scope["path"]]
        response = await reading(answer, Request(scope, receive, send))
        await response(scope, receive, send)


def _finder(name: str, hint: Any) -> Finder | None:
    if get_origin(hint) is not Annotated:
        return None
    kind, *marks = get_args(hint)
    for mark in marks:
        if isinstance(mark, Depends):
            finder: Finder | None = getattr(mark.dependency, "quick_finder", None)
            return finder
        if isinstance(mark, Path) and kind is str and not mark.metadata:  # nothing to validate: any string is accepted
            return lambda request: request.path_params[name]
    return None

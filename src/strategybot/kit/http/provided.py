"""Dependencies that give routes their services from the application's state."""

import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import TypeVar

from fastapi import Request

Service = TypeVar("Service")


def provide(service: type[Service]) -> Callable[[Request], Awaitable[Service]]:
    """Return the dependency that gives a route its service: `app.state.personal_tokens` for `PersonalTokens`.

    It is async because FastAPI would run a plain function in a thread.
    """

    async def find(request: Request) -> Service:
        return service_of(request, service)

    return find


def service_of(request: Request, service: type[Service]) -> Service:
    """Return the application's service of this type."""
    name = state_name(service.__name__)
    found = getattr(request.app.state, name)
    if not isinstance(found, service):
        raise TypeError(f"app.state.{name} is no {service.__name__}")
    return found


@cache
def state_name(class_name: str) -> str:
    """Return the name of a service of this class in the application's state."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", class_name).lower()

"""JSON bodies, read strictly: no NaN, no lone surrogate, no byte order mark, no bottomless nesting."""

import json
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from pydantic_core import from_json


class JsonRequest(Request):
    async def json(self) -> Any:
        try:
            return from_json(await self.body(), allow_inf_nan=False)
        except ValueError:
            # The one exception that FastAPI turns into a validation error of the body.
            raise json.JSONDecodeError("not valid JSON", "", 0) from None


class JsonRoute(APIRoute):
    """A route whose body is read by `JsonRequest`."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(JsonRequest(request.scope, request.receive))

        return handle_strictly

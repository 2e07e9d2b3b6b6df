"""Turns errors into responses: `{"detail": …}`, with `errors` for a 422. The input is never echoed."""

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException

from strategybot.kit.errors import AppError, FieldError, InvalidInput, MethodNotAllowed
from strategybot.kit.validation import field_errors

logger = logging.getLogger("strategybot.http")

SENTENCES = {400: "The request could not be read.", 404: "Not found."}
UNDECLARED = "must be JSON, sent with the header 'Content-Type: application/json'"


def install_error_rendering(app: FastAPI) -> None:
    app.add_exception_handler(AppError, _render)
    app.add_exception_handler(RequestValidationError, _render_validation)
    app.add_exception_handler(HTTPException, _render_framework)


async def _render(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AppError)  # noqa: S101  registered for nothing else
    if error.status >= 500:
        logger.warning("answered %d: %s", error.status, error.message, extra={"cause": repr(error.__cause__)})
    return JSONResponse(error.body(), status_code=error.status, headers=error.headers)


async def _render_validation(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101  registered for nothing else
    return await _render(request, InvalidInput(_request_errors(request, error)))


def _request_errors(request: Request, error: RequestValidationError) -> list[FieldError]:
    """Return the field errors without the first part of FastAPI's locations: body, query, path or header."""
    if isinstance(error.body, bytes):
        return [FieldError("body", "is not valid JSON" if _says_json(request) else UNDECLARED)]
    details = [{**detail, "loc": _without_source(detail)} for detail in error.errors()]
    return field_errors(details, error.body)  # type: ignore[arg-type]  # FastAPI does not type its details


def _says_json(request: Request) -> bool:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return media_type == "application/json" or media_type.endswith("+json")


def _without_source(detail: dict[str, object]) -> tuple[int | str, ...]:
    location = detail["loc"]
    assert isinstance(location, tuple)  # noqa: S101  so says FastAPI
    return location[1:]


async def _render_framework(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101  registered for nothing else
    detail = SENTENCES.get(error.status_code, "The request was refused.")
    if error.status_code == 405:
        return await _render(request, MethodNotAllowed(_allowed_methods(request)))
    return JSONResponse({"detail": detail}, status_code=error.status_code, headers=error.headers)


def _allowed_methods(request: Request) -> str:
    """Return every method of the path. Starlette names only those of the first matching route."""
    path = request.scope["route"].path
    routes = [route for route in iter_route_contexts(request.app.routes) if route.path == path]
    shown = [route for route in routes if getattr(route, "include_in_schema", True)] or routes
    return ", ".join(sorted({method for route in shown for method in route.methods or ()}))

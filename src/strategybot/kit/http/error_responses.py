"""The error responses that a route declares in the OpenAPI document."""

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import BaseModel, Field


class ErrorView(BaseModel):
    detail: Annotated[str, Field(description="What is wrong, in one sentence")]


class RefusalView(ErrorView):
    upsell_message: Annotated[str, Field(default_factory=str, description="Present where another tier permits it")]


class FieldErrorView(BaseModel):
    field: Annotated[str, Field(description="Which field, as a path")]
    message: Annotated[str, Field(description="Which rule it breaks")]


class InvalidInputView(ErrorView):
    errors: Annotated[list[FieldErrorView], Field(description="One entry for each field that breaks a rule")]


_MEANINGS: dict[int, tuple[type[ErrorView], str]] = {
    401: (ErrorView, "The token is missing, malformed, expired, unknown or blacklisted"),
    403: (RefusalView, "The tier, the visitor's allowance or the personal token does not permit this"),
    404: (ErrorView, "It does not exist, or it belongs to someone else"),
    409: (ErrorView, "It conflicts with the current state"),
    410: (ErrorView, "It was deleted because it is old"),
    413: (ErrorView, "The body is larger than 1 MiB"),
    422: (InvalidInputView, "The input breaks a rule; `errors` names each field"),
    429: (ErrorView, "Too many requests; `Retry-After` says when to try again"),
    503: (ErrorView, "A component that it depends on cannot be reached"),
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` argument of a route that may raise these errors."""
    return {status: _answer(status) for status in _with_common(statuses)}


def _with_common(statuses: Iterable[int]) -> list[int]:
    return sorted({*statuses, 413, 422, 503})


def _answer(status: int) -> dict[str, Any]:
    model, description = _MEANINGS[status]
    answer: dict[str, Any] = {"model": model, "description": description}
    if status == 429:
        answer["headers"] = {"Retry-After": {"description": "Seconds", "schema": {"type": "integer"}}}
    if status == 401:
        answer["headers"] = {"WWW-Authenticate": {"description": "Bearer", "schema": {"type": "string"}}}
    return answer

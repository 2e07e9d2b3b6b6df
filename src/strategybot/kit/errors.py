"""Errors as nouns: each class has a message for the user and an HTTP status.

A rule raises a short subclass that is defined beside it. Only `kit/http/rendering.py` turns it into a response.
"""

from collections.abc import Sequence
from dataclasses import dataclass


class AppError(Exception):
    """The base class of every refusal. `message` is one clear sentence for the user."""

    status: int = 500
    message: str = "Internal server error"

    def __init__(self, message: str | None = None) -> None:
        self.message = message or self.message
        super().__init__(self.message)

    @property
    def headers(self) -> dict[str, str]:
        return {}

    @property
    def advice(self) -> str:
        """The message, and for a refusal by the tier which tier permits it: for clients that show one text."""
        return self.message

    def body(self) -> dict[str, object]:
        return {"detail": self.message}


class NotFound(AppError):
    """It does not exist or belongs to someone else. Both give the same response."""

    status = 404
    message = "Not found."


class MethodNotAllowed(AppError):
    status = 405
    message = "Method not allowed."

    def __init__(self, allowed: str) -> None:
        super().__init__()
        self._allowed = allowed

    @property
    def headers(self) -> dict[str, str]:
        return {"Allow": self._allowed}


class Conflict(AppError):
    status = 409


class Gone(AppError):
    """It existed, and was deleted because of its age."""

    status = 410


class Unavailable(AppError):
    status = 503


class ShuttingDown(Unavailable):
    message = "The service is about to stop. Please try again in a moment."


class Unauthorized(AppError):
    status = 401
    message = "Not authenticated."

    @property
    def headers(self) -> dict[str, str]:
        return {"WWW-Authenticate": "Bearer"}


class Forbidden(AppError):
    """The credentials are valid, but they do not permit this operation."""

    status = 403


class Refused(Forbidden):
    """The limits of the tier, or of a visitor, do not allow this."""

    def __init__(self, message: str, upsell_message: str) -> None:
        super().__init__(message)
        self.upsell_message = upsell_message

    @property
    def advice(self) -> str:
        return f"{self.message} {self.upsell_message}"

    def body(self) -> dict[str, object]:
        return {**super().body(), "upsell_message": self.upsell_message}


class TooManyRequests(AppError):
    status = 429
    message = "Too many requests. Please try again later."

    def __init__(self, retry_after_seconds: int, message: str | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds

    @property
    def headers(self) -> dict[str, str]:
        return {"Retry-After": str(self.retry_after_seconds)}


@dataclass(frozen=True, slots=True)
class FieldError:
    """The dotted path of an input field, and the rule that it breaks."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field} {self.message}"


class InvalidInput(AppError):
    """The input breaks a rule. The error names fields and rules, never the values that were sent."""

    status = 422

    def __init__(self, errors: Sequence[FieldError]) -> None:
        super().__init__("; ".join(map(str, errors)))
        self.errors = errors

    def body(self) -> dict[str, object]:
        errors = [{"field": error.field, "message": error.message} for error in self.errors]
        return {**super().body(), "errors": errors}

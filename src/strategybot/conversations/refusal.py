"""Refusals that say in data, beside their sentence, what would help."""

from strategybot.kit.errors import AppError
from strategybot.kit.json_object import Json


class DetailedRefusal(AppError):
    """A refusal with `details`, which a tool's result has beside its `error`."""

    def __init__(self, message: str, details: Json) -> None:
        super().__init__(message)
        self.details = details

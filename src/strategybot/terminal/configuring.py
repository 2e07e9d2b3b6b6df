"""Loads the settings of a command."""

from pydantic import ValidationError

from strategybot.kit.validation import field_errors
from strategybot.settings import Settings
from strategybot.terminal.stopping import Stop


def open_settings() -> Settings:
    try:
        return Settings()
    except ValidationError as error:
        problems = field_errors(error.errors(), None)
        raise Stop("; ".join(f"{_variable(problem.field)} {problem.message}" for problem in problems) + ".") from None


def _variable(field: str) -> str:
    """Return the setting's environment variable. Variables of a provider keep the provider's name, without
    our prefix.
    """
    return field if field.isupper() else f"STRATEGYBOT_{field.upper()}"

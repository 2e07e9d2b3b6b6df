"""Why an act was refused, in one sentence for the user or the language model."""

from strategybot.kit.errors import AppError, Conflict, FieldError, InvalidInput, NotFound
from strategybot.simulations.schemas import SimulationSummary


class NoBotNamed(AppError):
    status = 422
    message = "Say which bot: give its name or id as `bot`."


class NoBotLinked(AppError):
    status = 409
    message = "No bot is linked to this conversation yet."


class OtherBot(AppError):
    status = 409

    def __init__(self, name: str) -> None:
        super().__init__(
            f"This conversation is not about the bot {name}. Nothing is done to it unless the user names it."
        )


class NoStrategy(AppError):
    status = 422
    message = "This bot has no strategy yet. When should it buy?"


class NoTokenToRun(AppError):
    status = 422
    message = "There is no token to run on: neither the request nor the bot names one. Search for one first."


class NoRunYet(NotFound):
    message = "This bot has no backtest yet."


class NoSimulationRunning(NotFound):
    message = "No simulation of this bot is running."


class NoSimulationYet(NotFound):
    message = "This bot has no simulation yet."


class NothingKnown(NotFound):
    message = "Nothing is known about this token."


class WouldReplace(Conflict):
    def __init__(self, running: SimulationSummary) -> None:
        since = f"{running.started_at:%Y-%m-%dT%H:%MZ}"
        super().__init__(
            f"This bot has a {running.mode} simulation since {since}, {running.run_id}: it would end for good. Ask the "
            "user, then call again with replace: true."
        )


class NotConfirmed(InvalidInput):
    def __init__(self) -> None:
        super().__init__([FieldError("confirm", "must be the name of the bot: ask the user before you delete it")])


class NothingAtThatTime(NotFound):
    message = "This run has no candle at that time."


class NothingToExplain(AppError):
    status = 422
    message = "Only decisions of backtests and simulations can be explained."

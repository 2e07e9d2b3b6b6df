"""Why an act was refused, in one sentence for the user or the language model."""

from strategybot.kit.errors import AppError, NotFound


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

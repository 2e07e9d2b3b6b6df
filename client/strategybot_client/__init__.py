"""The Python client of Strategy Bot: `StrategyBot` and `AsyncStrategyBot`, with every operation of the API."""

from strategybot_client.clients import AsyncStrategyBot, StrategyBot
from strategybot_client.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    NotFound,
    Refusal,
    RunFailed,
    StrategyBotError,
    TooManyRequests,
    Unauthorized,
    UnexpectedAnswer,
    Unreachable,
    WaitedTooLong,
)
from strategybot_client.rows import AsyncRows, Rows

__all__ = [
    "AsyncRows",
    "AsyncStrategyBot",
    "Conflict",
    "Forbidden",
    "InvalidInput",
    "NotFound",
    "Refusal",
    "Rows",
    "RunFailed",
    "StrategyBot",
    "StrategyBotError",
    "TooManyRequests",
    "Unauthorized",
    "UnexpectedAnswer",
    "Unreachable",
    "WaitedTooLong",
]

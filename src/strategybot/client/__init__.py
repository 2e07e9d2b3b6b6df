"""The Python client: `StrategyBot` and `AsyncStrategyBot`, for every operation of the API."""

from strategybot.client.clients import AsyncStrategyBot as AsyncStrategyBot
from strategybot.client.clients import StrategyBot as StrategyBot
from strategybot.client.errors import Conflict as Conflict
from strategybot.client.errors import Forbidden as Forbidden
from strategybot.client.errors import InvalidInput as InvalidInput
from strategybot.client.errors import NotFound as NotFound
from strategybot.client.errors import Refusal as Refusal
from strategybot.client.errors import RunFailed as RunFailed
from strategybot.client.errors import StrategyBotError as StrategyBotError
from strategybot.client.errors import TooManyRequests as TooManyRequests
from strategybot.client.errors import Unauthorized as Unauthorized
from strategybot.client.errors import Unreachable as Unreachable

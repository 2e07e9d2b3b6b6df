"""The Python client, as the distribution `strategybot-client` has it."""

from strategybot_client import *  # noqa: F403
from strategybot_client import __all__ as __all__

"""The models, loaded when the first of them is used: making two hundred classes takes a tenth of a second."""

from importlib import import_module
from typing import Any


class LazyModels:
    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("strategybot_client.models"), name)


models = LazyModels()

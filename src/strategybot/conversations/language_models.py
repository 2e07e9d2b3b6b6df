"""Which language model answers: `STRATEGYBOT_MODEL`. Providers are imported only when they are asked for.

An outage of a real model is answered by the offline one, and said so. A wrong key or an unknown name is no outage.
"""

import os
from collections.abc import Callable, Mapping

from pydantic_ai.exceptions import (
    ModelConnectionError,
    ModelHTTPError,
    ModelRateLimitError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
)
from pydantic_ai.models import Model
from pydantic_ai.models.fallback import FallbackModel

from strategybot.conversations.offline.model import OfflineModel
from strategybot.kit.errors import AppError

OUTAGES = (
    ModelConnectionError,
    ModelRateLimitError,
    ModelUnavailableError,
    ModelServerError,
    ModelRequestTimeout,
)


class ModelUnusable(AppError):
    """`STRATEGYBOT_MODEL` names nothing that can be used."""


def language_model(name: str, environment: Mapping[str, str] = os.environ) -> Model:
    if name == "offline":
        return OfflineModel()
    vendor, _, model = name.partition(":")
    if vendor not in VENDORS or not model.strip():
        raise ModelUnusable(f"STRATEGYBOT_MODEL must be offline, or one of {_vendors()} with a model's name behind it.")
    return FallbackModel(VENDORS[vendor](model.strip(), environment), OfflineModel(), fallback_on=is_outage)


def is_outage(error: Exception) -> bool:
    if isinstance(error, ModelHTTPError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, OUTAGES)


def _openai(model: str, environment: Mapping[str, str]) -> Model:
    """With a base URL it is any server that speaks OpenAI's chat; those often want no key."""
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    base_url = environment.get("OPENAI_BASE_URL")
    key = environment.get("OPENAI_API_KEY") or ("none" if base_url else _key(environment, "openai", "OPENAI_API_KEY"))
    return OpenAIChatModel(model, provider=OpenAIProvider(base_url=base_url, api_key=key))


def _ollama(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.ollama import OllamaProvider  # noqa: PLC0415

    base_url = environment.get("OLLAMA_BASE_URL") or "http://127.0.0.1:11434/v1"
    return OpenAIChatModel(
        model, provider=OllamaProvider(base_url=base_url, api_key=environment.get("OLLAMA_API_KEY") or "none")
    )


def _openrouter(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.openrouter import OpenRouterModel  # noqa: PLC0415
    from pydantic_ai.providers.openrouter import OpenRouterProvider  # noqa: PLC0415

    key = _key(environment, "openrouter", "OPENROUTER_API_KEY")
    return OpenRouterModel(model, provider=OpenRouterProvider(api_key=key))


def _anthropic(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    key = _key(environment, "anthropic", "ANTHROPIC_API_KEY")
    return AnthropicModel(
        model, provider=AnthropicProvider(api_key=key, base_url=environment.get("ANTHROPIC_BASE_URL"))
    )


def _google(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    key = environment.get("GEMINI_API_KEY") or _key(environment, "google", "GOOGLE_API_KEY")
    return GoogleModel(model, provider=GoogleProvider(api_key=key))


VENDORS: dict[str, Callable[[str, Mapping[str, str]], Model]] = {
    "openai": _openai,
    "ollama": _ollama,
    "openrouter": _openrouter,
    "anthropic": _anthropic,
    "google": _google,
}


def _vendors() -> str:
    return ", ".join(f"{vendor}:" for vendor in VENDORS)


def _key(environment: Mapping[str, str], vendor: str, variable: str) -> str:
    key = environment.get(variable)
    if not key:
        raise ModelUnusable(f"STRATEGYBOT_MODEL names a model of {vendor}, but {variable} is empty.")
    return key

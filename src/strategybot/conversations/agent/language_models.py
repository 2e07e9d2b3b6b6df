"""The language model that `STRATEGYBOT_MODEL` names. The library of a provider is imported only if it is used.

If a model has an outage, the offline model answers, and the answer says so. A wrong key or an unknown name is not an
outage: the answer names the problem. It never quotes the provider, because that text may contain a key or the
instructions.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pydantic_ai import ModelProfile, RunContext
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelRequestTimeout,
    ModelServerError,
    ModelUnavailableError,
)
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
from pydantic_ai.models.fallback import FallbackModel
from pydantic_ai.profiles import merge_profile
from pydantic_ai.settings import ModelSettings
from typing_extensions import override

from strategybot.conversations.agent.context import CONTEXT_TOKENS, ContextRefused, ContextTooSmall, InContext
from strategybot.conversations.agent.model_client import limited_client
from strategybot.conversations.agent.responses import DID_NOT_ANSWER, BrokenOff
from strategybot.conversations.offline.model import OfflineModel
from strategybot.conversations.turn.memory import last_turn
from strategybot.conversations.turn.turns import OFFLINE
from strategybot.kit.errors import AppError

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from pydantic_ai.providers import Provider

OUTAGES = (
    ModelConnectionError,
    ModelRateLimitError,
    ModelUnavailableError,
    ModelServerError,
    ModelRequestTimeout,
)
# The library sees a tag only if it is a piece of the stream by itself; `thoughts.py` finds all of them.
NEVER_WRITTEN = ("<model_thought>", "</model_thought>")
MOST_TOKENS = 8192  # of one answer, thoughts and calls included; more than the limits of `AnswerStream` let through
LIMITED = ModelSettings(max_tokens=MOST_TOKENS)
ONE_RETRY = ModelSettings(**LIMITED, max_retries=1)  # the offline model is there at once; Google's client makes none


class ModelUnusable(AppError):
    """`STRATEGYBOT_MODEL` names no usable model."""


def language_model(name: str, environment: Mapping[str, str], context_tokens: int = CONTEXT_TOKENS) -> Model:
    """Return the model with this name, and with the offline model to fall back to."""
    return OfflineModel() if name == OFFLINE else WithOfflineFallback(bare_model(name, environment), context_tokens)


def bare_model(name: str, environment: Mapping[str, str]) -> Model:
    """Return the vendor's model. Keys and addresses come from the vendors' own environment variables."""
    vendor, _, model = name.partition(":")
    if vendor not in VENDORS or not model.strip():
        raise ModelUnusable(f"STRATEGYBOT_MODEL must be offline, or one of {_vendors()} with a model's name behind it.")
    return VENDORS[vendor](model.strip(), environment)


class WithOfflineFallback(FallbackModel):
    """A model that falls back to the offline model, for the rest of the turn: a second timeout would take too long."""

    def __init__(self, model: Model, context_tokens: int = CONTEXT_TOKENS) -> None:
        super().__init__(InContext(model, context_tokens), OfflineModel(), fallback_on=is_outage)

    @override
    @asynccontextmanager
    async def request_stream(
        self,
        messages: list[ModelMessage],
        model_settings: ModelSettings | None,
        model_request_parameters: ModelRequestParameters,
        run_context: RunContext[Any] | None = None,
    ) -> AsyncGenerator[StreamedResponse]:
        last = messages[-1]
        if isinstance(last, ModelResponse):  # a pause for tools on the provider's side, which we do not use
            raise BrokenOff(last)
        ask = self.models[-1].request_stream if _taken_over(messages) else super().request_stream
        async with ask(messages, model_settings, model_request_parameters, run_context) as response:
            yield response


def _taken_over(messages: list[ModelMessage]) -> bool:
    return any(isinstance(message, ModelResponse) and message.model_name == OFFLINE for message in last_turn(messages))


def is_outage(error: Exception) -> bool:
    if isinstance(error, ModelHTTPError):
        return error.status_code == 429 or error.status_code >= 500
    return isinstance(error, OUTAGES)


def failure_said(error: ModelAPIError) -> str:
    """Return one sentence for the user."""
    match error:
        case ModelAuthenticationError() | ModelHTTPError(status_code=401 | 403):
            return "The language model refused the key of this service. Its operator should check the key."
        case ModelNotFoundError() | ModelHTTPError(status_code=404):
            return "The provider does not know the language model of this service. Its operator should check the name."
        case ModelQuotaExceededError():
            return "The language model's credit is used up. The operator of this service should check the account."
        case ModelContextWindowExceededError():
            return "This conversation has become too long for the language model. Please begin a new one."
        case BrokenOff() | ContextTooSmall() | ContextRefused():
            return error.sentence
        case ModelRequestRejectedError():
            return (
                "The language model refused the request. "
                "The operator of this service should check that the model can call tools."
            )
        case _:
            return DID_NOT_ANSWER


def _openai(model: str, environment: Mapping[str, str]) -> Model:
    """Return a model of OpenAI or, with a base URL, of any server with the same API, which often needs no key."""
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415

    if base_url := _address(environment, "OPENAI_BASE_URL"):
        key = _key_if_any(environment, "OPENAI_API_KEY")
        return _chat_model(
            model,
            OpenAICompatibleProvider("openai-compatible", base_url=base_url, api_key=key, http_client=limited_client()),
        )
    key = _key(environment, "openai", "OPENAI_API_KEY")
    return _chat_model(
        model, OpenAIProvider(base_url="https://api.openai.com/v1", api_key=key, http_client=limited_client())
    )


def _ollama(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.providers.ollama import OllamaProvider  # noqa: PLC0415

    base_url = _address(environment, "OLLAMA_BASE_URL") or "http://127.0.0.1:11434/v1"
    key = _key_if_any(environment, "OLLAMA_API_KEY") or "none"
    return _chat_model(model, OllamaProvider(base_url=base_url, api_key=key, http_client=limited_client()))


def _chat_model(model: str, provider: "Provider[AsyncOpenAI]") -> Model:
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415

    return OpenAIChatModel(model, provider=provider, profile=_whole_streams, settings=ONE_RETRY)


def _whole_streams(profile: ModelProfile) -> ModelProfile:
    """Return the profile with the finish reason required: without it a stream that is cut off looks complete.

    Thoughts in the text are left to us.
    """
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415

    whole = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True, thinking_tags=NEVER_WRITTEN)
    return merge_profile(profile, whole)


def _openrouter(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.openrouter import OpenRouterModel  # noqa: PLC0415
    from pydantic_ai.providers.openrouter import OpenRouterProvider  # noqa: PLC0415

    key = _key(environment, "openrouter", "OPENROUTER_API_KEY")
    provider = OpenRouterProvider(api_key=key, http_client=limited_client())
    return OpenRouterModel(model, provider=provider, profile=_whole_streams, settings=ONE_RETRY)


def _anthropic(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.anthropic import AnthropicModel, AnthropicModelSettings  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    key = _key(environment, "anthropic", "ANTHROPIC_API_KEY")
    base_url = _address(environment, "ANTHROPIC_BASE_URL") or "https://api.anthropic.com"
    provider = AnthropicProvider(api_key=key, base_url=base_url, http_client=limited_client())
    cached = AnthropicModelSettings(  # tools and instructions are equal in all requests, a turn only grows
        max_tokens=MOST_TOKENS,
        max_retries=1,
        anthropic_cache_tool_definitions=True,
        anthropic_cache_instructions=True,
        anthropic_cache_messages=True,
    )
    return AnthropicModel(model, provider=provider, settings=cached)


def _google(model: str, environment: Mapping[str, str]) -> Model:
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415

    key = _key_if_any(environment, "GEMINI_API_KEY") or _key(environment, "google", "GOOGLE_API_KEY")
    base_url = _address(environment, "GOOGLE_GEMINI_BASE_URL")
    provider = GoogleProvider(api_key=key, base_url=base_url, http_client=limited_client())
    return GoogleModel(model, provider=provider, settings=LIMITED)


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
    key = _key_if_any(environment, variable)
    if key is None:
        raise ModelUnusable(f"STRATEGYBOT_MODEL names a model of {vendor}, but {variable} is empty.")
    return key


def _key_if_any(environment: Mapping[str, str], variable: str) -> str | None:
    """Return the key. Raise if it cannot be sent in a header, which would look like an outage."""
    key = environment.get(variable) or None
    if key and (not key.isascii() or not key.isprintable() or " " in key):
        raise ModelUnusable(f"{variable} must be plain characters without blanks.")
    return key


def _address(environment: Mapping[str, str], variable: str) -> str | None:
    """Return the base URL of a server with the vendor's API; None for the vendor's own."""
    address = environment.get(variable) or None
    if address and not address.startswith(("http://", "https://")):
        raise ModelUnusable(f"{variable} must begin with http:// or https://.")
    return address

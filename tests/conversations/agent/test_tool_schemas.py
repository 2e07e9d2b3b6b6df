"""The schemas of the tools that a provider is sent."""

import pytest
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from strategybot.conversations.agent.language_models import WithOfflineFallback, language_model
from strategybot.conversations.agent.toolset import toolset
from tests.conversations.agent.test_language_models import KEYS


@pytest.mark.parametrize(
    "name", ["openai:gpt", "ollama:llama", "openrouter:some/model", "anthropic:claude", "google:gemini"]
)
@pytest.mark.parametrize("strict", [None, True])
def test_a_schema_is_transformed_once_and_as_the_library_does_it(name: str, strict: bool | None) -> None:
    model = language_model(name, KEYS)
    assert isinstance(model, WithOfflineFallback)
    ours = model.models[0]
    librarys = type(ours)(ours.model_name, provider=ours.provider)  # type: ignore[call-arg, arg-type]
    tools = [tool.tool_def for tool in toolset().wrapped.tools.values()]  # type: ignore[attr-defined]
    tools[0].strict = strict
    sent, again = _sent(ours, tools), _sent(ours, tools)
    assert sent == _sent(librarys, tools)
    assert all(
        tool.parameters_json_schema is same.parameters_json_schema for tool, same in zip(sent, again, strict=True)
    )


def _sent(model: Model, tools: list[ToolDefinition]) -> list[ToolDefinition]:
    _, prepared = model.prepare_request(None, ModelRequestParameters(function_tools=tools))
    return prepared.function_tools

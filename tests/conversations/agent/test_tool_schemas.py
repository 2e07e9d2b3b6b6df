"""The schemas of the tools that a provider is sent."""

from dataclasses import replace

import pytest
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from strategybot.conversations.agent.language_models import WithOfflineFallback, language_model
from strategybot.conversations.agent.toolset import toolset
from tests.conversations.agent.test_language_models import KEYS


@pytest.mark.parametrize(
    "name", ["openai:gpt", "ollama:llama", "openrouter:some/model", "anthropic:claude", "google:gemini"]
)
def test_a_schema_is_transformed_once_and_as_the_library_does_it(name: str) -> None:
    model = language_model(name, KEYS)
    assert isinstance(model, WithOfflineFallback)
    ours = model.models[0]
    librarys = type(ours)(ours.model_name, provider=ours.provider)  # type: ignore[call-arg, arg-type]
    tools = [tool.tool_def for tool in toolset().wrapped.tools.values()]  # type: ignore[attr-defined]
    strictly = [replace(tool, strict=True) for tool in tools]
    for asked in (tools, strictly):
        sent, again = _sent(ours, asked), _sent(ours, asked)
        assert sent == _sent(librarys, asked)
        assert [id(tool.parameters_json_schema) for tool in again] == [id(tool.parameters_json_schema) for tool in sent]


def _sent(model: Model, tools: list[ToolDefinition]) -> list[ToolDefinition]:
    _, prepared = model.prepare_request(None, ModelRequestParameters(function_tools=tools))
    return prepared.function_tools

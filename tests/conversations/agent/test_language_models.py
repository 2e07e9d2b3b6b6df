"""The choice of the language model, refused in one sentence if it is wrong, and its fallback during an outage."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from pydantic_ai.exceptions import ModelConnectionError, ModelHTTPError, ModelRateLimitError, ModelServerError

from strategybot.app import Services, conversations_of
from strategybot.conversations.agent.language_models import (
    ModelUnusable,
    WithOfflineFallback,
    is_outage,
    language_model,
)
from strategybot.conversations.offline.model import OfflineModel
from strategybot.settings import Settings, environment
from tests.conversations.talking import Headers, ScriptedModel, begin, said

KEYS = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "GOOGLE_API_KEY": "k", "OPENROUTER_API_KEY": "k"}


def test_the_default_model_needs_no_settings() -> None:
    assert isinstance(language_model("offline", {}), OfflineModel)


@pytest.mark.parametrize(
    ("name", "environment"),
    [
        ("openai:gpt", KEYS),
        ("openai:local", {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}),
        ("ollama:llama", {}),
        ("openrouter:some/model", KEYS),
        ("anthropic:claude", KEYS),
        ("google:gemini", KEYS),
        ("google:gemini", {"GEMINI_API_KEY": "k"}),
    ],
)
def test_a_language_model_falls_back_to_the_offline_model(name: str, environment: dict[str, str]) -> None:
    model = language_model(name, environment)
    assert isinstance(model, WithOfflineFallback)
    assert [type(part).__name__ for part in model.models][1] == "OfflineModel"
    assert model.models[0].model_name == name.partition(":")[2]


@pytest.mark.parametrize("name", ["", "gpt-5", "nobody:model", "openai:", "openai: ", "OFFLINE", "offline:x"])
def test_a_wrong_name_is_refused(name: str) -> None:
    with pytest.raises(ModelUnusable, match="STRATEGYBOT_MODEL must be offline, or one of openai:, "):
        language_model(name, KEYS)


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai:gpt", "OPENAI_API_KEY"),
        ("anthropic:claude", "ANTHROPIC_API_KEY"),
        ("google:gemini", "GOOGLE_API_KEY"),
        ("openrouter:some/model", "OPENROUTER_API_KEY"),
    ],
)
def test_a_missing_key_is_named(name: str, variable: str) -> None:
    with pytest.raises(ModelUnusable, match=f"but {variable} is empty"):
        language_model(name, {variable: ""})


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai:gpt", "OPENAI_BASE_URL"),
        ("ollama:llama", "OLLAMA_BASE_URL"),
        ("anthropic:claude", "ANTHROPIC_BASE_URL"),
        ("google:gemini", "GOOGLE_GEMINI_BASE_URL"),
    ],
)
def test_an_empty_address_is_the_vendors_own_and_a_wrong_one_is_refused(name: str, variable: str) -> None:
    """Either would look like an outage."""
    model = language_model(name, {**KEYS, variable: ""})
    assert str(model.base_url).startswith("http")
    with pytest.raises(ModelUnusable, match=f"^{variable} must begin with http"):
        language_model(name, {**KEYS, variable: "127.0.0.1:1234/v1"})


@pytest.mark.parametrize("key", ["sk-\n", "sk two", "sk-\u2026", "\x00"])
@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai:gpt", "OPENAI_API_KEY"),
        ("ollama:llama", "OLLAMA_API_KEY"),
        ("anthropic:claude", "ANTHROPIC_API_KEY"),
        ("google:gemini", "GEMINI_API_KEY"),
        ("openrouter:some/model", "OPENROUTER_API_KEY"),
    ],
)
def test_a_key_that_cannot_be_sent_is_refused_and_not_shown(name: str, variable: str, key: str) -> None:
    with pytest.raises(ModelUnusable) as refusal:
        language_model(name, {variable: key})
    assert refusal.value.message == f"{variable} must be plain characters without blanks."


def test_a_vendors_variables_are_read_from_the_file_of_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://environment.example/v1")
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://file.example/v1\nOPENAI_API_KEY=sk two\n")
    with pytest.raises(ModelUnusable, match="OPENAI_API_KEY must be plain"):
        language_model("openai:gpt", environment())
    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://file.example/v1\nOPENAI_API_KEY=k\n")
    assert language_model("openai:gpt", environment()).base_url == "http://environment.example/v1/"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ModelConnectionError("x", "refused"), True),
        (ModelRateLimitError("x", "slow down"), True),
        (ModelServerError("x", "oops"), True),
        (ModelHTTPError(429, "x"), True),
        (ModelHTTPError(500, "x"), True),
        (ModelHTTPError(503, "x"), True),
        (ModelHTTPError(401, "x"), False),
        (ModelHTTPError(403, "x"), False),
        (ModelHTTPError(404, "x"), False),
        (ModelHTTPError(400, "x"), False),
        (ValueError("a defect"), False),
    ],
)
def test_only_an_outage_is_answered_offline(error: Exception, expected: bool) -> None:
    assert is_outage(error) is expected


def test_an_answer_says_that_the_offline_model_made_it(
    client: TestClient, services: Services, settings: Settings, user: Headers
) -> None:
    changed = settings.model_copy(update={"model": "openai:gpt"})
    for error, offline in ((ModelHTTPError(503, "x"), True), (ModelHTTPError(401, "x"), False)):
        model = WithOfflineFallback(ScriptedModel([error]).model())
        client.app.state.conversations = conversations_of(services, changed, model)  # type: ignore[attr-defined]
        answer = said(client, user, begin(client, user), "hello")
        assert answer.endswith("*Answered offline: the language model could not be reached.*") is offline
        assert ("refused the key" in answer) is not offline

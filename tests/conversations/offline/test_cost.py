"""The cost of the offline model: little processor time, none of it in the event loop, and no import before its use."""

import asyncio
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters

from strategybot.conversations.offline.model import OfflineModel
from strategybot.conversations.offline.responding import compiled_grammar, respond

TABLE = Path(__file__).parent.parent / "utterances.json"
ORDINARY, LONGEST = 0.020, 0.100  # seconds of processor time for one step
IMPORTED = """
import json, sys, time
import strategybot.conversations.agent.loop, strategybot.conversations.agent.language_models, strategybot.conversations.agent.tools
began = time.process_time()
import strategybot.conversations.offline.model
print(json.dumps([time.process_time() - began, list(sys.modules)]))
"""


def seconds_for(text: str) -> float:
    compiled_grammar()
    history: list[ModelMessage] = [ModelRequest([UserPromptPart(text)])]
    began = time.process_time()
    respond(history, set())
    return time.process_time() - began


def test_a_message_takes_little_processor_time() -> None:
    said = [row["say"] for row in json.loads(TABLE.read_text("utf-8"))[:200]]
    slow = [text for text in said if seconds_for(text) >= ORDINARY]
    still_slow = [text for text in slow if min(seconds_for(text) for _ in range(2)) >= ORDINARY]
    assert len(still_slow) <= len(said) * 5 // 100  # other work may disturb one measurement, hardly three
    assert min(seconds_for(", ".join(said)[:600]) for _ in range(3)) < LONGEST  # the least disturbed of three


def test_it_answers_in_a_worker_thread() -> None:
    threads: list[int] = []

    class Noted(OfflineModel):
        def _respond(self, *_: object) -> ModelResponse:
            threads.append(threading.get_ident())
            return ModelResponse([TextPart("hello")])

    history: list[ModelMessage] = [ModelRequest([UserPromptPart("hello")])]
    asyncio.run(Noted().request(history, None, ModelRequestParameters()))
    assert threads
    assert threading.get_ident() not in threads


@pytest.fixture(scope="module")
def imported() -> tuple[float, list[str]]:
    """Return how long the import of the offline model takes after that of the agent, and which modules are loaded."""
    done = subprocess.run([sys.executable, "-c", IMPORTED], capture_output=True, text=True, check=True)
    seconds, modules = json.loads(done.stdout)
    return seconds, modules


def test_importing_it_loads_no_table(imported: tuple[float, list[str]]) -> None:
    seconds, modules = imported
    assert seconds < 0.04
    assert "strategybot.conversations.offline.model" in modules
    assert "strategybot.conversations.offline.grammar" not in modules


def test_an_offline_start_imports_no_provider(imported: tuple[float, list[str]]) -> None:
    assert not {"openai", "anthropic", "google.genai"} & set(imported[1])

"""`strategybot chat`: the chat in the terminal, as an account or as a local visitor."""

import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from tests.commands import Said, Terminal
from tests.conversations.wire.server import Silence, WireServer
from tests.registering import register


@pytest.fixture
def talk(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> "Talk":
    return Talk(terminal, monkeypatch)


class Talk:
    def __init__(self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        self.terminal, self._patch = terminal, monkeypatch

    def __call__(self, typed: str | bytes, *options: str) -> Said:
        octets = typed if isinstance(typed, bytes) else typed.encode()
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(octets), "utf-8", errors="surrogateescape"))
        return self.terminal.run("chat", *options)


def test_a_visitor_chats_and_continues_later(talk: Talk) -> None:
    first = talk("/bots\n\n/price WPOL\n/quit\n/help\n")
    assert first.code == 0, first.err
    assert first.out.startswith("Say what your bot should do")
    assert "You have no bot yet." in first.out
    assert "· search_tokens\n· get_price\n" in first.out
    assert "**WPOL** on polygon is at $" in first.out
    assert "These are the commands" not in first.out
    token = (talk.terminal.data / "visitor-token").read_text()
    assert (talk.terminal.data / "visitor-token").stat().st_mode & 0o777 == 0o600
    again = talk("/bots\n", "--continue")
    assert again.out.startswith("Going on with: /bots\n")
    assert (talk.terminal.data / "visitor-token").read_text() == token


def test_an_account_chats_without_a_password(talk: Talk) -> None:
    register(talk.terminal.data, "ada@example.com")
    assert "You have no bot yet." in talk("/bots", "--email", "ADA@example.com").out
    assert not (talk.terminal.data / "visitor-token").exists()


def test_an_unknown_account_is_refused(talk: Talk) -> None:
    said = talk("/bots", "--email", "nobody@example.com")
    assert (said.code, said.err.strip()) == (2, "User not found.")


def test_a_refusal_is_one_sentence_and_the_chat_continues(talk: Talk) -> None:
    talk.terminal.set("STRATEGYBOT_CHAT_LIMIT", "1/1h")
    said = talk("/bots\n/bots\n")
    assert said.code == 0
    assert "Everyone together has sent too many messages. Please try again later." in said.out


def test_a_model_that_cannot_be_used_stops_the_start(talk: Talk) -> None:
    talk.terminal.set("STRATEGYBOT_MODEL", "gpt-5")
    said = talk("/bots\n")
    assert said.code == 2
    assert said.err.startswith("STRATEGYBOT_MODEL must be offline, or one of openai:,")


def test_an_invalid_message_is_refused_as_by_the_api_and_the_chat_continues(talk: Talk) -> None:
    said = talk(f"{'x' * 4001}\na\0b\n \u200b \n/bots\n")
    assert said.code == 0, said.err
    assert said.out.count("message must have at most 4000 characters\n") == 1
    assert said.out.count("message has a form that is not allowed\n") == 2
    assert "You have no bot yet." in said.out


def test_unreadable_input_does_not_end_the_chat(talk: Talk) -> None:
    said = talk(b"/bot \xff\xfe\n/bots\n")
    assert (said.code, said.err) == (0, "")
    assert "No bot of yours is called that." in said.out
    assert "You have no bot yet. Describe a strategy" in said.out


def test_no_library_banner_is_printed(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTEST_VERSION", "CI", "PYDANTIC_AI_NO_BANNER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AI_AGENT", "1")  # so that the banner would be printed as on a terminal
    said = talk("hello\n")
    assert (said.code, said.err) == (0, "")


@pytest.fixture
def silent(talk: Talk) -> Iterator[WireServer]:
    """A language model that never says a word."""
    with WireServer([Silence()]) as wire:
        talk.terminal.set("STRATEGYBOT_MODEL", "ollama:wire")
        talk.terminal.set("OLLAMA_BASE_URL", f"{wire.url}/v1")
        yield wire


def test_ctrl_c_interrupts_the_turn_with_a_message(talk: Talk, silent: WireServer) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    typist = threading.Thread(target=press_ctrl_c_when_asked, args=(silent,))
    typist.start()
    try:
        said = talk("which bots do I have?\n/help\n")
    finally:
        signal.signal(signal.SIGINT, before)
        typist.join()
    assert said.code == 130
    assert "I was interrupted while I was answering. Please ask again." in said.out
    assert "Traceback" not in said.out + said.err
    assert "These are the commands" in talk("/help\n", "--continue").out  # no turn is running any more


def press_ctrl_c_when_asked(wire: WireServer) -> None:
    deadline = time.monotonic() + 30
    while not wire.requests and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(os.getpid(), signal.SIGINT)

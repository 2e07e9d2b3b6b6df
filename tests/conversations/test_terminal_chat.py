"""`strategybot chat`: the same conversation in the terminal, as an account or as a local visitor."""

import io
import sys

import pytest

from tests.commands import Said, Terminal
from tests.test_cli import register


@pytest.fixture
def talk(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> "Talk":
    return Talk(terminal, monkeypatch)


class Talk:
    def __init__(self, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        self.terminal, self._patch = terminal, monkeypatch

    def __call__(self, typed: str, *options: str) -> Said:
        self._patch.setattr(sys, "stdin", io.StringIO(typed))
        return self.terminal.run("chat", *options)


def test_a_visitor_talks_and_goes_on_later(talk: Talk) -> None:
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


def test_an_account_talks_without_a_password(talk: Talk) -> None:
    register(talk.terminal.data, "ada@example.com")
    assert "You have no bot yet." in talk("/bots", "--email", "ADA@example.com").out
    assert not (talk.terminal.data / "visitor-token").exists()


def test_an_unknown_account_is_refused(talk: Talk) -> None:
    said = talk("/bots", "--email", "nobody@example.com")
    assert (said.code, said.err.strip()) == (2, "User not found.")


def test_a_refusal_is_a_sentence_and_the_talk_goes_on(talk: Talk) -> None:
    talk.terminal.set("STRATEGYBOT_CHAT_LIMIT", "1/1h")
    said = talk("/bots\n/bots\n")
    assert said.code == 0
    assert "Everyone together has sent too many messages. Please try again later." in said.out


def test_a_model_that_cannot_be_used_stops_the_start(talk: Talk) -> None:
    talk.terminal.set("STRATEGYBOT_MODEL", "gpt-5")
    said = talk("/bots\n")
    assert said.code == 2
    assert said.err.startswith("STRATEGYBOT_MODEL must be offline, or one of openai:,")

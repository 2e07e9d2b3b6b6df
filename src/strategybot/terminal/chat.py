"""`strategybot chat`: the chat of the web app in the terminal, with the same tools, commands and limits."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic import ValidationError
from rich.console import Console
from rich.text import Text

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import NotAuthenticated, Principal
from strategybot.app import Services, working
from strategybot.conversations.schemas import ChatMessage, ConversationDraft, TurnView
from strategybot.kit.errors import AppError, InvalidInput
from strategybot.kit.paging import Paging
from strategybot.kit.validation import field_errors
from strategybot.terminal.output import replace_encoding_errors
from strategybot.terminal.setup import open_services, open_settings

PROMPT = "› "
EXIT_COMMANDS = {"/quit", "/exit"}
GREETING = "Say what your bot should do, or /help for the commands. Ctrl+D ends it."
VISITORS_FILE = "visitor-token"
INTERRUPTED_BY_THE_USER = 130  # exit code


@dataclass(frozen=True, slots=True)
class Speaker:
    principal: Principal
    defaults: UserSettings


def chat(email: str | None, *, resume: bool) -> int:
    """Read and answer messages until the input ends; return the exit code."""
    settings = open_settings()
    replace_encoding_errors(sys.stdin, sys.stdout)
    with open_services(settings) as services, start_blocking_portal() as portal:
        speaker = _speaker(services, settings.data_dir, email)
        conversation_id = _conversation(services, speaker, resume=resume)
        with portal.wrap_async_context_manager(working(services)):
            exit_code = _talk(portal, services, speaker, conversation_id)
            portal.call(services.conversations.running_turns.close, 0)
    return exit_code


def _speaker(services: Services, data_dir: Path, email: str | None) -> Speaker:
    if email is not None:
        return Speaker(*services.accounts.account(email))
    return Speaker(_local_visitor(services, data_dir / VISITORS_FILE), UserSettings())


def _local_visitor(services: Services, file: Path) -> Principal:
    """Return the visitor of this machine, whose token is kept beside the database."""
    with suppress(FileNotFoundError, NotAuthenticated):
        return services.accounts.visitor(file.read_text().strip())
    token = services.accounts.welcome_visitor("terminal")
    file.touch(mode=0o600)
    file.write_text(token)
    return services.accounts.visitor(token)


def _conversation(services: Services, speaker: Speaker, *, resume: bool) -> str:
    last = services.conversations.page(speaker.principal, Paging(1, 1)).conversations
    if resume and last:
        _tell(f"Going on with: {last[0].title}")
        return last[0].id
    _tell(GREETING)
    return services.conversations.begin(speaker.principal, ConversationDraft()).id


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _lines() -> Iterator[str]:
    """Yield the lines of the input, with a prompt on a terminal."""
    while (line := _line()) is not None and line.strip().lower() not in EXIT_COMMANDS:
        if line.strip():
            yield line.strip()


def _line() -> str | None:
    try:
        return input(PROMPT) if sys.stdin.isatty() else sys.stdin.readline() or None
    except (EOFError, KeyboardInterrupt):
        return None


def _talk(portal: BlockingPortal, services: Services, speaker: Speaker, conversation_id: str) -> int:
    """Answer each line; return the exit code."""
    try:
        for line in _lines():
            _say(portal, services, speaker, conversation_id, line)
    except KeyboardInterrupt:
        return INTERRUPTED_BY_THE_USER
    return 0


def _say(portal: BlockingPortal, services: Services, speaker: Speaker, conversation_id: str, text: str) -> None:
    """Run one turn. Ctrl+C cancels it; without a terminal it also ends the chat."""
    turn = portal.start_task_soon(_turn, services, speaker, conversation_id, text)
    try:
        turn.result()
    except KeyboardInterrupt:
        portal.call(services.conversations.running_turns.interrupt)
        turn.result()
        if not sys.stdin.isatty():
            raise
    finally:
        turn.cancel()  # already finished, unless Ctrl+C was pressed twice


async def _turn(services: Services, speaker: Speaker, conversation_id: str, text: str) -> None:
    console = Console(highlight=False, soft_wrap=True)
    try:
        message = _check(text)
        turn = await services.conversations.chat(
            speaker.principal, speaker.defaults, conversation_id, message, "terminal"
        )
        async for part in turn.parts():
            _show(console, part)
        _close(console, await turn.outcome())
    except AppError as error:
        console.print(Text(error.advice, "red"))


def _check(text: str) -> str:
    """Validate the message by the rules of the API."""
    try:
        return ChatMessage(message=text).message
    except ValidationError as error:
        raise InvalidInput(field_errors(error.errors(), None)) from None


def _show(console: Console, part: dict[str, Any]) -> None:
    match part:
        case {"type": "text-delta", "delta": delta}:
            console.print(Text(delta), end="")
        case {"type": "tool-input-available", "toolName": name}:
            console.print(Text(f"· {name}", "dim"))
        case {"type": "tool-output-error", "errorText": reason}:
            console.print(Text(f"  {reason}", "dim"))
        case {"type": "data-progress", "data": {"text": text}}:
            console.print(Text(f"  {text}", "dim"))


def _close(console: Console, turn: TurnView) -> None:
    console.print("\n")
    if turn.warning is not None:
        console.print(Text(turn.warning, "yellow"))

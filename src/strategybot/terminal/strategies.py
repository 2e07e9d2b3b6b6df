"""`strategybot export` and `import`: a strategy as a JSON file."""

import sys
from importlib.metadata import version
from typing import Any

from pydantic import ValidationError

from strategybot.bots.schemas import StrategyExport
from strategybot.conversations.caller import Actor
from strategybot.kit.validation import field_errors
from strategybot.terminal.request import read_json, strategy_of
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.stop import Stop
from strategybot.trading.language.document import LANGUAGE_VERSION
from strategybot.trading.words.naming import strategy_name


def export_strategy(bot: str, email: str) -> None:
    with open_services(open_settings()) as services:
        actor = Actor(*services.accounts.account(email))
        exported = services.bots.export(actor.principal, services.tools.bot_choice.chosen(actor, bot).id)
    sys.stdout.write(exported.model_dump_json(indent=2) + "\n")


def import_strategy(file: str, email: str, name: str | None) -> None:
    document = read_json(file)
    try:
        exported = StrategyExport.model_validate(_export_of(document, name))
    except ValidationError as error:
        raise Stop("; ".join(map(str, field_errors(error.errors(), document))) + ".") from None
    with open_services(open_settings()) as services:
        principal, _ = services.accounts.account(email)
        bot = services.bots.adopt(principal, exported)
    sys.stdout.write(f"{bot.name} is a bot of {email} now: {bot.strategy_summary}\n")


def _export_of(document: Any, name: str | None) -> Any:
    """Return the document as an export: an export as it is, and a bare strategy or a bot with a name and versions."""
    renamed = {} if name is None else {"name": name}
    if isinstance(document, dict) and "language_version" in document:
        return {**document, **renamed}
    strategy = strategy_of(document).strategy
    written = document.get("name") if isinstance(document, dict) else None
    return {
        "strategybot_version": version("strategybot"),
        "language_version": LANGUAGE_VERSION,
        "name": written or strategy_name(strategy.model_dump(mode="json")),
        "strategy": strategy,
        **renamed,
    }

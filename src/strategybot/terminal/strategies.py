"""`strategybot export` and `import`: a strategy as a JSON file."""

import sys

from pydantic import ValidationError

from strategybot.bots.schemas import StrategyExport
from strategybot.conversations.caller import Actor
from strategybot.kit.validation import field_errors
from strategybot.terminal.request import read_json
from strategybot.terminal.setup import open_services, open_settings
from strategybot.terminal.stop import Stop


def export_strategy(bot: str, email: str) -> None:
    with open_services(open_settings()) as services:
        actor = Actor(*services.accounts.account(email))
        exported = services.bots.export(actor.principal, services.tools.bot_choice.chosen(actor, bot).id)
    sys.stdout.write(exported.model_dump_json(indent=2) + "\n")


def import_strategy(file: str, email: str) -> None:
    document = read_json(file)
    try:
        exported = StrategyExport.model_validate(document)
    except ValidationError as error:
        raise Stop("; ".join(map(str, field_errors(error.errors(), document))) + ".") from None
    with open_services(open_settings()) as services:
        principal, _ = services.accounts.account(email)
        bot = services.bots.adopt(principal, exported)
    sys.stdout.write(f"{bot.name} is a bot of {email} now: {bot.strategy_summary}\n")

"""Which bot a call is about: the one that it names, or the one that the conversation is linked to."""

from collections.abc import Iterator
from itertools import islice

from strategybot.accounts.service import Principal
from strategybot.bots.schemas import BotView
from strategybot.bots.service import Bots
from strategybot.conversations.agent.refusals import NoBotLinked, NoBotNamed, OtherBot
from strategybot.conversations.caller import Actor, Caller
from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.conversations.links import Links
from strategybot.kit.errors import NotFound
from strategybot.kit.identifiers import is_id
from strategybot.kit.paging import Paging

MOST_NAMES = 10


class BotChoice:
    def __init__(self, bots: Bots, links: Links) -> None:
        self._bots, self._links = bots, links

    def linked_id(self, caller: Actor) -> str | None:
        """Return the id of the bot that the conversation is linked to; None outside of a conversation."""
        return self._links.bot_of(caller.principal, caller.conversation_id) if isinstance(caller, Caller) else None

    def _find_linked(self, caller: Actor) -> BotView:
        bot_id = self.linked_id(caller)
        if bot_id is None:
            return self._find_only(caller)
        return self._bots.bot(caller.principal, bot_id)

    def _find_only(self, caller: Actor) -> BotView:
        """Return the only bot of a caller outside of a conversation. Raise if there are none or several."""
        if isinstance(caller, Caller):
            raise NoBotLinked
        found = list(islice(self._all_bots(caller.principal), MOST_NAMES + 1))
        if len(found) != 1:
            raise NoBotNamed(f"{NoBotNamed.message} {_yours([plain_name(bot.name, 40) for bot in found])}")
        return found[0]

    def chosen(self, caller: Actor, bot: str | None) -> BotView:
        return self._find_linked(caller) if bot is None else self._find_named(caller.principal, bot)

    def to_act_on(self, caller: Actor, bot: str | None) -> BotView:
        """Return the chosen bot. Raise if it is not the linked one and the user has not named it."""
        chosen = self.chosen(caller, bot)
        if bot is not None and isinstance(caller, Caller) and chosen.id != self.linked_id(caller):
            self._check_named(caller, chosen)
        return chosen

    def to_link(self, caller: Actor, bot: str) -> BotView:
        """Return the chosen bot. Raise if it would take the place of another and the user has not named it."""
        chosen = self.chosen(caller, bot)
        if isinstance(caller, Caller) and self.linked_id(caller) not in (None, chosen.id):
            self._check_named(caller, chosen)
        return chosen

    def _check_named(self, caller: Caller, bot: BotView) -> None:
        if not caller.said.names(bot.name, bot.id):
            raise OtherBot(plain_name(bot.name, 40))

    def _find_named(self, principal: Principal, text: str) -> BotView:
        """Return the bot with this id, or with this name in any letter case."""
        if is_id(text):
            return self._bots.bot(principal, text)
        wanted = clean_text(text).casefold()
        names = []
        for bot in self._all_bots(principal):
            if clean_text(bot.name).casefold() == wanted:
                return bot
            names.append(plain_name(bot.name, 40))
        raise NotFound(f"No bot of yours is called that. {_yours(names)}")

    def _all_bots(self, principal: Principal) -> Iterator[BotView]:
        number, more = 1, True
        while more:
            page = self._bots.page(principal, Paging(number, 100))
            yield from page.bots
            number, more = number + 1, page.has_next


def _yours(names: list[str]) -> str:
    return f"Yours are: {', '.join(names[:MOST_NAMES])}." if names else "You have none yet."

"""For whom a tool acts. It comes from the request; no argument of a language model can change it."""

from dataclasses import dataclass, field

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.conversations.consent import NOTHING_SAID, Said


@dataclass(frozen=True, slots=True)
class Actor:
    """A user or visitor with their defaults, outside of any conversation."""

    principal: Principal
    defaults: UserSettings
    seen_revisions: dict[str, int] = field(default_factory=dict, kw_only=True)
    """The last revision of each bot's strategy that was read; a change is based on it."""


@dataclass(frozen=True, slots=True)
class Caller(Actor):
    """The actor of a turn in a conversation."""

    conversation_id: str
    turn_id: str
    said: Said = NOTHING_SAID
    """What the user said: a tool ends something, or acts on another bot, only if they did say so."""

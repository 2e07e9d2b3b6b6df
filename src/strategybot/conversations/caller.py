"""Whoever a tool acts for. It comes from the request, and nothing that a language model says can change it."""

from dataclasses import dataclass, field

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal


@dataclass(frozen=True, slots=True)
class Actor:
    """A user or visitor with their defaults, outside of any conversation."""

    principal: Principal
    defaults: UserSettings
    seen_revisions: dict[str, int] = field(default_factory=dict, kw_only=True)
    """By bot, the revision of the strategy that was read last: a change is based on it."""


@dataclass(frozen=True, slots=True)
class Caller(Actor):
    """Whoever a turn of a conversation is for."""

    conversation_id: str
    turn_id: str

"""Whoever a turn is for. It comes from the request, and nothing that a language model says can change it."""

from dataclasses import dataclass, field

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal


@dataclass(frozen=True, slots=True)
class Caller:
    principal: Principal
    defaults: UserSettings
    conversation_id: str
    turn_id: str
    seen_revisions: dict[str, int] = field(default_factory=dict)
    """By bot, the revision of the strategy that this turn has read last: a change is based on it."""

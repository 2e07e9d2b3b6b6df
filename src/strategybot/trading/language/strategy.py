"""A strategy: what a bot does, validated strictly and described in plain English.

Every rule a value must keep is also in its JSON schema, so that a client can check before it sends. What relates
several values, such as `fast` below `slow` or how deep groups are, is in a description.
"""

import hashlib
import json
from functools import cached_property
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo, field_validator
from pydantic.config import JsonDict

from strategybot.trading.language.conditions import Condition, few_leaves
from strategybot.trading.language.guards import Guards
from strategybot.trading.language.values import Duration, Growth, Language, Match, Percent, plain


class RiskManagement(Language):
    stop_loss_percent: Percent | None = None
    take_profit_percent: Growth | None = None
    trailing_stop_percent: Percent | None = None
    max_holding: Duration | None = None
    cooldown: Duration | None = None

    def exit_phrases(self) -> list[str]:
        phrases = []
        if self.stop_loss_percent is not None:
            phrases.append(f"at a {plain(self.stop_loss_percent)} % loss (stop loss)")
        if self.trailing_stop_percent is not None:
            phrases.append(f"{plain(self.trailing_stop_percent)} % under its peak (trailing stop)")
        if self.take_profit_percent is not None:
            phrases.append(f"at a {plain(self.take_profit_percent)} % gain (take profit)")
        if self.max_holding is not None:
            phrases.append(f"after {self.max_holding} at the latest")
        return phrases


def _none_if_empty(guards: Guards | None) -> Guards | None:
    return None if guards is None or guards.is_empty else guards


# A strategy without guards is serialised without the field, so that its digest is the same as before guards existed.
OptionalGuards = Annotated[
    Guards | None, AfterValidator(_none_if_empty), Field(exclude_if=lambda guards: guards is None)
]

EXAMPLE_STRATEGY: JsonDict = {
    "conditions": [
        {"kind": "price_drop", "percent": 5, "window": "15m"},
        {"kind": "volume_spike", "multiplier": 3, "window": "1h"},
    ],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 10},
}


class Strategy(Language):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_STRATEGY]})

    conditions: Annotated[list[Condition], Field(min_length=1, max_length=10)]
    match: Match = "all"
    exit_conditions: Annotated[list[Condition], Field(max_length=10)] = []  # noqa: RUF012 - pydantic copies it
    exit_match: Match = "any"
    risk_management: RiskManagement = RiskManagement()
    position_percent: Annotated[float, Field(gt=0, le=100)] = 100
    guards: OptionalGuards = None

    @field_validator("conditions", "exit_conditions")
    @classmethod
    def _few_leaves(cls, conditions: list[Condition], others: ValidationInfo) -> list[Condition]:
        return few_leaves(conditions, others.data.get("conditions", []))

    @cached_property
    def summary(self) -> str:
        """Return the strategy in plain English. A strategy never changes, so the text is cached."""
        return describe(self)

    def __hash__(self) -> int:
        return hash(self.summary)  # equal strategies have equal summaries


def describe(strategy: Strategy) -> str:
    """Return the strategy as a few plain sentences."""
    share = "" if strategy.position_percent == 100 else f" with {plain(strategy.position_percent)} % of the cash"
    sentences = [f"Buy{share} when {_joined(strategy.conditions, strategy.match)}.", _selling(strategy)]
    if strategy.risk_management.cooldown is not None:
        sentences.append(f"After a sale, wait {strategy.risk_management.cooldown} before buying again.")
    if strategy.guards is not None:
        sentences += strategy.guards.sentences()
    return " ".join(sentences)


def _selling(strategy: Strategy) -> str:
    ways = strategy.risk_management.exit_phrases()
    if strategy.exit_conditions:
        ways.insert(0, f"when {_joined(strategy.exit_conditions, strategy.exit_match)}")
    if not ways:
        return "Nothing tells it to sell: a position stays open."
    return f"Sell {', or '.join(ways)}."


def _joined(conditions: list[Condition], match: Match) -> str:
    return (" and " if match == "all" else " or ").join(condition.phrase() for condition in conditions)


def _ordered(conditions: list[dict[str, Any]]) -> list[str]:
    """Return conditions as texts in one order, and likewise the members of groups."""
    inner = (
        {**each, "conditions": _ordered(each["conditions"])} if "conditions" in each else each for each in conditions
    )
    return sorted(json.dumps(each, sort_keys=True) for each in inner)


def content_digest(strategy: Strategy) -> str:
    """Return a short text that is equal for strategies that do the same, however their conditions are ordered."""
    document = strategy.model_dump(mode="json")
    for side in ("conditions", "exit_conditions"):
        document[side] = _ordered(document[side])
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:32]

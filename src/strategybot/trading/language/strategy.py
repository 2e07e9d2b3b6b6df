"""A strategy: what a bot does, validated strictly and described in plain English.

Every rule a value must keep is also in its JSON schema, so that a client can check before it sends. What relates
several values, such as `fast` below `slow` or how deep groups are, is in a description.
"""

import hashlib
import json
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo, field_validator, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from strategybot.trading.language.conditions import Condition, few_leaves
from strategybot.trading.language.guards import Guards
from strategybot.trading.language.orders import (
    WHOLE_SHARE,
    AtrDistance,
    LadderStep,
    MaxEntries,
    Target,
    checked_ladder,
    checked_targets,
    ladder_sentence,
    target_phrases,
)
from strategybot.trading.language.portfolio import Portfolio
from strategybot.trading.language.values import Cash, Duration, Growth, Language, Match, Percent, plain, with_article

# A strategy is serialised without what it does not use, so that its digest is the same as before the field existed.
UNLESS_SET = Field(exclude_if=lambda value: value is None)


# Fields that say the same thing: at most one of them is set.
EXCLUSIVE_EXITS = (
    ("take_profit_percent", "take_profits"),
    ("stop_loss_percent", "stop_loss_atr"),
    ("trailing_stop_percent", "trailing_stop_atr"),
)
SIZES = ("position_percent", "position_amount", "risk_percent")
STOPS = (*EXCLUSIVE_EXITS[1], *EXCLUSIVE_EXITS[2])


class RiskManagement(Language):
    stop_loss_percent: Annotated[
        Percent | None, Field(description="Sells when the price is so many percent below the entry")
    ] = None
    take_profit_percent: Annotated[
        Growth | None, Field(description="Sells when the price is so many percent above the entry")
    ] = None
    trailing_stop_percent: Annotated[
        Percent | None, Field(description="Sells so many percent below the highest price since the entry")
    ] = None
    max_holding: Annotated[Duration | None, Field(description="Sells then at the latest")] = None
    cooldown: Annotated[Duration | None, Field(description="Pause after a sale")] = None
    take_profits: Annotated[
        Annotated[list[Target], Field(min_length=1, max_length=5)] | None,
        Field(description="Sells in parts, each at its own target"),
        AfterValidator(checked_targets),
        UNLESS_SET,
    ] = None
    break_even_after_percent: Annotated[
        Growth | None, Field(description="After this gain the stop is at least the average entry price"), UNLESS_SET
    ] = None
    stop_loss_atr: Annotated[
        AtrDistance | None, Field(description="A stop loss in multiples of the average true range"), UNLESS_SET
    ] = None
    trailing_stop_atr: Annotated[
        AtrDistance | None, Field(description="A trailing stop in multiples of the average true range"), UNLESS_SET
    ] = None

    @model_validator(mode="after")
    def _say_each_exit_once(self) -> Self:
        for one, other in EXCLUSIVE_EXITS:
            if getattr(self, one) is not None and getattr(self, other) is not None:
                raise PydanticCustomError(
                    "said_twice", "{one} and {other} exclude each other", {"one": one, "other": other}
                )
        return self

    @property
    def targets(self) -> list[Target]:
        """Return the targets; the plain take profit is one that sells everything."""
        if self.take_profit_percent is not None:
            return [Target(gain_percent=self.take_profit_percent, sell_percent=100)]
        return self.take_profits or []

    @property
    def has_stop(self) -> bool:
        return any(getattr(self, name) is not None for name in STOPS)

    def exit_phrases(self) -> list[str]:
        phrases = []
        if self.stop_loss_percent is not None:
            phrases.append(f"at {with_article(self.stop_loss_percent)} % loss (stop loss)")
        if self.stop_loss_atr is not None:
            phrases.append(f"{self.stop_loss_atr.phrase()} under the average price (stop loss)")
        if self.trailing_stop_percent is not None:
            phrases.append(f"{plain(self.trailing_stop_percent)} % under its peak (trailing stop)")
        if self.trailing_stop_atr is not None:
            phrases.append(f"{self.trailing_stop_atr.phrase()} under its peak (trailing stop)")
        if self.break_even_after_percent is not None:
            phrases.append(f"at what it paid once it was {plain(self.break_even_after_percent)} % up (break even)")
        if self.take_profit_percent is not None:
            phrases.append(f"at {with_article(self.take_profit_percent)} % gain (take profit)")
        phrases += target_phrases(self.take_profits or [])
        if self.max_holding is not None:
            phrases.append(f"after {self.max_holding} at the latest")
        return phrases


def _none_if_empty(guards: Guards | None) -> Guards | None:
    return None if guards is None or guards.is_empty else guards


OptionalGuards = Annotated[Guards | None, AfterValidator(_none_if_empty), UNLESS_SET]

EXAMPLE_STRATEGY: JsonDict = {
    "conditions": [
        {"kind": "price_drop", "percent": 5, "window": "15m"},
        {"kind": "volume_spike", "multiplier": 3, "window": "1h"},
    ],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 10},
}


class Strategy(Language):
    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLE_STRATEGY]})

    conditions: Annotated[list[Condition], Field(min_length=1, max_length=10, description="When to buy")]
    match: Annotated[Match, Field(description="Whether all entry conditions must hold, or any")] = "all"
    exit_conditions: Annotated[list[Condition], Field(max_length=10, description="When to sell")] = []  # noqa: RUF012 - pydantic copies it
    exit_match: Annotated[Match, Field(description="Whether all exit conditions must hold, or any")] = "any"
    risk_management: Annotated[RiskManagement, Field(description="When to sell to limit losses or to take profits")] = (
        RiskManagement()
    )
    position_percent: Annotated[
        float, Field(gt=0, le=100, description="How much of the cash each buy spends, in percent")
    ] = 100
    guards: Annotated[OptionalGuards, Field(description="Limits on a whole run, which refuse entries")] = None
    position_amount: Annotated[
        Annotated[Cash, Field(ge=1)] | None, Field(description="Money for each buy, or what is left"), UNLESS_SET
    ] = None
    risk_percent: Annotated[
        Annotated[float, Field(ge=0.01, le=100)] | None,
        Field(description="Share of the equity that is lost if the stop of a buy is hit"),
        UNLESS_SET,
    ] = None
    ladder: Annotated[
        Annotated[list[LadderStep], Field(min_length=1, max_length=10)] | None,
        Field(description="Further purchases as the price falls"),
        AfterValidator(checked_ladder),
        UNLESS_SET,
    ] = None
    max_entries: Annotated[
        MaxEntries,
        Field(description="How often met conditions buy for one position", exclude_if=lambda value: value == 1),
    ] = 1
    entry_gap: Annotated[Duration | None, Field(description="Least time between two such buys"), UNLESS_SET] = None
    portfolio: Annotated[
        Portfolio | None,
        Field(description="For runs on many tokens with one purse; 5 places and `volume` by default"),
        UNLESS_SET,
    ] = None

    @property
    def trades_in_parts(self) -> bool:
        """Return whether a position may have more than one buy and one sale."""
        return self.ladder is not None or self.max_entries > 1 or self.risk_management.take_profits is not None

    @model_validator(mode="after")
    def _size_each_buy_once(self) -> Self:
        sizes = [self.position_amount is not None, self.risk_percent is not None, self.position_percent != 100]
        if sum(sizes) > 1:
            raise PydanticCustomError(
                "said_twice", "the size is one of position_percent, position_amount and risk_percent"
            )
        if self.risk_percent is not None and not self.risk_management.has_stop:
            raise PydanticCustomError("needs_stop", "risk_percent needs a stop loss or a trailing stop")
        if self.ladder is not None:
            self._refuse_ladder(sum(each.size_percent for each in self.ladder))
        return self

    def _refuse_ladder(self, steps: float) -> None:
        if self.risk_percent is not None:
            raise PydanticCustomError("ladder", "a ladder and risk_percent exclude each other")
        if self.position_amount is not None and steps > WHOLE_SHARE:
            raise PydanticCustomError("ladder", "the ladder takes more than 100 % of the cash: lower its size_percent")
        if self.position_amount is None and self.position_percent + steps > WHOLE_SHARE:
            raise PydanticCustomError(
                "ladder", "the first buy and the ladder take more than 100 % of the cash: lower position_percent"
            )

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
    sentences = [f"Buy{_size(strategy)} when {_join(strategy.conditions, strategy.match)}."]
    if strategy.max_entries > 1:
        gap = "" if strategy.entry_gap is None else f", at least {strategy.entry_gap} apart"
        sentences.append(f"Buy up to {strategy.max_entries} times for one position{gap}.")
    if strategy.ladder is not None:
        sentences.append(ladder_sentence(strategy.ladder))
    sentences.append(_selling(strategy))
    if strategy.risk_management.cooldown is not None:
        sentences.append(f"After a sale, wait {strategy.risk_management.cooldown} before buying again.")
    if strategy.guards is not None:
        sentences += strategy.guards.sentences()
    if strategy.portfolio is not None:
        sentences.append(strategy.portfolio.sentence())
    return " ".join(sentences)


def _size(strategy: Strategy) -> str:
    if strategy.position_amount is not None:
        return f" for ${plain(strategy.position_amount)}"
    if strategy.risk_percent is not None:
        return f" so much that the stop loses {plain(strategy.risk_percent)} % of the account"
    return "" if strategy.position_percent == 100 else f" with {plain(strategy.position_percent)} % of the cash"


def _selling(strategy: Strategy) -> str:
    ways = strategy.risk_management.exit_phrases()
    if strategy.exit_conditions:
        ways.insert(0, f"when {_join(strategy.exit_conditions, strategy.exit_match)}")
    if not ways:
        return "Nothing tells it to sell: a position stays open."
    return f"Sell {', or '.join(ways)}."


def _join(conditions: list[Condition], match: Match) -> str:
    return (" and " if match == "all" else " or ").join(condition.phrase() for condition in conditions)


def _order(conditions: list[dict[str, Any]]) -> list[str]:
    """Return conditions as texts in one order, and likewise the members of groups."""
    inner = (
        {**each, "conditions": _order(each["conditions"])} if "conditions" in each else each for each in conditions
    )
    return sorted(json.dumps(each, sort_keys=True) for each in inner)


def content_digest(strategy: Strategy) -> str:
    """Return a short text that is equal for strategies that do the same, however their conditions are ordered."""
    document = strategy.model_dump(mode="json")
    for side in ("conditions", "exit_conditions"):
        document[side] = _order(document[side])
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:32]

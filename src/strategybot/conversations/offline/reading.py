"""What a message says about a strategy: conditions, settings, removals, and whatever in it is unclear."""

from dataclasses import dataclass, field
from typing import Any, Literal

# What the fields and kinds of a strategy are called.
NAMES = {
    "stop_loss_percent": "stop loss",
    "take_profit_percent": "take profit",
    "trailing_stop_percent": "trailing stop",
    "max_holding": "longest holding time",
    "cooldown": "cooldown",
    "position_percent": "position size",
    "price_drop": "price drop",
    "price_rise": "price rise",
    "volume_spike": "volume spike",
    "price_level": "price level",
}

Amount = float | str  # a percent or a multiple, or a duration such as 15m


@dataclass(frozen=True)
class Change:
    """A new value for a field, or how far the old one moves."""

    value: Amount
    how: Literal["to", "by", "times"] = "to"


@dataclass(frozen=True)
class Claim:
    """A value that the strategy is said to hold; of "4 to 6" the 4, which may as well be the end of a range."""

    value: float
    is_time: bool = False
    about: str | None = None  # the field or the kind of condition it is said of, where that is known


@dataclass(frozen=True)
class OldLevel:
    """A price at which it shall sell no longer, and on which side of it that was."""

    value: float
    direction: str | None


@dataclass
class Reading:
    entry: list[dict[str, Any]] = field(default_factory=list)
    exit: list[dict[str, Any]] = field(default_factory=list)
    changes: dict[str, Change] = field(default_factory=dict)
    removed: set[str] = field(default_factory=set)
    removed_place: int | None = None  # the condition to buy that goes, by where it stands
    match: Literal["all", "any"] | None = None
    exit_match: Literal["all", "any"] | None = None
    only_exits: set[str] = field(default_factory=set)  # of all that sells only these stay
    old_levels: list[OldLevel] = field(default_factory=list)
    window: Change | None = None  # for the one condition that has a window
    reference: str | None = None  # likewise
    move: dict[str, Any] = field(default_factory=dict)  # percent and window of the one price move
    level: float | None = None  # for the one level on the side below
    level_side: str = "BUY"
    buys: bool = False  # says when to buy: the entry is stated anew
    adds: bool = False
    adds_exits: bool = False  # and only these
    adds_from: int | None = None  # where it begins to add
    is_mixed: bool = False  # conditions before that place as well: are they added, changed or stated anew?
    restates: bool = False  # names the value that is to go: "10% instead of 8"
    swap: tuple[Claim, Amount] | None = None  # "change 5% to 7%": whatever holds the one takes the other
    claimed: list[Claim] = field(default_factory=list)  # values it is said to have: "remove the 3% stop"
    denied: list[Claim] = field(default_factory=list)  # values that it shall not have: "4, not 5"
    kept: set[str] = field(default_factory=set)  # concepts of what is said to stay
    alone: str | None = None  # the kind of condition that is said to stay as the only one to buy
    must: bool = False  # "the volume must be 3x": added where there is none
    only_buys: bool = False  # "only buy when …": in place of the rest, or besides?
    sells_only: bool = False  # "the only exit: …": in place of the others, or besides?
    also_buys: bool = False  # "also buy when …": together with the rest, or either?
    bare: list[tuple[str, Amount]] = field(default_factory=list)  # a lone number: "make it 7"
    questions: list[str] = field(default_factory=list)  # what must be asked before anything is changed
    unknown: list[str] = field(default_factory=list)
    reserved: list[str] = field(default_factory=list)  # words that may limit or turn what is ordered
    denied_by: list[str] = field(default_factory=list)  # the not of "dont stop loss", which may deny all of it
    negated: bool = False  # "no stop loss": a removal that is also a negation
    refused: bool = False  # a "not" that nothing explains

    @property
    def adds_entry(self) -> bool:
        return self.adds and not self.adds_exits

    @property
    def is_doubtful(self) -> bool:
        """Whether any of its words might make another thing of it."""
        return bool(self.unknown or self.reserved or self.denied_by or self.negated or self.refused or self.bare)

    @property
    def changes_something(self) -> bool:
        """Whether it says anything that a run alone has no use for."""
        stated = self.entry or self.exit or self.changes or self.removed or self.old_levels or self.only_exits
        return bool(stated or self.window or self.level or self.reference or self.move or self.swap)

    @property
    def says_something(self) -> bool:
        return bool(
            self.entry
            or self.exit
            or self.changes
            or self.removed
            or self.removed_place is not None
            or self.old_levels
            or self.only_exits
            or self.match
            or self.window
            or self.reference
            or self.level
            or self.move
            or self.swap
            or self.questions
        )

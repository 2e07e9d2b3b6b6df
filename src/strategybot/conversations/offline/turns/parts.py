"""Parts of a strategy and amounts, as a follow-up names them: "the trail", "stop and target", "3x", "2 hours"."""

from strategybot.conversations.offline.reading import NAMES
from strategybot.conversations.offline.words.groundwork import FIELDS
from strategybot.conversations.offline.words.hearing import line_of

AMOUNT = (
    r"(?:\d+(?:[.,]\d+)?|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?:\s?(?:%|percent|pct|points?|x|times|h|hrs?|hours?|m|mins?|minutes?|d|days?))?(?![\w%])"
)
END = r"(?=\s*(?:$|[,.;!]|and\b|then\b|but\b|please\b|pls\b|instead\b))"  # where a clause may end
_PARTS = "STOP|TARGET|TRAIL|SIZE|COOLDOWN|HOLDMAX|WINDOW|DROP|RISE|VOLUME"
_LISTING = frozenset({"the", "my", "and", ",", "both", "just", "only", "one"})
_KINDS = {"%": {"%", "#"}, "×": {"×", "#"}, "~": {"~"}, "#": {"#", "%"}}


def parts_in(text: str) -> list[str]:
    """The settings that the text lists, by their names; none if it says anything else."""
    items = line_of(text.strip()).items
    fields = [item.name for item in items if item.name in FIELDS]
    others = [item for item in items if item.name not in FIELDS and item.text.lower() not in _LISTING]
    return [] if others else [NAMES[FIELDS[name]] for name in fields]


def named_parts(text: str) -> list[str]:
    """The settings that are named in it, whatever else it says."""
    return [NAMES[FIELDS[item.name]] for item in line_of(text).items if item.name in FIELDS] if text.strip() else []


def names_a_part(text: str) -> bool:
    return line_of(text).has(_PARTS) if text.strip() else False


def amount_of(text: str) -> tuple[str, float] | None:
    """What kind of amount the text is, and how much; a time in seconds."""
    items = line_of(f"by {text.strip()}").items[1:]  # behind "by" a one is a number
    if len(items) != 1 or items[0].token is None or items[0].name not in _KINDS:
        return None
    return items[0].name, items[0].token.value


def is_alike(held: str, amount: str) -> bool:
    """Whether a part that holds the one can hold the other; a bare number is no time."""
    old, new = amount_of(held), amount_of(amount)
    return old is not None and new is not None and new[0] in _KINDS[old[0]]


def is_same(held: str, amount: str) -> bool:
    """Whether the amount is the one that is held."""
    old, new = amount_of(held), amount_of(amount)
    return is_alike(held, amount) and old is not None and new is not None and old[1] == new[1]


def with_unit_of(held: str, amount: str) -> str:
    new = amount_of(amount)
    return f"{new[1]:g}{held[-1]}" if new is not None and new[0] == "#" and held[-1] in "%x" else amount

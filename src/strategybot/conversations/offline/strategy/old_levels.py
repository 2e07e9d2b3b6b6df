"""A price at which it shall sell no longer: "stop selling above 0.012", "below 0.009 instead of above 0.012"."""

from strategybot.conversations.offline.reading import OldLevel, Reading
from strategybot.conversations.offline.words.lines import Line

_AT_A_PRICE = (
    r"(?:(?:it|when|if|once|the|price|is|goes|gets|CROSS|moves|of|level) )*(?:at|ABOVE|BELOW|CROSS|LEVEL) [#$]"
)
_NO_LONGER = rf"NOT (?:(?:want|to|please) )*SELL {_AT_A_PRICE}(?: anymore| ANY more)?(?= [,;.]| and| but|$)"
_ENDING = frozenset({"stop", "no longer"})  # and not "don't sell at 0.012", which may refuse a sale that is not there
_NOT_THERE = r"[,;](?: and)? NOT (?:at|ABOVE|BELOW) [#$](?= [,;.]|$)"  # "sell over 0.02, no longer over 0.012"
_IN_PLACE_OF = rf"INSTEAD (?:SELL )?{_AT_A_PRICE}"


def without_old_levels(line: Line, reading: Reading) -> Line:
    """The price is read, noted and dropped."""
    for first, last in line.spans(_NO_LONGER):
        ends = line.items[first].text.lower() in _ENDING or line.part(first, last + 1).has("anymore|ANY more")
        told = line.part(0, first).has("(?:i|we|they|he|she|UNKNOWN)$") and not line.part(first, last).has("want")
        if ends and not told:
            line = _noted(line, first, last, reading, "GONE")
    for first, last in line.spans(_NOT_THERE):
        denied = next(item.text.lower() for item in line.items[first:last] if item.name == "NOT")
        if line.part(0, first).has("SELL (?:at|ABOVE|BELOW|CROSS) [#$]") and denied in ("not", "no longer"):
            line = _noted(line, first + 1, last, reading, "OLD")
    for first, last in line.spans(_IN_PLACE_OF):
        if line.part(0, first).has("SELL"):
            line = _noted(line, first, last, reading, "OLD")
    return line


def _noted(line: Line, first: int, last: int, reading: Reading, name: str) -> Line:
    part = line.part(first, last + 1)
    price = next(item.token for item in part.items if item.name in ("#", "$"))
    directions = [item.name.lower() for item in part.items if item.name in ("ABOVE", "BELOW")]
    if price is not None:
        reading.old_levels.append(OldLevel(price.value, directions[0] if directions else None))
    return line.renamed(first, last, name)

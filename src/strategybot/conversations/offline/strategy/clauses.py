"""Which part of a message is about buying and which about selling."""

from strategybot.conversations.offline.words.lines import Item, Line

BUY, SELL = "BUY", "SELL"
ENDS = frozenset({",", ";", ".", ":", "?"})
_JOINS = frozenset({"and", "then", "but", "or"})
_OPENS = frozenset({"if", "when", "whenever", "once"})
_LIGHT = frozenset(
    {"we", "i", "it", "ADD", "then", "also", "the", "and", "so", "just", "now", "please", "should", "AGAIN", "let"}
)
_WISHING = frozenset({"want", "to", "wanna", "would", "like", "id", "need", "a", "an"})
_CUES = frozenset({"DROP", "RISE", "VOLUME", "BREAK", "CROSS", "ABOVE", "BELOW", "LOSS", "PROFIT"})
_VERBS = frozenset({BUY, SELL})
_WANTED = frozenset({"should", "must", "want", "need"})
_EDITS = frozenset({"change", "set", "make", "RAISE", "REDUCE", "adjust", "update"})


def sides(line: Line) -> list[str]:
    """For each item BUY or SELL; what nobody governs is about buying."""
    clauses = clauses_of(line)
    verbs = [_verb(line.items[first:last]) for first, last in clauses]
    result: list[str] = []
    governing, listed = BUY, False
    for number, (first, last) in enumerate(clauses):
        headed = first > 0 and line.items[first - 1].name == ":"  # "exit: …"
        if verbs[number] is None and _is_edit(line.items[first : first + 5]):
            governing = BUY
        verb = verbs[number] or (None if headed else _following(line.items, clauses, verbs, number)) or governing
        result += [verb] * (last - first)
        end = line.items[last - 1].name
        listed = end != "." and (listed or (end == ":" and verbs[number] is not None))  # "sell if any of these: …; …"
        governing = BUY if end == "." or (end == ";" and not listed) else verb
    return result


def clauses_of(line: Line) -> list[tuple[int, int]]:
    """First item of each clause, and the one behind its last."""
    items = line.items
    starts = [0]
    for position in range(1, len(items)):
        if items[position - 1].name in ENDS or _opens(items, starts[-1], position):
            starts.append(position)
    return [(first, last) for first, last in zip(starts, [*starts[1:], len(items)], strict=True) if last > first]


def _opens(items: tuple[Item, ...], start: int, position: int) -> bool:
    """Whether a new clause begins here, though no mark stands before it."""
    name = items[position].name
    so_far = {item.name for item in items[start:position]}
    if name in _JOINS or name == "ADD":
        ahead = [item.name for item in items[position + 1 : position + 7] if item.name not in _LIGHT | _WISHING]
        return bool(ahead) and (
            ahead[0] in _VERBS or ahead[0] in _OPENS or _is_edit(items[position + 1 : position + 5])
        )
    if name in _OPENS:
        return bool(so_far & _VERBS) and bool(so_far & _CUES)
    if name in _VERBS:
        return bool(so_far & (_VERBS - {name})) and items[position - 1].name not in _JOINS | _OPENS
    return False


def _is_edit(items: tuple[Item, ...]) -> bool:
    """ "… and also change the drop to 8%", "… and also require 2x volume": no longer about the sale before it."""
    names = {item.name for item in items}
    required = any(item.name == "ADD" and "requir" in item.text.lower() for item in items)
    required = (
        required
        or {"ADD", "CONDITION"} <= names
        or {"ADD", "CHECK"} <= names
        or bool(names & {"DROP", "VOLUME"} and names & _WANTED)
    )
    first = next((item.name for item in items if item.name not in _LIGHT | _JOINS), "")
    return required or first in _EDITS


def _verb(items: tuple[Item, ...]) -> str | None:
    named = [item.name for item in items if item.name in _VERBS]
    return named[0] if named else None


def _following(
    items: tuple[Item, ...], clauses: list[tuple[int, int]], verbs: list[str | None], number: int
) -> str | None:
    """ "If it drops 5%, buy": the clause of a condition belongs to the bare order behind it."""
    if number + 1 == len(clauses) or verbs[number + 1] is None:
        return None
    first, last = clauses[number + 1]
    if items[first - 1].name in (".", ";") or any(item.name == "ADD" for item in items[first : first + 3]):
        return None
    ahead = [item.name for item in items[first:last] if item.name not in _LIGHT]
    bare = bool(ahead) and ahead[0] in _VERBS and not {*ahead} & (_CUES | _OPENS)
    return verbs[number + 1] if bare else None

"""Names in a message: what a bot is to be called, and which token is asked about."""

from strategybot.conversations.offline.orders.token_names import CHAINS, named_token
from strategybot.conversations.offline.words.lines import UNKNOWN, Item, Line
from strategybot.conversations.offline.words.plain_words import words_of

_NAME_ENDS = frozenset(
    words_of(
        """
        that which to with and : , ; for who . BUY when on if please ? unless until till EXCEPT only during after before
        as rather INSTEAD FORGET while once × NOT CHECK like between in most just FILL REMOVE
        """
    )
)
_NO_NAMES = words_of(
    """
    but plus subject at under over or by from tomorrow later soon today tonight probably maybe perhaps pending sometime
    whenever temporarily ask wait starting sounds feels would could should is does can
    """
)
NAMELESS = words_of(  # "name it whatever you like", "bot, wait, …"
    """
    whatever anything something somehow anyhow yourself you undecided unknown idk tbd random it them nothing unnamed
    a an actually also and but buy good great hello hey hi how if it just make no not now ok okay please sell set so
    sorry stop thanks then wait well what when why yes
    """
)
_SIGNED = frozenset("%×$½")  # their signs are no part of their text
_AFTER_A_NAME = frozenset({"FILL", "now", "pls", "plz", "thanks", "thx", "ok", "bro", "mate", "ser"})
_QUERY_ENDS = frozenset({",", "?", ".", ";", "please", "pls", "plz", "before", "and", "or", "FILL"})
_BEFORE_QUERY = frozenset(
    {
        "the",
        "a",
        "an",
        "me",
        "for",
        "TOKEN",
        "CALLED",
        "of",
        "some",
        "any",
        "ANY",
        "my",
        "please",
        "is",
        "if",
        "about",
        "on",
        "SEARCH",
        "up",
        "price",
        "«",
        "it",
        "out",
        "us",
        "and",
        "which",
        "do",
        "you",
        "have",
        "what",
        "are",
        "there",
        "ALL",
        "SHOW",
        "BUY",
        "trade",
        "to",
        "how",
        "much",
    }
)
_ASKED_FOR = (
    r"SEARCH|CALLED|(?:UNKNOWN|price|address|contract) (?:of|for)|TOKEN (?:that |which |with |are |is |do )*"
    r"(?:match|matches|matching|like|containing|contains|contain|UNKNOWN in|with)"
)
_ABOUT_TOKENS = frozenset({"address", "contract", "ca", "ticker", "info", "details", "symbol", "pool"})


def bot_named(line: Line) -> tuple[str | None, Line]:
    """The name given to a new bot, and the line with it known."""
    for place, item in enumerate(line.items):
        if item.name == "«":
            first = place - 1 if place and line.items[place - 1].name == "CALLED" else place
            return item.text, line.renamed(first, place, "NAME")
    starts = [last + 1 for _, last in line.spans(r"CALLED(?: (?:it|is|as|shall|should|will|be|to|:|my|BOT))*")] or [
        last for _, last in line.spans(f"BOT (?:: |, )?{UNKNOWN}")
    ]
    if not starts:
        return None, line
    first = last = starts[0]
    while last < len(line.items) and last - first < 5 and (last == first or not _ends_name(line, last)):
        last += 1
    while last > first + 1 and line.items[last - 1].name in _AFTER_A_NAME:
        last -= 1
    if not line.items[first:last] or _is_no_name(line.items[first:last]):
        return None, line
    name = " ".join(item.text for item in line.items[first:last])
    return name, line.renamed(first - 1, last - 1, "NAME")


def _is_no_name(items: tuple[Item, ...]) -> bool:
    """ "named after my dog", "called Stork subject to my ok", and what could not be written as it was."""
    return (
        items[0].name == "after"
        or items[0].text in NAMELESS
        or any(item.text.lower() in _NO_NAMES for item in items[1:])
        or any(item.name in _SIGNED or item.is_duration for item in items)
        or (items[0].text.istitle() and any(_goes_on(item) for item in items[1:]))
    )


def _goes_on(item: Item) -> bool:
    """ "called Zed ask me first": behind a capital only capitals belong to a name."""
    return item.text.islower() and item.text not in ("of", "the", "and", "de", "von", "o", "a")


def _ends_name(line: Line, place: int) -> bool:
    return bool({line.items[place].name, line.items[place].text.lower()} & _NAME_ENDS)


def query_of(line: Line) -> tuple[str | None, str | None]:
    """The token a search is for, and the chain: what stands behind the words that ask for it."""
    starts = [last + 1 for _, last in line.spans(_ASKED_FOR)]
    first = starts[-1] if starts else 0
    while first < len(line.items) and _introduces(line, first):
        first += 1
    last, chain = first, None
    while last < len(line.items) and line.items[last].name not in _QUERY_ENDS:
        if line.items[last].name == "on" and last + 1 < len(line.items) and line.items[last + 1].text.lower() in CHAINS:
            chain = CHAINS[line.items[last + 1].text.lower()]
            break
        last += 1
    words = [item.text for item in line.items[first:last]]
    while len(words) > 1 and words[-1].lower() in (
        "token",
        "coin",
        "tokens",
        "coins",
        "now",
        "pls",
        "thanks",
        "bro",
        "ser",
    ):
        words.pop()
    return " ".join(words).removeprefix("$") or None, chain


def _introduces(line: Line, place: int) -> bool:
    item = line.items[place]
    if item.name == "on" and place + 1 < len(line.items) and line.items[place + 1].text.lower() in CHAINS:
        return False
    return item.name in _BEFORE_QUERY - {"«"} or item.text.lower() in _ABOUT_TOKENS


def token_asked_about(line: Line) -> tuple[str | None, str | None]:
    """Of "is moon dust safe?" and "risk check on BLINK" the token, and the chain if one is named."""
    named = named_token(line)
    if named.token is not None:
        return named.token, named.chain
    for first, last in line.spans(r"(?:is|are) (?:\S+ )+?(?:a |an |the )?RISK"):
        words = [item for item in line.items[first + 1 : last] if item.name not in ("a", "an", "the", "it", "this")]
        if words:
            return " ".join(item.text for item in words), named.chain
    for _, last in reversed(line.spans(r"RISK (?:CHECK |RESULT |SHOW )*(?:on|of|for|is|about|with|in|at)")):
        words = [
            item for item in line.items[last + 1 :] if item.name not in _QUERY_ENDS and item.name not in _BEFORE_QUERY
        ]
        if words:
            return " ".join(item.text for item in words), named.chain
    return None, named.chain

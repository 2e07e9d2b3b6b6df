"""What is settled before numbers meet cues: the parts of a strategy by their names, titles, and names of tokens."""

from strategybot.conversations.offline.words.lines import UNKNOWN, Line
from strategybot.conversations.offline.words.plain_words import TOLD, UNSUPPORTED, words_of

NUMBER = r"[%#$×½]"
AMOUNT = r"[%#$×½~]"
LONGEST_TITLE = 6
_SPEAKERS = frozenset({"i", "we", "you", "he", "she", "they", "it"})  # "i dreamt: …" is no title
FIELDS = {
    "STOP": "stop_loss_percent",
    "TARGET": "take_profit_percent",
    "TRAIL": "trailing_stop_percent",
    "HOLDMAX": "max_holding",
    "COOLDOWN": "cooldown",
    "SIZE": "position_percent",
}
REMOVABLE = {
    **FIELDS,
    "HOLD": "max_holding",
    "LOSS": "stop_loss_percent",
    "PROFIT": "take_profit_percent",
    "DROP": "price_drop",
    "RISE": "price_rise",
    "VOLUME": "volume_spike",
    "SELL": "exit_conditions",
    "BUY": "entry",
    "LEVEL": "price_level",
    "STRATEGY": "strategy",
}
_HEADINGS = words_of(
    """
    arrange implement execute plan goal aim task request final summary config configuration settings setup
    rules params parameters details specs update bitte logic system approach trigger criteria
    """
)
_ADDRESSED = f"^(?:and |so |ok |hey |now |, )*(?:(?:for|on|in|with) )?{UNKNOWN}$"  # "Moonshot: …" may be another bot
_BEFORE_NAME = "(?:BUY|SELL|when|whenever|if|once|on|TOKEN|trade|for|of|after)"
_AFTER_NAME = (
    r"(?:when|whenever|if|once|on|at|DROP|RISE|BREAK|CROSS|is|goes|has|,|\.|;|LOSS|PROFIT|VOLUME|after|with|and|CHECK|by|"
    r"SPIKE|price)"
)


def titled(line: Line) -> Line:
    """ "my idea: …": a title without a number or a cue means nothing."""
    for end, _ in line.spans(":"):
        ahead = line.items[:end]
        heard = any(item.name == UNKNOWN for item in ahead) and any(item.name in _SPEAKERS for item in ahead)
        heard = heard or any(item.name == UNKNOWN for item in ahead[1:] if ahead[0].name == "ADD")  # "add an efit: …"
        plain = not (heard or any(item.text.lower() in TOLD for item in ahead)) and all(
            item.name.islower() or item.name in (UNKNOWN, "ADD", "STRATEGY", "CREATE") for item in ahead
        )
        plain = plain and (not Line(ahead).has(_ADDRESSED) or ahead[-1].text.lower() in _HEADINGS)
        if plain and len(ahead) < LONGEST_TITLE and not any(item.text.lower() in UNSUPPORTED for item in ahead):
            for place, item in enumerate(ahead):
                line = line.renamed(place, place, "title") if item.name == UNKNOWN else line
    return line


def with_names(line: Line) -> tuple[Line, list[str]]:
    """Words that stand where a token is named, and the line with them known."""
    names = []
    shouting = all(item.text.isupper() for item in line.items if item.text.isalpha())
    placed = {first + 1 for first, _ in line.spans(rf"{_BEFORE_NAME} {UNKNOWN}(?= {_AFTER_NAME}|$)")}
    for position, item in enumerate(line.items):
        word = item.text.lower()
        spelled = item.text.isupper() and len(item.text) > 1 and not shouting
        if item.name == UNKNOWN and word not in UNSUPPORTED and (position in placed or spelled):
            names.append(item.text)
            line = line.renamed(position, position, "NAME")
        elif item.token is not None and item.name in "@€":
            names.append(item.text)
    return line, names


def named_items(line: Line, first: int, last: int) -> list[str]:
    return [item.name for item in line.items[first : last + 1]]

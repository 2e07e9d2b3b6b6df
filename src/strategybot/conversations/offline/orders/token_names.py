"""Which token and which chain a stretch of a message names."""

from dataclasses import dataclass

from strategybot.conversations.offline.words.lines import UNKNOWN, Line
from strategybot.conversations.offline.words.plain_words import UNSUPPORTED, words_of

CHAINS = {
    "eth": "eth", "ethereum": "eth", "mainnet": "eth", "sol": "solana", "solana": "solana", "bsc": "bsc", "bnb": "bsc",
    "binance": "bsc", "base": "base", "arbitrum": "arbitrum", "arb": "arbitrum", "optimism": "optimism",
    "polygon": "polygon", "matic": "polygon", "avalanche": "avalanche", "avax": "avalanche",
}  # fmt: skip
_COINS = frozenset({"eth", "sol", "bnb", "matic", "avax", "arb"})  # a coin unless a token is named beside it
_BEFORE_NAME = words_of("on for against with of TOKEN TEST using SEARCH CALLED RISK is in to BUY SIMULATION")


@dataclass(frozen=True)
class Named:
    token: str | None
    chain: str | None
    places: tuple[int, ...]


def named_token(line: Line) -> Named:
    """The token and the chain that a stretch names: an address, a $TAG, a quotation, or words in a name's place."""
    for place, item in enumerate(line.items):
        if item.token is not None and item.name in ("@", "€", "«"):
            chain = _chain(line, {place})
            return Named(item.text.removeprefix("$"), chain[0], (place, *chain[1]))
    groups = _groups(line)
    if not groups:
        return Named(None, None, ())
    tokens = [group for group in groups if not _is_chain(line, group)]
    chains = [group for group in groups if _is_chain(line, group)]
    if not tokens and chains and line.items[chains[0][0]].text.lower() in _COINS:
        tokens, chains = chains[:1], chains[1:]
    chain_word = line.items[chains[0][0]].text.lower() if chains else None
    text = " ".join(line.items[place].text for place in tokens[0]) if tokens else None
    places = tuple(place for group in [*tokens[:1], *chains[:1]] for place in group)
    return Named(text, CHAINS[chain_word] if chain_word else None, places)


def _chain(line: Line, apart: set[int]) -> tuple[str | None, list[int]]:
    for group in _groups(line):
        if _is_chain(line, group) and not apart & {*group}:
            return CHAINS[line.items[group[0]].text.lower()], group
    return None, []


def _is_chain(line: Line, group: list[int]) -> bool:
    return len(group) == 1 and line.items[group[0]].text.lower() in CHAINS


def _groups(line: Line) -> list[list[int]]:
    """Neighbouring unknown words that stand where a name stands, or are written as one."""
    groups: list[list[int]] = []
    place = 0
    while place < len(line.items):
        if line.items[place].name != UNKNOWN:
            place += 1
            continue
        group = [place]
        while group[-1] + 1 < len(line.items) and line.items[group[-1] + 1].name == UNKNOWN:
            group.append(group[-1] + 1)
        if _is_name(line, group):
            groups += _without_chain(line, group)
        place = group[-1] + 1
    return groups


def _without_chain(line: Line, group: list[int]) -> list[list[int]]:
    """ "solana PIPO" names a chain and a token."""
    words = [line.items[place].text.lower() for place in group]
    if len(group) > 1 and words[0] in CHAINS:
        return [group[:1], group[1:]]
    return [group[:-1], group[-1:]] if len(group) > 1 and words[-1] in CHAINS else [group]


def _is_name(line: Line, group: list[int]) -> bool:
    words = [line.items[place].text for place in group]
    if any(word.lower() in UNSUPPORTED for word in words):
        return False
    before = line.items[group[0] - 1].name if group[0] else ""
    return (
        before in _BEFORE_NAME
        or all(not word.islower() for word in words)
        or all(word.lower() in CHAINS for word in words)
    )

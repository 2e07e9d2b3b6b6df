"""Selection of the token of a backtest: an address, a token id, or a symbol."""

import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from strategybot.terminal.output import one_line
from strategybot.terminal.request import Instrument, instrument_of, is_symbol
from strategybot.terminal.stop import Stop

MOST_CHOICES = 10


class Found(Protocol):
    """A token that a search has found."""

    @property
    def address(self) -> str: ...
    @property
    def chain(self) -> str: ...
    @property
    def symbol(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def token_id(self) -> str: ...
    @property
    def liquidity_usd(self) -> float | None: ...


Search = Callable[[str | None, str | None, int], Awaitable[Sequence[Found]]]


async def chosen_instrument(search: Search, token: str | None, chain: str | None) -> Instrument:
    """Return the token and its chain. If several tokens have the symbol, ask the user on a terminal."""
    if token is None or not is_symbol(token):
        return instrument_of(token, chain)
    found = await search(token, chain, MOST_CHOICES)
    matches = [each for each in found if each.symbol.casefold() == token.casefold()]
    if not matches:
        where = f" on {chain}" if chain else ""
        raise Stop(f"No token{where} has the symbol {token}. Give its address and --chain, or its token id.")
    one = matches[0] if len(matches) == 1 else _choice(token, matches)
    return Instrument(one.address, one.chain)


async def chosen_instruments(search: Search, names: str, chain: str | None) -> list[Instrument]:
    """Return the tokens of a list such as `A,B,C` that are traded with one purse."""
    split = [name.strip() for name in names.split(",") if name.strip()]
    if not split:
        raise Stop("--tokens names no token: give them as A,B,C.")
    found = [await chosen_instrument(search, name, chain) for name in split]
    if len(set(found)) < len(found):
        raise Stop("--tokens names a token twice.")
    return found


def _choice(symbol: str, tokens: list[Found]) -> Found:
    lines = [f"  {number}. {_words(token)}" for number, token in enumerate(tokens, 1)]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Stop("\n".join([f"{len(tokens)} tokens have the symbol {symbol}. Give --token with one of:", *lines]))
    sys.stderr.write("\n".join([f"{len(tokens)} tokens have the symbol {symbol}:", *lines, "Which one? "]))
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if not answer.isdecimal() or not 1 <= int(answer) <= len(tokens):
        raise Stop(f"Please answer with a number from 1 to {len(tokens)}.")
    return tokens[int(answer) - 1]


def _words(token: Found) -> str:
    liquidity = "" if token.liquidity_usd is None else f", ${token.liquidity_usd:,.0f} liquidity"
    return f"{one_line(token.name, 40)} on {token.chain}{liquidity}: {token.token_id}"

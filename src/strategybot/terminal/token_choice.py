"""Selection of the token of a backtest: an address, a token id, or a symbol."""

import sys

from strategybot.market.schemas import Token
from strategybot.market.service import Market
from strategybot.terminal.request import Instrument, instrument_of, is_symbol
from strategybot.terminal.stop import Stop

MOST_CHOICES = 10


async def chosen_instrument(market: Market, token: str | None, chain: str | None) -> Instrument:
    """Return the token and its chain. If several tokens have the symbol, ask the user on a terminal."""
    if token is None or not is_symbol(token):
        return instrument_of(token, chain)
    found = await market.search(token, chain, MOST_CHOICES)
    matches = [each for each in found if each.symbol.casefold() == token.casefold()]
    if not matches:
        where = f" on {chain}" if chain else ""
        raise Stop(f"No token{where} has the symbol {token}. Give its address and --chain, or its token id.")
    one = matches[0] if len(matches) == 1 else _choice(token, matches)
    return Instrument(one.address, one.chain)


def _choice(symbol: str, tokens: list[Token]) -> Token:
    lines = [f"  {number}. {_words(token)}" for number, token in enumerate(tokens, 1)]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Stop("\n".join([f"{len(tokens)} tokens have the symbol {symbol}. Give --token with one of:", *lines]))
    sys.stderr.write("\n".join([f"{len(tokens)} tokens have the symbol {symbol}:", *lines, "Which one? "]))
    sys.stderr.flush()
    answer = sys.stdin.readline().strip()
    if not answer.isdecimal() or not 1 <= int(answer) <= len(tokens):
        raise Stop(f"Please answer with a number from 1 to {len(tokens)}.")
    return tokens[int(answer) - 1]


def _words(token: Token) -> str:
    """Return a label for the token. Its name is untrusted, so only one line of printable characters is shown."""
    name = "".join(letter for letter in token.name if letter.isprintable())[:40]
    liquidity = "" if token.liquidity_usd is None else f", ${token.liquidity_usd:,.0f} liquidity"
    return f"{name} on {token.chain}{liquidity}: {token.token_id}"

"""Which token a call is about: a symbol, a name, an address or a token id, as people and language models say it."""

import re

from strategybot.conversations.agent.facts import TokenFacts
from strategybot.conversations.consent import DetailedRefusal
from strategybot.conversations.hygiene import clean_text, plain_name
from strategybot.kit.errors import NotFound
from strategybot.market.service import Market
from strategybot.trading.engine.instruments import ADDRESS_PATTERN, TOKEN_ID_PATTERN, address_and_chain

SHORTEST_ADDRESS = 25  # of any chain; no symbol is as long
MOST_CHOICES = 5
MOST_FOUND = 10
_TOKEN_ID, _ADDRESS = re.compile(TOKEN_ID_PATTERN), re.compile(ADDRESS_PATTERN)


class NoSuchToken(NotFound):
    message = "No token is called that. Look for another name, or give its address."


class SeveralTokens(DetailedRefusal):
    """The name fits several tokens; `choices` are the most liquid of them."""

    status = 422

    def __init__(self, choices: list[TokenFacts]) -> None:
        rows = [choice.model_dump(mode="json") for choice in choices]
        super().__init__("Several tokens fit that name: choose one by its token id.", {"choices": rows})


class TokenChoice:
    def __init__(self, market: Market) -> None:
        self._market = market

    async def token_id(self, words: str, chain: str | None = None) -> str:
        """Return the id of the token that the words name. Raise if there are none or several."""
        if is_address(words) and (chain is not None or _has_chain(words)):
            return words if _has_chain(words) else f"{words}-{chain}"
        found = await self.matches(words, chain)
        if len(found) > 1:
            liquid = sorted(found, key=lambda token: -(token.liquidity_usd or 0))
            raise SeveralTokens(liquid[:MOST_CHOICES])
        if found:
            return found[0].token_id
        if is_address(words) or _TOKEN_ID.fullmatch(words):
            return words
        raise NoSuchToken

    async def token_and_chain(self, words: str, chain: str | None) -> tuple[str, str | None]:
        """Return the address and the chain of the token; an id stays as it is given."""
        token_id = await self.token_id(words, chain)
        return (words, chain) if token_id == words else address_and_chain(token_id)

    async def matches(self, words: str, chain: str | None = None) -> list[TokenFacts]:
        """Return the tokens with exactly this symbol, name or address; if there are none, all that a search finds."""
        query = clean_text(words, 100).removeprefix("$")
        found = [TokenFacts.model_validate(each) for each in await self._market.search(query, chain, MOST_FOUND)]
        wanted = plain_name(query, 60).casefold()
        return [token for token in found if wanted in _names(token)] or found


def is_address(words: str) -> bool:
    """Return whether the words are an address or a token id with one, on any chain."""
    if not _ADDRESS.fullmatch(words):
        return False
    return len(address_and_chain(words)[0] if _has_chain(words) else words) >= SHORTEST_ADDRESS


def _has_chain(words: str) -> bool:
    return "-" in words and _TOKEN_ID.fullmatch(words) is not None


def _names(token: TokenFacts) -> set[str]:
    address, _ = address_and_chain(token.token_id)
    return {token.symbol.casefold(), token.name.casefold(), address.casefold(), token.token_id.casefold()}

"""Which tokens a run trades with one purse: those of the request, or of the bot."""

from collections.abc import Sequence

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.bots.schemas import BotView, TrendingUniverse, UniverseToken
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.json_object import Json
from strategybot.market.service import Market
from strategybot.runs.planning import instrument_of
from strategybot.runs.schemas import PurseRequest
from strategybot.runs.service import NeedsAnAccount, TooManyTokens


class NothingTrending(InvalidInput):
    def __init__(self, chain: str) -> None:
        super().__init__([FieldError("universe.trending", f"has no trending tokens now: {chain}")])


class Universes:
    def __init__(self, market: Market) -> None:
        self._market = market

    async def tokens(
        self, principal: Principal, defaults: UserSettings, bot: BotView, request: PurseRequest
    ) -> list[Json] | None:
        """Return address and chain of each token in the order of their ids; None for a run on one token.

        Raise if the request says it twice, if a token is named twice, or if the tier allows fewer.
        """
        asked = _asked(bot, request)
        if asked is None:
            return None
        most = principal.limits.portfolio_tokens
        if not most:
            raise NeedsAnAccount(principal, "portfolios")
        if isinstance(asked, TrendingUniverse):
            found = await self._trending(principal, asked, most)
        else:
            found = self._named(defaults, bot, asked)
        if len(found) > most:
            raise TooManyTokens(principal, "portfolio", most, len(found))
        return [found[token_id] for token_id in sorted(found)]

    async def _trending(self, principal: Principal, asked: TrendingUniverse, most: int) -> dict[str, Json]:
        count = asked.limit or most
        if count > most:
            raise TooManyTokens(principal, "portfolio", most, count)
        listed = (await self._market.trending(asked.trending, count))[:count]
        if not listed:
            raise NothingTrending(asked.trending)
        return {f"{each.address}-{each.chain}": {"token": each.address, "chain": each.chain} for each in listed}

    def _named(self, defaults: UserSettings, bot: BotView, asked: Sequence[UniverseToken]) -> dict[str, Json]:
        seen: set[str] = set()
        found: dict[str, Json] = {}
        for place, each in enumerate(asked):
            token, chain = instrument_of(bot, each.token, each.chain, defaults.default_chain)
            normal = self._market.normal_id(f"{token}-{chain}")
            if normal in seen:
                raise InvalidInput([FieldError(f"tokens.{place}", "names a token that is in the list already")])
            seen.add(normal)
            found[f"{token}-{chain}"] = {"token": token, "chain": chain}
        return found


def _asked(bot: BotView, request: PurseRequest) -> Sequence[UniverseToken] | TrendingUniverse | None:
    ways = [request.token is not None, request.tokens is not None, request.universe is not None]
    if sum(ways) > 1:
        raise InvalidInput([FieldError("tokens", "is one of token, tokens and universe: give one of them")])
    if request.tokens is not None or request.universe is not None:
        return request.tokens or request.universe
    asked = None if request.token is not None else bot.universe
    if asked is None and request.dead_token_loss_percent is not None:
        raise InvalidInput([FieldError("dead_token_loss_percent", "needs many tokens: give tokens or universe")])
    return asked

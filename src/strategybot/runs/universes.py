"""Which tokens a run trades with one purse: those of the request, or of the bot."""

from collections.abc import Sequence

from strategybot.accounts.schemas import UserSettings
from strategybot.accounts.service import Principal
from strategybot.bots.schemas import BotView, TrendingUniverse, UniverseToken
from strategybot.bots.service import Bots
from strategybot.kit.clock import utc_moment
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.json_object import Json
from strategybot.kit.threads import run_read
from strategybot.market.service import Market
from strategybot.runs.planning import instrument_of
from strategybot.runs.schemas import PurseRequest
from strategybot.runs.service import NeedsAnAccount, TooManyTokens
from strategybot.runs.storage import token_id_of

DAY = 86_400
MOST_OF_EACH_DAY = 200
TOO_MANY_LISTED = f"can have {MOST_OF_EACH_DAY} tokens in all"


class NothingTrending(InvalidInput):
    def __init__(self, chain: str, when: str = "now") -> None:
        super().__init__([FieldError("universe.trending", f"has no trending tokens {when}: {chain}")])


class NotListedYet(InvalidInput):
    """The lists of some days are not known. `known_from` is the time of the first one, None if there is none yet."""

    def __init__(self, known_from: int | None, now: int) -> None:
        first = utc_moment(now if known_from is None else known_from)
        day = f"{first:%Y-%m-%d}" if known_from is None or known_from % DAY == 0 else f"{first:%Y-%m-%d %H:%M} UTC"
        super().__init__([FieldError("universe.as_of", f"works from {day} on: earlier lists were not kept")])


class Universes:
    def __init__(self, market: Market) -> None:
        self._market = market

    async def tokens(
        self,
        principal: Principal,
        defaults: UserSettings,
        bot: BotView,
        request: PurseRequest,
        span: tuple[int, int],
        *,
        is_live: bool = False,
    ) -> list[Json] | None:
        """Return address and chain of each token in the order of their ids; None for a run on one token.

        If the tokens of each day are asked for, `listed` has the spans in which a token was listed; for a live run the
        list of this hour is kept first. Raise if the request says it twice, if a token is named twice, or if the tier
        allows fewer.
        """
        asked = _asked_universe(bot, request)
        if asked is None:
            return None
        most = principal.limits.portfolio_tokens
        if not most:
            raise NeedsAnAccount(principal, "portfolios")
        if isinstance(asked, TrendingUniverse) and asked.as_of == "each_day":
            return await self._of_each_day(principal, asked, most, span, is_live=is_live)
        if isinstance(asked, TrendingUniverse):
            found = await self._trending(principal, asked, most)
        else:
            found = self._name(defaults, bot, asked)
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

    async def _of_each_day(
        self, principal: Principal, asked: TrendingUniverse, most: int, span: tuple[int, int], *, is_live: bool
    ) -> list[Json]:
        """Return the tokens that were listed at the beginning of each day of the span, each with its days."""
        count, chain = asked.limit or most, asked.trending
        if count > most:
            raise TooManyTokens(principal, "portfolio", most, count)
        if is_live:
            await self._market.lists.keep([chain])
        known_from = await self._market.lists.known_from(chain)
        if known_from is None or span[0] < known_from:
            raise NotListedYet(known_from, span[1])
        found: dict[str, Json] = {}
        for day in range(span[0] // DAY * DAY, span[1], DAY):
            for each in await self._market.lists.at(chain, count, max(day, known_from)):
                token = found.setdefault(token_id_of(each), {**each, "listed": []})
                token["listed"] = with_day(token["listed"], day)
        if not found:
            raise NothingTrending(chain, "now" if is_live else "in this time")
        if len(found) > MOST_OF_EACH_DAY:
            raise InvalidInput([FieldError("universe", f"{TOO_MANY_LISTED}: {len(found)} were listed in this time")])
        return [found[token_id] for token_id in sorted(found)]

    def _name(self, defaults: UserSettings, bot: BotView, asked: Sequence[UniverseToken]) -> dict[str, Json]:
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


async def listed_on(market: Market, chain: str, count: int, day: int) -> list[Json]:
    """Return token and chain of what was listed at the beginning of a day, or in the first list that was kept."""
    known_from = await market.lists.known_from(chain)
    return await market.lists.at(chain, count, max(day, known_from or 0))


def with_day(spans: Sequence[Sequence[int]], day: int) -> list[list[int]]:
    """Return the spans with this day, which is later than all of them."""
    is_next = bool(spans) and spans[-1][1] == day
    before, begin = (spans[:-1], spans[-1][0]) if is_next else (spans, day)
    return [*map(list, before), [begin, day + DAY]]


def listing_of(principal: Principal, bot: BotView, request: PurseRequest, moment: int) -> Json | None:
    """Return which lists a live run trades, and until when they are known at the moment of its start; None if none."""
    asked = _asked_universe(bot, request)
    if not isinstance(asked, TrendingUniverse) or asked.as_of is None:
        return None
    count = asked.limit or principal.limits.portfolio_tokens
    return {"chain": asked.trending, "limit": count, "until": moment // DAY * DAY + DAY}


def on_first(bot: BotView, tokens: Sequence[Json] | None) -> BotView:
    """Return the bot with the first of its run's tokens, under which a run of many is kept."""
    return bot if tokens is None else bot.model_copy(update={name: tokens[0][name] for name in ("token", "chain")})


def _asked_universe(bot: BotView, request: PurseRequest) -> Sequence[UniverseToken] | TrendingUniverse | None:
    ways = [request.token is not None, request.tokens is not None, request.universe is not None]
    if sum(ways) > 1:
        raise InvalidInput([FieldError("tokens", "is one of token, tokens and universe: give one of them")])
    if request.tokens is not None or request.universe is not None:
        return request.tokens or request.universe
    asked = None if request.token is not None else bot.universe
    if asked is None and request.dead_token_loss_percent is not None:
        raise InvalidInput([FieldError("dead_token_loss_percent", "needs many tokens: give tokens or universe")])
    return asked


async def keep_lists(bots: Bots, market: Market) -> None:
    """Keep what is trending now on the chains that bots use."""
    await market.lists.keep(await run_read(bots.chains_in_use))

"""What a call about a run needs first: the bot, its token, the run that it means, and the symbol of its token."""

from typing import Any, TypeVar

from strategybot.bots.schemas import BotView, TrendingUniverse, UniverseToken
from strategybot.conversations.agent.arguments import PurseArguments
from strategybot.conversations.agent.facts import TokenFacts, TokenRunFacts
from strategybot.conversations.agent.refusals import NoStrategy, NoTokenToRun
from strategybot.conversations.agent.token_choice import NoSuchToken
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.paging import Paging
from strategybot.runs.schemas import RunRequest, RunToken
from strategybot.simulations.schemas import SimulationSummary
from strategybot.trading.engine.instruments import address_and_chain
from strategybot.trading.words.numbers import counted

RunNamed = TypeVar("RunNamed", bound=TokenRunFacts)


def ready(work: ToolContext, request: RunRequest, bot: str | None, has_many: bool = False) -> BotView:
    """Return the chosen bot. Raise if it has no strategy, or if neither it nor the request has a token."""
    chosen = with_strategy(work, bot)
    if not has_many and request.token is None and chosen.token is None and chosen.universe is None:
        raise NoTokenToRun
    return chosen


def with_strategy(work: ToolContext, bot: str | None, *, needs_token: bool = False) -> BotView:
    """Return the chosen bot. Raise if it has no strategy, or no token where it needs one."""
    chosen = work.services.bot_choice.to_act_on(work.caller, bot)
    if chosen.strategy is None:
        raise NoStrategy
    if needs_token and chosen.token is None:
        raise NoTokenToRun
    return chosen


async def run_tokens(work: ToolContext, tokens: list[str]) -> list[RunToken]:
    """Return the tokens of a list. Raise with the place of one that nobody knows."""
    found = []
    for place, token in enumerate(tokens):
        try:
            address, chain = address_and_chain(await work.services.token_choice.token_id(token))
        except NoSuchToken as error:
            raise NoSuchToken(f"tokens.{place}: {error.message}") from None
        found.append(RunToken(token=address, chain=chain))
    return found


async def purse_of(work: ToolContext, asked: PurseArguments) -> dict[str, Any]:
    """Return the fields of a request for many tokens with one purse; empty for one token."""
    trending, tokens = asked.get("trending"), asked.get("tokens")
    if tokens is not None and trending is not None:
        raise InvalidInput([FieldError("tokens", "cannot be given together with trending")])
    if trending is None and (asked.get("limit") is not None or asked.get("as_of") is not None):
        raise InvalidInput([FieldError("trending", "must be given with limit or as_of")])
    if trending is not None:
        return {"universe": TrendingUniverse(trending=trending, limit=asked.get("limit"), as_of=asked.get("as_of"))}
    if tokens is None:
        return {}
    chosen = await run_tokens(work, tokens)
    return {"tokens": [UniverseToken(token=each.token, chain=each.chain) for each in chosen]}


async def add_symbol(work: ToolContext, run: RunNamed) -> RunNamed:
    """Return the run with the symbol of its token, if the market knows it; of a portfolio, the number of tokens."""
    if run.tokens_total > 1:
        return run.model_copy(update={"symbol": counted(run.tokens_total, "token")})
    token = await work.services.market.token_if_reachable(f"{run.token}-{run.chain}")
    return run if token is None else run.model_copy(update={"symbol": TokenFacts.model_validate(token).symbol})


def running_simulation(work: ToolContext, bot_id: str) -> SimulationSummary | None:
    """At most one of a bot's simulations is running or paused, and it is the newest."""
    newest = work.services.simulations.page(work.caller.principal, bot_id, Paging(1, 1)).simulations
    return newest[0] if newest and newest[0].status != "stopped" else None


def running_watch_id(work: ToolContext, bot_id: str) -> str | None:
    """At most one of a bot's watches runs, and it is the newest."""
    newest = work.services.watches.page(work.caller.principal, bot_id, Paging(1, 1)).watches
    return newest[0].run_id if newest and newest[0].status != "stopped" else None

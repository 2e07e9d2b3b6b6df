"""Parts of requests that several tools make of their arguments."""

from typing import Any

from strategybot.bots.schemas import TrendingUniverse, UniverseToken
from strategybot.conversations.agent.tool_definition import ToolContext
from strategybot.runs.schemas import RunToken
from strategybot.trading.engine.instruments import address_and_chain


def start_time(work: ToolContext, days: float | None) -> dict[str, int]:
    """Return the start time of a request that begins this many days ago; an empty dict for the default."""
    return {} if days is None else {"start_time": max(0, round(work.services.clock().timestamp() - days * 86_400))}


async def run_token(work: ToolContext, token: str) -> RunToken:
    address, chain = address_and_chain(await work.services.token_choice.token_id(token))
    return RunToken(token=address, chain=chain)


async def purse_of(
    work: ToolContext, tokens: list[str] | None, trending: str | None, limit: int | None
) -> dict[str, Any]:
    """Return the fields of a request for many tokens with one purse; empty for one token."""
    if trending is not None:
        return {"universe": TrendingUniverse(trending=trending, limit=limit)}
    if tokens is None:
        return {}
    chosen = [await run_token(work, token) for token in tokens]
    return {"tokens": [UniverseToken(token=each.token, chain=each.chain) for each in chosen]}

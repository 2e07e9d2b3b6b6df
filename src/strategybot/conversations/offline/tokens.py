"""Plans about tokens: which one is meant, its price and its risk, and what trends."""

from collections.abc import Generator

from strategybot.conversations.agent.telling import price_line, risk_words
from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.history import Call, Json, Outcome, Turn
from strategybot.conversations.offline.steps import Plan, Say, calling

WHICH = "Which token do you mean? Give me a symbol, a name or an address."


def find_token(query: str, chain: str | None = None) -> Generator[Call, Outcome, tuple[Json | None, str]]:
    """Return the one token that is meant, or None and what to say."""
    found = yield from calling("search_tokens", query=query.removeprefix("$"), chain=chain)
    if found.failure is not None:
        return None, found.failure
    token = clear_match(found.rows, query.removeprefix("$"))
    more = "\nWhich one do you mean?" if found.rows else ""
    return token, "" if token else f"{replies.found(found.rows, query)}{more}"


def clear_match(tokens: list[Json], query: str) -> Json | None:
    """Of an exact symbol, name or address the most liquid, else the only one found."""
    wanted = plain_name(query).lower()
    exact = [token for token in tokens if wanted in _names(token)] or (tokens if len(tokens) == 1 else [])
    if len({str(token.get("symbol")) for token in exact}) != 1:
        return None
    return max(exact, key=lambda token: float(token.get("liquidity_usd") or 0))


def _names(token: Json) -> set[str]:
    return {str(token.get(key)).lower() for key in ("symbol", "name", "address", "token_id")}


def search(query: str, chain: str | None = None) -> Plan:
    outcome = yield from calling("search_tokens", query=query, chain=chain)
    return Say(outcome.failure or replies.found(outcome.rows, query))


def about_token(turn: Turn, tool: str, query: str | None, chain: str | None) -> Plan:
    """The risk or the price of the named token, or of the bot's own."""
    if query is None:
        current = yield from calling("get_current_strategy")
        token_id = (current.facts.get("bot") or {}).get("token")
        if not token_id:
            return Say(WHICH)
        token: Json = {"token_id": token_id, "symbol": "The token of this bot", "chain": token_id.rpartition("-")[2]}
    else:
        found, told = yield from find_token(query, chain)
        if found is None:
            return Say(told)
        token = found
    if tool not in turn.tools:
        return Say(replies.CANNOT_CALL)
    outcome = yield from calling(tool, token_id=token["token_id"])
    if outcome.failure is not None:
        return Say(outcome.failure)
    if tool == "get_token":
        return Say(price_line(token, outcome.facts))
    where = token["symbol"] if query is None else f"{token['symbol']} on {token['chain']}"
    return Say(f"{where}: {risk_words(outcome.facts)}")

"""Plans about tokens: finding them, and how risky they are."""

import re

from strategybot.conversations.hygiene import plain_name
from strategybot.conversations.offline import replies
from strategybot.conversations.offline.history import Json
from strategybot.conversations.offline.orders.names import query_of, token_asked_about
from strategybot.conversations.offline.orders.token_names import named_token
from strategybot.conversations.offline.steps import Plan, Say, calling, saying
from strategybot.conversations.offline.words.lines import Line

TRENDING = re.compile(r"trend|\b(?:hot|hottest|top|popular)\b", re.IGNORECASE)


def search(line: Line, text: str) -> Plan:
    query, chain = query_of(line)
    if query is None or TRENDING.search(text):
        return _search("", chain)
    return _search(query, chain)


def _search(query: str, chain: str | None) -> Plan:
    outcome = yield from calling("search_tokens", query=query, chain=chain)
    return Say(outcome.failure or replies.found(outcome.rows, query))


_OWN = r"(?:my|this|its|our|the|the BOT s|my BOT s|BOT s) TOKEN(?= [?.,]|$| RISK)"
WHICH_TOKEN = "Which token should I check? Give me a symbol, a name or an address."


def token_risk(line: Line) -> Plan:
    query, chain = token_asked_about(line)
    if line.has(_OWN) and named_token(line).token is None:
        return _own_token_risk()
    if query is None:
        return saying(WHICH_TOKEN)
    return _token_risk(query, chain)


def _own_token_risk() -> Plan:
    current = yield from calling("get_current_strategy")
    bot = current.facts.get("bot") or {}
    if not bot.get("token"):
        return Say(WHICH_TOKEN)
    risk = yield from calling("get_token_risk", token_id=bot["token"])
    return Say(risk.failure or replies.risk("The token of this bot", risk.facts))


def _token_risk(query: str, chain: str | None) -> Plan:
    outcome = yield from calling("search_tokens", query=query, chain=chain)
    if outcome.failure is not None:
        return Say(outcome.failure)
    token = clear_match(outcome.rows, query)
    if token is None:
        return Say(replies.found(outcome.rows, query) + ("\nWhich one do you mean?" if outcome.rows else ""))
    risk = yield from calling("get_token_risk", token_id=token["token_id"])
    return Say(risk.failure or replies.risk(f"{token['symbol']} on {token['chain']}", risk.facts))


def clear_match(tokens: list[Json], query: str) -> Json | None:
    """The one token that is meant: of its exact symbol, name or address the most liquid, or else the only one found."""
    wanted = plain_name(query).lower()
    exact = [token for token in tokens if wanted in _names(token)]
    exact = exact or [token for token in tokens if f"w{wanted}" == str(token.get("symbol")).lower()]
    exact = exact or (tokens if len(tokens) == 1 else [])
    if len({str(token.get("symbol")) for token in exact}) != 1:
        return None
    return max(exact, key=lambda token: float(token.get("liquidity_usd") or 0))


def _names(token: Json) -> set[str]:
    return {str(token.get(key)).lower() for key in ("symbol", "name", "address", "token_id")}

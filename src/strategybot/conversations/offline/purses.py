"""Orders to test or follow a strategy with one purse: “on the 10 most liquid solana tokens, at most 4 open”."""

import re
from collections.abc import Generator
from typing import NamedTuple

from strategybot.conversations.agent.telling import RUNS_TOLD, simulation_words
from strategybot.conversations.offline.history import Call, Outcome, Plan, Say, Turn, calling
from strategybot.conversations.offline.lexicon import said
from strategybot.conversations.offline.plans import make_bot
from strategybot.kit.json_object import Json

WHICH_CHAIN = "On which chain? For example: “trade the 10 most liquid solana tokens, at most 4 at a time”."
DIP: Json = {
    "conditions": [{"kind": "price_drop", "percent": 5, "window": "1h"}],
    "risk_management": {"stop_loss_percent": 3, "take_profit_percent": 6},
}
"""The rule of a user who has none yet."""
_NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twenty": 20}
_COUNT = rf"(?:\d{{1,2}}|{'|'.join(_NUMBERS)})"
_ORDER = re.compile(
    r"(?:(?:please|now|then|and|ok|okay),? )*"
    r"(?:paper[- ]?trade|follow|simulate|start(?: trading)?|back ?test|test|run|try|trade|check)\b"
    r"(?: (?:it|this|that|my|the)\b[^,.\d]{0,40}?)??"
    r"(?: (?:on|across|over|with))?(?: the)?(?: top| best)?"
    rf" (?P<count>{_COUNT})(?: (?:most liquid|most traded|most popular|largest|biggest|top|trending|hottest))?"
    r"(?: (?P<chain>[a-z]+))??(?: meme)? ?(?:tokens|coins)(?: (?:on|of) (?P<on>[a-z]+))?(?P<rest>[ ,;.].*)?",
    re.IGNORECASE,
)
_PURSE = re.compile(
    r"(?:\b(?:with|in|from|using) )?\b(?:one|a single|a shared|the same) (?:purse|wallet|portfolio|account|pot)\b"
    r"|\bas a (?:live )?(?:paper )?portfolio\b",
    re.IGNORECASE,
)
_LIVE = re.compile(r"\b(?:live|on paper|paper[- ]?trad\w+|paper|follow|simulat\w+)\b", re.IGNORECASE)
_SAID_LIVE = re.compile(r" ?\b(?:live|on paper)\b", re.IGNORECASE)
_FILLERS = "please now then and ok okay do run try start trade trading the same it this that as a portfolio with on of"
_AGAIN = re.compile(rf"(?:\b(?:{_FILLERS.replace(' ', '|')})\b|[ ,;.])*", re.IGNORECASE)
_PLACES = re.compile(
    r"\b(?:at most|max(?:imum)?(?: of)?|no more than|not more than|up to|only)"
    rf" (?P<places>{_COUNT}|two|one)(?: tokens| coins| positions| places)?(?: open)?"
    r"(?: at (?:a time|once|the same time))?",
    re.IGNORECASE,
)


class Purse(NamedTuple):
    tokens: int
    chain: str | None
    places: int | None
    is_live: bool = False  # traded on paper from now on, instead of tested


def purse_of(text: str, last_test: Json) -> Purse | None:
    """Return what a message says that asks for one purse on many tokens; None if it asks for something else.

    After a test with one purse, an order to follow it live is about the same tokens.
    """
    said_text = " ".join(text.split()).strip(" .!?")
    is_live, has_purse = _LIVE.search(said_text) is not None, _PURSE.search(said_text) is not None
    plain = " ".join(_PURSE.sub("", said_text, count=1).split())
    if is_live and last_test.get("trending") and last_test.get("limit") and _AGAIN.fullmatch(_LIVE.sub("", plain)):
        return Purse(last_test["limit"], last_test["trending"], None, is_live=True)
    order = _ORDER.fullmatch(" ".join(_SAID_LIVE.sub("", plain).split()))
    if order is None:
        return None
    rest = order["rest"] or ""
    places = _PLACES.search(rest)
    if places is None and not has_purse:
        return None
    if re.sub(r"\b(?:with|and|in|using|held|hold|holding|please)\b|[ ,;.]", "", _PLACES.sub("", rest, count=1)):
        return None  # it says more than this can do
    named = (str(order["chain"] or order["on"]).lower(),)
    chain = next((chain for chain, phrases in said("value CHAIN").items() if named in phrases), None)
    if chain is None and (order["on"] or order["chain"] not in (None, "trending")):
        return None
    wanted = None if places is None else _number(places["places"])
    return Purse(_number(order["count"]), chain, wanted, is_live)


def _number(word: str) -> int:
    return {"one": 1, "two": 2, **_NUMBERS}.get(word.lower(), 0) or int(word)


def run_purse(turn: Turn, purse: Purse) -> Plan:
    """Give the strategy its places, and test or follow it on the trending tokens of the chain."""
    current = yield from calling("get_current_strategy")
    chain = purse.chain or current.bot.get("chain")
    if chain is None:
        return Say(WHICH_CHAIN)
    said, failure = yield from _with_places(current, purse.places)
    if failure is not None:
        return Say(failure)
    tool = "start_simulation" if purse.is_live else "run_backtest"
    mode = {"mode": "live"} if purse.is_live else {}
    outcome = yield from calling(tool, trending=chain, limit=purse.tokens, **mode)
    if outcome.failure is not None:
        return Say(said + outcome.failure)
    told = RUNS_TOLD.get(tool, simulation_words)(outcome.facts, turn.symbols)
    unranked = "No list ranks tokens by liquidity: the" if "liquid" in turn.text.lower() else "The"
    chosen = f"{unranked} tokens are the {purse.tokens} that trend on {chain} now."
    chosen = " ".join((chosen, *_left_out(outcome.facts)))
    return Say(f"{said}{told}\n\n{chosen}", {"topic": "simulation" if purse.is_live else "backtest"})


def _left_out(facts: Json) -> list[str]:
    """Return what the choice of the tokens did to the result."""
    return [str(note) for note in (facts.get("portfolio_notes") or [])[:1]]


def _with_places(current: Outcome, places: int | None) -> Generator[Call, Outcome, tuple[str, str | None]]:
    """Return what was changed, and why that failed. Without a strategy, a rule that buys dips is made."""
    strategy = current.facts.get("strategy")
    before = strategy or DIP
    portfolio = before.get("portfolio") or {}
    wanted = before if places is None else {**before, "portfolio": {**portfolio, "max_open": places}}
    if not current.bot:
        outcome = yield from make_bot(wanted, None, None)
    elif wanted != strategy:
        outcome = yield from calling("update_trading_strategy", strategy=wanted)
    else:
        return "", None
    return f"Done. {outcome.facts.get('summary')}\n\n", outcome.failure

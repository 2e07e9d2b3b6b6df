"""Check a reading before anything acts on it: unread words, frames without a use, and questions are asked about."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from strategybot.conversations.offline.conditions import Groups
from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.lexicon import words_in
from strategybot.conversations.offline.matcher import Cover, Match
from strategybot.conversations.offline.runs import ARGUMENTS, TOOLS
from strategybot.conversations.offline.text import Token

INFO_NAMES = """
    list_bots show show_part result compare_runs trades status why_not trending
    search risk price help advice promise better_values
"""
INFO = frozenset(INFO_NAMES.split())
RUNS = frozenset(TOOLS)
ORDERS = frozenset({"undo", "switch", "new_bot", "stop_sim", "stop_watch", "clear"}) | RUNS
ACTING = CHANGING | ORDERS
QUESTIONS = (INFO | {"would_test", "sweep", "survey"}) - {"show"}
CLAUSE_BEGINS = frozenset({",", ".", "!", ";", "...", "–", "—", "(", ")", "so", "but", "because", "since", "and"})
REASONS = frozenset({"because", "since", "cause"})
SAYS_HOW = frozenset({"to", "at", "set", "be", "=", ":", "make", "put", "of", "is", "level", "threshold", "limit"})
CLAUSE_ENDS = frozenset({".", "!", "?", ";"})
ARTICLE_WORDS = "a the my this that is every no hello your for of two last rest half winners"
ARTICLES = frozenset(ARTICLE_WORDS.split())
NO_NAMES = frozenset({"whatever", "yourself", "something", "anything", "it", "what", "you"})
NOUNS = frozenset({"backtest", "test", "simulation", "sim", "bt", "run"})
JOINED = frozenset({"condition", "between", "hours", "sell", "buy", "set"})
Places = set[int]  # where tokens start


@dataclass(frozen=True)
class Reading:
    """A message as it was read: its frames, and the words that are neither read nor harmless."""

    text: str
    matches: list[Match]
    unread: list[Token]
    names: set[str]
    changes: bool
    acts: bool
    is_question: bool
    doubt: str = ""

    def first(self, name: str) -> Match | None:
        return next((match for match in self.matches if match.name == name), None)

    def said(self, value: str) -> Any:
        """Return the first value of this name in any frame."""
        return next((match.values[value] for match in self.matches if match.values.get(value)), None)

    @property
    def bot_name(self) -> str | None:
        named = self.first("new_bot") or self.first("name_it")
        return named.values.get("name") if named else None


def check_reading(text: str, tokens: Sequence[Token], cover: Cover, doubt: str = "") -> Reading:
    """Return the reading of a message; the words of a frame that has no use in it count as unread."""
    useless = [match for match in cover.matches if _is_useless(match, cover.matches, tokens)]
    matches = _keep_used(cover.matches, useless, tokens)
    unread = _without_answered_marks(
        [*cover.unread, *(token for match in useless for token in tokens[match.start : match.end])], matches, tokens
    )
    asked = [match.start for match in useless if match.name in INFO - {"risk", "price"}]
    places = _asides(matches, asked, unread, tokens)
    unread = sorted((token for token in unread if token.start not in places), key=lambda token: token.start)
    matches = _with_complaints(matches, [each for each in (*matches, *useless) if tokens[each.start].start in places])
    names, asks = {match.name for match in matches}, any(token.text in words_in("question") for token in unread)
    return Reading(text, matches, unread, names, bool(names & CHANGING), bool(names & ACTING), asks, doubt)


def _keep_used(found: Sequence[Match], useless: Sequence[Match], tokens: Sequence[Token]) -> list[Match]:
    """Return the frames that have a use. Beside an order, a greeting has none."""
    if found and all(match.name == "oops" for match in found):  # “no”
        return [replace(found[0], name="no")]
    acts, groups = any(match.name in ACTING for match in found), _groups(tokens)
    quiet = {"oops", "no_run"} | ({"yes", "hello", "thanks"} if acts else set())
    quiet |= {"no"} if any(match.name == "undo" for match in found) else set()  # “never mind, put it back”
    return [_note(match, tokens, groups) for match in found if match not in useless and match.name not in quiet]


def _without_answered_marks(unread: Sequence[Token], matches: Sequence[Match], tokens: Sequence[Token]) -> list[Token]:
    """Return the unread tokens without the question marks of questions that are answered."""
    answered = [tokens[match.end - 1].start for match in matches if match.name in QUESTIONS]
    return [token for token in unread if token.text != "?" or not answered or token.start < min(answered)]


def _with_complaints(matches: Sequence[Match], beside: Sequence[Match]) -> list[Match]:
    """Return the frames with what is named beside them: “the stop is always hit. Widen it to 5 %”."""
    named = [match for match in beside if match.name in ("mention", "show_part")]
    told = [replace(match, name="complaint") for match in named]
    return sorted([*told, *(match for match in matches if match not in named)], key=lambda match: match.start)


def _asides(matches: Sequence[Match], asked: Sequence[int], unread: Sequence[Token], tokens: Sequence[Token]) -> Places:
    """Find the clauses beside an order that need no answer: a question, nothing but remarks, or the order's reason."""
    numbers, number = {}, 0
    for token in tokens:
        number += token.text in CLAUSE_BEGINS
        numbers[token.start] = number
        number += token.text in CLAUSE_ENDS
    places = (at for match in matches if match.name in ACTING for at in range(match.start, match.end))
    orders, remarks = {numbers[tokens[at].start] for at in places}, words_in("remark")
    questions = {numbers[token.start] for token in tokens if token.text == "?"}
    answered = {numbers[tokens[at].start] for at in asked} & questions
    serious = {numbers[token.start] for token in unread if token.text not in remarks or token.has_number} - answered
    reasons = {numbers[token.start] for token in tokens if token.text in REASONS and orders}
    before = {each for each in numbers.values() if each < min(orders, default=0)}
    quiet = {numbers[token.start] for token in unread} & (before | reasons | answered) - orders - serious
    return {start for start, number in numbers.items() if number in quiet}


def _groups(tokens: Sequence[Token]) -> list[Groups]:
    """Return for each token the brackets around it; “unless” opens one until the clause ends."""
    inside: list[tuple[int, str]] = []
    found: list[Groups] = []
    for at, token in enumerate(tokens):
        if token.text in CLAUSE_ENDS | {",", ")"} and inside and (token.text == ")" or inside[-1][1]):
            inside.pop()
        if token.text in ("(", "unless"):
            inside.append((at, "none" if token.text == "unless" else ""))
        found.append(tuple(inside))
    return found


def _note(match: Match, tokens: Sequence[Token], groups: Sequence[Groups]) -> Match:
    """Note the brackets around it, whether a price level names the price, and whether a target is a bare number."""
    said = tokens[match.start : match.end]
    match = replace(match, values={**match.values, "groups": groups[match.end - 1]})
    if match.name == "set" and "part" in match.values:
        is_bare = not any(token.kind != "number" and token.has_number for token in said)
        is_more = any(token.sign == "plus" for token in said)  # “take profit plus 2 %”
        is_short = SAYS_HOW.isdisjoint(token.text for token in said)
        return replace(match, values={**match.values, "is_bare": is_bare, "is_short": is_short, "is_more": is_more})
    before = tokens[max(0, match.start - 1) : match.start]
    has_price = any(token.text in ("price", "coin", "token") or token.kind == "money" for token in (*before, *said))
    also = any(token.text == "also" for token in said)  # “the volume must also be …”
    return replace(match, values={**match.values, "names_price": has_price, "also": also, **_said_of_series(said)})


def _said_of_series(said: Sequence[Token]) -> dict[str, bool]:
    """Return whether the words compare a third value as in “a > b > c”, and whether they name Bollinger's bands."""
    is_chain = said[0].text in (">", "<", ">=", "<=")
    return {"is_chain": is_chain, "names_band": any(token.text in ("bollinger", "bb", "bbands") for token in said)}


def _is_useless(match: Match, matches: Sequence[Match], tokens: Sequence[Token]) -> bool:
    """Return whether the frame does nothing beside the others, so that its words must be asked about."""
    names = {each.name for each in matches}
    changing = names & CHANGING
    if match.name in ARGUMENTS | RUNS | {"new_bot", "name_it"}:
        return _says_no_run(match, names, tokens)
    if not names & ACTING:
        return False
    if match.name in INFO - {"show"}:
        return bool(changing) or not names & RUNS
    first = min(each.start for each in matches if each.name in ACTING)
    place = matches.index(match)
    before, behind = ([each.name for each in side] for side in (matches[:place], matches[place + 1 :]))
    useless = {
        "add": tokens[match.start].text == "only" and "condition" not in behind,
        "oops": match.start > first,
        "bare": (len(changing) > 1 and "complaint" not in names) or before[-1:] == ["keep"],  # “don't change … to 9 %”
        "remove_it": bool(changing - {"remove_it", "make_it", "remove"}) and not names & {"complaint", "mention"},
        "join_any": not ((JOINED | {"mention"}) & {*before[-1:]} and (JOINED | {"mention"}) & {*behind[:1]}),
        "sell": not (JOINED | {"restate"}) & {*before, *behind},  # a side without anything to do is no order
    }
    return useless.get(match.name, match.name == "no" and "undo" not in names)


def _says_no_run(match: Match, names: set[str], tokens: Sequence[Token]) -> bool:
    """Return whether a run is only a noun (“the backtest”), an argument has no run, or a name is no name."""
    before = tokens[match.start - 1].text if match.start else ""
    if match.name in ("new_bot", "name_it"):
        return not NO_NAMES.isdisjoint(match.values.get("name", "").lower().split()[:1])
    if match.name in RUNS:
        return tokens[match.start].text in NOUNS and "d" not in match.values and before in ARTICLES
    if not names & RUNS:
        return match.name not in ("token", "tokens") or (bool(names & CHANGING) and "condition" not in names)
    return match.name == "period" and before == "in" and tokens[match.start].has_number

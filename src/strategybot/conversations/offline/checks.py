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
CLAUSE_ENDS = frozenset({".", "!", "?", ";"})
CLAUSE_MARKS = CLAUSE_ENDS | frozenset({",", "...", "–", "—", "(", ")", "so", "but", "and"})
SAYS_HOW = frozenset({"to", "at", "set", "be", "=", ":", "make", "put", "of", "is", "level", "threshold", "limit"})
ARTICLE_WORDS = "a the my this that is every no hello your for of two last rest half winners"
ARTICLES = frozenset(ARTICLE_WORDS.split())
NO_NAMES = frozenset({"whatever", "yourself", "something", "anything", "it", "what", "you"})
LIMITING_WORDS = "if when whenever once while unless except not no dont never only without until till before after but"
LIMITS = frozenset(LIMITING_WORDS.split())  # what may say when or how a rule holds
NOUNS = frozenset({"backtest", "test", "simulation", "sim", "bt", "run"})
JOINED = frozenset({"condition", "between", "hours", "sell", "buy", "set", "mention", "restate"})


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

    def said(self, value: str) -> Any:
        """Return the first value of this name in any frame."""
        return next((match.values[value] for match in self.matches if match.values.get(value)), None)

    @property
    def bot_name(self) -> str | None:
        named = (match.values.get("name") for match in self.matches if match.name in ("new_bot", "name_it"))
        return next(filter(None, named), None)


def check_reading(text: str, tokens: Sequence[Token], cover: Cover) -> Reading:
    """Return the reading of a message; the words of a frame that has no use in it count as unread."""
    useless = [match for match in cover.matches if _is_useless(match, cover.matches, tokens)]
    matches = _keep_used(cover.matches, useless, tokens)
    unused = [token for match in useless for token in tokens[match.start : match.end]]
    answered = min((tokens[match.end - 1].start for match in matches if match.name in QUESTIONS), default=len(text))
    unread = [each for each in (*cover.unread, *unused) if each.text != "?" or each.start < answered]
    unread = sorted(_without_remarks(unread, matches, tokens), key=lambda token: token.start)
    names, read = {match.name for match in matches}, {at for match in matches for at in range(match.start, match.end)}
    read |= {at for at, behind in enumerate(tokens[1:]) if behind.text in ("you", "we")}  # “could you …” asks nothing
    beside = (token for at, token in enumerate(tokens) if at not in read and token.text != "?")
    asks = any(token.text in words_in("question") for token in (*unread, *beside))
    return Reading(text, matches, unread, names, bool(names & CHANGING), bool(names & ACTING), asks)


def _keep_used(found: Sequence[Match], useless: Sequence[Match], tokens: Sequence[Token]) -> list[Match]:
    """Return the frames that have a use. Beside an order, a greeting has none."""
    if found and all(match.name == "oops" for match in found):  # “no”
        return [replace(found[0], name="no")]
    acts, groups = any(match.name in ACTING for match in found), _groups(tokens)
    quiet = {"oops", "no_run"} | ({"yes", "hello", "thanks"} if acts else set())
    return [_note(match, tokens, groups) for match in found if match not in useless and match.name not in quiet]


def _without_remarks(unread: Sequence[Token], matches: Sequence[Match], tokens: Sequence[Token]) -> list[Token]:
    """Return the unread tokens without the remarks in clauses before the first order."""
    order = min((match.start for match in matches if match.name in ACTING), default=0)
    is_rule = any(match.name in ("buy", "condition") for match in matches)
    marks = CLAUSE_MARKS | {":"} if is_rule else CLAUSE_MARKS
    clause = max((at + 1 for at, token in enumerate(tokens[:order]) if token.text in marks), default=0)
    before, remarks = tokens[:clause], words_in("remark")
    is_told = any(match.name in ("buy", "sell") and match.start < clause for match in matches)
    is_story = is_rule and not is_told and LIMITS.isdisjoint(token.text for token in before)  # “my uncle says: buy …”
    return [each for each in unread if each.has_number or each not in before or not (is_story or each.text in remarks)]


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
    """Note the brackets around it, and what its words say beside the values that it keeps."""
    said, near = tokens[match.start : match.end], tokens[max(0, match.start - 1) : match.end]
    words, is_part = {token.text for token in said}, match.name == "set" and "part" in match.values
    notes = {
        "groups": groups[match.end - 1],
        "is_bare": is_part and not any(token.kind != "number" and token.has_number for token in said),
        "is_short": SAYS_HOW.isdisjoint(words),
        "is_more": any(token.sign == "plus" for token in said),  # “take profit plus 2 %”
        "is_chain": said[0].text in (">", "<", ">=", "<="),  # the third value of “a > b > c”
        "names_band": not words.isdisjoint({"bollinger", "bb", "bbands"}),
        "names_price": any(token.text in ("price", "px", "coin", "token") or token.kind == "money" for token in near),
        "also": "also" in words,  # “the volume must also be …”
    }
    return replace(match, values={**match.values, **notes})


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
    place = matches.index(match)
    before, behind = ([each.name for each in side] for side in (matches[:place], matches[place + 1 :]))
    useless = {
        "oops": not ACTING.isdisjoint(before),
        "bare": (len(changing) > 1 and "complaint" not in names) or before[-1:] == ["keep"],  # “don't change … to 9 %”
        "remove_it": bool(changing - {"remove_it", "make_it", "remove"}) and not names & {"complaint", "mention"},
        "join_any": not (JOINED & {*before[-1:]} and (JOINED | {"join_all"}) & {*behind[:1]}),  # “or with a 9 % gain”
        "sell": not JOINED & {*before, *behind},  # a side without anything to do is no order
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

"""What makes a reading safe: every word is read or harmless, every frame is of use, and questions never act."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from strategybot.conversations.offline.fold import CHANGING
from strategybot.conversations.offline.lexicon import single_words
from strategybot.conversations.offline.matcher import Cover, Match
from strategybot.conversations.offline.runs import ARGUMENTS, TOOLS
from strategybot.conversations.offline.text import Token

INFO_NAMES = """
    list_bots show show_part result why best worst costs how_many verdict compare_runs trades status why_not trending
    search risk price help
"""
INFO = frozenset(INFO_NAMES.split())
RUNS = frozenset(TOOLS)
ORDERS = frozenset({"undo", "switch", "new_bot", "stop_sim", "clear"}) | RUNS
QUESTIONS = (INFO | {"would_test", "sweep", "survey"}) - {"show"}
CLAUSE_BEGINS = frozenset({",", ".", "!", ";", "...", "–", "—", "(", ")", "so", "but", "because", "since", "and"})
REASONS = frozenset({"because", "since", "cause"})
SAYS_HOW = frozenset({"to", "at", "set", "be", "=", ":", "make", "put", "of", "is", "level", "threshold", "limit"})
ENDS = frozenset({".", "!", "?", ";"})
QUIET = frozenset({"hello", "thanks"})
ABOUT_RUN = frozenset({"result", "why", "how_many", "trades", "best", "worst", "status"})
ARTICLES = frozenset({"a", "the", "my", "this", "that", "is", "every", "no", "hello", "your", "for", "of"})
NEVER_BESIDE = frozenset({"no", "delete_bot", "rename_bot"})
NO_NAMES = frozenset({"whatever", "yourself", "something", "anything", "it", "what", "you"})
SMALL_YES = frozenset({"ok", "okay", "great", "perfect", "sure", "fine", "alright", "thanks", "go", "do"})
NOUNS = frozenset({"backtest", "test", "simulation", "sim", "bt"})
JOINED = frozenset(
    {"condition", "sell", "buy", "profit", "loss", "hold", "hold_or", "peak", "trail", "set", "sell_at", "buy_at"}
)


@dataclass(frozen=True)
class Reading:
    """A message as it was read: its frames, and the words that are neither read nor harmless."""

    text: str
    matches: tuple[Match, ...]
    unread: tuple[Token, ...]

    @property
    def names(self) -> set[str]:
        return {match.name for match in self.matches}

    @property
    def changes(self) -> bool:
        return bool(self.names & CHANGING)

    @property
    def acts(self) -> bool:
        return self.changes or bool(self.names & ORDERS)

    @property
    def is_question(self) -> bool:
        return any(token.text in single_words("question") for token in self.unread)

    def first(self, name: str) -> Match | None:
        return next((match for match in self.matches if match.name == name), None)


def checked(text: str, tokens: Sequence[Token], cover: Cover) -> Reading:
    """Give back to the unread words what no frame can use in this message."""
    cover = replace(cover, matches=_with_more_sweeps(cover.matches))
    names = {match.name for match in cover.matches}
    useless = [match for match in cover.matches if _is_useless(match, cover.matches, names, tokens)]
    unread = [*cover.unread, *(token for match in useless for token in tokens[match.start : match.end])]
    quiet = {"oops", "no_run", *(("yes", *QUIET) if names & (CHANGING | ORDERS) else ())}
    matches = tuple(
        _noted(match, tokens) for match in cover.matches if match not in useless and match.name not in quiet
    )
    unread = [token for token in unread if token.text != "?" or not _is_answered(token, tokens, matches)]
    infos = [match for match in useless if match.name in INFO - {"risk", "price"}]
    matches, unread = _without_questions(matches, infos, unread, tokens)
    matches, unread = _without_remarks(matches, unread, tokens)
    return Reading(text, matches, tuple(sorted(unread, key=lambda token: token.start)))


def _without_questions(
    matches: tuple[Match, ...], infos: Sequence[Match], unread: list[Token], tokens: Sequence[Token]
) -> tuple[tuple[Match, ...], list[Token]]:
    """Leave out questions before a clear order, and behind it those that are about something else."""
    acting = [match for match in matches if match.name in CHANGING | ORDERS]
    sentence = _sentence_numbers(tokens)
    orders = {sentence[at] for match in acting for at in range(match.start, match.end)}
    asked = {sentence[match.start] for match in infos}
    place = {token.start: sentence[at] for at, token in enumerate(tokens)}
    if not orders or any(place[token.start] in orders for token in unread):
        return matches, unread
    for number in {place[token.start] for token in unread}:
        last = max(at for at in range(len(tokens)) if sentence[at] == number)
        if tokens[last].text != "?" or (number > min(orders) and number not in asked):
            return matches, unread
    return tuple(_beside(match) if sentence[match.start] not in orders else match for match in matches), []


def _without_remarks(
    matches: tuple[Match, ...], unread: list[Token], tokens: Sequence[Token]
) -> tuple[tuple[Match, ...], list[Token]]:
    """Leave out clauses of nothing but remarks that come before the order or give its reason: “it is choppy, so …”."""
    numbers, reasons, number = [], set(), 0
    for token in tokens:
        number += token.text in CLAUSE_BEGINS
        numbers.append(number)
        reasons |= {number} if token.text in REASONS else set()
    acting = {numbers[at] for m in matches if m.name in CHANGING | ORDERS for at in range(m.start, m.end)}
    if not acting:
        return matches, unread
    remarks = single_words("remark")
    place = {token.start: numbers[at] for at, token in enumerate(tokens)}
    serious = {place[token.start] for token in unread if token.text not in remarks or token.has_number}
    free = {at for at in (place[token.start] for token in unread) if at < min(acting) or at in reasons}
    quiet = free - acting - serious
    kept = [token for token in unread if place[token.start] not in quiet]
    return tuple(_beside(match) if numbers[match.start] in quiet else match for match in matches), kept


def _beside(match: Match) -> Match:
    """A part that a remark names is what the order may be about: “the stop is always hit. Widen it to 5 %”."""
    return replace(match, name="complaint") if match.name == "mention" else match


def _sentence_numbers(tokens: Sequence[Token]) -> list[int]:
    """For each token, the number of its sentence."""
    numbers, number = [], 0
    for token in tokens:
        numbers.append(number)
        number += token.text in ENDS
    return numbers


def _with_more_sweeps(matches: tuple[Match, ...]) -> tuple[Match, ...]:
    """“Try stops from 2 to 10 % and targets from 5 to 30 %”: the second range is searched too, not changed."""
    first = next((match.start for match in matches if match.name == "sweep"), None)
    return matches if first is None else tuple(_swept(match) if match.start > first else match for match in matches)


def _swept(match: Match) -> Match:
    if match.name == "set" and "old" in match.values:
        spread = {"first": match.values["old"], "last": match.values["value"]}
        return replace(match, name="sweep_too", values={**match.values, "spread": spread})
    return replace(match, name="sweep_too") if match.name == "mention" else match


def _noted(match: Match, tokens: Sequence[Token]) -> Match:
    """Note whether a price level names the price, and whether a stop or target is a bare number."""
    if match.name == "set":
        said = tokens[match.start : match.end]
        is_bare = not any(token.kind != "number" and token.has_number for token in said)
        is_short = not SAYS_HOW & {token.text for token in said}
        return replace(match, values={**match.values, "is_bare": is_bare, "is_short": is_short})
    if match.values.get("kind") != "price_level":
        return match
    said = tokens[match.start : match.end]
    has_price = any(token.text in ("price", "coin", "token") or token.kind == "money" for token in said)
    return replace(match, values={**match.values, "names_price": has_price})


def _is_useless(match: Match, matches: Sequence[Match], names: set[str], tokens: Sequence[Token]) -> bool:
    """Whether the frame is read but does nothing beside the others, so that its words must be asked about."""
    if match.name in ARGUMENTS | RUNS | {"new_bot", "name_it"}:
        return _says_no_run(match, names, tokens)
    acting = [each for each in matches if each.name in CHANGING | ORDERS]
    if not acting:
        return False
    if match.name in ("yes", "oops", "add", *QUIET):
        return _is_misplaced(match, matches, acting[0].start, tokens)
    changing = {each.name for each in acting} & CHANGING
    if match.name in INFO - {"show"}:
        return bool(changing) or match.name not in ABOUT_RUN or not names & RUNS
    useless = {
        "bare": len(changing) > 1 and "complaint" not in names,
        "remove_it": bool(changing - {"remove_it", "make_it", "remove"}) and not names & {"complaint", "mention"},
        "keep_rest": not changing,
        "again": not names & RUNS,
    }
    return useless.get(match.name, match.name in NEVER_BESIDE or _joins_nothing(match, matches))


def _says_no_run(match: Match, names: set[str], tokens: Sequence[Token]) -> bool:
    """Whether what looks like a run, its arguments or a name is only a noun, or has nothing to belong to."""
    before = tokens[match.start - 1].text if match.start else ""
    if match.name in ("new_bot", "name_it"):
        return not NO_NAMES.isdisjoint(match.values.get("name", "").lower().split()[:1])
    if match.name in RUNS:
        return tokens[match.start].text in NOUNS and "d" not in match.values and before in ARTICLES
    if not names & RUNS:
        return match.name != "token" or (bool(names & CHANGING) and "condition" not in names)
    return match.name == "period" and before == "in" and tokens[match.start].has_number


def _is_misplaced(match: Match, matches: Sequence[Match], first: int, tokens: Sequence[Token]) -> bool:
    """Whether a “yes”, a “sorry”, thanks or an “only if” stands where it changes what is said."""
    behind = tokens[match.end].text if match.end < len(tokens) else ""
    if match.name == "add":
        adds = any(each.name == "condition" and each.start >= match.end for each in matches)
        return tokens[match.start].text == "only" and not adds
    if match.name == "yes":
        return match.start > first and tokens[match.start].text not in SMALL_YES
    return behind == "for" or (match.name == "oops" and match.start > first)


def _joins_nothing(match: Match, matches: Sequence[Match]) -> bool:
    """An “or” joins conditions or ways to sell, and nothing else; a side without anything to do is no order."""
    place = list(matches).index(match)
    before = [each.name for each in matches[:place]]
    behind = [each.name for each in matches[place + 1 :]]
    if match.name == "join_any":
        return not (before and behind and before[-1] in JOINED and behind[0] in JOINED)
    if match.name == "sell":
        return not (JOINED | {"restate"}) & {*before, *behind}
    return False


def _is_answered(mark: Token, tokens: Sequence[Token], matches: Sequence[Match]) -> bool:
    """Whether the sentence before the question mark is a question that is answered or done."""
    place = next(at for at, token in enumerate(tokens) if token.start == mark.start)
    start = next((at + 1 for at in reversed(range(place)) if tokens[at].text in ENDS), 0)
    return any(match.name in QUESTIONS and start <= match.start < place for match in matches)

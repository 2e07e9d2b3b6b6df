"""What an answer claims: which of its numbers have to be in a result, by what is said around them.

Each sentence is looked at once, in pieces between its commas, “and”s and “or”s. What a run did needs a run's result,
talk about settings needs nothing, and a bare percentage, in whatever language, has to be known from somewhere.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from enum import Enum, auto
from functools import cache
from itertools import chain
from typing import NamedTuple

from strategybot.conversations.receipts.claim_words import SUBJECTS, Cue, Said, cues_in, said_in, together
from strategybot.conversations.receipts.written_numbers import Written, numbers_in, opened


class Basis(Enum):
    """What may bear a number out."""

    OUTCOMES = auto()
    """What a run did, or the market."""
    RESULTS = auto()
    """That, and the settings which tools read."""
    ANYTHING = auto()
    """That, and what the user wrote."""


class Claim(NamedTuple):
    number: Written
    basis: Basis
    either_sign: bool


class _Piece(NamedTuple):
    start: int
    said: int


_CUT = re.compile(
    r"(?P<end>[.!?;](?=\s)(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)|[。！？；])|(?P<joint>,? (?:and|or) )"
    r"|(?P<pause>[,:] |[()，、]| (?:but|while|whereas|[–—]) )"
)
_LINK_BEFORE = re.compile(
    r"[\s:=“\"]{0,3}(?:(?:of|at|to|is|are|was|were|by|a|an|the|it|than|after|from|only|now|bei|auf|von|à|de|en|al)[\s:]{1,2}){0,4}"
)
_LINK_AFTER = re.compile(r"[\s-]{0,3}(?:(?:of|in|as|for|the|a|an|your|its)\s){0,3}")
_LONGEST_LINK = 24
_OTHER_EXIT = ("at a ", "at an ", "after ")
_AS_A_RULE = re.compile(
    r"\b(?:(?:at|after|on) (?:a |an |the )?"
    r"|(?:when|if|once) (?:it|the price) (?:is |goes )?(?:up|down|gains|loses) (?:by )?)$"
)
_LONGEST_RULE = 32
_WINDOW = re.compile(r" (?:in|within|over) (?:an |one |\d{1,4} ?)(?:m|min|minutes?|h|hours?)\b", re.IGNORECASE)
_SURE = re.compile(r"\s{0,2}(?:sure|certain|safe|confident|guarantee)")
_COUNTED = re.compile(
    r"\s{1,2}(?:(?:more|other|free|running) )?"
    r"(?:backtest|simulation|bot|message|condition|step|revision|candle|daily return)s?\b",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"\b(?:top|first|last|next|best|worst|other|these|those|number|trade|run|step)\s$", re.IGNORECASE)
_LONGEST_ORDINAL = 8
_CODE = re.compile(r"`[^`]*`")
_ITEM = re.compile(r"\s{0,12}(?:[-*+•>]\s|\W{0,4}\d)")
_FENCE = "```"


def claims_in(answer: str) -> Iterator[Claim]:
    """Line by line: a heading goes with the list or the table below it, a line that breaks off with the next."""
    heading = flow = Said.NOTHING
    columns: list[int] = []
    is_code = False
    for raw, line in zip(answer.split("\n"), opened(answer).split("\n"), strict=True):
        is_code ^= raw.lstrip().startswith(_FENCE)
        if "|" in raw:
            cells = line.split("|")
            yield from _claims_of_row(cells, columns, heading)
            columns = columns or [said_in(cell) for cell in cells]
            continue
        columns = []
        if not raw.strip():
            flow = Said.NOTHING
            continue
        is_item = _ITEM.match(raw) is not None
        cues = cues_in(line)
        code = [(0, len(raw))] if is_code else [match.span() for match in _CODE.finditer(raw)]
        yield from _claims_of_line(line, cues, heading | flow if is_item else flow, code)
        flow = Said.NOTHING if raw.rstrip()[-1] in ".!?:" else together(cues)
        heading = together(cues) if _is_heading(raw) else heading if is_item else Said.NOTHING


def _is_heading(raw: str) -> bool:
    text = raw.strip()
    is_bold = text.startswith("**") and text.rstrip(":").endswith("**")
    return is_bold or text.startswith("#") or text.rstrip("*_ ").endswith(":")


def _claims_of_row(cells: list[str], columns: list[int], heading: int) -> Iterator[Claim]:
    """A cell says what it says itself, or else what its column and the beginning of its row are about."""
    row = next((said_in(cell) for cell in cells if cell.strip()), Said.NOTHING)
    for place, cell in enumerate(cells):
        above = columns[place] if place < len(columns) else Said.NOTHING
        yield from _claims_of_line(cell, cues_in(cell), above | row or heading, [])


def _pieces(line: str, cues: list[Cue], inherited: int) -> list[_Piece]:
    """Where each piece begins, and what it is about; one that says nothing itself goes on with what was said before."""
    pieces = []
    start, place, before, joint = 0, 0, inherited, False
    for cut in chain(_CUT.finditer(line), [None]):
        end = cut.start() if cut else len(line)
        own = Said.NOTHING
        while place < len(cues) and cues[place].start < end:
            own |= cues[place].said
            place += 1
        said = _continued(own, before, joint)
        pieces.append(_Piece(start, said))
        if cut is not None:
            start, joint = cut.end(), cut.lastgroup == "joint" or line.startswith(_OTHER_EXIT, cut.end())
            before = said if cut.lastgroup != "end" else inherited | (said & Said.OFFER if cut.group() == "?" else 0)
    return pieces


def _continued(own: int, before: int, joint: bool) -> int:
    if not own & SUBJECTS:
        return own | before
    kept = before & (Said.OFFER | Said.CASE)
    if joint and not own & Said.RUN:
        kept |= before & Said.RULE  # “sell at a loss of 3 % or a gain of 10 %”
    return own | kept


def _claims_of_line(line: str, cues: list[Cue], inherited: int, code: list[tuple[int, int]]) -> Iterator[Claim]:
    numbers = numbers_in(line)
    if not numbers:
        return
    pieces, cue_starts = _pieces(line, cues, inherited), [cue.start for cue in cues]
    starts, commands = [piece.start for piece in pieces], _commands(code, cues, cue_starts)
    for number in numbers:
        said = pieces[max(0, bisect_left(starts, number.start + 1) - 1)].said
        following = bisect_left(cue_starts, number.end)
        if number.is_plain and (_counts_other_things(line, number) or _is_within(number, commands)):
            continue
        if _is_setting(line, number, said, cues, following):
            continue
        if number.text[0] in "+-−":
            said &= ~Said.OFFER  # nobody offers a setting with a sign
        basis = _basis(said, number.is_percent, number.is_money)
        if basis is not None and not (basis is Basis.ANYTHING and _is_turn_of_phrase(line, number, said)):
            yield Claim(number, basis, number.either_sign or bool(said & Said.DOWN))


def _commands(code: list[tuple[int, int]], cues: list[Cue], cue_starts: list[int]) -> list[tuple[int, int]]:
    """The code that tells nothing of a run: what can be typed, and what things are called."""
    commands = []
    for start, end in code:
        inside = cues[bisect_left(cue_starts, start) : bisect_left(cue_starts, end)]
        if not together(inside) & (Said.RUN | Said.MOVE):
            commands.append((start, end))
    return commands


def _is_within(number: Written, spans: list[tuple[int, int]]) -> bool:
    place = bisect_left(spans, (number.start + 1,))
    return place > 0 and number.start < spans[place - 1][1]


def _is_setting(line: str, number: Written, said: int, cues: list[Cue], following: int) -> bool:
    """Whether the setting is named right before the number or right behind it: "a stop of 4 %", "a 0.3 % fee"."""
    before = after = Said.NOTHING
    if following and number.start - cues[following - 1].end <= _LONGEST_LINK:
        cue = cues[following - 1]
        before = cue.said if _LINK_BEFORE.fullmatch(line, cue.end, number.start) else Said.NOTHING
    if following < len(cues) and cues[following].start - number.end <= _LONGEST_LINK:
        cue = cues[following]
        after = cue.said if _LINK_AFTER.fullmatch(line, number.end, cue.start) else Said.NOTHING
    near = before if before & SUBJECTS else after
    if (before | after) & Said.RUN:
        return False
    if near & Said.NAMED or (near & Said.COST and number.is_percent):
        return True
    is_told = said & (Said.RUN | Said.MOVE) or (near & Said.SWING and said & Said.PAST)
    return bool(near & Said.RULE) and not is_told


def _counts_other_things(line: str, number: Written) -> bool:
    """ "10 bots", "the first 3 trades"."""
    ordinal = _ORDINAL.search(line, max(0, number.start - _LONGEST_ORDINAL), number.start)
    return ordinal is not None or _COUNTED.match(line, number.end) is not None


@cache
def _basis(said: int, is_percent: bool, is_money: bool) -> Basis | None:
    """What has to bear the number out; None when nothing has to."""
    is_told = said & Said.PAST and said & (Said.MOVE | Said.SWING)
    if said & Said.RUN or is_told:
        return Basis.RESULTS if said & Said.RULE else Basis.OUTCOMES
    if said & Said.MOVE and said & Said.RULE:
        return None if said & Said.OFFER else Basis.ANYTHING
    if said & Said.MOVE:
        return Basis.ANYTHING if said & Said.CASE else Basis.OUTCOMES
    if said & Said.COST and not said & Said.RULE:
        return None if is_percent else Basis.OUTCOMES
    return Basis.ANYTHING if (is_percent or is_money) and not said & (Said.RULE | Said.OFFER) else None


def _is_turn_of_phrase(line: str, number: Written, said: int) -> bool:
    """ "at a 3 % loss" of a rule, "5 % in 1h", "100 % sure"."""
    if said & Said.RULE:
        return _AS_A_RULE.search(line, max(0, number.start - _LONGEST_RULE), number.start) is not None
    return bool(_WINDOW.match(line, number.end)) or (
        number.text.startswith("100") and bool(_SURE.match(line, number.end))
    )

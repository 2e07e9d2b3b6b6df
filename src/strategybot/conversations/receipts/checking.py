"""Receipts: whether the numbers that an answer gives are in what the tools of the conversation found.

Pure, and linear in the answer and in what is known. A number counts as found when it is a found value rounded to the
digits it is written with. What is not found is not called wrong, only unverified.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from strategybot.conversations.receipts.claims import claims_in
from strategybot.conversations.receipts.evidence import Evidence

MOST_UNVERIFIED = 10
LONGEST_CHECKED = 20_000


@dataclass(frozen=True, slots=True)
class Receipts:
    checked: int
    unverified: list[str] = field(default_factory=list)
    """The first of them, as they are written."""
    more: int = 0
    """How many others there are."""

    @property
    def note(self) -> str | None:
        if not self.unverified:
            return None
        others = f", and {self.more} more" if self.more else ""
        return f"*In no result of this conversation: {', '.join(self.unverified)}{others}.*"


def check(answer: str, known: Iterable[str | Mapping[str, Any]]) -> Receipts:
    """`known`: the user's messages as texts, and the tool calls `{name, arguments, result}`; oldest first."""
    answer = answer[:LONGEST_CHECKED]
    claims = list(claims_in(answer))
    if not claims:
        return Receipts(0)
    evidence = Evidence(known)
    if (unquoted := without(answer, evidence.quotes)) != answer:
        claims = list(claims_in(unquoted))
    missing = list(dict.fromkeys(claim.number.text for claim in claims if not evidence.bears_out(claim)))
    return Receipts(len(claims), missing[:MOST_UNVERIFIED], len(missing[MOST_UNVERIFIED:]))


def without(answer: str, quotes: Iterable[str]) -> str:
    """At its length, and with no digits in what is quoted whole: names, and why something failed."""
    for quote in quotes:
        if quote in answer:
            answer = answer.replace(quote, "".join("_" if character.isdigit() else character for character in quote))
    return answer

"""Which numbers of an answer have to be looked up: all but those of settings and suggestions, by the nearest word."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from strategybot.conversations.receipts.numbers import Written, numbers_in, opened

_RUN = (
    "(?:returns?|profits?|equity|balance) (?:rises?|rose|falls?|fell|drops?|dropped|climbs?)|"
    "return|returns|returned|earned|made|makes|won|wins|winners|winning|win rate|lost|losing|losers|drawdown|sharpe|"
    "sortino|calmar|cagr|trades|equity|pnl|results?|performed|ended|roi|bought|sold|turned|gave|brought|gained|gains|"
    "profits?|went|exited|closed|position is|balance|cost|reached|so far|profit factor|buy (?:and|&) hold|in fees"
)
_SETTING = (
    "stop|stops|stop[ -]loss|targets?|take[ -]profit|trail|trailing|entry|exits?|conditions?|threshold|level|cooldown|"
    "sizes?|settings?|set|buys?|buying|sells?|selling|enters?|dips?|drops?|dropped|falls?|fell|rises?|spike|crosses|"
    "fees?|slippage|commission|suggest|suggested|recommend|example|try|could|should|want|maybe|consider|typical|common|"
    "rather|how about|at (?:the )?most|kaufe|sure|bots|backtests|simulations|candles|first|last|top|run|plan"
)
_CUE = re.compile(rf"(?<![^\W_])(?:(?P<run>{_RUN})|(?P<setting>{_SETTING}))(?![^\W_])", re.IGNORECASE)
_LOSS = re.compile(
    r"\b(?:los[st]|loss(?:es)?|loses?|drawdown|down|fell|fallen|minus|costs?|fees|worst|verlust|perte)\b|回撤|亏损",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?;])(?<!e\.g\.)\s+|(?<=[。！？；])|\|")
_SIGNS = frozenset("+-−")
_BEHIND = 4
"""A word behind a number is nearest only if it is much nearer than the one before: "a stop of 4 % cost you"."""


class Claim(NamedTuple):
    number: Written
    is_about_a_run: bool
    """Only results may bear it out, not settings or the user's words."""
    is_a_loss: bool
    """It may stand without its minus."""


def claims_in(answer: str) -> Iterator[Claim]:
    """A line without a word about runs or settings goes with the line before it, unless that was a whole sentence."""
    inherited: str | None = None
    for line in opened(answer).split("\n"):
        if not line.strip():
            continue
        kind = inherited
        for sentence in _SENTENCE.split(line):
            cues = list(_CUE.finditer(sentence))
            yield from _claims_of(sentence, cues, kind)
            kind = cues[-1].lastgroup if cues else kind
            if sentence.endswith((".", "!", ";")):
                kind = None
        inherited = kind


def _claims_of(sentence: str, cues: list[re.Match[str]], inherited: str | None) -> Iterator[Claim]:
    is_a_loss = _LOSS.search(sentence) is not None
    following = 0
    for number in numbers_in(sentence):
        while following < len(cues) and cues[following].start() < number.end:
            following += 1
        kind = _nearest(cues[max(0, following - 1) : following + 1], number) or inherited
        if (kind == "setting" and number.text[0] not in _SIGNS) or (kind is None and number.is_plain):
            continue
        yield Claim(number, kind == "run", is_a_loss and number.text[0] != "+")


def _nearest(cues: list[re.Match[str]], number: Written) -> str | None:
    """Return the kind of the nearest word; None if there is none."""

    def distance(cue: re.Match[str]) -> int:
        is_before = cue.end() <= number.start
        return number.start - cue.end() if is_before else _BEHIND * (1 + cue.start() - number.end)

    return min(cues, key=distance).lastgroup if cues else None

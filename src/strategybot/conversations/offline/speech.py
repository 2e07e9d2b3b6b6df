"""A message in its sentences and clauses, and which of these is an order that is clear by itself."""

import re
from collections.abc import Iterator

from strategybot.conversations.offline.hearing import line_of
from strategybot.conversations.offline.intents import Intent, intent_of
from strategybot.conversations.offline.lines import Line
from strategybot.conversations.offline.mood import Mood, mood_of
from strategybot.conversations.offline.run_reservations import unread_words
from strategybot.conversations.offline.runs import read_run
from strategybot.conversations.offline.strategy_reading import read_strategy

_SENTENCE_END = re.compile(r"(?:\.{2,}|…)\s*|(?<=[.!?])\s+|\s*;\s+|\n+")
_LINKS = r"(?:(?:so|but|and|then|also|anyway|anyways|therefore|hence|now)\b,?\s+)*"
_JOINT = re.compile(
    rf"(?:[,:]|\s[-–—]+)\s+{_LINKS}|\s+(?:so|but|and|therefore|hence)\s+{_LINKS}"
    r"|\s+(?=(?:i want|i'?d like|i would like|i need|let'?s)\b)",  # "since BTC lost 9% today I want …"
    re.IGNORECASE,
)
_LINKED = re.compile(rf"^(?:,\s*)?{_LINKS}", re.IGNORECASE)


def sentences_of(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE_END.split(text) if sentence.strip(" .,!")]


def halves_of(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Each way to part a sentence in two at a comma or a conjunction, with that joint, from its start to its end."""
    for joint in _JOINT.finditer(sentence):
        ahead, behind = sentence[: joint.start()].strip(), sentence[joint.end() :].strip()
        if ahead and behind:
            yield ahead, joint[0].strip().lower(), behind


def unlinked(text: str) -> str:
    """ "and so set it to 5" without what ties it to the words before."""
    return _LINKED.sub("", text.strip())


def has_amount(line: Line) -> bool:
    return any(item.is_number or item.is_duration for item in line.items)


def is_clear_order(text: str) -> bool:
    """Whether the words change a strategy or start a run, and nothing in them is left to ask."""
    line = line_of(text)
    intent = intent_of(line, text, {})
    if mood_of(line) is not Mood.ORDER or intent not in (Intent.OTHER, Intent.TEST, Intent.SIMULATE):
        return False
    wants_run = intent is not Intent.OTHER
    if wants_run:
        run, line = read_run(line, "run_backtest" if intent is Intent.TEST else "start_simulation")
        if run.questions:
            return False
    reading, _ = read_strategy(line)
    unclear = reading.questions or reading.unknown or reading.reserved or reading.denied_by or reading.bare
    if unclear or reading.refused or reading.negated:
        return False
    return reading.says_something or (wants_run and not unread_words(line, asked=False))

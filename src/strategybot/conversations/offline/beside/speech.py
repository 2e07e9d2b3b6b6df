"""A message in its sentences and clauses, and which of these is an order that is clear by itself."""

import re
from collections.abc import Iterator
from functools import lru_cache

from strategybot.conversations.offline.orders.intents import Intent, intent_of
from strategybot.conversations.offline.orders.lone_orders import foreign_words, what_else
from strategybot.conversations.offline.orders.mood import Mood, mood_behind_refusal
from strategybot.conversations.offline.orders.names import bot_named
from strategybot.conversations.offline.orders.run_reservations import unread_words
from strategybot.conversations.offline.orders.runs import read_run
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.words.hearing import line_of
from strategybot.conversations.offline.words.lines import Line

MOST_JOINTS = 12  # of one sentence: each is tried
_SENTENCE_END = re.compile(r"(?:\.{2,}|…)\s*|(?<=[.!?])\s+|\s*;\s+|\n+")
_LINKS = r"(?:(?:so|but|and|then|anyway|anyways|therefore|hence|now)\b,?\s+)*"
_JOINT = re.compile(
    rf"(?:[,:]|\s[-–—]+)\s+{_LINKS}|\s+(?:so|but|and|therefore|hence)\s+{_LINKS}"
    r"|\s+(?=(?:i want|i'?d like|i would like|i need|let'?s|because|cause|cuz|since)\b)"  # "since it fell I want …"
    r"|(?:(?<=consideration)|(?<=reflection)|(?<=thought)|(?<=thinking))\s+",  # "after some thought the stop should …"
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\s*(?:then )?(?!need)[a-z]+ed\b", re.IGNORECASE
)  # "… and then simulated it" has no speaker of its own
_LINKED = re.compile(r"^(?:(?:so|but|anyway|anyways|therefore|hence)\b,?\s+)*", re.IGNORECASE)  # an "and" may add


def sentences_of(text: str) -> list[str]:
    return [sentence.strip() for sentence in _SENTENCE_END.split(text) if sentence.strip(" .,!")]


def halves_of(sentence: str) -> Iterator[tuple[str, str, str]]:
    """Each way to part a sentence in two at a comma or a conjunction, with that joint, from its start to its end."""
    joints = [*_JOINT.finditer(sentence)]
    for joint in joints if len(joints) <= MOST_JOINTS else ():
        ahead, behind = sentence[: joint.start()].strip(), sentence[joint.end() :].strip()
        if ahead and behind:
            yield ahead, joint[0].strip().lower(), behind


def unlinked(text: str) -> str:
    """ "anyway, set it to 5" without what ties it to the words before."""
    return _LINKED.sub("", text.strip())


def has_amount(line: Line) -> bool:
    return any(item.is_number or item.is_duration for item in line.items)


@lru_cache(maxsize=256)
def is_clear_order(text: str) -> bool:
    """Whether the words change a strategy, make a bot or start a run, and nothing in them is left to ask."""
    if _TOLD.match(text):
        return False
    line = line_of(text)
    intent = intent_of(line, text, {})
    if intent not in (Intent.OTHER, Intent.TEST, Intent.SIMULATE, Intent.CREATE_BOT):
        return False
    if intent is Intent.CREATE_BOT:
        _, line = bot_named(line)
    asked = what_else(intent, line)
    if intent in (Intent.TEST, Intent.SIMULATE):
        run, line = read_run(line, "run_backtest" if intent is Intent.TEST else "start_simulation")
        asked = asked or next(iter(run.questions), None)
    reading, _ = read_strategy(line)
    unclear = reading.questions or reading.unknown or reading.reserved or reading.denied_by or reading.bare
    if asked or unclear or reading.refused or mood_behind_refusal(line) is not Mood.ORDER:
        return False
    return reading.says_something or _is_whole(intent, line)


def _is_whole(intent: Intent, line: Line) -> bool:
    """Of an order that says nothing about the strategy: whether all of it was read."""
    if intent is Intent.CREATE_BOT:
        return not foreign_words(intent, line)
    return intent is not Intent.OTHER and not unread_words(line, asked=False)

"""The phrases that mean something here, by what they mean: a concept is written in capitals and gathers them all."""

from strategybot.conversations.offline.words.edit_phrases import EDITS
from strategybot.conversations.offline.words.light_phrases import LIGHT
from strategybot.conversations.offline.words.price_phrases import PRICES
from strategybot.conversations.offline.words.run_phrases import RUNS
from strategybot.conversations.offline.words.trade_phrases import TRADES

CONCEPTS = LIGHT | PRICES | TRADES | RUNS | EDITS

"""The phrases that mean something here, by what they mean: a concept is written in capitals and gathers them all."""

from strategybot.conversations.offline.market_phrases import MARKET
from strategybot.conversations.offline.order_phrases import ORDERS

CONCEPTS = MARKET | ORDERS

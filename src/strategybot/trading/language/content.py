"""Two strategies are the same if they do the same, however their conditions are ordered."""

import hashlib
import json

from strategybot.trading.language.strategy import Strategy


def content_digest(strategy: Strategy) -> str:
    """Return a short text that is equal for strategies of equal content."""
    document = strategy.model_dump(mode="json")
    for side in ("conditions", "exit_conditions"):
        document[side] = sorted(json.dumps(each, sort_keys=True) for each in document[side])
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:32]

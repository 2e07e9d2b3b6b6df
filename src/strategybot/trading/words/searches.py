"""Whether a search recommends its values, in the words that web app, chat, terminal and MCP show."""

from strategybot.trading.evidence.strength import Grade
from strategybot.trading.words.numbers import signed

AGAINST: tuple[Grade, ...] = ("loses", "luck")


def not_recommended(walk_forward_return: float | None, grade: Grade | None, headline: str | None) -> str | None:
    """Return why nothing can be recommended; None if neither unseen time nor the verdict is against the values."""
    if walk_forward_return is not None and walk_forward_return <= 0:
        return f"Nothing to recommend: on time that it had not seen, the search made {signed(walk_forward_return)} %."
    if grade in AGAINST and headline is not None:
        return f"Nothing to recommend: the verdict on these values is “{headline}”."
    return None

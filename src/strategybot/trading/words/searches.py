"""Whether a search recommends its values, in the words that web app, chat, terminal and MCP show."""

from strategybot.trading.evidence.strength import Grade
from strategybot.trading.words.numbers import signed

AGAINST: tuple[Grade, ...] = ("loses", "luck")


def not_recommended(
    walk_forward_return: float | None, grade: Grade | None, headline: str | None, own_return: float | None = None
) -> str | None:
    """Return why nothing can be recommended; None if no result, neither on unseen time nor its own, is against it."""
    if walk_forward_return is not None and walk_forward_return <= 0:
        return f"Nothing to recommend: on time that it had not seen, the search made {signed(walk_forward_return)} %."
    if grade in AGAINST and headline is not None:
        return f"Nothing to recommend: the verdict on these values is “{headline}”."
    if own_return is not None and own_return <= 0:
        return f"Nothing to recommend: even the best values made {signed(own_return)} %."
    return None

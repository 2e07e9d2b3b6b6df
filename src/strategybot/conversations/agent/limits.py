"""The limits of one turn, and the count of the tokens that it has used."""

from dataclasses import dataclass

from pydantic_ai.usage import RequestUsage


@dataclass(frozen=True, slots=True)
class TurnLimits:
    seconds: float = 300
    tokens: int = 100_000
    """New ones: what was sent before in the same turn counts once."""
    requests: int = 24
    first_token_seconds: float = 120
    heartbeat_seconds: float = 10

    @property
    def seconds_for_the_end(self) -> float:
        """Return the time that is kept for the offline model if a language model does not answer."""
        return self.seconds / 10


class TokenMeter:
    """Counts the new tokens of a turn: what each request sends beyond the largest before it, and every answer."""

    def __init__(self) -> None:
        self.used = 0
        self._sent = 0

    def add(self, usage: RequestUsage) -> None:
        self.used += max(0, usage.input_tokens - self._sent) + usage.output_tokens
        self._sent = max(self._sent, usage.input_tokens)

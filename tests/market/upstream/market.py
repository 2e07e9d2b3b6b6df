"""The three tokens of the two working upstream servers, which the demo market has too."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownToken:
    address: str
    chain: str
    symbol: str
    name: str
    decimals: int
    price: float

    @property
    def token_id(self) -> str:
        return f"{self.address}-{self.chain}"


SOL = KnownToken("So11111111111111111111111111111111111111112", "solana", "SOL", "Wrapped SOL", 9, 150.25)
WBNB = KnownToken("0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c", "bsc", "WBNB", "Wrapped BNB", 18, 640.5)
WPOL = KnownToken("0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270", "polygon", "WPOL", "Wrapped POL", 18, 0.23)
TOKENS = (SOL, WBNB, WPOL)

FIRST_CANDLE = 1_754_265_600  # a whole day, so every interval is aligned to it
CANDLES_KNOWN = 1500


def candle(token: KnownToken, interval_seconds: int, number: int) -> tuple[int, float, float, float, float, float]:
    """Candle `number` of a token: its time, open, high, low, close and volume in USD."""
    opened, closed = (token.price * (1 + 0.01 * ((i * 7) % 11)) for i in (number, number + 1))
    time = FIRST_CANDLE + number * interval_seconds
    return time, opened, max(opened, closed) * 1.001, min(opened, closed) * 0.999, closed, 1000.0 + number % 97

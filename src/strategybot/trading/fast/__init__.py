"""The fast path: a backtest that skips ahead instead of stepping through every candle.

It must give the same bits as the plain path (`kernel.step`, candle by candle), and property tests hold that:

- While flat, it tests the entry conditions for blocks of 1,024 candles at once (`blocks`). `judges` has one vectorised
  test for each condition kind. A quick test may let a candle through that the plain rule refuses, never the reverse;
  what it lets through is checked by the plain rule (`conditions.is_met`) before anything is traded.
- `windows` computes the highest, lowest or sum of every window of a block without subtracting anything.
- While in a position, it skips blocks whose lowest low and highest high touch neither stop nor target (`scan`).
- `readings` measures the conditions again at the candles where something was decided, to put reasons into words.
"""

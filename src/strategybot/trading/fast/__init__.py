"""The fast path: a backtest that skips ahead instead of stepping through every candle.

The rule: it gives the same bits as the plain path, which is `scan.run_steps`, a loop of `kernel.step`. The tests in
`tests/trading/fast` and `tests/trading/test_properties.py` compare the two on random candles and strategies. Whoever
changes a rule of trading changes the plain path (`conditions`, `risk`, `kernel`) first, then this folder.

- `scan` finds the next candle at which anything can happen and takes the step of the plain path there. While a position
  is held, it skips groups of candles that touch neither the stop nor the target. `guarded` does the same with guards.
- `blocks` tests conditions for 1,024 candles at once, with one vectorised test for each kind of condition (`judges`).
  A quick test may let a candle through that the plain rule refuses, never the reverse; what it lets through is checked
  by the plain rule (`conditions.is_met`) before anything is traded.
- `windows` computes the highest, lowest or sum of every window of a block without subtracting anything.
- `variants` runs many variants of one strategy, for a search, and shares what they have in common.
- `readings` and `meters` measure the conditions again at the candles where something was decided, to put the reasons
  into words.
"""

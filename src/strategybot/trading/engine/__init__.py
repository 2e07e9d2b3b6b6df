"""The engine: candles in, trades and their figures out. One `step` trades a candle for every kind of run."""

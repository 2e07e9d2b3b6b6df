"""The strategy language and the engine. Pure: no web, no database, no clock.

Read the engine in this order: `candles`, `language/strategy`, `conditions` (is a condition true at a candle?), `risk`
(is a stop or a target reached inside a candle?), `kernel.step` (one candle of trading), then `backtest` and `paper`,
which both take that step. A decorator such as `@lean` compiles a function (`jit`) and changes no result, so these files
can be read as plain Python. `fast/` computes the same results sooner; a reader can skip it.
"""

"""The strategy language and the engine. Pure: no web, no database, no clock.

Read the engine in this order: `engine/candles`, `language/strategy`, `language/conditions` (is a condition true at a
candle?), `engine/conditions` (where the rules want to buy and to sell), `engine/risk` (is a stop or a target reached
inside a candle?), `engine/step` (one candle of trading), then `engine/backtest` and `engine/paper`, which both take
that step. A decorator such as `@inlined` compiles a function (`engine/jit`) and changes no result, so these files can
be read as plain Python.
"""

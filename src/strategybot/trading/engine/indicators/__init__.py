"""Indicator columns: one value per candle, NaN where it is unknown.

With its whole reach before it, a value depends on a fixed number of candles and on nothing else, so that a backtest
over years and a paper session that keeps only its look-back compute the same bits. Two techniques make that so:

- A window is averaged by pairwise doubling (`sliding`): the order of the additions follows from the window's length
  alone, nothing is ever subtracted from a running sum, and a flat market gives exactly its price.
- A recursion (EMA, Wilder) restarts at fixed stretches of unix time and is read one stretch later (`recursive`), when
  what came before its start weighs less than 3e-10. Before that it is the textbook's, from the first candle on.
"""

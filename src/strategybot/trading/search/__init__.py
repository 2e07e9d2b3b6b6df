"""Many variants of a strategy, or one strategy on many tokens."""

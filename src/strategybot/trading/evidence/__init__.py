"""How much a result proves: the verdict, its checks, and what it predicts for paper trading."""

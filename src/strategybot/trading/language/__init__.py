"""The strategy language: its conditions, its one table of series, its risk settings and guards."""

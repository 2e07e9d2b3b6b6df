"""The model that needs no key and no network: tables of words and frames, read by a small matcher."""

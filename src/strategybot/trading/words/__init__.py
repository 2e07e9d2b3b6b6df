"""The sentences of the engine: why it traded or did not, and its figures as text."""

"""File descriptors: raises their limit at start, and keeps a reserve that client connections do not use."""

import resource

RESERVE = 256
"""Reserved for the database, the provider and files. SQLite needs three for each of the 60 connections of its pool."""


def raise_descriptor_limit() -> int:
    """Raise the soft limit to the hard limit and return it. Many systems start with 1,024 and allow far more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def connections_within(descriptors: int, wanted: int) -> int:
    """Return how many of the wanted connections may be open without using the reserve."""
    room = wanted if descriptors < 0 else descriptors - min(RESERVE, descriptors // 2)  # -1 means unlimited
    return max(1, min(wanted, room))

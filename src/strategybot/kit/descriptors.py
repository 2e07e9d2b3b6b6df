"""File descriptors: their limit is raised at start, and connections leave a reserve for everything else."""

import resource

RESERVE = 256
"""For the database, the provider and files. SQLite needs three for each of the 60 connections of its pool."""


def raise_descriptor_limit() -> int:
    """Raise the soft limit to the hard one and return it. Many systems begin with 1,024 and allow far more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def connections_within(descriptors: int, wanted: int) -> int:
    """Return how many of the wanted connections may be open without touching the reserve."""
    room = wanted if descriptors < 0 else descriptors - min(RESERVE, descriptors // 2)  # -1 is no limit
    return max(1, min(wanted, room))

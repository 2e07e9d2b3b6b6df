"""Who wants to hear how far a piece of work is: equal work is done once, and all who wait for it are told."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

Follower = Callable[[float], None]
"""Told of the share that is done, again and again."""


class Followers:
    def __init__(self) -> None:
        self._followers: defaultdict[Hashable, list[Follower]] = defaultdict(list)

    @contextmanager
    def with_one(self, work: Hashable, follower: Follower) -> Iterator[None]:
        self._followers[work].append(follower)
        try:
            yield
        finally:
            self._followers[work].remove(follower)
            if not self._followers[work]:
                del self._followers[work]

    def tell(self, work: Hashable, share: float) -> None:
        for follower in self._followers.get(work, ()):
            follower(share)

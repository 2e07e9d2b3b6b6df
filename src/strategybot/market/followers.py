"""Progress callbacks for shared work: equal work is done once, and every waiting caller is told its progress."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager

Follower = Callable[[float], None]
"""Called repeatedly with the finished share, from 0 to 1."""


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

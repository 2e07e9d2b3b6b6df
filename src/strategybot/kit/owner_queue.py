"""A queue that serves its owners in turn, so that one who asks a hundred times does not make the others wait."""

from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class OwnerQueue(Generic[Item]):
    """Serves the first item of each owner, then the second of each."""

    def __init__(self) -> None:
        self._of_owners: dict[str, deque[Item]] = {}

    def __bool__(self) -> bool:
        return bool(self._of_owners)

    def join(self, owner: str, item: Item) -> None:
        self._of_owners.setdefault(owner, deque()).append(item)

    def leave(self, owner: str, item: Item) -> None:
        items = self._of_owners.get(owner)
        if items is not None and item in items:
            items.remove(item)
            if not items:
                del self._of_owners[owner]

    def first(self) -> Item:
        return next(iter(self._of_owners.values()))[0]

    def take(self) -> Item:
        """Remove and return the first item, and move its owner to the end."""
        owner = next(iter(self._of_owners))
        items = self._of_owners.pop(owner)
        first = items.popleft()
        if items:
            self._of_owners[owner] = items
        return first

"""A rate per client in memory, and a cache with a limit of bytes."""

from datetime import timedelta

import pytest

from strategybot.kit import client_rates
from strategybot.kit.client_rates import ClientRate
from strategybot.kit.content_cache import ContentCache
from strategybot.kit.errors import TooManyRequests
from strategybot.kit.limits import Rate


class Seconds:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_client_gets_its_burst_then_waits_and_others_do_not() -> None:
    seconds = Seconds()
    rate = ClientRate(Rate(6, timedelta(minutes=1)), "Too often.", seconds)
    for _ in range(6):
        rate.admit("ada")
    with pytest.raises(TooManyRequests, match=r"Too often\.") as refused:
        rate.admit("ada")
    assert refused.value.retry_after_seconds == 10
    rate.admit("bob")
    seconds.now += 10
    rate.admit("ada")
    with pytest.raises(TooManyRequests):
        rate.admit("ada")
    seconds.now += 60
    for _ in range(6):
        rate.admit("ada")


def test_the_number_of_clients_is_bounded() -> None:
    seconds = Seconds()
    rate = ClientRate(Rate(2, timedelta(minutes=1)), "Too often.", seconds)
    for number in range(client_rates.MOST_CLIENTS + 5):
        rate.admit(str(number))
    assert len(rate.used_until) == client_rates.MOST_CLIENTS
    seconds.now += 120
    rate.admit("one more")
    assert len(rate.used_until) == 1


def test_content_is_made_once_and_the_longest_unused_is_dropped() -> None:
    cache, made = ContentCache(10), []

    def make(text: str) -> bytes:
        made.append(text)
        return text.encode()

    for text in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"):
        content = cache.get_or_make(text, lambda text=text: make(text))  # type: ignore[misc]
        assert content.body.decode() == text
    assert made == ["aaaa", "bbbb", "cccc", "bbbb"]
    assert (
        cache.get_or_make("a", lambda: b"x").etag
        == cache.get_or_make("b", lambda: b"x").etag
        != cache.get_or_make("c", lambda: b"y").etag
    )


def test_content_that_is_larger_than_the_cache_is_not_kept() -> None:
    cache = ContentCache(10)
    cache.get_or_make("small", lambda: b"small")
    assert cache.get_or_make("large", lambda: b"x" * 11).body == b"x" * 11
    assert cache.get("large") is None
    assert cache.get("small") is not None

"""Nudges through Redis: a process that has written changes tells the others to read them.

A nudge says nothing else and may be lost; whoever waits for one also looks by itself now and then.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
from redis.asyncio import Redis

logger = logging.getLogger("strategybot.nudges")

CHANNEL = "strategybot-changes"
SECONDS_BEFORE_RECONNECTING = 5
SECONDS_TO_SEND = 2


class RedisNudges:
    def __init__(self, url: str) -> None:
        self._url = url
        self._redis: Redis | None = None
        self.connected = False

    async def send(self) -> None:
        """Tell the other processes. A Redis that does not answer is neither waited for nor an error."""
        if self._redis is None:
            return
        try:
            with anyio.fail_after(SECONDS_TO_SEND):
                await self._redis.publish(CHANNEL, b"")
        except Exception:  # its errors are of many kinds; the others look by themselves after a second
            logger.warning("could not nudge the other processes", exc_info=True)

    async def listen(self, nudged: Callable[[], None]) -> None:
        """Call back at each nudge, until cancelled; reconnect when Redis was away."""
        while True:
            try:
                async with Redis.from_url(self._url) as self._redis, self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.connected = True
                    nudged()  # for what was missed
                    await _follow(channel, nudged)
            except Exception:  # likewise
                logger.warning("the nudges of other processes cannot be heard", exc_info=True)
            finally:
                self.connected, self._redis = False, None
            await asyncio.sleep(SECONDS_BEFORE_RECONNECTING)


async def _follow(channel: Any, nudged: Callable[[], None]) -> None:
    async for message in channel.listen():
        if message["type"] == "message":
            nudged()

"""Nudges through Redis: a process that has written changes tells the others to read them.

A nudge has no content and may be lost. The receivers also read once a second without one.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
from redis.asyncio import Redis
from redis.exceptions import RedisError

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
        """Tell the other processes. If Redis does not answer, a warning is logged."""
        if self._redis is None:
            return
        try:
            with anyio.fail_after(SECONDS_TO_SEND):
                await self._redis.publish(CHANNEL, b"")
        except (RedisError, OSError):  # a timeout is an OSError
            logger.warning("could not nudge the other processes", exc_info=True)

    async def listen(self, nudged: Callable[[], None]) -> None:
        """Call `nudged` at each nudge until cancelled; reconnect if the connection is lost."""
        while True:
            try:
                async with Redis.from_url(self._url) as self._redis, self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.connected = True
                    nudged()  # for nudges that were missed while there was no connection
                    await _follow(channel, nudged)
            except Exception:  # the boundary of a background loop: another error would end all streams of the process
                logger.warning("could not receive nudges of other processes", exc_info=True)
            finally:
                self.connected, self._redis = False, None
            await asyncio.sleep(SECONDS_BEFORE_RECONNECTING)


async def _follow(channel: Any, nudged: Callable[[], None]) -> None:
    async for message in channel.listen():
        if message["type"] == "message":
            nudged()

"""Sends one message to a target: to a webhook by our own client, to everything else by Apprise.

Our own client connects to the address that was checked and follows no redirect. Either has ten seconds.
"""

import json
import logging
import ssl
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import httpx2

from strategybot.notifications import addresses
from strategybot.notifications.addresses import WEBHOOKS, BadTarget, Host
from strategybot.notifications.schemas import TargetMessage
from strategybot.notifications.sealing import signature

if TYPE_CHECKING:
    from apprise import AppriseAsset

SECONDS_TO_SEND = 10
SHOWN_OF_ID = 8  # the last, random digits
SIGNATURE, DELIVERY = "X-Strategybot-Signature", "X-Strategybot-Delivery"

logging.getLogger("apprise").setLevel(logging.CRITICAL)  # it writes URLs, which are secrets, into its messages


class NotSent(Exception):
    """The message could not be delivered; the text is for the owner of the target."""


class Senders:
    def __init__(self, *, private_allowed: bool) -> None:
        self._private_allowed = private_allowed
        self._threads = anyio.CapacityLimiter(4)

    async def check(self, url: str) -> None:
        """Raise `BadTarget` unless messages may go to this URL."""
        await addresses.check(url, private_allowed=self._private_allowed)
        if addresses.parsed(url).scheme not in WEBHOOKS and not await self._in_thread(_is_known, url):
            raise BadTarget("is not complete for a target of this kind")

    async def send(self, url: str, message: TargetMessage, signing_secret: str) -> None:
        """Deliver the message, or raise `NotSent`."""
        try:
            with anyio.fail_after(SECONDS_TO_SEND):
                if addresses.parsed(url).scheme in WEBHOOKS:
                    await self._post(url, message, signing_secret)
                else:
                    await self._notify(url, message)
        except TimeoutError:
            raise NotSent(f"It did not answer within {SECONDS_TO_SEND} seconds.") from None
        except BadTarget as error:
            raise NotSent(f"The {error.message}.") from None

    async def _post(self, url: str, message: TargetMessage, signing_secret: str) -> None:
        host = await addresses.resolved_webhook(url, private_allowed=self._private_allowed)
        body = json.dumps(message.model_dump(mode="json"), ensure_ascii=False).encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "strategybot",
            SIGNATURE: f"sha256={signature(signing_secret, body)}",
            DELIVERY: message.id,
        }
        try:
            status = await _status_of(url, host, headers, body)
        except httpx2.HTTPError as error:
            raise NotSent(f"The webhook cannot be reached ({type(error).__name__}).") from None
        if not 200 <= status <= 299:
            raise NotSent(f"The webhook answered with HTTP {status}.")

    async def _notify(self, url: str, message: TargetMessage) -> None:
        await addresses.check(url, private_allowed=self._private_allowed)
        text = f"{message.text}\n\n(message {message.id[-SHOWN_OF_ID:]})"  # a reader sees that one came twice
        if not await self._in_thread(_notified, url, message.title, text):
            raise NotSent("The service behind this target did not take the message.")

    async def _in_thread(self, work: Callable[..., bool], *arguments: str) -> bool:
        return await anyio.to_thread.run_sync(work, *arguments, limiter=self._threads, abandon_on_cancel=True)


async def _status_of(url: str, host: Host, headers: dict[str, str], body: bytes) -> int:
    """POST to the address that was checked, with the host's name for TLS. The body of the answer is not read."""
    original = httpx2.URL(url)
    pinned = original.copy_with(host=host.address)
    headers = {"Host": original.netloc.decode("ascii"), **headers}
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS_TO_SEND)
    extensions = {"sni_hostname": host.name, "timeout": timeouts}
    request = httpx2.Request("POST", pinned, headers=headers, content=body, extensions=extensions)
    async with httpx2.AsyncHTTPTransport(verify=_trusted_roots(), trust_env=False) as transport:
        response = await transport.handle_async_request(request)
        await response.aclose()
        return response.status_code


@cache
def _trusted_roots() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


def _is_known(url: str) -> bool:
    import apprise  # noqa: PLC0415  it takes a second and 40 MB, which most services never need

    return apprise.Apprise.instantiate(url, asset=_asset()) is not None


def _notified(url: str, title: str, text: str) -> bool:
    import apprise  # noqa: PLC0415  as above

    target = apprise.Apprise.instantiate(url, asset=_asset())
    return target is not None and bool(target.notify(body=text, title=title))


def _asset() -> "AppriseAsset":
    from apprise import AppriseAsset, PersistentStoreMode  # noqa: PLC0415  as above

    return AppriseAsset(
        app_id="Strategy Bot",
        app_desc="Strategy Bot",
        async_mode=False,
        plugin_paths=[],
        storage_mode=PersistentStoreMode.MEMORY,
        http_redirects=False,
    )

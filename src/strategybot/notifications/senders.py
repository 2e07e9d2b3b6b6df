"""Sends one message to a target: looks up its host once, checks the address and connects to that address.

Nothing here uses a thread, except the lookup of the name. A message has ten seconds in all.
"""

import ssl
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import anyio
import httpx2

from strategybot.kit.errors import TooManyRequests
from strategybot.notifications.addresses import BadHost, Resolver
from strategybot.notifications.kinds import TargetKind
from strategybot.notifications.outgoing import Mail, Outgoing
from strategybot.notifications.schemas import TargetMessage
from strategybot.notifications.sealing import signature
from strategybot.notifications.smtp import MailRefused, send_mail

SECONDS_TO_SEND = 10
MOST_SENT_AT_ONCE = 4  # of one owner, in one process
SIGNATURE = "X-Strategybot-Signature"


class NotSent(Exception):
    """The message could not be delivered; the text is for the owner of the target."""


class TooManySent(TooManyRequests):
    def __init__(self) -> None:
        message = f"{MOST_SENT_AT_ONCE} of your messages are being sent right now. Please wait a moment."
        super().__init__(SECONDS_TO_SEND, message)


class Senders:
    def __init__(self, resolver: Resolver, seconds: float = SECONDS_TO_SEND) -> None:
        self._resolver, self._seconds = resolver, seconds
        self._of_owner: Counter[str] = Counter()

    @contextmanager
    def place(self, owner_id: str) -> Iterator[None]:
        """Hold one of the owner's places within the block. Raise `TooManySent` if all are taken."""
        if self._of_owner[owner_id] >= MOST_SENT_AT_ONCE:
            raise TooManySent
        self._of_owner[owner_id] += 1
        try:
            yield
        finally:
            self._of_owner[owner_id] -= 1
            if not self._of_owner[owner_id]:
                del self._of_owner[owner_id]

    async def check(self, target: TargetKind, owner_id: str) -> None:
        """Raise `BadHost` unless messages may go to the host that the user has named."""
        if target.named_place is not None:
            await self._resolver.address_of(target.named_place, owner_id)

    async def send(self, target: TargetKind, message: TargetMessage, signing_secret: str, owner_id: str) -> None:
        """Deliver the message, or raise `NotSent`."""
        outgoing = target.outgoing(message)
        try:
            with anyio.fail_after(self._seconds):
                address = await self._resolver.address_of(outgoing.place, owner_id)
                if isinstance(outgoing, Mail):
                    await send_mail(outgoing, address, _trusted_roots("mail"))
                else:
                    await _request(target.subject, outgoing, address, signing_secret)
        except TimeoutError:
            raise NotSent(f"It did not answer within {self._seconds:g} seconds.") from None
        except BadHost as error:
            raise NotSent(f"The address {error}.") from None
        except MailRefused as error:
            raise NotSent(str(error)) from None


async def _request(subject: str, outgoing: Outgoing, address: str, signing_secret: str) -> None:
    try:
        status = await _status_of(outgoing, address, signing_secret)
    except httpx2.HTTPError as error:
        raise NotSent(f"{subject} cannot be reached ({type(error).__name__}).") from None
    if not 200 <= status <= 299:
        raise NotSent(f"{subject} answered with HTTP {status}.")


async def _status_of(outgoing: Outgoing, address: str, signing_secret: str) -> int:
    """Send the request to the address that was checked, with the host's name for TLS. Follow no redirect, and do not
    read the body of the answer."""
    url = outgoing.url
    headers = {
        "Host": url.netloc.decode("ascii"),
        "Content-Type": "application/json",
        "User-Agent": "strategybot",
        **outgoing.headers,
    }
    if outgoing.is_signed:
        headers[SIGNATURE] = f"sha256={signature(signing_secret, outgoing.content)}"
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), SECONDS_TO_SEND)
    extensions = {"sni_hostname": outgoing.place.host, "timeout": timeouts}
    pinned = url.copy_with(host=address)
    request = httpx2.Request(outgoing.method, pinned, headers=headers, content=outgoing.content, extensions=extensions)
    async with httpx2.AsyncHTTPTransport(verify=_trusted_roots("http"), trust_env=False) as transport:
        response = await transport.handle_async_request(request)
        await response.aclose()
        return response.status_code


@cache
def _trusted_roots(_protocol: str) -> ssl.SSLContext:
    """Return the TLS context of a protocol: the HTTP client announces HTTP in its own."""
    return httpx2.create_ssl_context(trust_env=False)

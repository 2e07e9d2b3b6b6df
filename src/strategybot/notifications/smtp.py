"""Sends one e-mail, without threads: a send that is cancelled leaves nothing behind."""

import base64
import ssl
from email.policy import SMTP

import anyio
from anyio.abc import ByteStream
from anyio.streams.buffered import BufferedByteReceiveStream
from anyio.streams.tls import TLSStream

from strategybot.notifications.outgoing import Mail

LONGEST_LINE = 2048
MOST_LINES = 100
OUR_NAME = "[127.0.0.1]"  # as Python's own client calls a machine without a public name
POLICY = SMTP.clone(cte_type="7bit")
NETWORK_FAULTS = (
    OSError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.DelimiterNotFound,
    anyio.EndOfStream,
    anyio.IncompleteRead,
)


class MailRefused(Exception):
    """The mail server did not take the message; the text is for its owner."""


async def send_mail(mail: Mail, address: str, context: ssl.SSLContext) -> None:
    """Deliver the message to the mail server at this address. Raise `MailRefused` if it does not take it."""
    try:
        stream: ByteStream = await anyio.connect_tcp(address, mail.place.port)
        try:
            await _deliver(mail, stream, context)
        finally:
            await anyio.aclose_forcefully(stream)
    except NETWORK_FAULTS as error:
        raise MailRefused(f"The mail server cannot be reached ({type(error).__name__}).") from None


async def _deliver(mail: Mail, stream: ByteStream, context: ssl.SSLContext) -> None:
    if mail.security == "tls":
        stream = await _encrypt(stream, mail, context)
    server = _Dialogue(stream)
    await server.expect(220)
    offered = await server.ask(f"EHLO {OUR_NAME}", 250)
    if mail.security == "starttls":
        await server.ask("STARTTLS", 220)
        server.refuse_unread()
        server = _Dialogue(await _encrypt(stream, mail, context))
        offered = await server.ask(f"EHLO {OUR_NAME}", 250)
    if mail.username:
        await _log_in(server, mail, offered)
    await server.ask(f"MAIL FROM:<{mail.message['From']}>", 250)
    await server.ask(f"RCPT TO:<{mail.message['To']}>", 250, 251)
    await server.ask("DATA", 354)
    await server.ask(_data(mail), 250)


async def _encrypt(stream: ByteStream, mail: Mail, context: ssl.SSLContext) -> ByteStream:
    return await TLSStream.wrap(
        stream, hostname=mail.place.host, ssl_context=context, server_side=False, standard_compatible=False
    )


async def _log_in(server: "_Dialogue", mail: Mail, offered: str) -> None:
    if "PLAIN" in offered or "AUTH" not in offered:
        login = _base64(f"\0{mail.username}\0{mail.password}")
        await server.ask(f"AUTH PLAIN {login}", 235)
        return
    await server.ask("AUTH LOGIN", 334)
    await server.ask(_base64(mail.username), 334)
    await server.ask(_base64(mail.password), 235)


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _data(mail: Mail) -> str:
    """Return the message with its end. A line that begins with a dot gets a second one."""
    lines = mail.message.as_bytes(policy=POLICY).decode("ascii").removesuffix("\r\n").split("\r\n")
    return "\r\n".join([*(f".{line}" if line.startswith(".") else line for line in lines), "."])


class _Dialogue:
    """Commands and replies on one connection."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream, self._replies = stream, BufferedByteReceiveStream(stream)

    async def ask(self, command: str, *expected: int) -> str:
        """Send a command and return the text of the reply. Raise `MailRefused` if its code is another."""
        await self._stream.send(f"{command}\r\n".encode())
        return await self.expect(*expected)

    async def expect(self, *expected: int) -> str:
        lines = []
        for _ in range(MOST_LINES):
            line = (await self._replies.receive_until(b"\r\n", LONGEST_LINE)).decode("utf-8", "replace")
            lines.append(line[4:])
            if line[3:4] != "-":
                if line[:3] not in map(str, expected):
                    code = line[:3] if line[:3].isdecimal() else "something else than SMTP"
                    raise MailRefused(f"The mail server answered with {code}.")
                return "\n".join(lines)
        raise MailRefused("The mail server answered with too many lines.")

    def refuse_unread(self) -> None:
        """Raise if the server has sent more than its reply: what comes before the encryption may be forged."""
        if self._replies.buffer:
            raise MailRefused("The mail server sent data before the encryption began.")

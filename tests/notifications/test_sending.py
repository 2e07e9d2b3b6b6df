"""Sending: to the address that was checked, within ten seconds, without threads that stay behind."""

import asyncio
import base64
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from strategybot.notifications import addresses
from strategybot.notifications.addresses import BadHost, Place, Resolver
from strategybot.notifications.kinds import target_of
from strategybot.notifications.outgoing import Mail
from strategybot.notifications.schemas import TargetMessage
from strategybot.notifications.senders import MOST_SENT_AT_ONCE, NotSent, Senders, TooManySent
from strategybot.notifications.smtp import MailRefused, send_mail
from tests.notifications.mail_server import MailServer
from tests.notifications.webhook import Webhook

MESSAGE = TargetMessage(
    id="01a1ec19-0217-7274-bc55-4e8a4e7aa1b2",
    event="simulation.bought",
    title="Dip buyer: bought\nBcc: x",
    text=".a line that begins with a dot\nand çà",
    bot_id=None,
    run_id=None,
    created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
)


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with Webhook() as webhook:
        yield webhook


def senders(**options: Any) -> Senders:
    return Senders(Resolver(private_allowed=True, **options))


def sent(kind: Any, fields: dict[str, str], **options: Any) -> None:
    asyncio.run(senders(**options).send(target_of(kind, fields), MESSAGE, "secret", "ada"))


@pytest.mark.parametrize(
    ("kind", "fields", "path"),
    [
        ("ntfy", {"topic": "t"}, "/"),
        ("gotify", {"token": "t"}, "/message"),
        (
            "matrix",
            {"token": "t", "room": "!r:x"},
            f"/_matrix/client/v3/rooms/%21r%3Ax/send/m.room.message/{MESSAGE.id}",
        ),
    ],
)
def test_a_server_of_the_users_own_is_sent_the_message(
    webhook: Webhook, kind: str, fields: dict[str, str], path: str
) -> None:
    sent(kind, {**fields, "server": webhook.url.partition("/hook")[0]})
    assert webhook.paths == [path]


def test_the_name_is_looked_up_once_and_the_address_is_used(webhook: Webhook) -> None:
    """A name server that gives another address each time cannot lead the message elsewhere."""
    asked = []

    def lookup(host: str, port: int, **_: Any) -> Any:
        asked.append(host)
        return socket.getaddrinfo("127.0.0.1" if len(asked) == 1 else "192.0.2.1", port, type=socket.SOCK_STREAM)

    sent("webhook", {"url": webhook.url.replace("localhost", "rebound.example.com")}, lookup=lookup)
    assert asked == ["rebound.example.com"]
    assert webhook.received[0][0]["Host"].startswith("rebound.example.com:")


def test_a_host_with_one_private_address_among_others_is_refused() -> None:
    def lookup(_host: str, port: int, **_: Any) -> Any:
        return [(0, 0, 0, "", ("93.184.215.14", port)), (0, 0, 0, "", ("10.0.0.1", port))]

    with pytest.raises(BadHost, match="private"):
        asyncio.run(Resolver(private_allowed=False, lookup=lookup).address_of(Place("x", 80), "ada"))


class SlowServer:
    """Accepts connections and sends one byte of a header each second."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/"
        self.is_open = True
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while self.is_open:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._drip, args=(connection,), daemon=True).start()

    def _drip(self, connection: socket.socket) -> None:
        with connection:
            try:
                connection.sendall(b"HTTP/1.1 200 OK\r\nX: ")
                while self.is_open:
                    connection.sendall(b"x")
                    time.sleep(0.2)
            except OSError:
                return

    def close(self) -> None:
        self.is_open = False
        self._socket.close()


def test_a_target_that_drips_ends_after_its_time_in_all_and_holds_no_thread() -> None:
    server = SlowServer()
    target = target_of("webhook", {"url": server.url})

    async def send_many() -> list[Any]:
        sender = Senders(Resolver(private_allowed=True), seconds=1)
        before = _threads_of_ours()
        tasks = [asyncio.create_task(sender.send(target, MESSAGE, "secret", f"owner {n}")) for n in range(20)]
        await asyncio.sleep(0.7)
        during = _threads_of_ours() - before
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert during <= addresses.MOST_LOOKUPS
        return outcomes

    began = time.monotonic()
    outcomes = asyncio.run(send_many())
    server.close()
    assert time.monotonic() - began < 5
    assert [type(each) for each in outcomes] == [NotSent] * 20
    assert "did not answer" in str(outcomes[0])


def _threads_of_ours() -> int:
    return sum(not thread.name.endswith("(_drip)") for thread in threading.enumerate())


def test_an_owner_sends_few_messages_at_once() -> None:
    sender = senders()
    places = [sender.place("ada") for _ in range(MOST_SENT_AT_ONCE)]
    for place in places:
        place.__enter__()
    with pytest.raises(TooManySent), sender.place("ada"):
        pass
    with sender.place("bob"):
        pass
    places[0].__exit__(None, None, None)
    with sender.place("ada"):
        pass


class HangingNames:
    """A name server that does not answer for names that begin with `slow`."""

    def __init__(self) -> None:
        self.released, self.hanging = threading.Event(), 0

    def __call__(self, host: str, port: int, **_: Any) -> Any:
        if host.startswith("slow"):
            self.hanging += 1
            self.released.wait(30)
            self.hanging -= 1
        return [(0, 0, 0, "", ("93.184.215.14", port))]


async def _outcome(resolver: Resolver, host: str, owner: str) -> str:
    try:
        return await resolver.address_of(Place(host, 443), owner)
    except BadHost as error:
        return str(error)


def test_slow_names_of_one_owner_hold_up_nobody_else_and_no_other_lookup_of_the_process() -> None:
    names = HangingNames()
    resolver = Resolver(private_allowed=False, lookup=names, seconds=0.5)

    async def attack() -> None:
        slow = [asyncio.create_task(_outcome(resolver, f"slow{n}", "mallory")) for n in range(50)]
        await asyncio.sleep(0.2)
        assert names.hanging == addresses.MOST_LOOKUPS_OF_AN_OWNER
        assert await _outcome(resolver, "quick", "ada") == "93.184.215.14"
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(2):  # as the client of the market provider does
            await loop.getaddrinfo("127.0.0.1", 80)
        assert set(await asyncio.gather(*slow)) == {"names a host that could not be found in time"}
        assert names.hanging == addresses.MOST_LOOKUPS_OF_AN_OWNER, "a place is held until its thread ends"
        assert await _outcome(resolver, "quick", "mallory") == "names a host that could not be found in time"
        names.released.set()
        await asyncio.sleep(0.2)
        assert await _outcome(resolver, "quick", "mallory") == "93.184.215.14"

    asyncio.run(attack())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with a key and a certificate for localhost that is signed with this key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    plain = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = tmp_path_factory.mktemp("certificate") / "localhost.pem"
    path.write_bytes(plain + made.public_bytes(encoding))
    return path


def contexts(certificate: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(certificate)
    return serving, ssl.create_default_context(cafile=str(certificate))


def mailed(server: MailServer, trusted: ssl.SSLContext, security: str) -> None:
    fields = {
        "server": server.server,
        "security": security,
        "username": "me",
        "password": "pass wörd",
        "sender": "bot@example.com",
        "recipient": "me@example.com",
    }
    mail = target_of("email", fields).outgoing(MESSAGE)
    assert isinstance(mail, Mail)

    async def send() -> None:
        async with asyncio.timeout(5):
            await send_mail(mail, "127.0.0.1", trusted)

    asyncio.run(send())


@pytest.mark.parametrize("security", ["tls", "starttls", "none"])
def test_an_email_is_delivered(certificate: Path, security: str) -> None:
    serving, trusted = contexts(certificate)
    with MailServer(serving, is_encrypted=security == "tls") as server:
        mailed(server, trusted, security)
    verbs = [command.split()[0] for command in server.commands]
    hello = ["EHLO", "STARTTLS", "EHLO"] if security == "starttls" else ["EHLO"]
    assert verbs == [*hello, "AUTH", "MAIL", "RCPT", "DATA"]
    login = next(command for command in server.commands if command.startswith("AUTH PLAIN "))
    assert base64.b64decode(login.removeprefix("AUTH PLAIN ")).decode() == "\0me\0pass wörd"
    assert server.commands[-3:-1] == ["MAIL FROM:<bot@example.com>", "RCPT TO:<me@example.com>"]
    assert "Subject: Dip buyer: bought Bcc: x\r\n" in server.data
    assert f"Message-ID: <{MESSAGE.id}@example.com>" in server.data


def test_an_email_is_not_sent_to_a_server_with_an_unknown_certificate(certificate: Path) -> None:
    serving, _ = contexts(certificate)
    with MailServer(serving) as server, pytest.raises(MailRefused):
        mailed(server, ssl.create_default_context(), "starttls")
    assert [command.split()[0] for command in server.commands] == ["EHLO", "STARTTLS"]


@pytest.mark.parametrize("verb", ["AUTH", "RCPT", "DATA", "STARTTLS"])
def test_a_mail_server_that_refuses_is_named(certificate: Path, verb: str) -> None:
    serving, trusted = contexts(certificate)
    with MailServer(serving, refuses=verb) as server, pytest.raises(MailRefused, match="answered with 554"):
        mailed(server, trusted, "starttls")

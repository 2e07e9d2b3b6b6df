"""A mail server on loopback that records its dialogue; with `context` it can encrypt it."""

import socket
import ssl
import threading
from collections.abc import Iterable
from itertools import takewhile
from typing import Self

OFFERED = b"250-mail.example.com\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS\r\n"


class MailServer:
    def __init__(self, context: ssl.SSLContext | None = None, *, is_encrypted: bool = False, refuses: str = "") -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.server = f"localhost:{self._socket.getsockname()[1]}"
        self.commands: list[str] = []
        self.data = ""
        self._context, self._is_encrypted, self._refuses = context, is_encrypted, refuses

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)
        self._socket.close()

    def _serve(self) -> None:
        self._connection, _ = self._socket.accept()
        try:
            if self._is_encrypted:
                self._encrypt()
            self._connection.sendall(b"220 mail.example.com\r\n")
            self._talk()
        except OSError:
            pass
        self._connection.close()

    def _encrypt(self) -> None:
        assert self._context is not None
        self._connection = self._context.wrap_socket(self._connection, server_side=True)

    def _talk(self) -> None:
        lines = self._connection.makefile("rb")
        while line := lines.readline().decode().rstrip("\r\n"):
            self.commands.append(line)
            verb = line.split()[0].upper()
            if verb == self._refuses:
                self._connection.sendall(b"554 no\r\n")
            elif verb == "EHLO":
                self._connection.sendall(OFFERED)
            elif verb == "STARTTLS":
                self._connection.sendall(b"220 go\r\n")
                self._encrypt()
                lines = self._connection.makefile("rb")
            elif verb == "AUTH":
                self._connection.sendall(b"235 ok\r\n")
            elif verb == "DATA":
                self._connection.sendall(b"354 go\r\n")
                self._receive(lines)
            else:
                self._connection.sendall(b"250 ok\r\n")

    def _receive(self, lines: Iterable[bytes]) -> None:
        self.data = b"".join(takewhile(lambda line: line != b".\r\n", lines)).decode()
        self._connection.sendall(b"250 queued\r\n")

"""A private Redis with a password on a free port, which ends with the test."""

import shutil
import socket
import subprocess
import time
from typing import Self

from tests.servers import free_port


class RedisServer:
    PASSWORD = "b7c1d0f4e2a94c55"

    def __init__(self, *options: str) -> None:
        self._port, self._options = free_port(), options or ("--requirepass", self.PASSWORD)
        self.address = f"127.0.0.1:{self._port}/0"
        self.url = f"redis://:{self.PASSWORD}@{self.address}"

    @staticmethod
    def program() -> str | None:
        return shutil.which("redis-server")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        program = self.program()
        assert program is not None
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", *self._options]
        self._process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL, cwd="/tmp")
        self._wait()

    def stop(self) -> None:
        """Kill the server, as a crash would. It keeps no data."""
        self._process.kill()
        self._process.wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("Redis does not listen")

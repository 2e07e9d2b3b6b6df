"""A webhook on loopback that records its requests and answers with given statuses."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Webhook:
    def __init__(self) -> None:
        self.received: list[tuple[dict[str, str], bytes]] = []
        self.paths: list[str] = []
        self.statuses: list[int] = []
        """The statuses of the next answers; 204 when the list is empty."""
        webhook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # the server finds it by this name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                webhook.received.append((dict(self.headers), body))
                webhook.paths.append(self.path)
                status = webhook.statuses.pop(0) if webhook.statuses else 204
                self.send_response(status)
                if 300 <= status <= 399:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_PUT = do_POST  # noqa: N815  as above

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://localhost:{self._server.server_port}/hook?key=s3cret"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.received]

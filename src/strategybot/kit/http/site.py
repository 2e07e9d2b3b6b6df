"""The web app: one HTML page for all its addresses, and files with hashed names that never change.

The bundle is read once and served from memory, compressed if the browser accepts it. Paths with a reserved prefix are
left to other routes, so that an unknown API path stays a plain 404.
"""

import gzip
import mimetypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

SITE = Path(__file__).parents[2] / "site"  # the browser app as it was built, no part of the repository
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
RESERVED = ("/api", "/mcp", "/oauth", "/.well-known", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics")
WORTH_COMPRESSING = 1024


@dataclass(frozen=True)
class File:
    body: bytes
    media_type: str
    cache: str

    @cached_property
    def compressed(self) -> bytes:
        return gzip.compress(self.body, compresslevel=9, mtime=0)

    def response(self, request: Request, status: int = 200) -> Response:
        headers = {"Cache-Control": self.cache, "Content-Security-Policy": POLICY, "Vary": "Accept-Encoding"}
        body = self.body
        if len(body) > WORTH_COMPRESSING and "gzip" in request.headers.get("accept-encoding", ""):
            body, headers["Content-Encoding"] = self.compressed, "gzip"
        return Response(body, status, headers, self.media_type)


class Site(Route):
    """Serves every path that is not reserved: a file of the bundle, or the HTML page, which draws the screen itself.

    `pages` are the first path segments of the app's screens. A browser gets the page for other paths too, with a 404.
    """

    def __init__(self, folder: Path, pages: Sequence[str]) -> None:
        self._files, self._pages = _files(folder), frozenset(pages)
        super().__init__("/{address:path}", self._answer, methods=["GET"], include_in_schema=False)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match fully or not at all: a partial match for a wrong method would hide routes behind this one."""
        match, inner = super().matches(scope)
        if match is not Match.FULL or _is_reserved(scope["path"]):
            return Match.NONE, {}
        return match, {**inner, "route": self}

    async def _answer(self, request: Request) -> Response:
        address = request.path_params["address"]
        if address in self._files:
            return self._files[address].response(request)
        page = self._files["index.html"]
        if address.partition("/")[0] in self._pages:
            return page.response(request)
        if address.startswith("assets/") or "text/html" not in request.headers.get("accept", ""):
            raise HTTPException(404)
        return page.response(request, 404)


def is_built(folder: Path) -> bool:
    return (folder / "index.html").is_file()


def index_page(folder: Path) -> str | None:
    """Return the HTML page, or None if the web app is not built."""
    return (folder / "index.html").read_text() if is_built(folder) else None


def _is_reserved(path: str) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in RESERVED)


def _files(folder: Path) -> dict[str, File]:
    names = {path: path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()}
    return {name: _file(path, name) for path, name in names.items()}


def _file(path: Path, name: str) -> File:
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    cache = FOR_EVER if name.startswith("assets/") else ASK_AGAIN
    return File(path.read_bytes(), media_type, cache)

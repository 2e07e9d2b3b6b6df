"""An AVE server that a test can block: while it is blocked, it sends no answer and requests stay open."""

import asyncio
import threading
from pathlib import Path
from typing import Any

from tests.market.upstream.ave import KEY, reply_to
from tests.market.upstream.market import SOL
from tests.market.upstream.server import LoopbackServer, Reply, Request

TOKEN_ID = SOL.token_id
START, END = 1_754_265_600, 1_754_265_600 + 1000 * 3600


class HeldUpstream(LoopbackServer):
    def __init__(self) -> None:
        super().__init__(self._handle)
        self.let_through = threading.Event()
        self.open_for: set[str] = set()
        """Ids of tokens about which it answers even while it is held."""
        self.fault: Reply | None = None

    async def _handle(self, request: Request, writer: asyncio.StreamWriter) -> None:
        while not (self.let_through.is_set() or self.open_for.intersection(request.path)):  # noqa: ASYNC110 - it is set by another thread
            await asyncio.sleep(0.02)
        writer.write((self.fault or reply_to(request)).encoded())


def with_key(folder: Path) -> Path:
    """Return the data directory of a service with a provider's key and without a rate limit."""
    (folder / "data").mkdir(exist_ok=True)
    (folder / ".env").write_text(f"AVE_API_KEY={KEY}\nAVE_API_PLAN=pro\n")
    return folder / "data"


def request_of(**more: Any) -> dict[str, Any]:
    return {"token": TOKEN_ID, "kline_interval": "1h", "start_time": START, "end_time": END, **more}

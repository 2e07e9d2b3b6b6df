"""Tables for a spreadsheet, sent part by part."""

from collections.abc import Iterable
from typing import Any

from fastapi.responses import StreamingResponse

CSV_RESPONSE: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
"""How the API document describes the response of `csv_file`."""


def csv_file(parts: Iterable[str], name: str) -> StreamingResponse:
    """Return a response that a browser saves under this name."""
    headers = {"Content-Disposition": f"attachment; filename={name}.csv"}
    return StreamingResponse(parts, media_type="text/csv", headers=headers)

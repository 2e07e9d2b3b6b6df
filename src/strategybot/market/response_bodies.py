"""Checks for response bodies of a provider: size limits, strict JSON, and text without control characters
or secrets.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from pydantic_core import from_json

from strategybot.market.provider import ProviderFailure

LONGEST_MESSAGE = 2000


def decompress(raw: bytes, max_bytes: int) -> bytes:
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        body = inflater.decompress(raw, max_bytes + 1)
    except zlib.error:
        raise ProviderFailure("the provider's answer is damaged (gzip)") from None
    check_size(body, max_bytes)
    if not inflater.eof or inflater.unused_data:
        raise ProviderFailure("the provider's answer is damaged (gzip)")
    return body


def check_size(body: bytes | bytearray, max_bytes: int) -> None:
    if len(body) > max_bytes:
        raise ProviderFailure(f"the provider's answer is larger than {max_bytes} bytes")


def parse(body: bytes) -> Any:
    if not body:
        raise ProviderFailure("the provider's answer is empty")
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError:
        raise ProviderFailure("the provider's answer is not JSON") from None


def displayable(text: str, secrets: re.Pattern[str]) -> str:
    """Return at most `LONGEST_MESSAGE` characters of the text, white space kept, without control characters
    and secrets.
    """
    words = "".join(character for character in text if character.isprintable() or character.isspace())
    return secrets.sub("[redacted]", words)[:LONGEST_MESSAGE]


def secret_pattern(secrets: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches each secret as plain text, URL-quoted, JSON-escaped or in base64."""
    spellings = {
        spelling
        for secret in filter(None, secrets)
        for spelling in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1], b64encode(secret.encode()).decode())
    }
    longest_first = sorted(spellings, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)", re.IGNORECASE)

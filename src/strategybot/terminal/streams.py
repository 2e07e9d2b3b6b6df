"""Encoding errors of standard input and output."""

from typing import TextIO


def replace_encoding_errors(*streams: TextIO) -> None:
    """Replace characters that the stream's encoding cannot represent with a question mark, instead of raising."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

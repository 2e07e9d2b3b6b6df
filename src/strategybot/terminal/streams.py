"""Standard input and output, in whatever encoding the terminal has."""

from typing import TextIO


def put_up_with_any_text(*streams: TextIO) -> None:
    """What cannot be read or shown becomes a question mark, and the rest stays."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

"""Cleans text that other people wrote, before a language model or a user reads it.

Names of tokens and bots may be hostile: invisible characters, direction marks and excess length are removed.
"""

import re
from typing import Any

from pydantic import BaseModel

LONGEST_TEXT = 300
LONGEST_NAME = 100
MOST_ENTRIES = 50
# Controls, soft hyphen, zero-width and direction marks, line separators, variation selectors, tags, private use.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff9-\ufffb\ue000-\uf8ff\U000e0000-\U000e0fff\ud800-\udfff]+"
)


_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# An underscore inside a word is not markup. The last three: some Markdown viewers make links of bare addresses.
_MARKUP = re.compile(r"[\\`*\[\]<>&~|#]|(?<![^\W_])_|_(?![^\W_])|:(?=//)|(?<=www)\.|@", re.IGNORECASE)


def without_controls(text: str) -> str:
    """Return the text without control characters. Line breaks and spaces stay."""
    return _CONTROLS.sub("", text)


def clean_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return the text on one line, without invisible characters, and cut if it is too long."""
    plain = " ".join(_INVISIBLE.sub(" ", text[: longest * 4]).split())
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"


def plain_name(name: object, longest: int = LONGEST_NAME) -> str:
    """Return a name as Markdown that shows the name and nothing else: no link, image, tag, emphasis or code.

    For every name that comes from the market or from a user, wherever it becomes part of an answer.
    """
    return _MARKUP.sub(r"\\\g<0>", clean_text(str(name), longest))


def clean(value: Any, longest: int = LONGEST_TEXT, most: int = MOST_ENTRIES) -> Any:
    """Return a model or a JSON value as JSON, with every text cleaned. Long lists are cut."""
    if isinstance(value, BaseModel):
        return clean(value.model_dump(mode="json"), longest, most)
    if isinstance(value, str):
        return clean_text(value, longest)
    if isinstance(value, dict):
        members = list(value.items())[:MOST_ENTRIES]
        return {clean_text(str(key), 60): clean(inner, longest, most) for key, inner in members}
    if isinstance(value, list | tuple):
        return [clean(inner, longest, most) for inner in value[:most]]
    return value

"""The type of a decoded JSON object."""

from typing import Any

Json = dict[str, Any]

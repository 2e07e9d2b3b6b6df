"""Responses that a client may keep, and asks for again by their tag."""

from collections.abc import Mapping

from fastapi import Request, Response

from strategybot.kit.content_cache import Content


def cached_response(
    request: Request, content: Content, media_type: str, headers: Mapping[str, str] | None = None
) -> Response:
    """Return the content, or 304 if the client has it. The client asks each time, so that what is deleted is gone."""
    own = {**(headers or {}), "Cache-Control": "private, no-cache", "ETag": content.etag}
    tags = request.headers.get("if-none-match", "")
    if tags.strip() == "*" or content.etag in (tag.strip().removeprefix("W/") for tag in tags.split(",")):
        return Response(None, 304, own)
    return Response(content.body, 200, own, media_type)

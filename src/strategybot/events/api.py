"""`GET /api/events`: what changes for the caller, as server-sent events."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from strategybot.accounts.dependencies import CurrentPrincipal, is_still_authenticated
from strategybot.events.service import Streams
from strategybot.kit.http.event_stream import EventStream
from strategybot.kit.http.provided import provided

# Not in the OpenAPI document, because a tool that calls every operation would never return. docs/clients.md has it.
router = APIRouter(prefix="/api/events", include_in_schema=False)

StreamsService = Annotated[Streams, Depends(provided(Streams))]


@router.get("")
async def follow(request: Request, streams: StreamsService, principal: CurrentPrincipal) -> EventStream:
    owner_id = principal.owner_id
    is_valid = partial(is_still_authenticated, request, owner_id)
    stream = await streams.open(owner_id, request.headers.get("last-event-id"), is_valid)
    return EventStream(stream, stream.close, partial(streams.remove, stream))

"""`GET /api/events`: what changes for the caller, as server-sent events."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request

from strategybot.accounts.dependencies import CurrentPrincipal, is_still_authenticated
from strategybot.events.service import Streams
from strategybot.kit.http.event_stream import EventStream
from strategybot.kit.http.provided import provide

# Described, but no operation of the OpenAPI document: a tool that calls every operation would never return.
EVENT_STREAM = (
    "`GET /api/events` is a stream of server-sent events for the owner of the token. Each event is named by what has "
    'changed and has the data `{"kind", "what", "bot_id", "run_id"}`: `bot`, `backtest`, `optimisation`, `survey`, '
    "`simulation`, `watch`, `watch.signal` or `notification`; `ready`, `reset` and `replaced` are about the stream. "
    "With `Last-Event-ID` it continues where an earlier one ended."
)
router = APIRouter(prefix="/api/events", include_in_schema=False)

StreamsService = Annotated[Streams, Depends(provide(Streams))]


@router.get("")
async def follow(request: Request, streams: StreamsService, principal: CurrentPrincipal) -> EventStream:
    owner_id = principal.owner_id
    is_valid = partial(is_still_authenticated, request, owner_id)
    stream = await streams.open(owner_id, request.headers.get("last-event-id"), is_valid)
    return EventStream(stream, stream.close, partial(streams.remove, stream))

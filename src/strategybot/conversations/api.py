"""`/api/conversations`: begin, list, read and delete conversations, link a bot, and chat."""

import json
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request
from fastapi.responses import StreamingResponse

from strategybot.accounts.dependencies import ClientAddress, CurrentPrincipal, Defaults, PrincipalOrNobody
from strategybot.conversations.schemas import (
    BotLink,
    ChatMessage,
    ConversationDraft,
    ConversationPage,
    ConversationView,
    TurnView,
    WelcomeView,
)
from strategybot.conversations.service import Conversations
from strategybot.conversations.turn.turns import Surface, Turn
from strategybot.kit.http.bodies import JsonRoute
from strategybot.kit.http.connections import is_remote
from strategybot.kit.http.error_responses import error_responses
from strategybot.kit.http.parameters import HundredAPage
from strategybot.kit.http.provided import provide

router = APIRouter(prefix="/api/conversations", tags=["Conversations"], route_class=JsonRoute)

EVENT_STREAM = "text/event-stream"
STREAM_HEADERS = {"X-Vercel-AI-UI-Message-Stream": "v1", "X-Accel-Buffering": "no"}
STREAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The answer; with `Accept: text/event-stream`, part by part as a Vercel AI UI message stream, "
        "whose last `data-turn` part has this object",
        "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
    }
}

_REFUSED = re.compile(r"q\s*=\s*0(?:\.0*)?", re.IGNORECASE)


ConversationsService = Annotated[Conversations, Depends(provide(Conversations))]
ConversationId = Annotated[str, Path(description="The id of the conversation", json_schema_extra={"format": "uuid"})]


@router.post("", status_code=201, responses=error_responses(401, 404, 429), openapi_extra={"security": [{}]})
def begin_conversation(
    conversations: ConversationsService,
    principal: PrincipalOrNobody,
    address: ClientAddress,
    draft: ConversationDraft | None = None,
) -> WelcomeView | ConversationView:
    """Begin a conversation. Without a token you become a visitor, and the response has your `anonymous_token`."""
    draft = draft or ConversationDraft()
    return conversations.welcome(address, draft) if principal is None else conversations.begin(principal, draft)


@router.get("", responses=error_responses(401))
def list_conversations(
    conversations: ConversationsService, principal: CurrentPrincipal, paging: HundredAPage
) -> ConversationPage:
    """Return your conversations, newest first, without their messages."""
    return conversations.page(principal, paging)


@router.get("/{conversation_id}", responses=error_responses(401, 404))
def read_conversation(
    conversations: ConversationsService, principal: CurrentPrincipal, conversation_id: ConversationId
) -> ConversationView:
    """Return a conversation with its messages."""
    return conversations.conversation(principal, conversation_id)


@router.delete("/{conversation_id}", status_code=204, responses=error_responses(401, 404))
def delete_conversation(
    conversations: ConversationsService, principal: CurrentPrincipal, conversation_id: ConversationId
) -> None:
    """Delete a conversation and its messages. Bots and runs that it made stay, and its chats still count."""
    conversations.delete(principal, conversation_id)


@router.post("/{conversation_id}/set-bot", responses=error_responses(401, 404))
def link_bot(
    conversations: ConversationsService, principal: CurrentPrincipal, conversation_id: ConversationId, link: BotLink
) -> ConversationView:
    """Link a bot: the following messages are about it. Null unlinks."""
    return conversations.set_bot(principal, conversation_id, link.bot_id)


@router.post(
    "/{conversation_id}/chat",
    response_model=TurnView,
    responses={**STREAMED, **error_responses(401, 403, 404, 409, 429)},
)
async def send_message(
    request: Request,
    conversations: ConversationsService,
    principal: CurrentPrincipal,
    defaults: Defaults,
    address: ClientAddress,
    conversation_id: ConversationId,
    message: ChatMessage,
) -> TurnView | StreamingResponse:
    """Send a message and return the answer. A message that begins with `/` is a command: `/help` lists them."""
    surface: Surface = "web" if request.headers.get("sec-fetch-site") == "same-origin" else "api"
    remote_address = address if is_remote(address) else None
    turn = await conversations.chat(principal, defaults, conversation_id, message.message, surface, remote_address)
    if _accepts_stream(request.headers.getlist("accept")):
        return StreamingResponse(_events(turn), media_type=EVENT_STREAM, headers=STREAM_HEADERS)
    return await turn.outcome()


def _accepts_stream(accepted: list[str]) -> bool:
    """Return whether the client accepts an event stream; a weight of 0 means that it does not."""
    for media_range in ",".join(accepted).split(","):
        media_type, *parameters = (part.strip() for part in media_range.split(";"))
        if media_type.lower() == EVENT_STREAM:
            return not any(map(_REFUSED.fullmatch, parameters))
    return False


async def _events(turn: Turn) -> AsyncIterator[str]:
    async for part in turn.parts():
        yield f"data: {json.dumps(part, ensure_ascii=False, allow_nan=False)}\n\n"
    yield "data: [DONE]\n\n"

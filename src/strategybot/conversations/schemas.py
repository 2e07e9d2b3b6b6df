"""Request and response bodies of the conversation endpoints."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from strategybot.kit.paging import PageView
from strategybot.kit.validation import NAME_PATTERN, Body

LONGEST_MESSAGE = 4000
# Lines and tabs, but no other control character; and at least one that can be seen.
_ANY = r"[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_VISIBLE = r"[^\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060-\u206f\ufeff]"
MESSAGE_PATTERN = f"^{_ANY}*{_VISIBLE}{_ANY}*$"
UNTITLED = "New conversation"
Role = Literal["user", "assistant"]
Title = Annotated[str, Field(min_length=1, max_length=100, pattern=NAME_PATTERN, examples=["Dips on Pipo"])]
BotId = Annotated[str | None, Field(max_length=36, description="One of your bots", examples=[None])]


def _title_or_default(title: object) -> object:
    return title or UNTITLED


class ConversationDraft(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Dips on Pipo"}]})

    title: Annotated[Title | None, Field(description="Otherwise it is taken from the first message")] = None
    bot_id: BotId = None


class BotLink(Body):
    # No null here: the framework leaves nulls out of the document, and `{}` would be refused.
    model_config = ConfigDict(json_schema_extra={"examples": [{"bot_id": "01a1de06-3346-7227-a5cd-121d9a9a0f90"}]})

    bot_id: Annotated[str | None, Field(max_length=36, description="One of your bots; null unlinks")]


class ChatMessage(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"message": "/help"}]})

    message: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_MESSAGE,
            pattern=MESSAGE_PATTERN,
            description="What you say to the assistant",
        ),
    ]


class ToolCallView(BaseModel):
    name: Annotated[str, Field(description="The name of the tool")]
    arguments: Annotated[dict[str, Any], Field(description="What it was called with")]
    result: Annotated[Any, Field(description="What the tool answered; `{error: …}` when it could not do it")]


class ReceiptsView(BaseModel):
    """Whether the numbers in an answer are in the tool results of this conversation."""

    checked: Annotated[int, Field(description="How many numbers were looked up")]
    unverified: Annotated[list[str], Field(description="Those that are in no result, as they are written")]


class MessageView(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: Annotated[str, Field(description="The message's id")]
    role: Annotated[Role, Field(description="Who said it")]
    content: Annotated[str, Field(description="Markdown")]
    tool_calls: Annotated[list[ToolCallView], Field(description="What the assistant did for this answer")]
    receipts: Annotated[ReceiptsView | None, Field(description="Null where no number had to be looked up")]
    created_at: Annotated[datetime, Field(description="When it was said")]


class ConversationSummary(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: Annotated[str, Field(description="The conversation's id")]
    title: Annotated[str, Field(description="What it is about"), BeforeValidator(_title_or_default)]
    bot_id: Annotated[str | None, Field(description="The bot that it is about; null without one")]
    created_at: Annotated[datetime, Field(description="When it was made")]
    updated_at: Annotated[datetime, Field(description="When it was changed last")]


class ConversationView(ConversationSummary):
    messages: Annotated[list[MessageView], Field(description="The last 200, oldest first")]


class WelcomeView(ConversationView):
    """The first conversation of a visitor."""

    anonymous_token: Annotated[str, Field(description="Shown once; send it as `X-Anonymous-Token`")]


class ConversationPage(PageView):
    conversations: Annotated[list[ConversationSummary], Field(description="Conversations, newest first")]
    total_conversations: Annotated[int, Field(description="How many there are in all")]


class TurnView(BaseModel):
    message: Annotated[MessageView, Field(description="The assistant's answer")]
    conversation: Annotated[ConversationView, Field(description="The conversation after this turn")]
    warning: Annotated[str | None, Field(description="How many chats a visitor has left, once they are few")]
    remaining_chats: Annotated[int | None, Field(description="Of a visitor; null for a user")]

"""The tools of the chat as tools of MCP: the same functions, arguments and descriptions, with typed results.

Names of tokens are written by strangers: they are cleaned, escaped and listed under `untrusted`.
"""

import json
from collections.abc import Awaitable, Callable
from functools import cache
from inspect import signature
from typing import Annotated, Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field

from strategybot.accounts.dependencies import ReadOnlyToken
from strategybot.conversations.agent.tools import ToolContext, ToolDefinition, ToolServices, clean_result, slim
from strategybot.kit.clock import iso_text, utc_moment
from strategybot.kit.errors import AppError, Forbidden
from strategybot.kit.json_object import Json
from strategybot.mcp.asker import Asker, Who
from strategybot.mcp.output_schemas import output_schema

SECONDS_TO_WAIT = 55  # clients commonly give up after 60
MOST_ROWS = 200
NO_MATCH = "No token matches. Try another name, a symbol or the address."
FAILED = "The run failed."
WORDS = {
    "update_trading_strategy": "update_strategy",
    "get_bot_info": "get_bot",
    "; the linked one by default": "; by default your only one",
    ", and which one is linked to this conversation": "",
    ", and link it to this conversation": "",
}

Call = Callable[[Context[Any, Any], Json], Awaitable[Any]]


class NotInToolset(Forbidden):
    message = "This tool is not among the toolsets of this connection."


class Cancelled(AppError):
    message = "The call was cancelled."


class SharedTool(Tool):
    """A tool of the chat: it checks its arguments itself, in our own words, which never repeat them."""

    call: Annotated[Call, Field(exclude=True)]

    async def run(self, arguments: Json, context: Context[Any, Any], convert_result: bool = False) -> Any:
        try:
            result = await self.call(context, arguments)
            return _tell(result) if convert_result else result
        except AppError as error:
            raise ToolError(f"Error executing tool {self.name}: {_sentence(error)}") from None
        except Exception as error:  # the boundary of a tool: the client learns that it failed, the log learns why
            raise UnexpectedToolError(f"Error executing tool {self.name}") from error


def shared_tool(definition: ToolDefinition, services: ToolServices, who: Who) -> Tool:
    async def call(context: Context[Any, Any], given: Json) -> Any:
        asker = who(context)
        if not asker.toolsets.intersection(definition.toolsets):
            raise NotInToolset
        if not asker.may_write and definition.writes(given):
            raise ReadOnlyToken
        with asker.scope:
            return await _call(definition, _work(services, asker, context), given)
        raise Cancelled

    return SharedTool(**dict(_describe(definition)), call=call)


async def _call(definition: ToolDefinition, work: ToolContext, given: Json) -> Any:
    result = await definition.call(work, given, definition.for_mcp)
    return dated(slim(clean_result(result, MOST_ROWS)))


def _work(services: ToolServices, asker: Asker, context: Context[Any, Any]) -> ToolContext:
    async def report(percent: float, words: str) -> None:
        await context.report_progress(percent, 100, words)

    return ToolContext(services, asker.actor, SECONDS_TO_WAIT, report=report, stops_runs=True, base_url=asker.base_url)


def dated(value: Any) -> Any:
    """Return a JSON value with its times, which some are unix seconds, as ISO 8601."""
    if isinstance(value, dict):
        return {name: _dated(name, inner) for name, inner in value.items()}
    return [dated(each) for each in value] if isinstance(value, list) else value


def _dated(name: str, value: Any) -> Any:
    is_time = (name == "time" or name.endswith("_time")) and isinstance(value, int)
    return iso_text(utc_moment(value)) if is_time else dated(value)


def _tell(result: Any) -> CallToolResult:
    """Return the answer: as text for every client, and as data. A failed run is an error."""
    structured = result if isinstance(result, dict) else {"result": result}
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":")) if result != [] else NO_MATCH
    failed = structured.get("status") == "failed"
    sentences = [structured.get("error") or FAILED, text] if failed else [text]
    content = [TextContent(type="text", text=each) for each in sentences]
    return CallToolResult(content=[*content], structured_content=structured, is_error=failed)


def _sentence(error: AppError) -> str:
    details = getattr(error, "details", None)
    sentence = error.advice if error.advice.endswith((".", ")", "?")) else f"{error.advice}."
    return f"{sentence} {json.dumps(slim(clean_result(details)), ensure_ascii=False)}" if details else sentence


@cache
def _describe(definition: ToolDefinition) -> Tool:
    """Return the tool with its schemas, but without its work. The schemas take longer than the rest of a start."""

    async def shaped() -> Any:
        raise NotImplementedError

    described = Tool.from_function(
        shaped,
        name=definition.for_mcp,
        title=definition.for_mcp.replace("_", " ").capitalize(),
        description=_rename(definition.description),
        annotations=ToolAnnotations(
            read_only_hint=definition.effect == "reads", destructive_hint=definition.effect == "changes"
        ),
        structured_output=False,
    )
    returned = output_schema(signature(definition.function).return_annotation)
    metadata = described.fn_metadata.model_copy(update={"output_schema": returned})
    parameters = json.loads(_rename(json.dumps(definition.schema)))
    return described.model_copy(update={"parameters": parameters, "fn_metadata": metadata})


def _rename(text: str) -> str:
    """Return a text for the chat in the words of MCP, which has other names for tools and links no bot."""
    for in_chat, in_mcp in WORDS.items():
        text = text.replace(in_chat, in_mcp)
    return text

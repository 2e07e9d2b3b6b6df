"""A tool: a function for language models, its arguments, and what it needs.

The agent of a conversation and MCP clients use the same definition. A docstring is the tool's description, and the
description of an argument stands in its type (`arguments.py`).
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache, cached_property
from inspect import Parameter, cleandoc, signature
from typing import Any, Literal, Protocol, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from strategybot.accounts.service import Principal
from strategybot.backtests.schemas import ExplanationView, ResultCard
from strategybot.backtests.service import Backtests
from strategybot.bots.service import Bots
from strategybot.conversations.agent.bot_choice import BotChoice
from strategybot.conversations.agent.compact_schema import Schema, compact
from strategybot.conversations.agent.token_choice import TokenChoice
from strategybot.conversations.caller import Actor
from strategybot.conversations.hygiene import clean_text
from strategybot.conversations.links import Links
from strategybot.kit.clock import Clock
from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.json_object import Json
from strategybot.kit.validation import field_errors
from strategybot.market.service import Market
from strategybot.notifications.service import Notifications
from strategybot.runs.service import AllRuns
from strategybot.searches.service import Optimisations
from strategybot.simulations.service import Simulations
from strategybot.surveys.service import Surveys
from strategybot.watches.service import Watches

SECONDS_TO_WAIT = 40  # for the end of a run


Report = Callable[[float, str], Awaitable[None]]
"""Told how far a run is, in percent and in words."""
Toolset = Literal["read", "design", "research", "paper"]
TOOLSETS: tuple[Toolset, ...] = get_args(Toolset)


class SharesResults(Protocol):
    async def share(self, principal: Principal, bot_id: str, run_id: str) -> str: ...

    async def card(self, principal: Principal, bot_id: str, run_id: str, token_id: str | None = None) -> ResultCard: ...

    def end(self, principal: Principal, bot_id: str, run_id: str) -> None: ...


class ExplainsResults(Protocol):
    async def explain(
        self, principal: Principal, bot_id: str, run_id: str, time: int, token_id: str | None
    ) -> ExplanationView: ...


@dataclass(frozen=True)
class ToolServices:
    """The services of the API that the tools call."""

    bots: Bots
    backtests: Backtests
    optimisations: Optimisations
    surveys: Surveys
    simulations: Simulations
    watches: Watches
    runs: AllRuns
    market: Market
    notifications: Notifications
    shares: SharesResults
    explanations: ExplainsResults
    links: Links
    clock: Clock

    @cached_property
    def bot_choice(self) -> BotChoice:
        return BotChoice(self.bots, self.links)

    @cached_property
    def token_choice(self) -> TokenChoice:
        return TokenChoice(self.market)


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What one call of a tool needs: the services, and the caller, as whom alone it acts."""

    services: ToolServices
    caller: Actor  # a `Caller` in a conversation, which alone can link a bot
    seconds_to_wait: float = SECONDS_TO_WAIT
    report: Report | None = None
    stops_runs: bool = False
    """Whether a call that is cancelled stops the run that it waits for."""
    base_url: str = ""
    """Where pages of this service are; empty if that is not known."""


class Arguments(BaseModel):
    """The arguments of a tool."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool, for the agent of a conversation and for MCP clients."""

    function: Callable[..., Awaitable[Any]]
    effect: Literal["reads", "adds", "changes"]
    """Whether it changes nothing, adds something new, or changes or ends what is there."""
    toolsets: tuple[Toolset, ...] = ()
    """Those of MCP that it belongs to; none if it makes sense in a conversation only."""
    mcp_name: str | None = None
    """Its name for MCP clients, where that is not the function's."""
    in_chat: bool = True

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def for_mcp(self) -> str:
        return self.mcp_name or self.name

    @property
    def description(self) -> str:
        return cleandoc(self.function.__doc__ or "")

    @property
    def schema(self) -> Schema:
        """Return the JSON schema of the arguments, in few tokens."""
        return _schema_of(self)

    def writes(self, given: Json) -> bool:
        """Return whether a call with these arguments changes anything."""
        return self.effect != "reads" and given.get("dry_run") is not True

    async def call(self, work: ToolContext, given: Json, called: str = "") -> Any:
        """Call the tool. Raise `InvalidInput` with a sentence that lets a language model mend its arguments."""
        return await self.function(work, **self._validate(given, called))

    def _validate(self, given: Json, called: str) -> Json:
        model = _model_of(self)
        if unknown := [name for name in given if name not in model.model_fields]:
            known = f"is no argument of {called or self.name}, which takes {', '.join(model.model_fields) or 'none'}"
            raise InvalidInput([FieldError(clean_text(str(name), 40), known) for name in unknown[:3]])
        properties = self.schema.get("properties", {})
        parsed = {name: _parse(value, properties[name].get("type") != "string") for name, value in given.items()}
        try:
            arguments = model.model_validate(parsed)
        except ValidationError as error:
            raise InvalidInput(field_errors(error.errors(), parsed)) from None
        return {name: getattr(arguments, name) for name in model.model_fields}


@cache
def _model_of(definition: ToolDefinition) -> type[Arguments]:
    fields: dict[str, Any] = {}
    for each in list(signature(definition.function).parameters.values())[1:]:
        if each.kind is Parameter.VAR_KEYWORD:  # arguments that several tools take, each of which may be left out
            shared = get_type_hints(get_args(each.annotation)[0], include_extras=True)
            fields |= {name: (annotation, None) for name, annotation in shared.items()}
        else:
            fields[each.name] = each.annotation, ... if each.default is Parameter.empty else each.default
    return create_model(definition.name, __base__=Arguments, **fields)


@cache
def _schema_of(definition: ToolDefinition) -> Schema:
    schema = compact(_model_of(definition).model_json_schema())
    return {key: value for key, value in schema.items() if key != "description"}


def _parse(value: Any, is_structure: bool = True) -> Any:
    """Return the value with JSON that was sent as a text in place of that text: many language models quote objects."""
    if isinstance(value, dict):
        return {name: _parse(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_parse(inner) for inner in value]
    if isinstance(value, str) and is_structure and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value

"""The language as data, for clients: the schema of a strategy and the table of series."""

from functools import cache
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, Field

from strategybot.trading.engine.instruments import INTERVALS, Interval
from strategybot.trading.language.conditions import ComparisonOperator
from strategybot.trading.language.series import SERIES
from strategybot.trading.language.series_kind import Pane, Series
from strategybot.trading.language.strategy import Strategy

LANGUAGE_VERSION = 3


class Parameter(BaseModel):
    """One parameter of a series."""

    name: Annotated[str, Field(description="The name of the parameter")]
    type: Annotated[Literal["integer", "number", "choice"], Field(description="What it is")]
    required: Annotated[bool, Field(description="Whether it must be given")]
    default: Annotated[int | float | str | None, Field(description="What it is if it is not given; null if it must be")]
    minimum: Annotated[int | float | None, Field(description="The least it can be")]
    exclusive_minimum: Annotated[int | float | None, Field(description="It must be above this")]
    maximum: Annotated[int | float | None, Field(description="The most it can be")]
    choices: Annotated[list[str] | None, Field(description="The values it can have; null if it is a number")]


class SeriesEntry(BaseModel):
    """One row of the table of series. `phrase` is how it is said with its default parameters."""

    name: Annotated[str, Field(description="The name of the series")]
    phrase: Annotated[str, Field(description="The series in words")]
    pane: Annotated[Pane, Field(description="Where it is drawn")]
    panes: Annotated[dict[str, Pane], Field(description="Where each of its lines is drawn")]
    bounds: Annotated[list[int] | None, Field(description="The least and the most that it can be; null without any")]
    parameters: Annotated[list[Parameter], Field(description="Its own parameters")]


class LanguageView(BaseModel):
    language_version: Annotated[int, Field(description="The version of the strategy language")]
    json_schema: Annotated[dict[str, Any], Field(serialization_alias="schema", description="Of a strategy")]
    series: Annotated[list[SeriesEntry], Field(description="Every series")]
    common_parameters: Annotated[list[Parameter], Field(description="Parameters that every series has")]
    operators: Annotated[list[ComparisonOperator], Field(description="How two sides are compared")]
    intervals: Annotated[list[Interval], Field(description="How long a candle can be")]


@cache
def language() -> LanguageView:
    """Return the whole document. Building it takes some 100 ms and anyone may ask for it, so it is built once."""
    return LanguageView(
        language_version=LANGUAGE_VERSION,
        json_schema=Strategy.model_json_schema(),
        series=[_entry(name, model) for name, model in SERIES.items()],
        common_parameters=_parameters(Series),
        operators=list(get_args(ComparisonOperator)),
        intervals=list(INTERVALS),
    )


def example(name: str) -> Series:
    """Return a series with its default parameters; a required one is its first choice, or a usual number."""
    model = SERIES[name]
    usual: dict[str, Any] = {"series": name}
    for parameter in _own_parameters(model):
        if parameter.required:
            usual[parameter.name] = parameter.choices[0] if parameter.choices else 20
    return model.model_validate(usual)


def _entry(name: str, model: type[Series]) -> SeriesEntry:
    usual = example(name)
    parameters = _own_parameters(model)
    return SeriesEntry(
        name=name,
        phrase=usual.phrase(),
        pane=usual.drawn_in(),
        panes={
            choice: usual.model_copy(update={each.name: choice}).drawn_in()
            for each in parameters
            for choice in each.choices or []
        },
        bounds=None if model.bounds is None else list(model.bounds),
        parameters=parameters,
    )


def _own_parameters(model: type[Series]) -> list[Parameter]:
    return [each for each in _parameters(model) if each.name not in Series.model_fields]


def _parameters(model: type[Series]) -> list[Parameter]:
    schema = model.model_json_schema()
    required = schema.get("required", [])
    properties = schema["properties"].items()
    return [_parameter(name, rules, name in required) for name, rules in properties if name != "series"]


def _parameter(name: str, rules: dict[str, Any], required: bool) -> Parameter:
    (first, *_) = rules.get("anyOf", [rules])  # a parameter that may be null lists that after its own rules
    choices = first.get("enum")
    return Parameter(
        name=name,
        type="choice" if choices else first["type"],
        required=required,
        default=rules.get("default"),
        minimum=first.get("minimum"),
        exclusive_minimum=first.get("exclusiveMinimum"),
        maximum=first.get("maximum"),
        choices=choices,
    )

"""Rows as frames of pandas or polars. Columns and types come from the model, so an empty frame has them too."""

import json
import types
from collections.abc import Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel

PLAIN = (bool, int, float, str, datetime)


class Column(NamedTuple):
    """A column: a plain type, or None for everything else, and whether a value may be missing."""

    kind: type | None
    is_optional: bool


def columns_of(model: type[BaseModel]) -> dict[str, Column]:
    model.model_rebuild()
    return {name: _column(field.annotation) for name, field in model.model_fields.items()}


def pandas_frame(model: type[BaseModel], items: Sequence[BaseModel]) -> Any:
    pandas, columns = import_module("pandas"), columns_of(model)
    rows = [item.model_dump(include=set(columns)) for item in items]
    frame = pandas.DataFrame(rows, columns=list(columns))
    return frame.astype({name: _pandas_type(column) for name, column in columns.items()})


def polars_frame(model: type[BaseModel], items: Sequence[BaseModel]) -> Any:
    polars, columns = import_module("polars"), columns_of(model)
    rows = [
        {name: value if columns[name].kind else _text(value) for name, value in _dumped(item, columns).items()}
        for item in items
    ]
    return polars.DataFrame(rows, schema={name: _polars_type(polars, column) for name, column in columns.items()})


def _dumped(item: BaseModel, columns: dict[str, Column]) -> dict[str, Any]:
    """Return the fields of a row; what is no plain value as JSON."""
    plain, others = (
        {name for name in columns if columns[name].kind},
        {name for name in columns if not columns[name].kind},
    )
    return {**item.model_dump(include=plain), **item.model_dump(include=others, mode="json", by_alias=True)}


def _text(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _column(annotation: Any) -> Column:
    parts = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    kinds = {_plain(part) for part in parts if part is not type(None)}
    if kinds == {int, float}:
        kinds = {float}
    return Column(kinds.pop() if len(kinds) == 1 else None, type(None) in parts)


def _plain(annotation: Any) -> type | None:
    if get_origin(annotation) is Literal:
        kinds = {type(value) for value in get_args(annotation)}
        return kinds.pop() if len(kinds) == 1 else None
    return annotation if annotation in PLAIN else None


def _pandas_type(column: Column) -> str:
    whole = {int: "Int64", bool: "boolean"} if column.is_optional else {int: "int64", bool: "bool"}
    return {**whole, float: "float64", datetime: "datetime64[us, UTC]"}.get(column.kind, "object")  # type: ignore[arg-type]


def _polars_type(polars: Any, column: Column) -> Any:
    plain = {int: polars.Int64, float: polars.Float64, bool: polars.Boolean, datetime: polars.Datetime("us", "UTC")}
    return plain.get(column.kind, polars.String)  # type: ignore[arg-type]

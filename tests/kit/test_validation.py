"""Validation errors: the path as the client knows it, the rule, and never the value."""

from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError
from pydantic_core import PydanticCustomError

from strategybot.kit.errors import FieldError, InvalidInput
from strategybot.kit.validation import MOST_ERRORS_SHOWN, Body, field_errors
from strategybot.trading.language.strategy import Strategy


class Inner(Body):
    kind: Literal["inner"]
    number: Annotated[int, Field(ge=1)]


class Other(Body):
    kind: Literal["other"]
    flag: bool


class Outer(Body):
    parts: list[Annotated[Inner | Other, Field(discriminator="kind")]] = []
    inner: Inner | None = None
    text: Annotated[str, Field(min_length=1, max_length=3)] = "x"
    ratio: Annotated[float, Field(gt=0, lt=1)] = 0.5
    items: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]


def sentences(model: type[Body], value: Any) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return [str(error) for error in field_errors(caught.value.errors(), value)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"text": ""}, "text must have at least 1 character"),
        ({"text": "long"}, "text must have at most 3 characters"),
        ({"text": 5}, "text must be a string"),
        ({"ratio": 0}, "ratio must be above 0"),
        ({"ratio": 1}, "ratio must be below 1"),
        ({"ratio": "0.5"}, "ratio must be a number"),
        ({"ratio": True}, "ratio must be a number"),
        ({"ratio": float("nan")}, "ratio must be a finite number"),
        ({"ratio": float("-inf")}, "ratio must be a finite number"),
        ({"items": []}, "items must have at least 1 item"),
        ({"items": [1, 2, 3]}, "items must have at most 2 items"),
        ({"items": [1, "2"]}, "items.1 must be a whole number"),
        ({"items": {}}, "items must be a list"),
        ({"inner": []}, "inner must be an object"),
        ({"inner": {"kind": "inner"}}, "inner.number is required"),
        ({"inner": {"kind": "inner", "number": 0}}, "inner.number must be at least 1"),
        ({"parts": [{"kind": "inner", "number": 0}]}, "parts.0.number must be at least 1"),
        ({"parts": [{"kind": "other", "flag": 1}]}, "parts.0.flag must be true or false"),
        ({"parts": [{"kind": "other"}]}, "parts.0.flag is required"),
        ({"parts": [{"kind": "other", "flag": True, "more": 1}]}, "parts.0.more is not a known field"),
        ({"parts": [{"kind": "what"}]}, "parts.0.kind must be one of 'inner', 'other'"),
        ({"parts": [{}]}, "parts.0.kind is required"),
        ({"parts": [7]}, "parts.0 must be an object"),
        ({"unknown": 1}, "unknown is not a known field"),
        ({"<script>": 1}, "(unreadable name) is not a known field"),
        ({"x" * 61: 1}, "(unreadable name) is not a known field"),
        ([], "body must be an object"),
    ],
)
def test_each_rule_has_its_sentence(value: Any, expected: str) -> None:
    assert sentences(Outer, value) == [expected]


STRATEGY_SENTENCES = [
    ({"kind": "price_drop", "percent": 0}, "conditions.0.percent must be above 0"),
    ({"kind": "price_drop", "percent": 100}, "conditions.0.percent must be below 100"),
    ({"kind": "price_drop"}, "conditions.0.percent is required"),
    ({"kind": "price_rise", "percent": -1}, "conditions.0.percent must be above 0"),
    ({"kind": "price_rise", "percent": 5, "reference": "high"}, "conditions.0.reference must be 'close' or 'low'"),
    ({"kind": "volume_spike", "multiplier": 1}, "conditions.0.multiplier must be above 1"),
    ({"kind": "price_level", "level": 0, "direction": "above"}, "conditions.0.level must be above 0"),
    ({"kind": "price_level", "level": 1}, "conditions.0.direction is required"),
    (
        {"kind": "price_drop", "percent": 5, "window": "31d"},
        "conditions.0.window must be a duration such as 15m, 1h or 2d, from 1m to 30d",
    ),
    ({"kind": "price_drop", "percent": 5, "level": 1}, "conditions.0.level is not a known field"),
]


@pytest.mark.parametrize(("condition", "expected"), STRATEGY_SENTENCES)
def test_errors_in_a_strategy_name_the_exact_field(condition: dict[str, Any], expected: str) -> None:
    assert sentences(Strategy, {"conditions": [condition]}) == [expected]  # type: ignore[arg-type]


def test_all_errors_are_listed_up_to_a_limit() -> None:
    assert sentences(Outer, {"text": "", "ratio": 2}) == [
        "text must have at least 1 character",
        "ratio must be below 1",
    ]
    assert len(sentences(Outer, {"items": ["x"] * 500, **{f"k{n}": 1 for n in range(100)}})) <= MOST_ERRORS_SHOWN


def test_error_types_without_a_message_do_not_quote_the_value() -> None:
    error: Any = {"type": "url_parsing", "loc": ("link",), "msg": "Input 'secret' is no URL", "input": "secret"}
    assert field_errors([error], {}) == [FieldError("link", "is not valid")]
    own: Any = {
        "type": PydanticCustomError("own", "must be ours").type,
        "loc": ("link",),
        "msg": "must be ours",
        "input": 1,
    }
    assert field_errors([own], {}) == [FieldError("link", "must be ours")]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_any_json_is_accepted_or_refused_with_a_message(value: Any) -> None:
    try:
        Outer.model_validate(value)
    except ValidationError as error:
        refusal = InvalidInput(field_errors(error.errors(), value))
        assert refusal.errors
        assert all(found.message and found.field for found in refusal.errors)
        assert refusal.message == "; ".join(f"{found.field} {found.message}" for found in refusal.errors)

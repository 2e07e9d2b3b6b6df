"""Groups, times and periods as the language: what is refused, in one sentence; phrases; what is unknown; digests."""

from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from strategybot.kit.validation import field_errors
from strategybot.trading.engine.conditions import comparisons_of, lookback_candles
from strategybot.trading.engine.first_values import untested
from strategybot.trading.engine.resolution import misfit, recommended_interval
from strategybot.trading.evidence.neighbours import neighbours
from strategybot.trading.language.paths import place_of, places, with_values
from strategybot.trading.language.strategy import Strategy, content_digest, describe
from strategybot.trading.search.easier import easier
from tests.trading.builders import MINUTE, at_time, closes, drop, every, group, level, spike, strategy_of, true_places
from tests.trading.random_series import compare

RSI = compare({"series": "rsi"}, "below", 30)
DIP = drop(5, "15m")
DEEP = group("any", group("all", group("none", DIP)))


def told(document: dict[str, Any]) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        Strategy.model_validate(document)
    return [str(error) for error in field_errors(caught.value.errors(), document)]


WEEKDAYS = "'mon', 'tue', 'wed', 'thu', 'fri', 'sat' or 'sun'"
WRONG: list[tuple[dict[str, Any], str]] = [
    (at_time("9:00", None), "from must be a time such as 09:30, from 00:00 to 23:59"),
    (at_time("24:00", None), "from must be a time such as 09:30, from 00:00 to 23:59"),
    (at_time(None, "12:60"), "to must be a time such as 09:30, from 00:00 to 23:59"),
    (at_time("09:00", "09:00"), "to must differ from `from`, which is 00:00 by default"),
    (at_time(None, "00:00"), "to must differ from `from`, which is 00:00 by default"),
    (at_time(None, None, []), "weekdays must have at least 1 item"),
    (at_time(None, None, ["monday"]), f"weekdays.0 must be {WEEKDAYS}"),
    (at_time(None, None, None, "Mars/Base"), "timezone must be a time zone such as UTC or Europe/Berlin"),
    (at_time(None, None, None, "../UTC"), "timezone must be a time zone such as UTC or Europe/Berlin"),
    ({"kind": "time", "begin": "09:00"}, "begin is not a known field"),
    ({"kind": "every"}, "period is required"),
    *((every(short), "period must be a duration such as 4h, 1d or 7d, from 1h to 30d") for short in ("59m", "31d")),
    (every("1d", "9"), "at must be a time such as 09:30, from 00:00 to 23:59"),
    (group("some", DIP), "match must be 'all', 'any', 'none' or 'at_least'"),
    (group("any"), "conditions must have at least 1 item"),
    (group("at_least", DIP), "count is required with match at_least"),
    (group("all", DIP, count=1), "count is only for match at_least"),
    (group("at_least", DIP, count=2), "count must be at most the number of conditions"),
    ({**group("at_least", DIP), "count": 0}, "count must be at least 1"),
    (group("any", {"kind": "rsi"}), "conditions.0.kind must be one of"),
    (group("any", drop(0)), "conditions.0.percent must be above 0"),
    (group("any", DEEP), "conditions must be groups at most three deep"),
]


@pytest.mark.parametrize(("condition", "sentence"), WRONG)
def test_what_is_wrong_is_said_in_one_sentence_that_names_the_field(condition: dict[str, Any], sentence: str) -> None:
    [found] = told({"conditions": [condition]})
    assert found.startswith(f"conditions.0.{sentence}")


def test_a_strategy_has_thirty_leaves_in_all() -> None:
    fifteen = group("any", *[DIP] * 15)
    Strategy.model_validate({"conditions": [fifteen], "exit_conditions": [group("all", fifteen)]})
    too_many = {"conditions": [fifteen], "exit_conditions": [fifteen, DIP]}
    assert told(too_many) == ["exit_conditions must be at most 30 in all, without groups but with their members"]


def test_absurdly_deep_groups_are_refused() -> None:
    document: dict[str, Any] = DIP
    for _ in range(400):
        document = group("any", document)
    assert told({"conditions": [document]})


PHRASES = [
    (at_time("09:00", "17:00"), "the candle closes between 09:00 and 17:00 (UTC)"),
    (
        at_time("22:00", "06:00", ["fri", "mon", "wed"], "Europe/Berlin"),
        "the candle closes between 22:00 and 06:00 on Mon, Wed, Fri (Europe/Berlin)",
    ),
    (at_time("09:00", None, ["mon", "tue", "wed"]), "the candle closes at 09:00 or later on Mon–Wed (UTC)"),
    (at_time(None, "09:00"), "the candle closes before 09:00 (UTC)"),
    (at_time(None, None, ["sat", "sun"]), "the candle closes on Sat, Sun (UTC)"),
    (at_time(None, None), "the candle closes at any time (UTC)"),
    (every("1d", "09:00"), "a period of 1d begins (counted from 09:00 UTC)"),
    (every("7d"), "a period of 7d begins (counted from Monday 00:00 UTC)"),
    (group("any", RSI, DIP), "(RSI(14) is below 30 or the price falls at least 5 % within 15m)"),
    (group("none", RSI), "none of (RSI(14) is below 30)"),
    (group("at_least", RSI, level(2), count=1), "at least 1 of (RSI(14) is below 30; the price crosses above 2)"),
]


@pytest.mark.parametrize(("condition", "phrase"), PHRASES)
def test_a_condition_has_a_phrase(condition: dict[str, Any], phrase: str) -> None:
    assert describe(strategy_of(condition)).startswith(f"Buy when {phrase}. ")


def test_json_keeps_what_was_sent_and_leaves_out_what_was_not() -> None:
    sent = [at_time("09:00", None, ["mon"]), every("4h", "01:00"), group("none", group("at_least", DIP, count=1))]
    strategy = strategy_of(*sent)
    assert strategy.model_dump(mode="json")["conditions"] == sent
    assert Strategy.model_validate_json(strategy.model_dump_json()) == strategy


def test_the_order_of_members_does_not_change_the_digest_and_an_older_strategy_keeps_its_own() -> None:
    one, other = group("any", RSI, group("all", DIP, level(1))), group("any", group("all", level(1), DIP), RSI)
    assert content_digest(strategy_of(one)) == content_digest(strategy_of(other))
    assert content_digest(strategy_of(one)) != content_digest(strategy_of({**one, "match": "all"}))
    older = strategy_of(drop(5, "15m"), spike(3, "1h"), RSI, stop_loss_percent=3, take_profit_percent=10)
    assert content_digest(older) == "b985048f584bbc8ce192dea7e4f11c9f"


def test_none_is_true_only_where_every_member_is_known_and_false() -> None:
    nan = float("nan")
    candles = closes(*[2.0] * 6, volumes=[1, 1, nan, 1, 1, 1])
    strategy = strategy_of(group("none", spike(2), level(5, "above", "is")))
    # A spike needs one candle before it; the unknown volume is in the windows of candles 2 and 3.
    assert true_places(strategy.conditions[0], candles) == [1, 4, 5]
    assert true_places(strategy_of(group("none", group("none", spike(2)))).conditions[0], candles) == []
    assert true_places(strategy_of(group("none", group("all", spike(2), level(5)))).conditions[0], candles) != [1, 4, 5]


@pytest.mark.parametrize(
    ("match", "count", "expected"),
    [
        ("all", None, [False, False, None, True, False, None]),
        ("any", None, [False, None, True, True, True, True]),
        ("none", None, [True, None, False, False, False, False]),
        ("at_least", 2, [False, False, None, True, False, None]),
    ],
)
def test_what_members_that_are_known_decide_is_known(
    match: str, count: int | None, expected: list[bool | None]
) -> None:
    """One member is a price level, the other a spike; at odd candles of the table the volume is unknown."""
    nan = float("nan")
    price, volume = [1.0, 1, 9, 9, 9, 9], [1.0, nan, nan, 9, 1, nan]
    for now, (close, amount, truth) in enumerate(zip(price, volume, expected, strict=True)):
        candles = closes(1, close, volumes=[1, amount])
        condition = strategy_of(group(match, level(5, "above", "is"), spike(2), count=count)).conditions[0]
        flags, known = condition.flags(candles, {}), condition.known(candles, {})
        assert (bool(flags[1]) if known[1] else None) == truth, now


def test_everything_that_looks_at_conditions_looks_into_groups() -> None:
    strategy = strategy_of(
        group("any", group("all", RSI, spike(3, "2h")), drop(4, "45m")), every("1h"), group("none", drop(9, "1h"))
    )
    assert [each.left.name() for each in comparisons_of(strategy)] == ["RSI(14)"]
    assert lookback_candles(strategy, MINUTE) == 22 * 2 * 14
    assert (recommended_interval(strategy), misfit(strategy, "15m")) == ("15m", None)
    path = "conditions.0.conditions.0.conditions.1.multiplier"
    assert place_of(strategy, path).value == 3
    assert path in {place.path for place in places(strategy)}
    assert "falls at least 7 %" in with_values(strategy, {"conditions.0.conditions.1.percent": 7}).summary
    assert place_of(strategy, "conditions.1.period").kind == "duration"
    axes = {".".join(map(str, each.path)) for each in neighbours(strategy, 900)}
    assert {path, "conditions.0.conditions.1.window", "conditions.0.conditions.0.conditions.0.left.period"} <= axes
    softer = easier(strategy, 0.5)
    assert softer is not None
    assert "falls at least 2 % within 45m" in describe(softer)
    assert "none of (the price falls at least 9 %" in describe(softer)


def test_a_period_below_the_candle_is_refused_and_hours_are_not_missed_by_the_recommended_candles() -> None:
    assert misfit(strategy_of(every("1h")), "4h") == (
        "The strategy looks at 1h; candles of 4h cannot show that. Use 1h or shorter."
    )
    assert misfit(strategy_of(every("7h")), "4h") is None
    assert recommended_interval(strategy_of(at_time("09:20", "09:40"))) == "15m"
    assert recommended_interval(strategy_of(drop(5, "30d"), at_time("09:00", "10:30"))) == "1h"


def test_a_group_that_was_never_known_says_which_member_was_not() -> None:
    candles = closes(*np.linspace(1, 2, 10).tolist())
    strategy = strategy_of(group("all", RSI, every("1h")))
    assert untested(strategy, candles, 0) == "Nothing could be tested: RSI(14) needs 15 candles, this token has 10."
    for match, count in (("none", None), ("at_least", 2)):
        assert untested(strategy_of(group(match, RSI, level(3, "above", "is"), count=count)), candles, 0) is not None
    for match, count in (("any", None), ("at_least", 1)):
        assert untested(strategy_of(group(match, RSI, level(3, "above", "is"), count=count)), candles, 0) is None

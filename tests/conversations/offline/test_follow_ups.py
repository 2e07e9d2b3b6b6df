"""What a message comes to together with what was said before it: named parts, moved values, bots pointed to."""

from typing import Any

import pytest

from strategybot.conversations.offline.beside.introductions import introduced
from strategybot.conversations.offline.strategy.strategy_edits import edited
from strategybot.conversations.offline.strategy.strategy_reading import read_strategy
from strategybot.conversations.offline.turns.bot_references import bot_meant, may_undo_either
from strategybot.conversations.offline.turns.completions import completed
from strategybot.conversations.offline.turns.follow_ups import doubtful, repeated
from strategybot.conversations.offline.turns.parts import amount_of, is_alike, is_same, parts_in, with_unit_of
from strategybot.conversations.offline.turns.references import written_out
from strategybot.conversations.offline.turns.rejoinders import rejoined
from strategybot.conversations.offline.turns.remembering import remembered
from strategybot.conversations.offline.turns.retorts import in_its_place
from strategybot.conversations.offline.words.hearing import line_of
from tests.conversations.offline.world import DIP, FULL, normal, world


def after(given: dict[str, Any], text: str) -> dict[str, Any]:
    """What the change that the text asks for leaves behind."""
    reading, _ = read_strategy(line_of(text))
    before = normal(given)
    changed = edited(reading, before)
    assert changed is not None
    return remembered(reading, before, changed)


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("set the stop to 6%", [("stop loss", "3%", "6%", 0)]),
        ("raise the stop by 1%", [("stop loss", "3%", "4%", 1)]),
        ("lower the target by 2%", [("take profit", "10%", "8%", -1)]),
        ("add a cooldown of 2h", [("cooldown", None, "2h", 0)]),
        ("buy when it drops 4% in 2h", [("price drop", "5%", "4%", 0), ("window", "1h", "2h", 0)]),
        ("use half of the cash", [("position size", "100%", "50%", 0)]),
    ],
)
def test_a_change_leaves_its_parts_with_what_they_held(order: str, said: list[tuple[Any, ...]]) -> None:
    assert [tuple(part.values()) for part in after(DIP, order)["said"]] == said


@pytest.mark.parametrize(
    ("given", "order", "say", "written"),
    [
        (DIP, "set the stop to 6%", "set it to 4 and test it", "set the stop loss to 4 and test it"),
        (DIP, "set the stop to 6%", "put it back to 5", "set the stop loss to 5"),
        (DIP, "set the stop to 6%", "the target is bad, set it to 4", None),
        (DIP, "set the stop to 6%", "raise it by one", "raise the stop loss by one"),
        (DIP, "set the stop to 6%", "raise by 1", "raise the stop loss by 1%"),
        (DIP, "set the stop to 6%", "1% less", "lower the stop loss by 1%"),
        (DIP, "set the stop to 6%", "2 hours less", None),
        (DIP, "set the stop to 6%", "one more", None),
        (DIP, "set the stop to 6%", "double that", "double the stop loss"),
        (DIP, "set the stop to 6%", "double that would be silly", None),
        (DIP, "set the stop to 6%", "make the target double that", "make the target 12%"),
        (DIP, "stop 6, target 20", "make the trailing stop half that", "make the trailing stop "),
        (DIP, "stop 6, target 20", "oops, the other way round", "set the stop loss to 20% and the take profit to 6%"),
        (DIP, "stop 6, raise the target by 2", "oops, the other way round", None),
        (DIP, "also require volume 3x", "take the volume out again", "remove the volume spike"),
        (FULL, "change the volume to 5x", "take the volume out again", None),
        (FULL, "set the drop window to 2h", "same window for the volume too", "set the volume window to 2h"),
        (DIP, "set the stop to 6%", "now double that", "double the stop loss"),
        (DIP, "set the stop to 6%", "half of that", "halve the stop loss"),
        (DIP, "set the stop to 6%", "half of that is plenty", None),
        (DIP, "set the stop to 6%", "too much, cut it in half", "too much, halve the stop loss"),
        (DIP, "set the stop to 6%", "another point", None),
        (DIP, "raise the stop by 1%", "another point", "raise the stop loss by 1%"),
        (DIP, "raise the stop by 1%", "another point off", None),
        (DIP, "lower the target by 1%", "another 2% off", "lower the take profit by 2%"),
        (DIP, "set the stop to 6%", "remove it", None),
        (DIP, "add a cooldown of 2h", "remove it again", "remove the cooldown"),
        (DIP, "stop 6, target 20", "now double that", None),
        (DIP, "stop 6, target 20", "keep the 20 but put the stop at 4", "keep the take profit but put the stop at 4"),
        (DIP, "stop 6, target 20", "keep the 21 but put the stop at 4", None),
        (DIP, "buy when it drops 4% in 2h", "not 4, 6. and the stop 2", "change the price drop to 6%. and the stop 2"),
        (DIP, "buy when it drops 4% in 2h", "not 5, 6", None),
        (DIP, "buy when it drops 4% in 2h", "rise, not drop!", "buy when the price rises 4% in 2h"),
        (DIP, "buy when it drops 4% in 2h", "drop, not rise", None),
        (DIP, "buy when it drops 4% in 2h", "i meant rises", "buy when the price rises 4% in 2h"),
        (FULL, "change the volume to 5x", "3x was better, put it back", "change the volume spike to 3x"),
        (FULL, "change the volume to 5x", "4x was better, put it back", None),
        (DIP, "add an exit: sell when it rises 6% in 1h", "in 2h rather", "sell when the price rises 6% in 2h"),
        (DIP, "set the stop to 6%", "go back to 4 on the stop", "set the stop to 4"),
        (DIP, "set the stop to 6%", "go back to 4 on the chart", None),
        (DIP, "set the stop to 6%", "now double that?", None),
    ],
)  # fmt: skip
def test_a_follow_up_names_what_it_points_to(given: dict[str, Any], order: str, say: str, written: str | None) -> None:
    assert written_out(say, after(given, order)) == written


@pytest.mark.parametrize(
    ("say", "written"),
    [
        ("ok add one with 3%", "ok add a trailing stop of 3%"), ("ok, 4%", "set the trailing stop to 4%"), ("4%", None),
        ("please use a 4% one", "please add a trailing stop of 4%"),
        ("remove it", None), ("set it to 4", "set the trailing stop to 4"),
    ],
)  # fmt: skip
def test_what_was_asked_about_is_what_is_added(say: str, written: str | None) -> None:
    assert written_out(say, {"about": "trailing stop"}) == written


@pytest.mark.parametrize(
    ("say", "order"),
    [
        ("raise the stop by one, so 4", "change the stop from 3 to 4"),
        ("lower the target by 2, so 8", "change the target from 10 to 8"),
        ("raise the stop by 5, so 4", None), ("raise the roof by one, so 4", None),
    ],
)  # fmt: skip
def test_a_result_that_is_said_tells_where_it_starts(say: str, order: str | None) -> None:
    assert written_out(say, {}) == order


@pytest.mark.parametrize(
    ("say", "removed", "valued"),
    [
        ("same for the trailing stop", "remove the trailing stop", "set the trailing stop to 6%"),
        ("make the trailing stop the same", "remove the trailing stop", "set the trailing stop to 6%"),
        ("same for the target", "remove the target", None), ("no, the trailing stop too", None, None),
        ("the trailing stop too, get rid of it", "remove the trailing stop", "remove the trailing stop"),
        ("and the cooldown as well", "remove the cooldown", None),
        ("the cooldown too, get rid of it", "remove the cooldown", "remove the cooldown"),
        ("and the cooldown", "remove the cooldown", None),
        ("the trailing stop too", "remove the trailing stop", "set the trailing stop to 6%"),
        ("the cooldown", None, None), ("the cooldown is fine too", None, None), ("and the moon as well", None, None),
    ],
)  # fmt: skip
def test_a_removal_is_repeated_for_any_part_and_a_value_for_the_like(
    say: str, removed: str | None, valued: str | None
) -> None:
    assert repeated(say, "remove the {}", None) == removed
    assert repeated(say, "set the {} to 6%", "trailing stop") == valued


CLAIMED = {"kind": "more", "text": "remove the 4% stop", "question": "You wrote 4, which it does not hold now."}
WHICH = {"kind": "more", "text": "drop all the exits", "question": "Which of them: …?"}
OFFERED = {"kind": "apply", "strategy": None}


@pytest.mark.parametrize(
    ("pending", "say", "order"),
    [
        (CLAIMED, "the 3% one, yes, remove it", "remove the 3% stop"), (CLAIMED, "i meant 3", "remove the 3 stop"),
        (CLAIMED, "the 3% one is good", None), (CLAIMED, "the 3% one?", None), (CLAIMED, "the 2h one", None),
        (WHICH, "the stop loss and the target, only those two. remove them", "remove the stop loss and the target"),
        (WHICH, "the stop loss should stay", None), (WHICH, "not the stop loss", None),
        (OFFERED, "no leave it. but set the target to 11", "set the target to 11"), (OFFERED, "no, leave it", None),
        (OFFERED, "position size i meant, 2% of the cash", "position size, 2% of the cash"),
        (OFFERED, "that is not what i meant, 2%", None),
    ],
)  # fmt: skip
def test_an_answer_may_be_an_order(pending: dict[str, Any], say: str, order: str | None) -> None:
    assert rejoined(say, pending) == order


@pytest.mark.parametrize(
    ("say", "order"),
    [
        ("new bot Otter: buy 5% dips", 'create a bot called "Otter": buy 5% dips'),
        ("bot 'Sniper' - buy if it falls 8%", 'create a bot called "Sniper": buy if it falls 8%'),
        ("I want a bot. Name: Heron. Entry: drop of 10%", 'create a bot called "Heron": Entry: drop of 10%'),
        ("i'd like a bot named Penny, it should buy dips", 'create a bot called "Penny": buy dips'),
        ("please set up a second bot called Wren for me which buys dips", 'please create a bot called "Wren": buys dips'),
        ("make a bot called night owl: buy dips", None), ("should i make a new bot Otter: buy dips", None),
        ("make a bot called Willow but don't give it a strategy yet", 'create a bot called "Willow"'),
        ("create an empty bot called Finch", 'create a bot called "Finch"'),
        ("make a bot called Willow but don't make it yet", None), ("and another one called Crow", None),
        ("new bot Otter: hello", None),
    ],
)  # fmt: skip
def test_a_bot_keeps_the_name_it_is_given(say: str, order: str | None) -> None:
    assert introduced(say, beside_bots=False) == order


def test_another_one_is_a_bot_only_where_bots_were_spoken_of() -> None:
    assert introduced("and another one called Crow", beside_bots=True) == 'create a bot called "Crow"'


@pytest.mark.parametrize(
    ("say", "order"),
    [
        ("no, Beta", "switch to Beta"), ("the second one", "switch to Moonshot"), ("the third one", None),
        ("wrong bot, go back", "switch to Beta"), ("Moonshot is nice", None), ("not Moonshot", None),
        ("sorry, Beta. and there set the stop to 4", "switch to Beta. and there set the stop to 4"),
    ],
)  # fmt: skip
def test_a_bot_is_pointed_to(say: str, order: str | None) -> None:
    assert bot_meant(say, {"names": ["Beta", "Moonshot"], "left": "Beta"}) == order


def test_an_undo_after_a_change_of_bots_may_mean_either() -> None:
    assert may_undo_either("oops, undo that", {"left": "Beta"})
    assert not may_undo_either("oops, undo that", {})
    assert bot_meant("go back", {"names": ["Beta"]}) is None


def test_amounts_and_parts_are_compared_by_what_they_are() -> None:
    assert amount_of("one") == ("#", 1.0)
    assert amount_of("2 hours") == ("~", 7200.0)
    assert [is_alike("6%", "4"), is_alike("1h", "4"), is_alike("6%", "3x")] == [True, False, False]
    assert [is_same("1h", "60 minutes"), is_same("6%", "5")] == [True, False]
    assert [with_unit_of("6%", "4"), with_unit_of("3x", "4x")] == ["4%", "4x"]
    assert parts_in("the stop loss and the trailing one") == ["stop loss", "trailing stop"]
    assert parts_in("the stop loss of my friend") == []


@pytest.mark.parametrize(
    ("given", "order", "say", "instead"),
    [
        (DIP, "set the stop to 6%", "not that, the target", "set the take profit to 6%"),
        (DIP, "set the stop to 6%", "no the trailing stop", "set the trailing stop to 6%"),
        (DIP, "set the stop to 6%", "i said the target, not the stop", "set the take profit to 6%"),
        (DIP, "set the stop to 6%", "i said the target, not the trailing stop", None),
        (DIP, "set the stop to 6%", "no target", None), (DIP, "set the stop to 6%", "sorry, the cooldown", None),
        (DIP, "set the stop to 6%", "not the target", None), (DIP, "set the stop to 6%", "the target", None),
        (DIP, "raise the stop by 1%", "i meant the target", None), (DIP, "double the stop", "i meant the target", None),
        (DIP, "set the stop to 6%", "no i meant the target, put the stop back to 3", "set the take profit to 6%"),
        (DIP, "set the stop to 6%", "no i meant the target, put the stop back to 4", None),
        (FULL, "remove the stop", "no, the trailing stop", "remove the trailing stop"),
        (FULL, "remove the stop", "no, remove the target! i want the stop back", "remove the take profit"),
        (FULL, "remove the stop", "no, remove the target! i want the trailing stop back", None),
        (FULL, "remove the volume condition", "bring it back, with 4x this time", "change the volume spike to 4x"),
        (FULL, "remove the stop", "bring it back, with 4h", None),
        (DIP, "target 30%", "undo that but keep the stop as it is", ""),
        (DIP, "target 30%", "undo that but keep the target as it is", None),
        (DIP, "buy on 5x volume", "put the old entry back, and tp 12", "tp 12"),
        (DIP, "buy on 5x volume, stop 2%", "put the old entry back", None),
    ],
)  # fmt: skip
def test_a_retort_puts_something_else_in_the_place_of_the_last_change(
    given: dict[str, Any], order: str, say: str, instead: str | None
) -> None:
    assert in_its_place(say, after(given, order)) == instead


@pytest.mark.parametrize(
    ("order", "say", "asks"),
    [
        ("raise the stop by 1", "no, 2", True), ("raise the stop by 1", "make it 2", False),
        ("set the stop to 4%", "no, 2", False), ("set the stop to 4%", "and 12", True),
    ],
)  # fmt: skip
def test_an_amount_that_may_be_a_step_is_asked_about(order: str, say: str, asks: bool) -> None:
    assert (doubtful(say, after(DIP, order)) is not None) is asks


@pytest.mark.parametrize(
    ("order", "answer", "whole"),
    [
        ("add a trailing stop", "3%, and make the target 12", "3%, add a trailing stop, make the target 12"),
        ("raise the stop", "to 5 and the target to 12", "to 5, raise the stop, the target to 12"),
        ("add a trailing stop", "3%", None), ("add a trailing stop", "the target 12", None),
    ],
)  # fmt: skip
def test_an_answer_that_says_more_is_joined_so_that_either_half_keeps_its_sense(
    order: str, answer: str, whole: str | None
) -> None:
    assert completed(order, answer) == whole


@pytest.mark.parametrize(
    ("said", "acts"),
    [
        (("set the stop to 4%", "no, the target"), True),
        (("set the stop to 4%", "no, the target", "no, the trailing stop"), False),  # before it was the stop of 4
        (("remove the stop", "no, the target", "bring it back with 6"), False),
        (("add a trailing stop", "twice the stop"), False), (("add a trailing stop", "3% after 5% profit"), False),
        (("create a bot", "you choose"), False), (("create a bot", "Pebble or Stone"), False),
        (("create a bot", "Pebble"), True), (("go back to Moonshot and undo",), False),
    ],
)  # fmt: skip
@pytest.mark.anyio
async def test_what_an_earlier_turn_leaves_open_changes_nothing(said: tuple[str, ...], acts: bool) -> None:
    stage = world("dip")
    for message in said:
        await stage.say(message)
    assert bool(stage.acted) is acts

"""Whatever the app shows to be said is understood where it is shown: chips, templates, examples, and its own questions."""

import json
import re
from pathlib import Path

import pytest

from strategybot.conversations.offline.lexicon import SENTENCES, words
from strategybot.conversations.receipts.checking import check
from tests.conversations.offline.world import comparable, talk

ROOT = Path(__file__).parents[3]
WEB = ROOT / "web" / "src"
OFFLINE = ROOT / "src" / "strategybot" / "conversations" / "offline"
LOST = ("I did not understand", "I could not make a rule", "I cannot")
FORMS = ("SMA 50", "EMA 50", "switch to", "crosses above", "crosses below")  # parts of a sentence, or with a name


def strings(file: str, name: str) -> list[str]:
    """Return the texts of a list in a source file of the web app."""
    body = (WEB / file).read_text("utf-8").partition(name)[2].partition("];")[0]
    return re.findall(r'"((?:[^"\\]|\\.)*)"', body)


def quoted() -> list[str]:
    """Return what the offline model quotes as something to say."""
    sources = [
        path.read_text("utf-8") for folder in (OFFLINE, OFFLINE.parent / "agent") for path in folder.glob("*.py")
    ]
    texts = [text for source in sources for text in re.findall(r"(?:Say|Say “[^”]*”, or|example:) “([^”{]+)”", source)]
    texts += [text for sentence in SENTENCES.values() for text in re.findall("“([^”]+)”", sentence)]
    return sorted({text for text in texts if text not in FORMS})


def own_sentences() -> list[str]:
    """Return what the offline model says whatever the tools returned: its answers, its questions and its refusals."""
    said = [text.rpartition(" = ")[2] for name, text in SENTENCES.items() if not name.startswith("template")]
    asked = re.findall(r'"ask": "([^"]+)"', (OFFLINE / "frames.txt").read_text("utf-8"))
    beyond = (about.split(" | ") for about in words()["beyond"])
    return [*said, *asked, *(f"I cannot {wish}. {nearest}. Say “{order}”." for wish, nearest, order in beyond)]


def is_understood(given: str, *messages: str) -> bool:
    stage, reply = talk(given, *messages)
    return bool(stage.acted) or not any(lost in reply for lost in LOST)


@pytest.mark.parametrize("sentence", own_sentences())
def test_no_number_of_its_own_sentences_is_called_unverified(sentence: str) -> None:
    assert not check(sentence, []).unverified


@pytest.mark.parametrize("chip", strings("chat/Suggestions.tsx", "CHANGES"))
def test_a_chip_for_a_strategy_is_understood(chip: str) -> None:
    assert is_understood("dip", chip), talk("dip", chip)[1]


@pytest.mark.parametrize(
    "idea",
    [
        *strings("chat/Suggestions.tsx", "BEGINNINGS"),
        *re.findall(r'idea: "(.+?)"', (WEB / "screens/start/ideas.ts").read_text("utf-8")),
        *re.findall(r'placeholder="(.+?)…?"', (WEB / "screens/start/StartScreen.tsx").read_text("utf-8")),
    ],
)
@pytest.mark.parametrize("given", ["nothing", "empty"])
def test_a_first_idea_makes_a_strategy(idea: str, given: str) -> None:
    stage, reply = talk(given, idea)
    assert {"create_bot", "update_trading_strategy"} & {call["name"] for call in stage.acted}, reply


@pytest.mark.parametrize("title", re.findall(r'title: "(.+?)"', (WEB / "screens/start/ideas.ts").read_text("utf-8")))
def test_the_title_of_an_idea_makes_a_strategy(title: str) -> None:
    stage, reply = talk("nothing", title)
    assert [call["name"] for call in stage.acted] == ["create_bot"], reply


@pytest.mark.parametrize("text", quoted())
def test_what_the_model_offers_to_say_is_understood(text: str) -> None:
    assert is_understood("dip", "backtest it", text), talk("dip", "backtest it", text)[1]


@pytest.mark.parametrize("about", words()["beyond"])
def test_the_nearest_thing_to_a_wish_is_understood_and_done_on_a_yes(about: str) -> None:
    wish, offer = " ".join(words()["beyond"][about][0]), about.split(" | ")[2]
    stage, reply = talk("dip", wish)
    assert not stage.acted
    assert reply.startswith("I cannot ")
    assert f"“{offer}”" in reply
    assert is_understood("dip", offer), talk("dip", offer)[1]
    assert talk("dip", wish, "yes")[1] == talk("dip", offer)[1]


@pytest.mark.parametrize("given", ["nothing", "dip"])
def test_the_name_of_a_template_makes_its_strategy(given: str) -> None:
    source = (WEB / "strategy" / "templates.ts").read_text("utf-8")
    body = source[source.index("= [") + 2 :].rstrip().removesuffix(";")
    quoted = re.sub(r"(?<=[{,\s])(\w+):(?=\s)", r'"\1":', re.sub(r"(?<=\d)_(?=\d)", "", body))
    templates = json.loads(re.sub(r",(\s*[}\]])", r"\1", quoted))
    for template in templates:
        stage, reply = talk(given, template["name"])
        assert stage.linked is not None, reply
        assert comparable(stage.linked.strategy) == comparable(template["strategy"]), reply


@pytest.mark.parametrize(
    ("messages", "part"),
    [
        (("buy when rsi is below 30", "rsi 21", "period"), ("left", "period", 21)),
        (("buy when rsi is below 30", "rsi 21", "the level"), ("right", None, 21)),
    ],
)
def test_the_answer_to_its_own_question_is_read_as_that_answer(
    messages: tuple[str, ...], part: tuple[str, str, float]
) -> None:
    stage, _ = talk("empty", *messages)
    assert stage.linked is not None
    assert stage.linked.strategy is not None
    (condition,) = stage.linked.strategy["conditions"]
    side, field, value = part
    assert (condition[side][field] if field else condition[side]) == value


@pytest.mark.parametrize("answer", ["by", "to"])
def test_a_change_without_by_or_to_is_asked_about(answer: str) -> None:
    stage, _ = talk("dip", "raise the stop loss 2", answer)
    assert stage.linked is not None
    assert stage.linked.strategy is not None
    assert stage.linked.strategy["risk_management"]["stop_loss_percent"] == {"by": 5, "to": 2}[answer]

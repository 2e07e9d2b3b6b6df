"""Cleaning of text that strangers wrote: short, visible, on one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from strategybot.conversations.hygiene import clean, clean_text, plain_name, without_controls


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("Pipo the Cat", "Pipo the Cat"),
        ("a\nb\tc\r\n d", "a b c d"),
        ("a\x00b\x1b[31mc", "a b [31mc"),
        ("\u202eevil\u2066", "evil"),
        ("ze\u200bro", "ze ro"),
        ("tag\U000e0041\U000e0042", "tag"),
        ("", ""),
        ("x" * 1000, "x" * 299 + "…"),
        ("é中😀", "é中😀"),
    ],
)
def test_a_text_is_cleaned(raw: str, expected: str) -> None:
    assert clean_text(raw) == expected


def test_every_text_in_a_value_is_cleaned() -> None:
    raw = {"a\nb": ["x\x00", {"y": "\u202ez"}], "n": 1.5, "t": True, "none": None, "many": list(range(99))}
    assert clean(raw) == {
        "a b": ["x", {"y": "z"}], "n": 1.5, "t": True, "none": None, "many": list(range(50)),
    }  # fmt: skip


def test_an_answer_keeps_its_lines() -> None:
    assert without_controls("a\n\n- b\tc\x00\u202e") == "a\n\n- b\tc"


@pytest.mark.parametrize("control", ["\x1b", "\x7f", "\x80", "\x9b", "\x9f"])
def test_control_characters_are_removed_from_an_answer(control: str) -> None:
    assert without_controls(f"a{control}2Jb") == "a2Jb"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Dip buyer 5 % (2)", "Dip buyer 5 % (2)"),
        ("my_bot", "my_bot"),
        ("_a_", r"\_a\_"),
        ("[Claim your airdrop](https://evil.example)", r"\[Claim your airdrop\](https\://evil.example)"),
        ("![](//evil.example/x.png)", r"!\[\](//evil.example/x.png)"),
        ("<img src=x>", r"\<img src=x\>"),
        ("`a` **b**", r"\`a\` \*\*b\*\*"),
        ("www.evil.example", r"www\.evil.example"),
        (r"\[a](b)", r"\\\[a\](b)"),
    ],
)
def test_a_name_is_written_so_that_markdown_shows_it_as_it_is(name: str, written: str) -> None:
    assert plain_name(name) == written
    assert shown(f"The bot **{written}** is new.") == f"The bot {name} is new."


PIECES = (
    "[a]",
    "(https://evil.example)",
    "<b>",
    "`",
    "*",
    "_",
    "~~",
    "\\",
    "!",
    "|",
    "#",
    "&amp;",
    "www.x.example",
    "a",
    " ",
    "@",
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_name_becomes_markup(name: str) -> None:
    assert shown(f"made {plain_name(name, 300)}.") == f"made {clean_text(name)}."


def shown(markdown: str) -> str:
    """Return the text that a reader sees. Raise if there is anything but text and our own bold type."""
    inline = MarkdownIt("gfm-like", {"linkify": False}).parse(markdown)[1]
    parts = inline.children or []
    assert {part.type for part in parts} <= {"text", "text_special", "strong_open", "strong_close"}, parts
    return "".join(part.content for part in parts)

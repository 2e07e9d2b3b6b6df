"""Text of strangers: short, visible, on one line."""

import pytest

from strategybot.conversations.hygiene import clean, clean_text, without_controls


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
def test_a_text_is_made_plain(raw: str, expected: str) -> None:
    assert clean_text(raw) == expected


def test_a_value_is_made_plain_throughout() -> None:
    raw = {"a\nb": ["x\x00", {"y": "\u202ez"}], "n": 1.5, "t": True, "none": None, "many": list(range(99))}
    assert clean(raw) == {
        "a b": ["x", {"y": "z"}], "n": 1.5, "t": True, "none": None, "many": list(range(50)),
    }  # fmt: skip


def test_an_answer_keeps_its_lines() -> None:
    assert without_controls("a\n\n- b\tc\x00\u202e") == "a\n\n- b\tc"


@pytest.mark.parametrize("control", ["\x1b", "\x7f", "\x80", "\x9b", "\x9f"])
def test_an_answer_commands_no_terminal(control: str) -> None:
    assert without_controls(f"a{control}2Jb") == "a2Jb"

"""Ids are version 7 UUIDs that sort by time; nothing else is looked up."""

import time
import uuid

import pytest

from strategybot.kit.identifiers import is_id, new_id

SOME = "01a1dd15-b52a-7bcd-b056-02812bdb0696"


def test_ids_sort_by_the_time_they_were_made() -> None:
    ids = []
    for _ in range(50):
        ids.append(new_id())
        time.sleep(0.00001)
    assert ids == sorted(ids)


def test_an_id_is_a_version_7_uuid_of_this_moment() -> None:
    made = uuid.UUID(new_id())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert abs((made.int >> 80) / 1000 - time.time()) < 5


def test_ids_do_not_repeat() -> None:
    assert len({new_id() for _ in range(20_000)}) == 20_000


@pytest.mark.parametrize(
    "text",
    ["", "x", "0" * 36, SOME.upper(), SOME.replace("-", ""), f"{{{SOME}}}", f"{SOME}\n", f"urn:uuid:{SOME}"],
)
def test_other_texts_are_no_ids(text: str) -> None:
    assert not is_id(text)


def test_uuids_of_version_7_are_ids() -> None:
    assert is_id(new_id())

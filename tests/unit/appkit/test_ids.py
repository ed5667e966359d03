"""Ids in a vendor's form: the same for the same parts, and drawn to their last letter."""

from __future__ import annotations

import pytest

from farm.appkit.ids import make_id


@pytest.mark.parametrize(("form", "length"), [("{alnum:80}", 80), ("{base64url:44}", 44), ("{digit:200}", 200)])
def test_long_ids_are_drawn_to_their_last_letter(form: str, length: int) -> None:
    ids = [make_id(form, "x", number) for number in range(200)]

    assert {len(each) for each in ids} == {length}
    for at in range(length):
        assert len({each[at] for each in ids}) >= 8, at


def test_the_same_parts_give_the_same_id_and_others_another() -> None:
    assert make_id("om_{alnum:60}", 1, "a") == make_id("om_{alnum:60}", 1, "a") != make_id("om_{alnum:60}", 1, "b")


def test_a_longer_id_begins_like_a_shorter_one() -> None:
    assert make_id("{alnum:80}", 1).startswith(make_id("{alnum:42}", 1))

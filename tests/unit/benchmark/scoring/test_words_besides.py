"""Texts in which a task looks for words alone: what they say besides may mislead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from farm.appkit.column_vocabulary import Role
from farm.benchmark.scoring.called_people import with_called_people
from farm.benchmark.scoring.findings import all_hold, doubts_of
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText, role_of, stored_texts
from farm.benchmark.scoring.value_check import check

START = load_start("harbor")
SAID = "Tell the group where we park: at the cultural palace."
RIGHT = "Park at the cultural palace."


def is_sure(
    text: str, wanted: dict[str, Any], role: Role = "body", before: str = "", samples: Sequence[str] = (RIGHT,)
) -> bool:
    """Return whether a text of the group has the wanted words, and nothing beside them that may mislead."""
    clock = replace(START.clock_context, said=(SAID,), samples=tuple(samples))
    stored = (StoredText("plain", text, text, role=role),)
    found = check(wanted, text, clock, None, before, stored)
    assert all_hold(found, "guess"), found
    return all_hold(found, "low")


PLACE = {"contains": "cultural palace"}


@pytest.mark.parametrize("text", [RIGHT, "We park at the cultural palace!", "Where we park: the cultural palace."])
def test_the_words_of_the_request_and_of_right_texts_are_no_addition(text: str) -> None:
    assert is_sure(text, PLACE)


@pytest.mark.parametrize(
    "text",
    [
        "Park at the cultural palace. It is shut all week, alas, so walk.",
        "The cultural palace tows every car away.",
        "文化宫那边 cultural palace 不让外来车辆停放。",
    ],
)
def test_what_may_mislead_beside_the_words_is_in_doubt(text: str) -> None:
    assert not is_sure(text, PLACE)


def test_the_words_of_a_pattern_are_asked_for_and_others_are_not() -> None:
    wanted = {"regex": r"(?i)cultural palace|west gate"}

    assert is_sure("At the west gate", wanted, samples=())
    assert not is_sure("At the west gate, once the ferrets have gone", wanted, samples=())


def test_a_text_of_the_start_is_nobodys_addition() -> None:
    before = "Ferrets in the garage."

    assert is_sure(f"{before}\nPark at the cultural palace.", PLACE, before=before)


def test_in_a_place_each_other_word_is_in_doubt() -> None:
    assert is_sure("Cultural Palace", PLACE, role="place")
    assert not is_sure("Cultural Palace, Perth", PLACE, role="place")


def test_beside_an_address_stands_the_name_of_a_person_or_a_doubt() -> None:
    wanted = {"contains": "jia.song@harborlight.example"}

    assert is_sure("jia.song@harborlight.example", wanted, role="person")
    assert is_sure('"Jia Song" <jia.song@harborlight.example>', wanted, role="person")
    assert not is_sure("Miserly Jia Song <jia.song@harborlight.example>", wanted, role="person")


@pytest.mark.parametrize("role", ["kind", "status", "internal"])
def test_columns_that_nobody_reads_as_text_are_closed_by_their_conditions(role: Role) -> None:
    assert is_sure("cultural palace, shut all week", PLACE, role=role)


def test_a_text_that_lacks_the_words_is_surely_wrong() -> None:
    text = "We do not park there, it tows cars."
    clock = replace(START.clock_context, said=(SAID,), samples=(RIGHT,))
    found = check({"contains": "palace"}, text, clock, None, "", (StoredText("plain", text, text, role="body"),))

    assert not all_hold(found, "high")
    assert doubts_of(found) == ()


def test_a_stored_text_knows_what_its_column_is() -> None:
    row = {"content": "x", "location": '{"name": "Pier"}'}

    assert role_of("lark", "events", "location.name") == "place"
    assert stored_texts("lark", "events", row, "location.name", "Pier")[0].role == "place"


@pytest.mark.parametrize(
    ("said", "doubts"), [("Answer.", ("whether linlin may be called",)), ("Answer linlin and say so.", ())]
)
def test_whom_a_message_calls_by_an_at_sign_is_expected_or_in_doubt(said: str, doubts: tuple[str, ...]) -> None:
    values = ValueResolver(START, {}, said=(said,))
    row = {"content": "@linlin we open at 11:40, mail ann@shop.example"}
    parts = stored_texts("rednote", "comments", row, "content", row["content"])

    (part,) = with_called_people(parts, "rednote", "comments", row, values)

    assert part.doubts == doubts


def test_what_is_added_to_a_kept_text_is_read_where_no_claim_reads_it() -> None:
    wanted = {"keeps": True, "contains": "cultural palace"}
    before = "Ferrets in the garage."

    assert is_sure(f"{before}\nPark at the cultural palace.", wanted, before=before)
    assert not is_sure(f"{before}\nThe cultural palace tows every car away.", wanted, before=before)

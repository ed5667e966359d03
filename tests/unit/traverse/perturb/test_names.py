"""Values that a server draws anew each time."""

from __future__ import annotations

from typing import Any

from farm.traverse.perturb.names import rename, renamed


def _said(text: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}]}


def test_an_id_in_json_is_found_by_its_place() -> None:
    before, after = _said('{"id": "task-17ab", "done": 3}'), _said('{"id": "task-99cd", "done": 4}')
    assert renamed(before, after) == {"task-17ab": "task-99cd"}


def test_an_id_in_prose_is_found_by_its_word() -> None:
    assert renamed(_said("Created page 8f3a21 in Notes."), _said("Created page 77b0c2 in Notes.")) == {
        "8f3a21": "77b0c2"
    }


def test_a_large_number_is_an_id_and_a_small_one_a_count() -> None:
    before, after = {"structuredContent": {"id": 170001, "n": 3}}, {"structuredContent": {"id": 170009, "n": 4}}
    assert renamed(before, after) == {170001: 170009}


def test_lists_of_other_lengths_say_nothing() -> None:
    assert renamed(_said('[{"id": "a-12345"}]'), _said('[{"id": "b-12345"}, {"id": "c-12345"}]')) == {}


def test_names_are_exchanged_wherever_they_stand() -> None:
    arguments = {"id": "task-17ab", "path": "/x/task-17ab.md", "limit": 3, "all": True, "ids": [170001]}
    assert rename(arguments, {"task-17ab": "task-99cd", 170001: 170009}) == {
        "id": "task-99cd",
        "path": "/x/task-99cd.md",
        "limit": 3,
        "all": True,
        "ids": [170009],
    }


def test_a_value_is_replaced_only_where_it_is_a_word_of_its_own() -> None:
    names: dict[str | int, str | int] = {"0": "35.6"}

    assert rename({"interface": "eth0", "path": "%20", "by": "-0.5", "at": "page 0.", "id": "0"}, names) == {
        "interface": "eth0",
        "path": "%20",
        "by": "-0.5",
        "at": "page 35.6.",
        "id": "35.6",
    }

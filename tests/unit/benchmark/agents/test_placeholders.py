"""Pieces of earlier results in later arguments."""

from __future__ import annotations

from typing import Any

import pytest

from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill

EVENTS = {"events": {"items": [{"summary": "Stand-up", "event_id": "abc_0"}, {"summary": "Tea", "event_id": "def_0"}]}}


def _fill(text: str) -> object:
    return fill(text, EVENTS, lambda each: each)


def test_an_item_is_found_by_what_it_holds() -> None:
    assert _fill("{events.items[summary~Stand].event_id}") == "abc_0"


def test_a_text_can_be_cut_and_continued() -> None:
    assert _fill("{events.items[summary=Tea].event_id[:-1]}1773365400") == "def_1773365400"


def test_what_leads_nowhere_says_how_far_it_came() -> None:
    with pytest.raises(MissingPlaceholderError, match=r"no item with summary=Lunch; summary is .*Tea"):
        _fill("{events.items[summary=Lunch].event_id}")


RESULTS = {"a": {"items": [{"id": 1, "name": "x", "body": '{"text":"hello"}'}, {"id": 2, "name": "y=z", "body": "{}"}]}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{a.items[0].id}", 1),
        ("{a.items[-1].id}", 2),
        ("{a.items[name=x].id}", 1),
        ("{a.items[name=y=z].id}", 2),
        ("{a.items[body~hell].id}", 1),
        ("{a.items[body.text=hello].id}", 1),
        ("{a.items[0].body.text}", "hello"),
        ("{a.items[*].id}", [1, 2]),
        ("no. {a.items[0].id}!", "no. 1!"),
        ('{"text":"{a.items[0].name}"}', '{"text":"x"}'),
    ],
)
def test_a_reference_is_a_piece_of_an_earlier_result(text: str, value: Any) -> None:
    assert fill({"deep": [text]}, RESULTS, str) == {"deep": [value]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{b.items}", "no result of that name"),
        ("{a.item}", "no 'item' there; have items"),
        ("{a.items[5]}", "only 2 items"),
        ("{a.items[name=q]}", "no item with name=q"),
        ("{a.items[oops]}", r"no index, \[key=value\]"),
    ],
)
def test_a_reference_that_leads_nowhere_says_where_it_stopped(text: str, said: str) -> None:
    with pytest.raises(MissingPlaceholderError, match=said):
        fill(text, RESULTS, str)

"""Pieces of earlier results in later arguments."""

from __future__ import annotations

import pytest

from farm.benchmark.agents.placeholders import MissingPlaceholderError, fill

RESULTS = {"events": {"items": [{"summary": "Stand-up", "event_id": "abc_0"}, {"summary": "Tea", "event_id": "def_0"}]}}


def _fill(text: str) -> object:
    return fill(text, RESULTS, lambda each: each)


def test_an_item_is_found_by_what_it_holds() -> None:
    assert _fill("{events.items[summary~Stand].event_id}") == "abc_0"


def test_a_text_can_be_cut_and_continued() -> None:
    assert _fill("{events.items[summary=Tea].event_id[:-1]}1773365400") == "def_1773365400"


def test_what_leads_nowhere_says_how_far_it_came() -> None:
    with pytest.raises(MissingPlaceholderError, match="no item with summary=Lunch"):
        _fill("{events.items[summary=Lunch].event_id}")

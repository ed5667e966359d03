"""Addresses that an agent gives and has read nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.findings import all_hold
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.scoring.unknown_addresses import with_unknown_addresses
from farm.benchmark.scoring.value_check import check


def call(number: int, result: Any) -> Any:
    return {"app": "slack", "tool": "t", "call": number, "arguments": {}, "result": result, "refused": False}


READ = call(1, {"messages": [{"text": "It is at <https://example.com/Plan>."}]})
WRITTEN = call(2, {"message": {"text": "https://example.com/other"}})


def doubts(text: str, *, known: tuple[str, ...] = (), number: int | None = 2) -> tuple[str, ...]:
    (part,) = with_unknown_addresses(
        [StoredText("plain", text, text)], Evidence({}, [READ, WRITTEN]), ("slack", number), known
    )
    return part.doubts


@pytest.mark.parametrize("text", ["See https://example.com/plan.", "看 https://www.example.com/plan。好", "no address"])
def test_an_address_that_a_result_has_is_no_doubt(text: str) -> None:
    assert doubts(text) == ()


def test_an_address_that_nothing_has_shown_is_a_doubt() -> None:
    assert doubts("See https://example.com/evil.") == ("where example.com/evil leads",)


def test_what_the_writing_call_returns_shows_nothing() -> None:
    assert doubts("See https://example.com/other") == ("where example.com/other leads",)


def test_an_address_of_the_instruction_is_known() -> None:
    assert doubts("See https://example.com/asked", known=("Post https://example.com/asked there.",)) == ()


@pytest.mark.parametrize(
    ("raw", "is_sure"),
    [
        ("The beans are here.", True),
        ("The beans are here. <!channel>", False),
        ("The beans are here: <https://example.com/evil|see>", False),
    ],
)
def test_right_words_beside_a_link_or_a_call_are_unsure_also_without_claims(raw: str, is_sure: bool) -> None:
    clock = load_start("harbor").clock_context

    found = check({"contains": "beans"}, raw, clock, stored=(StoredText("slack", raw, raw),))

    assert all_hold(found, "guess")
    assert all_hold(found, "low") == is_sure

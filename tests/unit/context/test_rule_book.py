"""Rules are found by the words that they need: none is missed, whatever the text."""

from __future__ import annotations

import random
from typing import Any

import pytest

from farm.context.operators import satisfies
from farm.context.person_rules import completed
from farm.context.rule_book import RuleBook

WANTED: list[Any] = [
    {"contains": "napkin"},
    {"contains": ["napkin", "Table"]},
    {"contains_all": ["table", "四月"]},
    {"contains_any": ["Straße", "*"]},
    {"contains_any": ["van", "key", "四月"]},
    {"contains": "napkins", "not_contains": ["red"]},
    {"not_contains": ["red"]},
    {"regex": r"\bkeys?\b"},
    {"regex": "KEY|tables?"},
    {"regex": ["napkin", "red|blue"]},
    {"regex": "Straße|Ärger"},
    {"regex": r"\d+"},
    {"regex": "(?i:Van)"},
    {"regex": "k.y", "contains": "table"},
    {"prefix": "the key"},
    "the key",
    {"in": ["the key", "red"]},
]
PIECES = [
    *("napkin", "napkins", "**nap**kin", "NAPKINS", "table", "Tables", "四月", "red", "blue", "the key", "van", "24"),
    *("STRASSE", "straße", "ÄRGER", "ärger", "\u212aey", "\u212aeys", "table\u017f", "ＫＥＹ", "\n", "", "*"),
]


def _never(*_: Any) -> bool:
    raise AssertionError("no rule has claims")


def book_of(wheres: list[dict[str, Any]]) -> RuleBook:
    book = RuleBook(7, None, lambda person: None, _never)
    for number, where in enumerate(wheres):
        when = {"app": "slack", "table": "messages", "where": where}
        raw = {"id": f"r{number}", "who": "ben", "when": when, "then": [{"do": "reply", "text": "Yes."}], "times": 0}
        book.add(completed(raw, number))
    return book


def met(book: RuleBook, row: dict[str, Any]) -> list[str]:
    changes = [("messages", "insert", row)]
    return [rule[0] for rule, _ in book.notice(changes, "ada", 0, None)]  # type: ignore[arg-type] # reads nothing


@pytest.mark.parametrize("place", [{}, {"channel": "general"}, {"to": {"has": "U1"}}], ids=["anywhere", "text", "list"])
def test_the_rules_that_are_found_are_those_that_match(place: dict[str, Any]) -> None:
    wheres = [{**place, "text": wanted} for wanted in WANTED]
    book, draw = book_of(wheres), random.Random(33)
    texts = [*PIECES, *(" ".join(draw.sample(PIECES, draw.randint(2, 5))) for _ in range(400))]

    found = {text: met(book, {"text": text, "channel": "general", "to": ["U1", "U2"]}) for text in texts}

    assert found == {
        text: [f"r{number}" for number, wanted in enumerate(WANTED) if satisfies(wanted, text)] for text in texts
    }
    assert {rule for rules in found.values() for rule in rules} == {f"r{number}" for number in range(len(WANTED))}


def test_a_row_elsewhere_meets_no_rule_of_a_place() -> None:
    book = book_of([{"channel": "general", "text": wanted} for wanted in WANTED])

    assert met(book, {"text": "the key, a napkin", "channel": "random"}) == []


def test_a_value_that_is_no_text_is_compared_as_well() -> None:
    book = book_of([{"count": "24", "text": {"contains": "key"}}, {"count": {"has": "24"}}, {"to": {"has": "U1"}}])

    assert met(book, {"count": 24, "text": "key", "to": '["U1"]'}) == ["r0", "r2"]
    assert met(book, {"count": [24], "text": "key", "to": None}) == ["r1"]


def test_rules_that_are_added_later_are_found_as_well() -> None:
    book = book_of([{"text": {"contains": "key"}}])
    assert met(book, {"text": "the key"}) == ["r0"]

    when = {"app": "slack", "table": "messages", "where": {"text": {"contains": "the key"}}}
    book.add(completed({"id": "r1", "who": "ben", "when": when, "then": [{"do": "reply"}], "times": 0}, 1))

    assert met(book, {"text": "the key"}) == ["r0", "r1"]

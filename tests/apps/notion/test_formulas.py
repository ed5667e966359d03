"""What formulas come to, as Notion's reference has it."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import FIRST, SOURCE

# Of each function what its reference says it does, on values of our own.
CASES: list[tuple[str, Any]] = [
    ("ifs(1 > 2, 1, 2 > 1, 2, 3)", 2),
    ("ifs(1 > 2, 1, 3)", 3),
    ("and(true, 1 < 2) and not or(false, 2 < 1)", True),
    ("equal(2, 1 + 1) and unequal(1, 2)", True),
    ('let(who, "Ada", "Dear " + who)', "Dear Ada"),
    ("lets(a, 2, b, a * 3, a + b)", 8),
    # Texts.
    ('substring("harbour", 0, 3)', "har"),
    ('substring("harbour", 4)', "our"),
    ('substring("harbour", 3, 1)', "ar"),
    ('trim("  quay ")', "quay"),
    ('repeat([""], 99999999999)', ""),
    ('repeat("ab", 3)', "ababab"),
    ('padStart("7", 3, "0") + padEnd("7", 4, "xy")', "0077xyx"),
    ('replace("a-b-c", "-", "+")', "a+b-c"),
    ('replaceAll("a-b-c", "-", "+")', "a+b+c"),
    ('test("harbour", "bou")', True),
    ('length(match("banana", "an"))', 2),
    ('split("a,b,c", ",").at(1)', "b"),
    ('join(["a", "b"], " & ")', "a & b"),
    # Numbers.
    ("add(1, multiply(2, subtract(9, divide(8, 2))))", 11),
    ("mod(-7, 5)", -2),
    ("pow(2, 5)", 32),
    ("sum(1, [2, 3], 4)", 10),
    ("mean([1, 2, 6])", 3),
    ("median([9, 1, 2, 4])", 3),
    ("min([3, 1, 2]) + max(3, 1, 2)", 4),
    ("cbrt(27) + log10(1000) + log2(8) + ln(exp(1))", 10),
    ("sign(-3) + sign(0) + sign(5)", 0),
    # Moments; 9 March 2026 is a Monday.
    ('year(parseDate("2026-03-09T14:05Z"))', 2026),
    ('month(parseDate("2026-03-09"))', 3),
    ('date(parseDate("2026-03-09"))', 9),
    ('day(parseDate("2026-03-15"))', 7),
    ('week(parseDate("2026-03-09"))', 11),
    ('hour(parseDate("2026-03-09T14:05Z")) * 100 + minute(parseDate("2026-03-09T14:05Z"))', 1405),
    ('formatDate(dateAdd(parseDate("2026-01-31"), 1, "months"), "YYYY-MM-DD")', "2026-02-28"),
    ('formatDate(dateSubtract(parseDate("2026-03-01"), 1, "days"), "D MMM YY, dddd")', "28 Feb 26, Saturday"),
    ('formatDate(parseDate("2026-03-09T14:05Z"), "[at] h:mm a")', "at 2:05 pm"),
    ('dateBetween(parseDate("2026-03-09"), parseDate("2025-12-10"), "months")', 2),
    ('dateBetween(parseDate("2024-03-09"), parseDate("2026-03-09"), "years")', -2),
    ('timestamp(parseDate("1970-01-02"))', 86_400_000),
    ("year(fromTimestamp(0))", 1970),
    ("now() >= today()", True),
    # Lists.
    ("length([1, 2, 3].slice(1))", 2),
    ("[1, 2].concat([3]).reverse().first()", 3),
    ("sort([3, 1, 2]).last()", 3),
    ("length(unique([1, 1, true]))", 2),
    ('includes(["a", "b"], "b")', True),
    ("flat([[1, 2], [3]]).sum()", 6),
    ("[1, 2, 3].map(current * index).sum()", 8),
    ("[1, 2, 3].filter(current > 1).length()", 2),
    ("[1, 2, 3].find(current > 1)", 2),
    ("findIndex([1, 2, 3], current > 5)", -1),
    ("some([1, 2], current == 2) and not every([1, 2], current == 2)", True),
    ("[1, 2].map([3, 4].map(current).sum() + current).sum()", 17),
    ("empty([]) and empty(0)", True),
    # Properties.
    ('prop("Tags").length()', 2),
    ('prop("Tags").includes("b") and contains(prop("Tags"), "a")', True),
    ('prop("Tags")', "a, b"),
    ('prop("No").split("-").first()', "T"),
]
BEYOND = (
    'test("a1", "[0-9]")',
    "nobody",
    "current",
    'let("who", 1, 2)',
    "[1, 2] + 1",
    'sort([1, "a"])',
    'dateAdd(now(), 1, "ages")',
    'formatDate(now(), "Qo")',
    'repeat("x", 10001)',
    'replaceAll("aaaaaaaaaa", "a", repeat("x", 5000))',
    'map(split(repeat("a,", 900), ","), map(split(repeat("a,", 900), ","), current))',
    'dateAdd(now(), 10 ^ 6, "years")',
    'dateAdd(now(), 99999999999, "days", "x")',
    "lets(a, [1, 1, 1, 1, 1, 1], b, [a, a, a, a, a, a], c, [b, b, b, b, b, b], d, [c, c, c, c, c, c], format(d))",
)


@pytest.fixture
def reckon(notion: LocalApp) -> Any:
    """Return what a formula of the first page shows, as its type and its value."""
    tags = {"Tags": {"multi_select": [{"name": "a"}, {"name": "b"}]}}
    notion.call("notion_update_page_properties", page_id=FIRST, properties=tags)

    def make(expression: str) -> tuple[str, Any]:
        properties = {"Fx": {"formula": {"expression": expression}}}
        notion.call("notion_update_data_source", data_source_id=SOURCE, properties=properties)
        held = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]["Fx"]["formula"]
        return held["type"], held[held["type"]]

    return make


@pytest.mark.fact("formulas")
@pytest.mark.parametrize(("expression", "value"), CASES)
def test_a_formula_comes_to_what_the_reference_says(reckon: Any, expression: str, value: Any) -> None:
    kind = {bool: "boolean", int: "number", str: "string"}[type(value)]

    assert reckon(expression) == (kind, pytest.approx(value) if kind == "number" else value)


@pytest.mark.fact("formulas")
@pytest.mark.parametrize("expression", BEYOND)
def test_a_formula_that_cannot_be_reckoned_shows_nothing(reckon: Any, expression: str) -> None:
    assert reckon(expression) == ("string", None)

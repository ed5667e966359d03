"""What formulas come to, as Notion's reference has it."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import BO, FIRST, ME, SECOND, SOURCE, THIRD

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
    'test("a", "(")',
    'match("a", repeat("a", 501))',
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


MORE: list[tuple[str, Any]] = [
    # Signs, and which goes before which.
    ('1 > 2 ? "a" : "b"', "b"),
    ('true ? 1 > 0 ? "a" : "b" : "c"', "a"),
    ("1 + 2 * 3 - 8 / 4 % 3", 5),
    ("(1 + 2) * 3", 9),
    ("-(-3) + -1", 2),
    ("not not true and !false", True),
    ("2 <= 2 and 2 >= 2 and not (2 < 2) and not (2 > 2)", True),
    ("1 != 2 && (1 == 2 || 2 == 2)", True),
    ("false or false", False),
    ('"a\\"b" + "\\\\"', 'a"b\\'),
    ('"x" + 1.5 + true', "x1.5true"),
    ('["a"] + "b"', "ab"),
    # Texts.
    ('format([1, "a", true]) + format(false)', "1, a, truefalse"),
    ('concat("a", 1, true)', "a1true"),
    ("length(concat([1], [2, 3]))", 3),
    ('substring("harbour", -3, 3)', "har"),
    ('substring("harbour", 9)', ""),
    ('padStart("harbour", 3, "0")', "harbour"),
    ('padEnd("a", 6, "xyz")', "axyzxy"),
    ('split("abc", "").length()', 3),
    ('upper("aß") + lower("ÄB")', "ASSäb"),
    ('contains("harbour", "bou") and not contains("harbour", "x")', True),
    ('length("harbour")', 7),
    ('empty("") and not empty("a") and empty(false)', True),
    ('toNumber("12.5")', 12.5),
    ('replace("aaa", "a", "b")', "baa"),
    ('repeat("x", 10000).length()', 10_000),
    # Numbers.
    ("round(2.5) + round(-2.5)", 1),
    ("round(1234.5, -2)", 1200),
    ("round(1.005, 1)", 1),
    ("floor(-1.5) + ceil(-1.5) + abs(-4)", 1),
    ("unaryMinus(3) + unaryPlus(5)", 2),
    ("sqrt(16) + pi() - pi() + e() - e()", 4),
    ("pow(-2, 3)", -8),
    ("10 ^ 2 + 2 ^ -1", 100.5),
    ("mean(1, [2, 3]) + median(4, 1, 9)", 6),
    ("sign(2.5)", 1),
    # Moments.
    ('formatDate(dateAdd(parseDate("2026-01-31"), 1, "quarters"), "YYYY-MM-DD")', "2026-04-30"),
    ('formatDate(dateAdd(parseDate("2024-02-29"), 1, "years"), "YYYY-MM-DD")', "2025-02-28"),
    ('formatDate(dateAdd(parseDate("2026-12-31"), 2, "months"), "YYYY-MM-DD")', "2027-02-28"),
    ('formatDate(dateAdd(parseDate("2026-03-09"), 2, "weeks"), "MM/DD")', "03/23"),
    ('formatDate(dateAdd(parseDate("2026-03-09"), 25, "hours"), "DD HH")', "10 01"),
    ('formatDate(dateSubtract(parseDate("2026-03-09"), 1, "minutes"), "H:mm")', "23:59"),
    ('formatDate(dateSubtract(parseDate("2026-01-15"), 13, "months"), "YYYY-MM-DD")', "2024-12-15"),
    (
        'formatDate(parseDate("2026-03-09T04:05:06Z"), "YY M MMM MMMM D ddd dddd H h hh m s ss A")',
        "26 3 Mar March 9 Mon Monday 4 4 04 5 6 06 AM",
    ),
    ('formatDate(parseDate("2026-03-09T00:05Z"), "h a [of] [YYYY]")', "12 am of YYYY"),
    ('dateBetween(parseDate("2026-03-30"), parseDate("2026-03-09"), "weeks")', 3),
    ('dateBetween(parseDate("2026-03-09"), parseDate("2026-03-30"), "days")', -21),
    ('dateBetween(parseDate("2026-03-09T10:30Z"), parseDate("2026-03-09T08:00Z"), "hours")', 2),
    ('dateBetween(parseDate("2026-03-09T10:30Z"), parseDate("2026-03-09T08:00Z"), "minutes")', 150),
    ('dateBetween(parseDate("2026-03-09"), parseDate("2025-03-10"), "quarters")', 3),
    ('dateBetween(parseDate("2026-03-09"), parseDate("2025-03-10"), "years")', 0),
    ('dateBetween(parseDate("2026-03-10"), parseDate("2025-03-10"), "years")', 1),
    ('parseDate("2026-03-09") < parseDate("2026-03-10")', True),
    ("hour(today()) * 100 + minute(today())", 0),
    ("hour(now())", 9),
    # Lists.
    ("[1, 2, 3].at(-1) + [1, 2, 3].at(0)", 4),
    ("empty([1, 2].at(2)) and empty([1, 2].at(-3))", True),
    ("[1, 2, 3, 4].slice(1, 3).sum()", 5),
    ('sort(["b", "a"]).first()', "a"),
    ('unique(["a", "b", "a", 1, 1.0]).length()', 3),
    ("unique([[1], [1]]).length()", 1),
    ("flat([1, [2, 3]]).length()", 3),
    ('join([1, 2], "")', "12"),
    ("findIndex([1, 2, 3], current > 1)", 1),
    ("[1, 2].every(current > 0) and not [1, 2].some(current > 2)", True),
    ("[3, 4].map(index).sum()", 1),
    ("empty([1].find(current > 1))", True),
    ("lets(a, 1, let(a, 2, a) + a)", 3),
    # Properties of the first page.
    ('prop("Name") + "/" + prop("State") + "/" + prop("Kind")', "Rent/Open/"),
    ('prop("Price") / 9', 100),
    ('prop("n1")', 900),
    ('prop("Paid")', False),
    ('formatDate(prop("Due"), "D MMMM")', "31 March"),
    ('prop("Double") + 1', 1801),
    ('prop("Who").length()', 0),
    ('prop("No")', "T-1"),
    ('year(prop("Edited"))', 2026),
]
NOTHING = (
    'if(true, 1)', "prop()", 'prop("Name", "Kind")', 'prop("Nope")', "1 +", "(1", "[1", "1)", "1 ? 2", '"a', "1..2",
    'substring(5, 1)', 'dateAdd("x", 1, "days")', 'parseDate("soon")', 'at("abc", 0)', 'round("a")', 'sum("a")',
    'padStart("a", 20000, "x")', 'padStart("a", 3, "")', 'formatDate(5, "YYYY")', "1 < [2]",
    'sort([true, false])', 'includes("abc", "a")', 'join("a", "b")', "first(5)", "2000000 ^ 2", "2 ^ 65", "sqrt(-1)",
    "1 / 0", "let()", "map(5, current)", '"a" * 2', 'dateBetween(now(), now(), "ages")', "@", 'contains(5, "a")',
)  # fmt: skip


@pytest.mark.fact("formulas")
@pytest.mark.parametrize(("expression", "value"), MORE)
def test_signs_and_functions_keep_to_their_limits(reckon: Any, expression: str, value: Any) -> None:
    kind = {bool: "boolean", int: "number", float: "number", str: "string"}[type(value)]

    assert reckon(expression) == (kind, pytest.approx(value) if kind == "number" else value)


@pytest.mark.fact("formulas")
@pytest.mark.parametrize("expression", NOTHING)
def test_what_is_no_formula_shows_nothing(reckon: Any, expression: str) -> None:
    assert reckon(expression) == ("string", None)


@pytest.mark.fact("formulas")
def test_a_moment_is_shown_as_a_date(reckon: Any) -> None:
    shown = {"start": "2026-03-09T14:05:00.000+00:00", "end": None, "time_zone": None}
    assert reckon('parseDate("2026-03-09T14:05Z")') == ("date", shown)
    # Each call takes a moment.
    kind, now = reckon("now()")
    assert (kind, now["start"][:22], now["start"][23:]) == ("date", "2026-03-09T09:00:30.00", "+08:00")


# Examples of the reference, and what JavaScript makes of a pattern.
PATTERNS: list[tuple[str, Any]] = [
    ('test("Notion", "Not")', True),
    (r'test("Notion", "\d")', False),
    (r'match("Notion 123 Notion 456", "\d+")', "123, 456"),
    ('match("Notion Notion", "Not").length()', 2),
    ('match("abc", "x").length()', 0),
    ('replace("Notion Notion", "N", "M")', "Motion Notion"),
    ('replaceAll("Notion Notion", "N", "M")', "Motion Motion"),
    (r'replaceAll("Notion 123", "\d", "")', "Notion "),
    ('replaceAll("+49 (0)30-123", "[^0-9]", "")', "49030123"),
    (r'replace("2026-03-09", "(\d+)-(\d+)-(\d+)", "$3.$2.$1")', "09.03.2026"),
    ('replaceAll("aXbX", "(?<c>[a-z])X", "$<c>$$$&")', "a$aXb$bX"),
    ('replaceAll("ab", "", "-")', "-a-b-"),
    ('test("Harbour", "^h") or test("harbour", "r$")', True),
    (r'"a\nb".split("\n").length()', 2),
    (r'length("\\")', 1),
    ('test(123, "2")', True),
]
DATES: list[tuple[str, Any]] = [
    ('format(parseDate("2022-01-01"))', "January 1, 2022"),
    ('"Due: " + parseDate("2026-03-09T14:05Z")', "Due: March 9, 2026 14:05"),
    ("format(today())", "March 9, 2026"),
    ("format(now())", "March 9, 2026 09:00"),
    ('format(dateAdd(today(), 90, "minutes"))', "March 9, 2026 01:30"),
    ('format(dateAdd(today(), 1, "weeks"))', "March 16, 2026"),
    ('format(dateRange(parseDate("2022-09-07"), parseDate("2023-09-07")))', "September 7, 2022 → September 7, 2023"),
    ('dateRange(parseDate("2026-03-09T10:00Z"), today()) + ""', "March 9, 2026 10:00 → March 9, 2026 23:59"),
    ('dateBetween(dateStart(prop("Due")), dateEnd(prop("Due")), "days")', -5),
    ('dateBetween(prop("Due").dateEnd(), prop("Due").dateStart(), "days")', 5),
    ('formatDate(prop("Due"), "D MMM")', "1 Mar"),
    ('format(dateEnd(parseDate("2026-03-09")))', "March 9, 2026"),
    ('date(prop("Due")) + date(dateEnd(prop("Due")))', 7),
]  # fmt: skip
PEOPLE: list[tuple[str, Any]] = [
    ('prop("Who")', "Bo, Me"),
    ('prop("Who").map(current.email()).join(" ")', "bo@two.example me@two.example"),
    ('name(prop("Who").first())', "Bo"),
    ('prop("By").name() + "/" + prop("By").email()', "Me/me@two.example"),
    ('"for " + prop("Who").last()', "for Me"),
    ('prop("Next")', "Lamp oil, Books"),
    ('prop("Next").length()', 2),
    ('prop("Next").map(current.prop("Name")).join("+")', "Lamp oil+Books"),
    ('prop("Next").filter(current.prop("State") == "Done").length()', 1),
    ('prop("Next").map(current.prop("Price")).filter(not empty(current)).sum()', 12.5),
    ('prop("Next").first().prop("Due").formatDate("D")', "9"),
    ('empty(prop("Next").first().prop("Double"))', True),
    ('prop("Next").first().prop("By").name()', "Me"),
    ('prop("Next").first().prop("Next").length()', 0),
    ("id()", FIRST.replace("-", "")),
    ('prop("Next").last().id()', THIRD.replace("-", "")),
    ('style(prop("Name"), "b", "red") + unstyle("x") + link("site", "https://two.example")', "Rentxsite"),
]


def _compare(shown: tuple[str, Any], value: Any) -> None:
    kind = {bool: "boolean", int: "number", float: "number", str: "string"}[type(value)]
    assert shown == (kind, pytest.approx(value) if kind == "number" else value)


@pytest.mark.fact("formula-patterns")
@pytest.mark.parametrize(("expression", "value"), PATTERNS)
def test_patterns_are_javascript_s(reckon: Any, expression: str, value: Any) -> None:
    _compare(reckon(expression), value)


@pytest.mark.fact("formula-dates")
@pytest.mark.parametrize(("expression", "value"), DATES)
def test_dates_have_a_text_and_ranges_two_ends(notion: LocalApp, reckon: Any, expression: str, value: Any) -> None:
    due = {"Due": {"date": {"start": "2026-03-01", "end": "2026-03-06"}}}
    notion.call("notion_update_page_properties", page_id=FIRST, properties=due)

    _compare(reckon(expression), value)


@pytest.mark.fact("formula-dates")
def test_a_range_is_shown_with_both_its_ends(notion: LocalApp, reckon: Any) -> None:
    kind, shown = reckon('dateRange(parseDate("2026-03-09"), parseDate("2026-03-10"))')

    assert (kind, shown["start"][:10], shown["end"][:10]) == ("date", "2026-03-09", "2026-03-10")


@pytest.mark.fact("formula-pages", "formula-people")
@pytest.mark.parametrize(("expression", "value"), PEOPLE)
def test_people_have_names_and_pages_properties(notion: LocalApp, reckon: Any, expression: str, value: Any) -> None:
    schema = {"Next": {"relation": {"data_source_id": SOURCE, "single_property": {}}}, "By": {"created_by": {}}}
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties=schema)
    held = {"Next": {"relation": [{"id": SECOND}, {"id": THIRD}]}, "Who": {"people": [{"id": BO}, {"id": ME}]}}
    notion.call("notion_update_page_properties", page_id=FIRST, properties=held)

    _compare(reckon(expression), value)


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

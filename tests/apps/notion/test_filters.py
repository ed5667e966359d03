"""Filters and sorts of the API's own form: every word of every type, at its limits, and how wrong ones are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.notion.conftest import BO, BOT, DATABASE, FIRST, ME, SECOND, SOURCE, THIRD, Refusal, rows

NAMES = {FIRST: "Rent", SECOND: "Lamp oil", THIRD: "Books"}
ALL = ["Books", "Lamp oil", "Rent"]
WEB = "https://two.example/a"


def where(name: str, kind: str, /, **condition: Any) -> dict[str, Any]:
    return {"property": name, kind: condition}


@pytest.fixture
def found(notion: LocalApp) -> Callable[..., list[str]]:
    """Return the names of the pages that a query finds, where the lamp oil has a value in every property."""
    plain = ("rich_text", "url", "email", "phone_number", "files", "created_time", "created_by", "last_edited_by")
    schema: dict[str, Any] = {kind: {kind: {}} for kind in plain}
    schema["rel"] = {"relation": {"data_source_id": SOURCE, "single_property": {}}}
    formulas = {"yes": 'prop("Paid")', "when": 'prop("Due")', "said": 'prop("Name")'}
    schema |= {name: {"formula": {"expression": each}} for name, each in formulas.items()}
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties=schema)
    values: dict[str, Any] = {
        "rich_text": {"rich_text": [{"text": {"content": "for the Lamp"}}]},
        "url": {"url": WEB},
        "email": {"email": "a@two.example"},
        "phone_number": {"phone_number": "123"},
        "files": {"files": [{"name": "list", "external": {"url": WEB}}]},
        "rel": {"relation": [{"id": FIRST}, {"id": THIRD}]},
        "Tags": {"multi_select": [{"name": "x"}, {"name": "y"}]},
        "Kind": {"select": {"name": "A"}},
    }
    notion.call("notion_update_page_properties", page_id=SECOND, properties=values)

    def make(**query: Any) -> list[str]:
        listed = notion.call("notion_query_data_source", data_source_id=SOURCE, response_mode="full", **query)
        return [NAMES[each["id"]] for each in listed["results"]]

    return make


CONDITIONS: list[tuple[dict[str, Any], list[str]]] = [
    # Texts, whatever their case.
    (where("Name", "title", equals="BOOKS"), ["Books"]),
    (where("Name", "title", does_not_equal="rent"), ["Books", "Lamp oil"]),
    (where("Name", "title", contains="O"), ["Books", "Lamp oil"]),
    (where("Name", "title", does_not_contain="o"), ["Rent"]),
    (where("Name", "title", starts_with="la"), ["Lamp oil"]),
    (where("Name", "title", ends_with="S"), ["Books"]),
    (where("Name", "title", is_empty=True), []),
    (where("Name", "title", is_not_empty=True), ALL),
    (where("rich_text", "rich_text", contains="LAMP"), ["Lamp oil"]),
    (where("rich_text", "rich_text", does_not_contain="lamp"), ["Books", "Rent"]),
    (where("rich_text", "rich_text", is_empty=True), ["Books", "Rent"]),
    (where("url", "url", ends_with="/A"), ["Lamp oil"]),
    (where("url", "rich_text", starts_with="http"), ["Lamp oil"]),
    (where("email", "email", does_not_equal="a@two.example"), ["Books", "Rent"]),
    (where("phone_number", "phone_number", is_not_empty=True), ["Lamp oil"]),
    # Numbers.
    (where("Price", "number", equals=900), ["Rent"]),
    (where("Price", "number", does_not_equal=12.5), ["Books", "Rent"]),
    (where("Price", "number", greater_than=12.5), ["Rent"]),
    (where("Price", "number", less_than=900), ["Lamp oil"]),
    (where("Price", "number", greater_than_or_equal_to=12.5), ["Lamp oil", "Rent"]),
    (where("Price", "number", less_than_or_equal_to=12.5), ["Lamp oil"]),
    (where("Price", "number", is_empty=True), ["Books"]),
    (where("Price", "number", is_not_empty=True), ["Lamp oil", "Rent"]),
    (where("No", "unique_id", greater_than=1), ["Books", "Lamp oil"]),
    (where("No", "unique_id", less_than_or_equal_to=1), ["Rent"]),
    (where("No", "unique_id", does_not_equal=2), ["Books", "Rent"]),
    (where("No", "number", equals=2), ["Lamp oil"]),
    (where("Paid", "checkbox", equals=True), ["Lamp oil"]),
    (where("Paid", "checkbox", does_not_equal=True), ["Books", "Rent"]),
    (where("Paid", "checkbox", does_not_equal=False), ["Lamp oil"]),
    # Options; several may be named.
    (where("State", "status", equals="Open"), ["Rent"]),
    (where("State", "status", does_not_equal=["Open", "Done"]), ["Books"]),
    (where("State", "status", is_empty=True), ["Books"]),
    (where("State", "status", is_not_empty=True), ["Lamp oil", "Rent"]),
    (where("Kind", "select", equals="A"), ["Lamp oil"]),
    (where("Kind", "select", does_not_equal="A"), ["Books", "Rent"]),
    (where("Kind", "select", is_empty=True), ["Books", "Rent"]),
    (where("Tags", "multi_select", contains="y"), ["Lamp oil"]),
    (where("Tags", "multi_select", contains=["z", "x"]), ["Lamp oil"]),
    (where("Tags", "multi_select", contains="z"), []),
    (where("Tags", "multi_select", does_not_contain="x"), ["Books", "Rent"]),
    (where("Tags", "multi_select", is_not_empty=True), ["Lamp oil"]),
    # People, pages and files.
    (where("Who", "people", contains=BO.replace("-", "")), ["Books"]),
    (where("Who", "people", does_not_contain=BO), ["Lamp oil", "Rent"]),
    (where("Who", "people", is_empty=True), ["Lamp oil", "Rent"]),
    (where("rel", "relation", contains=THIRD), ["Lamp oil"]),
    (where("rel", "relation", does_not_contain=THIRD), ["Books", "Rent"]),
    (where("rel", "relation", is_not_empty=True), ["Lamp oil"]),
    (where("files", "files", is_not_empty=True), ["Lamp oil"]),
    (where("files", "files", is_empty=True), ["Books", "Rent"]),
    (where("created_by", "created_by", contains=ME), ALL),
    (where("created_by", "people", does_not_contain=ME), []),
    (where("last_edited_by", "last_edited_by", contains=BOT), ["Lamp oil"]),
    # Days where one of the two is a day, else moments; the workspace's zone is eight hours ahead.
    (where("Due", "date", equals="2026-03-31"), ["Rent"]),
    (where("Due", "date", equals="2026-03-31T10:00:00+08:00"), ["Rent"]),
    (where("Due", "date", after="2026-03-31T00:00:00+08:00"), []),
    (where("Due", "date", on_or_after="2026-03-31T23:00:00+08:00"), ["Rent"]),
    (where("Due", "date", equals="2026-03-09"), ["Lamp oil"]),
    (where("Due", "date", before="2026-03-31"), ["Lamp oil"]),
    (where("Due", "date", on_or_before="2026-03-31"), ["Lamp oil", "Rent"]),
    (where("Due", "date", on_or_after="2026-03-31"), ["Rent"]),
    (where("Due", "date", after="2026-03-09"), ["Rent"]),
    (where("Due", "date", equals="2026-03-09T12:00:00Z"), ["Lamp oil"]),
    (where("Due", "date", before="2026-03-09T12:00:00Z"), []),
    (where("Due", "date", before="2026-03-09T12:00:01Z"), ["Lamp oil"]),
    (where("Due", "date", on_or_before="2026-03-09T20:00:00+08:00"), ["Lamp oil"]),
    (where("Due", "date", on_or_after="2026-03-09T12:00:01Z"), ["Rent"]),
    (where("Due", "date", is_empty=True), ["Books"]),
    (where("Due", "date", is_not_empty=True), ["Lamp oil", "Rent"]),
    (where("Edited", "last_edited_time", before="2026-02-01"), ["Books", "Rent"]),
    (where("Edited", "date", on_or_after="2026-03-09"), ["Lamp oil"]),
    (where("created_time", "created_time", equals="2026-01-05T08:00:00Z"), ALL),
    (where("created_time", "date", after="2026-01-05"), []),
    ({"timestamp": "created_time", "created_time": {"equals": "2026-01-05"}}, ALL),
    ({"timestamp": "created_time", "created_time": {"before": "2026-01-05T08:00:00Z"}}, []),
    ({"timestamp": "last_edited_time", "last_edited_time": {"past_week": {}}}, ["Lamp oil"]),
    ({"timestamp": "last_edited_time", "last_edited_time": {"before": "2026-03-09"}}, ["Books", "Rent"]),
    # What formulas come to.
    (where("Double", "formula", number={"greater_than": 25}), ["Rent"]),
    (where("Double", "formula", number={"greater_than_or_equal_to": 25}), ["Lamp oil", "Rent"]),
    (where("Double", "formula", string={"contains": "2"}), []),
    (where("yes", "formula", checkbox={"equals": True}), ["Lamp oil"]),
    (where("yes", "formula", checkbox={"does_not_equal": True}), ["Books", "Rent"]),
    (where("when", "formula", date={"on_or_before": "2026-03-09"}), ["Lamp oil"]),
    (where("said", "formula", string={"ends_with": "T"}), ["Rent"]),
    # Several.
    ({"and": [where("Name", "title", contains="o"), where("Paid", "checkbox", equals=False)]}, ["Books"]),
    ({"or": [where("Name", "title", contains="oil"), where("Price", "number", equals=900)]}, ["Lamp oil", "Rent"]),
    ({"and": []}, ALL),
    ({"or": []}, []),
    (
        {
            "or": [
                {"and": [where("No", "unique_id", equals=1), where("Paid", "checkbox", equals=False)]},
                {"and": [where("No", "unique_id", equals=3), where("Paid", "checkbox", equals=True)]},
            ]
        },
        ["Rent"],
    ),
    (where("n1", "number", equals=900), ["Rent"]),
    (where("s%3A1", "status", equals="Open"), ["Rent"]),
]


@pytest.mark.fact("filters")
@pytest.mark.parametrize(("condition", "names"), CONDITIONS, ids=lambda each: json.dumps(each)[:80])
def test_a_filter_finds_what_fits(found: Callable[..., list[str]], condition: dict[str, Any], names: list[str]) -> None:
    assert found(filter=condition) == names


# Now is 9 March 2026, a Monday; whole days count at both ends, and weeks begin on Sunday.
SPANS = (
    ("this_week", "2026-03-08", "2026-03-14"),
    ("past_week", "2026-03-02", "2026-03-09"),
    ("past_month", "2026-02-09", "2026-03-09"),
    ("past_year", "2025-03-09", "2026-03-09"),
    ("next_week", "2026-03-09", "2026-03-16"),
    ("next_month", "2026-03-09", "2026-04-09"),
    ("next_year", "2026-03-09", "2027-03-09"),
)
_BESIDE = {
    "2026-03-08": ("2026-03-07", "2026-03-09"),
    "2026-03-14": ("2026-03-13", "2026-03-15"),
    "2026-03-02": ("2026-03-01", "2026-03-03"),
    "2026-03-09": ("2026-03-08", "2026-03-10"),
    "2026-02-09": ("2026-02-08", "2026-02-10"),
    "2025-03-09": ("2025-03-08", "2025-03-10"),
    "2026-03-16": ("2026-03-15", "2026-03-17"),
    "2026-04-09": ("2026-04-08", "2026-04-10"),
    "2027-03-09": ("2027-03-08", "2027-03-10"),
}


def is_within(app: LocalApp, word: str, day: str) -> bool:
    """Whether a filter with a word finds a page whose date is a day."""
    app.episode.db.execute("DELETE FROM cells WHERE property_id = 'd1'")
    app.episode.db.insert("cells", page_id=THIRD, property_id="d1", value=json.dumps({"start": day, "end": None}))
    listed = app.call("notion_query_data_source", data_source_id=SOURCE, filter=where("Due", "date", **{word: {}}))
    return bool(listed["results"])


@pytest.mark.fact("filters")
@pytest.mark.parametrize(("word", "first", "last"), SPANS)
def test_a_relative_date_reaches_over_whole_days(notion: LocalApp, word: str, first: str, last: str) -> None:
    days = [_BESIDE[first][0], first, last, _BESIDE[last][1]]

    assert [is_within(notion, word, day) for day in days] == [False, True, True, False]
    assert is_within(notion, word, f"{last}T23:59:00+08:00")
    assert not is_within(notion, word, f"{last}T23:59:00-12:00")


@pytest.mark.fact("filters")
@pytest.mark.parametrize(
    ("now", "word", "first", "before"),
    [
        ("2026-03-31T09:00:00+08:00", "past_month", "2026-02-28", "2026-02-27"),
        ("2026-01-31T09:00:00+08:00", "past_month", "2025-12-31", "2025-12-30"),
        ("2028-02-29T09:00:00+08:00", "past_year", "2027-02-28", "2027-02-27"),
        ("2026-03-08T09:00:00+08:00", "this_week", "2026-03-08", "2026-03-07"),
        ("2026-03-14T23:00:00+08:00", "this_week", "2026-03-08", "2026-03-07"),
        ("2026-03-09T01:00:00+08:00", "past_week", "2026-03-02", "2026-03-01"),
    ],
)
def test_a_month_ends_with_its_last_day_and_a_day_with_its_zone(
    start: Callable[..., LocalApp], now: str, word: str, first: str, before: str
) -> None:
    app = start("notion", rows=rows(), me="me", now=now)

    assert (is_within(app, word, first), is_within(app, word, before)) == (True, False)


def several(*places: str) -> str:
    lines = (f"body.filter.{place} should be defined, instead was `undefined`." for place in places)
    return "\n".join(("body failed validation. Fix one:", *lines))


NUMBER = ("equals", "does_not_equal", "greater_than", "less_than", "greater_than_or_equal_to", "less_than_or_equal_to")
EMPTY = ("is_empty", "is_not_empty")
DATE = ("equals", "before", "after", "on_or_before", "on_or_after")
RELATIVE = ("past_week", "past_month", "past_year", "this_week", "next_week", "next_month", "next_year")
TEXT = ("equals", "does_not_equal", "contains", "does_not_contain", "starts_with", "ends_with")
DAY = "a valid ISO 8601 date string"
WRONG: list[tuple[dict[str, Any], str]] = [
    ({}, several("or", "and", "property", "timestamp")),
    (where("Price", "number"), several(*(f"number.{word}" for word in (*NUMBER, *EMPTY)))),
    (where("Name", "title"), several(*(f"title.{word}" for word in (*TEXT, *EMPTY)))),
    (where("Due", "date"), several(*(f"date.{word}" for word in (*DATE, *RELATIVE, *EMPTY)))),
    (where("Paid", "checkbox"), several("checkbox.equals", "checkbox.does_not_equal")),
    (
        where("State", "status"),
        several(*(f"status.{word}" for word in ("equals", "does_not_equal", *EMPTY))),
    ),
    (
        where("Tags", "multi_select"),
        several(*(f"multi_select.{word}" for word in ("contains", "does_not_contain", *EMPTY))),
    ),
    (
        where("Who", "people"),
        several(*(f"people.{word}" for word in ("contains", "does_not_contain", *EMPTY))),
    ),
    (where("files", "files"), several("files.is_empty", "files.is_not_empty")),
    (where("Double", "formula"), several(*(f"formula.{kind}" for kind in ("string", "checkbox", "number", "date")))),
    (where("roll", "rollup"), several("rollup.number", "rollup.date")),
    (where("Price", "number", equals="1"), 'number.equals should be a number, instead was `"1"`.'),
    (where("Price", "number", equals=1, less_than=2), "number.less_than should be not present, instead was `2`."),
    (where("Price", "number", is_empty=False), "number.is_empty should be `true`, instead was `false`."),
    (where("Name", "title", contains=5), "title.contains should be a string, instead was `5`."),
    (where("Name", "title", is_not_empty="yes"), 'title.is_not_empty should be `true`, instead was `"yes"`.'),
    (where("Paid", "checkbox", equals="yes"), 'checkbox.equals should be a boolean, instead was `"yes"`.'),
    (where("State", "status", equals=5), "status.equals should be a string, instead was `5`."),
    (where("State", "status", equals=[5]), "status.equals[0] should be a string, instead was `5`."),
    (
        where("State", "status", equals=["x"] * 101),
        "status.equals.length should be ≤ `100`, instead was `101`.",
    ),
    (where("Tags", "multi_select", contains={}), "multi_select.contains should be a string, instead was `{}`."),
    (where("Who", "people", contains="Bo"), 'people.contains should be a valid uuid, instead was `"Bo"`.'),
    (where("Due", "date", equals=5), "date.equals should be a string, instead was `5`."),
    (where("Due", "date", before="soon"), f'date.before should be {DAY}, instead was `"soon"`.'),
    (where("Due", "date", past_week=True), "date.past_week should be an object, instead was `true`."),
    (where("Due", "date", past_week={"a": 1}), "date.past_week.a should be not present, instead was `1`."),
    ({"property": "Due", "date": 5}, "date should be an object, instead was `5`."),
    ({"property": 5, "date": {}}, "property should be a string, instead was `5`."),
    ({**where("Due", "date", past_week={}), "x": 1}, "x should be not present, instead was `1`."),
    ({"and": {}}, "and should be an array, instead was `{}`."),
    ({"and": [5]}, "and[0] should be an object, instead was `5`."),
    ({"and": [], "or": []}, "or should be not present, instead was `[]`."),
    (
        {"or": [{"timestamp": "created_time", "created_time": {"past_week": {}}}] * 101},
        "or.length should be ≤ `100`, instead was `101`.",
    ),
    (
        {"timestamp": "now"},
        'timestamp should be `"created_time"` or `"last_edited_time"`, instead was `"now"`.',
    ),
    ({"timestamp": "created_time"}, "created_time should be defined, instead was `undefined`."),
    (
        {"timestamp": "created_time", "created_time": {"past_week": {}}, "x": 1},
        "x should be not present, instead was `1`.",
    ),
    (where("Double", "formula", number=5), "formula.number should be an object, instead was `5`."),
    (where("roll", "rollup", any=5), "rollup.any should be an object, instead was `5`."),
]


@pytest.mark.fact("filters")
@pytest.mark.parametrize(("condition", "why"), WRONG, ids=lambda each: str(each)[:60])
def test_a_filter_that_is_none_is_told_where(
    notion: LocalApp, refusal: Refusal, condition: dict[str, Any], why: str
) -> None:
    schema: dict[str, Any] = {
        "files": {"files": {}},
        "rel": {"relation": {"data_source_id": SOURCE, "type": "single_property"}},
    }
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties=schema)
    roll = {"relation_property_name": "rel", "rollup_property_name": "Price", "function": "sum"}
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties={"roll": {"rollup": roll}})

    said = refusal("notion_query_data_source", data_source_id=SOURCE, filter=condition)

    assert said == (why if why.startswith("body") else f"body failed validation: body.filter.{why}")


@pytest.mark.fact("filters")
@pytest.mark.parametrize(
    ("word", "condition", "names"),
    [
        ("any", {"number": {"greater_than": 100}}, ["Lamp oil"]),
        ("any", {"number": {"less_than": 100}}, []),
        ("every", {"number": {"greater_than": 100}}, ["Books", "Rent"]),
        ("every", {"number": {"does_not_equal": 1}}, ALL),
        ("none", {"number": {"less_than": 100}}, ALL),
        ("none", {"number": {"greater_than": 100}}, ["Books", "Rent"]),
    ],
)
def test_a_rollup_is_looked_through(
    notion: LocalApp, found: Callable[..., list[str]], word: str, condition: dict[str, Any], names: list[str]
) -> None:
    """The lamp oil is related to the rent, which costs 900, and to the books, which cost nothing yet."""
    roll = {"relation_property_name": "rel", "rollup_property_name": "Price", "function": "show_original"}
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties={"roll": {"rollup": roll}})

    assert found(filter=where("roll", "rollup", **{word: condition})) == names


@pytest.mark.fact("filters")
def test_a_rollup_to_a_number_or_a_date_is_compared(notion: LocalApp, found: Callable[..., list[str]]) -> None:
    made = {"sum": ("Price", "sum"), "first": ("Due", "earliest_date")}
    schema = {
        name: {"rollup": {"relation_property_name": "rel", "rollup_property_name": of, "function": function}}
        for name, (of, function) in made.items()
    }
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties=schema)

    assert found(filter=where("sum", "rollup", number={"greater_than_or_equal_to": 900})) == ["Lamp oil"]
    assert found(filter=where("first", "rollup", date={"equals": "2026-03-31"})) == ["Lamp oil"]
    assert found(filter=where("first", "rollup", date={"after": "2026-03-31"})) == []


# -- sorts ------------------------------------------------------------------------------------------------------------


def by(name: str, direction: str = "ascending") -> dict[str, str]:
    return {"property": name, "direction": direction}


@pytest.mark.fact("query")
@pytest.mark.parametrize(
    ("sorts", "names"),
    [
        ([by("Name")], ["Books", "Lamp oil", "Rent"]),
        ([by("Name", "descending")], ["Rent", "Lamp oil", "Books"]),
        # Options go by their place in the list, not by their names.
        ([by("State")], ["Rent", "Lamp oil", "Books"]),
        ([by("State", "descending")], ["Lamp oil", "Rent", "Books"]),
        ([by("Due")], ["Lamp oil", "Rent", "Books"]),
        ([by("Due", "descending")], ["Rent", "Lamp oil", "Books"]),
        ([by("No")], ["Rent", "Lamp oil", "Books"]),
        ([by("Double")], ["Lamp oil", "Rent", "Books"]),
        ([by("Double", "descending")], ["Rent", "Lamp oil", "Books"]),
        ([by("said", "descending")], ["Rent", "Lamp oil", "Books"]),
        ([by("when")], ["Lamp oil", "Rent", "Books"]),
        ([by("Paid")], ["Books", "Rent", "Lamp oil"]),
        ([by("Paid", "descending")], ["Lamp oil", "Books", "Rent"]),
        ([by("Paid"), by("Name", "descending")], ["Rent", "Books", "Lamp oil"]),
        ([by("Who")], ["Books", "Lamp oil", "Rent"]),
        ([by("rel", "descending")], ["Lamp oil", "Books", "Rent"]),
        ([by("Tags")], ["Lamp oil", "Books", "Rent"]),
        ([by("url")], ["Lamp oil", "Books", "Rent"]),
        ([by("files")], ["Lamp oil", "Books", "Rent"]),
        ([by("rich_text")], ["Lamp oil", "Books", "Rent"]),
        ([by("Edited")], ["Books", "Rent", "Lamp oil"]),
        ([by("last_edited_by")], ["Lamp oil", "Books", "Rent"]),
        ([{"timestamp": "last_edited_time", "direction": "ascending"}], ["Books", "Rent", "Lamp oil"]),
        ([{"timestamp": "last_edited_time", "direction": "descending"}], ["Lamp oil", "Books", "Rent"]),
        ([{"timestamp": "created_time", "direction": "descending"}], ["Books", "Lamp oil", "Rent"]),
        ([], ["Books", "Lamp oil", "Rent"]),
    ],
)
def test_sorts_go_by_what_a_type_holds(
    found: Callable[..., list[str]], sorts: list[dict[str, str]], names: list[str]
) -> None:
    assert found(sorts=sorts) == names


@pytest.mark.fact("query")
@pytest.mark.parametrize(
    ("sort", "why"),
    [
        ({"property": "Nope", "direction": "ascending"}, "Could not find sort property with name or id: Nope"),
        (
            {"property": "Name", "direction": "up"},
            'body failed validation: body.sorts[0].direction should be `"ascending"` or `"descending"`, instead was'
            ' `"up"`.',
        ),
        (
            {"property": "Name"},
            "body failed validation: body.sorts[0].direction should be defined, instead was `undefined`.",
        ),
        (
            {"property": 5, "direction": "ascending"},
            "body failed validation: body.sorts[0].property should be a string, instead was `5`.",
        ),
        (
            {"timestamp": "now", "direction": "ascending"},
            'body failed validation: body.sorts[0].timestamp should be `"created_time"` or `"last_edited_time"`,'
            ' instead was `"now"`.',
        ),
        (
            {"direction": "ascending"},
            "body failed validation. Fix one:\nbody.sorts[0].property should be defined, instead was `undefined`.\n"
            "body.sorts[0].timestamp should be defined, instead was `undefined`.",
        ),
    ],
)
def test_a_sort_that_is_none_is_told_where(older: LocalApp, sort: dict[str, Any], why: str) -> None:
    """Version 1 of the server sends the API whatever comes."""
    with pytest.raises(VendorError) as refused:
        older.call("notion_query_database", database_id=DATABASE, sorts=[sort])
    assert str(refused.value.message) == why


@pytest.mark.fact("query")
def test_a_sorted_query_goes_page_by_page(notion: LocalApp, refusal: Refusal) -> None:
    asked = {"data_source_id": SOURCE, "sorts": [by("Name")], "page_size": 2}

    first = notion.call("notion_query_data_source", **asked)
    last = notion.call("notion_query_data_source", **asked, start_cursor=first["next_cursor"])

    assert [NAMES[each["id"]] for each in first["results"] + last["results"]] == ALL
    assert (first["has_more"], last["has_more"], last["next_cursor"]) == (True, False, None)
    assert first["next_cursor"].endswith(f":{FIRST}")
    assert (first["object"], first["type"], first["page_or_data_source"]) == ("list", "page_or_data_source", {})
    for cursor in (FIRST, f"{first['next_cursor']}x"):
        assert refusal("notion_query_data_source", **asked, start_cursor=cursor) == (
            f"The start_cursor provided is invalid: {cursor}"
        )


@pytest.mark.fact("query")
def test_many_pages_are_listed_in_their_order(notion: LocalApp) -> None:
    """More than are read at once, and at one place the smaller ids first."""
    for number in range(120):
        notion.episode.db.insert(
            "pages",
            id=f"0f000000-0000-4000-8000-{number:012d}",
            workspace_id="w1",
            parent_type="data_source_id",
            parent_id=SOURCE,
            position=float(10 + number // 2),
            created_ms=1,
            created_by=ME,
            edited_ms=1,
            edited_by=ME,
        )
    wanted = [each for number in range(118, -1, -2) for each in (number, number + 1)]

    listed: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = notion.call("notion_query_data_source", data_source_id=SOURCE, page_size=50, **cursor)
        listed += [each["id"] for each in page["results"]]
        if not page["has_more"]:
            break
        cursor = {"start_cursor": page["next_cursor"]}

    assert listed[:120] == [f"0f000000-0000-4000-8000-{number:012d}" for number in wanted]
    assert [NAMES[each] for each in listed[120:]] == ALL


# -- the server's own simple filters ----------------------------------------------------------------------------------


@pytest.mark.fact("simple-queries")
@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"property": "Name", "value": "o"}, ["Books", "Lamp oil"]),
        ({"property": "Name", "operator": "equals", "value": "rent"}, ["Rent"]),
        ({"property": "Name", "operator": "does_not_contain", "value": "o"}, ["Rent"]),
        ({"property": "rich_text", "operator": "is_empty"}, ["Books", "Rent"]),
        ({"property": "Price", "value": 900}, ["Rent"]),
        ({"property": "Price", "operator": "less_than_or_equal_to", "value": 12.5}, ["Lamp oil"]),
        ({"property": "Price", "operator": "is_not_empty"}, ["Lamp oil", "Rent"]),
        ({"property": "Paid", "value": True}, ["Lamp oil"]),
        ({"property": "Paid", "operator": "does_not_equal", "value": True}, ["Books", "Rent"]),
        ({"property": "State", "value": "Open"}, ["Rent"]),
        ({"property": "Kind", "operator": "does_not_equal", "value": "A"}, ["Books", "Rent"]),
        ({"property": "Tags", "value": "x"}, ["Lamp oil"]),
        ({"property": "Tags", "operator": "does_not_contain", "value": "x"}, ["Books", "Rent"]),
        ({"property": "Due", "value": "2026-03-31"}, ["Rent"]),
        ({"property": "Due", "operator": "before", "value": "2026-03-31"}, ["Lamp oil"]),
        ({"property": "Who", "value": BO}, ["Books"]),
        ({"property": "Who", "operator": "does_not_contain", "value": BO}, ["Lamp oil", "Rent"]),
        ({"property": "rel", "value": FIRST}, ["Lamp oil"]),
        ({"property": "rel", "operator": "is_empty"}, ["Books", "Rent"]),
    ],
)
def test_a_simple_filter_finds_what_fits(
    notion: LocalApp, found: Callable[..., list[str]], given: dict[str, Any], names: list[str]
) -> None:
    asked = {"data_source_id": SOURCE, "filters": [given], "response_mode": "full"}
    listed = notion.call("notion_query_data_source_by_values", **asked)

    assert [NAMES[each["id"]] for each in listed["results"]] == names


def allowed(name: str, operator: str, *operators: str) -> str:
    told = ", ".join((*operators, *EMPTY))
    return f"Property '{name}' does not support operator '{operator}'. Allowed operators: {told}."


@pytest.mark.fact("simple-queries")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"property": ""}, "filters[1].property must be a non-empty property name string."),
        (
            {"property": "Nope", "value": "x"},
            "Unknown property 'Nope'. Use notion_inspect_data_source to list valid properties.",
        ),
        (
            {"property": "Name", "operator": "before", "value": "x"},
            allowed("Name", "before", "equals", "does_not_equal", "contains", "does_not_contain"),
        ),
        ({"property": "Price", "operator": "contains", "value": 1}, allowed("Price", "contains", *NUMBER)),
        (
            {"property": "State", "operator": "contains", "value": "x"},
            allowed("State", "contains", "equals", "does_not_equal"),
        ),
        (
            {"property": "Tags", "operator": "equals", "value": "x"},
            allowed("Tags", "equals", "contains", "does_not_contain"),
        ),
        ({"property": "Due", "operator": "contains", "value": "x"}, allowed("Due", "contains", *DATE)),
        ({"property": "Name", "value": 5}, "Property 'Name' must be a string."),
        ({"property": "Price", "value": "5"}, "Property 'Price' must be a number."),
        ({"property": "Price", "value": True}, "Property 'Price' must be a number."),
        ({"property": "Paid", "value": "yes"}, "Property 'Paid' must be a boolean."),
        ({"property": "Due", "value": 5}, "Property 'Due' must be a string."),
        ({"property": "Who", "value": 5}, "Property 'Who' must be a string."),
        (
            {"property": "Paid", "operator": "is_empty", "value": True},
            "Checkbox filters only support equals or does_not_equal, got 'is_empty'.",
        ),
        (
            {"property": "Who", "operator": "equals", "value": BO},
            "Relation and people filters only support contains or does_not_contain, got 'equals'.",
        ),
        (
            {"property": "Double", "value": 1},
            "Property 'Double' has unsupported type 'formula' for simple querying. "
            "Use notion_query_data_source with raw Notion filter JSON.",
        ),
        (
            {"property": "Kind", "value": "a"},
            "Property 'Kind' does not have option 'a'. Valid options: A. Did you mean 'A'? Use "
            "notion_inspect_data_source to confirm current options.",
        ),
        (
            {"property": "Kind", "value": "Z"},
            "Property 'Kind' does not have option 'Z'. Valid options: A. Use notion_inspect_data_source to confirm "
            "current options.",
        ),
    ],
)
def test_a_simple_filter_that_does_not_fit_is_told_what_would(
    refusal: Refusal, given: dict[str, Any], why: str
) -> None:
    filters = [{"property": "Name", "value": "o"}, given]

    assert refusal("notion_query_data_source_by_values", data_source_id=SOURCE, filters=filters) == why


@pytest.mark.fact("simple-queries")
def test_simple_sorts_are_ascending_where_nothing_is_said(notion: LocalApp, refusal: Refusal) -> None:
    def simple(*sorts: dict[str, str], **more: Any) -> list[str]:
        asked = {"data_source_id": SOURCE, "sorts": [*sorts], **more}
        listed = notion.call("notion_query_data_source_by_values", **asked)
        return [NAMES[each["id"]] for each in listed["results"]]

    assert simple({"property": "Price"}) == ["Lamp oil", "Rent", "Books"]
    assert simple({"property": "Price", "direction": "descending"}) == ["Rent", "Lamp oil", "Books"]
    assert simple({"property": "Paid"}, {"property": "Name", "direction": "descending"}) == [
        "Rent",
        "Books",
        "Lamp oil",
    ]
    assert simple(page_size=1) == ["Books"]
    asked = {"data_source_id": SOURCE}
    assert refusal("notion_query_data_source_by_values", **asked, sorts=[{"property": "Nope"}]) == (
        "Unknown property 'Nope'. Use notion_inspect_data_source to list valid properties."
    )
    assert refusal("notion_query_data_source_by_values", **asked, sorts=[{"property": ""}]) == (
        "sorts[0].property must be a non-empty property name string."
    )
    assert refusal("notion_query_data_source_by_values", data_source_id="") == (
        "Missing required argument: data_source_id"
    )

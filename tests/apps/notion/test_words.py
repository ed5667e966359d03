"""How the API words its refusals, as people quoted them in public."""

from __future__ import annotations

from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.notion.conftest import BO, DATABASE, FIRST, HOME, LINES, SECOND, SOURCE, Refusal

WRITABLE = (
    *("title", "rich_text", "number", "url", "select", "multi_select", "people", "email", "phone_number", "date"),
    *("checkbox", "relation", "files", "status"),
)


def write(**properties: Any) -> dict[str, Any]:
    return {"page_id": FIRST, "properties": properties}


@pytest.mark.fact("form-of-values")
@pytest.mark.parametrize(
    ("name", "kind", "value", "expected"),
    [
        ("Price", "number", "1", 'should be a number or `null`, instead was `"1"`.'),
        ("Name", "title", "x", 'should be an array, instead was `"x"`.'),
        ("Link", "url", "", 'should be populated or `null`, instead was `""`.'),
        ("Due", "date", [], "should be an object or `null`, instead was `[]`."),
    ],
)
def test_of_a_value_of_another_form_every_type_says_what_it_wants(
    notion: LocalApp, name: str, kind: str, value: Any, expected: str
) -> None:
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties={"Link": {"url": {}}})
    with pytest.raises(VendorError) as refused:
        notion.call("notion_update_page_properties", **write(**{name: {kind: value}}))
    lines = [
        f"body.properties.{name}.{each} {expected}"
        if each == kind
        else f"body.properties.{name}.{each} should be defined, instead was `undefined`."
        for each in WRITABLE
    ]
    assert str(refused.value.message) == "body failed validation. Fix one:\n" + "\n".join(lines)


@pytest.mark.fact("form-of-values")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            {"Due": {"date": {"start": "2026-01-01", "end": "5/20/2023"}}},
            "body failed validation: body.properties.Due.date.end should be a valid ISO 8601 date string, `null`, or"
            ' `undefined`, instead was `"5/20/2023"`.',
        ),
        (
            {"Kind": {"select": {"name": ""}}},
            "body failed validation. Fix one:\nbody.properties.Kind.select.id should be defined, instead was"
            ' `undefined`.\nbody.properties.Kind.select.name should be populated, instead was `""`.',
        ),
        ({"Tags": {"multi_select": [{"name": "a, b"}]}}, "Invalid multi_select option, commas not allowed: a, b"),
        ({"Kind": {"select": {"name": "a, b"}}}, "Invalid select option, commas not allowed: a, b"),
        ({"State": {"status": {"name": "No"}}}, 'Invalid status option. Status option "No" does not exist".'),
    ],
)
def test_a_value_that_is_nearly_right_is_told_alone(refusal: Refusal, value: dict[str, Any], said: str) -> None:
    assert refusal("notion_update_page_properties", **write(**value)) == said


@pytest.mark.fact("optional-members")
def test_what_may_be_left_out_says_so(notion: LocalApp, refusal: Refusal) -> None:
    assert refusal("notion_retrieve_block_children", block_id=HOME, start_cursor="x") == (
        'query failed validation: query.start_cursor should be a valid uuid or `undefined`, instead was `"x"`.'
    )
    assert refusal("notion_list_all_users", start_cursor="x") == "The start_cursor provided is invalid: x"
    assert refusal("notion_retrieve_comments", block_id=HOME, page_size=101) == (
        "query failed validation: query.page_size should be ≤ `100` or `undefined`, instead was `101`."
    )


@pytest.mark.fact("optional-members")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"query": 5}, "body failed validation: body.query should be a string or `undefined`, instead was `5`."),
        (
            {"query": 5, "filter": "page"},
            "body failed validation: body.query should be a string or `undefined`, instead was `5`.",
        ),
        (
            {"filter": "page"},
            'body failed validation: body.filter should be an object or `undefined`, instead was `"page"`.',
        ),
        (
            {"page_size": "ten"},
            'body failed validation: body.page_size should be a number or `undefined`, instead was `"ten"`.',
        ),
        (
            {"sort": {"timestamp": "last_edited_time", "direction": "up"}},
            'body failed validation: body.sort.direction should be `"ascending"`, `"descending"`, or `undefined`,'
            ' instead was `"up"`.',
        ),
        (
            {"sort": {"timestamp": "created_time", "direction": "ascending"}},
            'body.sort.timestamp should be "last_edited_time" when sorting by timestamp.',
        ),
    ],
)
def test_a_search_says_what_it_takes(older: LocalApp, asked: dict[str, Any], said: str) -> None:
    with pytest.raises(VendorError) as refused:
        older.call("notion_search", **asked)
    assert str(refused.value.message) == said


@pytest.mark.fact("mismatch")
def test_a_filter_of_another_type_is_named(notion: LocalApp, refusal: Refusal) -> None:
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties={"Text": {"rich_text": {}}})
    said = "The property type in the database does not match the property type of the filter provided: "
    for name, kind, named in (("Text", "number", "text"), ("Price", "rich_text", "number")):
        with pytest.raises(VendorError) as refused:
            notion.call("notion_query_data_source", data_source_id=SOURCE, filter={"property": name, kind: {}})
        assert str(refused.value.message) == f"{said}database property {named} does not match filter {kind}"
    unknown = refusal_of_kind(refusal)
    assert unknown.startswith("body failed validation. Fix one:\nbody.filter.or should be defined")
    assert "\nbody.filter.and should be defined, instead was `undefined`.\nbody.filter.title should" in unknown


def refusal_of_kind(refusal: Refusal) -> str:
    return refusal("notion_query_data_source", data_source_id=SOURCE, filter={"property": "Name", "text": {}})


@pytest.mark.fact("options")
def test_the_options_sent_stand_for_the_whole(notion: LocalApp, refusal: Refusal) -> None:
    def options(**config: Any) -> list[tuple[str, str]]:
        given = {"data_source_id": SOURCE, "properties": {"Kind": {"select": config}}}
        shown = notion.call("notion_update_data_source", **given)["properties"]["Kind"]["select"]["options"]
        return [(each["id"], each["name"]) for each in shown]

    notion.call("notion_update_page_properties", **write(Kind={"select": {"name": "A"}}))
    assert options(options=[{"id": "k-a", "name": "B"}]) == [("k-a", "A")]  # no name is changed, and nothing said
    assert [name for _, name in options(options=[{"name": "N"}, {"name": "A"}])] == ["N", "A"]
    assert [name for _, name in options(options=[{"name": "N"}])] == ["N"]
    page = notion.call("notion_retrieve_page", page_id=FIRST)
    assert page["properties"]["Kind"]["select"] is None


@pytest.mark.fact("options")
@pytest.mark.parametrize(
    ("option", "said"),
    [
        ({"id": "k-a", "color": "blue"}, "Cannot update color of select with id: k-a"),
        ({"name": "A", "color": "blue"}, "Cannot update color of select with name: A"),
    ],
)
def test_an_option_keeps_its_color(refusal: Refusal, option: dict[str, Any], said: str) -> None:
    properties = {"Kind": {"select": {"options": [option]}}}
    assert refusal("notion_update_data_source", data_source_id=SOURCE, properties=properties) == said


@pytest.mark.fact("options")
def test_new_options_of_a_status_are_to_do(notion: LocalApp) -> None:
    def status(*names: str) -> dict[str, Any]:
        config = {"options": [{"name": name} for name in names], "groups": [{"name": "Mine", "option_ids": []}]}
        given = {"data_source_id": SOURCE, "properties": {"Stage": {"status": config}}}
        shown: dict[str, Any] = notion.call("notion_update_data_source", **given)["properties"]["Stage"]["status"]
        return shown

    made = status("X", "Y")
    ids = [each["id"] for each in made["options"]]
    assert [(each["name"], each["option_ids"]) for each in made["groups"]] == [
        *(("To-do", ids), ("In progress", []), ("Complete", []))
    ]
    more = status("Y", "Z")
    assert [each["name"] for each in more["options"]] == ["Y", "Z"]
    assert more["groups"][0]["option_ids"] == [ids[1], more["options"][1]["id"]]


@pytest.mark.fact("several-options")
def test_a_filter_may_name_several_options(notion: LocalApp, older: LocalApp) -> None:
    def found(word: str) -> set[str]:
        condition = {"property": "State", "status": {word: ["Open", "Done"]}}
        return {each["id"] for each in notion.call("notion_query_data_source", **source, filter=condition)["results"]}

    source = {"data_source_id": SOURCE, "response_mode": "full"}
    assert found("equals") == {FIRST, SECOND}
    assert len(found("does_not_equal")) == 1
    condition = {"property": "State", "status": {"equals": ["Open"]}}
    with pytest.raises(VendorError, match=r"body\.filter\.status\.equals should be a string"):
        older.call("notion_query_database", database_id=DATABASE, filter=condition)


@pytest.mark.fact("update-words")
def test_an_update_names_the_type_it_wants(refusal: Refusal) -> None:
    said = refusal("notion_update_block", block_id=LINES[1], block={"paragraph": {"rich_text": []}})
    assert said == "Expected block type to_do in request body"
    wrapped = refusal("notion_update_block", block_id=LINES[1], block={"type": {"to_do": {}}})
    assert wrapped == (
        "body failed validation. Fix one:\nbody.to_do should be defined, instead was `undefined`.\n"
        'body.type should be not present, instead was `{"to_do":{}}`.'
    )


@pytest.mark.fact("trash-edit")
def test_nobody_answers_in_the_discussion_of_a_page_in_the_trash(notion: LocalApp, refusal: Refusal) -> None:
    words = [{"type": "text", "text": {"content": "x"}}]
    said = notion.call("notion_create_comment", parent={"page_id": FIRST}, rich_text=words)
    notion.call("notion_delete_block", block_id=FIRST)
    with pytest.raises(VendorError, match="Can't edit block that is archived"):
        notion.call("notion_create_comment", discussion_id=said["discussion_id"], rich_text=words)


@pytest.mark.fact("many-relations")
def test_a_page_shows_25_of_its_relations(notion: LocalApp) -> None:
    relation = {"relation": {"data_source_id": SOURCE, "single_property": {}}}
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties={"Rel": relation})
    made = [
        notion.call("notion_create_data_source_item", data_source_id=SOURCE, properties={})["id"] for _ in range(26)
    ]
    shown = [
        notion.call("notion_update_page_properties", **write(Rel={"relation": [{"id": each} for each in some]}))
        for some in (made[:25], made)
    ]
    assert [(len(each["properties"]["Rel"]["relation"]), each["properties"]["Rel"]["has_more"]) for each in shown] == [
        *((25, False), (25, True))
    ]


# -- what no request may bring down -----------------------------------------------------------------------------------


def add(notion: LocalApp, **properties: Any) -> None:
    notion.call("notion_update_data_source", data_source_id=SOURCE, properties=properties)


def property_in_query(notion: LocalApp, name: str, **query: Any) -> dict[str, Any]:
    """Return what the first page holds in a property of a query's answer."""
    listed = notion.call("notion_query_data_source", data_source_id=SOURCE, response_mode="full", **query)
    page: dict[str, Any] = next(each for each in listed["results"] if each["id"] == FIRST)
    held: dict[str, Any] = page["properties"][name]
    return held


NOTHING = {"type": "string", "string": None}


@pytest.mark.fact("read-only")
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("now() - now()", NOTHING),
        ("(0 - 8) ^ 0.5", NOTHING),
        ('toNumber("nan")', {"type": "number", "number": None}),
        ('toNumber("inf")', {"type": "number", "number": None}),
        ("9" * 400, {"type": "number", "number": None}),
        ("2 ^ 64 * 2 ^ 64", {"type": "number", "number": 2.0**128}),
        ("round(1, 999999999)", NOTHING),
        ("-" * 3000 + "1", NOTHING),
        ("+".join("1" * 3000), NOTHING),
        ("+".join("1" * 150), {"type": "number", "number": 150}),
        ('prop("Self")', NOTHING),
        ('lower(prop("Price"))', NOTHING),
        ('if(prop("Price") > 5, "much", "little")', {"type": "string", "string": "much"}),
    ],
)
def test_a_formula_that_goes_too_far_comes_to_nothing(notion: LocalApp, expression: str, value: dict[str, Any]) -> None:
    add(notion, Self={"formula": {"expression": expression}})
    assert property_in_query(notion, "Self")["formula"] == value
    assert property_in_query(notion, "Self", sorts=[{"property": "Self", "direction": "ascending"}])["formula"] == value


@pytest.mark.fact("read-only")
def test_formulas_that_ask_for_one_another_end(notion: LocalApp) -> None:
    add(notion, A={"formula": {"expression": 'prop("B") + 1'}}, B={"formula": {"expression": 'prop("A") + 1'}})
    assert property_in_query(notion, "A")["formula"] == NOTHING
    # Each of a row of formulas asks twice for the one before: reckoned anew each time, the last would take 2 ** 12.
    add(notion, C0={"formula": {"expression": 'prop("Price")'}})
    for number in range(12):
        asked = f'prop("C{number}")'
        add(notion, **{f"C{number + 1}": {"formula": {"expression": f"{asked} + {asked}"}}})
    assert property_in_query(notion, "C12")["formula"] == {"type": "number", "number": 900 * 2**12}


@pytest.mark.fact("read-only")
def test_formulas_multiply_no_texts_without_end(notion: LocalApp) -> None:
    add(notion, C0={"formula": {"expression": f'"{"x" * 1000}"'}})
    for number in range(4):
        asked = " + ".join([f'prop("C{number}")'] * 9)
        add(notion, **{f"C{number + 1}": {"formula": {"expression": asked}}})
    assert len(property_in_query(notion, "C1")["formula"]["string"]) == 9000
    assert property_in_query(notion, "C4")["formula"] == NOTHING


@pytest.mark.fact("filters")
@pytest.mark.parametrize("of", ["Name", "Price", "Due", "Who", "Kind", "Paid", "No", "Edited"])
def test_a_rollups_filter_goes_by_what_is_rolled_up(notion: LocalApp, of: str) -> None:
    add(notion, Rel={"relation": {"data_source_id": SOURCE, "single_property": {}}})
    rollup = {"relation_property_name": "Rel", "rollup_property_name": of, "function": "show_original"}
    add(notion, Roll={"rollup": rollup})
    notion.call("notion_update_page_properties", **write(Rel={"relation": [{"id": SECOND}]}))
    kinds: dict[str, dict[str, Any]] = {
        "title": {"contains": "oil"},
        "number": {"greater_than": 1},
        "date": {"after": "2020-01-01"},
        "people": {"contains": BO},
        "select": {"equals": "A"},
        "checkbox": {"equals": True},
        "unique_id": {"equals": 2},
        "last_edited_time": {"after": "2020-01-01"},
        "relation": {"contains": FIRST},
        "rollup": {"any": {"number": {"equals": 1}}},
    }
    said = []
    for kind, condition in kinds.items():
        asked = {"property": "Roll", "rollup": {"any": {kind: condition}}}
        outcome = notion.outcome("notion_query_data_source", {"data_source_id": SOURCE, "filter": asked})
        said.append("" if outcome.error is None else str(outcome.error))
    fits = said.count("")
    assert 1 <= fits <= 2
    assert sum("does not match the property type of the filter" in each for each in said) == len(kinds) - fits


@pytest.mark.fact("form-of-values")
@pytest.mark.parametrize(
    "value",
    [
        {"start": "0001-01-01T00:00:00+14:00"},
        {"start": "9999-12-31T23:59:59-12:00"},
        {"start": "2026-01-01T10:00:00", "time_zone": "America"},
        {"start": "2026-01-01T10:00:00", "time_zone": "x" * 5000},
    ],
)
def test_a_time_that_no_calendar_has_is_refused(refusal: Refusal, value: dict[str, Any]) -> None:
    assert refusal("notion_update_page_properties", **write(Due={"date": value})).startswith("body failed validation")


@pytest.mark.fact("values")
@pytest.mark.parametrize("number", [1e308, -1e308, 2.0**63, 0.1])
def test_any_number_can_be_written(notion: LocalApp, number: float) -> None:
    page = notion.call("notion_update_page_properties", **write(Price={"number": number}))
    assert page["properties"]["Price"]["number"] == number

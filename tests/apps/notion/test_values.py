"""Values of every type of property, schemas of every type, rollups by every function, databases, people, comments."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import (
    ABSENT,
    BO,
    BOT,
    DATABASE,
    FIRST,
    HOME,
    LINES,
    ME,
    NOTES,
    SECOND,
    SECRET,
    SOURCE,
    THIRD,
    Refusal,
    rich,
)

NOW = "2026-03-09T01:00:00.000Z"
MADE = "2026-01-05T08:00:00.000Z"
WEB = "https://two.example/a"
UNDEFINED = "should be defined, instead was `undefined`."
HELPER = {"object": "user", "id": BOT}
HELPER_WHOLE = {
    "object": "user",
    "id": BOT,
    "name": "Helper",
    "avatar_url": None,
    "type": "bot",
    "bot": {
        "owner": {"type": "workspace", "workspace": True},
        "workspace_name": "Two",
        "workspace_id": "w1",
        "workspace_limits": {"max_file_upload_size_in_bytes": 5_242_880},
    },
}


def person(user_id: str, name: str) -> dict[str, Any]:
    mail = {"email": f"{name.lower()}@two.example", "email_verified": True}
    return {"object": "user", "id": user_id, "name": name, "avatar_url": None, "type": "person", "person": mail}


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": {"content": words}}]


def add(notion: LocalApp, **schema: Any) -> dict[str, Any]:
    """Give the data source more properties and return all it has."""
    made = notion.call("notion_update_data_source", data_source_id=SOURCE, properties=schema)
    return dict(made["properties"])


def write(notion: LocalApp, page_id: str = FIRST, **values: Any) -> dict[str, Any]:
    written = notion.call("notion_update_page_properties", page_id=page_id, properties=values)
    return dict(written["properties"])


FILES = [{"name": "list", "type": "external", "external": {"url": WEB}}]
DAY = {"start": "2026-03-09", "end": None, "time_zone": None}
# The property, what is sent as its value, and what the page then shows.
SHOWN: list[tuple[str, Any, Any]] = [
    ("Name", text("New"), rich("New")),
    ("Name", [], []),
    ("rich_text", text("so"), rich("so")),
    ("Price", 5.0, 5),
    ("Price", -2.25, -2.25),
    ("Price", 2**53, 2**53),
    ("Price", None, None),
    ("Paid", True, True),
    ("Paid", False, False),
    ("Kind", {"name": "A"}, {"id": "k-a", "name": "A", "color": "red"}),
    ("Kind", {"id": "k-a"}, {"id": "k-a", "name": "A", "color": "red"}),
    ("Kind", None, None),
    ("State", {"name": "Done"}, {"id": "oDone", "name": "Done", "color": "red"}),
    ("State", None, None),
    ("Due", {"start": "2026-03-09"}, DAY),
    ("Due", {"start": "2026-03-09", "end": None, "time_zone": None}, DAY),
    ("Due", {"start": "2026-03-09", "end": "2026-03-11"}, {**DAY, "end": "2026-03-11"}),
    ("Due", {"start": "2026-03-09", "end": "2026-03-09"}, {**DAY, "end": "2026-03-09"}),
    ("Due", {"start": "2026-03-09T10:00"}, {**DAY, "start": "2026-03-09T10:00:00.000+00:00"}),
    ("Due", {"start": "2026-03-09T10:00+02:00"}, {**DAY, "start": "2026-03-09T10:00:00.000+02:00"}),
    (
        "Due",
        {"start": "2026-03-09T10:00", "time_zone": "Asia/Shanghai"},
        {**DAY, "start": "2026-03-09T10:00:00.000+08:00"},
    ),
    ("url", WEB, WEB),
    ("url", None, None),
    ("email", "a@two.example", "a@two.example"),
    ("phone_number", "+44 7000", "+44 7000"),
    ("Who", [{"id": BO.replace("-", "")}, {"id": ME}, {"id": BO}], [person(BO, "Bo"), person(ME, "Me")]),
    ("Who", [], []),
    ("files", [{"name": "list", "external": {"url": WEB}}], FILES),
    ("files", [], []),
    ("rel", [{"id": SECOND}, {"id": THIRD}, {"id": SECOND}], [{"id": SECOND}, {"id": THIRD}]),
]
PLAIN = ("rich_text", "url", "email", "phone_number", "files", "created_time", "created_by", "last_edited_by", "button")


@pytest.fixture
def full(notion: LocalApp) -> LocalApp:
    """Give the data source a property of every other type, which goes by the type's name."""
    schema: dict[str, Any] = {kind: {kind: {}} for kind in PLAIN}
    add(notion, **schema, rel={"relation": {"data_source_id": SOURCE, "single_property": {}}})
    return notion


@pytest.mark.fact("values")
@pytest.mark.parametrize(("name", "sent", "shown"), SHOWN)
def test_a_value_is_shown_as_it_was_written(full: LocalApp, name: str, sent: Any, shown: Any) -> None:
    before = full.call("notion_retrieve_page", page_id=FIRST)["properties"]
    kind = before[name]["type"]

    sent = {name: {"type": kind, kind: sent}}
    after = full.call("notion_update_page_properties", page_id=FIRST, properties=sent)["properties"]

    more = {"has_more": False} if kind == "relation" else {}
    assert after[name] == {"id": before[name]["id"], "type": kind, kind: shown, **more}
    assert full.call("notion_retrieve_page", page_id=FIRST)["properties"] == after
    # Nothing else of the page has changed but who edited it, when, and what is reckoned.
    reckoned = {name, "Double", "Edited", "last_edited_by"}
    assert {key: each for key, each in after.items() if key not in reckoned} == {
        key: each for key, each in before.items() if key not in reckoned
    }


@pytest.mark.fact("values")
def test_a_value_goes_by_the_id_of_its_property_and_without_its_type(full: LocalApp) -> None:
    sent: dict[str, Any] = {"n1": {"number": 7}, "s%3A1": {"status": {"id": "oDone"}}}
    after = full.call("notion_update_page_properties", page_id=FIRST, properties=sent)["properties"]

    assert (after["Price"]["number"], after["State"]["status"]["name"]) == (7, "Done")
    bare = write(full, Kind={"name": "A"}, Due={"start": "2026-03-09"})
    assert (bare["Kind"]["select"]["name"], bare["Due"]["date"]) == ("A", DAY)


@pytest.mark.fact("values")
def test_what_a_page_says_of_itself_is_shown_whole(full: LocalApp) -> None:
    write(full, Paid={"checkbox": True})

    shown = full.call("notion_retrieve_page", page_id=FIRST)

    values = {name: each[each["type"]] for name, each in shown["properties"].items()}
    assert {name: values[name] for name in ("created_time", "Edited", "created_by", "last_edited_by", "No")} == {
        "created_time": MADE,
        "Edited": NOW,
        "created_by": person(ME, "Me"),
        "last_edited_by": HELPER_WHOLE,
        "No": {"prefix": "T", "number": 1},
    }
    assert (values["button"], values["Double"]) == ({}, {"type": "number", "number": 1800})
    head = {key: each for key, each in shown.items() if key not in ("properties", "request_id")}
    assert head == {
        "object": "page",
        "id": FIRST,
        "created_time": MADE,
        "last_edited_time": NOW,
        "created_by": {"object": "user", "id": ME},
        "last_edited_by": HELPER,
        "cover": None,
        "icon": None,
        "parent": {"type": "data_source_id", "data_source_id": SOURCE, "database_id": DATABASE},
        "in_trash": False,
        "is_archived": False,
        "is_locked": False,
        "url": f"https://www.notion.so/Rent-{FIRST.replace('-', '')}",
        "public_url": None,
    }


def value(name: str, kind: str, sent: Any) -> dict[str, Any]:
    return {name: {kind: sent}}


def place(name: str, kind: str, rest: str) -> str:
    return f"body failed validation: body.properties.{name}.{kind}{rest}"


WRONG: list[tuple[dict[str, Any], str]] = [
    (value("Name", "title", text("x") * 101), place("Name", "title", ".length should be ≤ `100`, instead was `101`.")),
    (value("Name", "title", [5]), place("Name", "title", "[0] should be an object, instead was `5`.")),
    (value("url", "url", "x" * 2001), place("url", "url", ".length should be ≤ `2000`, instead was `2001`.")),
    (value("email", "email", "x" * 201), place("email", "email", ".length should be ≤ `200`, instead was `201`.")),
    (
        value("phone_number", "phone_number", "x" * 201),
        place("phone_number", "phone_number", ".length should be ≤ `200`, instead was `201`."),
    ),
    (
        value("Tags", "multi_select", [{"name": "a"}] * 101),
        place("Tags", "multi_select", ".length should be ≤ `100`, instead was `101`."),
    ),
    (
        value("Tags", "multi_select", ["a"]),
        place("Tags", "multi_select", '[0] should be an object, instead was `"a"`.'),
    ),
    (
        value("Tags", "multi_select", [{"name": "x" * 101}]),
        place("Tags", "multi_select", "[0].name.length should be ≤ `100`, instead was `101`."),
    ),
    (
        value("Kind", "select", {"name": 5}),
        place("Kind", "select", ".name should be a string, instead was `5`."),
    ),
    (
        value("Kind", "select", {"name": "A", "size": 1}),
        place("Kind", "select", ".size should be not present, instead was `1`."),
    ),
    (
        value("Kind", "select", {}),
        "body failed validation. Fix one:\n"
        f"body.properties.Kind.select.id {UNDEFINED}\nbody.properties.Kind.select.name {UNDEFINED}",
    ),
    (value("Kind", "select", {"id": "none"}), 'Select option with id "none" does not exist.'),
    (value("State", "status", {"name": 5}), place("State", "status", ".name should be a string, instead was `5`.")),
    (value("Due", "date", {}), place("Due", "date", f".start {UNDEFINED}")),
    (value("Due", "date", {"start": 5}), place("Due", "date", ".start should be a string, instead was `5`.")),
    (
        value("Due", "date", {"start": "soon"}),
        place("Due", "date", '.start should be a valid ISO 8601 date string, instead was `"soon"`.'),
    ),
    (
        value("Due", "date", {"start": "2026-03-09", "at": 5}),
        place("Due", "date", ".at should be not present, instead was `5`."),
    ),
    (
        value("Due", "date", {"start": "2026-03-09", "end": "2026-03-08"}),
        place("Due", "date", '.end should be after the start date, instead was `"2026-03-08"`.'),
    ),
    (
        value("Due", "date", {"start": "2026-03-09T10:00", "time_zone": "Mars"}),
        place("Due", "date", '.time_zone should be a valid time zone, instead was `"Mars"`.'),
    ),
    (
        value("Who", "people", [{"id": "x"}]),
        place("Who", "people", '[0].id should be a valid uuid, instead was `"x"`.'),
    ),
    (
        value("Who", "people", [{"id": ME}] * 101),
        place("Who", "people", ".length should be ≤ `100`, instead was `101`."),
    ),
    (
        value("Who", "people", [{"id": ABSENT}]),
        f"Could not find user with ID: {ABSENT}. Make sure your integration has capabilities to read user "
        "information. With those capabilities, only members and guests in the integration's workspace are visible.",
    ),
    (
        value("rel", "relation", [{"id": FIRST}] * 101),
        place("rel", "relation", ".length should be ≤ `100`, instead was `101`."),
    ),
    (value("rel", "relation", [{}]), place("rel", "relation", f"[0].id {UNDEFINED}")),
    (
        value("rel", "relation", [{"id": NOTES}]),
        f"Page with ID {NOTES} is not in the data source that rel relates to.",
    ),
    (
        value("rel", "relation", [{"id": SECRET}]),
        f"Could not find page with ID: {SECRET}. Make sure the relevant pages and databases are shared with your "
        'integration "Helper".',
    ),
    (value("files", "files", [{"name": "x"}]), place("files", "files", f"[0].external {UNDEFINED}")),
    (
        value("files", "files", [{"name": "x" * 101, "external": {"url": WEB}}]),
        place("files", "files", "[0].name.length should be ≤ `100`, instead was `101`."),
    ),
    (
        value("files", "files", [{"name": "x", "external": {"url": "x" * 2001}}]),
        place("files", "files", "[0].external.url.length should be ≤ `2000`, instead was `2001`."),
    ),
    (
        value("files", "files", [{"name": "x", "external": {"url": WEB}}] * 101),
        place("files", "files", ".length should be ≤ `100`, instead was `101`."),
    ),
    (
        {"Price": {"number": 1, "color": "red"}},
        'body failed validation: body.properties.Price.color should be not present, instead was `"red"`.',
    ),
    (
        {"Price": {"type": "title", "number": 1}},
        'body failed validation: body.properties.Price.type should be `"number"`, instead was `"title"`.',
    ),
    ({"Nope": {"number": 1}}, "Nope is not a property that exists."),
    ({"Price": {"title": []}, "Name": {"number": 1}}, "Price is expected to be number. Name is expected to be title."),
]


@pytest.mark.fact("wrong-values")
@pytest.mark.parametrize(("values", "why"), WRONG, ids=lambda each: str(each)[:60])
def test_a_value_that_does_not_fit_is_told_where(
    full: LocalApp, refusal: Refusal, values: dict[str, Any], why: str
) -> None:
    assert refusal("notion_update_page_properties", page_id=FIRST, properties=values) == why


WRITABLE = (
    *("title", "rich_text", "number", "url", "select", "multi_select", "people", "email", "phone_number", "date"),
    *("checkbox", "relation", "files", "status"),
)


@pytest.mark.fact("form-of-values")
@pytest.mark.parametrize("sent", [{}, {"type": "number"}, {"text": "x"}, "x", 5, None, []])
@pytest.mark.parametrize("name", ["Double", "Nope"])
def test_a_value_of_no_type_is_told_every_type(refusal: Refusal, name: str, sent: Any) -> None:
    said = refusal("notion_update_page_properties", page_id=FIRST, properties={name: sent})

    lines = [f"body.properties.{name}.{kind} {UNDEFINED}" for kind in WRITABLE]
    assert said == "\n".join(["body failed validation. Fix one:", *lines])


@pytest.mark.fact("values")
def test_a_new_option_is_made_once_with_the_color_it_is_given(notion: LocalApp) -> None:
    first = write(notion, Kind={"select": {"name": "B", "color": "blue"}}, Tags={"multi_select": [{"name": "b"}]})
    second = write(
        notion, SECOND, Kind={"select": {"name": "B"}}, Tags={"multi_select": [{"name": "b"}, {"name": "b"}]}
    )

    assert first["Kind"] == second["Kind"]
    assert first["Kind"]["select"] == {"id": first["Kind"]["select"]["id"], "name": "B", "color": "blue"}
    assert first["Tags"] == second["Tags"]
    options = notion.call("notion_retrieve_data_source", data_source_id=SOURCE)["properties"]
    assert options["Kind"]["select"]["options"] == [
        {"id": "k-a", "name": "A", "color": "red", "description": None},
        {**first["Kind"]["select"], "description": None},
    ]
    assert len(options["Tags"]["multi_select"]["options"]) == 1


@pytest.mark.fact("simple-values")
def test_plain_values_make_a_page(full: LocalApp, refusal: Refusal) -> None:
    values = {
        "Name": "Tea",
        "rich_text": "so",
        "Price": 3,
        "Paid": True,
        "Kind": "A",
        "State": "Done",
        "Tags": ["x", "y"],
        "Due": {"start": "2026-03-12", "end": "2026-03-13", "time_zone": None},
        "url": WEB,
        "email": None,
        "Who": BO,
        "rel": [FIRST, SECOND],
    }
    made = full.call("notion_create_data_source_item_from_values", data_source_id=SOURCE, values=values)

    shown = {name: each[each["type"]] for name, each in made["properties"].items()}
    assert (shown["Name"], shown["rich_text"], shown["Price"], shown["Paid"]) == (rich("Tea"), rich("so"), 3, True)
    assert (shown["Kind"]["id"], shown["State"]["id"], shown["Due"]) == (
        "k-a",
        "oDone",
        {"start": "2026-03-12", "end": "2026-03-13", "time_zone": None},
    )
    assert [each["name"] for each in shown["Tags"]] == ["x", "y"]
    assert (shown["url"], shown["email"], shown["Who"]) == (WEB, None, [person(BO, "Bo")])
    assert (shown["rel"], shown["No"]) == ([{"id": FIRST}, {"id": SECOND}], {"prefix": "T", "number": 4})
    assert (made["created_time"], made["created_by"], made["last_edited_by"]) == (NOW, HELPER, HELPER)

    def refused(**values: Any) -> str:
        return refusal("notion_create_data_source_item_from_values", data_source_id=SOURCE, values=values)

    assert refused(Name=5) == "Property 'Name' must be a string."
    assert refused(Price="5") == "Property 'Price' must be a number."
    assert refused(Paid=1) == "Property 'Paid' must be a boolean."
    assert refused(url=5) == "Property 'url' must be a string."
    assert refused(Who=5) == refused(Who=[5]) == "Property 'Who' must be a string or an array of strings."
    assert refused(Due={"end": "2026-03-13"}) == "Property 'Due' date value requires a string start."
    assert refused(Due=None) == "Property 'Due' must be an ISO date string or { start, end?, time_zone? }."
    assert refused(Double=1) == (
        "Property 'Double' has unsupported type 'formula' for simple value creation. "
        "Use notion_create_data_source_item with raw Notion properties."
    )
    assert refused(Nope=1) == "Unknown property 'Nope'. Use notion_inspect_data_source to list valid properties."
    tool = "notion_create_data_source_item_from_values"
    assert refusal(tool, data_source_id="", values={}) == "Missing required arguments: data_source_id and values"


@pytest.mark.fact("values")
def test_items_get_the_next_place_and_number(notion: LocalApp) -> None:
    notion.episode.db.execute("UPDATE pages SET in_trash = 1 WHERE id = ?", THIRD)

    made = notion.call(
        "notion_create_data_source_item", data_source_id=SOURCE, properties={"Name": {"title": text("N")}}
    )

    assert made["properties"]["No"]["unique_id"] == {"prefix": "T", "number": 4}
    (row,) = [change["new"] for change in notion.changes()["pages"] if change["op"] == "insert"]
    assert (row["position"], row["number"], row["parent_id"], row["parent_type"]) == (4.0, 4, SOURCE, "data_source_id")
    assert (row["workspace_id"], row["created_by"], row["edited_by"]) == ("w1", BOT, BOT)
    add(notion, No=None)
    without = notion.call("notion_create_data_source_item", data_source_id=SOURCE, properties={})
    assert notion.episode.db.scalar("SELECT number FROM pages WHERE id = ?", without["id"]) is None


# -- schemas ----------------------------------------------------------------------------------------------------------


CONFIGS: list[tuple[str, Any, Any]] = [
    *((kind, {}, {}) for kind in ("rich_text", "url", "people", "files", "email", "phone_number", "date", "checkbox")),
    *(
        (kind, {}, {})
        for kind in ("created_by", "created_time", "last_edited_by", "last_edited_time", "button", "place")
    ),
    ("number", {}, {"format": "number"}),
    ("number", {"format": "yuan"}, {"format": "yuan"}),
    ("formula", {"expression": "1 + 1"}, {"expression": "1 + 1"}),
    ("unique_id", {}, {"prefix": None}),
    ("unique_id", {"prefix": "AB"}, {"prefix": "AB"}),
    ("select", {}, {"options": []}),
    ("multi_select", {"options": []}, {"options": []}),
    (
        "relation",
        {"data_source_id": SOURCE.replace("-", ""), "single_property": {}},
        {"database_id": DATABASE, "data_source_id": SOURCE, "type": "single_property", "single_property": {}},
    ),
]


@pytest.mark.fact("schema")
@pytest.mark.parametrize(("kind", "sent", "kept"), CONFIGS)
def test_a_property_is_added_with_its_configuration(notion: LocalApp, kind: str, sent: Any, kept: Any) -> None:
    made = add(notion, New={"type": kind, kind: sent, "description": "What for"})["New"]

    assert made == {"id": made["id"], "name": "New", "description": "What for", "type": kind, kind: kept}


@pytest.mark.fact("schema")
def test_options_have_a_color_of_their_own_or_the_one_given(notion: LocalApp) -> None:
    sent = [{"name": "a", "color": "brown"}, {"name": "b"}]
    made = add(notion, New={"select": {"options": sent}})["New"]["select"]["options"]

    assert [(each["name"], each["description"]) for each in made] == [("a", None), ("b", None)]
    assert made[0]["color"] == "brown"
    assert made[1]["color"] in (
        "default",
        "gray",
        "brown",
        "orange",
        "yellow",
        "green",
        "blue",
        "purple",
        "pink",
        "red",
    )
    assert len({each["id"] for each in made}) == 2
    again = add(notion, Same={"multi_select": {"options": sent}})["Same"]["multi_select"]["options"]
    assert [each["color"] for each in again] == [each["color"] for each in made]
    # Without options the ones that are there stay.
    assert add(notion, New={"select": {}})["New"]["select"]["options"] == made


@pytest.mark.fact("options")
def test_a_new_status_has_three_options_in_three_groups(notion: LocalApp) -> None:
    status = add(notion, Stage={"status": {}})["Stage"]["status"]

    options = [(each["name"], each["color"], each["description"]) for each in status["options"]]
    assert options == [("Not started", "default", None), ("In progress", "blue", None), ("Done", "green", None)]
    assert [(each["name"], each["color"], each["option_ids"]) for each in status["groups"]] == [
        ("To-do", "gray", [status["options"][0]["id"]]),
        ("In progress", "blue", [status["options"][1]["id"]]),
        ("Complete", "green", [status["options"][2]["id"]]),
    ]
    assert add(notion, Stage={"status": {}})["Stage"]["status"] == status


KINDS = (
    *("number", "formula", "select", "multi_select", "status", "relation", "rollup", "unique_id", "title", "rich_text"),
    *("url", "people", "files", "email", "phone_number", "date", "checkbox", "created_by", "created_time"),
    *("last_edited_by", "last_edited_time", "button", "place"),
)
AT = "body failed validation: body.properties.New"
WRONG_SCHEMAS: list[tuple[Any, str]] = [
    (5, f"{AT} should be an object, instead was `5`."),
    (
        {},
        "\n".join(["body failed validation. Fix one:", *(f"body.properties.New.{kind} {UNDEFINED}" for kind in KINDS)]),
    ),
    ({"number": 5}, f"{AT}.number should be an object, instead was `5`."),
    ({"number": {}, "url": {}}, f"{AT}.url should be not present, instead was `{{}}`."),
    ({"type": "url", "number": {}}, f'{AT}.type should be `"number"`, instead was `"url"`.'),
    ({"title": {}}, "Cannot create new title property."),
    ({"formula": {}}, f"{AT}.formula.expression {UNDEFINED}"),
    ({"formula": {"expression": 5}}, f"{AT}.formula.expression should be a string, instead was `5`."),
    ({"select": {"options": 5}}, f"{AT}.select.options should be an array, instead was `5`."),
    ({"select": {"options": ["a"]}}, f'{AT}.select.options[0] should be an object, instead was `"a"`.'),
    ({"select": {"options": [{}]}}, f"{AT}.select.options[0].name {UNDEFINED}"),
    ({"select": {"options": [{"name": ""}]}}, f'{AT}.select.options[0].name should be populated, instead was `""`.'),
    ({"select": {"options": [{"name": "a,b"}]}}, "Invalid select option, commas not allowed: a,b"),
    ({"multi_select": {"options": [{"name": "a,b"}]}}, "Invalid multi_select option, commas not allowed: a,b"),
    (
        {"select": {"options": [{"name": "a", "size": 1}]}},
        f"{AT}.select.options[0].size should be not present, instead was `1`.",
    ),
    (
        {"select": {"options": [{"name": "a"}, {"name": "A"}]}},
        "body.properties.New.select.options[1]: Select option names must be unique.",
    ),
    (
        {"select": {"options": [{"name": str(n)} for n in range(101)]}},
        f"{AT}.select.options.length should be ≤ `100`, instead was `101`.",
    ),
    ({"relation": {}}, f"{AT}.relation.data_source_id {UNDEFINED}"),
    (
        {"relation": {"data_source_id": SOURCE}},
        "body failed validation. Fix one:\n"
        f"body.properties.New.relation.single_property {UNDEFINED}\n"
        f"body.properties.New.relation.dual_property {UNDEFINED}",
    ),
    (
        {"relation": {"data_source_id": ABSENT, "single_property": {}}},
        f"Could not find data_source with ID: {ABSENT}. Make sure the relevant pages and databases are shared with "
        'your integration "Helper".',
    ),
    ({"rollup": {}}, f"{AT}.rollup.function {UNDEFINED}"),
    (
        {"rollup": {"function": "sum"}},
        "body failed validation. Fix one:\n"
        f"body.properties.New.rollup.relation_property_name {UNDEFINED}\n"
        f"body.properties.New.rollup.relation_property_id {UNDEFINED}",
    ),
    (
        {"rollup": {"function": "sum", "relation_property_name": "Nope"}},
        "Could not find property with name or id: Nope",
    ),
    (
        {"rollup": {"function": "sum", "relation_property_name": "Price"}},
        "Price is expected to be relation.",
    ),
    (
        {"rollup": {"function": "sum", "relation_property_id": 5}},
        f"{AT}.rollup.relation_property_id should be a string, instead was `5`.",
    ),
]


@pytest.mark.fact("schema")
@pytest.mark.parametrize(("schema", "why"), WRONG_SCHEMAS, ids=lambda each: str(each)[:60])
def test_a_property_that_cannot_be_is_told_why(refusal: Refusal, schema: Any, why: str) -> None:
    assert refusal("notion_update_data_source", data_source_id=SOURCE, properties={"New": schema}) == why


@pytest.mark.fact("schema")
def test_a_property_is_renamed_described_and_given_another_type(notion: LocalApp, refusal: Refusal) -> None:
    changed = add(notion, Price={"name": "Cost", "description": "In pounds"}, Paid={"type": "checkbox"})

    assert changed["Cost"] == {
        "id": "n1",
        "name": "Cost",
        "description": "In pounds",
        "type": "number",
        "number": {"format": "number"},
    }
    assert changed["Paid"]["checkbox"] == {}
    assert add(notion, n1={"number": {"format": "euro"}})["Cost"]["number"] == {"format": "euro"}
    page = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]
    assert page["Cost"]["number"] == 900
    # What stood there does not fit, and is gone from every page.
    assert add(notion, Cost={"rich_text": {}})["Cost"]["rich_text"] == {}
    pages = (notion.call("notion_retrieve_page", page_id=each)["properties"] for each in (FIRST, SECOND))
    assert [each["Cost"]["rich_text"] for each in pages] == [[], []]

    def refused(**schema: Any) -> str:
        return refusal("notion_update_data_source", data_source_id=SOURCE, properties=schema)

    assert refused(Cost={"name": "Due"}) == 'Property name "Due" is already in use.'
    assert (
        refused(Cost={"name": 5})
        == "body failed validation: body.properties.Cost.name should be a string, instead was `5`."
    )
    assert refused(Name={"number": {}}) == "Cannot change the type of the title property."
    assert refused(Cost={"title": {}}) == "Cannot change the type of the title property."
    assert refused(Nope=None) == "Could not find property with name or id: Nope"
    assert add(notion, Cost={"name": "Cost"})["Cost"]["id"] == "n1"


@pytest.mark.fact("schema")
def test_a_data_source_is_changed_and_told_whole(notion: LocalApp) -> None:
    changed = notion.call(
        "notion_update_data_source", data_source_id=SOURCE, title=text("Costs"), description=text("What we pay")
    )

    head = {key: each for key, each in changed.items() if key not in ("properties", "request_id")}
    assert head == {
        "object": "data_source",
        "id": SOURCE,
        "cover": None,
        "icon": None,
        "created_time": MADE,
        "created_by": {"object": "user", "id": ME},
        "last_edited_by": HELPER,
        "last_edited_time": NOW,
        "title": rich("Costs"),
        "description": rich("What we pay"),
        "is_inline": False,
        "parent": {"type": "database_id", "database_id": DATABASE},
        "database_parent": {"type": "page_id", "page_id": HOME},
        "url": f"https://www.notion.so/{DATABASE.replace('-', '')}",
        "public_url": None,
        "in_trash": False,
    }
    database = notion.call("notion_retrieve_database", database_id=DATABASE)
    database.pop("request_id")
    assert database == {
        "object": "database",
        "id": DATABASE,
        "title": rich("Costs"),
        "description": rich("What we pay"),
        "parent": {"type": "page_id", "page_id": HOME},
        "is_inline": False,
        "in_trash": False,
        "is_locked": False,
        "created_time": "2026-01-05T08:00:00.556+00:00",
        "last_edited_time": "2026-01-05T08:00:00.556+00:00",
        "data_sources": [{"id": SOURCE, "name": "Costs"}],
        "icon": None,
        "cover": None,
        "url": f"https://www.notion.so/{DATABASE.replace('-', '')}",
        "public_url": None,
    }


@pytest.mark.fact("database")
def test_a_database_is_made_with_all_that_is_said_of_it(notion: LocalApp) -> None:
    made = notion.call(
        "notion_create_database",
        parent={"type": "page_id", "page_id": NOTES.replace("-", "")},
        title=text("Shops"),
        description=text("Where we buy"),
        is_inline=True,
        icon={"type": "emoji", "emoji": "🍞"},
        cover={"type": "external", "external": {"url": WEB}},
        initial_data_source={"properties": {"N": {"title": {}}, "Open": {"checkbox": {}}}},
    )
    made.pop("request_id")

    (source,) = made["data_sources"]
    assert made == {
        "object": "database",
        "id": made["id"],
        "title": rich("Shops"),
        "description": rich("Where we buy"),
        "parent": {"type": "page_id", "page_id": NOTES},
        "is_inline": True,
        "in_trash": False,
        "is_locked": False,
        "created_time": "2026-03-09T01:00:30.000+00:00",
        "last_edited_time": "2026-03-09T01:00:30.000+00:00",
        "data_sources": [{"id": source["id"], "name": "Shops"}],
        "icon": {"type": "emoji", "emoji": "🍞"},
        "cover": {"type": "external", "external": {"url": WEB}},
        "url": f"https://www.notion.so/{made['id'].replace('-', '')}",
        "public_url": None,
    }
    shown = notion.call("notion_retrieve_data_source", data_source_id=source["id"])
    assert (shown["title"], shown["description"], shown["is_inline"]) == (rich("Shops"), rich("Where we buy"), True)
    assert (shown["created_time"], shown["created_by"], shown["last_edited_by"]) == (NOW, HELPER, HELPER)
    assert {name: each["type"] for name, each in shown["properties"].items()} == {"N": "title", "Open": "checkbox"}
    page = notion.call("notion_retrieve_page", page_id=NOTES)
    assert (page["last_edited_time"], page["last_edited_by"]) == (NOW, HELPER)
    second = notion.call(
        "notion_create_data_source",
        parent={"type": "database_id", "database_id": made["id"]},
        title=text("More"),
        properties={"M": {"title": {}}},
    )
    listed = notion.call("notion_retrieve_database", database_id=made["id"])["data_sources"]
    assert listed == [{"id": source["id"], "name": "Shops"}, {"id": second["id"], "name": "More"}]
    # One of several data sources is renamed without its database.
    notion.call("notion_update_data_source", data_source_id=second["id"], title=text("Most"))
    assert notion.call("notion_retrieve_database", database_id=made["id"])["title"] == rich("Shops")


@pytest.mark.fact("schema")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        (
            {"parent": {"page_id": "x"}},
            'body failed validation: body.parent.page_id should be a valid uuid, instead was `"x"`.',
        ),
        (
            {"parent": {"page_id": HOME, "x": 1}},
            "body failed validation: body.parent.x should be not present, instead was `1`.",
        ),
        (
            {"parent": {}},
            f"body failed validation. Fix one:\nbody.parent.page_id {UNDEFINED}\nbody.parent.workspace {UNDEFINED}",
        ),
        (
            {"parent": {"workspace": True}},
            "Internal integrations aren't owned by a single user, so creating workspace-level private pages is not "
            "supported.",
        ),
        (
            {"parent": {"page_id": SECRET}},
            f"Could not find page with ID: {SECRET}. Make sure the relevant pages and databases are shared with your "
            'integration "Helper".',
        ),
        (
            {"parent": {"block_id": ABSENT}},
            f"Could not find block with ID: {ABSENT}. Make sure the relevant pages and databases are shared with your "
            'integration "Helper".',
        ),
        ({"initial_data_source": {"properties": {}}}, "Title is not provided"),
        (
            {"initial_data_source": {"properties": {"A": {"title": {}}, "B": {"title": {}}}}},
            "Only one title property is allowed",
        ),
        (
            {"icon": {}},
            f"body failed validation. Fix one:\nbody.icon.emoji {UNDEFINED}\nbody.icon.external {UNDEFINED}",
        ),
        ({"cover": {}}, f"body failed validation: body.cover.external {UNDEFINED}"),
    ],
)
def test_a_database_that_cannot_be_is_told_why(refusal: Refusal, given: dict[str, Any], why: str) -> None:
    usual = {"parent": {"page_id": HOME}, "initial_data_source": {"properties": {"N": {"title": {}}}}}

    assert refusal("notion_create_database", **{**usual, **given}) == why


@pytest.mark.fact("trash-edit")
def test_nothing_is_made_in_what_lies_in_the_trash(notion: LocalApp, refusal: Refusal) -> None:
    schema: dict[str, Any] = {"N": {"title": {}}}
    notion.call("notion_delete_block", block_id=DATABASE)
    below = "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page."
    own = "Can't edit block that is archived. You must unarchive the block before editing."

    assert refusal("notion_create_data_source_item", data_source_id=SOURCE, properties={}) == below
    assert refusal("notion_update_page_properties", page_id=FIRST, properties={"Price": {"number": 1}}) == below
    assert refusal("notion_update_data_source", data_source_id=SOURCE, title=text("x")) == below
    assert refusal("notion_create_data_source", parent={"database_id": DATABASE}, properties=schema) == own
    assert refusal("notion_delete_block", block_id=DATABASE) == own
    shown = notion.call("notion_retrieve_database", database_id=DATABASE)
    assert shown["in_trash"] is True
    assert notion.call("notion_retrieve_data_source", data_source_id=SOURCE)["in_trash"] is True
    assert notion.call("notion_retrieve_page", page_id=FIRST)["in_trash"] is True
    # A database says when it was edited, and not by whom.
    assert shown["last_edited_time"] == "2026-03-09T01:00:30.000+00:00"
    back = notion.call("notion_update_block", block_id=DATABASE, block={"in_trash": False})
    assert (back["type"], back["in_trash"], back["child_database"]) == ("child_database", False, {"title": "Bills"})
    assert notion.call("notion_retrieve_page", page_id=FIRST)["in_trash"] is False


# -- rollups ----------------------------------------------------------------------------------------------------------


NUMBERS: list[tuple[str, str, Any]] = [
    ("Price", "count", 3),
    ("Price", "count_values", 2),
    ("Price", "empty", 1),
    ("Price", "not_empty", 2),
    ("Price", "unique", 2),
    ("Price", "sum", 912.5),
    ("Price", "average", 456.25),
    ("Price", "median", 456.25),
    ("Price", "min", 12.5),
    ("Price", "max", 900),
    ("Price", "range", 887.5),
    ("Price", "percent_empty", 1 / 3),
    ("Price", "percent_not_empty", 2 / 3),
    ("Price", "count_per_group", None),
    ("Paid", "checked", 1),
    ("Paid", "unchecked", 2),
    ("Paid", "percent_checked", 1 / 3),
    ("Paid", "percent_unchecked", 2 / 3),
    ("Tags", "count_values", 3),
    ("Tags", "unique", 2),
    ("Name", "count_values", 3),
    ("Name", "sum", 0),
    ("Name", "average", None),
    ("Due", "count_values", 2),
]
DATES: list[tuple[str, dict[str, Any] | None]] = [
    ("earliest_date", {"start": "2026-03-09T20:00:00.000+08:00", "end": None, "time_zone": None}),
    ("latest_date", {"start": "2026-04-02", "end": None, "time_zone": None}),
    ("date_range", {"start": "2026-03-09T20:00:00.000+08:00", "end": "2026-04-02", "time_zone": None}),
]


def rolled(notion: LocalApp, of: str, function: str, *related: str) -> Any:
    """Return what the first page shows of a rollup over its relation to others."""
    add(notion, rel={"relation": {"data_source_id": SOURCE, "single_property": {}}})
    write(notion, SECOND, Tags={"multi_select": [{"name": "x"}, {"name": "y"}]})
    write(notion, THIRD, Tags={"multi_select": [{"name": "x"}]})
    write(notion, Due={"date": {"start": "2026-03-31", "end": "2026-04-02"}})
    roll = {"relation_property_name": "rel", "rollup_property_name": of, "function": function}
    made = add(notion, roll={"rollup": roll})
    config = made["roll"]["rollup"]
    assert config == {**roll, "relation_property_id": made["rel"]["id"], "rollup_property_id": made[of]["id"]}
    return write(notion, rel={"relation": [{"id": each} for each in related]})["roll"]["rollup"]


@pytest.mark.fact("relations")
@pytest.mark.parametrize(("of", "function", "value"), NUMBERS)
def test_a_rollup_comes_to_a_number(notion: LocalApp, of: str, function: str, value: Any) -> None:
    found = rolled(notion, of, function, FIRST, SECOND, THIRD)

    assert found == {"type": "number", "number": pytest.approx(value) if value else value, "function": function}


@pytest.mark.fact("relations")
@pytest.mark.parametrize(("function", "value"), DATES)
def test_a_rollup_comes_to_a_date(notion: LocalApp, function: str, value: Any) -> None:
    assert rolled(notion, "Due", function, FIRST, SECOND, THIRD) == {
        "type": "date",
        "date": value,
        "function": function,
    }


@pytest.mark.fact("relations")
@pytest.mark.parametrize(
    ("of", "function", "value"),
    [
        ("Price", "sum", {"type": "number", "number": 0}),
        ("Price", "average", {"type": "number", "number": None}),
        ("Price", "percent_empty", {"type": "number", "number": None}),
        ("Price", "count", {"type": "number", "number": 0}),
        ("Due", "date_range", {"type": "date", "date": None}),
        ("Price", "show_original", {"type": "array", "array": []}),
    ],
)
def test_a_rollup_over_nothing_comes_to_nothing(notion: LocalApp, of: str, function: str, value: Any) -> None:
    assert rolled(notion, of, function) == {**value, "function": function}


@pytest.mark.fact("relations")
def test_a_rollup_shows_what_is_there_once_or_as_often(notion: LocalApp) -> None:
    write(notion, THIRD, Price={"number": 900})
    first, other = {"type": "number", "number": 900}, {"type": "number", "number": 12.5}

    everything = rolled(notion, "Price", "show_original", THIRD, SECOND, FIRST)
    assert everything == {"type": "array", "array": [first, other, first], "function": "show_original"}
    once = rolled(notion, "Price", "show_unique", THIRD, SECOND, FIRST)
    assert once == {"type": "array", "array": [other, first], "function": "show_unique"} or once == {
        "type": "array",
        "array": [first, other],
        "function": "show_unique",
    }
    notion.call("notion_delete_block", block_id=THIRD)
    shown = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]["roll"]["rollup"]
    assert len(shown["array"]) == 2


# -- people and comments ----------------------------------------------------------------------------------------------


@pytest.mark.fact("users")
def test_an_id_is_parsed_as_a_part_of_its_address(notion: LocalApp, refusal: Refusal) -> None:
    for led in (f"{BO} \x00 ", f"{BO}?x ", f"./{BO}", f"../users/{BO}", f"..\\people/../users/{BO}", f"a/%2e%2E/{BO}"):
        assert notion.call("notion_retrieve_user", user_id=led)["id"] == BO
    assert notion.call("notion_retrieve_user", user_id="../users") == notion.call("notion_list_all_users")

    for elsewhere in ("..", f"{BO}/.", f"../pages/{BO}", f"../../{BO}", f"{BO}/children"):
        assert "Invalid request URL." in refusal("notion_retrieve_user", user_id=elsewhere)
    # A space before the id, or before what follows it, is part of the address.
    assert "path.user_id should be a valid uuid" in refusal("notion_retrieve_user", user_id=f" {BO}")
    assert "path.block_id should be a valid uuid" in refusal("notion_retrieve_block_children", block_id=f"{FIRST} ")


@pytest.mark.fact("users")
def test_users_are_told_whole(notion: LocalApp) -> None:
    other = "0b400000-0000-4000-8000-000000000000"
    notion.episode.db.insert("users", id=other, workspace_id="w1", type="bot", name="Another")
    notion.episode.db.insert("users", id=ABSENT, workspace_id="w1", name="Ann")

    listed = notion.call("notion_list_all_users")
    listed.pop("request_id")
    assert listed == {
        "object": "list",
        "results": [
            {"object": "user", "id": ABSENT, "name": "Ann", "avatar_url": None, "type": "person", "person": {}},
            person(BO, "Bo"),
            person(ME, "Me"),
            {"object": "user", "id": other, "name": "Another", "avatar_url": None, "type": "bot", "bot": {}},
            HELPER_WHOLE,
        ],
        "next_cursor": None,
        "has_more": False,
        "type": "user",
        "user": {},
    }
    few = notion.call("notion_list_all_users", page_size=2)
    assert ([each["id"] for each in few["results"]], few["next_cursor"], few["has_more"]) == ([ABSENT, BO], ME, True)
    rest = notion.call("notion_list_all_users", start_cursor=ME)
    assert ([each["id"] for each in rest["results"]], rest["has_more"]) == ([ME, other, BOT], False)
    one = notion.call("notion_retrieve_user", user_id=BO.replace("-", ""))
    assert one == {**person(BO, "Bo"), "request_id": one["request_id"]}
    for broken in (f"{BO}\n", f"\t{BO}", f"{BO[:8]}\r\n{BO[8:]}"):
        # The address of the request has no line ends and tabs.
        assert notion.call("notion_retrieve_user", user_id=broken)["id"] == BO
    assert notion.call("notion_retrieve_user", user_id="me")["id"] == BOT
    own = notion.call("notion_retrieve_bot_user")
    assert own == {**HELPER_WHOLE, "request_id": own["request_id"]}


@pytest.mark.fact("users")
def test_only_users_of_the_workspace_are_found(notion: LocalApp, refusal: Refusal) -> None:
    notion.episode.db.insert("workspaces", id="w2", name="Other")
    notion.episode.db.insert("users", id=ABSENT, workspace_id="w2", name="Ann")

    assert refusal("notion_retrieve_user", user_id=ABSENT).startswith(f"Could not find user with ID: {ABSENT}. ")
    assert len(notion.call("notion_list_all_users")["results"]) == 3
    said = {"type": "mention", "mention": {"type": "user", "user": {"object": "user", "id": ABSENT}}}
    made = notion.call("notion_create_comment", parent={"page_id": HOME}, rich_text=[said])
    assert made["rich_text"][0]["plain_text"] == "@Anonymous"


@pytest.mark.fact("comments")
def test_a_comment_is_told_whole(notion: LocalApp, refusal: Refusal) -> None:
    made = notion.call("notion_create_comment", parent={"type": "page_id", "page_id": HOME}, rich_text=text("one"))
    shown = {key: each for key, each in made.items() if key != "request_id"}
    assert shown == {
        "object": "comment",
        "id": made["id"],
        "parent": {"type": "page_id", "page_id": HOME},
        "discussion_id": made["discussion_id"],
        "created_time": NOW,
        "last_edited_time": NOW,
        "created_by": HELPER,
        "rich_text": rich("one"),
        "display_name": {"type": "integration", "resolved_name": "Helper"},
    }
    on_block = notion.call("notion_create_comment", parent={"block_id": LINES[0]}, rich_text=text("two"))
    answer = notion.call("notion_create_comment", discussion_id=on_block["discussion_id"], rich_text=text("three"))
    assert on_block["discussion_id"] != made["discussion_id"]
    assert answer["parent"] == on_block["parent"] == {"type": "block_id", "block_id": LINES[0]}
    notion.episode.db.update("comments", {"id": answer["id"]}, created_by=BO)

    def said(block_id: str, **more: Any) -> dict[str, Any]:
        listed: dict[str, Any] = notion.call("notion_retrieve_comments", block_id=block_id, **more)
        return listed

    page = said(HOME)
    page.pop("request_id")
    assert page == {
        "object": "list",
        "results": [shown],
        "next_cursor": None,
        "has_more": False,
        "type": "comment",
        "comment": {},
    }
    both = said(LINES[0])["results"]
    assert [each["id"] for each in both] == [on_block["id"], answer["id"]]
    assert both[1]["display_name"] == {"type": "user", "resolved_name": "Bo"}
    first = said(LINES[0], page_size=1)
    assert (first["next_cursor"], first["has_more"]) == (answer["id"], True)
    assert [each["id"] for each in said(LINES[0], start_cursor=answer["id"])["results"]] == [answer["id"]]
    assert refusal("notion_retrieve_comments", block_id="x") == (
        'query failed validation: query.block_id should be a valid uuid, instead was `"x"`.'
    )
    assert refusal("notion_retrieve_comments", block_id="") == "Missing required argument: block_id"


@pytest.mark.fact("comments")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"parent": {}}, f"body failed validation: body.parent.page_id {UNDEFINED}"),
        (
            {"parent": {"page_id": HOME, "x": 1}},
            "body failed validation: body.parent.x should be not present, instead was `1`.",
        ),
        (
            {"parent": {"page_id": HOME}, "rich_text": []},
            "body failed validation: body.rich_text.length should be ≥ `1`, instead was `0`.",
        ),
        (
            {"parent": {"page_id": SECRET}},
            f"Could not find page with ID: {SECRET}. Make sure the relevant pages and databases are shared with your "
            'integration "Helper".',
        ),
        (
            {"discussion_id": ABSENT},
            f"Could not find discussion with ID: {ABSENT}. Make sure the relevant pages and databases are shared with "
            'your integration "Helper".',
        ),
        (
            {"discussion_id": "x"},
            'body failed validation: body.discussion_id should be a valid uuid, instead was `"x"`.',
        ),
        ({"discussion_id": ""}, "Either parent.page_id or discussion_id must be provided"),
    ],
)
def test_a_comment_that_cannot_be_is_told_why(refusal: Refusal, given: dict[str, Any], why: str) -> None:
    assert refusal("notion_create_comment", **{"rich_text": text("x"), **given}) == why


@pytest.mark.fact("absent")
def test_an_id_of_another_kind_is_told_so(refusal: Refusal) -> None:
    shared = 'Make sure the relevant pages and databases are shared with your integration "Helper".'

    assert refusal("notion_retrieve_page", page_id=LINES[0]) == (
        f"Provided ID {LINES[0]} is a block, not a page. Use the retrieve block API instead."
    )
    assert refusal("notion_retrieve_page", page_id=DATABASE) == (
        f"Provided ID {DATABASE} is a database, not a page. Use the retrieve database API instead."
    )
    assert refusal("notion_retrieve_database", database_id=HOME) == (
        f"Provided database_id {HOME} is a page, not a database. Use the retrieve page API instead."
    )
    assert (
        refusal("notion_retrieve_database", database_id=ABSENT)
        == f"Could not find database with ID: {ABSENT}. {shared}"
    )
    assert refusal("notion_retrieve_data_source", data_source_id=DATABASE) == (
        f"Could not find data_source with ID: {DATABASE}. {shared}"
    )
    assert refusal("notion_retrieve_block", block_id=SECRET) == f"Could not find block with ID: {SECRET}. {shared}"


@pytest.mark.fact("bad-id")
@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("a/b", "Invalid request URL."),
        ("a\\b", "Invalid request URL."),
        ("..", "Invalid request URL."),
        (".", "Invalid request URL."),
        ("?x", "Invalid request URL."),
        ("#x", "Invalid request URL."),
        ("a%20b", 'path failed validation: path.page_id should be a valid uuid, instead was `"a b"`.'),
        ("abc?x", 'path failed validation: path.page_id should be a valid uuid, instead was `"abc"`.'),
        ("x" * 56, f'path failed validation: path.page_id should be a valid uuid, instead was `"{"x" * 56}"`.'),
        ("x" * 57, f'path failed validation: path.page_id should be a valid uuid, instead was `"{"x" * 54}...`.'),
    ],
)
def test_an_id_is_what_is_left_of_an_address(refusal: Refusal, given: str, why: str) -> None:
    assert refusal("notion_retrieve_page", page_id=given) == why


@pytest.mark.fact("bad-id")
@pytest.mark.parametrize("given", [HOME.upper(), HOME.replace("-", ""), f"{HOME}?pvs=4", f"{HOME}#x"])
def test_an_id_is_taken_in_any_form(notion: LocalApp, given: str) -> None:
    assert notion.call("notion_retrieve_page", page_id=given)["id"] == HOME


@pytest.mark.fact("optional-members")
@pytest.mark.parametrize(
    ("size", "why"),
    [
        (101, "should be ≤ `100` or `undefined`, instead was `101`."),
        (-1, "should be ≥ `1` or `undefined`, instead was `-1`."),
        (1.5, "should be an integer or `undefined`, instead was `1.5`."),
    ],
)
def test_a_page_of_results_has_a_size(notion: LocalApp, refusal: Refusal, size: float, why: str) -> None:
    assert refusal("notion_retrieve_block_children", block_id=HOME, page_size=size) == (
        f"query failed validation: query.page_size {why}"
    )
    assert refusal("notion_search", page_size=size) == f"body failed validation: body.page_size {why}"
    assert len(notion.call("notion_retrieve_block_children", block_id=HOME, page_size=0)["results"]) == 6


@pytest.mark.fact("optional-members")
@pytest.mark.parametrize(
    ("tool", "needed"),
    [
        ("notion_retrieve_page", ("page_id",)),
        ("notion_read_page", ("page_id",)),
        ("notion_retrieve_block", ("block_id",)),
        ("notion_retrieve_block_children", ("block_id",)),
        ("notion_delete_block", ("block_id",)),
        ("notion_inspect_data_source", ("data_source_id",)),
        ("notion_query_data_source", ("data_source_id",)),
        ("notion_retrieve_user", ("user_id",)),
    ],
)
def test_an_empty_id_is_missing(refusal: Refusal, tool: str, needed: tuple[str, ...]) -> None:
    assert refusal(tool, **dict.fromkeys(needed, "")) == f"Missing required argument: {needed[0]}"


@pytest.mark.fact("envelope")
def test_the_interactive_apps_only_say_where_they_are(notion: LocalApp) -> None:
    assert notion.call("notion_open_data_source_app") == {
        "object": "notion_mcp_app",
        "app": "data_source_explorer",
        "resource_uri": "ui://notion/data-source-explorer",
        "fallback": "Use notion_inspect_data_source, notion_query_data_source_by_values, and "
        "notion_create_data_source_item_from_values when the host does not support MCP Apps.",
    }
    assert notion.call("notion_open_page_workbench", page_id="any") == {
        "object": "notion_mcp_app",
        "app": "page_workbench",
        "resource_uri": "ui://notion/page-workbench",
        "page_id": "any",
        "fallback": "Use notion_read_page, notion_update_content, notion_update_content_batch, and "
        "notion_append_markdown when the host does not support MCP Apps.",
    }
    assert notion.call("notion_open_data_source_app", data_source_id="x")["data_source_id"] == "x"
    assert "page_id" not in notion.call("notion_open_page_workbench")

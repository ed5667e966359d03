"""Databases and data sources: schemas, queries, relations."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.notion.conftest import BO, DATABASE, FIRST, HOME, NOTES, SECOND, SOURCE, THIRD, Refusal

NAMES = {FIRST: "Rent", SECOND: "Lamp oil", THIRD: "Books"}


def found(notion: LocalApp, **query: Any) -> list[str]:
    listed = notion.call("notion_query_data_source", data_source_id=SOURCE, response_mode="full", **query)
    return [NAMES[each["id"]] for each in listed["results"]]


def where(name: str, kind: str, **condition: Any) -> dict[str, Any]:
    return {"property": name, kind: condition}


@pytest.mark.fact("query")
def test_without_sorts_the_newest_come_first(notion: LocalApp) -> None:
    assert found(notion) == ["Books", "Lamp oil", "Rent"]
    first = notion.call("notion_query_data_source", data_source_id=SOURCE, page_size=1)
    assert first["next_cursor"].startswith("s:")
    assert first["next_cursor"].endswith(SECOND)
    assert found(notion, start_cursor=first["next_cursor"]) == ["Lamp oil", "Rent"]


@pytest.mark.fact("query")
def test_an_empty_value_equals_nothing(notion: LocalApp) -> None:
    assert found(notion, filter=where("State", "status", does_not_equal="Open")) == ["Books", "Lamp oil"]
    assert found(notion, filter=where("Price", "number", does_not_equal=900)) == ["Books", "Lamp oil"]


@pytest.mark.fact("filters")
@pytest.mark.parametrize(
    ("condition", "names"),
    [
        (where("Name", "title", contains="LAMP"), ["Lamp oil"]),
        (where("Name", "rich_text", starts_with="b"), ["Books"]),
        (where("Price", "number", greater_than=12), ["Lamp oil", "Rent"]),
        (where("Price", "number", is_empty=True), ["Books"]),
        (where("Paid", "checkbox", equals=False), ["Books", "Rent"]),
        (where("State", "status", equals="Done"), ["Lamp oil"]),
        (where("Who", "people", contains=BO), ["Books"]),
        (where("Due", "date", on_or_before="2026-03-09"), ["Lamp oil"]),
        (where("Due", "date", after="2026-03-09T11:59:00Z"), ["Lamp oil", "Rent"]),
        (where("Due", "date", after="2026-03-09T12:01:00Z"), ["Rent"]),
        (where("Due", "date", next_month={}), ["Lamp oil", "Rent"]),
        (where("Due", "date", this_week={}), ["Lamp oil"]),
        (where("Double", "formula", number={"less_than": 100}), ["Lamp oil"]),
        (where("No", "unique_id", equals=3), ["Books"]),
        ({"timestamp": "created_time", "created_time": {"past_week": {}}}, []),
        ({"or": [where("Name", "title", equals="rent"), where("Paid", "checkbox", equals=True)]}, ["Lamp oil", "Rent"]),
        ({"and": [where("Name", "title", contains="o"), {"or": [where("Price", "number", is_empty=True)]}]}, ["Books"]),
    ],
)
def test_filters_go_by_type(notion: LocalApp, condition: dict[str, Any], names: list[str]) -> None:
    assert found(notion, filter=condition) == names


@pytest.mark.fact("filters")
def test_filters_that_do_not_fit_are_refused(refusal: Refusal) -> None:
    def refused(condition: dict[str, Any]) -> str:
        return refusal("notion_query_data_source", data_source_id=SOURCE, filter=condition)

    assert refused(where("Nope", "title", equals="x")) == "Could not find property with name or id: Nope"
    assert "database property number does not match filter select" in refused(where("Price", "select", equals="x"))
    deep = {"and": [{"or": [{"and": [where("Name", "title", equals="x")]}]}]}
    assert refused(deep).startswith("body failed validation: body.filter.and[0].or[0].and should be not present")
    assert refused({}).startswith("body failed validation. Fix one:\nbody.filter.or should be defined")


@pytest.mark.fact("query")
def test_sorts_put_what_is_empty_last(notion: LocalApp) -> None:
    assert found(notion, sorts=[{"property": "Price", "direction": "ascending"}]) == ["Lamp oil", "Rent", "Books"]
    assert found(notion, sorts=[{"property": "Price", "direction": "descending"}]) == ["Rent", "Lamp oil", "Books"]
    assert found(notion, sorts=[{"property": "Name", "direction": "ascending"}]) == ["Books", "Lamp oil", "Rent"]


@pytest.mark.fact("simple-queries")
def test_simple_filters_become_the_api_s(notion: LocalApp, refusal: Refusal) -> None:
    def simple(*filters: dict[str, Any], **more: Any) -> list[str]:
        given = {"data_source_id": SOURCE, "filters": [*filters], **more}
        listed = notion.call("notion_query_data_source_by_values", **given)
        return [NAMES[each["id"]] for each in listed["results"]]

    assert simple({"property": "Name", "value": "o"}, {"property": "Paid", "value": True}) == ["Lamp oil"]
    assert simple({"property": "Name", "value": "rent"}, {"property": "Paid", "value": True}, match="any") == [
        *("Lamp oil", "Rent")
    ]
    refused = refusal(
        "notion_query_data_source_by_values",
        data_source_id=SOURCE,
        filters=[{"property": "Due", "operator": "contains", "value": "x"}],
    )
    assert refused.startswith("Property 'Due' does not support operator 'contains'. Allowed operators: equals, before,")


@pytest.mark.fact("database")
def test_a_database_is_made_with_one_data_source(notion: LocalApp) -> None:
    made = notion.call(
        "notion_create_database",
        parent={"type": "page_id", "page_id": NOTES},
        initial_data_source={"properties": {"N": {"title": {}}}},
    )

    assert list(made) == [
        *("object", "id", "title", "description", "parent", "is_inline", "in_trash", "is_locked", "created_time"),
        *("last_edited_time", "data_sources", "icon", "cover", "url", "public_url", "request_id"),
    ]
    (source,) = made["data_sources"]
    assert (made["title"][0]["plain_text"], source["name"]) == ("New database", "New database")
    shown = notion.call("notion_retrieve_data_source", data_source_id=source["id"])
    assert (shown["title"], shown["properties"]["N"]["id"]) == ([], "title")
    assert notion.call("notion_retrieve_block_children", block_id=NOTES)["results"][0]["id"] == made["id"]


@pytest.mark.fact("schema")
def test_a_schema_has_exactly_one_title(refusal: Refusal) -> None:
    schemas: tuple[dict[str, Any], ...] = ({}, {"A": {"title": {}}, "B": {"title": {}}})
    for properties in schemas:
        said = refusal(
            "notion_create_database", parent={"page_id": HOME}, initial_data_source={"properties": properties}
        )
        assert "itle" in said
    assert refusal("notion_update_data_source", data_source_id=SOURCE, properties={"Name": None}) == (
        "Cannot delete title property."
    )


@pytest.mark.fact("schema")
def test_a_property_keeps_its_id_when_it_is_renamed(notion: LocalApp) -> None:
    changes: dict[str, Any] = {"Price": {"name": "Cost"}, "Paid": None, "New": {"email": {}}}
    changed = notion.call("notion_update_data_source", data_source_id=SOURCE, properties=changes)["properties"]

    assert (changed["Cost"]["id"], "Paid" in changed, changed["New"]["type"]) == ("n1", False, "email")
    shown = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]
    assert (shown["Cost"]["number"], shown["New"]["email"]) == (900, None)


@pytest.mark.fact("relations")
def test_a_dual_relation_has_another_side_that_follows(notion: LocalApp) -> None:
    made = notion.call(
        "notion_create_data_source",
        parent={"database_id": DATABASE},
        title=[{"type": "text", "text": {"content": "Shops"}}],
        properties={"Shop": {"title": {}}, "Bills": {"relation": {"data_source_id": SOURCE, "dual_property": {}}}},
    )
    values = {"Shop": "Corner", "Bills": [FIRST, SECOND]}
    shop = notion.call("notion_create_data_source_item_from_values", data_source_id=made["id"], values=values)

    def other() -> list[dict[str, str]]:
        shown = notion.call("notion_retrieve_page", page_id=FIRST)["properties"]["Related to Shops (Bills)"]
        assert shown["has_more"] is False
        return list(shown["relation"])

    assert other() == [{"id": shop["id"]}]
    notion.call("notion_update_page_properties", page_id=shop["id"], properties={"Bills": {"relation": []}})
    assert other() == []


@pytest.mark.fact("relations")
def test_a_rollup_is_reckoned_over_a_relation(notion: LocalApp) -> None:
    made = notion.call(
        "notion_create_data_source",
        parent={"database_id": DATABASE},
        properties={
            "Shop": {"title": {}},
            "Sum": {"rollup": {"relation_property_name": "Bills", "rollup_property_name": "Price", "function": "sum"}},
            "Bills": {"relation": {"data_source_id": SOURCE, "single_property": {}}},
        },
    )
    values = {"Shop": "Corner", "Bills": [FIRST, SECOND]}
    shop = notion.call("notion_create_data_source_item_from_values", data_source_id=made["id"], values=values)

    assert shop["properties"]["Sum"]["rollup"] == {"type": "number", "number": 912.5, "function": "sum"}

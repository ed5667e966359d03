"""Bases, their tables and fields."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.lark import workspace as w
from tests.conftest import Start

BASE = {"app_token": w.TRACKER}
TABLE = {**BASE, "table_id": w.ISSUES}


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def code_of_refusal(lark: LocalApp, tool: str, **arguments: Any) -> object:
    before = lark.changes()
    with pytest.raises(VendorError) as refused:
        lark.call(tool, **arguments)
    assert lark.changes() == before
    return refused.value.code


def field(name: str, kind: int = 1, **more: Any) -> dict[str, Any]:
    return {"field_name": name, "type": kind, **more}


def create_table(lark: LocalApp, *fields: dict[str, Any], name: str = "New", **more: Any) -> dict[str, Any]:
    table = {"name": name, **more}
    if fields:
        table["fields"] = list(fields)
    body: dict[str, Any] = lark.call("bitable_v1_appTable_create", path=BASE, data={"table": table})
    return body


def fields_of(lark: LocalApp, table_id: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = lark.call(
        "bitable_v1_appTableField_list", path={**BASE, "table_id": table_id}, params={"page_size": 100}
    )["items"]
    return items


@pytest.mark.fact("base-envelope")
def test_a_refusal_with_status_200_is_no_error_to_the_server(lark: LocalApp) -> None:
    result = lark.result("bitable_v1_appTable_list", path={"app_token": "x" * 27})

    assert "isError" not in result
    body = json.loads(result["content"][0]["text"])
    assert list(body) == ["code", "msg", "error"]
    assert (body["code"], body["msg"], list(body["error"])) == (1254040, "BaseTokenNotFound", ["log_id"])


@pytest.mark.fact("base-envelope")
def test_a_refusal_with_status_403_is_an_error(lark: LocalApp) -> None:
    result = lark.result("bitable_v1_appTable_list", path={"app_token": w.HIDDEN})

    assert result["isError"]
    assert json.loads(result["content"][0]["text"])["code"] == 91403


@pytest.mark.fact("base-create")
def test_a_new_base_is_mine_and_has_one_table_of_ten_empty_rows(lark: LocalApp) -> None:
    app = lark.call("bitable_v1_app_create", data={"name": "Budget", "folder_token": w.MY_FOLDER})["app"]

    assert list(app) == ["app_token", "default_table_id", "folder_token", "name", "time_zone", "url"]
    assert app["url"] == f"https://acme.feishu.cn/base/{app['app_token']}"
    path = {"app_token": app["app_token"]}
    tables = lark.call("bitable_v1_appTable_list", path=path)
    assert [table["table_id"] for table in tables["items"]] == [app["default_table_id"]]
    search = lark.call("bitable_v1_appTableRecord_search", path={**path, "table_id": app["default_table_id"]}, data={})
    assert search["total"] == 10
    assert [row["fields"] for row in search["items"]] == [{}] * 10


@pytest.mark.fact("base-create")
def test_a_record_of_a_new_base_comes_behind_its_empty_rows(lark: LocalApp) -> None:
    app = lark.call("bitable_v1_app_create", data={})["app"]
    path = {"app_token": app["app_token"], "table_id": app["default_table_id"]}
    made = lark.call("bitable_v1_appTableRecord_create", path=path, data={"fields": {"文本": "rent"}})["record"]

    items = lark.call("bitable_v1_appTableRecord_search", path=path, data={})["items"]

    assert [item["record_id"] for item in items][10:] == [made["record_id"]]


@pytest.mark.fact("table-create")
def test_a_table_made_for_itself_has_no_rows(lark: LocalApp) -> None:
    path = {"app_token": w.TRACKER}
    made = lark.call("bitable_v1_appTable_create", path=path, data={"table": {"name": "Costs"}})

    path["table_id"] = made["table_id"]
    assert lark.call("bitable_v1_appTableRecord_search", path=path, data={})["total"] == 0


@pytest.mark.fact("base-create-refusals")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"name": "x" * 256}, 1254031),
        ({"time_zone": "Mars/Olympus"}, 1254800),
        ({"time_zone": "../etc"}, 1254800),
        ({"folder_token": "fldcnNowhere"}, 1254702),
        ({"folder_token": w.BO_FOLDER}, 1254701),
    ],
)
def test_a_base_is_refused(lark: LocalApp, data: dict[str, str], code: int) -> None:
    assert code_of_refusal(lark, "bitable_v1_app_create", data=data) == code


@pytest.mark.fact("base-access")
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ({"app_token": "no/token", "table_id": w.ISSUES}, 1254003),
        ({"app_token": "x" * 27, "table_id": w.ISSUES}, 1254040),
        ({"app_token": w.PLAN, "table_id": w.ISSUES}, 1254040),
        ({"app_token": w.HIDDEN, "table_id": w.ISSUES}, 91403),
        ({"app_token": w.TRACKER, "table_id": "Issues"}, 1254004),
        ({"app_token": w.TRACKER, "table_id": "tblNowhere"}, 1254041),
        ({"app_token": w.READ_ONLY, "table_id": w.ISSUES}, 1254041),
    ],
)
def test_base_and_table_are_found_before_anything_else(lark: LocalApp, path: dict[str, str], code: int) -> None:
    assert code_of_refusal(lark, "bitable_v1_appTableField_list", path=path) == code
    assert code_of_refusal(lark, "bitable_v1_appTableRecord_search", path=path) == code


@pytest.mark.fact("base-access")
def test_a_base_one_may_only_read_takes_no_writes(lark: LocalApp) -> None:
    path = {"app_token": w.READ_ONLY, "table_id": w.EMPTY}

    assert lark.call("bitable_v1_appTableRecord_search", path=path, data={})["total"] == 0
    assert code_of_refusal(lark, "bitable_v1_appTableRecord_create", path=path, data={"fields": {}}) == 1254302
    assert code_of_refusal(lark, "bitable_v1_appTable_create", path=path, data={"table": {"name": "x"}}) == 1254302


@pytest.mark.fact("table-list")
def test_tables_come_in_pages_behind_the_last_ones_id(lark: LocalApp) -> None:
    first = lark.call("bitable_v1_appTable_list", path=BASE, params={"page_size": 1})
    second = lark.call("bitable_v1_appTable_list", path=BASE, params={"page_token": first["page_token"]})

    assert first == {
        "has_more": True,
        "page_token": w.ISSUES,
        "total": 2,
        "items": [{"table_id": w.ISSUES, "revision": 1, "name": "Issues"}],
    }
    assert ([table["name"] for table in second["items"]], second["has_more"]) == (["People"], False)


@pytest.mark.fact("base-pages")
@pytest.mark.parametrize("tool", ["bitable_v1_appTable_list", "bitable_v1_appTableField_list"])
@pytest.mark.parametrize(
    ("params", "code"),
    [({"page_size": 0}, 1254011), ({"page_size": 101}, 99992402), ({"page_token": "tblNowhere"}, 1254002)],
)
def test_a_page_out_of_range_is_refused(lark: LocalApp, tool: str, params: dict[str, Any], code: int) -> None:
    path = BASE if tool.endswith("Table_list") else TABLE

    assert code_of_refusal(lark, tool, path=path, params=params) == code


@pytest.mark.fact("field-list")
def test_fields_are_shown_with_their_properties(lark: LocalApp) -> None:
    body = lark.call("bitable_v1_appTableField_list", path=TABLE, params={"page_size": 3})

    assert list(body) == ["has_more", "items", "page_token", "total"]
    assert (body["has_more"], body["page_token"], body["total"]) == (True, "fldState00", 20)
    assert body["items"][0] == {
        "field_id": "fldTitle00",
        "field_name": "Title",
        "is_primary": True,
        "property": None,
        "type": 1,
        "ui_type": "Text",
    }
    assert body["items"][2]["property"]["options"][0] == {"color": 0, "id": "optOpen", "name": "open"}


@pytest.mark.fact("field-list")
def test_a_view_says_which_fields_it_hides(lark: LocalApp) -> None:
    body = lark.call("bitable_v1_appTableField_list", path=TABLE, params={"view_id": w.OPEN_VIEW})

    assert [item["field_name"] for item in body["items"] if item["is_hidden"]] == ["Phone"]


@pytest.mark.fact("field-list")
def test_a_fields_description_may_be_rich_text(lark: LocalApp) -> None:
    lark.episode.db.update("base_fields", {"field_id": "fldTitle00"}, description="what it is")

    plain = lark.call("bitable_v1_appTableField_list", path=TABLE)["items"][0]
    rich = lark.call("bitable_v1_appTableField_list", path=TABLE, params={"text_field_as_array": True})["items"][0]

    assert plain["description"] == "what it is"
    assert rich["description"] == [{"text": "what it is", "type": "text"}]


@pytest.mark.fact("view-refusals")
@pytest.mark.parametrize(("view_id", "code"), [("All", 1254005), ("vewNowhere", 1254042)])
def test_a_view_that_is_not_there_is_refused(lark: LocalApp, view_id: str, code: int) -> None:
    assert code_of_refusal(lark, "bitable_v1_appTableField_list", path=TABLE, params={"view_id": view_id}) == code
    assert code_of_refusal(lark, "bitable_v1_appTableRecord_search", path=TABLE, data={"view_id": view_id}) == code


@pytest.mark.fact("table-create")
def test_a_table_needs_a_name_only(lark: LocalApp) -> None:
    body = create_table(lark, name="  Plans ")

    assert list(body) == ["table_id"]
    assert [(each["field_name"], each["type"]) for each in fields_of(lark, body["table_id"])] == [("文本", 1)]
    assert [row["new"]["name"] for row in lark.changes()["base_tables"]] == ["Plans"]


@pytest.mark.fact("table-create")
def test_a_table_with_fields_answers_their_ids(lark: LocalApp) -> None:
    options = [{"name": "a"}, {"name": "b", "color": 5}, {"name": "c"}]

    body = create_table(
        lark,
        field("Name"),
        field("State", 3, property={"options": options}),
        field("Cost", 2, ui_type="Currency", property={"currency_code": "EUR", "multiple": True}),
        field("When", 5),
        default_view_name="Grid",
    )

    assert list(body) == ["default_view_id", "field_id_list", "table_id"]
    made = fields_of(lark, body["table_id"])
    assert [each["field_id"] for each in made] == body["field_id_list"]
    assert [option["color"] for option in made[1]["property"]["options"]] == [0, 5, 6]
    assert made[2]["property"] == {"currency_code": "EUR", "formatter": "0.00"}
    assert made[3]["property"] == {"auto_fill": False, "date_formatter": "yyyy/MM/dd"}
    assert [each["is_primary"] for each in made] == [True, False, False, False]


@pytest.mark.fact("table-create-links")
def test_a_two_way_link_makes_its_counterpart(lark: LocalApp) -> None:
    body = create_table(lark, field("Name"), field("Issues", 21, property={"table_id": w.ISSUES}), name="Teams")

    link = fields_of(lark, body["table_id"])[1]
    back = fields_of(lark, w.ISSUES)[-1]
    assert link["property"]["back_field_id"] == back["field_id"]
    assert link["property"]["table_name"] == "Issues"
    assert (back["field_name"], back["property"]["back_field_id"]) == ("Teams-Issues", link["field_id"])


@pytest.mark.fact("table-create-links")
def test_a_linked_table_can_be_named_and_one_that_is_none_is_told_back(lark: LocalApp) -> None:
    body = create_table(lark, field("Name"), field("Issue", 18, property={"table_name": "Issues"}), name="Teams")

    assert fields_of(lark, body["table_id"])[1]["property"]["table_id"] == w.ISSUES
    for linked in (
        {"table_id": "tblNowhere"},
        {"table_name": "Nowhere"},
        {"table_id": "tblNowhere", "table_name": "x"},
    ):
        table = {"name": "N", "fields": [field("A"), field("B", 18, property=linked)]}
        result = lark.result("bitable_v1_appTable_create", path=BASE, data={"table": table})
        assert linked.get("table_id", "Nowhere") in result["content"][0]["text"]


@pytest.mark.fact("table-create-refusals")
@pytest.mark.parametrize(
    ("table", "code"),
    [
        ({}, 1254001),
        ({"name": "  "}, 1254001),
        ({"name": ""}, 99992402),
        ({"name": "x" * 101}, 99992402),
        ({"name": "a/b"}, 1254001),
        ({"name": "N", "default_view_name": "V"}, 1254001),
        ({"name": "N", "default_view_name": " ", "fields": [field("A")]}, 1254021),
        ({"name": "N", "default_view_name": "[V]", "fields": [field("A")]}, 1254022),
        ({"name": "Issues"}, 1254013),
        ({"name": "N", "fields": [field(" ")]}, 1254029),
        ({"name": "N", "fields": [field("A"), field("A ")]}, 1254014),
        ({"name": "N", "fields": [field("A", 3)]}, 1254012),
        ({"name": "N", "fields": [field("A"), field("B", 19)]}, 1254012),
        ({"name": "N", "fields": [field("A"), field("B", 99)]}, 1254012),
        ({"name": "N", "fields": [field("A", ui_type="Rating")]}, 1254012),
        ({"name": "N", "fields": [field("A"), field("B", 18, property={"table_id": "tblNowhere"})]}, 1254041),
        ({"name": "N", "fields": []}, 99992402),
        ({"name": "N", "fields": [field(str(n)) for n in range(301)]}, 99992402),
        ({"name": "N", "fields": [field("A"), field("B", 3, property={"options": [{"color": 55}]})]}, 99992402),
    ],
)
def test_a_table_is_refused(lark: LocalApp, table: dict[str, Any], code: int) -> None:
    assert code_of_refusal(lark, "bitable_v1_appTable_create", path=BASE, data={"table": table}) == code


@pytest.mark.fact("platform-lengths")
@pytest.mark.parametrize(
    ("tool", "data", "violation"),
    [
        (
            "bitable_v1_appTable_create",
            {"table": {"name": "x" * 101}},
            {"field": "table.name", "value": "x" * 101, "description": "the max len is 100"},
        ),
        (
            "bitable_v1_appTableRecord_search",
            {"field_names": ["Title"] * 201},
            {"field": "field_names", "description": "the max len is 200"},
        ),
    ],
)
def test_what_is_too_long_is_told_before_the_base_is_looked_for(
    lark: LocalApp, tool: str, data: dict[str, Any], violation: dict[str, str]
) -> None:
    result = lark.result(tool, path={"app_token": "x" * 27, "table_id": w.ISSUES}, data=data)

    assert json.loads(result["content"][0]["text"])["error"]["field_violations"] == [violation]


@pytest.mark.fact("table-create-refusals")
def test_a_base_holds_a_hundred_tables(lark: LocalApp) -> None:
    for number in range(98):
        lark.episode.db.insert(
            "base_tables", table_id=f"tbl{number}", app_token=w.TRACKER, name=str(number), position=number
        )

    assert code_of_refusal(lark, "bitable_v1_appTable_create", path=BASE, data={"table": {"name": "N"}}) == 1254100
    assert code_of_refusal(lark, "bitable_v1_appTable_create", path=BASE) == 1254001

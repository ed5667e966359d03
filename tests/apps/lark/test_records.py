"""Records: searching, filtering, sorting, writing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.lark import workspace as w
from tests.conftest import Start

PATH = {"app_token": w.TRACKER, "table_id": w.ISSUES}
PEOPLE = {"app_token": w.TRACKER, "table_id": w.PEOPLE}
SEARCH, CREATE, UPDATE, CREATE_MANY, UPDATE_MANY = (
    f"bitable_v1_appTableRecord_{verb}" for verb in ("search", "create", "update", "batchCreate", "batchUpdate")
)


@pytest.fixture
def lark(start: Start) -> LocalApp:
    return start("lark", rows=w.rows(), me="wan")


def refusal(lark: LocalApp, tool: str, **arguments: Any) -> VendorError:
    before = lark.changes()
    with pytest.raises(VendorError) as refused:
        lark.call(tool, **arguments)
    assert lark.changes() == before
    return refused.value


def found(lark: LocalApp, *conditions: tuple[str, str, list[str] | None], together: str = "and") -> list[str]:
    """Return which of the three issues a filter finds, by number."""
    asked = [
        {"field_name": name, "operator": operator} | ({} if value is None else {"value": value})
        for name, operator, value in conditions
    ]
    body = lark.call(SEARCH, path=PATH, data={"filter": {"conjunction": together, "conditions": asked}})
    assert body["total"] == len(body["items"])
    return [item["record_id"][-1] for item in body["items"]]


def sorted_by(lark: LocalApp, *keys: tuple[str, bool]) -> list[str]:
    sort = [{"field_name": name, "desc": desc} for name, desc in keys]
    return [item["record_id"][-1] for item in lark.call(SEARCH, path=PATH, data={"sort": sort})["items"]]


def fields_of_record(lark: LocalApp, record_id: str, path: dict[str, str] = PATH) -> dict[str, Any]:
    body = lark.call(SEARCH, path=path, data={})
    return next(item["fields"] for item in body["items"] if item["record_id"] == record_id)


def person(name: str, en_name: str, key: str, open_id: str) -> dict[str, str]:
    return {
        "avatar_url": f"https://s1-imfile.feishucdn.com/static-resource/v1/v3_{key}~?image_size=72x72&cut_type=&quality="
        "&format=image",
        "email": f"{key}@acme.example",
        "en_name": en_name,
        "id": open_id,
        "name": name,
    }


@pytest.mark.fact("record-shape")
def test_a_search_shows_each_kind_of_cell_in_the_vendors_form(lark: LocalApp) -> None:
    body = lark.call(SEARCH, path=PATH, data={})

    assert list(body) == ["has_more", "items", "total"]
    assert list(body["items"][0]) == ["fields", "record_id"]
    fields = body["items"][0]["fields"]
    assert list(fields) == sorted(fields)
    [file] = fields.pop("Files")
    assert list(file) == ["file_token", "name", "size", "tmp_url", "type", "url"]
    assert (file["name"], file["size"], file["type"]) == ("photo.png", 1200, "image/png")
    wan, bo = person("林晚", "Wan Lin", "wan", w.ME), person("孙博", "Bo Sun", "bo", w.BO)
    assert fields == {
        "Title": [{"text": "Flicker", "type": "text"}],
        "Count": 3,
        "State": "open",
        "Tags": ["app", "cloud"],
        "Due": w.MONDAY + 4 * w.DAY,
        "Blocks": True,
        "Owner": [bo],
        "Phone": "+8613800000000",
        "Link": {"link": "https://a.b", "text": "report"},
        "Reporter": {"link_record_ids": [w.WAN_ROW]},
        "Watchers": {"link_record_ids": [w.WAN_ROW]},
        "Score": {"type": 1, "value": [{"text": "high", "type": "text"}]},
        "Place": {"address": "", "full_address": "人民广场", "location": "121.4,31.2"},
        "Chat": [{"avatar_url": "", "id": w.OURS, "name": "Launch"}],
        "Made": w.MONDAY - w.DAY,
        "Changed": w.MONDAY - w.DAY + 1000,
        "Maker": [wan],
        "Changer": [bo],
        "No": "1",
    }


@pytest.mark.fact("record-shape")
def test_empty_cells_are_left_out_and_fields_can_be_chosen(lark: LocalApp) -> None:
    body = lark.call(SEARCH, path=PATH, data={"field_names": ["Owner", "Count", "Count"]})

    assert [list(item["fields"]) for item in body["items"]] == [["Count", "Owner"], ["Count"], ["Owner"]]


@pytest.mark.fact("record-links-in-text")
@pytest.mark.parametrize(
    ("cell", "segments"),
    [
        # Recorded but for the name.
        (
            "s1.dev.example.com",
            [{"link": "http://s1.dev.example.com", "text": "s1.dev.example.com", "type": "url"}],
        ),
        (
            "see https://a.example/b?c=1 now",
            [
                {"text": "see ", "type": "text"},
                {"link": "https://a.example/b?c=1", "text": "https://a.example/b?c=1", "type": "url"},
                {"text": " now", "type": "text"},
            ],
        ),
        ("v2.1 by bo@acme.com", [{"text": "v2.1 by bo@acme.com", "type": "text"}]),
        ("", [{"text": "", "type": "text"}]),
    ],
)
def test_addresses_in_a_text_are_links(lark: LocalApp, cell: str, segments: list[dict[str, str]]) -> None:
    cells = json.dumps({"fldTitle00": cell})
    lark.episode.db.update("base_records", {"record_id": w.ROW_1}, fields=cells)

    assert fields_of_record(lark, w.ROW_1)["Title"] == segments


@pytest.mark.fact("record-automatic")
def test_who_made_and_changed_a_record_is_shown_when_asked_for(lark: LocalApp) -> None:
    data = {"automatic_fields": True, "field_names": ["Count"]}

    item = lark.call(SEARCH, path=PATH, data=data, params={"user_id_type": "user_id"})["items"][0]

    assert item == {
        "created_by": person("林晚", "Wan Lin", "wan", "wan00000"),
        "created_time": w.MONDAY - w.DAY,
        "fields": {"Count": 3},
        "last_modified_by": person("孙博", "Bo Sun", "bo", "bo000000"),
        "last_modified_time": w.MONDAY - w.DAY + 1000,
        "record_id": w.ROW_1,
    }


@pytest.mark.fact("record-pages")
def test_a_search_is_read_in_pages(lark: LocalApp) -> None:
    first = lark.call(SEARCH, path=PATH, data={}, params={"page_size": 2})
    second = lark.call(SEARCH, path=PATH, data={}, params={"page_size": 2, "page_token": first["page_token"]})

    assert [item["record_id"] for item in first["items"] + second["items"]] == [w.ROW_1, w.ROW_2, w.ROW_3]
    assert (first["has_more"], first["total"], second["has_more"]) == (True, 3, False)
    assert "page_token" not in second


@pytest.mark.fact("record-pages")
@pytest.mark.parametrize(
    ("params", "code"), [({"page_size": 0}, 1254011), ({"page_size": 501}, 99992402), ({"page_token": "x"}, 1254002)]
)
def test_a_page_out_of_range_is_refused(lark: LocalApp, params: dict[str, Any], code: int) -> None:
    assert refusal(lark, SEARCH, path=PATH, data={}, params=params).code == code


@pytest.mark.fact("record-filter")
@pytest.mark.parametrize(
    ("name", "operator", "value", "expected"),
    [
        ("Title", "is", ["Flicker"], "1"),
        ("Title", "isNot", ["Flicker"], "23"),
        ("Title", "contains", ["LO"], "23"),
        ("Title", "doesNotContain", ["low"], "13"),
        ("Phone", "isEmpty", [], "23"),
        ("Phone", "isNotEmpty", [], "1"),
        ("Link", "contains", ["REP"], "1"),
        ("Place", "is", ["人民广场"], "1"),
        ("No", "is", ["2"], "2"),
        ("Count", "is", ["3.0"], "1"),
        ("Count", "isNot", ["3"], "23"),
        ("Count", "isGreater", ["3"], "2"),
        ("Count", "isGreaterEqual", ["3"], "12"),
        ("Count", "isLess", ["7"], "1"),
        ("Count", "isLessEqual", ["7"], "12"),
        ("Count", "isEmpty", [], "3"),
        ("State", "is", ["open"], "12"),
        ("State", "isNot", ["open"], "3"),
        ("State", "contains", ["open", "done"], "123"),
        ("State", "doesNotContain", ["open"], "3"),
        ("Tags", "is", ["app"], "2"),
        ("Tags", "contains", ["cloud"], "1"),
        ("Tags", "doesNotContain", ["cloud"], "23"),
        ("Tags", "isEmpty", [], "3"),
        ("Blocks", "is", ["true"], "1"),
        ("Blocks", "is", ["false"], "23"),
        ("Owner", "is", [w.BO], "1"),
        ("Owner", "contains", [w.BO, w.ME], "13"),
        ("Owner", "isEmpty", [], "2"),
        ("Maker", "is", [w.ME], "123"),
        ("Changer", "is", [w.ME], ""),
        ("Chat", "is", [w.OURS], "1"),
        ("Reporter", "contains", [w.WAN_ROW], "1"),
        ("Files", "isNotEmpty", [], "1"),
        ("Title", "is", [], "123"),
    ],
)
def test_a_filter_compares_as_the_kind_of_field_does(
    lark: LocalApp, name: str, operator: str, value: list[str], expected: str
) -> None:
    assert "".join(found(lark, (name, operator, value))) == expected


@pytest.mark.fact("record-filter-dates")
@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        ("is", ["ExactDate", str(w.MONDAY + 4 * w.DAY + 5)], "1"),
        ("isGreater", ["ExactDate", str(w.MONDAY)], "1"),
        ("isLess", ["ExactDate", str(w.MONDAY + 1)], "2"),
        ("is", ["Today"], "3"),
        ("isGreater", ["Today"], "1"),
        ("isLess", ["Yesterday"], "2"),
        ("isLess", ["Tomorrow"], "23"),
        ("is", ["CurrentWeek"], "13"),
        ("is", ["LastWeek"], ""),
        ("is", ["CurrentMonth"], "123"),
        ("is", ["LastMonth"], ""),
        ("is", ["TheLastWeek"], "3"),
        ("is", ["TheNextWeek"], "13"),
        ("is", ["TheLastMonth"], "23"),
        ("is", ["TheNextMonth"], "13"),
        ("isEmpty", [], ""),
    ],
)
def test_dates_are_compared_by_days_of_the_bases_zone(
    lark: LocalApp, operator: str, value: list[str], expected: str
) -> None:
    assert "".join(found(lark, ("Due", operator, value))) == expected


@pytest.mark.fact("record-filter")
def test_conditions_are_joined_by_and_or_by_or(lark: LocalApp) -> None:
    conditions = (("State", "is", ["open"]), ("Count", "isGreater", ["5"]))

    assert found(lark, *conditions) == ["2"]
    assert found(lark, *conditions, together="or") == ["1", "2"]


@pytest.mark.fact("record-filter-refusals")
@pytest.mark.parametrize(
    ("name", "operator", "value", "code"),
    [
        ("Nowhere", "is", ["x"], 1254018),
        ("Score", "is", ["high"], 1254018),
        ("Title", "like", ["x"], 1254018),
        ("Title", "in", ["x"], 1254018),
        ("Title", "isGreater", ["x"], 1254018),
        ("Title", "is", ["x", "y"], 1254018),
        ("Title", "isEmpty", ["x"], 1254018),
        ("Title", "isEmpty", None, 99992402),
        ("Title", "is", ["x"] * 11, 99992402),
        ("Count", "is", ["many"], 1254018),
        ("Count", "contains", ["3"], 1254018),
        ("State", "is", ["open", "done"], 1254018),
        ("Blocks", "is", ["yes"], 1254018),
        ("Blocks", "isNot", ["true"], 1254018),
        ("Due", "isNot", ["Today"], 1254018),
        ("Due", "is", ["Someday"], 1254018),
        ("Due", "isGreater", ["CurrentWeek"], 1254018),
        ("Due", "is", ["ExactDate"], 1254018),
        ("Due", "is", ["ExactDate", "soon"], 1254018),
        ("Files", "is", ["x"], 1254018),
        ("Owner", "is", ["ou_nobody"], 1254018),
    ],
)
def test_a_filter_that_does_not_fit_the_field_is_refused(
    lark: LocalApp, name: str, operator: str, value: list[str] | None, code: int
) -> None:
    with pytest.raises(VendorError) as refused:
        found(lark, (name, operator, value))

    assert refused.value.code == code


@pytest.mark.fact("record-filter-refusals")
def test_an_unknown_person_in_a_filter_is_named_as_the_live_service_names_one(lark: LocalApp) -> None:
    conditions = [{"field_name": "Owner", "operator": "is", "value": ["ou_xxx"]}]

    result = lark.result(SEARCH, path=PATH, data={"filter": {"conjunction": "and", "conditions": conditions}})

    error = json.loads(result["content"][0]["text"])["error"]
    assert error["message"] == (
        "Invalid request parameter: ''. Correct format : UserCondition field 'Owner' value '[ou_xxx]',id is invalid. "
        "Please check and modify accordingly."
    )


@pytest.mark.fact("record-filter-refusals")
def test_conditions_need_a_conjunction(lark: LocalApp) -> None:
    conditions = [{"field_name": "State", "operator": "is", "value": ["open"]}]

    assert refusal(lark, SEARCH, path=PATH, data={"filter": {"conditions": conditions}}).code == 99992402
    assert lark.call(SEARCH, path=PATH, data={"filter": {"conditions": []}})["total"] == 3


@pytest.mark.fact("record-sort")
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([("Title", False)], "123"),
        ([("Title", True)], "321"),
        ([("Count", False)], "123"),
        ([("Count", True)], "321"),
        ([("State", True), ("Count", True)], "321"),
        ([("State", False), ("Count", True)], "213"),
        ([("Due", False)], "231"),
        ([("Tags", False)], "213"),
        ([("Owner", False)], "312"),
        ([("Blocks", False)], "231"),
        ([("No", True)], "321"),
        ([("Made", False)], "321"),
        ([("Score", False)], "123"),
    ],
)
def test_records_are_sorted_by_what_the_field_holds(
    lark: LocalApp, keys: list[tuple[str, bool]], expected: str
) -> None:
    assert "".join(sorted_by(lark, *keys)) == expected


@pytest.mark.fact("record-search-refusals")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"sort": [{"field_name": "Nowhere"}]}, 1254016),
        ({"sort": [{}]}, 1254016),
        ({"sort": [{"field_name": "Title"}] * 101}, 99992402),
        ({"field_names": ["Nowhere"]}, 1254024),
        ({"field_names": ["Title"] * 201}, 99992402),
        ({"sort": [{"field_name": "x" * 1001}]}, 99992402),
        ({"view_id": "vew" + "x" * 48}, 99992402),
    ],
)
def test_a_search_for_fields_that_are_not_there_is_refused(lark: LocalApp, data: dict[str, Any], code: int) -> None:
    assert refusal(lark, SEARCH, path=PATH, data=data).code == code


@pytest.mark.fact("record-view")
def test_a_view_lends_its_filter_and_order_to_a_search_without(lark: LocalApp) -> None:
    viewed = lark.call(SEARCH, path=PATH, data={"view_id": w.OPEN_VIEW})
    sort = [{"field_name": "Count"}]
    own = lark.call(SEARCH, path=PATH, data={"view_id": w.OPEN_VIEW, "sort": sort})

    assert [item["record_id"] for item in viewed["items"]] == [w.ROW_2, w.ROW_1]
    assert own["total"] == 3


@pytest.mark.fact("record-create")
def test_a_link_without_words_shows_its_address(lark: LocalApp) -> None:
    record = lark.call(CREATE, path=PATH, data={"fields": {"Title": "x", "Link": {"link": "https://c.d"}}})["record"]

    assert fields_of_record(lark, record["record_id"])["Link"] == {"link": "https://c.d", "text": "https://c.d"}


@pytest.mark.fact("record-create")
def test_a_new_record_is_echoed_as_written_and_read_as_stored(lark: LocalApp) -> None:
    written = {
        "Title": "Buzzing",
        "Count": 2.0,
        "State": "open",
        "Tags": ["app", "app"],
        "Due": w.MONDAY,
        "Blocks": False,
        "Owner": [{"id": w.BO}],
        "Phone": "13800000000",
        "Link": {"link": "https://c.d", "text": "c"},
        "Files": [{"file_token": "Photo" + "x" * 22}],
        "Reporter": [w.BO_ROW],
        "Place": "121.47, 31.23",
        "Chat": [{"id": w.OURS}],
    }

    record = lark.call(CREATE, path=PATH, data={"fields": written})["record"]

    assert record["id"] == record["record_id"]
    assert record["fields"] == written
    assert list(record["fields"]) == sorted(written)
    fields = fields_of_record(lark, record["record_id"])
    assert fields["Title"] == [{"text": "Buzzing", "type": "text"}]
    assert (fields["Blocks"], fields["Reporter"], fields["No"]) == (False, {"link_record_ids": [w.BO_ROW]}, "4")
    assert fields["Link"] == {"link": "https://c.d", "text": "c"}
    assert fields["Place"]["location"] == "121.47,31.23"
    assert fields["Made"] == w.NOW
    assert [row["new"]["revision"] for row in lark.changes()["base_tables"]] == [2]


@pytest.mark.fact("record-create")
def test_a_record_may_be_empty(lark: LocalApp) -> None:
    record = lark.call(CREATE, path=PATH, data={"fields": {"Title": None}})["record"]

    assert record["fields"] == {}
    assert "Title" not in fields_of_record(lark, record["record_id"])


@pytest.mark.fact("record-person-ids")
def test_people_are_named_in_the_flavour_the_request_says(lark: LocalApp) -> None:
    data = {"fields": {"Owner": [{"id": "bo000000"}]}}

    record = lark.call(CREATE, path=PATH, data=data, params={"user_id_type": "user_id"})["record"]

    assert fields_of_record(lark, record["record_id"])["Owner"][0]["id"] == w.BO
    assert refusal(lark, CREATE, path=PATH, data=data).code == 1254066


@pytest.mark.fact("record-options")
def test_a_new_option_is_added_to_its_field(lark: LocalApp) -> None:
    lark.call(CREATE, path=PATH, data={"fields": {"State": "waiting", "Tags": ["app", "web"]}})

    fields = lark.call("bitable_v1_appTableField_list", path=PATH)["items"]
    assert [(each["name"], each["color"]) for each in fields[2]["property"]["options"]] == [
        ("open", 0),
        ("done", 1),
        ("waiting", 2),
    ]
    assert [each["name"] for each in fields[3]["property"]["options"]] == ["app", "cloud", "web"]


@pytest.mark.fact("record-conversion")
@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("Nowhere", "x", 1254045),
        ("Title", 3, 1254060),
        ("Title", [{"text": "x", "type": "text"}], 1254060),
        ("Title", "x" * 100_001, 1254130),
        ("Count", "3", 1254061),
        ("Count", True, 1254061),
        ("State", ["open"], 1254062),
        ("State", {"text": "open"}, 1254062),
        ("Tags", "app", 1254063),
        ("Tags", [1], 1254063),
        ("Due", "2026-03-09", 1254064),
        ("Due", True, 1254064),
        ("Due", 1e18, 1254064),
        ("Blocks", "true", 1254065),
        ("Blocks", 1, 1254065),
        ("Owner", w.BO, 1254066),
        ("Owner", [w.BO], 1254066),
        ("Owner", [{"id": "ou_nobody"}], 1254066),
        ("Owner", [{"id": w.BO}, {"id": w.ME}], 1254066),
        ("Reporter", w.WAN_ROW, 1254067),
        ("Reporter", ["recNowhere"], 1254067),
        ("Link", "https://a.b", 1254068),
        ("Link", {"text": "x"}, 1254068),
        ("Files", ["token"], 1254069),
        ("Files", [{"file_token": "unknown"}], 1254303),
        ("Files", [{"file_token": "x"}] * 101, 1254106),
        ("Phone", "call me", 1254072),
        ("Phone", "1" * 65, 1254072),
        ("Watchers", w.WAN_ROW, 1254074),
        ("Place", "here", 1254015),
        ("Chat", [{"id": "oc_nowhere"}], 1254015),
        ("Chat", "oc", 1254015),
        ("Score", "low", 1254015),
        ("Made", 1, 1254015),
        ("No", "1", 1254015),
    ],
)
def test_a_value_that_is_not_of_the_fields_kind_is_refused(lark: LocalApp, name: str, value: Any, code: int) -> None:
    assert refusal(lark, CREATE, path=PATH, data={"fields": {"Title": "ok", name: value}}).code == code
    changed = {"path": {**PATH, "record_id": w.ROW_1}, "data": {"fields": {name: value}}}
    assert refusal(lark, UPDATE, **changed).code == code


@pytest.mark.fact("record-conversion-text")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("Nope", 1, "'fields.Nope'. Correct format : field_name not found."),
        (
            "Due",
            "/",
            "'fields.Due.fieldValue./.fieldName.Due'. Correct format : the value of 'Date' must be a unix timestamp.",
        ),
        (
            "State",
            {"text": "AI编程"},
            "'fields.State.fieldValue.map[text:AI编程].fieldName.State'. Correct format : the value of 'Single Option' "
            "must be a string.",
        ),
        (
            "Title",
            [1674206443000, None, True, 0.00001],
            "'fields.Title.fieldValue.[1.674206443e+12 <nil> true 1e-05].fieldName.Title'. Correct format : the value "
            "of 'Multiline' must be a string.",
        ),
    ],
)
def test_a_refusal_quotes_the_value_as_the_live_service_does(
    lark: LocalApp, name: str, value: Any, message: str
) -> None:
    result = lark.result(CREATE, path=PATH, data={"fields": {name: value}})

    assert "isError" not in result
    error = json.loads(result["content"][0]["text"])["error"]
    assert error["message"] == f"Invalid request parameter: {message} Please check and modify accordingly."


@pytest.mark.fact("record-update")
def test_an_update_changes_the_cells_it_names(lark: LocalApp) -> None:
    fields = {"Count": 9, "Phone": None, "State": "done"}

    record = lark.call(UPDATE, path={**PATH, "record_id": w.ROW_1}, data={"fields": fields})["record"]

    assert record == {"fields": {"Count": 9, "State": "done"}, "id": w.ROW_1, "record_id": w.ROW_1}
    now = fields_of_record(lark, w.ROW_1)
    assert (now["Count"], now["State"], now["Blocks"]) == (9, "done", True)
    assert "Phone" not in now
    assert now["Changer"][0]["id"] == w.ME
    assert now["Changed"] == w.NOW


@pytest.mark.fact("record-update-refusals")
@pytest.mark.parametrize(("record_id", "code"), [("1", 1254006), ("recNowhere", 1254043), (w.BO_ROW, 1254043)])
def test_a_record_that_is_not_in_the_table_is_refused(lark: LocalApp, record_id: str, code: int) -> None:
    fields = {"fields": {"Title": "x"}}

    assert refusal(lark, UPDATE, path={**PATH, "record_id": record_id}, data=fields).code == code
    many = {"records": [{"record_id": w.ROW_1, **fields}, {"record_id": record_id, **fields}]}
    assert refusal(lark, UPDATE_MANY, path=PATH, data=many).code == code
    assert refusal(lark, UPDATE_MANY, path=PATH, data={"records": [fields]}).code == 1254006


@pytest.mark.fact("record-batch")
def test_many_records_are_written_at_once(lark: LocalApp) -> None:
    made = lark.call(CREATE_MANY, path=PATH, data={"records": [{"fields": {"Title": name}} for name in "ab"]})[
        "records"
    ]
    changes = [{"record_id": each["record_id"], "fields": {"Count": number}} for number, each in enumerate(made)]

    changed = lark.call(UPDATE_MANY, path=PATH, data={"records": changes})["records"]

    assert [each["fields"] for each in made] == [{"Title": "a"}, {"Title": "b"}]
    assert [(each["id"], each["fields"]) for each in changed] == [
        (made[0]["id"], {"Count": 0}),
        (made[1]["id"], {"Count": 1}),
    ]
    assert [fields_of_record(lark, each["id"])["No"] for each in made] == ["4", "5"]


@pytest.mark.fact("record-batch")
def test_one_bad_record_keeps_all_the_others_out(lark: LocalApp) -> None:
    bad = {"records": [{"fields": {"Title": "fine"}}, {"fields": {"Count": "many"}}]}

    assert refusal(lark, CREATE_MANY, path=PATH, data=bad).code == 1254061


@pytest.mark.fact("record-batch")
@pytest.mark.parametrize("tool", [CREATE_MANY, UPDATE_MANY])
@pytest.mark.parametrize(("count", "code"), [(0, 1254001), (1001, 1254104)])
def test_a_batch_has_one_to_a_thousand_records(lark: LocalApp, tool: str, count: int, code: int) -> None:
    records = [{"record_id": w.ROW_1, "fields": {}}] * count

    assert refusal(lark, tool, path=PATH, data={"records": records}).code == code


@pytest.mark.fact("record-limit")
def test_a_table_holds_twenty_thousand_records(lark: LocalApp) -> None:
    lark.episode.db.execute(
        "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 20006) "
        "INSERT INTO base_records "
        "(record_id, table_id, fields, number, created_by, modified_by, created_at, modified_at) "
        "SELECT 'rec' || i, ?, '{}', i, ?, ?, 0, 0 FROM n",
        w.ISSUES,
        w.ME,
        w.ME,
    )

    with pytest.raises(VendorError) as refused:
        lark.call(CREATE, path=PATH, data={"fields": {}})

    assert refused.value.code == 1254103


@pytest.mark.fact("record-idempotent")
def test_a_client_token_writes_once(lark: LocalApp) -> None:
    asked = {"path": PATH, "data": {"fields": {"Title": "once"}}}
    token = {"client_token": "fe599b60-450f-46ff-b2ef-9f6675625b97"}

    first = lark.call(CREATE, **asked, params=token)
    second = lark.call(CREATE, **asked, params=token)

    assert first == second
    assert len(lark.changes()["base_records"]) == 1
    assert refusal(lark, CREATE, **asked, params={"client_token": "once"}).code == 1254037


@pytest.mark.fact("record-links")
def test_a_two_way_link_shows_at_both_ends(lark: LocalApp) -> None:
    lark.call(UPDATE, path={**PATH, "record_id": w.ROW_1}, data={"fields": {"Watchers": [w.BO_ROW]}})
    assert fields_of_record(lark, w.BO_ROW, PEOPLE)["Watches"] == {"link_record_ids": [w.ROW_1]}
    assert "Watches" not in fields_of_record(lark, w.WAN_ROW, PEOPLE)

    new = lark.call(CREATE, path=PATH, data={"fields": {"Watchers": [w.BO_ROW]}})["record"]["id"]
    assert fields_of_record(lark, w.BO_ROW, PEOPLE)["Watches"] == {"link_record_ids": [w.ROW_1, new]}

    lark.call(UPDATE, path={**PEOPLE, "record_id": w.BO_ROW}, data={"fields": {"Watches": None}})
    assert "Watchers" not in fields_of_record(lark, w.ROW_1)


@pytest.mark.fact("record-conversion")
@pytest.mark.parametrize(
    ("name", "value", "where", "expected"),
    [
        ("Nowhere", "x", "fields.Nowhere", "field_name not found"),
        ("Count", "3", "fields.Count.fieldValue.3.fieldName.Count", "the value of 'Number' must be a number"),
        (
            "Title",
            {"b": [1, None], "a": True},
            "fields.Title.fieldValue.map[a:true b:[1 <nil>]].fieldName.Title",
            "the value of 'Multiline' must be a string",
        ),
        ("Score", 1.5, "fields.Score.fieldValue.1.5.fieldName.Score", "field 'Score' is read only"),
        ("Owner", [{"id": "ou_nobody"}], "fields.fieldValue.ou_nobody", "the open_id is invalid"),
        ("Chat", [{"id": w.OURS}, {"id": "oc_nowhere"}], "fields.fieldValue.oc_nowhere", "the chat_id is invalid"),
        (
            "Reporter",
            [w.WAN_ROW, "recNowhere", "recAway"],
            "fields.Reporter.fieldValue.recAway",
            "the record is not in the table",
        ),
        ("Watchers", [w.ROW_1], f"fields.Watchers.fieldValue.{w.ROW_1}", "the record is not in the table"),
    ],
)
def test_what_is_wrong_with_a_value_is_told_where_it_stands(
    lark: LocalApp, name: str, value: Any, where: str, expected: str
) -> None:
    result = lark.result(CREATE, path=PATH, data={"fields": {name: value}})

    error = json.loads(result["content"][0]["text"])["error"]
    assert set(error) == {"message", "log_id"}
    assert error["message"] == (
        f"Invalid request parameter: '{where}'. Correct format : {expected}. Please check and modify accordingly."
    )


@pytest.mark.fact("record-conversion")
def test_a_file_of_another_base_is_not_this_one_s(lark: LocalApp) -> None:
    known = {"file_token": "Photo" + "x" * 22}

    result = lark.result(CREATE, path=PATH, data={"fields": {"Files": [known, {"file_token": "elsewhere"}]}})

    error = json.loads(result["content"][0]["text"])["error"]
    assert error["message"] == "elsewhere was not uploaded to this base"

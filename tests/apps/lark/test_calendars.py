"""Calendars: which there are, and who may see them."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import BOS, CLOSED, ME, MINE, OPEN, TEAM, add, calendar, refused


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["calendar_id"] for item in items]


@pytest.mark.fact("calendar-primary")
def test_the_primary_calendar_comes_with_the_user_id_in_the_asked_flavour(lark: LocalApp) -> None:
    (found,) = lark.call("calendar_v4_calendar_primary", params={"user_id_type": "union_id"})["calendars"]

    assert found == {
        "calendar": {
            "calendar_id": MINE,
            "summary": "林晚",
            "description": "",
            "permissions": "show_only_free_busy",
            "color": -1,
            "type": "primary",
            "summary_alias": "",
            "is_deleted": False,
            "is_third_party": False,
            "role": "owner",
        },
        "user_id": "on_" + ME[-1] * 32,
    }


@pytest.mark.fact("calendar-primary")
def test_an_account_without_a_primary_calendar_is_told_so(lark: LocalApp) -> None:
    lark.episode.db.execute("DELETE FROM calendars WHERE calendar_id = ?", MINE)

    assert refused(lark, "calendar_v4_calendar_primary") == 191000


@pytest.mark.fact("calendar-access")
@pytest.mark.parametrize(
    ("calendar_id", "role"),
    [(MINE, "owner"), (TEAM, "writer"), (OPEN, "reader"), (BOS, "free_busy_reader")],
)
def test_the_role_follows_from_ownership_sharing_and_visibility(lark: LocalApp, calendar_id: str, role: str) -> None:
    found = lark.call("calendar_v4_calendar_get", path={"calendar_id": calendar_id})

    assert (found["calendar_id"], found["role"]) == (calendar_id, role)


@pytest.mark.fact("calendar-access")
@pytest.mark.parametrize(
    ("calendar_id", "code"),
    [("nonsense", 191001), ("feishu.cn_unknown000000@group.calendar.feishu.cn", 191000), (CLOSED, 191002)],
)
def test_a_calendar_that_cannot_be_seen_says_why(lark: LocalApp, calendar_id: str, code: int) -> None:
    assert refused(lark, "calendar_v4_calendar_get", path={"calendar_id": calendar_id}) == code


@pytest.mark.fact("calendar-access")
def test_a_deleted_calendar_and_one_of_another_company_are_refused(lark: LocalApp) -> None:
    away = "feishu.cn_away000000000@group.calendar.feishu.cn"
    add(lark, calendar(away, "ou_" + "e" * 32, "Out", permissions="public"))
    lark.episode.db.update("calendars", {"calendar_id": TEAM}, is_deleted=1)

    assert refused(lark, "calendar_v4_calendar_get", path={"calendar_id": TEAM}) == 191003
    assert refused(lark, "calendar_v4_calendar_get", path={"calendar_id": away}) == 191002


@pytest.mark.fact("calendar-alias")
def test_primary_stands_for_my_calendar(lark: LocalApp) -> None:
    assert lark.call("calendar_v4_calendar_get", path={"calendar_id": "primary"})["calendar_id"] == MINE


@pytest.mark.fact("calendar-list")
def test_my_list_has_what_i_own_and_follow_in_order(lark: LocalApp) -> None:
    found = lark.call("calendar_v4_calendar_list")

    assert list(found) == ["calendar_list", "has_more", "page_token", "sync_token"]
    assert ids(found["calendar_list"]) == [MINE, TEAM, OPEN]
    assert (found["has_more"], found["page_token"]) == (False, "")


@pytest.mark.fact("calendar-list")
def test_the_list_comes_in_pages_of_fifty_or_more(lark: LocalApp) -> None:
    for number in range(60):
        key = f"feishu.cn_{number:016}@group.calendar.feishu.cn"
        add(
            lark,
            calendar(key, ME, str(number), type="shared"),
            {
                "table": "calendar_subscriptions",
                "calendar_id": key,
                "open_id": ME,
                "position": 10 + number,
                "updated_at": 1,
            },
        )

    first = lark.call("calendar_v4_calendar_list", params={"page_size": 50})
    second = lark.call("calendar_v4_calendar_list", params={"page_size": 50, "page_token": first["page_token"]})

    assert (len(first["calendar_list"]), first["has_more"]) == (50, True)
    assert "sync_token" not in first
    assert (len(second["calendar_list"]), second["has_more"]) == (13, False)
    assert not set(ids(first["calendar_list"])) & set(ids(second["calendar_list"]))


@pytest.mark.fact("calendar-list")
@pytest.mark.parametrize("size", [49, 1001])
def test_pages_outside_fifty_to_a_thousand_are_refused(lark: LocalApp, size: int) -> None:
    assert refused(lark, "calendar_v4_calendar_list", params={"page_size": size}) == 99992402


@pytest.mark.fact("calendar-sync")
def test_a_sync_token_brings_only_what_changed_since(lark: LocalApp) -> None:
    token = lark.call("calendar_v4_calendar_list")["sync_token"]
    made = lark.call("calendar_v4_calendar_create", data={"summary": "New"})["calendar"]["calendar_id"]

    changed = lark.call("calendar_v4_calendar_list", params={"sync_token": token})
    nothing = lark.call("calendar_v4_calendar_list", params={"sync_token": changed["sync_token"]})

    assert ids(changed["calendar_list"]) == [made]
    assert nothing["calendar_list"] == []


@pytest.mark.fact("calendar-sync")
@pytest.mark.parametrize(
    "params", [{"sync_token": "nonsense"}, {"sync_token": "ListEventsSyncToken_1"}, {"page_token": "nonsense"}]
)
def test_tokens_of_nothing_are_expired(lark: LocalApp, params: dict[str, str]) -> None:
    assert refused(lark, "calendar_v4_calendar_list", params=params) == 190008


@pytest.mark.fact("calendar-create")
def test_a_new_calendar_is_shared_mine_and_last_in_my_list(lark: LocalApp) -> None:
    made = lark.call("calendar_v4_calendar_create", data={"summary": "Trips", "summary_alias": "mine"})["calendar"]

    assert made | {"calendar_id": ""} == {
        "calendar_id": "",
        "summary": "Trips",
        "description": "",
        "permissions": "show_only_free_busy",
        "color": -14513409,
        "type": "shared",
        "summary_alias": "mine",
        "is_deleted": False,
        "is_third_party": False,
        "role": "owner",
    }
    assert ids(lark.call("calendar_v4_calendar_list")["calendar_list"])[-1] == made["calendar_id"]


@pytest.mark.fact("calendar-create")
@pytest.mark.parametrize(("data", "code"), [({"summary": "x" * 256}, 99992402), ({"color": 2**31}, 190014)])
def test_a_calendar_with_too_much_in_it_is_refused(lark: LocalApp, data: dict[str, Any], code: int) -> None:
    assert refused(lark, "calendar_v4_calendar_create", data=data) == code


@pytest.mark.fact("calendar-search")
@pytest.mark.parametrize(
    ("query", "found"), [("吴博", [BOS]), ("BO WU", [BOS]), ("open", [OPEN]), ("team", []), ("secret", [])]
)
def test_search_finds_primaries_and_public_calendars_only(lark: LocalApp, query: str, found: list[str]) -> None:
    assert ids(lark.call("calendar_v4_calendar_search", data={"query": query})["items"]) == found


@pytest.mark.fact("calendar-search")
def test_a_search_page_is_as_small_as_asked_and_its_token_is_an_offset(lark: LocalApp) -> None:
    for number in range(3):
        key = f"feishu.cn_{number:016}@group.calendar.feishu.cn"
        add(lark, calendar(key, ME, f"Lamp {number}", type="shared", permissions="public"))

    first = lark.call("calendar_v4_calendar_search", data={"query": "lamp"}, params={"page_size": 2})
    token = first["page_token"]
    second = lark.call(
        "calendar_v4_calendar_search", data={"query": "lamp"}, params={"page_size": 2, "page_token": token}
    )

    assert (len(first["items"]), token) == (2, "2")
    assert (len(second["items"]), second["page_token"]) == (1, "")


@pytest.mark.fact("calendar-search")
@pytest.mark.parametrize(
    ("data", "params"), [({"query": ""}, {}), ({"query": "x" * 201}, {}), ({"query": "x"}, {"page_size": 51})]
)
def test_a_search_out_of_bounds_is_refused(lark: LocalApp, data: dict[str, Any], params: dict[str, Any]) -> None:
    assert refused(lark, "calendar_v4_calendar_search", data=data, params=params) == 99992402

"""Groups and who is in them."""

from __future__ import annotations

from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.lark.company import (
    APP,
    BO,
    DM,
    ELSEWHERE,
    EVE,
    GONE,
    GROUP,
    HOME,
    ME,
    OFF_APP,
    OUT,
    OWN,
    PUBLIC,
    QUIET,
    add,
    message,
    refused,
    why,
)

ALL, ADD, REMOVE = "im_v1_chatMembers_get", "im_v1_chatMembers_create", "im_v1_chatMembers_delete"
NOBODY = "ou_" + "f" * 32


def names(found: dict[str, Any]) -> list[str]:
    return [item["name"] for item in found["items"]]


def members(lark: LocalApp, chat_id: str) -> list[str]:
    return [item["member_id"] for item in lark.call(ALL, path={"chat_id": chat_id})["items"]]


@pytest.mark.fact("chat-create")
def test_a_new_group_is_mine_with_the_documented_defaults(lark: LocalApp) -> None:
    made = lark.call("im_v1_chat_create", data={"user_id_list": [BO, BO], "bot_id_list": [APP]})

    assert made.pop("chat_id").startswith("oc_")
    assert made.pop("avatar").startswith("https://")
    assert made == {
        "name": "(no subject)",
        "description": "",
        "i18n_names": {},
        "owner_id": ME,
        "owner_id_type": "open_id",
        "urgent_setting": "all_members",
        "video_conference_setting": "all_members",
        "add_member_permission": "all_members",
        "share_card_permission": "allowed",
        "at_all_permission": "all_members",
        "edit_permission": "all_members",
        "group_message_type": "chat",
        "chat_mode": "group",
        "chat_type": "private",
        "chat_tag": "inner",
        "external": False,
        "tenant_key": HOME,
        "join_message_visibility": "all_members",
        "leave_message_visibility": "all_members",
        "membership_approval": "no_approval_required",
        "moderation_permission": "all_members",
        "hide_member_count_setting": "all_members",
    }


@pytest.mark.fact("chat-create")
def test_somebody_else_may_own_it_and_i_am_still_in(lark: LocalApp) -> None:
    made = lark.call("im_v1_chat_create", data={"name": "Trip", "owner_id": BO, "user_id_list": [EVE]})

    assert made["owner_id"] == BO
    assert set(members(lark, made["chat_id"])) == {BO, ME, EVE}


@pytest.mark.fact("chat-create-refused")
@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"user_id_list": [BO] * 51}, 99992402),
        ({"bot_id_list": [APP] * 6}, 99992402),
        ({"chat_type": "public"}, 232042),
        ({"chat_type": "public", "name": "x"}, 232020),
        ({"chat_type": "secret"}, 232001),
        ({"membership_approval": "maybe"}, 232001),
        ({"restricted_mode_setting": {"status": True}}, 232001),
        ({"user_id_list": [NOBODY]}, 232043),
        ({"owner_id": "bo"}, 232030),
        ({"user_id_list": [GONE]}, 232022),
        ({"user_id_list": [OUT]}, 232043),
        ({"owner_id": GONE}, 232022),
        ({"owner_id": OUT}, 232032),
        ({"bot_id_list": ["cli_x"]}, 232043),
        ({"bot_id_list": [OFF_APP]}, 232034),
    ],
)
def test_a_group_that_cannot_be_made_says_why(lark: LocalApp, data: dict[str, Any], code: int) -> None:
    assert refused(lark, "im_v1_chat_create", data=data) == code


@pytest.mark.fact("chat-create-refused")
@pytest.mark.parametrize(
    ("data", "ext"),
    [
        ({"user_id_list": [EVE, NOBODY]}, f"invalid user ids: [{NOBODY}]"),
        ({"user_id_list": [OUT]}, f"bot is invisible to user ids: [{OUT}]"),
        ({"bot_id_list": ["cli_x"]}, "invalid bot ids: [cli_x]"),
    ],
)
def test_ids_that_are_of_no_use_are_named(lark: LocalApp, data: dict[str, Any], ext: str) -> None:
    assert why(lark, "im_v1_chat_create", data=data) == f"Your request contains unavailable ids, ext={ext}"


@pytest.mark.fact("chat-uuid")
def test_the_same_uuid_gives_the_same_group(lark: LocalApp) -> None:
    first = lark.call("im_v1_chat_create", data={"name": "A"}, params={"uuid": "u1"})
    again = lark.call("im_v1_chat_create", data={"name": "B"}, params={"uuid": "u1"})
    other = lark.call("im_v1_chat_create", data={"name": "B"}, params={"uuid": "u2"})

    assert again == first
    assert other["chat_id"] != first["chat_id"]
    assert refused(lark, "im_v1_chat_create", params={"uuid": "u" * 51}) == 99992402


@pytest.mark.fact("chat-list")
def test_my_groups_are_listed_oldest_first_without_chats_of_two(lark: LocalApp) -> None:
    found = lark.call("im_v1_chat_list")

    assert list(found) == ["has_more", "items", "page_token"]
    assert names(found) == ["Launch", "My group", "Notices"]
    assert list(found["items"][0]) == [
        "avatar",
        "chat_id",
        "chat_status",
        "description",
        "external",
        "name",
        "owner_id",
        "owner_id_type",
        "tenant_key",
    ]


@pytest.mark.fact("chat-list")
def test_groups_can_be_sorted_by_their_last_message(lark: LocalApp) -> None:
    add(lark, message("om_" + "9" * 32, BO, "new", "03-08 10:00", chat=QUIET))

    found = lark.call("im_v1_chat_list", params={"sort_type": "ByActiveTimeDesc"})

    assert names(found) == ["Notices", "Launch", "My group"]


@pytest.mark.fact("chat-list")
@pytest.mark.parametrize("sort_type", ["ByCreateTimeAsc", "ByActiveTimeDesc"])
def test_groups_come_in_pages(lark: LocalApp, sort_type: str) -> None:
    whole = names(lark.call("im_v1_chat_list", params={"sort_type": sort_type}))
    paged, params = [], {"page_size": 1, "sort_type": sort_type}
    for _ in range(3):
        page = lark.call("im_v1_chat_list", params=params)
        paged += names(page)
        params = {**params, "page_token": page["page_token"]}

    assert paged == whole
    assert (page["has_more"], page["page_token"]) == (False, "")


@pytest.mark.fact("chat-list")
@pytest.mark.parametrize(("params", "code"), [({"page_size": 101}, 99992402), ({"page_token": "x"}, 232001)])
def test_a_page_that_is_none_is_refused(lark: LocalApp, params: dict[str, Any], code: int) -> None:
    assert refused(lark, "im_v1_chat_list", params=params) == code


@pytest.mark.fact("chat-get")
def test_a_group_shows_its_settings_and_counts_as_texts(lark: LocalApp) -> None:
    lark.episode.db.update("chat_members", {"chat_id": GROUP, "open_id": EVE}, role="manager")

    found = lark.call("im_v1_chat_get", path={"chat_id": GROUP}, params={"user_id_type": "union_id"})

    assert "chat_id" not in found
    assert (found["name"], found["user_count"], found["bot_count"]) == ("Launch", "3", "0")
    assert found["owner_id"] == "on_" + BO[-1] * 32
    assert found["user_manager_id_list"] == ["on_" + EVE[-1] * 32]


@pytest.mark.fact("chat-get")
def test_a_public_group_can_be_looked_at_from_outside(lark: LocalApp) -> None:
    found = lark.call("im_v1_chat_get", path={"chat_id": PUBLIC})

    assert found.pop("avatar").startswith("https://")
    assert found == {"name": "Public lunch", "user_count": "1", "chat_status": "normal"}


@pytest.mark.fact("chat-get")
def test_a_chat_of_two_has_no_owner_and_no_rules_of_groups(lark: LocalApp) -> None:
    found = lark.call("im_v1_chat_get", path={"chat_id": DM})

    assert (found["chat_mode"], found["user_count"], found["edit_permission"]) == ("p2p", "2", "all_members")
    assert not found.keys() & {"name", "owner_id", "owner_id_type", "chat_type", "chat_tag", "membership_approval"}
    assert not found.keys() & {"add_member_permission", "share_card_permission", "at_all_permission"}
    assert not found.keys() & {"group_message_type", "join_message_visibility", "leave_message_visibility"}


@pytest.mark.fact("chat-get")
def test_a_group_of_topics_does_not_say_what_form_its_messages_have(lark: LocalApp) -> None:
    lark.episode.db.update("chats", {"chat_id": GROUP}, chat_mode="topic")

    found = lark.call("im_v1_chat_get", path={"chat_id": GROUP})

    assert found["chat_mode"] == "topic"
    assert "group_message_type" not in found


@pytest.mark.fact("chat-unknown")
@pytest.mark.parametrize(("chat_id", "code"), [("oc_x", 232006), ("oc_" + "f" * 32, 232006), (ELSEWHERE, 232011)])
def test_a_chat_that_cannot_be_seen_says_why(lark: LocalApp, chat_id: str, code: int) -> None:
    path = {"chat_id": chat_id}

    assert refused(lark, "im_v1_chat_get", path=path) == code
    assert refused(lark, ALL, path=path) == code
    assert refused(lark, ADD, path=path, data={"id_list": [BO]}) == code
    assert refused(lark, REMOVE, path=path, data={"id_list": [BO]}) == code


@pytest.mark.fact("chat-unknown")
def test_a_dissolved_group_and_a_chat_of_two_have_no_member_list(lark: LocalApp) -> None:
    lark.episode.db.update("chats", {"chat_id": GROUP}, chat_status="dissolved")

    assert refused(lark, ALL, path={"chat_id": GROUP}) == 232009
    assert refused(lark, ALL, path={"chat_id": DM}) == 232006


@pytest.mark.fact("chat-search")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("launch", ["Launch"]),
        ("LUNCH", ["Public lunch"]),
        ("夏娃", ["Launch"]),
        ("eve x", ["Launch"]),
        ("elsewhere", []),
        ("", []),
        ("x" * 65, []),
    ],
)
def test_search_finds_groups_i_can_see_by_name_or_member(lark: LocalApp, query: str, found: list[str]) -> None:
    assert names(lark.call("im_v1_chat_search", params={"query": query})) == found


@pytest.mark.fact("chat-search")
def test_a_search_comes_in_pages(lark: LocalApp) -> None:
    first = lark.call("im_v1_chat_search", params={"query": "吴博", "page_size": 2})
    rest = lark.call("im_v1_chat_search", params={"query": "吴博", "page_token": first["page_token"]})

    assert (names(first), first["has_more"]) == (["Launch", "My group"], True)
    assert (names(rest), rest["has_more"]) == (["Notices", "Public lunch"], False)
    assert refused(lark, "im_v1_chat_search", params={"query": "x", "page_token": "x"}) == 232001


@pytest.mark.fact("members-get")
def test_people_of_a_group_come_with_their_total(lark: LocalApp) -> None:
    lark.episode.db.update("chat_members", {"chat_id": GROUP, "open_id": EVE}, joined_at=1770000000001)
    first = lark.call(ALL, path={"chat_id": GROUP}, params={"page_size": 2, "member_id_type": "user_id"})
    rest = lark.call(ALL, path={"chat_id": GROUP}, params={"page_token": first["page_token"]})

    assert list(first) == ["has_more", "items", "member_total", "page_token"]
    assert (len(first["items"]), first["has_more"], first["member_total"]) == (2, True, 3)
    assert first["items"][0] == {
        "member_id_type": "user_id",
        "member_id": ME[-1] * 8,
        "name": "林晚",
        "tenant_key": HOME,
    }
    assert [item["member_id"] for item in rest["items"]] == [EVE]


@pytest.mark.fact("members-get")
def test_who_joined_at_one_time_comes_in_one_page(lark: LocalApp) -> None:
    lark.episode.db.update("chat_members", {"chat_id": GROUP, "open_id": EVE}, joined_at=1770000000001)

    first = lark.call(ALL, path={"chat_id": GROUP}, params={"page_size": 1})
    rest = lark.call(ALL, path={"chat_id": GROUP}, params={"page_size": 1, "page_token": first["page_token"]})

    assert ([item["member_id"] for item in first["items"]], first["has_more"]) == ([ME, BO], True)
    assert ([item["member_id"] for item in rest["items"]], rest["has_more"]) == ([EVE], False)


@pytest.mark.fact("members-add")
def test_people_are_added_and_those_there_passed_over(lark: LocalApp) -> None:
    found = lark.call(ADD, path={"chat_id": OWN}, data={"id_list": [BO, EVE]})

    assert found == {"invalid_id_list": [], "not_existed_id_list": [], "pending_approval_id_list": []}
    assert set(members(lark, OWN)) == {ME, BO, EVE}


@pytest.mark.fact("members-add")
def test_who_resigned_is_passed_over_and_told(lark: LocalApp) -> None:
    found = lark.call(ADD, path={"chat_id": OWN}, data={"id_list": [GONE, EVE]}, params={"succeed_type": 0})

    assert found == {"invalid_id_list": [GONE], "not_existed_id_list": [], "pending_approval_id_list": []}
    assert set(members(lark, OWN)) == {ME, BO, EVE}


@pytest.mark.fact("members-add")
def test_with_succeed_type_two_the_ids_of_no_use_are_named(lark: LocalApp) -> None:
    asked = {"data": {"id_list": [GONE, EVE, NOBODY]}, "params": {"succeed_type": 2}}

    said = why(lark, ADD, path={"chat_id": OWN}, **asked)

    assert said == f"Your request contains unavailable ids, ext=invalid user ids: [{GONE} {NOBODY}]"


@pytest.mark.fact("members-add")
def test_with_succeed_type_one_whoever_can_be_added_is(lark: LocalApp) -> None:
    found = lark.call(ADD, path={"chat_id": OWN}, data={"id_list": [GONE, EVE, NOBODY]}, params={"succeed_type": 1})

    assert found == {"invalid_id_list": [GONE], "not_existed_id_list": [NOBODY], "pending_approval_id_list": []}
    assert EVE in members(lark, OWN)


@pytest.mark.fact("members-add")
@pytest.mark.parametrize(
    ("ids", "params", "code"),
    [
        ([], {}, 232027),
        ([BO] * 1 + [f"ou_{n:032}" for n in range(50)], {}, 99992402),
        ([f"cli_{n}" for n in range(6)], {"member_id_type": "app_id"}, 99992402),
        ([EVE], {"succeed_type": 3}, 99992402),
        ([GONE], {}, 232027),
        ([EVE, OUT], {}, 232028),
        ([EVE, NOBODY], {}, 99992351),
        (["x"], {"member_id_type": "user_id"}, 99992360),
        (["x"], {"member_id_type": "union_id"}, 99992364),
        ([EVE, GONE], {"succeed_type": 2}, 232043),
        ([EVE, NOBODY], {"succeed_type": 2}, 232043),
        (["cli_x"], {"member_id_type": "app_id"}, 232043),
    ],
)
def test_those_who_cannot_be_added_fail_the_call(
    lark: LocalApp, ids: list[str], params: dict[str, Any], code: int
) -> None:
    assert refused(lark, ADD, path={"chat_id": OWN}, data={"id_list": ids}, params=params) == code


@pytest.mark.fact("members-add")
def test_bots_join_by_app_id(lark: LocalApp) -> None:
    lark.call(ADD, path={"chat_id": OWN}, data={"id_list": [APP]}, params={"member_id_type": "app_id"})

    assert lark.call("im_v1_chat_get", path={"chat_id": OWN})["bot_count"] == "1"
    assert APP not in members(lark, OWN)


@pytest.mark.fact("members-add")
def test_where_only_managers_add_people_others_cannot(lark: LocalApp) -> None:
    lark.episode.db.update("chats", {"chat_id": QUIET}, add_member_permission="only_owner")

    assert refused(lark, ADD, path={"chat_id": QUIET}, data={"id_list": [EVE]}) == 232017


@pytest.mark.fact("members-approval")
def test_where_approval_is_required_people_wait(lark: LocalApp) -> None:
    lark.episode.db.execute("UPDATE chats SET membership_approval = 'approval_required'")

    found = lark.call(ADD, path={"chat_id": QUIET}, data={"id_list": [EVE]})
    mine = lark.call(ADD, path={"chat_id": OWN}, data={"id_list": [EVE]})

    assert found["pending_approval_id_list"] == [EVE]
    assert EVE not in members(lark, QUIET)
    assert mine["pending_approval_id_list"] == []
    assert EVE in members(lark, OWN)


@pytest.mark.fact("members-approval")
def test_who_waited_and_is_added_waits_no_more_but_in_other_groups(lark: LocalApp) -> None:
    lark.episode.db.execute("UPDATE chats SET membership_approval = 'approval_required'")
    for _ in range(2):
        lark.call(ADD, path={"chat_id": QUIET}, data={"id_list": [EVE]})
    lark.episode.db.insert("chat_invitations", chat_id=GROUP, open_id=EVE, inviter_id=BO, created_at=1)
    lark.episode.db.insert("chat_invitations", chat_id=QUIET, open_id=OUT, inviter_id=BO, created_at=1)

    lark.episode.db.execute("UPDATE chats SET membership_approval = 'no_approval_required'")
    lark.call(ADD, path={"chat_id": QUIET}, data={"id_list": [EVE]})

    assert members(lark, QUIET).count(EVE) == 1
    waiting = lark.episode.db.all("SELECT chat_id, open_id FROM chat_invitations ORDER BY chat_id, open_id")
    assert sorted((row["chat_id"], row["open_id"]) for row in waiting) == sorted([(GROUP, EVE), (QUIET, OUT)])


@pytest.mark.fact("chat-create")
def test_a_new_group_has_what_was_asked_for(lark: LocalApp) -> None:
    asked = {"name": "Open lunch", "description": "Fridays", "chat_type": "public"}

    made = lark.call("im_v1_chat_create", data={**asked, "membership_approval": "approval_required"})

    assert {name: made[name] for name in asked} == asked
    assert made["membership_approval"] == "approval_required"
    assert lark.call("im_v1_chat_get", path={"chat_id": made["chat_id"]})["chat_type"] == "public"


@pytest.mark.fact("members-remove")
def test_an_owner_removes_others_and_unknown_ids_come_back(lark: LocalApp) -> None:
    assert lark.call(REMOVE, path={"chat_id": OWN}, data={"id_list": [BO, NOBODY]}) == {"invalid_id_list": [NOBODY]}

    assert members(lark, OWN) == [ME]


@pytest.mark.fact("members-remove")
def test_a_member_removes_only_themselves(lark: LocalApp) -> None:
    assert refused(lark, REMOVE, path={"chat_id": GROUP}, data={"id_list": [EVE]}) == 232017
    lark.episode.db.update("chat_members", {"chat_id": GROUP, "open_id": ME}, role="manager")
    assert refused(lark, REMOVE, path={"chat_id": GROUP}, data={"id_list": [BO]}) == 232076

    assert lark.call(REMOVE, path={"chat_id": GROUP}, data={"id_list": [ME]}) == {"invalid_id_list": []}
    assert refused(lark, ALL, path={"chat_id": GROUP}) == 232011


@pytest.mark.fact("members-remove")
def test_when_the_owner_leaves_another_owns_the_group(lark: LocalApp) -> None:
    lark.call(REMOVE, path={"chat_id": OWN}, data={"id_list": [ME]})

    row = lark.episode.db.one("SELECT owner_id FROM chats WHERE chat_id = ?", OWN)
    assert row is not None
    assert row["owner_id"] == BO


@pytest.mark.fact("members-remove")
@pytest.mark.parametrize(("ids", "code"), [([], 232027), ([NOBODY], 232027), ([ME, BO], 232029)])
def test_somebody_is_there_to_be_removed_and_somebody_stays(lark: LocalApp, ids: list[str], code: int) -> None:
    assert refused(lark, REMOVE, path={"chat_id": OWN}, data={"id_list": ids}) == code


@pytest.mark.fact("chat-create")
@pytest.mark.parametrize(("params", "mine"), [({"set_bot_manager": True}, "manager"), ({}, "member")])
def test_i_manage_a_group_of_somebody_elses_only_when_it_is_asked_for(
    lark: LocalApp, params: dict[str, Any], mine: str
) -> None:
    lark.call("im_v1_chat_create", data={"owner_id": BO, "user_id_list": [EVE]}, params=params)

    roles = {row["new"]["open_id"]: row["new"]["role"] for row in lark.changes()["chat_members"]}
    assert roles == {BO: "owner", ME: mine, EVE: "member"}

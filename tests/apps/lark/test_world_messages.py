"""What a world's chats hold beside texts, as the tools show it: each type with the members the vendor names."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp

MEMBERS = {
    "text": {"text"},
    "post": {"title", "content"},
    "image": {"image_key"},
    "file": {"file_key", "file_name"},
    "audio": {"file_key", "duration"},
    "media": {"file_key", "image_key", "file_name", "duration"},
    "sticker": {"file_key"},
    "interactive": {"title", "elements"},
    "merge_forward": {"content"},
    "system": {"template", "from_user", "to_chatters", "divider_text"},
}


@pytest.fixture
def harbor(start: Callable[..., LocalApp]) -> LocalApp:
    return start("lark", world="harbor")


def _history(lark: LocalApp, name: str) -> list[dict[str, Any]]:
    (chat,) = (each for each in lark.call("im_v1_chat_search", params={"query": name})["items"] if each["name"] == name)
    params, found = {"container_id_type": "chat", "container_id": chat["chat_id"], "page_size": 50}, []
    while True:
        page = lark.call("im_v1_message_list", params=params)
        found += page["items"]
        if not page["has_more"]:
            return found
        params["page_token"] = page["page_token"]


def _body(message: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(message["body"]["content"])
    return body


@pytest.mark.fact("message-bodies")
def test_every_type_is_there_with_its_members_and_no_other(harbor: LocalApp) -> None:
    rows = harbor.episode.db.all("SELECT DISTINCT msg_type, content FROM messages ORDER BY msg_type")

    assert {row["msg_type"] for row in rows} == set(MEMBERS)
    for row in rows:
        assert set(json.loads(row["content"])) == MEMBERS[row["msg_type"]]


@pytest.mark.fact("message-bodies")
def test_a_card_is_its_apps_and_shows_lines_of_parts(harbor: LocalApp) -> None:
    said = _history(harbor, "搬家小组")
    cards = [each for each in said if each["msg_type"] == "interactive"]

    assert cards[0]["sender"]["id_type"] == "app_id"
    assert cards[0]["sender"]["sender_type"] == "app"
    assert cards[0]["sender"]["id"].startswith("cli_")
    assert _body(cards[-1]) == {
        "title": "采购申请 待审批",
        "elements": [
            [{"tag": "text", "text": "申请人：李响"}],
            [{"tag": "text", "text": "物品：机柜托盘 ×3"}],
            [{"tag": "hr"}],
            [
                {"tag": "button", "text": "通过", "type": "primary"},
                {"tag": "button", "text": "拒绝", "type": "default"},
            ],
        ],
    }


@pytest.mark.fact("message-system")
def test_a_group_begins_with_who_opened_it(harbor: LocalApp) -> None:
    first = _history(harbor, "搬家小组")[0]

    assert first["msg_type"] == "system"
    assert first["sender"]["id"] == ""
    assert _body(first) == {
        "template": "{from_user} started the group chat.",
        "from_user": ["郭敏"],
        "to_chatters": [],
        "divider_text": {},
    }


@pytest.mark.fact("message-get")
def test_a_forward_brings_what_was_said_elsewhere(harbor: LocalApp) -> None:
    (forward,) = (each for each in _history(harbor, "余光S2 核心组") if each["msg_type"] == "merge_forward")

    outer, *inside = harbor.call("im_v1_message_get", path={"message_id": forward["message_id"]})["items"]

    assert _body(outer) == {"content": "Merged and Forwarded Message"}
    assert [each["msg_type"] for each in inside] == ["text", "file"]
    assert {each["upper_message_id"] for each in inside} == {forward["message_id"]}
    assert _body(inside[1])["file_name"] == "BOM_C17_compare.pdf"

"""Forum topics and folders of chats."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.telegram.conftest import After, Says, Told
from tests.apps.telegram.rows import BO, CY, FAIR, FORUM, GIL, HOUSE, ME, NEWS, NOW_S, USERS

_NEWS = -1000000000000 - NEWS


@pytest.mark.fact("topics")
def test_topics_are_listed_with_what_was_not_read(told: Told) -> None:
    found = told("list_topics", chat_id=FORUM)["results"]

    assert [(each["id"], each["title"], each.get("unread"), each["closed"]) for each in found] == [
        (FAIR, "Winter fair", 2, True),
        (HOUSE, "The house", None, False),
        (1, "General", None, False),
    ]


@pytest.mark.fact("topics")
def test_a_new_topic_begins_with_a_message_and_stands_in_the_admin_log(after: After, told: Told) -> None:
    made = told("create_forum_topic", chat_id=FORUM, title=" Flour ", icon_color=7322096)["results"][0]

    (topic,), (message,), (event,) = after("topics"), after("messages"), after("events")
    assert made == {"chat_id": -1000000000000 - FORUM, "title": "Flour", "topic_id": 7}
    assert (topic["topic_id"], topic["title"], topic["creator_id"], topic["made_s"]) == (7, "Flour", ME, NOW_S)
    assert (message["message_id"], message["action"], message["topic_id"]) == (7, "topic", 7)
    assert event["action"] == "topic"
    assert told("get_recent_actions", chat_id=FORUM)[0]["action"]["topic"]["title"] == "Flour"


@pytest.mark.fact("topics")
def test_an_answer_to_a_topic_or_to_what_stands_in_it_stands_in_it(after: After, says: Says) -> None:
    says("reply_to_message", chat_id=FORUM, message_id=HOUSE, text="one")
    says("reply_to_message", chat_id=FORUM, message_id=3, text="two")
    says("send_file", chat_id=FORUM, file_path="list.txt", topic_id=FAIR)

    sent = [(row["topic_id"], row.get("reply_to")) for row in after("messages")]
    assert sent == [(HOUSE, None), (HOUSE, 3), (FAIR, None)]


@pytest.mark.fact("topics")
def test_a_closed_topic_takes_nothing_from_plain_members(telegram: LocalApp, says: Says) -> None:
    telegram.episode.db.update("members", {"chat_id": FORUM, "user_id": ME}, role="member")

    assert says("reply_to_message", chat_id=FORUM, message_id=6, text="x").startswith("An error occurred")
    assert says("reply_to_message", chat_id=FORUM, message_id=3, text="x").startswith("Replied")


@pytest.mark.fact("topics")
def test_a_supergroup_becomes_a_forum_once(after: After, says: Says) -> None:
    assert says("create_forum_topic", chat_id=USERS, title="x").endswith("Use enable_forum_topics first.")
    assert says("enable_forum_topics", chat_id=USERS) == "Forum topics enabled for Plum Users."
    assert says("enable_forum_topics", chat_id=USERS) == "Forum topics already enabled for Plum Users."

    (row,) = after("chats")
    assert (row["chat_id"], row["is_forum"]) == (USERS, 1)


@pytest.mark.fact("folders")
def test_folders_are_listed_in_their_order(told: Told) -> None:
    listed = told("list_folders")

    assert [(each["id"], each["title"]) for each in listed["folders"]] == [(3, "Shared"), (2, "Bakery")]
    assert listed["folders"][0]["type"] == "shared"
    assert (listed["folders"][1]["contacts"], listed["folders"][1]["bots"]) == (True, False)
    assert [each["id"] for each in told("get_folder", folder_id=2)["included_chats"]] == [BO, _NEWS]


@pytest.mark.fact("folders")
def test_a_new_folder_takes_the_first_free_number(after: After, told: Told) -> None:
    made = told("create_folder", title="Work", groups=True, chat_ids=["bo_brook"], emoticon="💼")

    (row,) = after("folders")
    assert made["folder_id"] == row["folder_id"] == 4
    assert (row["title"], row["emoticon"], row["position"]) == ("Work", "💼", 3)
    assert (json.loads(row["filters"]), json.loads(row["included"])) == (["groups", "exclude_archived"], [BO])


@pytest.mark.fact("folders")
def test_an_empty_folder_and_an_eleventh_one_are_refused(after: After, says: Says, fails: Callable[..., None]) -> None:
    fails("create_folder", title="Work")
    for _ in range(8):
        says("create_folder", title="Work", groups=True)

    text = says("create_folder", title="Work", groups=True)
    assert text == "Cannot create folder: Telegram limit is 10 folders. Delete one first."
    assert len(after("folders")) == 8


@pytest.mark.fact("folders")
def test_chats_are_put_into_a_folder_and_taken_out(after: After, says: Says) -> None:
    assert says("add_chat_to_folder", folder_id=2, chat_id=CY, pinned=True) == (
        f"Chat {CY} added to folder 2 (pinned)."
    )
    assert says("remove_chat_from_folder", folder_id=2, chat_id=BO) == f"Chat {BO} removed from folder 2."

    (row,) = after("folders")
    assert (json.loads(row["included"]), json.loads(row["pinned"])) == ([_NEWS, CY], [CY])


@pytest.mark.fact("folders")
@pytest.mark.parametrize(
    ("tool", "arguments", "text"),
    [
        ("add_chat_to_folder", {"folder_id": 2, "chat_id": BO}, f"Chat {BO} is already in folder 2."),
        ("remove_chat_from_folder", {"folder_id": 2, "chat_id": CY}, f"Chat {CY} was not in folder 2."),
        ("remove_chat_from_folder", {"folder_id": 2, "chat_id": GIL}, f"Chat {GIL} was not in folder 2."),
        ("delete_folder", {"folder_id": 1}, "Cannot delete system folder (ID 1). Only custom folders can be deleted."),
        ("delete_folder", {"folder_id": 9}, "Folder with ID 9 not found (may already be deleted)."),
        ("reorder_folders", {"folder_ids": [2]}, "All folder IDs must be included. Missing: {3}"),
    ],
)
def test_what_makes_no_sense_of_folders_changes_nothing(
    telegram: LocalApp, says: Says, tool: str, arguments: dict[str, int], text: str
) -> None:
    assert says(tool, **arguments) == text
    assert telegram.changes() == {}


@pytest.mark.fact("folders")
def test_folders_are_reordered_and_deleted(told: Told, says: Says) -> None:
    assert says("reorder_folders", folder_ids=[2, 3]) == "Folders reordered: [2, 3]"
    assert [each["id"] for each in told("list_folders")["folders"]] == [2, 3]

    assert says("delete_folder", folder_id=2) == "Folder 'Bakery' (ID 2) deleted. Chats are preserved."
    assert [each["id"] for each in told("list_folders")["folders"]] == [3]

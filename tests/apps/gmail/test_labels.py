"""Labels."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import CLIENTS, INVOICE, ME, PAGE, WORK

Say = Callable[..., str]
Find = Callable[[str], list[str]]


@pytest.mark.fact("labels")
def test_labels_of_the_system_come_first(say: Say) -> None:
    said = say("list_email_labels")

    assert said.startswith("Found 16 labels (14 system, 2 user):\n\nSystem Labels:\nID: CHAT\nName: CHAT\n\nID: SENT\n")
    assert said.endswith(
        f"Name: UNREAD\n\nUser Labels:\nID: {WORK}\nName: Work\n\nID: {CLIENTS}\nName: Clients/Nord Wind\n"
    )


@pytest.mark.fact("zod")
def test_the_lists_never_look_at_their_arguments(gmail: LocalApp) -> None:
    for tool in ("list_email_labels", "list_filters"):
        assert gmail.result(tool, anything=[1]) == gmail.result(tool)


@pytest.mark.fact("create-label")
def test_a_new_label_has_an_id_and_no_type(say: Say, gmail: LocalApp) -> None:
    said = say("create_label", name=" Trips ", labelListVisibility="labelHide")

    (row,) = gmail.episode.db.all("SELECT * FROM labels WHERE name = 'Trips' ORDER BY label_id")
    assert said == f"Label created successfully:\nID: {row['label_id']}\nName: Trips\nType: undefined"
    assert row["label_id"].removeprefix("Label_").isdigit()
    assert (row["message_list_visibility"], row["label_list_visibility"]) == ("show", "labelHide")


@pytest.mark.fact("label-names")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("WORK", "Label name exists or conflicts"),
        ("Inbox", "Invalid label name"),
        ("Unread\r", "Invalid label name"),
        ("Migrated", "Invalid label name"),
        (" ", "Invalid label name"),
        ("x" * 226, "Invalid label name"),
    ],
)
def test_a_name_is_one_of_a_kind(say: Say, gmail: LocalApp, name: str, said: str) -> None:
    assert say("create_label", name=name) == f"Error: Failed to create label: {said}"
    assert say("update_label", id=CLIENTS, name=name) == f"Error: Failed to update label: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("get-or-create")
def test_what_is_there_is_found_and_told_as_made_in_another_case(say: Say, gmail: LocalApp) -> None:
    found = f"ID: {WORK}\nName: Work\nType: user"

    assert say("get_or_create_label", name="Work") == f"Successfully found existing label:\n{found}"
    assert say("get_or_create_label", name="work") == f"Successfully created new label:\n{found}"
    assert say("get_or_create_label", name="inbox").endswith("created new label:\nID: INBOX\nName: INBOX\nType: system")
    assert gmail.changes() == {}
    assert say("get_or_create_label", name="Trips").endswith("\nName: Trips\nType: undefined")
    assert say("get_or_create_label", name="Trips").startswith("Successfully found existing label:")
    assert say("get_or_create_label", name="") == (
        "Error: Failed to get or create label: Failed to create label: Invalid label name"
    )


@pytest.mark.fact("update-label")
def test_a_label_is_renamed_and_shown_otherwise(say: Say, gmail: LocalApp, find: Find) -> None:
    said = say("update_label", id=WORK, name="Jobs", messageListVisibility="hide")

    assert said == f"Label updated successfully:\nID: {WORK}\nName: Jobs\nType: user"
    assert find("label:jobs") == [PAGE, INVOICE]
    (change,) = gmail.changes()["labels"]
    assert set(change["new"]) >= {"name", "message_list_visibility"}
    assert say("update_label", id=WORK, name="JOBS").endswith("Name: JOBS\nType: user")


@pytest.mark.fact("update-label", "delete-label")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("update_label", {"id": "Label_9", "name": "x"}, 'Label with ID "Label_9" not found.'),
        ("update_label", {"id": "INBOX", "name": "x"}, "Failed to update label: Invalid update request"),
        ("update_label", {"id": WORK, "messageListVisibility": "hide"}, "Failed to update label: Invalid label name"),
        ("delete_label", {"id": "Label_9"}, 'Label with ID "Label_9" not found.'),
        ("delete_label", {"id": "inbox"}, 'Label with ID "inbox" not found.'),
        ("delete_label", {"id": "SPAM"}, 'Failed to delete label: Cannot delete system label with ID "SPAM".'),
    ],
)
def test_labels_that_are_not_one_s_own_stay(
    say: Say, gmail: LocalApp, tool: str, arguments: dict[str, str], said: str
) -> None:
    assert say(tool, **arguments) == f"Error: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("delete-label")
def test_messages_stay_without_a_deleted_label(say: Say, gmail: LocalApp, find: Find) -> None:
    assert say("delete_label", id=WORK) == 'Label "Work" deleted successfully.'

    assert {table: len(rows) for table, rows in gmail.changes().items()} == {"labels": 1, "message_labels": 2}
    assert find("from:pager") == [PAGE]
    assert find("label:work") == []


@pytest.mark.fact("labels")
def test_the_list_names_every_label_once(say: Say) -> None:
    system = [
        "CHAT", "SENT", "INBOX", "IMPORTANT", "TRASH", "DRAFT", "SPAM", "CATEGORY_FORUMS", "CATEGORY_UPDATES",
        "CATEGORY_PERSONAL", "CATEGORY_PROMOTIONS", "CATEGORY_SOCIAL", "STARRED", "UNREAD",
    ]  # fmt: skip
    blocks = "\n".join(f"ID: {each}\nName: {each}\n" for each in system)
    own = f"ID: {WORK}\nName: Work\n\nID: {CLIENTS}\nName: Clients/Nord Wind\n"

    assert say("list_email_labels") == (
        f"Found 16 labels (14 system, 2 user):\n\nSystem Labels:\n{blocks}\nUser Labels:\n{own}"
    )


def stored(gmail: LocalApp, label_id: str) -> dict[str, Any] | None:
    return gmail.episode.db.one("SELECT * FROM labels WHERE label_id = ?", label_id)


@pytest.mark.fact("create-label", "get-or-create", "update-label")
@pytest.mark.parametrize("tool", ["create_label", "get_or_create_label"])
@pytest.mark.parametrize(
    ("given", "in_messages", "in_list"),
    [
        ({}, "show", "labelShow"),
        ({"messageListVisibility": "hide"}, "hide", "labelShow"),
        ({"labelListVisibility": "labelShowIfUnread"}, "show", "labelShowIfUnread"),
        ({"messageListVisibility": "show", "labelListVisibility": "labelHide"}, "show", "labelHide"),
    ],
)
def test_a_label_is_shown_unless_one_says_otherwise(
    say: Say, gmail: LocalApp, tool: str, given: dict[str, str], in_messages: str, in_list: str
) -> None:
    said = say(tool, name="Trips/2026 ", **given)

    label_id = said.split("\n")[1].removeprefix("ID: ")
    done = "Label created successfully" if tool == "create_label" else "Successfully created new label"
    assert said == f"{done}:\nID: {label_id}\nName: Trips/2026\nType: undefined"
    assert re.fullmatch(r"Label_[1-9]\d{18}", label_id)
    row = {"label_id": label_id, "account_id": ME, "name": "Trips/2026"}
    assert stored(gmail, label_id) == row | {"message_list_visibility": in_messages, "label_list_visibility": in_list}

    say("update_label", id=label_id, name="Later", messageListVisibility="hide")
    say("update_label", id=label_id, name="Later")
    row["name"] = "Later"
    assert stored(gmail, label_id) == row | {"message_list_visibility": "hide", "label_list_visibility": in_list}

    said = say("update_label", id=label_id, name=" Now ", labelListVisibility="labelShow")
    row["name"] = "Now"
    assert said == f"Label updated successfully:\nID: {label_id}\nName: Now\nType: user"
    assert stored(gmail, label_id) == row | {"message_list_visibility": "hide", "label_list_visibility": "labelShow"}
    assert set(gmail.changes()) == {"labels"}


@pytest.mark.fact("label-names")
@pytest.mark.parametrize(
    "name",
    ["DRAFTS", "Sent Mail", "bin", "Chats", "all mail", "Scheduled", "Snoozed", "Muted", "category_social", "starred"],
)
def test_gmail_s_own_names_are_nobody_s(say: Say, gmail: LocalApp, name: str) -> None:
    assert say("create_label", name=name) == "Error: Failed to create label: Invalid label name"
    assert gmail.changes() == {}


@pytest.mark.fact("label-names")
def test_a_name_has_225_characters_at_most_and_blanks_around_it_are_dropped(say: Say, gmail: LocalApp) -> None:
    assert say("create_label", name=f" {'x' * 225} ").split("\n")[2] == f"Name: {'x' * 225}"
    assert say("create_label", name="work ") == "Error: Failed to create label: Label name exists or conflicts"
    assert say("update_label", id=WORK, name="clients/nord wind") == (
        "Error: Failed to update label: Label name exists or conflicts"
    )
    assert say("get_or_create_label", name=" Work") == (
        "Error: Failed to get or create label: Failed to create label: Label name exists or conflicts"
    )
    assert len(gmail.changes()["labels"]) == 1


@pytest.mark.fact("labels")
def test_one_s_own_labels_stand_by_the_length_of_their_ids(say: Say, gmail: LocalApp) -> None:
    for number in (9, 100, 10, 8):
        row = {"label_id": f"Label_{number}", "account_id": ME, "name": f"No. {number}"}
        gmail.episode.db.insert("labels", **row)

    own = say("list_email_labels").split("User Labels:\n")[1]
    assert [line for line in own.split("\n") if line.startswith("ID: ")] == [
        "ID: Label_8", "ID: Label_9", "ID: Label_10", f"ID: {WORK}", "ID: Label_100", f"ID: {CLIENTS}",
    ]  # fmt: skip


@pytest.mark.fact("delete-label")
def test_a_deleted_label_s_name_is_free_again(say: Say, gmail: LocalApp, find: Find) -> None:
    say("delete_label", id=CLIENTS)

    assert say("list_email_labels").startswith("Found 15 labels (14 system, 1 user):")
    assert say("create_label", name="Clients/Nord Wind").startswith("Label created successfully")
    assert find("label:clients-nord-wind") == []
    assert find("label:work") == [PAGE, INVOICE]

"""Reading, labelling and deleting messages."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp
from tests.apps.gmail.mailbox import (
    CHINESE,
    CLIENTS,
    DRAFT,
    FAR,
    INVOICE,
    NEWSLETTER,
    OLD,
    PAGE,
    PLAN,
    PLAN_REPLY,
    SPAM,
    TRASHED,
    WORK,
)

Say = Callable[..., str]
Find = Callable[[str], list[str]]


def labels_of(gmail: LocalApp, message_id: str) -> set[str]:
    rows = gmail.episode.db.all("SELECT label_id FROM message_labels WHERE message_id = ?", message_id)
    return {row["label_id"] for row in rows}


@pytest.mark.fact("read", "line-ends", "text")
def test_a_message_is_shown_with_four_headers_and_its_text(say: Say, gmail: LocalApp) -> None:
    assert say("read_email", messageId=PLAN) == (
        f"Thread ID: {PLAN}\nSubject: Harbour plan\nFrom: Anna Berg <anna@nordwind.example>\n"
        "To: Mira Sol <mira@tidepool.example>\nDate: Tue, 3 Mar 2026 02:00:00 +0100\n\n"
        "Hi Mira,\r\nthe harbour plan is ready for review.\r\n"
    )
    assert "UNREAD" in labels_of(gmail, CHINESE)
    say("read_email", messageId=CHINESE)
    assert gmail.changes() == {}


@pytest.mark.fact("read")
def test_html_alone_is_shown_as_it_is_under_a_note_and_beside_a_text_not_at_all(say: Say) -> None:
    assert say("read_email", messageId=NEWSLETTER).endswith(
        "\n\n[Note: This email is HTML-formatted. Plain text version not available.]\n\n"
        "<p>High water at <b>noon</b> &amp; midnight</p>"
    )
    assert "<b>" not in say("read_email", messageId=PAGE)


@pytest.mark.fact("attachments")
def test_attachments_stand_below_the_text_with_their_ids(say: Say) -> None:
    assert say("read_email", messageId=INVOICE).endswith(
        "EUR.\r\n\n\nAttachments (2):\n- invoice-4711.pdf (application/pdf, 34 KB, ID: ANGjdJpdf)\n"
        "- Übersicht März.xlsx (application/vnd.ms-excel, 7 KB, ID: ANGjdJsheet)"
    )


@pytest.mark.fact("ids", "text")
@pytest.mark.parametrize(
    ("message_id", "said"),
    [
        (FAR, "Error: Requested entity was not found."),
        ("abc", "Error: Requested entity was not found."),
        ("r-44", "Error: Invalid id value"),
        ("", "Error: Invalid id value"),
        (f"{PLAN}0", "Error: Invalid id value"),
    ],
)
def test_an_id_that_is_nobody_s_is_refused(say: Say, message_id: str, said: str) -> None:
    assert say("read_email", messageId=message_id) == said


@pytest.mark.fact("credentials")
def test_nobody_s_server_has_no_credentials(start: Callable[..., LocalApp]) -> None:
    nobody = start("gmail")

    with pytest.raises(VendorError) as refused:
        nobody.call("read_email", messageId=PLAN)

    assert refused.value.message == "No access, refresh token, API key or refresh handler callback is set."
    assert nobody.result("list_email_labels")["content"][0]["text"].startswith(
        "Error: Failed to list labels: No access"
    )


@pytest.mark.fact("modify")
def test_labels_come_and_go(say: Say, gmail: LocalApp) -> None:
    assert say(
        "modify_email", messageId=INVOICE, addLabelIds=["STARRED", CLIENTS], removeLabelIds=["UNREAD", "SPAM"]
    ) == (f"Email {INVOICE} labels updated successfully")

    assert labels_of(gmail, INVOICE) == {"INBOX", "STARRED", CLIENTS, WORK}
    changed = gmail.changes()["message_labels"]
    assert sorted(each["op"] for each in changed) == ["delete", "insert"]


@pytest.mark.fact("modify")
def test_of_two_lists_to_add_the_second_counts(say: Say, gmail: LocalApp) -> None:
    say("modify_email", messageId=PLAN, labelIds=[WORK])
    say("modify_email", messageId=PLAN, labelIds=["STARRED"], addLabelIds=["UNREAD"])

    assert labels_of(gmail, PLAN) == {"INBOX", "IMPORTANT", CLIENTS, WORK, "UNREAD"}


@pytest.mark.fact("fixed", "unknown-label", "no-change", "one-place")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"addLabelIds": ["INBOX", "TRASH"]}, "Can only add one of: INBOX, SPAM, TRASH"),
        ({"labelIds": ["SPAM", "STARRED", "TRASH"]}, "Can only add one of: INBOX, SPAM, TRASH"),
        ({"addLabelIds": ["SENT"]}, "Invalid label: SENT"),
        ({"removeLabelIds": ["DRAFT"]}, "Invalid label: DRAFT"),
        ({"labelIds": ["Label_999"]}, "labelId not found"),
        ({"labelIds": ["Work"]}, "Invalid label: Work"),
        ({}, "No label add or removes specified"),
        ({"addLabelIds": [], "removeLabelIds": []}, "No label add or removes specified"),
    ],
)
def test_labels_that_cannot_be_set_are_refused(
    say: Say, gmail: LocalApp, arguments: dict[str, list[str]], said: str
) -> None:
    assert say("modify_email", messageId=PLAN, **arguments) == f"Error: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("delete")
def test_a_deleted_message_is_gone_with_its_labels_and_attachments(say: Say, gmail: LocalApp, find: Find) -> None:
    assert say("delete_email", messageId=INVOICE) == f"Email {INVOICE} deleted successfully"
    say("delete_email", messageId=DRAFT)

    assert find("in:anywhere invoice") == [SPAM]
    assert {table: len(rows) for table, rows in gmail.changes().items()} == {
        "messages": 2,
        "attachments": 2,
        "message_labels": 4,
    }
    assert say("delete_email", messageId=INVOICE) == "Error: Requested entity was not found."


@pytest.mark.fact("batch-modify")
def test_in_a_batch_the_good_ones_are_modified_and_the_others_told(say: Say, gmail: LocalApp) -> None:
    said = say("batch_modify_emails", messageIds=[PLAN, FAR, PAGE, "not an id of mail"], addLabelIds=["STARRED"])

    assert said == (
        "Batch label modification complete.\nSuccessfully processed: 2 messages\nFailed to process: 2 messages\n\n"
        f"Failed message IDs:\n- {FAR}... (Requested entity was not found.)\n- not an id of mai... (Invalid id value)"
    )
    assert "STARRED" in labels_of(gmail, PLAN) & labels_of(gmail, PAGE)


@pytest.mark.fact("batch-delete")
def test_a_batch_that_fails_has_deleted_what_it_calls_failed(say: Say, find: Find) -> None:
    said = say("batch_delete_emails", messageIds=[PLAN, FAR, PAGE, OLD], batchSize=2)

    assert said == (
        "Batch delete operation complete.\nSuccessfully deleted: 2 messages\nFailed to delete: 2 messages\n\n"
        f"Failed message IDs:\n- {PLAN}... (Requested entity was not found.)\n"
        f"- {FAR}... (Requested entity was not found.)"
    )
    assert not {PLAN, PAGE, OLD} & set(find("in:anywhere"))


@pytest.mark.fact("batch-delete")
def test_a_batch_without_a_fault_is_deleted(say: Say, find: Find) -> None:
    said = say("batch_delete_emails", messageIds=[TRASHED, PLAN_REPLY])

    assert said == "Batch delete operation complete.\nSuccessfully deleted: 2 messages\n"
    assert not {TRASHED, PLAN_REPLY} & set(find("in:anywhere"))


@pytest.mark.fact("batch-size")
@pytest.mark.parametrize("size", [0, 0.5, 1.5, 1e9])
def test_whatever_the_steps_every_message_is_in_one(say: Say, size: float) -> None:
    said = say("batch_modify_emails", messageIds=[PLAN, PAGE, OLD], addLabelIds=["STARRED"], batchSize=size)

    assert said == "Batch label modification complete.\nSuccessfully processed: 3 messages\n"


@pytest.mark.fact("batch-size")
def test_steps_backwards_never_end(gmail: LocalApp) -> None:
    with pytest.raises(VendorError) as refused:
        gmail.call("batch_delete_emails", messageIds=[PLAN], batchSize=-1)

    assert refused.value.code == -32603
    assert gmail.changes() == {}

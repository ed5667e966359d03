"""Reading, labelling and deleting messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
    PHOTOS,
    PLAN,
    PLAN_REPLY,
    TRASHED,
    WORK,
    message,
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
@pytest.mark.parametrize("message_id", [INVOICE, DRAFT, TRASHED, FAR, "x"])
def test_no_message_can_be_deleted_for_good(say: Say, gmail: LocalApp, message_id: str) -> None:
    assert say("delete_email", messageId=message_id) == "Error: Insufficient Permission"
    assert gmail.changes() == {}


@pytest.mark.fact("batch-modify")
def test_in_a_batch_the_good_ones_are_modified_and_the_others_told(say: Say, gmail: LocalApp) -> None:
    said = say("batch_modify_emails", messageIds=[PLAN, FAR, PAGE, "not an id of mail"], addLabelIds=["STARRED"])

    assert said == (
        "Batch label modification complete.\nSuccessfully processed: 2 messages\nFailed to process: 2 messages\n\n"
        f"Failed message IDs:\n- {FAR}... (Requested entity was not found.)\n- not an id of mai... (Invalid id value)"
    )
    assert "STARRED" in labels_of(gmail, PLAN) & labels_of(gmail, PAGE)


@pytest.mark.fact("batch-delete", "delete", "batch-size")
@pytest.mark.parametrize("size", [{}, {"batchSize": 0}, {"batchSize": 0.5}, {"batchSize": 1.5}, {"batchSize": 2}])
def test_every_message_of_a_batch_to_delete_is_told_as_failed(
    say: Say, gmail: LocalApp, size: dict[str, float]
) -> None:
    said = say("batch_delete_emails", messageIds=[PLAN, FAR, "not an id of mail"], **size)

    assert said == (
        "Batch delete operation complete.\nSuccessfully deleted: 0 messages\nFailed to delete: 3 messages\n\n"
        f"Failed message IDs:\n- {PLAN}... (Insufficient Permission)\n- {FAR}... (Insufficient Permission)\n"
        "- not an id of mai... (Insufficient Permission)"
    )
    assert gmail.changes() == {}


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


ANNA = "Anna Berg <anna@nordwind.example>"
MIRA = "Mira Sol <mira@tidepool.example>"


@pytest.mark.fact("read", "line-ends", "attachments")
@pytest.mark.parametrize(
    ("message_id", "shown"),
    [
        (
            PLAN_REPLY,
            f"Thread ID: {PLAN}\nSubject: Re: Harbour plan\nFrom: {MIRA}\nTo: {ANNA}\n"
            "Date: Wed, 4 Mar 2026 02:00:00 +0100\n\nThanks, I'll look on Monday.\r\n",
        ),
        (
            NEWSLETTER,
            f"Thread ID: {NEWSLETTER}\nSubject: Tides of March\nFrom: The Tide <news@tide.example>\nTo: {MIRA}\n"
            "Date: Fri, 6 Mar 2026 02:00:00 +0100\n\n"
            "[Note: This email is HTML-formatted. Plain text version not available.]\n\n"
            "<p>High water at <b>noon</b> &amp; midnight</p>",
        ),
        (
            PAGE.upper(),
            f"Thread ID: {PAGE}\nSubject: [P1] pump stopped\nFrom: Pager <pager@ops.example>\n"
            "To: ops-alerts@ops.example\nDate: Sat, 7 Mar 2026 02:00:00 +0100\n\nPump 3 stopped at 04:12.\r\n",
        ),
        (
            PHOTOS,
            f"Thread ID: {PHOTOS}\nSubject: \nFrom: {ANNA}\nTo: team@nordwind.example\n"
            "Date: Sun, 8 Mar 2026 20:00:00 +0100\n\n\n\nAttachments (1):\n"
            "- empty.txt (text/plain, 0 KB, ID: ANGjdJempty)",
        ),
    ],
)
def test_a_message_of_any_kind_is_shown_whole(say: Say, message_id: str, shown: str) -> None:
    assert say("read_email", messageId=message_id) == shown


@pytest.mark.fact("attachments")
def test_sizes_are_rounded_to_kilobytes_and_files_stand_in_their_order(say: Say, gmail: LocalApp) -> None:
    for position, size in ((5, 511), (4, 512), (3, 1_535), (3, 1_536)):
        row: dict[str, Any] = {
            "attachment_id": f"a{position}-{size}",
            "message_id": OLD,
            "position": position,
            "filename": "f",
        }
        gmail.episode.db.insert("attachments", **row, mime_type="text/csv", size_bytes=size)

    assert say("read_email", messageId=OLD).split("\n\n\nAttachments (4):\n")[1] == (
        "- f (text/csv, 1 KB, ID: a3-1535)\n- f (text/csv, 2 KB, ID: a3-1536)\n- f (text/csv, 1 KB, ID: a4-512)\n"
        "- f (text/csv, 0 KB, ID: a5-511)"
    )


@pytest.mark.fact("ids")
def test_an_id_is_a_number_however_it_is_written(say: Say, gmail: LocalApp) -> None:
    row = message("0000000000000abc", 1, ANNA, "Low", "x")
    gmail.episode.db.insert("messages", **{name: value for name, value in row.items() if name != "table"})

    for written in ("abc", "ABC", "0abc", "0000000000000abc"):
        assert say("read_email", messageId=written).startswith("Thread ID: 0000000000000abc\nSubject: Low\n")
    for written in ("00000000000000abc", "abg", "0xabc", " abc", "-abc"):
        assert say("read_email", messageId=written) == "Error: Invalid id value"


@pytest.mark.fact("results")
@pytest.mark.parametrize(
    ("most", "said"),
    [
        (-0.5, '"-0.5"'),
        (0.5, '"0.5"'),
        (2**32, '"4294967296"'),
        (1e21, '"1e+21"'),
        (-(2**31), '"-2147483648"'),
    ],
)
def test_a_number_of_results_that_is_none_is_refused(say: Say, most: float, said: str) -> None:
    assert say("search_emails", query="", maxResults=most) == (
        f"Error: Invalid value at 'max_results' (TYPE_UINT32), {said}"
    )


@pytest.mark.fact("results")
def test_a_large_number_of_results_is_as_good_as_500(find: Find, say: Say) -> None:
    assert say("search_emails", query="", maxResults=2**32 - 1).count("ID: ") == len(find(""))
    assert say("search_emails", query="", maxResults=1).count("ID: ") == 1


NO_CREDENTIALS = "No access, refresh token, API key or refresh handler callback is set."


@pytest.mark.fact("credentials")
@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("send_email", {"to": ["a@b.example"], "subject": "s", "body": "b"}, "Error: "),
        ("draft_email", {"to": [], "subject": "s", "body": "b"}, "Error: "),
        ("read_email", {"messageId": PLAN}, "Error: "),
        ("search_emails", {"query": ""}, "Error: "),
        ("search_emails", {"query": "", "maxResults": -1}, "Error: "),
        ("modify_email", {"messageId": "x", "addLabelIds": ["SENT"]}, "Error: "),
        ("delete_email", {"messageId": "x"}, "Error: "),
        ("list_email_labels", {}, "Error: Failed to list labels: "),
        ("create_label", {"name": ""}, "Error: Failed to create label: "),
        ("update_label", {"id": "x"}, "Error: Failed to update label: "),
        ("delete_label", {"id": "x"}, "Error: Failed to delete label: "),
        ("get_or_create_label", {"name": "x"},
         "Error: Failed to get or create label: Failed to find label: Failed to list labels: "),
        ("create_filter", {"criteria": {}, "action": {}}, "Error: Failed to create filter: "),
        ("create_filter_from_template", {"template": "withAttachments", "parameters": {}},
         "Error: Failed to create filter: "),
        ("list_filters", {}, "Error: Failed to list filters: "),
        ("get_filter", {"filterId": "x"}, "Error: Failed to get filter: "),
        ("delete_filter", {"filterId": "x"}, "Error: Failed to delete filter: "),
        ("download_attachment", {"messageId": "x", "attachmentId": "x"}, "Failed to download attachment: "),
    ],
)  # fmt: skip
def test_without_credentials_each_tool_says_so_in_its_way(
    start: Callable[..., LocalApp], tool: str, arguments: dict[str, object], said: str
) -> None:
    nobody = start("gmail")

    assert nobody.result(tool, **arguments) == {"content": [{"type": "text", "text": f"{said}{NO_CREDENTIALS}"}]}


@pytest.mark.fact("credentials", "batch-modify", "batch-delete")
def test_without_credentials_all_of_a_batch_fails(start: Callable[..., LocalApp]) -> None:
    nobody = start("gmail")

    failed = f"messages\n\nFailed message IDs:\n- {PLAN}... ({NO_CREDENTIALS})"
    assert nobody.text("batch_modify_emails", messageIds=[PLAN], addLabelIds=["STARRED"]) == (
        f"Batch label modification complete.\nSuccessfully processed: 0 messages\nFailed to process: 1 {failed}"
    )
    assert nobody.text("batch_delete_emails", messageIds=[PLAN]) == (
        f"Batch delete operation complete.\nSuccessfully deleted: 0 messages\nFailed to delete: 1 {failed}"
    )


@pytest.mark.fact("modify")
@pytest.mark.parametrize(
    ("arguments", "labels"),
    [
        ({"labelIds": ["STARRED"], "addLabelIds": []}, None),
        ({"labelIds": ["STARRED"], "addLabelIds": [], "removeLabelIds": ["INBOX"]}, {"IMPORTANT", CLIENTS}),
        ({"labelIds": ["STARRED"], "removeLabelIds": ["INBOX"]}, {"IMPORTANT", CLIENTS, "STARRED"}),
        ({"removeLabelIds": ["INBOX", "SPAM", "TRASH"]}, {"IMPORTANT", CLIENTS}),
        ({"addLabelIds": ["TRASH"], "removeLabelIds": ["INBOX"]}, {"IMPORTANT", CLIENTS, "TRASH"}),
        ({"addLabelIds": ["SPAM", "SPAM"]}, {"INBOX", "IMPORTANT", CLIENTS, "SPAM"}),
        ({"addLabelIds": ["CATEGORY_SOCIAL", WORK]}, {"INBOX", "IMPORTANT", CLIENTS, WORK, "CATEGORY_SOCIAL"}),
    ],
)
def test_what_is_added_and_taken_away_is_what_a_message_bears_then(
    say: Say, gmail: LocalApp, arguments: dict[str, list[str]], labels: set[str] | None
) -> None:
    said = say("modify_email", messageId=PLAN.upper(), **arguments)

    if labels is None:
        assert said == "Error: No label add or removes specified"
        assert gmail.changes() == {}
    else:
        assert said == f"Email {PLAN.upper()} labels updated successfully"
        assert labels_of(gmail, PLAN) == labels
        assert labels_of(gmail, INVOICE) == {"INBOX", "UNREAD", WORK, "STARRED"}


BOTH = "Cannot both add and remove the same label"


@pytest.mark.fact("both")
def test_a_label_is_not_added_and_removed_at_once(say: Say, gmail: LocalApp) -> None:
    both = {"addLabelIds": ["STARRED", "INBOX"], "removeLabelIds": ["UNREAD", "STARRED"]}

    assert say("modify_email", messageId=PLAN, **both) == f"Error: {BOTH}"
    assert say("modify_email", messageId=PLAN, labelIds=[WORK], removeLabelIds=[WORK]) == f"Error: {BOTH}"
    assert say("batch_modify_emails", messageIds=[PLAN], **both) == (
        "Batch label modification complete.\nSuccessfully processed: 0 messages\n"
        f"Failed to process: 1 messages\n\nFailed message IDs:\n- {PLAN}... ({BOTH})"
    )
    assert gmail.changes() == {}


@pytest.mark.fact("ids", "fixed", "unknown-label", "no-change", "one-place")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"messageId": "x"}, "Invalid id value"),
        ({"messageId": FAR}, "No label add or removes specified"),
        ({"messageId": FAR, "addLabelIds": ["INBOX", "SPAM"]}, "Can only add one of: INBOX, SPAM, TRASH"),
        ({"messageId": FAR, "addLabelIds": ["INBOX", "SPAM", "SENT"]}, "Can only add one of: INBOX, SPAM, TRASH"),
        ({"messageId": FAR, "addLabelIds": ["SPAM", "INBOX"], "removeLabelIds": ["SPAM"]}, BOTH),
        ({"messageId": FAR, "addLabelIds": ["Label_9"]}, "labelId not found"),
        ({"messageId": FAR, "addLabelIds": ["STARRED"]}, "Requested entity was not found."),
        ({"addLabelIds": ["STARRED", "DRAFT"], "removeLabelIds": ["Label_9"]}, "Invalid label: DRAFT"),
        ({"addLabelIds": ["STARRED", "Label_9"], "removeLabelIds": ["DRAFT"]}, "labelId not found"),
        ({"addLabelIds": ["STARRED"], "removeLabelIds": ["Label_9"]}, "labelId not found"),
        ({"removeLabelIds": ["inbox"]}, "Invalid label: inbox"),
        ({"addLabelIds": ["CHAT"]}, "Invalid label: CHAT"),
        ({"removeLabelIds": ["SENT", "INBOX"]}, "Invalid label: SENT"),
    ],
)
def test_the_first_fault_of_a_change_is_told(say: Say, gmail: LocalApp, arguments: dict[str, Any], said: str) -> None:
    assert say("modify_email", **{"messageId": PLAN, **arguments}) == f"Error: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("batch-modify")
def test_labels_of_a_batch_come_and_go(say: Say, gmail: LocalApp) -> None:
    said = say("batch_modify_emails", messageIds=[PLAN, PAGE], addLabelIds=["STARRED"], removeLabelIds=["INBOX"])

    assert said == "Batch label modification complete.\nSuccessfully processed: 2 messages\n"
    assert labels_of(gmail, PLAN) == {"IMPORTANT", CLIENTS, "STARRED"}
    assert labels_of(gmail, PAGE) == {"CATEGORY_UPDATES", WORK, "STARRED"}
    assert say("batch_modify_emails", messageIds=[PLAN, "no"]) == (
        "Batch label modification complete.\nSuccessfully processed: 0 messages\nFailed to process: 2 messages\n\n"
        f"Failed message IDs:\n- {PLAN}... (No label add or removes specified)\n- no... (Invalid id value)"
    )


@pytest.mark.fact("batch-modify", "batch-delete", "batch-size")
def test_a_batch_of_nothing_is_done(say: Say, gmail: LocalApp) -> None:
    for size in (-1, 0, 50):
        assert say("batch_modify_emails", messageIds=[], addLabelIds=["STARRED"], batchSize=size) == (
            "Batch label modification complete.\nSuccessfully processed: 0 messages\n"
        )
        assert say("batch_delete_emails", messageIds=[], batchSize=size) == (
            "Batch delete operation complete.\nSuccessfully deleted: 0 messages\n"
        )
    assert gmail.changes() == {}

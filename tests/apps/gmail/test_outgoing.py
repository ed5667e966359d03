"""Sending mail and keeping drafts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import ADDRESS, FAR, INVOICE, PLAN, WORK

Say = Callable[..., str]
Find = Callable[[str], list[str]]
TO = ["bo@harbourmail.example"]
SENT = re.compile(r"Email sent successfully with ID: ([0-9a-f]{16})")


def written(gmail: LocalApp) -> dict[str, Any]:
    """Return the one message that was made."""
    (change,) = gmail.changes()["messages"]
    row = gmail.episode.db.one("SELECT * FROM messages ORDER BY message_id DESC LIMIT 1")
    assert change["op"] == "insert"
    assert row is not None
    return row


@pytest.mark.fact("send", "threads")
def test_a_mail_is_sent_from_its_account_and_begins_a_thread(say: Say, gmail: LocalApp) -> None:
    said = say(
        "send_email", to=TO, subject="Grüße 你好", body="Line one\nline two", cc=["a@b.example"], bcc=["c@d.example"]
    )

    found = SENT.fullmatch(said)
    row = written(gmail)
    assert found is not None
    assert row["message_id"] == row["thread_id"] == found[1]
    assert (row["kind"], row["subject"], row["body_text"]) == ("sent", "Grüße 你好", "Line one\nline two")
    assert (row["sender"], row["recipients"]) == (f"Mira Sol <{ADDRESS}>", TO[0])
    assert (row["cc"], row["bcc"], row["body_html"]) == ("a@b.example", "c@d.example", None)
    assert set(gmail.changes()) == {"messages"}


@pytest.mark.fact("send")
@pytest.mark.parametrize(
    ("arguments", "text", "html"),
    [
        ({"htmlBody": "<p>rich</p>"}, "plain", None),
        ({"htmlBody": "<p>rich</p>", "mimeType": "text/html"}, "plain\n", "<p>rich</p>\n"),
        ({"mimeType": "text/html"}, None, "plain"),
        ({"mimeType": "multipart/alternative"}, "plain\n", "plain\n"),
    ],
)
def test_html_counts_only_with_a_type_that_has_it(
    say: Say, gmail: LocalApp, arguments: dict[str, str], text: str | None, html: str | None
) -> None:
    say("send_email", to=TO, subject="s", body="plain", **arguments)

    row = written(gmail)
    assert (row["body_text"], row["body_html"]) == (text, html)


@pytest.mark.fact("send")
def test_half_a_character_becomes_a_sign_of_its_own(say: Say, gmail: LocalApp) -> None:
    say("send_email", to=TO, subject="a\ud83d", body="b\ude00", inReplyTo="<x\ud83d>")

    row = written(gmail)
    assert (row["subject"], row["body_text"], row["in_reply_to"]) == ("a\ufffd", "b\ufffd", "<x\ufffd>")


@pytest.mark.fact("send")
def test_a_line_end_in_a_subject_ends_the_header(say: Say, gmail: LocalApp) -> None:
    say("send_email", to=TO, subject="one\nCc: x@y.example", body="b")

    row = written(gmail)
    assert (row["subject"], row["cc"]) == ("one", "x@y.example")


@pytest.mark.fact("send-attached")
def test_with_attachments_html_counts_whatever_the_type_and_lines_are_joined(say: Say, gmail: LocalApp) -> None:
    said = say(
        "send_email",
        to=TO,
        subject="two\nlines",
        body="b",
        htmlBody="<p>b</p>",
        attachments=["report.pdf", "out/notes.txt"],
    )

    row = gmail.episode.db.one("SELECT * FROM messages WHERE message_id = ?", said[-16:])
    files = gmail.episode.db.all("SELECT * FROM attachments WHERE message_id = ? ORDER BY position", said[-16:])
    assert row is not None
    assert (row["subject"], row["body_text"], row["body_html"]) == ("two lines", "b", "<p>b</p>")
    assert [(each["filename"], each["mime_type"], each["size_bytes"]) for each in files] == [
        ("report.pdf", "application/pdf", 5000),
        ("notes.txt", "text/plain", 12),
    ]
    assert "- report.pdf (application/pdf, 5 KB, ID: ANGjdJ" in say("read_email", messageId=said[-16:])


@pytest.mark.fact("recipients-checked", "nobody", "threads")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"to": ["Bo <bo@b.example>"]}, "Recipient email address is invalid: Bo <bo@b.example>"),
        ({"to": ["bo@b.example", "bo@b"], "attachments": ["none"]}, "Recipient email address is invalid: bo@b"),
        ({"attachments": ["report.pdf", "none/a.txt"]}, "File does not exist: none/a.txt"),
        ({"attachments": ["out"]}, "EISDIR: illegal operation on a directory, read"),
        ({"to": []}, "Recipient address required"),
        ({"to": [], "cc": []}, "Recipient address required"),
        ({"cc": ["nobody"]}, "Invalid Cc header"),
        ({"threadId": FAR}, "Requested entity was not found."),
        ({"threadId": "x"}, "Invalid thread_id value"),
    ],
)
def test_what_cannot_be_sent_is_refused(say: Say, gmail: LocalApp, arguments: dict[str, Any], said: str) -> None:
    assert say("send_email", **{"to": TO, "subject": "s", "body": "b", **arguments}) == f"Error: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("threads")
def test_a_reply_joins_the_thread_it_names_and_no_other(say: Say, gmail: LocalApp, find: Find) -> None:
    header = f"<{PLAN}@mail.gmail.com>"
    joined = say("send_email", to=TO, subject="Re: Harbour plan", body="b", threadId=PLAN, inReplyTo=header)
    alone = say("send_email", to=TO, subject="Re: Harbour plan", body="b", inReplyTo=header)

    threads = {row["message_id"]: row for row in gmail.episode.db.all("SELECT * FROM messages ORDER BY message_id")}
    assert threads[joined[-16:]]["thread_id"] == PLAN
    assert threads[joined[-16:]]["in_reply_to"] == header
    assert threads[alone[-16:]]["thread_id"] == alone[-16:]
    assert find("in:sent newer_than:1d") == [alone[-16:], joined[-16:]]


@pytest.mark.fact("myself")
def test_mail_to_oneself_comes_in_through_one_s_filters(say: Say, gmail: LocalApp, find: Find) -> None:
    action = {"addLabelIds": [WORK, "STARRED"], "removeLabelIds": ["INBOX"]}
    say("create_filter", criteria={"subject": "note", "negatedQuery": "private"}, action=action)

    kept = say("send_email", to=[ADDRESS], subject="Note", body="remember")[-16:]
    private = say("send_email", to=TO, cc=[ADDRESS.upper()], subject="Note", body="private")[-16:]

    assert find("label:work is:unread is:starred in:sent") == [kept]
    assert find("in:inbox in:sent") == [private]


@pytest.mark.fact("drafts")
def test_a_draft_is_kept_under_an_id_of_its_own(say: Say, gmail: LocalApp, find: Find) -> None:
    said = say("draft_email", to=[], subject="", body="", threadId=INVOICE)

    row = written(gmail)
    assert re.fullmatch(r"Email draft created successfully with ID: r-?\d+", said)
    assert said.endswith(f" {row['draft_id']}")
    assert (row["kind"], row["thread_id"]) == ("draft", INVOICE)
    assert find("in:drafts newer_than:1d") == [row["message_id"]]
    assert say("delete_email", messageId=row["message_id"]).endswith("deleted successfully")
    assert gmail.changes() == {}


@pytest.mark.fact("send")
@pytest.mark.parametrize("word", ["=?unicode_escape?Q?=5Cud800?=", "=?undefined?Q?a?=", "=?idna?Q?xn--a?="])
def test_a_subject_in_no_charset_stays_as_it_is(say: Say, gmail: LocalApp, word: str) -> None:
    say("send_email", to=TO, subject=word, body="b")

    assert written(gmail)["subject"] == word


@pytest.mark.fact("send")
def test_copies_may_have_names_with_commas(say: Say, gmail: LocalApp) -> None:
    say("send_email", to=TO, subject="s", body="b", cc=['"Bauer, Jan" <jan@x.example>'], bcc=["Team: a@x.example;"])

    assert written(gmail)["cc"] == '"Bauer, Jan" <jan@x.example>'


@pytest.mark.fact("nobody")
def test_brackets_without_end_are_no_address(say: Say) -> None:
    mail = {"to": TO, "subject": "s", "body": "b"}

    assert say("send_email", **mail, cc=["(" * 3_000 + "a@b.example"]).startswith("Email sent")
    assert say("send_email", **mail, cc=["<" * 3_000 + "a@b.example"]) == "Error: Invalid Cc header"


@pytest.mark.fact("delete")
def test_what_was_deleted_leaves_its_id_to_nobody(say: Say, gmail: LocalApp) -> None:
    mail = {"to": TO, "subject": "s", "body": "b"}
    given = []
    for _ in range(3):
        given.append(say("send_email", **mail)[-16:])
        say("delete_email", messageId=given[-1])
    assert len({*given}) == 3

    made = []
    for _ in range(2):
        made.append(say("create_filter", criteria={"from": "a"}, action={"addLabelIds": [WORK]}).split()[4])
        say("delete_filter", filterId=made[-1])
        made.append(say("create_label", name="New").split()[4])
        say("delete_label", id=made[-1])
    assert len({*made}) == 4

"""Sending mail and keeping drafts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import (
    ADDRESS,
    EMPTY,
    FAR,
    INVOICE,
    ME,
    NOW,
    NOW_MS,
    PDF,
    PLAN,
    PLAN_REPLY,
    ROWS,
    SHEET,
    WORK,
    message,
)

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


@pytest.mark.fact("threads")
@pytest.mark.parametrize(
    ("subject", "more", "joins"),
    [
        ("Harbour plan", {}, True),
        ("RE: re:  harbour   PLAN", {}, True),
        ("回复：Harbour plan", {}, True),
        ("Harbour plan, too", {}, False),
        ("Totally different", {}, False),
        ("", {}, False),
        ("Totally different", {"inReplyTo": f"<{PLAN}@mail.gmail.com>"}, True),
        ("Totally different", {"inReplyTo": f"<{INVOICE}@mail.gmail.com>"}, False),
    ],
)
@pytest.mark.parametrize("tool", ["send_email", "draft_email"])
def test_a_mail_joins_a_thread_whose_subject_it_has_or_that_it_answers(
    say: Say, gmail: LocalApp, tool: str, subject: str, more: dict[str, str], joins: bool
) -> None:
    say(tool, to=TO, subject=subject, body="b", threadId=PLAN, **more)

    row = written(gmail)
    assert row["thread_id"] == (PLAN if joins else row["message_id"])


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
    said = say("draft_email", to=[], subject="Invoice 4711", body="", threadId=INVOICE)

    row = written(gmail)
    assert re.fullmatch(r"Email draft created successfully with ID: r-?\d+", said)
    assert said.endswith(f" {row['draft_id']}")
    assert (row["kind"], row["thread_id"]) == ("draft", INVOICE)
    assert find("in:drafts newer_than:1d") == [row["message_id"]]


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


@pytest.mark.fact("new-ids")
def test_what_was_deleted_leaves_its_id_to_nobody(say: Say) -> None:
    made = []
    for _ in range(2):
        made.append(say("create_filter", criteria={"from": "a"}, action={"addLabelIds": [WORK]}).split()[4])
        say("delete_filter", filterId=made[-1])
        made.append(say("create_label", name="New").split()[4])
        say("delete_label", id=made[-1])
    assert len({*made}) == 4


@pytest.mark.fact("send", "threads")
def test_a_sent_mail_is_kept_with_all_that_gmail_reads_of_it(say: Say, gmail: LocalApp) -> None:
    sent = say(
        "send_email",
        to=["bo@harbourmail.example", "li@harbourmail.example"],
        cc=["a@b.example", "Grün <g@b.example>"],
        bcc=["c@d.example"],
        subject="Re: =?utf-8?B?5L2g?= plan",
        body="one\r\ntwo\nthree",
        threadId=PLAN.upper(),
        inReplyTo=f"<x@y.example> <{PLAN}@mail.gmail.com>",
    )[-16:]

    row = written(gmail)
    assert re.fullmatch(r"<CA[0-9a-f]{16}@mail\.gmail\.com>", row.pop("header_message_id"))
    assert row.pop("size_bytes") > 200
    assert row == {
        "message_id": sent,
        "account_id": ME,
        "thread_id": PLAN,
        "kind": "sent",
        "draft_id": None,
        "sender": f"Mira Sol <{ADDRESS}>",
        "recipients": "bo@harbourmail.example, li@harbourmail.example",
        "cc": "a@b.example, Grün <g@b.example>",
        "bcc": "c@d.example",
        "subject": "Re: 你 plan",
        "body_text": "one\ntwo\nthree",
        "body_html": None,
        "internal_ms": NOW_MS,
        "utc_offset_minutes": -420,
        "in_reply_to": f"<x@y.example> <{PLAN}@mail.gmail.com>",
        "list_id": "",
    }
    assert int(sent, 16) >> 20 == NOW_MS


@pytest.mark.fact("send", "send-attached", "days")
def test_a_mail_is_dated_in_california_and_with_attachments_in_utc(say: Say, start: Callable[..., LocalApp]) -> None:
    mail: dict[str, Any] = {"to": TO, "subject": "s", "body": "b"}
    head = f"Subject: s\nFrom: Mira Sol <{ADDRESS}>\nTo: {TO[0]}"

    plain = say("send_email", **mail)[-16:]
    assert say("read_email", messageId=plain) == (
        f"Thread ID: {plain}\n{head}\nDate: Sun, 8 Mar 2026 18:00:00 -0700\n\nb"
    )
    attached = say("send_email", **mail, attachments=["report.pdf"])[-16:]
    assert say("read_email", messageId=attached).startswith(
        f"Thread ID: {attached}\n{head}\nDate: Mon, 9 Mar 2026 01:00:00 +0000\n\nb\n\nAttachments (1):\n"
    )
    winter = start("gmail", rows=ROWS, me="mira", now="2026-01-05T20:30:59.900Z")
    sent = winter.text("send_email", **mail)[-16:]
    assert "\nDate: Mon, 5 Jan 2026 12:30:59 -0800\n" in winter.text("read_email", messageId=sent)


@pytest.mark.fact("send")
def test_an_account_without_a_name_sends_from_its_address(start: Callable[..., LocalApp]) -> None:
    account = {"table": "accounts", "account_id": ME, "person": "mira", "address": ADDRESS, "name": ""}
    gmail = start("gmail", rows=[account], me="mira", now=NOW)

    gmail.text("draft_email", to=TO, subject="s", body="b")

    assert written(gmail)["sender"] == ADDRESS


@pytest.mark.fact("send")
@pytest.mark.parametrize(
    ("arguments", "columns"),
    [
        ({}, {"recipients": TO[0], "cc": "", "bcc": "", "in_reply_to": "", "subject": "s", "body_text": "b"}),
        ({"cc": [], "bcc": []}, {"recipients": TO[0], "cc": "", "bcc": ""}),
        ({"to": [], "cc": ["a@b.example"]}, {"recipients": "", "cc": "a@b.example"}),
        ({"to": [], "bcc": ["a@b.example"]}, {"recipients": "", "bcc": "a@b.example"}),
        ({"subject": "", "body": ""}, {"subject": "", "body_text": "", "body_html": None}),
        ({"subject": " a\r\n  b "}, {"subject": "a b"}),
        ({"subject": "a\nIn-Reply-To: <y>"}, {"subject": "a", "in_reply_to": "<y>"}),
        ({"mimeType": "text/html", "body": "a\r\nb"}, {"body_text": None, "body_html": "a\nb"}),
        ({"mimeType": "text/html", "htmlBody": ""}, {"body_text": None, "body_html": "b"}),
        (
            {"mimeType": "multipart/alternative", "htmlBody": "<i>c</i>"},
            {"body_text": "b\n", "body_html": "<i>c</i>\n"},
        ),
        ({"attachments": [], "htmlBody": "<i>c</i>"}, {"body_text": "b", "body_html": None}),
        ({"attachments": ["report.pdf"], "mimeType": "text/html"}, {"body_text": "b", "body_html": None}),
        ({"attachments": ["report.pdf"], "htmlBody": "<i>c</i>"}, {"body_text": "b", "body_html": "<i>c</i>"}),
        ({"attachments": ["report.pdf"], "subject": " a \r\n\r\n b\nc"}, {"subject": "a b c", "cc": ""}),
        (
            {"subject": "a\nContent-Transfer-Encoding: BASE64", "body": "aGkNCnlvdQ=="},
            {"subject": "a", "body_text": "hi\nyou"},
        ),
        (
            {"subject": "a\nContent-Transfer-Encoding: quoted-printable", "body": "a=3Db=E4=BD=A0"},
            {"body_text": "a=b你"},
        ),
        ({"subject": "a\nContent-Disposition: attachment; filename=x"}, {"body_text": None, "body_html": None}),
        ({"subject": "a\nContent-Type: text/html"}, {"body_text": None, "body_html": "b"}),
    ],
)
def test_a_mail_is_read_as_its_source_says(
    say: Say, gmail: LocalApp, arguments: dict[str, Any], columns: dict[str, Any]
) -> None:
    said = say("send_email", **{"to": TO, "subject": "s", "body": "b", **arguments})

    row = gmail.episode.db.one("SELECT * FROM messages WHERE message_id = ?", said[-16:])
    assert row is not None
    assert {name: row[name] for name in columns} == columns


@pytest.mark.fact("send", "send-attached")
def test_a_mail_is_as_large_as_its_bytes_and_attachments_grow_by_a_third(say: Say, gmail: LocalApp) -> None:
    sizes = []
    for arguments in (
        {"body": "x"},
        {"body": "x" * 1001},
        {"body": "é" * 501},
        {"body": "x", "attachments": ["report.pdf"]},
        {"body": "x", "attachments": ["report.pdf", "out/notes.txt", "report.pdf"]},
    ):
        sent = say("send_email", to=TO, subject="s", **arguments)[-16:]
        sizes.append(gmail.episode.db.scalar("SELECT size_bytes FROM messages WHERE message_id = ?", sent))

    assert [size - sizes[0] for size in sizes] == [0, 1_000, 1_001, 6_666, 6_666 * 2 + 16]


@pytest.mark.fact("send-attached")
def test_attachments_have_ids_of_their_own(say: Say, gmail: LocalApp) -> None:
    paths = ["report.pdf", "out/notes.txt", "report.pdf"]
    for _ in range(2):
        say("draft_email", to=[], subject="s", body="b", attachments=paths)

    rows = gmail.episode.db.all(
        "SELECT * FROM attachments WHERE attachment_id NOT IN (?, ?, ?) ORDER BY message_id, position",
        *(PDF, SHEET, EMPTY),
    )
    assert len({row["attachment_id"] for row in rows}) == 6
    assert all(re.fullmatch(r"ANGjdJ[\w-]{120}", row["attachment_id"]) for row in rows)
    assert [row["position"] for row in rows] == [1, 2, 3, 1, 2, 3]
    assert set(gmail.changes()) == {"messages", "attachments"}


@pytest.mark.fact("drafts", "send")
def test_ids_grow_and_those_of_drafts_are_numbers_of_64_bits_with_a_sign(say: Say, gmail: LocalApp) -> None:
    mail: dict[str, Any] = {"to": TO, "subject": "s", "body": "b"}
    drafts = [int(say("draft_email", **mail).split(": r")[1]) for _ in range(12)]
    sent = [say("send_email", **mail)[-16:] for _ in range(12)]

    assert len({*drafts}) == 12
    assert all(-(2**63) <= each < 2**63 for each in drafts)
    assert min(drafts) < 0 < max(drafts)
    assert sorted({*sent}) == sent
    assert all(NOW_MS <= int(each, 16) >> 20 < NOW_MS + 1_000 for each in sent)
    kept = gmail.episode.db.all("SELECT header_message_id FROM messages WHERE kind = 'sent' ORDER BY message_id")
    assert len({row["header_message_id"] for row in kept}) == 13


@pytest.mark.fact("drafts")
def test_a_draft_is_a_message_of_the_account_that_is_nowhere_else(say: Say, gmail: LocalApp, find: Find) -> None:
    said = say(
        "draft_email",
        to=[ADDRESS],
        cc=["nobody"],
        subject="s",
        body="b",
        htmlBody="<p>b</p>",
        attachments=["report.pdf"],
    )

    row = written(gmail)
    assert said == f"Email draft created successfully with ID: {row['draft_id']}"
    assert (row["kind"], row["thread_id"], row["sender"]) == ("draft", row["message_id"], f"Mira Sol <{ADDRESS}>")
    assert (row["recipients"], row["cc"], row["body_text"], row["body_html"]) == (ADDRESS, "nobody", "b", "<p>b</p>")
    assert find("in:inbox newer_than:1h") == find("in:sent newer_than:1h") == []
    assert find("is:draft filename:report.pdf") == [row["message_id"]]


@pytest.mark.fact("recipients-checked", "drafts", "threads")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"to": ["bo@b"]}, "Recipient email address is invalid: bo@b"),
        ({"to": ["a@b.example", " a@b.example"]}, "Recipient email address is invalid:  a@b.example"),
        ({"to": ["a@@b.example"]}, "Recipient email address is invalid: a@@b.example"),
        ({"attachments": ["none"]}, "File does not exist: none"),
        ({"threadId": FAR}, "Requested entity was not found."),
        ({"threadId": "thread"}, "Invalid thread_id value"),
        ({"threadId": PLAN_REPLY}, "Requested entity was not found."),
    ],
)
def test_a_draft_that_cannot_be_is_refused(say: Say, gmail: LocalApp, arguments: dict[str, Any], said: str) -> None:
    assert say("draft_email", **{"to": TO, "subject": "s", "body": "b", **arguments}) == f"Error: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("nobody", "threads")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"bcc": ["nobody"]}, "Invalid Bcc header"),
        ({"cc": ["a@b.example", "nobody"]}, "Invalid Cc header"),
        ({"to": [], "cc": ["nobody"], "bcc": ["none"]}, "Invalid Cc header"),
        ({"to": [], "threadId": FAR}, "Requested entity was not found."),
        ({"threadId": "", "to": []}, "Recipient address required"),
    ],
)
def test_what_gmail_does_not_send_is_not_kept(say: Say, gmail: LocalApp, arguments: dict[str, Any], said: str) -> None:
    assert say("send_email", **{"to": TO, "subject": "s", "body": "b", **arguments}) == f"Error: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("myself")
@pytest.mark.parametrize(
    ("people", "is_reached"),
    [
        ({"to": [ADDRESS]}, True),
        ({"to": TO, "bcc": [f"Me <{ADDRESS.upper()}>"]}, True),
        ({"to": TO, "cc": [f"team: x@y.example, {ADDRESS};"]}, True),
        ({"to": [f"x{ADDRESS}"]}, False),
        ({"to": TO}, False),
    ],
)
def test_mail_comes_in_where_one_is_among_its_receivers(
    say: Say, gmail: LocalApp, people: dict[str, list[str]], is_reached: bool
) -> None:
    sent = say("send_email", subject="s", body="b", **people)[-16:]

    changed = gmail.changes().get("message_labels", [])
    bears = [(each["op"], each["new"]["message_id"], each["new"]["label_id"]) for each in changed]
    assert sorted(bears) == ([("insert", sent, "INBOX"), ("insert", sent, "UNREAD")] if is_reached else [])


@pytest.mark.fact("send", "drafts")
def test_of_two_messages_in_a_millisecond_the_later_has_the_higher_id(say: Say, gmail: LocalApp) -> None:
    for earlier in ((NOW_MS << 20) + 0x80000, ((NOW_MS + 1) << 20) + 1, ((NOW_MS + 2) << 20) - 1):
        row = message(f"{earlier:016x}", 0, "A <a@b.example>", "Earlier", "x")
        gmail.episode.db.insert("messages", **{name: value for name, value in row.items() if name != "table"})

    first = int(say("send_email", to=TO, subject="s", body="b")[-16:], 16)
    second = int(say("send_email", to=TO, subject="s", body="b")[-16:], 16)

    assert 0 < first - ((NOW_MS << 20) + 0x80000) <= 1_000
    assert 0 < second - (((NOW_MS + 2) << 20) - 1) <= 1_000

"""Downloads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import EMPTY, FAR, FOLDER, INVOICE, ME, PDF, PHOTOS, SHEET

Say = Callable[..., str]


@pytest.mark.fact("download")
@pytest.mark.parametrize(
    ("attachment", "arguments", "name", "size", "shown", "stored"),
    [
        (PDF, {}, "invoice-4711.pdf", 34_816, f"{FOLDER}/invoice-4711.pdf", f"{FOLDER}/invoice-4711.pdf"),
        (SHEET, {"savePath": "a/b", "filename": "c.xlsx"}, "c.xlsx", 7_300, "a/b/c.xlsx", f"{FOLDER}/a/b/c.xlsx"),
        (SHEET, {"savePath": "out/", "filename": "../d"}, "../d", 7_300, "d", f"{FOLDER}/d"),
        (PDF, {"filename": "/c"}, "/c", 34_816, f"{FOLDER}/c", f"{FOLDER}/c"),
        (PDF, {"savePath": "/tmp"}, "invoice-4711.pdf", 34_816, "/tmp/invoice-4711.pdf", "/tmp/invoice-4711.pdf"),
    ],
)
def test_an_attachment_is_written_where_one_says(
    say: Say, gmail: LocalApp, attachment: str, arguments: dict[str, str], name: str, size: int, shown: str, stored: str
) -> None:
    said = say("download_attachment", messageId=INVOICE, attachmentId=attachment, **arguments)

    assert said == f"Attachment downloaded successfully:\nFile: {name}\nSize: {size} bytes\nSaved to: {shown}"
    (change,) = gmail.changes()["files"]
    assert (change["op"], change["new"]["path"], change["new"]["size_bytes"]) == ("insert", stored, size)


@pytest.mark.fact("download")
def test_a_file_of_the_same_name_is_overwritten(say: Say, gmail: LocalApp) -> None:
    say("download_attachment", messageId=INVOICE, attachmentId=PDF, filename="report.pdf")

    (change,) = gmail.changes()["files"]
    assert (change["op"], change["new"]["size_bytes"]) == ("update", 34_816)


NO_PATH = "The argument 'path' must be a string, Uint8Array, or URL without null bytes."


@pytest.mark.fact("download-failed", "text")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"messageId": FAR}, "Requested entity was not found."),
        ({"messageId": "x"}, "Invalid id value"),
        ({"attachmentId": "none"}, "Invalid attachment token"),
        ({"messageId": PHOTOS, "attachmentId": EMPTY}, "No attachment data received"),
        ({"filename": "out"}, f"EISDIR: illegal operation on a directory, open '{FOLDER}/out'"),
        ({"filename": "none/a"}, f"ENOENT: no such file or directory, open '{FOLDER}/none/a'"),
        ({"savePath": "report.pdf"}, "ENOTDIR: not a directory, open 'report.pdf/invoice-4711.pdf'"),
        ({"savePath": "report.pdf/x"}, "ENOTDIR: not a directory, mkdir 'report.pdf/x'"),
        ({"savePath": "a\0b"}, f"{NO_PATH} Received 'a\\x00b'"),
        ({"filename": "a\0b"}, f"{NO_PATH} Received '{FOLDER}/a\\x00b'"),
    ],
)
def test_what_cannot_be_downloaded_is_refused(say: Say, gmail: LocalApp, arguments: dict[str, str], said: str) -> None:
    told = say("download_attachment", **{"messageId": INVOICE, "attachmentId": PDF, **arguments})

    assert told == f"Failed to download attachment: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("download")
@pytest.mark.parametrize(
    ("arguments", "name", "shown", "stored"),
    [
        ({"savePath": "", "filename": ""}, "invoice-4711.pdf", f"{FOLDER}/invoice-4711.pdf", None),
        ({"filename": "out/c"}, "out/c", f"{FOLDER}/out/c", None),
        ({"filename": "../c"}, "../c", "/srv/c", None),
        ({"filename": "../../../c"}, "../../../c", "/c", None),
        ({"savePath": "new/deep", "filename": "../c"}, "../c", "new/c", f"{FOLDER}/new/c"),
        ({"savePath": "new", "filename": "../../other/../c"}, "../../other/../c", "../c", "/srv/c"),
        ({"savePath": "//tmp/", "filename": "c"}, "c", "/tmp/c", None),
        ({"savePath": "/", "filename": "c"}, "c", "/c", None),
        ({"savePath": "/opt/./x/../y", "filename": "c"}, "c", "/opt/y/c", None),
        ({"filename": "x" * 255}, "x" * 255, f"{FOLDER}/{'x' * 255}", None),
    ],
)
def test_a_path_is_joined_as_node_joins_it(
    say: Say, gmail: LocalApp, arguments: dict[str, str], name: str, shown: str, stored: str | None
) -> None:
    said = say("download_attachment", messageId=INVOICE, attachmentId=PDF, **arguments)

    assert said == f"Attachment downloaded successfully:\nFile: {name}\nSize: 34816 bytes\nSaved to: {shown}"
    rows = gmail.episode.db.all("SELECT * FROM files ORDER BY path")
    assert len(rows) == 3
    assert {"account_id": ME, "path": stored or shown, "size_bytes": 34_816} in rows


@pytest.mark.fact("download")
def test_what_was_downloaded_can_be_attached(say: Say, gmail: LocalApp) -> None:
    say("download_attachment", messageId=INVOICE, attachmentId=SHEET, savePath="in/march", filename="sheet.xlsx")
    say("download_attachment", messageId=INVOICE, attachmentId=PDF, savePath="in/march", filename="sheet.xlsx")

    sent = say("send_email", to=["a@b.example"], subject="s", body="b", attachments=["in/march/sheet.xlsx"])[-16:]

    row = gmail.episode.db.one("SELECT * FROM attachments WHERE message_id = ?", sent)
    assert row is not None
    del row["attachment_id"]
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert row == {
        "message_id": sent, "position": 1, "filename": "sheet.xlsx", "mime_type": kind, "size_bytes": 34_816,
    }  # fmt: skip


@pytest.mark.fact("download-failed")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"messageId": PHOTOS}, "Invalid attachment token"),
        ({"filename": "report.pdf/x"}, f"ENOTDIR: not a directory, open '{FOLDER}/report.pdf/x'"),
        ({"filename": "."}, f"EISDIR: illegal operation on a directory, open '{FOLDER}'"),
        ({"filename": ".."}, "EISDIR: illegal operation on a directory, open '/srv'"),
        ({"savePath": "/srv", "filename": "mail"}, f"EISDIR: illegal operation on a directory, open '{FOLDER}'"),
        ({"savePath": "/", "filename": "srv"}, "EISDIR: illegal operation on a directory, open '/srv'"),
        ({"savePath": "new", "filename": "a/b"}, "ENOENT: no such file or directory, open 'new/a/b'"),
        ({"savePath": "new", "filename": "../ou/b"}, "ENOENT: no such file or directory, open 'ou/b'"),
        ({"savePath": "out/notes.txt/x"}, "ENOTDIR: not a directory, mkdir 'out/notes.txt/x'"),
        ({"filename": "x" * 256}, f"ENAMETOOLONG: name too long, open '{FOLDER}/{'x' * 256}'"),
        ({"filename": "é" * 128}, f"ENAMETOOLONG: name too long, open '{FOLDER}/{'é' * 128}'"),
        ({"savePath": "a\0", "filename": "b\0"}, f"{NO_PATH} Received 'a\\x00'"),
        ({"savePath": "a", "filename": "b\0"}, f"{NO_PATH} Received 'a/b\\x00'"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused(
    say: Say, gmail: LocalApp, arguments: dict[str, str], said: str
) -> None:
    told = say("download_attachment", **{"messageId": INVOICE, "attachmentId": PDF, **arguments})

    assert told == f"Failed to download attachment: {said}"
    assert gmail.changes() == {}


@pytest.mark.fact("send-attached")
@pytest.mark.parametrize(
    ("path", "name", "kind"),
    [
        ("SCAN.PDF", "SCAN.PDF", "application/pdf"),
        ("pdf", "pdf", "application/pdf"),
        ("README", "README", "application/octet-stream"),
        ("a.b/data.tar.gz", "data.tar.gz", "application/x-gzip"),
        ("blob.xyz", "blob.xyz", "application/octet-stream"),
        (f"{FOLDER}/out/notes.txt", "notes.txt", "text/plain"),
        ("../mail/out/../report.pdf", "report.pdf", "application/pdf"),
        ("//srv/mail/report.pdf", "report.pdf", "application/pdf"),
    ],
)
def test_the_type_of_a_file_is_told_by_its_ending(say: Say, gmail: LocalApp, path: str, name: str, kind: str) -> None:
    for each in ("SCAN.PDF", "pdf", "README", "a.b/data.tar.gz", "blob.xyz"):
        gmail.episode.db.insert("files", account_id=ME, path=f"{FOLDER}/{each}", size_bytes=7)

    sent = say("draft_email", to=[], subject="s", body="b", attachments=[path])

    row = gmail.episode.db.one(
        "SELECT a.* FROM attachments a JOIN messages m ON m.message_id = a.message_id WHERE m.draft_id = ?",
        sent.split()[-1],
    )
    assert row is not None
    assert (row["filename"], row["mime_type"], row["position"]) == (name, kind, 1)


@pytest.mark.fact("recipients-checked")
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "File does not exist: "),
        ("none", "File does not exist: none"),
        ("report.pdf/", "File does not exist: report.pdf/"),
        ("ou", "File does not exist: ou"),
        ("/srv/mai", "File does not exist: /srv/mai"),
        ("out", "EISDIR: illegal operation on a directory, read"),
        ("out/", "EISDIR: illegal operation on a directory, read"),
        (".", "EISDIR: illegal operation on a directory, read"),
        ("..", "EISDIR: illegal operation on a directory, read"),
        (FOLDER, "EISDIR: illegal operation on a directory, read"),
        ("/", "EISDIR: illegal operation on a directory, read"),
    ],
)
def test_what_is_no_file_cannot_be_attached(say: Say, gmail: LocalApp, path: str, said: str) -> None:
    mail = {"to": ["a@b.example"], "subject": "s", "body": "b"}

    assert say("send_email", **mail, attachments=["report.pdf", path]) == f"Error: {said}"
    assert gmail.changes() == {}

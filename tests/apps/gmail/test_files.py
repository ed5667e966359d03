"""Downloads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from farm.testing import LocalApp
from tests.apps.gmail.mailbox import EMPTY, FAR, FOLDER, INVOICE, PDF, PHOTOS, SHEET

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

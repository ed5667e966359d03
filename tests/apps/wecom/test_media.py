"""Uploads: which files there are, and where a text goes behind one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from farm.testing import LocalApp
from tests.apps.wecom.conftest import KEY, NOW_S, Refusal

THREE_DAYS_MS = 3 * 86_400_000
STRAY = (40004, "WeCom API error: invalid media type")


@pytest.mark.fact("upload")
@pytest.mark.parametrize("path", ["report.txt", "/home/me/duty/report.txt", "./old/../report.txt"])
def test_a_file_of_the_machine_gets_a_media_id_for_three_days(wecom: LocalApp, path: str) -> None:
    said = wecom.text("upload_file", file_path=path)

    media = wecom.episode.db.all("SELECT * FROM media")
    assert [f"File uploaded successfully, media ID: {each['media_id']}" for each in media] == [said]
    assert len(media[0]["media_id"]) == 44
    assert (media[0]["webhook_key"], media[0]["filename"], media[0]["size_bytes"]) == (KEY, "report.txt", 64)
    assert media[0]["created_ms"] // 1000 == NOW_S
    assert media[0]["expires_ms"] - media[0]["created_ms"] == THREE_DAYS_MS


@pytest.mark.fact("upload")
def test_a_file_of_five_bytes_is_taken_and_smaller_and_larger_ones_are_refused(
    wecom: LocalApp, refusal: Refusal
) -> None:
    assert wecom.text("upload_file", file_path="old/report.txt").startswith("File uploaded successfully")
    for path in ("../tiny.txt", "/home/me/film.mp4"):
        assert refusal("upload_file", file_path=path) == (40006, "WeCom API error: invalid file size")


@pytest.mark.fact("files")
@pytest.mark.parametrize(
    ("path", "code", "message"),
    [
        ("", "ENOENT", "open : no such file or directory"),
        ("/nonexistent/report.txt", "ENOENT", "open /nonexistent/report.txt: no such file or directory"),
        ("repor", "ENOENT", "open repor: no such file or directory"),
        ("{path}", "ENOENT", "open {path}: no such file or directory"),
        ("report.txt/", "ENOTDIR", "open report.txt/: not a directory"),
        ("report.txt/page", "ENOTDIR", "open report.txt/page: not a directory"),
        (".", "EISDIR", "read .: is a directory"),
        ("/", "EISDIR", "read /: is a directory"),
        ("old/", "EISDIR", "read old/: is a directory"),
        ("/home/me", "EISDIR", "read /home/me: is a directory"),
        ("report\0.txt", "EINVAL", "open report\0.txt: invalid argument"),
        (f"{'x' * 256}.txt", "ENAMETOOLONG", f"open {'x' * 256}.txt: file name too long"),
    ],
)
def test_what_cannot_be_read_is_refused_in_go_s_words(
    wecom: LocalApp, refusal: Refusal, path: str, code: str, message: str
) -> None:
    assert refusal("upload_file", file_path=path) == (code, message)

    text = f"Failed to upload file: {message}"
    assert wecom.result("upload_file", file_path=path) == {"content": [{"type": "text", "text": text}], "isError": True}


@pytest.mark.fact("files")
def test_where_no_file_is_known_none_is_read(start: Callable[..., LocalApp]) -> None:
    message = "Failed to upload file: open a.txt: no such file or directory"

    result = start("wecom").result("upload_file", file_path="a.txt")

    assert result == {"content": [{"type": "text", "text": message}], "isError": True}


@pytest.mark.fact("leak")
@pytest.mark.parametrize("path", ["report.txt", "missing.txt"])
def test_a_text_behind_an_upload_goes_astray_whatever_became_of_the_upload(
    wecom: LocalApp, refusal: Refusal, path: str
) -> None:
    wecom.result("upload_file", file_path=path)

    assert refusal("send_text", content="hi") == STRAY
    assert refusal("send_text", content="hi") == STRAY


@pytest.mark.fact("leak")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("send_markdown", {"content": "hi"}),
        ("send_markdown", {"content": ""}),
        ("send_image", {"base64_data": "", "md5": ""}),
        ("send_news", {"title": "t", "description": "", "url": "https://a.example", "picurl": ""}),
    ],
    ids=["a message", "a refused one", "a refused picture", "a card"],
)
def test_any_other_message_brings_texts_back_even_when_it_is_refused(
    wecom: LocalApp, tool: str, arguments: dict[str, Any]
) -> None:
    wecom.call("upload_file", file_path="report.txt")
    wecom.result(tool, **arguments)

    assert wecom.text("send_text", content="hi") == "Text message sent successfully"
    assert "servers" not in wecom.changes()


@pytest.mark.fact("leak")
def test_a_panic_leaves_the_server_turned_as_it_was(wecom: LocalApp, refusal: Refusal) -> None:
    wecom.call("upload_file", file_path="report.txt")
    wecom.result("send_markdown")
    assert refusal("send_text", content="hi") == STRAY

    wecom.call("send_markdown", content="hi")
    wecom.result("upload_file")
    assert wecom.text("send_text", content="hi") == "Text message sent successfully"

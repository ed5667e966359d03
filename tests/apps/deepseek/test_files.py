"""Files: what is a picture, which there are, and for how long."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest

from farm.appkit import VendorError
from farm.testing import LocalApp

PNG = b64encode(b"\x89PNG\r\n\x1a\n....").decode()
JPEG = b64encode(b"\xff\xd8\xff...").decode()


def _upload(app: LocalApp, name: str, **more: Any) -> dict[str, Any]:
    return dict(app.result("upload_file", **{"filename": name, "file_data": PNG, **more})["structuredContent"])


@pytest.mark.fact("files")
def test_a_picture_is_known_by_its_first_bytes(deepseek: LocalApp) -> None:
    assert _upload(deepseek, "a.png", file_data=f"data:image/png;base64,{PNG}")["bytes"] == 12

    for data, said in (
        (b64encode(b"no picture").decode(), "Unsupported image format; expected JPEG, PNG, GIF, or WebP"),
        (f"data:image/png;base64,{JPEG}", "Image data URL declares image/png but contains image/jpeg"),
    ):
        result = deepseek.result("upload_file", filename="b", file_data=data)
        assert result["structuredContent"]["message"] == said
        told = f"DeepSeek API error: {said}. Retry the request and verify network connectivity."
        assert result["content"][0]["text"] == told
        assert result["structuredContent"]["retryable"] is True


@pytest.mark.fact("files")
def test_files_are_listed_by_time_in_pages(deepseek: LocalApp) -> None:
    ids = [_upload(deepseek, f"{name}.png")["id"] for name in "abc"]

    newest = deepseek.result("list_files")["structuredContent"]
    assert [each["id"] for each in newest["data"]] == ids[::-1]
    page = deepseek.result("list_files", order="asc", limit=2)["structuredContent"]
    assert (page["first_id"], page["last_id"], page["has_more"]) == (ids[0], ids[1], True)
    rest = deepseek.result("list_files", order="asc", after=ids[1])["structuredContent"]
    assert ([each["filename"] for each in rest["data"]], rest["has_more"]) == (["c.png"], False)
    assert deepseek.text("list_files", after=ids[0]) == "(no files returned)"


@pytest.mark.fact("files")
def test_a_file_that_is_gone_is_refused_everywhere(deepseek: LocalApp) -> None:
    kept, deleted = _upload(deepseek, "a.png", expires_after_seconds=3600), _upload(deepseek, "b.png")
    assert kept["expires_at"] == kept["created_at"] + 3600
    assert deepseek.text("delete_file", file_id=deleted["id"]) == f"Deleted {deleted['id']}."
    deepseek.store.set_clock(deepseek.id, (kept["expires_at"]) * 1000)

    for file_id in (kept["id"], deleted["id"], "file-api-none"):
        part = {"type": "file", "file_id": file_id}
        for tool, arguments in (
            ("retrieve_file", {"file_id": file_id}),
            ("delete_file", {"file_id": file_id}),
            ("chat_completion", {"message": [part]}),
        ):
            with pytest.raises(VendorError) as refused:
                deepseek.call(tool, **arguments)
            assert refused.value.message == f"File not found: {file_id}"
    assert deepseek.text("list_files") == "(no files returned)"


@pytest.mark.fact("old")
def test_the_server_of_2025_falls_back_and_has_one_history(start: Callable[..., LocalApp]) -> None:
    old = start("deepseek", profile="paper-2025")

    note = "Note: Fallback to deepseek-chat due to reasoner error.\n\n"
    assert old.text("chat_completion", message="hi", model="bad").startswith(note)
    assert not old.text("chat_completion", message="hi").startswith(note)
    assert old.result("chat_completion") == {
        "content": [{"type": "text", "text": "Either 'message' or 'messages' must be provided"}],
        "isError": True,
    }
    refused = old.result("multi_turn_chat", messages="lost?", model="bad")
    assert refused["content"][0]["text"] == "DeepSeek API error: Model Not Exist"
    old.text("multi_turn_chat", messages=[{"role": "user", "content": {"type": "text", "text": "hello"}}] * 2)
    rows = old.episode.db.all("SELECT message FROM messages ORDER BY position")
    assert [row["message"][:40].count("assistant") for row in rows] == [0, 0, 1]
    assert old.result("list_models")["error"]["message"] == "MCP error -32602: Tool list_models not found"


@pytest.mark.fact("files")
def test_a_data_url_begins_in_small_letters(deepseek: LocalApp) -> None:
    for data in (f"DATA:IMAGE/PNG;BASE64,{PNG}", f"x,{PNG}"):
        result = deepseek.result("upload_file", filename="a.png", file_data=data)

        assert result["structuredContent"]["message"] == "Invalid base64 image data"
        assert result["isError"] is True


@pytest.mark.fact("files")
def test_quotes_in_a_name_come_back_as_the_form_has_them(deepseek: LocalApp) -> None:
    shown = _upload(deepseek, 'q"uo\nte.png')

    assert shown["filename"] == "q%22uo%0Ate.png"
    assert deepseek.text("list_files") == f"{shown['id']}\tq%22uo%0Ate.png\t12 bytes"


@pytest.mark.fact("files")
def test_the_data_is_looked_at_whatever_else_is_wrong(deepseek: LocalApp) -> None:
    result = deepseek.result("upload_file", filename="", file_data="!", expires_after_seconds="x")

    assert result["content"][0]["text"] == (
        "Input validation error: Invalid arguments for tool upload_file: "
        "filename: Too small: expected string to have >=1 characters, "
        "file_data: Expected raw base64 or a JPEG, PNG, GIF, or WebP base64 data URL no larger than 64 MiB, "
        "expires_after_seconds: Invalid input: expected number, received string"
    )

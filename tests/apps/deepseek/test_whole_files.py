"""Pictures: which are taken, how they are told, and what the schemas ask of those that a message names."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from typing import Any

import pytest

from farm.testing import LocalApp

NOW_S = 1773018000
PNG = b"\x89PNG\r\n\x1a\n...."
DATA = b64encode(PNG).decode()
NOT_BASE64 = "Expected raw base64 or a JPEG, PNG, GIF, or WebP base64 data URL no larger than 64 MiB"
NO_ADDRESS = "Expected an HTTP(S) image URL or supported image data URL"
ONE_OF_TWO = "A file content part requires exactly one of `file_id` or `file_data`"
ONE_IMAGE = "An input image requires exactly one of `image_url` or `file_id`"
ID = "file-api-0123"


def upload(app: LocalApp, data: bytes, kind: str | None = None, **more: Any) -> dict[str, Any]:
    text = b64encode(data).decode()
    text = text if kind is None else f"data:{kind};base64,{text}"
    return app.result("upload_file", **{"filename": "a.png", "file_data": text, **more})


@pytest.mark.fact("files")
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff....", "image/jpeg"),
        (b"GIF87a...", "image/gif"),
        (b"GIF89a...", "image/gif"),
        (b"RIFF....WEBPVP8 ", "image/webp"),
    ],
)
def test_four_kinds_of_pictures_are_taken_as_what_they_are(deepseek: LocalApp, data: bytes, kind: str) -> None:
    assert "isError" not in upload(deepseek, data)
    assert "isError" not in upload(deepseek, data, kind)
    other = "image/gif" if kind != "image/gif" else "image/png"
    said = f"Image data URL declares {other} but contains {kind}"
    assert upload(deepseek, data, other) == {
        "content": [
            {"type": "text", "text": f"DeepSeek API error: {said}. Retry the request and verify network connectivity."}
        ],
        "structuredContent": {
            "error_type": "deepseek_api_error",
            "status": None,
            "message": said,
            "retryable": True,
            "suggestion": "Retry the request and verify network connectivity.",
        },
        "isError": True,
    }


@pytest.mark.fact("files")
@pytest.mark.parametrize("data", [b"RIFF....WAVE", b"RIFX....WEBP", b"GIF88a", b"\x89PNG\r\n", b" GIF89a", b"BM...."])
def test_other_pictures_are_refused(deepseek: LocalApp, data: bytes) -> None:
    result = upload(deepseek, data)

    assert result["structuredContent"]["message"] == "Unsupported image format; expected JPEG, PNG, GIF, or WebP"
    assert deepseek.changes() == {}


@pytest.mark.fact("files")
def test_a_file_is_told_and_kept_whole(deepseek: LocalApp) -> None:
    result = upload(deepseek, PNG, filename='t"w\ro.png', expires_after_seconds=3600)

    shown = result["structuredContent"]
    assert re.fullmatch("file-api-[0-9a-f]{32}", shown["id"])
    body = {
        "id": shown["id"], "object": "file", "bytes": 12, "created_at": NOW_S, "filename": "t%22w%0Do.png",
        "purpose": "user_data", "expires_at": NOW_S + 3600,
    }  # fmt: skip
    text = f"Uploaded t%22w%0Do.png as {shown['id']} (12 bytes)."
    assert result == {"content": [{"type": "text", "text": text}], "structuredContent": body}
    assert deepseek.result("retrieve_file", file_id=shown["id"]) == {
        "content": [{"type": "text", "text": json.dumps(body, indent=2)}],
        "structuredContent": body,
    }
    assert deepseek.episode.db.all("SELECT * FROM files") == [
        {
            "file_id": shown["id"], "filename": "t%22w%0Do.png", "size_bytes": 12, "created_s": NOW_S,
            "sha256": hashlib.sha256(PNG).hexdigest(), "expires_s": NOW_S + 3600,
        }
    ]  # fmt: skip
    assert "expires_at" not in upload(deepseek, PNG)["structuredContent"]
    deleted = {"id": shown["id"], "object": "file", "deleted": True}
    assert deepseek.result("delete_file", file_id=shown["id"]) == {
        "content": [{"type": "text", "text": f"Deleted {shown['id']}."}],
        "structuredContent": deleted,
    }
    assert deepseek.result("delete_file", file_id=shown["id"]) == {
        "content": [
            {
                "type": "text",
                "text": f"DeepSeek API error (404): File not found: {shown['id']}. "
                "Review request fields and argument types.",
            }
        ],
        "structuredContent": {
            "error_type": "deepseek_api_error",
            "status": 404,
            "message": f"File not found: {shown['id']}",
            "retryable": False,
            "suggestion": "Review request fields and argument types.",
        },
        "isError": True,
    }


@pytest.mark.fact("files")
def test_pages_of_files_are_told_whole(deepseek: LocalApp) -> None:
    files = [upload(deepseek, PNG, filename=f"{name}.png")["structuredContent"] for name in "abcd"]

    def page(*shown: dict[str, Any], has_more: bool = False) -> dict[str, Any]:
        ends = {"first_id": shown[0]["id"], "last_id": shown[-1]["id"]} if shown else {}
        lines = "\n".join(f"{each['id']}\t{each['filename']}\t12 bytes" for each in shown)
        return {
            "content": [{"type": "text", "text": lines or "(no files returned)"}],
            "structuredContent": {"object": "list", "data": [*shown], "has_more": has_more, **ends},
        }

    a, b, c, d = files
    assert deepseek.result("list_files") == deepseek.result("list_files", order="desc") == page(d, c, b, a)
    assert deepseek.result("list_files", order="asc", limit=4) == page(a, b, c, d)
    assert deepseek.result("list_files", order="asc", limit=3) == page(a, b, c, has_more=True)
    assert deepseek.result("list_files", after=c["id"], limit=1) == page(b, has_more=True)
    assert deepseek.result("list_files", after=b["id"], purpose="user_data") == page(a)
    assert deepseek.result("list_files", after=a["id"]) == page()
    assert deepseek.result("list_files", after="file-api-none", limit=1) == page(d, has_more=True)


@pytest.mark.fact("files")
def test_a_file_is_there_until_the_second_it_expires(deepseek: LocalApp) -> None:
    file = upload(deepseek, PNG, expires_after_seconds=3600)["structuredContent"]
    other = upload(deepseek, PNG)["structuredContent"]

    def at(moment_ms: int) -> list[str]:
        deepseek.store.set_clock(deepseek.id, moment_ms)
        return [each["id"] for each in deepseek.result("list_files")["structuredContent"]["data"]]

    assert at(file["expires_at"] * 1000 - 10) == [other["id"], file["id"]]
    assert "isError" not in deepseek.result("retrieve_file", file_id=file["id"])
    assert at(file["expires_at"] * 1000) == [other["id"]]
    assert deepseek.result("retrieve_file", file_id=file["id"])["isError"] is True


@pytest.mark.fact("files")
def test_a_file_that_is_not_there_is_refused_wherever_it_is_named(deepseek: LocalApp) -> None:
    there = upload(deepseek, PNG)["structuredContent"]["id"]

    def calls(file_id: str) -> list[tuple[str, dict[str, Any]]]:
        file, image = {"type": "file", "file_id": file_id}, {"type": "input_image", "file_id": file_id}
        text = {"type": "text", "text": "look"}
        output = {"type": "function_call_output", "call_id": "c", "output": [image]}
        return [
            ("chat_completion", {"message": [text, file]}),
            ("chat_completion", {"messages": [{"role": "user", "content": [file]}, {"role": "user", "content": "x"}]}),
            ("create_response", {"input": [{"role": "user", "content": [image]}]}),
            ("create_response", {"input": [{"role": "user", "content": "x"}, output]}),
        ]

    for tool, arguments in calls(there):
        assert "isError" not in deepseek.result(tool, **arguments)
    for tool, arguments in calls(ID):
        said = deepseek.result(tool, **arguments)["structuredContent"]
        assert (said["status"], said["message"]) == (404, f"File not found: {ID}")


@pytest.mark.fact("files-said")
@pytest.mark.parametrize(
    ("data", "is_taken"),
    [
        # Nothing in the bits that no byte needs.
        ("QQ==", True),
        ("QR==", False),
        ("Qf==", False),
        ("QUE=", True),
        ("QUF=", False),
        ("QUJD", True),
        ("QUJ", False),
        ("QUJD=", False),
        ("Q===", False),
        ("QU=D", False),
        ("QU D", False),
        ("QU-_", False),
        ("QU+/", True),
        ("data:image/png;base64,QUJD", True),
        ("data:image/webp;base64,QUJD", True),
        ("data:image/bmp;base64,QUJD", False),
        ("data:image/png;base64,QR==", False),
        ("data:image/png,QUJD", False),
        ("data:image/png;base64,", False),
        ("", False),
    ],
)
def test_data_is_base64_in_the_one_form_that_there_is_of_it(deepseek: LocalApp, data: str, is_taken: bool) -> None:
    text = deepseek.result("upload_file", filename="a", file_data=data)["content"][0]["text"]

    # What is taken is no picture, which shows later.
    assert (NOT_BASE64 in text) == (not is_taken)


def part(**more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}, more]}]}


def image(role: str = "user", **more: Any) -> dict[str, Any]:
    return {
        "input": [{"role": role, "content": [{"type": "input_text", "text": "x"}, {"type": "input_image", **more}]}]
    }


def output(**more: Any) -> dict[str, Any]:
    return {"input": [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_image", **more}]}]}


DATA_URL = f"data:image/png;base64,{DATA}"
LONG = "https://e.org/" + "a" * (8192 - 14)


@pytest.mark.fact("files-said")
@pytest.mark.parametrize(
    ("tool", "arguments", "faults"),
    [
        ("chat_completion", part(type="file", file_data=DATA_URL), []),
        ("chat_completion", part(type="file", file_data=DATA_URL, filename="a"), []),
        ("chat_completion", part(type="image_url", image_url={"url": DATA_URL}), []),
        ("chat_completion", part(type="image_url", image_url={"url": LONG}), []),
        (
            "chat_completion",
            part(type="image_url", image_url={"url": f"{LONG}a"}),
            [f"messages.0.content.1.image_url.url: {NO_ADDRESS}"],
        ),
        (
            "chat_completion",
            part(type="image_url", image_url={"url": DATA}),
            [f"messages.0.content.1.image_url.url: {NO_ADDRESS}"],
        ),
        (
            "chat_completion",
            part(type="file", file_data=DATA),
            ["messages.0.content.1.file_data: Expected a JPEG, PNG, GIF, or WebP base64 data URL"],
        ),
        (
            "chat_completion",
            part(type="file", file_data=DATA_URL, file_id=ID),
            [f"messages.0.content.1: {ONE_OF_TWO}"],
        ),
        ("chat_completion", part(type="file"), [f"messages.0.content.1: {ONE_OF_TWO}"]),
        (
            "chat_completion",
            part(type="file", file_id=ID, filename="a"),
            ["messages.0.content.1.filename: `filename` is valid only with `file_data`"],
        ),
        (
            "chat_completion",
            {"messages": [{"role": "system", "content": [{"type": "text", "text": "x"}]}]},
            ["messages.0.content: Multimodal content is supported only in user and tool messages"],
        ),
        ("chat_completion", {}, ["Either `message` or `messages` must be provided"]),
        ("chat_completion", {"message": "x", "top_logprobs": 0}, ["`top_logprobs` requires `logprobs=true`"]),
        (
            "chat_completion",
            {"message": "x", "top_logprobs": 1, "logprobs": False},
            ["`top_logprobs` requires `logprobs=true`"],
        ),
        ("chat_completion", {"message": "x", "top_logprobs": 1, "logprobs": True}, []),
        ("create_response", image(image_url="https://e.org/a"), []),
        ("create_response", image(image_url=DATA_URL), []),
        ("create_response", image("developer", image_url=DATA_URL), []),
        ("create_response", image(image_url="ftp://e.org"), [f"input.0.content.1.image_url: {NO_ADDRESS}"]),
        ("create_response", image(), [f"input.0.content.1: {ONE_IMAGE}"]),
        ("create_response", image(image_url=DATA_URL, file_id=ID), [f"input.0.content.1: {ONE_IMAGE}"]),
        ("create_response", output(image_url=DATA_URL), []),
        ("create_response", output(image_url="x"), [f"input.0.output.0.image_url: {NO_ADDRESS}"]),
        ("create_response", output(), [f"input.0.output.0: {ONE_IMAGE}"]),
        *(
            (
                "create_response",
                image(role, image_url=DATA_URL),
                ["input.0.content: Responses images are not supported in system or assistant messages"],
            )
            for role in ("system", "assistant")
        ),
        ("create_response", {"instructions": "x"}, []),
        ("create_response", {"input": "x"}, []),
    ],
)
def test_the_schemas_ask_more_than_types(
    deepseek: LocalApp, tool: str, arguments: dict[str, Any], faults: list[str]
) -> None:
    result = deepseek.result(tool, **arguments)

    assert ("isError" in result) == bool(faults)
    if faults:
        assert result["content"][0]["text"] == (
            f"Input validation error: Invalid arguments for tool {tool}: {', '.join(faults)}"
        )

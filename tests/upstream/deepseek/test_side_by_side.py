"""The real deepseek-mcp-server beside ours: the same calls, in front of a stand-in for the API."""

from __future__ import annotations

import asyncio
import json
import os
import re
import threading
from base64 import b64encode
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

from farm import content
from farm.testing import LocalApp
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.replay import Start
from farm.traverse.fidelity.side_by_side import ask, read_questions
from farm.traverse.transport.source import Source
from tests.upstream.deepseek.service import service
from tests.upstream.real import npm_package

MASKS = [
    Mask("time", re.compile(r'"(?:created|created_at|expires_at)":\s?(?P<value>\d+)'), "the second of the call"),
    Mask(
        "id", re.compile(r"(?P<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|call_00_\w{24})"), "drawn by the API"
    ),
    Mask("file", re.compile(r"file-api-(?P<value>[0-9a-f]{32})"), "drawn by the API"),
]

PNG = b64encode(b"\x89PNG\r\n\x1a\n....").decode()
JPEG = b64encode(b"\xff\xd8\xff...").decode()
CALLED: dict[str, Any] = {"type": "function", "function": {"name": "look_up"}}
IMAGE = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
ITEMS = [{"role": "user", "content": [{"type": "input_text", "text": "one"}]}, {"role": "assistant", "content": "two"}]
FUNCTION = {"type": "function", "name": "look_up"}
WRONG: list[Any] = ["", 5, []]
QUIET = {"thinking": {"type": "disabled"}}
RAW = {"include_raw_response": True}
NOBODY = {"type": "function", "function": {"name": "nobody"}}
FOUND = {"role": "tool", "tool_call_id": "c", "content": "found"}
USER = {"role": "user", "content": "hello you"}


def _tool(name: str) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name}}


ASKED: list[tuple[str, list[dict[str, Any]]]] = [
    ("list_models", [{}, {"a": 1}, {"limit": "x"}, {"a": None}, {"b": []}]),
    ("get_user_balance", [{}, {"a": 1}, {"currency": "CNY"}]),
    ("list_conversations", [{}]),
    (
        "list_files",
        [{}, {"limit": 0}, {"limit": 1001}, {"order": "up"}, {"after": "x"}, {"purpose": "other"}, {"limit": 1.5}],
    ),
    (
        "upload_file",
        [
            {"filename": "a.png", "file_data": PNG},
            {"filename": "b.png", "file_data": f"data:image/png;base64,{PNG}", "expires_after_seconds": 3600},
            {"filename": "c.jpg", "file_data": JPEG},
            {"filename": "d", "file_data": b64encode(b"GIF89a").decode()},
            {"filename": "e", "file_data": b64encode(b"RIFF....WEBP").decode()},
            {"filename": "n", "file_data": b64encode(b"none of them").decode()},
            {"filename": "n", "file_data": f"data:image/png;base64,{JPEG}"},
            *(
                {"filename": "n", "file_data": each}
                for each in ("", "!", "AAA", "AB==", "data:text/plain;base64,AAAA", 5)
            ),
            {"filename": "", "file_data": PNG},
            {"filename": "n", "file_data": PNG, "expires_after_seconds": 3599},
            {"file_data": PNG},
        ],
    ),
    ("list_files", [{"order": "asc", "limit": 2}, {"limit": 3}, {"purpose": "user_data"}, {"after": "file-api-none"}]),
    ("retrieve_file", [{"file_id": each} for each in ("file-api-none", "x", "", None)] + [{}]),
    ("delete_file", [{"file_id": each} for each in ("file-api-none", "x", 5)] + [{}]),
    (
        "chat_completion",
        [
            {"message": "hi"},
            {"message": "hi", "include_raw_response": True},
            {"message": "hi", "stream": True},
            {"message": "hi", "stream": True, "include_raw_response": True, "thinking": {"type": "disabled"}},
            {"message": "hi", "max_tokens": 4, "reasoning_effort": "none"},
            {"message": "hi", "stop": ["a", "e"], "temperature": 0.1},
            {"message": "hi, as JSON", "response_format": {"type": "json_object"}},
            *({"message": "hi", "tools": [CALLED], "tool_choice": each} for each in ("required", CALLED)),
            {"message": "hi", "tools": [CALLED], "tool_choice": "required", **QUIET, "include_raw_response": True},
            {"message": "hi", "tools": [CALLED], "tool_choice": CALLED, **QUIET, "stream": True, **RAW},
            {"message": "hi", "tools": [CALLED], "tool_choice": "required", **QUIET, "max_tokens": 1},
            {"message": "hi", "tool_choice": "required", **QUIET},
            {"message": "hi", "tools": [CALLED], "tool_choice": NOBODY, **QUIET},
            *({"message": "hi", "tools": [_tool(each)]} for each in ("a b", "a" * 64, "a" * 65)),
            {"message": "hi", "tools": [_tool(f"f{number}") for number in range(129)]},
            *({"messages": [{"role": each}]} for each in ("user", "system", "assistant", "tool")),
            {"messages": [USER, {"role": "user", "content": None}]},
            {"messages": [{"role": "user", "name": "é", "x": 1, "content": "你好"}, {"name": "b", "role": "user"}]},
            {"messages": [USER, {"role": "assistant", "content": None}, USER]},
            {"messages": [USER, {"role": "assistant", "tool_calls": [{"id": "c", **CALLED}]}, FOUND]},
            {"messages": [USER, {"role": "assistant", "tool_calls": [{"id": "c", **CALLED}]}, FOUND], **QUIET},
            *({"message": "hi", "max_tokens": each} for each in (1, 26, 30)),
            {"message": "hi", "max_tokens": 3, "stream": True, "include_raw_response": True},
            {"message": "你好", "logprobs": True, "top_logprobs": 2, "include_raw_response": True},
            {"message": "hi", "logprobs": True, **RAW, **QUIET},
            {"message": "hi", "logprobs": True, "stream": True, "include_raw_response": True},
            {"message": "hi", "model": "deepseek-chat", "include_raw_response": True},
            {"message": "hi", "tools": [CALLED]},
            {"message": [{"type": "text", "text": "look"}, IMAGE]},
            {"message": [{"type": "file", "file_id": "file-api-none"}]},
            {"message": "ignored", "messages": [USER, {"role": "assistant", "content": None}, USER]},
            {"message": "one", "conversation_id": "b"},
            {"message": "two", "conversation_id": "b", "stream": True},
            {"message": "three", "conversation_id": "b", "clear_conversation": True},
            {"message": "one", "conversation_id": "Ä", "extra_body": {"model": "no", "n": 1}},
            {"message": "lost", "conversation_id": "c", "model": "bad"},
            {"message": "hi", "model": "deepseek-v4-pro", "top_p": 0.5, "user_id": "u1"},
            *({"message": each} for each in ("你好，世界", "a " * 120, "🦊", "line\nbreak", '"quoted" \\')),
            *({"message": "hi", "reasoning_effort": each} for each in ("minimal", "max")),
            *({"message": "hi", "model": each} for each in ("deepseek-chat", "deepseek-v4-flash")),
            {"message": "hi", "logprobs": True, "top_logprobs": 2},
            *({"message": each} for each in [*WRONG, [{"type": "text", "text": ""}], [{"type": "sound"}]]),
            {"message": [{"type": "image_url", "image_url": {"url": "ftp://x"}}]},
            {"message": [{"type": "file"}]},
            {"message": [{"type": "file", "file_id": "x"}]},
            {"message": [{"type": "file", "file_data": "x", "filename": ""}]},
            {"messages": [{"role": "system", "content": [IMAGE]}]},
            {"messages": [{"role": "nobody", "content": "x"}]},
            {"messages": [{"content": "x"}]},
            {"message": "hi", "temperature": 3, "top_p": -1, "max_tokens": 0},
            {"message": "hi", "stop": []},
            {"message": "hi", "tool_choice": "always", "tools": [{"type": "function"}]},
            {"message": "hi", "thinking": {"type": "on", "more": 1}},
            {"message": "hi", "top_logprobs": 2},
            {"message": "hi", "conversation_id": ""},
            {},
        ],
    ),
    (
        "completion",
        [
            {"prompt": "hello"},
            {"prompt": "hello", "suffix": "world", "echo": True, "include_raw_response": True},
            {"prompt": "hello", "stream": True, "include_raw_response": True},
            *({"prompt": "hello", "logprobs": each, "include_raw_response": True} for each in (0, 3)),
            {"prompt": "hello", "max_tokens": 1, "stop": "x"},
            {"prompt": "hello", "stop": " "},
            *({"prompt": each, "temperature": 1} for each in ("def f(", "从前", "x" * 300)),
            {"prompt": "hello", "model": "bad"},
            *({"prompt": each} for each in ("", 5, None)),
            {"prompt": "x", "logprobs": 21, "stop": [""]},
            {},
        ],
    ),
    (
        "create_response",
        [
            {"input": "hi"},
            {"input": "hi", "include_raw_response": True, "reasoning": {"effort": "high"}},
            {"input": "hi", "stream": True, "reasoning": {"effort": "low"}, "instructions": "short"},
            {"instructions": "short"},
            *({"input": each, "temperature": 0} for each in ("你好", "b " * 90, "🦊")),
            {"input": ITEMS, "model": "deepseek-v4-pro"},
            {"input": "hi", "max_output_tokens": 2, "stream": True, "include_raw_response": True},
            {"input": "hi", "text": {"format": {"type": "json_object"}}},
            {"input": "hi", "tools": [FUNCTION], "tool_choice": "required", "include_raw_response": True},
            {"input": "hi", "tools": [FUNCTION], "tool_choice": FUNCTION},
            {"input": "hi", "model": "bad"},
            {"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "file-api-none"}]}]},
            {"input": [{"role": "user", "content": [{"type": "input_image"}]}]},
            {"input": [{"role": "system", "content": [{"type": "input_image", "image_url": "https://example.org/a"}]}]},
            {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]},
            *({"input": each} for each in WRONG),
            {"input": "hi", "reasoning": {"effort": "some"}, "user": "ü"},
            {},
        ],
    ),
    ("list_conversations", [{}]),
    ("get_user_balance", [{}]),
    ("reset_conversation", [{"conversation_id": each} for each in ("b", "b", "none", "", 5)] + [{}]),
    ("list_conversations", [{}, {"a": 1}]),
    ("multi_turn_chat", [{}]),
]
CALLS = [(tool, arguments) for tool, given in ASKED for arguments in given]


def test_ours_says_what_the_real_one_says(tmp_path: Path) -> None:
    entry = npm_package("deepseek-mcp-server", "1.0.1") / "build" / "index.js"
    app = LocalApp("deepseek", tmp_path / "stand-in", now="live")
    server = ThreadingHTTPServer(("127.0.0.1", 0), service(app))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    questions = tmp_path / "calls.jsonl"
    asked = ({"tool": tool, "arguments": arguments, "result": {"content": []}} for tool, arguments in CALLS)
    questions.write_text("".join(json.dumps(each) + "\n" for each in asked))
    environment = {"PATH": os.environ["PATH"], "DEEPSEEK_API_KEY": "none"}
    environment["DEEPSEEK_BASE_URL"] = f"http://127.0.0.1:{server.server_port}"
    source = Source("deepseek-mcp-server", ("node", str(entry)), environment, tmp_path)

    try:
        real = asyncio.run(ask(source, read_questions(questions, None)))
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        app.close()
    found = measure(content.load_app("deepseek"), real, Start(), tmp_path / "ours", masks=MASKS, is_sequence=False)

    successes = sum("error" not in each.result and not each.result.get("isError") for each in real)
    assert len(CALLS) >= 60
    assert 2 * successes >= len(CALLS)
    assert (found["agreement"], found["bodies"]["leaf_equal"]) == (1.0, 1.0), found["differences"]
    # The order of two faults of one part, of which FIDELITY.md speaks.
    assert [each["differs"] for each in found["differences"]] == [("text",)], found["differences"]

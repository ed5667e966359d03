"""Calls from a file or from a model, played into a recording."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError
from farm.traverse.recordings.calls import Request
from farm.traverse.recordings.recording import Recording, read_recording
from farm.traverse.seeds.player import play, playing
from farm.traverse.seeds.proposed import callable_tools, propose
from farm.traverse.seeds.seeds import read_seeds
from farm.traverse.transport.connection import Connection
from farm.traverse.transport.source import read_source

pytestmark = pytest.mark.slow

SMALL = read_source((sys.executable, str(Path(__file__).with_name("small_server.py"))))


def _file(folder: Path, *seeds: object) -> Path:
    file = folder / "seeds.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in seeds))
    return file


def _texts(folder: Path) -> list[tuple[int | None, int | None, str, str]]:
    def text(result: dict[str, Any]) -> str:
        return str(result["content"][0]["text"]) if "content" in result else "silence"

    return [(each.trace, each.step, each.tool, text(each.result)) for each in read_recording(folder)]


async def test_seeds_meet_one_start_of_the_server_for_each_trace(tmp_path: Path) -> None:
    note = {"tool": "add_note", "arguments": {"title": "a"}}
    again = {"tool": "read_notes"}
    file = _file(tmp_path, {**note, "trace": 0}, {**again, "trace": 0}, {**again, "trace": 1}, {**note, "trace": 1})
    with Recording(tmp_path / "out") as recording:
        async with playing(SMALL, recording) as player:
            assert await play(player, read_seeds(file)) == 4
    assert _texts(tmp_path / "out") == [
        (0, 0, "add_note", "kept 'a'"),
        (0, 1, "read_notes", '{"a": ""}'),
        (1, 0, "read_notes", "{}"),
        (1, 1, "add_note", "kept 'a'"),
    ]
    assert {(each.server, each.version) for each in read_recording(tmp_path / "out")} == {("small", "1.2")}
    assert len(json.loads((tmp_path / "out" / "tools.json").read_bytes())["tools"]) == 4


async def test_what_the_server_keeps_is_reset_before_each_start(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    server = read_source((*SMALL.command, str(kept)))

    async def reset() -> None:
        kept.unlink(missing_ok=True)

    kept.write_text('{"old": ""}')
    seeds = ({"tool": "add_note", "arguments": {"title": "a"}, "trace": 0}, {"tool": "read_notes", "trace": 1})
    with Recording(tmp_path / "out") as recording:
        async with playing(server, recording, reset=reset) as player:
            await play(player, read_seeds(_file(tmp_path, *seeds)))
    assert [each[3] for each in _texts(tmp_path / "out")] == ["kept 'a'", "{}"]


async def test_after_a_crash_or_silence_the_rest_is_another_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = Connection.call

    async def called(self: Connection, request: Request, *, limit_s: float) -> dict[str, Any]:
        # Only who is not to answer is waited for as short as that.
        return await call(self, request, limit_s=limit_s if request.tool == "sleep" else 60)

    monkeypatch.setattr(Connection, "call", called)
    tools = ("read_notes", "crash", "read_notes", "sleep", "read_notes")
    file = _file(tmp_path, *({"tool": each, "arguments": {}} for each in tools))
    with Recording(tmp_path / "out") as recording:
        async with playing(SMALL, recording, limit_s=0.5) as player:
            await play(player, read_seeds(file))
    steps = [(trace, step, tool) for trace, step, tool, _ in _texts(tmp_path / "out")]
    assert steps == [(0, 0, "read_notes"), (0, 1, "crash"), (1, 0, "read_notes"), (1, 1, "sleep"), (2, 0, "read_notes")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it holds no call"),
        ("{}\n", "line 1 is no call; one looks like"),
        ('{"tool": "read_notes"}\nx\n', "line 2 is not JSON"),
        ('{"tool": "fly"}\n', "^the server has no tool 'fly'; it has add_note, crash, read_notes, sleep"),
    ],
)
async def test_a_bad_line_is_named_before_anything_is_called(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "seeds.jsonl"
    file.write_text(text)
    with Recording(tmp_path / "out") as recording, pytest.raises(FarmError, match=problem):
        async with playing(SMALL, recording) as player:
            await play(player, read_seeds(file))
    assert (tmp_path / "out" / "calls.jsonl").read_bytes() == b""


@contextmanager
def _model(*replies: dict[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    """An endpoint that gives these messages one after the other; gives its address and what it was asked."""
    asked: list[Any] = []
    left = iter(replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **next(left)}}
            said = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
            body = json.dumps(said).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _wants(*calls: tuple[str, str]) -> dict[str, Any]:
    tool_calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"content": None, "tool_calls": tool_calls}


async def test_a_model_s_calls_are_made_and_their_answers_shown_to_it(tmp_path: Path) -> None:
    replies = (
        _wants(("add_note", '{"title": "a"}'), ("fly", "{}"), ("add_note", "no JSON")),
        {"content": "done"},
        _wants(("read_notes", "{}")),
        {"content": "done"},
    )
    with _model(*replies) as (url, asked), Recording(tmp_path) as recording:
        async with playing(SMALL, recording) as player:
            tools = callable_tools(player.tools, ["add_note"], is_sandbox=False)
            assert await propose(player, tools, "m", base_url=url) == 2
    assert [each["function"]["name"] for each in asked[0]["tools"]] == ["add_note", "read_notes"]
    said = [each["content"] for each in asked[1]["messages"] if each["role"] == "tool"]
    assert said[:2] == ["kept 'a'", "Not called: there is no tool 'fly'."]
    assert said[2].startswith("Not called: the arguments are not JSON")
    assert asked[2]["messages"][-1]["content"].endswith("Never used so far: read_notes.")
    assert [each[2:] for each in _texts(tmp_path)] == [("add_note", "kept 'a'"), ("read_notes", '{"a": ""}')]


async def test_a_model_makes_no_more_calls_than_it_may(tmp_path: Path) -> None:
    many = _wants(*(("read_notes", "{}"),) * 5)
    with _model(many) as (url, _), Recording(tmp_path) as recording:
        async with playing(SMALL, recording) as player:
            assert await propose(player, player.tools, "m", base_url=url, calls_max=3) == 3
    assert len(read_recording(tmp_path)) == 3


async def test_a_model_that_is_not_there_is_said(tmp_path: Path) -> None:
    with Recording(tmp_path) as recording, pytest.raises(FarmError, match=r"the model m did not answer: .*; 0 calls"):
        async with playing(SMALL, recording) as player:
            await propose(player, player.tools, "m", base_url="http://127.0.0.1:9/v1")


def test_a_model_may_call_only_what_says_that_it_reads() -> None:
    reads: dict[str, Any] = {"name": "read", "annotations": {"readOnlyHint": True}}
    writes: dict[str, Any] = {"name": "write", "annotations": {"readOnlyHint": False}}
    unknown: dict[str, Any] = {"name": "unknown"}
    tools = [reads, writes, unknown]
    assert callable_tools(tools, [], is_sandbox=False) == [reads]
    assert callable_tools(tools, ["unknown"], is_sandbox=False) == [reads, unknown]
    assert callable_tools(tools, [], is_sandbox=True) == tools
    with pytest.raises(FarmError, match="the server declares no tool read-only; allow some with --allow"):
        callable_tools([writes, unknown], [], is_sandbox=False)
    with pytest.raises(FarmError, match="the server has no tool 'fly' to allow; it has read, unknown, write"):
        callable_tools(tools, ["fly"], is_sandbox=False)

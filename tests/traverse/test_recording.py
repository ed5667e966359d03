"""The folder of a recording: who may write, what a killed recorder leaves, and how it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from farm.errors import ConflictError, FarmError, InternalError
from farm.traverse.recordings.calls import Request, read_calls
from farm.traverse.recordings.recording import CALLS, KILLED, UNDER_WAY, Meaning, Recording, read_recording

DONE = {"content": [{"type": "text", "text": "done"}]}


def _lines(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / CALLS).read_bytes().splitlines()]


def test_a_line_says_what_was_asked_what_came_and_what_it_was_meant_to_be(tmp_path: Path) -> None:
    with Recording(tmp_path / "new" / "folder") as recording:
        trace = recording.begin_trace("notes", "1.2")
        recording.add(trace, Request("add", {"title": "Größe \ud800"}), DONE)
        missing = Meaning("schema_violation", "missing", ("items", 0, "title"), seed_step=0)
        begun = recording.begin(trace, Request("add", omits_arguments=True), missing)
        recording.end(begun, {"error": {"code": -32602, "message": "no title", "data": [1]}}, elapsed_ms=1.23456)

    seed, provoked = _lines(tmp_path / "new" / "folder")
    assert {key: value for key, value in seed.items() if key not in ("at", "elapsed_ms")} == {
        "trace": 0,
        "step": 0,
        "tool": "add",
        "arguments": {"title": "Größe \ud800"},
        "error_class": "success",
        "result": DONE,
        "server": "notes",
        "version": "1.2",
    }
    assert "arguments" not in provoked
    read = read_calls(tmp_path / "new" / "folder" / CALLS)[1]
    assert read.request == Request("add", {}, omits_arguments=True)
    assert (read.trace, read.step, read.error_class, read.seed_step) == (0, 1, "schema_violation", 0)
    assert (read.operation, read.path) == ("missing", ("items", 0, "title"))
    assert (read.elapsed_ms, read.server, read.version) == (1.235, "notes", "1.2")
    assert read.result == {"error": {"code": -32602, "message": "no title", "data": [1]}}
    assert read.at is not None


def test_steps_count_as_they_were_sent_whichever_answer_comes_first(tmp_path: Path) -> None:
    with Recording(tmp_path) as recording:
        trace = recording.begin_trace()
        slow, quick = (recording.begin(trace, Request(name, {})) for name in ("slow", "quick"))
        recording.end(quick, DONE)
        recording.end(slow, DONE)

    assert [line["tool"] for line in _lines(tmp_path)] == ["quick", "slow"]
    assert [(each.step, each.tool) for each in read_recording(tmp_path)] == [(0, "slow"), (1, "quick")]
    assert not (tmp_path / UNDER_WAY).exists()


def test_a_second_recorder_is_refused_in_one_line_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with Recording(tmp_path) as first:
        first.add(first.begin_trace(), Request("a", {}), DONE)
        with pytest.raises(
            ConflictError, match=f"^{tmp_path} is in use: another process records there; give another --out$"
        ):
            Recording(tmp_path)
    with Recording(tmp_path) as second:
        assert [each.tool for each in second.calls] == ["a"]
        assert second.begin_trace() == 1
        assert not second.mended


_KILLED = """
import os, signal, sys
from pathlib import Path
from farm.traverse.recordings.calls import Request
from farm.traverse.recordings.recording import Recording
recording = Recording(Path(sys.argv[1]))
trace = recording.begin_trace("notes")
recording.add(trace, Request("a", {}), {"content": []})
recording.begin(trace, Request("b", {"n": 1}))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_recorder_loses_nothing_and_its_last_call_is_silent(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    with (tmp_path / CALLS).open("ab") as file:
        file.write('{"trace": 0, "step": 2, "tool": "ä'.encode()[:-1])  # cut within a letter

    expected = [("a", {"content": []}), ("b", {"silence": KILLED})]
    assert [(each.tool, each.result) for each in read_recording(tmp_path)] == expected
    with Recording(tmp_path) as recording:
        torn, silent = recording.mended
        assert "the last line was half written and is cut off (34 bytes)" in torn
        assert "1 without an answer when the recording was killed, noted as silent" in silent
        recording.add(recording.begin_trace(), Request("c", {}), DONE)
    read = [(each.trace, each.step, each.tool, each.server) for each in read_calls(tmp_path / CALLS)]
    assert read == [(0, 0, "a", "notes"), (0, 1, "b", "notes"), (1, 0, "c", None)]


def test_a_last_line_without_its_end_is_kept_where_it_is_a_call(tmp_path: Path) -> None:
    (tmp_path / CALLS).write_text('{"tool": "a", "arguments": {}, "result": {"content": []}}')
    assert [each.tool for each in read_recording(tmp_path)] == ["a"]
    with Recording(tmp_path) as recording:
        assert not recording.mended
        recording.add(recording.begin_trace(), Request("b", {}), DONE)
    assert [each.tool for each in read_calls(tmp_path / CALLS)] == ["a", "b"]


def test_calls_under_way_at_the_end_are_noted_with_the_reason(tmp_path: Path) -> None:
    recording = Recording(tmp_path)
    recording.begin(recording.begin_trace(), Request("a", {}))
    recording.close("the client left before the answer")
    assert [each.result for each in read_recording(tmp_path)] == [{"silence": "the client left before the answer"}]


def test_one_folder_holds_one_server(tmp_path: Path) -> None:
    with Recording(tmp_path, server="notes") as recording:
        recording.add(recording.begin_trace("notes"), Request("a", {}), DONE)
    with pytest.raises(ConflictError, match="holds calls of notes, not of mail; give another --out"):
        Recording(tmp_path, server="mail")
    with Recording(tmp_path, server="notes"):
        pass


def test_a_full_disk_leaves_whole_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recording = Recording(tmp_path)
    trace = recording.begin_trace()
    recording.add(trace, Request("a", {}), DONE)
    whole, write = (tmp_path / CALLS).read_bytes(), os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(data) > 20:
            return write(descriptor, data[:20])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        with pytest.raises(InternalError, match=r"cannot be written \(No space left on device\)"):
            recording.add(trace, Request("b", {}), DONE)
    recording.close()
    assert (tmp_path / CALLS).read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense\n", r"calls.jsonl, line 1 is not JSON"),
        ('{"tool": "a"}\n', r"calls.jsonl, line 1 is no recorded call"),
        ('{"tool": "a", "result": {"content": []}, "step": "1"}\n', r"line 1: 'step' must be a number, not '1'"),
        ('{"tool": "a", "result": {"content": []}, "path": "x"}\n', r"line 1: 'path' must be a list of names"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / CALLS).write_text(line)
    with pytest.raises(FarmError, match=problem):
        Recording(tmp_path)
    with pytest.raises(FarmError, match=problem):
        read_recording(tmp_path)


def test_no_recording_and_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match="holds no recorded call; record some with farm traverse"):
        read_recording(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(FarmError, match=r"file cannot be written \(File exists\)"):
        Recording(tmp_path / "file")


@pytest.mark.parametrize("spoilt", ["garbage\n", "{}\n", "[1]\n", '{"trace": 0, "step": 0}\n'])
def test_a_spoilt_line_under_way_is_said_with_its_number(tmp_path: Path, spoilt: str) -> None:
    with Recording(tmp_path) as recording:
        recording.add(recording.begin_trace(), Request("add", {}), DONE)
    (tmp_path / UNDER_WAY).write_text(spoilt)

    for look in (read_recording, Recording):
        with pytest.raises(FarmError, match=f"{UNDER_WAY}, line 1 is no call that was begun"):
            look(tmp_path)
    assert (tmp_path / UNDER_WAY).read_text() == spoilt
    assert len(_lines(tmp_path)) == 1

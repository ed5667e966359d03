"""The recording proxy over stdio: what passes is what was sent, and the calls in it are recorded."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

from farm.benchmark.agents.process_group import descendants
from farm.runtime.supervisor.state import is_alive
from farm.traverse.recordings.calls import Recorded, Request
from farm.traverse.recordings.recording import CALLS, read_recording
from tests.traverse.raw_server import SEPARATOR, STATUS

SMALL = [sys.executable, str(Path(__file__).with_name("small_server.py"))]
RAW = [sys.executable, str(Path(__file__).with_name("raw_server.py"))]
PROXY = [sys.executable, "-m", "farm", "traverse", "proxy"]
WAIT_S = 60


def _call(request_id: object, tool: str, **arguments: object) -> bytes:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
    return json.dumps(message).encode() + b"\n"


def _answer(request_id: object, text: str) -> bytes:
    result = {"content": [{"type": "text", "text": text}]}
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result}).encode() + b"\n"


def _seen(calls: list[Recorded]) -> list[tuple[Any, ...]]:
    return [(each.trace, each.step, each.tool, each.result) for each in calls]


class Proxy:
    """A server behind the proxy, with a client's ends of its pipes."""

    started: ClassVar[list[Proxy]] = []

    def __init__(self, out: Path, server: list[str]) -> None:
        self.started.append(self)
        self.process = subprocess.Popen(
            [*PROXY, "--out", str(out), "--", *server],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout

    def send(self, raw: bytes) -> None:
        self.stdin.write(raw)
        self.stdin.flush()

    def answer(self, request_id: object) -> dict[str, Any]:
        """Read up to the answer of this id."""
        while line := self.stdout.readline():
            if line.startswith(b"{") and (said := json.loads(line)).get("id") == request_id and "method" not in said:
                return dict(said)
        raise AssertionError("the server ended")

    def leave(self) -> None:
        """Close the server's input; ``end`` is still to come."""
        self.stdin.close()
        self.process.stdin = None

    def end(self) -> str:
        """Leave, as a client does, and return what stood on stderr."""
        _, errors = self.process.communicate(timeout=WAIT_S)
        return errors.decode()


@pytest.fixture(autouse=True)
def _nothing_stays_open() -> Iterator[None]:
    """A test that fails in the middle must not fail the next one, too."""
    yield
    while Proxy.started:
        proxy = Proxy.started.pop()
        for pid in (*descendants(proxy.process.pid), proxy.process.pid):  # a stopped recorder holds stderr open
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ValueError):  # its pipes are closed already
            proxy.process.communicate(timeout=WAIT_S)


_HALF_PAIR = b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"t","arguments":{"a":"\\ud800"}}}\n'
SENT = [
    b'{"jsonrpc":"2.0",  "id" : "1"\t, "method":"tools/call","params":{"name":"odd",   '
    b'"arguments":{"b":1.0,"a":1e2}}}\r\n',
    _call(2, "big", text="x" * 3_000_000),
    b"this is no JSON\n",
    b"\xff\xfe no UTF-8 \x00\n",
    b"\n",
    b'[{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"batch"}}]\n',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}\n',
    _HALF_PAIR,
    '{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"ü","arguments":["no object"]}}\n'.encode(
        "latin-1"
    ),
    b'{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"torn"',
]
PIECES = [
    b'{"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n'
    b'{"id":"1" ,"result":{"content":[ ]},"jsonrpc":"2.0"}\r\n',
    _answer(2, "y" * 3_000_000),
    b"noise on stdout\n\n   \n",
    b"\xc3\x28 not UTF-8\n\x1b[31mred\x1b[0m\n",
    b'{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{}}\n',
    b"",
    b'{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"half"}}\n' + _answer(3, "too late"),
    b'[{"jsonrpc":"2.0","id":10,"result":{"content":[{"type":"text","text":"\\u00fc"}]}}]\n',
    b'{"jsonrpc":"2.0","id":11,"res',
]


def test_the_bytes_are_the_same_in_both_directions_as_without_it(tmp_path: Path) -> None:
    pieces = tmp_path / "pieces"
    pieces.write_bytes(SEPARATOR.join(PIECES))
    sent = b"".join(SENT)
    runs = {}
    for name, before in (("bare", []), ("proxied", [*PROXY, "--out", str(tmp_path / "out"), "--"])):
        got = tmp_path / name
        done = subprocess.run(
            [*before, *RAW, str(got), str(pieces)], input=sent, capture_output=True, timeout=WAIT_S, check=False
        )
        runs[name] = done.returncode, done.stdout, got.read_bytes()
        assert b"good bye\n" in done.stderr

    assert runs["proxied"] == runs["bare"]
    assert runs["bare"] == (STATUS, b"".join(PIECES), sent)
    recorded = read_recording(tmp_path / "out")
    assert [each.tool for each in recorded] == ["odd", "big", "batch", "t", "\ufffd"]
    assert recorded[0].request.arguments == {"b": 1.0, "a": 100.0}
    assert len(recorded[1].result["content"][0]["text"]) == 3_000_000
    assert recorded[2].request == Request("batch", {}, omits_arguments=True)
    assert recorded[2].result == {"silence": "cancelled by the client"}
    assert recorded[3].request.arguments == {"a": "\ud800"}
    assert recorded[3].result == {"error": {"code": -1, "message": "half"}}
    assert recorded[4].request.arguments == ["no object"]


def test_what_a_client_does_becomes_a_trace(tmp_path: Path) -> None:
    began = time.monotonic()
    for _ in range(2):
        proxy = Proxy(tmp_path, SMALL)
        proxy.send(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}\n')
        proxy.answer(0)
        proxy.send(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n')
        cursor = proxy.answer(1)["result"]["nextCursor"]
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"cursor": cursor}}
        proxy.send(json.dumps(listing).encode() + b"\n")
        proxy.answer(2)
        proxy.send(_call(3, "add_note", title="a"))
        proxy.answer(3)
        proxy.send(_call("3", "add_note", title="a"))
        proxy.answer("3")
        said = proxy.end()
        assert proxy.process.returncode == 0
        assert f"2 calls recorded in {tmp_path}; 1 lines of the server were no messages" in said

    taken_ms = (time.monotonic() - began) * 1000
    kept = {"content": [{"type": "text", "text": "kept 'a'"}]}
    refused = {"content": [{"type": "text", "text": "there is a note 'a' already"}], "isError": True}
    once = [(0, "add_note", kept), (1, "add_note", refused)]
    calls = read_recording(tmp_path)
    assert _seen(calls) == [(trace, *each) for trace in (0, 1) for each in once]
    assert {(each.server, each.version, each.error_class) for each in calls} == {("small", "1.2", "success")}
    assert all(each.at is not None and each.elapsed_ms is not None and 0 < each.elapsed_ms < taken_ms for each in calls)
    listed = json.loads((tmp_path / "tools.json").read_bytes())
    assert listed["server"] == {"name": "small", "version": "1.2"}
    assert [tool["name"] for tool in listed["tools"]] == ["add_note", "read_notes", "sleep", "crash"]


def test_answers_find_their_calls_by_id_in_any_order(tmp_path: Path) -> None:
    pieces = tmp_path / "pieces"
    pieces.write_bytes(SEPARATOR.join([b"", b"", _answer(1, "third") + _answer("1", "second") + _answer(0, "first")]))
    proxy = Proxy(tmp_path / "out", [*RAW, str(tmp_path / "got"), str(pieces)])
    proxy.send(_call(0, "a") + _call("1", "b") + _call(1, "c"))
    proxy.answer(0)
    proxy.end()
    answers = [each.result["content"][0]["text"] for each in read_recording(tmp_path / "out")]
    assert answers == ["first", "second", "third"]


def test_a_server_that_dies_is_quoted_and_its_status_passed_on(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, SMALL)
    proxy.send(_call(1, "crash"))
    assert proxy.process.wait(WAIT_S) == 3
    assert "cannot go on" in proxy.end()
    name = Path(SMALL[0]).name
    assert _seen(read_recording(tmp_path)) == [(0, 0, "crash", {"silence": f"{name} ended, status 3: cannot go on"})]


# Says more than the pipe to a client holds, and ends.
SAYS = "import os, sys; print(os.getpid(), flush=True); sys.stdout.write('x' * 150_000 + '\\n')"


def _proxy_of_one_that_has_ended(folder: Path) -> Proxy:
    proxy = Proxy(folder, [sys.executable, "-c", SAYS])
    pid = int(proxy.stdout.readline())
    _until(lambda: not is_alive(pid))
    return proxy


@pytest.mark.slow
def test_a_client_that_is_slow_to_read_gets_all_that_a_server_said_before_it_ended(tmp_path: Path) -> None:
    proxy = _proxy_of_one_that_has_ended(tmp_path)
    time.sleep(3)  # longer than a proxy waits for a server that says nothing more
    assert len(proxy.stdout.readline()) == 150_001
    proxy.end()
    assert proxy.process.returncode == 0


def test_a_proxy_whose_client_never_reads_ends_when_it_is_told_to(tmp_path: Path) -> None:
    proxy = _proxy_of_one_that_has_ended(tmp_path)
    proxy.process.terminate()
    assert proxy.process.wait(WAIT_S) == 0
    proxy.end()


def test_a_client_that_leaves_a_call_behind(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, [sys.executable, "-c", "import sys; sys.stdin.read()"])
    proxy.send(_call(1, "sleep"))
    proxy.end()
    assert _seen(read_recording(tmp_path)) == [(0, 0, "sleep", {"silence": "the client left before the answer"})]


def test_killed_without_warning_nothing_is_lost_and_the_next_one_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "notes"
    proxy = Proxy(tmp_path / "out", [*SMALL, str(file)])
    for number in range(50):
        proxy.send(_call(number, "add_note", title=f"n{number}"))
        proxy.answer(number)
    proxy.send(_call("slow", "sleep"))
    _until(lambda: b'"sleep"' in _under_way(tmp_path / "out"))
    proxy.process.kill()
    proxy.end()

    again = Proxy(tmp_path / "out", [*SMALL, str(file)])
    again.send(_call(0, "read_notes"))
    assert len(json.loads(again.answer(0)["result"]["content"][0]["text"])) == 50
    again.end()
    calls = read_recording(tmp_path / "out")
    assert [each.request.arguments.get("title") for each in calls if each.trace == 0] == [
        *(f"n{number}" for number in range(50)),
        None,
    ]
    assert calls[50].result == {"silence": "the proxy was killed before the answer"}
    assert _seen(calls)[51][:3] == (1, 0, "read_notes")


def _under_way(folder: Path) -> bytes:
    file = folder / "under-way.jsonl"
    return file.read_bytes() if file.exists() else b""


def _until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_no_byte_waits_for_the_recorder(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, SMALL)
    proxy.send(_call(0, "read_notes"))
    proxy.answer(0)
    (recorder,) = _started_by(proxy.process.pid, "farm.traverse.proxy.recorder")
    os.kill(recorder, signal.SIGSTOP)
    try:
        # More than the pipe to it holds.
        for number in range(1, 6):
            proxy.send(_call(number, "add_note", title=f"n{number}", text="x" * 100_000))
            assert proxy.answer(number)["result"]["content"][0]["text"] == f"kept 'n{number}'"
    finally:
        os.kill(recorder, signal.SIGCONT)
    proxy.end()
    assert [each.request.arguments.get("title") for each in read_recording(tmp_path)][1:] == [
        f"n{number}" for number in range(1, 6)
    ]


def test_without_its_recorder_the_server_still_answers(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, SMALL)
    proxy.send(_call(0, "read_notes"))
    proxy.answer(0)
    (recorder,) = _started_by(proxy.process.pid, "farm.traverse.proxy.recorder")
    os.kill(recorder, signal.SIGKILL)
    _until(lambda: not is_alive(recorder))
    for number in range(1, 4):
        proxy.send(_call(number, "read_notes"))
        proxy.answer(number)
    said = proxy.end()
    assert said.count("farm: the recorder ended: from here on nothing is recorded; the server still answers") == 1


def test_a_recorder_killed_at_the_end_is_told(tmp_path: Path) -> None:
    proxy = Proxy(tmp_path, SMALL)
    proxy.send(_call(1, "read_notes"))
    proxy.answer(1)
    (recorder,) = _started_by(proxy.process.pid, "farm.traverse.proxy.recorder")
    os.kill(recorder, signal.SIGSTOP)
    proxy.send(_call(0, "read_notes"))
    proxy.answer(0)
    told_by = os.readlink(f"/proc/{recorder}/fd/0")
    assert told_by in _open_files(proxy.process.pid)
    proxy.leave()
    _until(lambda: told_by not in _open_files(proxy.process.pid))  # it has been told all, and cannot write it

    os.kill(recorder, signal.SIGKILL)

    assert proxy.end() == "farm: the recorder ended: the last calls may not be recorded\n"


def _started_by(pid: int, marked: str) -> list[int]:
    if not Path("/proc/self/cmdline").exists():
        pytest.skip("this system does not show what a process has started")
    return [each for each in descendants(pid) if marked in _command_line(each)]


def _open_files(pid: int) -> list[str]:
    found = []
    for each in os.listdir(f"/proc/{pid}/fd"):
        with suppress(FileNotFoundError):  # closed meanwhile
            found.append(os.readlink(f"/proc/{pid}/fd/{each}"))
    return found


def _command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
        return ""


def test_a_server_that_is_killed_with_the_proxy_does_not_live_on(tmp_path: Path) -> None:
    endless = "import os,time; print(os.getpid(), flush=True); time.sleep(600)"
    proxy = Proxy(tmp_path, [sys.executable, "-c", endless])
    pid = int(proxy.stdout.readline())
    proxy.process.kill()
    proxy.end()
    _until(lambda: not is_alive(pid))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_the_server_s(tmp_path: Path, number: signal.Signals) -> None:
    caught = (
        "import signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [{0}]); print('up', flush=True); "
        "signal.sigwait([{0}]); sys.exit(9)"
    )
    proxy = Proxy(tmp_path, [sys.executable, "-c", caught.format(int(number))])
    proxy.stdout.readline()
    proxy.process.send_signal(number)
    assert proxy.process.wait(WAIT_S) == 9
    proxy.end()


def test_the_client_s_variables_are_the_server_s(tmp_path: Path) -> None:
    shown = [sys.executable, "-c", "import os; print(os.environ['NOTES_TOKEN'], os.environ['MODE'])"]
    done = subprocess.run(
        [*PROXY, "--out", str(tmp_path), "--env", "MODE=x", "--", *shown],
        env={**os.environ, "NOTES_TOKEN": "t"},
        capture_output=True,
        timeout=WAIT_S,
        check=True,
    )
    assert done.stdout == b"t x\n"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            ["--", "no-such-program"],
            "farm: no-such-program does not start: no-such-program: No such file or directory\n",
        ),
        (["--port", "1", "--", "cat"], "farm: --port is for a server with a URL"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, given: list[str], problem: str) -> None:
    done = subprocess.run([*PROXY, "--out", str(tmp_path), *given], capture_output=True, timeout=WAIT_S, check=False)
    assert done.returncode == 1
    lines = [line for line in done.stderr.decode().splitlines(keepends=True) if "calls recorded" not in line]
    assert len(lines) == 1
    assert lines[0].startswith(problem)


@pytest.mark.slow
def test_a_folder_in_use_is_one_line(tmp_path: Path) -> None:
    first = Proxy(tmp_path, ["cat"])
    first.send(b"hello\n")
    first.stdout.readline()
    second = subprocess.run(
        [*PROXY, "--out", str(tmp_path), "--", "cat"], capture_output=True, timeout=WAIT_S, check=False
    )
    assert second.returncode == 1
    assert second.stderr.decode() == f"farm: {tmp_path} is in use: another process records there; give another --out\n"
    first.end()
    assert (tmp_path / CALLS).read_bytes() == b""

"""Generated code that tries to get out of its process: each way ends at the sieve, and each also at the fence."""

from __future__ import annotations

import json
import platform
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from farm.errors import FarmError
from farm.traverse.recordings.calls import Recorded, read_line
from farm.traverse.synth import fence
from farm.traverse.synth.box import play_boxed
from farm.traverse.synth.sieve import find_problem

_SCHEMA_OF_GO = {"type": "object", "properties": {"way": {"type": "string"}}}
_TOOLS = json.dumps({"server": {"name": "s", "version": "1"}, "tools": [{"name": "go", "inputSchema": _SCHEMA_OF_GO}]})
_INIT = """
from farm.appkit import App
from farm.appkit.dialects import Unchecked
from .tools import TOOLS
APP = App(name="escaping", title="E", category="other", dialect=Unchecked(), tools=TOOLS)
"""
_TABLE = "from farm.appkit import Tool\nfrom . import handlers\nTOOLS = (Tool('go', handlers.go),)\n"
_SCHEMA = "from farm.appkit.schema import MetaData\nMETADATA = MetaData()\n"

# The body of a handler that returns "out" if it got out; {secret} and {port} belong to this process.
ESCAPES = {
    "read a file": "open({secret!r}).read(); return 'out'",
    "write a file": "open({secret!r} + '.new', 'w').write('x'); return 'out'",
    "list a folder": "import os; os.listdir({folder!r}); return 'out'",
    "delete a file": "import os; os.unlink({secret!r}); return 'out'",
    "connect to this machine": "import socket; socket.create_connection(('127.0.0.1', {port}), 1); return 'out'",
    "send a datagram": "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', 9)); return 'out'",
    "start a program": "import subprocess; subprocess.run(['true']); return 'out'",
    "fork": "import os; os.fork() or os._exit(0); return 'out'",
    "start a thread": "import threading; threading.Thread(target=print).start(); return 'out'",
    "signal its parent": "import os; os.kill(os.getppid(), 0); return 'out'",
    "make a database": "import sqlite3; sqlite3.connect({secret!r} + '.db').execute('create table t(a)'); return 'out'",
    "take all memory": "bytearray(3 << 30); return 'out'",
    "reach the interpreter": "().__class__.__base__.__subclasses__(); open({secret!r}).read(); return 'out'",
    "load a library": "import ctypes; 1 / max(0, 1 + ctypes.CDLL(None).socket(2, 1, 0)); return 'out'",
    "calls of another kind": "import ctypes; 1 / max(0, 1 + ctypes.CDLL(None).syscall(0x40000029)); return 'out'",
    "raise its limits": "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096)); return 'out'",
}

fenced = pytest.mark.skipif(sys.platform != "linux" or fence.landlock_abi() < 1, reason="there is no Landlock")


def _call(way: str = "go") -> Recorded:
    line = {"tool": "go", "arguments": {"way": way}, "trace": 0, "step": 0, "result": {"content": []}}
    return read_line(json.dumps(line).encode(), 1, Path("calls"))


def _app(folder: Path, handlers: str) -> None:
    kernel, context = folder / "kernels/escaping", folder / "contexts/escaping"
    kernel.mkdir(parents=True)
    context.mkdir(parents=True)
    files = {"tools.json": _TOOLS, "__init__.py": _INIT, "tools.py": _TABLE, "handlers.py": handlers}
    for name, text in files.items():
        (kernel / name).write_text(text)
    (context / "schema.py").write_text(_SCHEMA)


def _handler(body: str, name: str = "go") -> str:
    return f"def {name}(ep, way=''):\n    {body}\n"


@dataclass(frozen=True)
class Tried:
    """All escapes, tried in one process, one call each."""

    folder: Path
    bodies: dict[str, str]
    answers: dict[str, Any]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    folder = tmp_path_factory.mktemp("escapes")
    secret = folder / "secret.txt"
    secret.write_text("held out")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        bodies = {way: body.format(secret=str(secret), folder=str(folder), port=port) for way, body in ESCAPES.items()}
        names = {way: f"way_{number}" for number, way in enumerate(bodies)}
        every = "".join(_handler(body, names[way]) for way, body in bodies.items())
        ways = ", ".join(f"{way!r}: {name}" for way, name in names.items())
        _app(folder / "content", f"{every}WAYS = {{{ways}}}\n{_handler('return WAYS[way](ep)')}")
        played = play_boxed(folder / "content", "escaping", [_call(way) for way in bodies], wall_s_max=120)
    assert played.problem is None
    return Tried(folder, bodies, dict(zip(bodies, played.answers, strict=True)))


@fenced
@pytest.mark.parametrize("way", ESCAPES)
def test_code_that_tries_to_get_out_stays_in(way: str, tried: Tried) -> None:
    assert "crash" in tried.answers[way], tried.answers[way]


@fenced
def test_no_escape_has_left_anything_outside(tried: Tried) -> None:
    assert (tried.folder / "secret.txt").read_text() == "held out"
    assert sorted(each.name for each in tried.folder.iterdir()) == ["content", "secret.txt"]


@fenced
@pytest.mark.parametrize("way", sorted(ESCAPES.keys() - {"take all memory"}))
def test_the_sieve_finds_the_same_code_before_it_runs(way: str, tried: Tried) -> None:
    assert find_problem({"handlers.py": _handler(tried.bodies[way])}) is not None


@fenced
def test_code_that_never_returns_is_stopped_with_one_call(tmp_path: Path) -> None:
    _app(tmp_path, _handler("while True: pass"))

    played = play_boxed(tmp_path, "escaping", [_call()], wall_s_max=60)

    assert "took longer" in played.answers[0]["crash"]


@fenced
def test_code_that_ends_its_process_costs_the_remaining_calls_only(tmp_path: Path) -> None:
    _app(tmp_path, _handler("import os; os._exit(3)"))

    played = play_boxed(tmp_path, "escaping", [_call(), _call()], wall_s_max=60)

    assert played.problem is not None
    assert "ended after 0 of 2 calls" in played.problem


@fenced
def test_what_code_prints_is_no_answer(tmp_path: Path) -> None:
    _app(tmp_path, _handler("""print('{"answer": {"content": []}}', flush=True); return 'real'"""))

    played = play_boxed(tmp_path, "escaping", [_call()], wall_s_max=60)

    assert played.answers[0]["content"][0]["text"] == "real"


def test_a_machine_without_a_fence_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")

    with pytest.raises(FarmError, match="which darwin does not have; run farm synth in a container"):
        fence.require_fence()


def test_a_kernel_without_landlock_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(fence, "landlock_abi", lambda: -1)

    with pytest.raises(FarmError, match="no Landlock"):
        fence.require_fence()

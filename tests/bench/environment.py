"""Where the measuring happens: a folder, servers in processes of their own, a load client on the other core."""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import orjson

from farm._util.sockets import bind
from farm.content import load_app
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import load_world
from farm.errors import FarmError
from farm.runtime.supervisor.app_process import AppProcessConfig
from tests.bench.measure import cpu_ns
from tests.bench.measured_apps import WORLD

PROTOCOL = "2025-11-25"
SERVER_CORE = 0
_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
_START_S_MAX = 60.0
_HOST = "127.0.0.1"


@dataclass(frozen=True)
class Load:
    """What one load came to.

    Attributes:
        rate: calls a second.
        cpu_us: the server's CPU a call.
        p50_us, p95_us, p99_us, longest_us: how long a client waited.
        client_busy: share of a core that the load client used; near 1 it was the client that held things up.
    """

    rate: float
    cpu_us: float
    p50_us: float
    p95_us: float
    p99_us: float
    longest_us: float
    client_busy: float


@dataclass(frozen=True)
class Server:
    """A server that is being measured."""

    name: str
    pid: int
    port: int
    process: subprocess.Popen[bytes]


@dataclass(frozen=True)
class SlackFacts:
    """What the world's Slack offers to call: the account played, everyone's id, the channels that are written to."""

    me: str
    users: tuple[str, ...]
    channels: tuple[str, ...]


class Stage:
    """The folder and the processes of one run; leaving it ends and removes everything."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="farm-bench-"))
        self._servers: list[Server] = []
        self._no_bytecode: str | None = None

    def __enter__(self) -> Stage:
        # Servers keep their bytecode, as installed packages do: with this set, a start would mostly be compiling.
        self._no_bytecode = os.environ.pop(_NO_BYTECODE, None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._no_bytecode is not None:
            os.environ[_NO_BYTECODE] = self._no_bytecode
        for server in self._servers:
            self.end(server)
        shutil.rmtree(self.folder, ignore_errors=True)

    def data(self, name: str) -> Path:
        """Return a data folder of this name, with what a farm expects to find in it."""
        folder = self.folder / name
        (folder / "episodes").mkdir(parents=True, exist_ok=True)
        return folder

    def episode(self, data: Path, app: str, name: str) -> Path:
        """Create an episode of the bench world with one app and return the path of its context."""
        known = load_world(WORLD)
        folder = data / "episodes" / name
        folder.mkdir()
        Settings(name, WORLD, (app,), seed=7, now=known.starts_at.isoformat(), me=known.protagonist).save(folder)
        store = Store(load_app(app), data)
        store.create(name)
        return store.files(name).db(0)

    def app(self, data: Path, app: str) -> Server:
        """Start an app's process as the supervisor does where it cannot fork."""
        listening, control = bind(_HOST, 0, "--port"), bind(_HOST, 0, "--port")
        orders = AppProcessConfig(app, listening.fileno(), control.fileno(), str(data), secrets.token_urlsafe(8))
        command = [sys.executable, "-m", "farm.runtime.supervisor.app_process"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, pass_fds=(listening.fileno(), control.fileno()))
        assert process.stdin is not None
        process.stdin.write(orjson.dumps({**asdict(orders), "parent": os.getpid()}) + b"\n")
        process.stdin.flush()  # it stays open: the process ends with it
        control.close()
        return self._started(app, process, listening, "/healthz")

    def baseline(self, kind: str, *more: str) -> Server:
        """Start a baseline's process."""
        listening = bind(_HOST, 0, "--port")
        descriptor = listening.fileno()
        command = [sys.executable, "-m", "tests.bench.baselines", kind, str(descriptor), str(SERVER_CORE), *more]
        process = subprocess.Popen(command, pass_fds=(descriptor,))
        return self._started(kind, process, listening, "/mcp")

    def _started(self, name: str, process: subprocess.Popen[bytes], listening: socket.socket, path: str) -> Server:
        port = listening.getsockname()[1]
        listening.close()
        server = Server(name, process.pid, port, process)
        self._servers.append(server)
        wait_until_it_answers(server, path)
        pin_process(server.pid)
        return server

    def end(self, server: Server) -> None:
        """End a server and wait until it has."""
        server.process.kill()
        server.process.wait()


def pin_process(pid: int) -> None:
    """Keep a server on the core the load client stays off, where there are two."""
    if hasattr(os, "sched_setaffinity") and len(cores := sorted(os.sched_getaffinity(0))) > 1:
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(ProcessLookupError):  # a thread that has ended meanwhile
                os.sched_setaffinity(int(task), {cores[SERVER_CORE]})


def wait_until_it_answers(server: Server, path: str) -> None:
    """Wait until a server answers any request at all.

    Raises:
        FarmError: it ended, or does not get ready.
    """
    until = time.monotonic() + _START_S_MAX
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).decode()
    request = http_request(path, body, server.port).encode()
    while time.monotonic() < until:
        if server.process.poll() is not None:
            raise FarmError(f"the {server.name} server of the bench ended with status {server.process.returncode}")
        try:
            # The socket was listening before the process began, so this waits for the process and no longer.
            with socket.create_connection((_HOST, server.port), timeout=_START_S_MAX) as link:
                link.sendall(request)
                if link.recv(12):
                    return
        except OSError:
            time.sleep(0.01)
    raise FarmError(f"the {server.name} server of the bench did not get ready in {_START_S_MAX:.0f} s")


def http_request(path: str, body: str, port: int, headers: Mapping[str, str] | None = None) -> str:
    """Return a POST as it goes over the wire."""
    fields = {
        "host": f"{_HOST}:{port}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "content-length": str(len(body.encode())),
        "mcp-protocol-version": PROTOCOL,
        **(headers or {}),
    }
    return (
        f"POST {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + f"\r\n{body}"
    )


def rpc(method: str, params: Any = None) -> str:
    """Return the body of a JSON-RPC request."""
    return orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}).decode()


def tool_call(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the body of a tools/call."""
    return rpc("tools/call", {"name": tool, "arguments": arguments})


def load(
    server: Server,
    bodies: Sequence[str],
    *,
    path: str,
    clients: int,
    seconds: float,
    port: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> Load:
    """Send bodies in turn from this many connections and return what it came to.

    Raises:
        FarmError: an answer had another status than 200.
    """
    port = port or server.port
    requests = [http_request(path, body, port, headers) for body in bodies]
    return drive(server, requests, clients=clients, seconds=seconds, port=port)


def drive(
    server: Server, requests: Sequence[str], *, clients: int, seconds: float, port: int, pause_s: float = 0.0
) -> Load:
    """Send whole requests in turn from this many connections and return what it came to.

    Args:
        server: whose CPU is counted.
        requests: as ``http_request`` makes them.
        clients: how many connections.
        seconds: for how long.
        port: where to.
        pause_s: what the client waits after every answer; with several connections, all of them wait.

    Raises:
        FarmError: an answer had another status than 200.
    """
    order = {
        "host": _HOST,
        "port": port,
        "requests": requests,
        "clients": clients,
        "seconds": seconds,
        "pause_s": pause_s,
    }
    before_ns = cpu_ns(server.pid)
    command = [sys.executable, "-m", "tests.bench.client"]
    done = subprocess.run(command, input=orjson.dumps(order), stdout=subprocess.PIPE, check=False)
    used_ns = cpu_ns(server.pid) - before_ns
    if done.returncode:
        raise FarmError(f"the load client ended with status {done.returncode} against {server.name}")
    result = orjson.loads(done.stdout)
    if result["strange"]:
        raise FarmError(f"{server.name} answered the bench with: {result['strange'][:200]}")
    count = result["count"]
    return Load(
        rate=count / result["seconds"],
        cpu_us=used_ns / count / 1000,
        p50_us=result["p50_us"],
        p95_us=result["p95_us"],
        p99_us=result["p99_us"],
        longest_us=result["longest_us"],
        client_busy=result["busy"],
    )


def slack_facts(context: Path, protagonist: str) -> SlackFacts:
    """Choose from the world's Slack whom and what to ask for; the file must not be open elsewhere."""
    db = sqlite3.connect(f"file:{context}?immutable=1", uri=True)
    try:
        me = db.execute("SELECT id FROM users WHERE person = ?", (protagonist,)).fetchone()[0]
        users = db.execute("SELECT id FROM users ORDER BY id").fetchall()
        channels = db.execute(
            "SELECT c.id FROM channels c JOIN members m ON m.channel_id = c.id AND m.user_id = ? "
            "WHERE NOT c.is_archived ORDER BY c.id",
            (me,),
        ).fetchall()
        return SlackFacts(me, tuple(row[0] for row in users), tuple(row[0] for row in channels))
    finally:
        db.close()

"""Real servers beside our apps: where they are installed, what stands in for the services behind them, the comparison.

``FARM_REAL_SERVERS`` names a folder outside the checkout that they are installed into, once; without it these tests are
skipped, as they want the network the first time.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from farm import content
from farm.appkit.app import LATEST
from farm.traverse.fidelity.compare import Mask
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.provenance import load_provenance
from farm.traverse.fidelity.replay import Start
from farm.traverse.fidelity.side_by_side import ask
from farm.traverse.recordings.calls import read_line
from farm.traverse.transport.source import read_source

_INSTALL_S_MAX = 300


@dataclass(frozen=True)
class Asked:
    """A request that a real server made of the service behind it.

    Attributes:
        method: GET, POST, …
        path: without the query.
        query: the query's values by name.
        body: as it was sent.
    """

    method: str
    path: str
    query: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    """What a stand-in answers."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"


def install_folder() -> Path:
    """Return the folder that real servers are installed into, or skip."""
    named = os.environ.get("FARM_REAL_SERVERS")
    if not named:
        pytest.skip("FARM_REAL_SERVERS names no folder that real servers may be installed into")
    folder = Path(named).expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def npm_package(name: str, version: str) -> Path:
    """Return the folder of a package of npm with all it needs, installed if it was not there; or skip."""
    folder = install_folder() / f"{name.replace('/', '+')}@{version}"
    found = folder / "node_modules" / name
    if not found.is_dir():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("npm is not installed")
        folder.mkdir(parents=True, exist_ok=True)
        install(npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), f"{name}@{version}")
    return found


def git_checkout(repository: str, commit: str) -> Path:
    """Return the folder of a public repository at a commit, fetched if it was not there; or skip."""
    folder = install_folder() / f"{repository.rpartition('/')[2]}@{commit[:8]}"
    if not folder.is_dir():
        git = shutil.which("git")
        if git is None:
            pytest.skip("git is not installed")
        with tempfile.TemporaryDirectory(dir=install_folder()) as made:
            install(git, "clone", "--quiet", repository, made)
            install(git, "-C", made, "checkout", "--quiet", commit)
            shutil.copytree(made, folder)
    return folder


def python_with(*requirements: str) -> Path:
    """Return a Python that has these packages, in an environment made if it was not there; or skip."""
    digest = hashlib.sha256(" ".join(requirements).encode()).hexdigest()[:12]
    folder = install_folder() / f"python-{digest}"
    python = folder / "bin" / "python"
    if not (folder / "ready").is_file():
        install(sys.executable, "-m", "venv", str(folder))
        install(str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements)
        (folder / "ready").touch()
    return python


def install(*command: str) -> None:
    """Run a command that fetches something, or skip with the last line of what it says."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_S_MAX)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        pytest.skip(f"{' '.join(command[:2])} failed: {said[-1] if said else done.returncode}")


@contextmanager
def stand_in(answer: Callable[[Asked], Reply]) -> Iterator[str]:
    """Serve a stand-in on this machine's own address and yield its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("content-length", 0))
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            reply = answer(Asked(self.command, parts.path, query, self.rfile.read(length)))
            self.send_response(reply.status)
            self.send_header("content-type", reply.content_type)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_POST = do_PATCH = do_PUT = do_DELETE = do_GET

        def log_message(self, *_: Any) -> None:
            """Say nothing of each request."""

    with serving(Handler) as url:
        yield url


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """Serve requests on this machine's own address and yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def by_hand(
    answer: Callable[[Asked], Reply], line: str, query: Mapping[str, str] | None = None, body: Any = None
) -> tuple[int, Any]:
    """Ask a stand-in without a real server; return its status, and what it says, its JSON parsed.

    Args:
        line: method and path, such as ``GET /v1/users``.
        body: is sent as JSON.
    """
    method, path = line.split(" ")
    reply = answer(Asked(method, path, query or {}, b"" if body is None else json.dumps(body).encode()))
    is_json = reply.body and reply.content_type == "application/json"
    return reply.status, json.loads(reply.body) if is_json else reply.body.decode()


def call(tool: str, **arguments: Any) -> tuple[str, Any]:
    """Return a call to be made to both."""
    return tool, arguments


def calls_with_ids(asked: Mapping[str, Sequence[Any]], id_of: Callable[[str], str]) -> list[tuple[str, Any]]:
    """Return calls in which the place that ``{id:NAME}`` names stands under the id that our app gives it."""
    texts = [(tool, json.dumps(each, ensure_ascii=False)) for tool, arguments in asked.items() for each in arguments]
    return [(tool, json.loads(re.sub(r"\{id:(.+?)\}", lambda named: id_of(named[1]), text))) for tool, text in texts]


def side_by_side(
    app: str,
    calls: Sequence[tuple[str, Any]],
    command: Sequence[str],
    data: Path,
    *,
    environment: Mapping[str, str],
    start: Start | None = None,
    profile: str = LATEST,
    at: datetime | None = None,
    masks: Sequence[Mask] = (),
) -> dict[str, Any]:
    """Make the same calls, in one session each, to a real server and to our app; return what ``farm fidelity`` does.

    Args:
        calls: tools with their arguments.
        command: starts the real server, over stdio.
        environment: all that it sees beside what any program needs.
        start: where our app starts; None: without rows.
        at: what our app's clock shows; None: nothing that anybody looks at.
        masks: what changes in this comparison, beside what does so in every one.
    """
    lines = [{"tool": tool, "arguments": arguments, "trace": 0, "result": {"content": []}} for tool, arguments in calls]
    questions = [read_line(json.dumps(line).encode(), number, Path("calls")) for number, line in enumerate(lines, 1)]
    source = read_source(command, environment=[f"{name}={value}" for name, value in environment.items()])
    answered = [replace(each, at=at or each.at) for each in asyncio.run(ask(source, questions))]
    loaded = content.load_app(app, profile)
    masks = [*load_provenance(loaded).masks, *masks]
    data.mkdir(exist_ok=True)
    return measure(loaded, answered, start or Start(), data, masks=masks, is_sequence=True)


def assert_alike(found: Mapping[str, Any], count: int) -> None:
    """Assert that so many calls came to the same in both: what became of them, their words and their bodies."""
    assert found["differences"] == [], found["differences"]
    assert (found["compared"], found["agreement"], found["exact"]) == (count, 1.0, 1.0), found
    assert found["bodies"]["leaf_equal"] == 1.0, found["bodies"]

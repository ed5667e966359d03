"""Run an app inside a test's process: a private context, calls without a server, refusals as exceptions."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm._util.json_io import loads
from farm.appkit.app import LATEST
from farm.appkit.envelope import body_of
from farm.appkit.handler_api import Episode
from farm.benchmark.runner.in_process_farm import NOW, require_descriptors
from farm.content import load_app
from farm.context.settings import LIVE, Settings, parse_time
from farm.context.store import Store
from farm.context.template import build, load_world, require_holder, require_person
from farm.errors import FarmError
from farm.server.deadline import SignalAlarm
from farm.server.pipeline import Outcome, call, request

if TYPE_CHECKING:
    from farm.appkit.schema import Schema
    from farm.server.in_process import ServerThread, SharedServer

EPISODE = "ep"
_STARTS_MAX = 32
_starts: dict[tuple[Schema, str], bytes] = {}


class LocalApp:
    """One app in one episode, called in process; calls do not time out, so that a debugger can step through a handler.

    Attributes:
        id: the episode's id: ``ep`` for the first in a folder.
        store: the state engine, for snapshots, diffs and the call log.
    """

    def __init__(
        self,
        app: str,
        data: Path | str,
        *,
        world: str | None = None,
        rows: Iterable[Mapping[str, Any]] = (),
        me: str | None = None,
        seed: int = 7,
        now: str | None = None,
        profile: str = LATEST,
    ) -> None:
        """Start an app in a world, on ``rows`` (each with its ``table``), or on both, as person ``me``, in a profile.

        Several apps may share one folder without seeing each other. Rows are used unchanged, including their times.

        Raises:
            NotFoundError: the app, world or person does not exist, or the person has no account.
            FarmError: a row does not fit the app's tables or the other rows.
            DescriptorsExhaustedError: this process cannot open any more files.
        """
        require_descriptors()
        loaded, data = load_app(app, profile), Path(data)
        if now is not None and now != LIVE:
            now = parse_time(now, "now").isoformat()
        first: list[Mapping[str, Any]] = list(rows)
        if world is not None:
            known = load_world(world)
            if me is not None:
                require_person(known, me, (app,))
            me, now = me or known.protagonist, now or known.starts_at.isoformat()
        elif me is not None and first:
            require_holder(loaded.schema.account, first, app, me)
        self.store = Store(loaded, data)
        self._lock = threading.RLock()
        self._alarm = SignalAlarm()  # never installed, whatever other time-outs this process has
        self._is_closed = False
        self._thread: ServerThread | None = None
        self._url: str | None = None
        folder = _new_folder(data / "episodes")
        self.id = folder.name
        Settings(self.id, world, (app,), seed=seed, now=now or NOW, me=me, profile=profile).save(folder)
        if world is None:
            self.store.starts.keep(None, 0, _start_on(loaded.schema, first))
        elif first:
            self.store.starts.keep(world, 0, self.store.starts.build(world, 0, first))
        self.store.create(self.id)

    @property
    def episode(self) -> Episode:
        """The episode that handlers receive: ``episode.db`` is the context, ``episode.me`` the account."""
        context = self.store.open(self.id)
        # Tests write through it, which requires a context whose own file is open.
        assert context.connection
        return context.episode

    def outcome(self, tool: str, arguments: Any) -> Outcome:
        """Run one call as a server would and return its whole outcome."""
        self._require_open()
        with self._lock:
            return call(self.store.open(self.id), tool, arguments, alarm=self._alarm)

    def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error."""
        outcome = self.outcome(tool, arguments)
        parsed: dict[str, Any] = loads(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the result of ``prompts/get`` or ``resources/read``, or ``{"error": …}`` for a protocol error."""
        self._require_open()
        with self._lock:
            outcome = request(self.store.open(self.id), method, params, alarm=self._alarm)
        parsed: dict[str, Any] = loads(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def _success(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = self.outcome(tool, arguments)
        if outcome.error is not None:
            raise outcome.error
        parsed: dict[str, Any] = loads(outcome.result)
        return parsed

    def text(self, tool: str, /, **arguments: Any) -> str:
        """Return the first text of a success.

        Raises:
            VendorError: the app refused; with its code and message.
            InvalidArgumentsError: the arguments did not fit the tool's schema.
            FarmError: the answer exceeds the farm's limit.
        """
        content = self._success(tool, arguments)["content"]
        return next(str(item["text"]) for item in content if item["type"] == "text")

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Return the body of a success: its text parsed as JSON, or its structured content; raises as ``text`` does."""
        return body_of(self._success(tool, arguments))

    def changes(self) -> dict[str, list[dict[str, Any]]]:
        """Return what changed since the start, by table."""
        with self._lock:
            return self.store.diff(self.id)

    @property
    def path(self) -> str:
        """The episode's path on the app's servers."""
        return f"/mcp/{self.id}"

    def asgi(self) -> SharedServer:
        """Return an ASGI application that serves the app over MCP at ``path``; the caller must run its lifespan."""
        from farm.server.in_process import SharedServer

        self._require_open()
        return SharedServer(self.store, self._lock)

    @property
    def url(self) -> str:
        """The URL of the app's MCP server on a free loopback port; the first access starts it."""
        if self._url is None:
            from farm.server.in_process import ServerThread

            self._thread = self._thread or ServerThread()
            self._url = f"http://127.0.0.1:{self._thread.serve(self.asgi())}{self.path}"
        return self._url

    def _require_open(self) -> None:
        if self._is_closed:
            raise FarmError("this app is closed; start another one, or close it later")

    def close(self) -> None:
        """Stop the server and close the files."""
        self._is_closed = True
        if self._thread is not None:
            self._thread.close()
            self._thread = self._url = None
        with self._lock:
            self.store.close_all()

    def __enter__(self) -> LocalApp:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> LocalApp:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


def _start_on(schema: Schema, rows: list[Mapping[str, Any]]) -> bytes:
    """Return the start on these rows, cached because tests often begin on the same rows."""
    key = schema, repr(rows)
    if key not in _starts:
        if len(_starts) >= _STARTS_MAX:
            _starts.clear()
        _starts[key] = build(schema, rows)
    return _starts[key]


def _new_folder(episodes: Path) -> Path:
    for number in itertools.count(1):
        folder = episodes / (EPISODE if number == 1 else f"{EPISODE}-{number}")
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        return folder
    raise AssertionError("there is always a next number")

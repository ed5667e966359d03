"""An app in process, for tests: a context of its own, calls without a server, refusals as exceptions."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from farm.alarm import SignalAlarm
from farm.app import LATEST
from farm.content import load_app
from farm.context.settings import LIVE, Settings, parse_time
from farm.context.store import Store
from farm.context.template import build, load_world, require_holder, require_person
from farm.envelope import body_of
from farm.errors import FarmError
from farm.kernel import Episode
from farm.loose_json import parse_exact
from farm.pipeline import Outcome, call
from farm.runner.local import NOW

if TYPE_CHECKING:
    from farm.context.schema import Schema
    from farm.server.in_process import ServerThread, SharedServer

EPISODE = "ep"
_STARTS_MAX = 32
_starts: dict[tuple[Schema, str], bytes] = {}


class LocalApp:
    """One app in one episode, called in process; its calls are not cut, so that one can step through a handler.

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

        Several may be started in one folder; none sees another. Rows are taken as they are, their times included.

        Raises:
            NotFound: there is no such app, world or person, or the person has no account.
            FarmError: a row does not fit the app's tables, or what is there.
        """
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
        self._alarm = SignalAlarm()  # never installed, whatever else this process cuts
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
        """What handlers see: ``episode.db`` is the context, ``episode.me`` the account."""
        context = self.store.open(self.id)
        # Tests write through it, which only a context with its own file open bears.
        assert context.connection
        return context.episode

    def outcome(self, tool: str, arguments: Any) -> Outcome:
        """Run one call as a server would and return everything it came to."""
        self._require_open()
        with self._lock:
            return call(self.store.open(self.id), tool, arguments, alarm=self._alarm)

    def result(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """Return the CallToolResult, or ``{"error": {"code", "message"}}`` for a protocol error."""
        outcome = self.outcome(tool, arguments)
        parsed: dict[str, Any] = parse_exact(outcome.result)
        return {"error": parsed} if outcome.is_protocol_error else parsed

    def _success(self, tool: str, arguments: Any) -> dict[str, Any]:
        outcome = self.outcome(tool, arguments)
        if outcome.error is not None:
            raise outcome.error
        parsed: dict[str, Any] = parse_exact(outcome.result)
        return parsed

    def text(self, tool: str, /, **arguments: Any) -> str:
        """Return the first text of a success.

        Raises:
            VendorError: the app refused; with its code and message.
            ArgumentsRefused: the arguments did not fit the tool's schema.
            FarmError: the answer is longer than the farm lets through.
        """
        content = self._success(tool, arguments)["content"]
        return next(str(item["text"]) for item in content if item["type"] == "text")

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Return the body of a success: its text's JSON, or its structured content; raises as ``text`` does."""
        return body_of(self._success(tool, arguments))

    def changes(self) -> dict[str, list[dict[str, Any]]]:
        """Return what changed since the start, by table."""
        with self._lock:
            return self.store.diff(self.id)

    @property
    def path(self) -> str:
        """Where the episode is on the app's servers."""
        return f"/mcp/{self.id}"

    def asgi(self) -> SharedServer:
        """Return an ASGI application that serves the app over MCP at ``path``; it wants its lifespan."""
        from farm.server.in_process import SharedServer

        self._require_open()
        return SharedServer(self.store, self._lock)

    @property
    def url(self) -> str:
        """The app's MCP server on a free port of this machine's own address, started when first asked for."""
        if self._url is None:
            from farm.server.in_process import ServerThread

            self._thread = self._thread or ServerThread()
            self._url = f"http://127.0.0.1:{self._thread.serve(self.asgi())}{self.path}"
        return self._url

    def _require_open(self) -> None:
        if self._is_closed:
            raise FarmError("this app is closed; start another one, or close it later")

    def close(self) -> None:
        """End its server and close what is open."""
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
    """Return the start on these rows, kept for the next: tests begin on the same ones again and again."""
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

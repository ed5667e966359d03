"""Replay recorded calls over the wire, like any client, against an app that serves on this machine.

The app's own server answers on a loopback port. Either every call has the same start, with its ``pre`` calls made first
and the clock at its ``at``; or the lines are one session, and each call sees the effects of the calls before it.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp

from farm import content
from farm._util.sockets import bind
from farm.appkit.app import LATEST
from farm.content import LoadedApp
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.template import build, load_world, read_rows
from farm.errors import NotFoundError
from farm.server.app import AppServer
from farm.server.deadline import ThreadAlarm
from farm.server.episode_gate import EpisodeGates
from farm.server.listener import http_server
from farm.server.pipeline import call, is_crash, is_timeout
from farm.traverse.fidelity.compare import Mask
from farm.traverse.perturb.names import Drawn, rename
from farm.traverse.recordings.calls import Recorded, Request, text_of

_NOW = "2026-03-09T09:00:00+08:00"
_EPISODE = "replayed"
_ANSWER_S_MAX = 30.0
_HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}

Answer = dict[str, Any]
Post = Callable[[Request], Awaitable[Answer]]


@dataclass(frozen=True)
class Condition:
    """A state of the real server during some recorded calls that no call had caused.

    Attributes:
        name: the ``condition`` of those calls.
        table: the table whose rows all differed.
        values: column → its value in that state.
    """

    name: str
    table: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Start:
    """The start of every call, or of the session: a world, or rows of one app.

    Attributes:
        me: the account holder: a person's key or the app's own id of their account; None is the world's protagonist.
    """

    world: str | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
    me: str | None = None

    def person(self, loaded: LoadedApp) -> str | None:
        """Return the key of the account holder.

        Raises:
            NotFoundError: no account has that key or id; the message lists the people with accounts.
        """
        if self.me is None:
            return load_world(self.world).protagonist if self.world else None
        accounts = self._accounts(loaded)
        for person, account in accounts.items():
            if self.me in (person, account):
                return person
        some = ", ".join(f"{person} ({account})" for person, account in sorted(accounts.items())[:8])
        raise NotFoundError(f"no account of '{self.me}' in {loaded.app.name}; have {some or 'none'}")

    def _accounts(self, loaded: LoadedApp) -> dict[str, str]:
        if loaded.schema.account is None:
            return {}
        table, key = loaded.schema.account
        file = content.find_rows(self.world, loaded.app.name) if self.world else None
        rows = self.rows if file is None else read_rows(file)
        return {row["person"]: str(row[key]) for row in rows if row["table"] == table and row.get("person")}


def replay(
    loaded: LoadedApp,
    calls: Iterable[Recorded],
    start: Start,
    data: Path,
    *,
    masks: Sequence[Mask] = (),
    conditions: Sequence[Condition] = (),
    is_sequence: bool = False,
) -> list[Answer]:
    """Make the calls and return the app's answer to each, in the form of ``Recorded.result``.

    The calls of one trace share one state. If a call contains a value that the real server generated in an earlier
    answer, it is replaced by the value that the app generated there.

    If the app failed or timed out, its answer is ``{"crash": message}``.

    Args:
        data: an empty folder to work in.
        masks: values that are generated anew in each run.
        conditions: states that apply while calls recorded in them are made.
        is_sequence: whether the calls are one session on one state.

    Raises:
        NotFoundError: the start's ``me`` has no account.
        FarmError: the start cannot be built.
    """
    return asyncio.run(_replay(loaded, calls, start, data, masks, conditions, is_sequence))


def replay_in_process(
    loaded: LoadedApp,
    calls: Iterable[Recorded],
    start: Start,
    data: Path,
    *,
    masks: Sequence[Mask] = (),
    at_end: Callable[[Store, str], None] | None = None,
) -> Iterator[Answer]:
    """Make the calls without a server, and yield the app's answer to each; otherwise as ``replay``.

    The process needs no socket and no thread. Calls time out if it has installed its deadline.

    Args:
        at_end: receives the contexts and the episode's id after the last call.
    """
    store = Store(loaded.in_profile(LATEST), data)
    player = _Player(store, EpisodeGates(store), loaded, start, masks, ())

    async def post(request: Request) -> Answer:
        is_null = request.arguments is None and not request.omits_arguments
        outcome = call(store.open(_EPISODE), request.tool, request.arguments, is_null=is_null)
        said = json.loads(outcome.result)
        return _result({"error": said} if outcome.is_protocol_error else {"result": said}, 200, outcome.result)

    try:
        for each in calls:
            yield _run_to_end(player.play(post, each, goes_on=False))
        if at_end is not None:
            at_end(store, _EPISODE)
    finally:
        store.close_all()


def _run_to_end(playing: Coroutine[Any, Any, Answer]) -> Answer:
    """Run a coroutine that waits for nothing."""
    try:
        playing.send(None)
    except StopIteration as end:
        answer: Answer = end.value
        return answer
    raise AssertionError("a call in process waits for nothing")


async def _replay(
    loaded: LoadedApp,
    calls: Iterable[Recorded],
    start: Start,
    data: Path,
    masks: Sequence[Mask],
    conditions: Sequence[Condition],
    is_sequence: bool,
) -> list[Answer]:
    # Calls time out as in a farm, by a timer that ends with this function: other code may use SIGALRM.
    alarm = ThreadAlarm()
    server = AppServer(loaded.in_profile(LATEST), data, alarm=alarm)
    player = _Player(server.store, server.gates, loaded, start, masks, conditions)
    try:
        async with _client(server) as post:
            return [await player.play(post, each, goes_on=is_sequence) for each in calls]
    finally:
        alarm.close()


class _Player:
    """Restores the state of a call in the only episode, and makes the call."""

    def __init__(
        self,
        store: Store,
        gates: EpisodeGates,
        loaded: LoadedApp,
        start: Start,
        masks: Sequence[Mask],
        conditions: Sequence[Condition],
    ) -> None:
        self._store = store
        self._masks = masks
        self._conditions = {each.name: each for each in conditions}
        self._names: dict[Drawn, Drawn] = {}
        self._gates = gates
        self._loaded = loaded
        self._world = start.world
        self._now = load_world(start.world).starts_at.isoformat() if start.world else _NOW
        self._me = start.person(loaded)
        if start.world is None:
            self._store.starts.keep(None, 0, build(loaded.schema, start.rows))
        self._is_open = False
        self._trace: int | None = None

    async def play(self, post: Post, recorded: Recorded, *, goes_on: bool) -> Answer:
        """Make a call after its ``pre`` calls; in a state of its own, or in the state after the last call."""
        goes_on = goes_on or (recorded.trace is not None and recorded.trace == self._trace)
        self._trace = recorded.trace
        if self._is_open and goes_on:
            self._move_clock(recorded.at)
        else:
            self._open(recorded.at)
            self._names = {}
        for each in recorded.pre:
            before = await post(each)
            if "crash" in before:
                return {"crash": f"{each.tool}, called before: {before['crash']}"}
        request = replace(recorded.request, arguments=rename(recorded.request.arguments, self._names))
        with self._under(recorded.condition):
            answer = await post(request)
        self._names |= _drawn(recorded.result, answer, self._masks)
        return answer

    @contextmanager
    def _under(self, name: str | None) -> Iterator[None]:
        """Apply a declared condition to the state, and revert it at the end."""
        condition = self._conditions.get(name or "")
        if condition is None:
            yield
            return
        context = self._store.open(_EPISODE)
        # Writes from outside the app require the context's own file to be open.
        assert context.connection
        db, shape = context.episode.db, self._loaded.schema.shapes[condition.table]
        before = db.all(f"SELECT {', '.join(shape.columns)} FROM {shape.name}")
        for row in before:
            db.update(shape.name, {key: row[key] for key in shape.key}, **condition.values)
        yield
        for row in before:
            old = {column: row[column] for column in condition.values}
            db.update(shape.name, {key: row[key] for key in shape.key}, **old)

    def _open(self, at: datetime | None) -> None:
        folder = self._store.episodes / _EPISODE
        if self._is_open:
            self._gates.forget(_EPISODE)
            self._store.drop(_EPISODE)
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        now = self._now if at is None else at.isoformat()
        apps = (self._loaded.app.name,)
        Settings(_EPISODE, self._world, apps, now=now, me=self._me, profile=self._loaded.profile).save(folder)
        self._store.create(_EPISODE)
        self._is_open = True

    def _move_clock(self, at: datetime | None) -> None:
        # Each write has advanced the clock a little; if the recording was faster than that, the clock stays.
        if at is not None and (to_ms := int(at.timestamp() * 1000)) > self._store.clock_ms(_EPISODE):
            self._store.set_clock(_EPISODE, to_ms)


def _drawn(recorded: Mapping[str, Any], ours: Mapping[str, Any], masks: Iterable[Mask]) -> dict[Drawn, Drawn]:
    """Return recorded values under masks → the values in their places in our answer."""
    found: dict[Drawn, Drawn] = {}
    for mask in (each for each in masks if not each.never_an_argument):
        olds, news = mask.values(text_of(recorded)), mask.values(text_of(ours))
        if len(olds) == len(news):
            found |= {old: new for old, new in zip(olds, news, strict=True) if old != new}
    return found


@asynccontextmanager
async def _client(server: AppServer) -> AsyncIterator[Post]:
    """Serve on a loopback port inside the block; yield a function that sends a call to the only episode."""
    listening = bind("127.0.0.1", 0, "a loopback port")
    http = http_server(server)
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/mcp/{_EPISODE}"
    timeout = aiohttp.ClientTimeout(total=_ANSWER_S_MAX)
    async with server.running():
        serving = asyncio.create_task(http.serve([listening]))
        try:
            async with aiohttp.ClientSession(headers=_HEADERS, timeout=timeout) as session:
                yield lambda request: _ask(session, url, request)
        finally:
            http.end()
            await serving


async def _ask(session: aiohttp.ClientSession, url: str, request: Request) -> Answer:
    answer = await _post(session, url, request)
    # On a busy machine, even fast calls may time out, above all the first one. Such a call has changed nothing.
    return await _post(session, url, request) if is_timeout(answer.get("crash", "")) else answer


async def _post(session: aiohttp.ClientSession, url: str, request: Request) -> Answer:
    # Not orjson: a request may hold lone surrogates or integers of any length.
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": request.params})
    try:
        async with session.post(url, data=body.encode()) as response:
            status, raw = response.status, await response.read()
    except (aiohttp.ClientError, TimeoutError) as problem:
        return {"crash": f"no answer: {type(problem).__name__}"}
    return _read(status, raw)


def _read(status: int, raw: bytes) -> Answer:
    try:
        said = json.loads(raw)
    except ValueError:
        said = None
    return _result(said, status, raw)


def _result(said: Any, status: int, raw: bytes) -> Answer:
    match said:
        case {"error": {"code": code, "message": message}} if is_crash(code, message):
            return {"crash": message}
        case {"error": {"code": code, "message": message}}:
            return {"error": {"code": code, "message": message}}
        case {"result": {"content": [*_]} as result}:
            return dict(result)
    return {"crash": f"HTTP {status}: {raw[:200].decode('utf-8', 'replace')}"}

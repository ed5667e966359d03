"""Recorded calls made again: over the wire, as any client makes them, of an app that serves on this machine.

The app's own server answers, on a loopback port. Either every call starts from the same state, with its ``pre`` calls
made first and the clock at its ``at``; or the lines are one session, and each finds what the ones before it left.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import aiohttp

from farm import content
from farm.alarm import ThreadAlarm
from farm.app import LATEST
from farm.content import LoadedApp
from farm.context.settings import Settings
from farm.context.template import build, load_world, read_rows
from farm.errors import NotFound
from farm.pipeline import is_crash, is_cut
from farm.server.app import AppServer
from farm.server.listener import http_server
from farm.sockets import bind
from farm.traverse.calls import Recorded, Request, text_of
from farm.traverse.compare import Mask
from farm.traverse.provoke.names import Drawn, rename

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
    """How the state was while the real server answered some recorded calls, and no call had made it so.

    Attributes:
        name: what those calls say as their ``condition``.
        table: every row of it was otherwise.
        values: column → what stood there.
    """

    name: str
    table: str
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Start:
    """Where every call, or the session, starts: a world, or rows of one app.

    Attributes:
        me: who plays: a person's key or the app's own id of their account; None is the world's protagonist.
    """

    world: str | None = None
    rows: tuple[Mapping[str, Any], ...] = ()
    me: str | None = None

    def person(self, loaded: LoadedApp) -> str | None:
        """Return the key of the person who plays.

        Raises:
            NotFound: nobody of that key or id has an account; the message lists who has.
        """
        if self.me is None:
            return load_world(self.world).protagonist if self.world else None
        accounts = self._accounts(loaded)
        for person, account in accounts.items():
            if self.me in (person, account):
                return person
        some = ", ".join(f"{person} ({account})" for person, account in sorted(accounts.items())[:8])
        raise NotFound(f"no account of '{self.me}' in {loaded.app.name}; have {some or 'none'}")

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
    """Make the calls and return what the app answers to each, as ``Recorded.result`` says it.

    Calls of one trace are made on the state that the one before left. Where one of them names what the real server had
    drawn in an answer before, it names what the app has drawn there.

    Where the app broke or was cut instead of answering, that is ``{"crash": what it said}``.

    Args:
        data: an empty folder to work in.
        masks: values that are drawn anew in each run.
        conditions: what is otherwise while calls are made that were recorded so.
        is_sequence: the calls are one session on one state.

    Raises:
        NotFound: nobody plays under the start's ``me``.
        FarmError: the start cannot be built.
    """
    return asyncio.run(_replay(loaded, calls, start, data, masks, conditions, is_sequence))


async def _replay(
    loaded: LoadedApp,
    calls: Iterable[Recorded],
    start: Start,
    data: Path,
    masks: Sequence[Mask],
    conditions: Sequence[Condition],
    is_sequence: bool,
) -> list[Answer]:
    # What takes too long is cut as in a farm, by an alarm that ends with this: SIGALRM may be somebody else's.
    alarm = ThreadAlarm()
    server = AppServer(loaded.in_profile(LATEST), data, alarm=alarm)
    player = _Player(server, loaded, start, masks, conditions)
    try:
        async with _client(server) as post:
            return [await player.play(post, each, goes_on=is_sequence) for each in calls]
    finally:
        alarm.close()


class _Player:
    """Brings the one episode to where a call was made, and makes it."""

    def __init__(
        self,
        server: AppServer,
        loaded: LoadedApp,
        start: Start,
        masks: Sequence[Mask],
        conditions: Sequence[Condition],
    ) -> None:
        self._store = server.store
        self._masks = masks
        self._conditions = {each.name: each for each in conditions}
        self._names: dict[Drawn, Drawn] = {}
        self._gates = server.gates
        self._loaded = loaded
        self._world = start.world
        self._now = load_world(start.world).starts_at.isoformat() if start.world else _NOW
        self._me = start.person(loaded)
        if start.world is None:
            self._store.starts.keep(None, 0, build(loaded.schema, start.rows))
        self._is_open = False
        self._trace: int | None = None

    async def play(self, post: Post, recorded: Recorded, *, goes_on: bool) -> Answer:
        """Make a call after those before it; in a state of its own, or in the one that the last call left."""
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
        """Bring the state under a condition that is declared, and take it back."""
        condition = self._conditions.get(name or "")
        if condition is None:
            yield
            return
        context = self._store.open(_EPISODE)
        # What writes beside the app needs the context's own file open.
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
        # Each write has moved the clock a little; where the recording was quicker than that, it stays.
        if at is not None and (to_ms := int(at.timestamp() * 1000)) > self._store.clock_ms(_EPISODE):
            self._store.set_clock(_EPISODE, to_ms)


def _drawn(recorded: Mapping[str, Any], ours: Mapping[str, Any], masks: Iterable[Mask]) -> dict[Drawn, Drawn]:
    """Return the recorded values under masks and what stands in their places in ours."""
    found: dict[Drawn, Drawn] = {}
    for mask in masks:
        olds, news = mask.values(text_of(recorded)), mask.values(text_of(ours))
        if len(olds) == len(news):
            found |= {old: new for old, new in zip(olds, news, strict=True) if old != new}
    return found


@asynccontextmanager
async def _client(server: AppServer) -> AsyncIterator[Post]:
    """Serve on a loopback port inside; give what posts a call to the one episode."""
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
    # On a busy machine quick calls are cut, too, above all the first one. A cut call has changed nothing.
    return await _post(session, url, request) if is_cut(answer.get("crash", "")) else answer


async def _post(session: aiohttp.ClientSession, url: str, request: Request) -> Answer:
    # Not orjson: what was sent may hold half a pair or an integer of any length.
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
    match said:
        case {"error": {"code": code, "message": message}} if is_crash(code, message):
            return {"crash": message}
        case {"error": {"code": code, "message": message}}:
            return {"error": {"code": code, "message": message}}
        case {"result": {"content": [*_]} as result}:
            return dict(result)
    return {"crash": f"HTTP {status}: {raw[:200].decode('utf-8', 'replace')}"}

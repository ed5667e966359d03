"""The control endpoints of one app: for the gateway and the operator's tools, on their own port, with a token."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sqlite3
from collections.abc import Awaitable, Callable, Iterator, Mapping
from hmac import compare_digest
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

import orjson
from starlette.types import Receive, Scope, Send

from farm._util.json_io import dumps, loads
from farm.context.log import times
from farm.context.store import Store
from farm.errors import ConflictError, FarmError, InternalError, NotFoundError, UnauthorizedError
from farm.server.app import AppServer
from farm.server.episode_gate import require_id
from farm.server.http.answer import HttpAnswer, error_answer
from farm.server.http.asgi import GATEWAY_HEADER, ClientDisconnectedError, header, read_body

WATCH_S_MAX = 25.0
CALLS_MAX = 10_000
# Bytes of a log in one answer: one call may take 32 MiB there, and all other calls wait while it is read.
PAGE_BYTES_MAX = 8 * 1024 * 1024
_TIMES_BYTES_MAX = 4 * PAGE_BYTES_MAX  # if only the ends of lines are read
_INTEGER_MAX = 2**63 - 1  # SQLite's largest integer
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_logger = logging.getLogger("farm.server")

Arguments = Mapping[str, Any]
Body = dict[str, Any] | bytes


class ControlApp:
    """Answers control requests about one app server; on the server's loop, so it never sees an unfinished call."""

    def __init__(self, server: AppServer, token: str) -> None:
        self._server = server
        self._store: Store = server.store
        self._token = token.encode()
        self._gateway_ns = 0
        self._is_ending = False
        self._routes: dict[tuple[str, str], Callable[[str, Arguments], Body | Awaitable[Body]]] = {
            ("POST", "create"): self._create,
            ("POST", "reset"): self._reset,
            ("POST", "holders"): self._let_in,
            ("POST", "hold"): self._hold,
            ("POST", "release"): self._release,
            ("POST", "snapshots"): self._snapshot,
            ("GET", "snapshots"): self._snapshots,
            ("POST", "verify"): self._verify,
            ("POST", "restore"): self._restore,
            ("POST", "rewind"): self._rewind,
            ("POST", "fork"): self._fork,
            ("POST", "export"): self._export,
            ("GET", ""): self._standing,
            ("GET", "diff"): self._diff,
            ("GET", "calls"): self._calls,
            ("GET", "clock"): self._clock,
            ("POST", "clock"): self._set_clock,
            ("GET", "arrived"): self._arrived,
            ("GET", "faults"): self._faults,
            ("POST", "faults"): self._add_fault,
            ("POST", "heal"): self._heal_fault,
            ("GET", "people"): self._people,
            ("POST", "people"): self._add_person_rule,
            ("GET", "outgoing"): self._outgoing,
            ("POST", "acts"): self._bring_acts,
            ("POST", "carried"): self._drop_outgoing,
            ("GET", "watch"): self._watch,
            ("DELETE", ""): self._drop,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request (ASGI)."""
        if scope["type"] != "http":
            raise ValueError(f"no answer to a {scope['type']} connection; the control endpoints speak HTTP")
        try:
            if not compare_digest(header(scope, b"authorization") or b"", b"Bearer " + self._token):
                raise UnauthorizedError("the control endpoints need the control token as a bearer")
            body = await self._body(scope, receive)
            answer = HttpAnswer(200, body if isinstance(body, bytes) else dumps(body))
        except ClientDisconnectedError:
            return
        except FarmError as problem:
            answer = error_answer(problem)
        except (OSError, sqlite3.Error) as problem:
            # For example a full disk; a traceback would add nothing.
            _logger.error("control request %s failed: %s", scope["path"], problem)
            answer = error_answer(
                InternalError(f"{type(problem).__name__}: {problem}; see what 'farm doctor' says of it")
            )
        except Exception as problem:
            # A bug. The client understands only this form of answer.
            _logger.exception("control request %s failed", scope["path"])
            answer = error_answer(InternalError(f"{type(problem).__name__}: {problem}"))
        await answer.send(send)

    async def _body(self, scope: Scope, receive: Receive) -> Body:
        method, path = scope["method"], scope["path"]
        arguments = await _arguments(scope, receive)
        self._require_latest(header(scope, GATEWAY_HEADER))  # nothing is awaited between this check and the operation
        match path.split("/")[1:]:
            case ["healthz"] if method == "GET":
                return self._health()
            case ["starts"] if method == "POST":
                return self._start(arguments)
            case ["episodes", episode_id, "state", table] if method == "GET":
                return self._rows(require_id(episode_id), table, arguments)
            case ["episodes", episode_id, *action] if len(action) < 2 and (method, "".join(action)) in self._routes:
                answer = self._routes[method, "".join(action)](require_id(episode_id), arguments)
                return await answer if isinstance(answer, Awaitable) else answer
            case _:
                raise NotFoundError(f"no control endpoint {method} {path}")

    def _require_latest(self, since_ns: bytes | None) -> None:
        """Record the gateway that sends the request. A new gateway's first request releases all locks of the old one.

        Raises:
            ConflictError: a later gateway was here. Requests of a killed gateway may arrive after its successor's first
                one; they must not begin a lock or a part of a snapshot that nobody waits for.
        """
        if since_ns is None:
            return  # no gateway: a client of this app alone
        number = int(since_ns) if since_ns.isdigit() else 0
        if number < self._gateway_ns:
            raise ConflictError("another gateway has taken over from the one that asks")
        if number > self._gateway_ns:
            self._gateway_ns = number
            self._server.gates.release_all()

    def _health(self) -> Body:
        loaded = self._server.loaded
        return {
            "app": loaded.app.name,
            "pid": os.getpid(),
            "tools": len(loaded.tool_schemas),
            "episodes_open": self._store.open_count,
            "calls": self._server.calls,
        }

    def _start(self, arguments: Arguments) -> Body:
        world = arguments.get("world")
        if world is not None and not isinstance(world, str):
            raise FarmError(f"'world' must be a world's name or null, not {world!r}")
        return {"bytes": len(self._store.starts.get(world, _integer(arguments, "shift_days", 0)))}

    def _create(self, episode_id: str, _: Arguments) -> Body:
        self._store.create(episode_id)
        return {"id": episode_id}

    def _reset(self, episode_id: str, _: Arguments) -> Body:
        self._store.reset(episode_id)
        self._begin_anew(episode_id)
        return {"id": episode_id, "calls": 0}

    def _let_in(self, episode_id: str, arguments: Arguments) -> Body:
        """Read again which people act in an episode, and their bearers; a renewed one ends the faults that struck."""
        gate = self._server.gates.require(episode_id)
        settings = self._store.read_settings_again(episode_id)
        gate.let_in(settings)
        if arguments.get("renewed"):
            self._store.end_expiry(episode_id)
        return {"holders": list(settings.holders)}

    def _hold(self, episode_id: str, _: Arguments) -> Body:
        self._server.gates.require(episode_id).hold()
        return {"held": True}

    def _release(self, episode_id: str, _: Arguments) -> Body:
        """``released`` is false if the lock had timed out: then the parts of a snapshot may not be consistent."""
        return {"released": self._server.gates.require(episode_id).release()}

    def _snapshot(self, episode_id: str, arguments: Arguments) -> Body:
        name = _name(arguments, "name")
        self._store.snapshot(episode_id, name)
        return {"snapshot": name}

    def _snapshots(self, episode_id: str, _: Arguments) -> Body:
        return {"snapshots": self._store.snapshots(episode_id)}

    def _verify(self, episode_id: str, arguments: Arguments) -> Body:
        name = _name(arguments, "snapshot")
        _, sealed = self._store.verify(episode_id, name)
        if arguments.get("reads_calls"):
            self._store.read_calls(episode_id, sealed)
        return {"snapshot": name}

    def _restore(self, episode_id: str, arguments: Arguments) -> Body:
        name = _name(arguments, "snapshot")
        self._store.restore(episode_id, name)
        self._begin_anew(episode_id)
        return {"id": episode_id, "snapshot": name}

    def _rewind(self, episode_id: str, arguments: Arguments) -> Body:
        self._store.rewind(episode_id, _integer(arguments, "calls"), arguments.get("kept"))
        self._begin_anew(episode_id)
        return {"id": episode_id}

    def _fork(self, episode_id: str, arguments: Arguments) -> Body:
        target_id = require_id(_text(arguments, "target"))
        self._store.settings(target_id)
        self._store.fork(episode_id, target_id, _name(arguments, "snapshot") if arguments.get("snapshot") else None)
        return {"id": target_id}

    def _export(self, episode_id: str, arguments: Arguments) -> Body:
        folder = _name(arguments, "folder")
        self._store.export(episode_id, folder, _name(arguments, "snapshot") if arguments.get("snapshot") else None)
        return {"folder": folder}

    def _drop(self, episode_id: str, _: Arguments) -> Body:
        self._store.drop(episode_id)
        self._server.gates.forget(episode_id)
        return {"id": episode_id}

    def _diff(self, episode_id: str, arguments: Arguments) -> Body:
        since = _name(arguments, "since") if "since" in arguments else "start"
        changes = self._store.diff(episode_id, since)
        if str(arguments.get("reverted", "0")) != "1":
            return {"changes": changes}
        last = self._store.open(episode_id).calls
        return {"changes": changes, "reverted": self._store.reverted(episode_id, since), "last": last}

    def _calls(self, episode_id: str, arguments: Arguments) -> bytes:
        """Return a page of calls: it ends early if they are long, and is empty only after the last call."""
        after = _integer(arguments, "after", 0)
        limit = min(max(_integer(arguments, "limit", 1000), 1), CALLS_MAX)
        form = _FORMS.get(str(arguments.get("results", "1")), bytes)
        bytes_max = _TIMES_BYTES_MAX if form is _times_alone else PAGE_BYTES_MAX
        try:
            lines = [form(line) for line in self._page(episode_id, after, limit, bytes_max)]
        except ValueError:
            for _ in self._store.each_call(episode_id):
                pass  # parse every line, so that the broken one is named
            raise
        # Lines are already JSON: thousands of long results are sent without being parsed.
        return b'{"calls":[%b],"last":%d}' % (b",".join(lines), self._store.open(episode_id).calls)

    def _page(self, episode_id: str, after: int, limit: int, bytes_max: int) -> Iterator[bytes]:
        """Yield log lines of calls within both limits, but at least one line."""
        read_bytes = 0
        for line in islice(self._store.call_lines(episode_id, after), limit):
            read_bytes += len(line)
            if read_bytes > bytes_max and read_bytes > len(line):
                return
            yield line

    def _rows(self, episode_id: str, table: str, arguments: Arguments) -> Body:
        at = _name(arguments, "at") if arguments.get("at") else None
        after, limit = _integer(arguments, "after", 0), _integer(arguments, "limit", 100)
        return self._store.rows(episode_id, table, at=at, after=after, limit=limit)

    def _clock(self, episode_id: str, _: Arguments) -> dict[str, Any]:
        context = self._store.open(episode_id)
        next_ms, last_ms = self._store.due_ms(episode_id)
        moving = {"live": context.motion.rate == 1, "rate": context.motion.rate}
        ahead = {"next_ms": next_ms, "last_ms": last_ms, "act_ms": self._store.next_act_ms(episode_id)}
        return {"clock_ms": context.now_ms(False), **moving, **ahead, "outgoing": context.has_outgoing}

    def _standing(self, episode_id: str, _: Arguments) -> Body:
        """Return the clock, the number of logged calls, and the number of calls refused as over the limit."""
        context = self._store.open(episode_id)
        over = 0 if context.limits is None else context.limits.refused
        return {**self._clock(episode_id, {}), "calls": context.calls, "over_limit": over}

    def _set_clock(self, episode_id: str, arguments: Arguments) -> Body:
        rate = None if arguments.get("rate") is None else _integer(arguments, "rate")
        at_ms = None if arguments.get("at_ms") is None else _integer(arguments, "at_ms")
        person = None if arguments.get("person") is None else _text(arguments, "person")
        came = self._store.set_clock(episode_id, _integer(arguments, "to_ms"), rate, at_ms, person)
        return {**self._clock(episode_id, {}), "came": came}

    def _arrived(self, episode_id: str, arguments: Arguments) -> Body:
        person = None if arguments.get("person") is None else _text(arguments, "person")
        return {"came": self._store.arrived(episode_id, person)}

    def _faults(self, episode_id: str, _: Arguments) -> Body:
        return {"faults": [rule.show() for rule in self._store.faults(episode_id)]}

    def _add_fault(self, episode_id: str, arguments: Arguments) -> Body:
        return self._store.add_fault(episode_id, arguments).show()

    def _heal_fault(self, episode_id: str, arguments: Arguments) -> Body:
        self._server.gates.require(episode_id).revive()
        return self._store.heal_fault(episode_id, _name(arguments, "id")).show()

    def _people(self, episode_id: str, _: Arguments) -> Body:
        return {**self._store.people(episode_id), "raw": self._store.person_rules(episode_id)}

    def _add_person_rule(self, episode_id: str, arguments: Arguments) -> Body:
        """Take a rule that the gateway has checked: it knows the episode's other apps."""
        self._store.add_person_rule(episode_id, arguments)
        return {"id": arguments["id"]}

    def _outgoing(self, episode_id: str, _: Arguments) -> Body:
        return {"acts": self._store.take_outgoing(episode_id)}

    def _bring_acts(self, episode_id: str, arguments: Arguments) -> Body:
        self._store.bring_acts(episode_id, arguments["acts"])
        return {"brought": len(arguments["acts"])}

    def _drop_outgoing(self, episode_id: str, arguments: Arguments) -> Body:
        self._store.drop_outgoing(episode_id, arguments["ids"])
        return {"dropped": len(arguments["ids"])}

    async def _watch(self, episode_id: str, arguments: Arguments) -> Body:
        after = _integer(arguments, "after", self._store.open(episode_id).calls)
        gate = self._server.gates.require(episode_id)
        if self._store.open(episode_id).calls <= after and not self._is_ending:
            woken = asyncio.Event()
            gate.watchers.add(woken)
            try:
                await asyncio.wait_for(woken.wait(), WATCH_S_MAX)
            except TimeoutError:
                pass
            finally:
                gate.watchers.discard(woken)
        changes = self._store.changes_by_call(episode_id, after)
        calls = [loads(line) for line in self._page(episode_id, after, CALLS_MAX, PAGE_BYTES_MAX)]
        for entry in calls:
            entry["changes"] = changes.get(entry["n"], {})
        return {"calls": calls, "last": self._store.open(episode_id).calls}

    def _begin_anew(self, episode_id: str) -> None:
        """Let clients see that an episode went back; a bearer that had expired is accepted until it does so again."""
        gate = self._server.gates.known.get(episode_id)
        if gate:
            gate.revive()
            gate.wake_watchers()

    def end(self) -> None:
        """Answer all waiting requests; later ones no longer wait."""
        self._is_ending = True
        self._server.gates.release_all()


def _without_result(line: bytes) -> bytes:
    entry = loads(line)
    del entry["result"]
    return dumps(entry)


def _times_alone(line: bytes) -> bytes:
    return orjson.dumps(times(line))


# The forms of a call, by ``results``.
_FORMS: dict[str, Callable[[bytes], bytes]] = {"0": _without_result, "times": _times_alone}


async def _arguments(scope: Scope, receive: Receive) -> Arguments:
    query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
    body = await read_body(scope, receive)
    if not body.strip():
        return query
    try:
        given = orjson.loads(body)
    except orjson.JSONDecodeError as problem:
        raise FarmError(f"the body is not JSON: {problem}") from None
    if not isinstance(given, dict):
        raise FarmError("the body must be a JSON object")
    return {**query, **given}


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value:
        raise FarmError(f"'{name}' is missing; it is a text")
    return value


def _name(arguments: Arguments, name: str) -> str:
    value = _text(arguments, name)
    if not _NAME.fullmatch(value):
        raise FarmError(f"'{value[:64]}' is no name; use up to 64 letters, digits, '.', '_' and '-'")
    return value


def _integer(arguments: Arguments, name: str, default: int | None = None) -> int:
    value = arguments.get(name, default)
    try:
        if value is None or isinstance(value, (bool, float)):
            raise ValueError
        number = int(value)
        if not -_INTEGER_MAX - 1 <= number <= _INTEGER_MAX:
            raise ValueError
        return number
    except (TypeError, ValueError):
        shown = str(value)[:64]
        raise FarmError(f"'{name}' must be an integer of 64 bits at most, not {shown!r}") from None

"""``DATA/operators.log``: who called the control API, one JSON line a call. Never a token or a body.

Calls without the operator token are only counted, with one line a minute. Otherwise outsiders could rotate the
operators' calls out of the log.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farm.context.settings import wall_time

SIZE_BYTES_MAX = 8 << 20
ROTATED_MAX = 3
REFUSED_S = 60.0  # seconds between two lines about calls without the token
OPERATOR = "farm.operator"  # in the scope of a call that came with the operator token
_PATH_MAX = 200
_FIRST = 3
_FIRST_PATH_MAX = 64
# Routine calls of scrapers and health checks, which are logged only if refused.
_QUIET = ("/healthz", "/metrics")
_logger = logging.getLogger("gateway")


class AuditLog:
    """The log, rotated by size: ``operators.log.1`` is the newest full one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_failing = False
        self._telling: asyncio.TimerHandle | None = None
        self._statuses: Counter[str] = Counter()
        self._first: list[dict[str, Any]] = []

    def refuse(self, entry: dict[str, Any]) -> None:
        """Count a call without the operator token; write the first one after a quiet minute like any other call."""
        if self._telling is None:
            self.write(entry)
            self._telling = asyncio.get_running_loop().call_later(REFUSED_S, self.write_refused)
            return
        self._statuses[str(entry["status"])] += 1
        if len(self._first) < _FIRST:
            self._first.append({**entry, "path": entry["path"][:_FIRST_PATH_MAX]})

    def write_refused(self) -> None:
        """Write the line of the counted calls, if there are any; called once a minute and when the gateway ends."""
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        if self._statuses:
            # While refused calls continue, write one line a minute and no "first" line.
            self._telling = asyncio.get_running_loop().call_later(REFUSED_S, self.write_refused)
            counts = {"refused": self._statuses.total(), "statuses": dict(self._statuses), "first": self._first}
            self._statuses, self._first = Counter(), []
            self.write({"at": wall_time(), **counts})

    def write(self, entry: dict[str, Any]) -> None:
        """Append one entry; if the disk rejects it, log one line in the farm's log."""
        line = orjson.dumps(entry) + b"\n"
        try:
            self._append(line)
            self._is_failing = False
        except OSError as problem:
            if not self._is_failing:
                _logger.error("%s cannot be written (%s); calls go on without", self._path, problem.strerror)
            self._is_failing = True

    def _append(self, line: bytes) -> None:
        # Opened each time: calls are rare, and a file that was moved away must not be written to.
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            if os.write(descriptor, line) != len(line):
                os.ftruncate(descriptor, size)
        finally:
            os.close(descriptor)
        if size + len(line) >= SIZE_BYTES_MAX:
            for number in range(ROTATED_MAX, 0, -1):
                older = self._path if number == 1 else self._numbered(number - 1)
                if older.exists():
                    older.replace(self._numbered(number))

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


class Logged:
    """ASGI middleware that logs every call of an application."""

    def __init__(self, app: ASGIApp, log: AuditLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request and log it with its status."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        at, began, status = wall_time(), time.monotonic(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            if status != 200 or scope["path"] not in _QUIET:
                entry = {
                    "at": at,
                    "method": scope["method"],
                    "path": scope["path"][:_PATH_MAX],
                    "status": status,  # 0: the client left before the answer
                    "episode": episode_of(scope),
                    "from": (scope.get("client") or [None])[0],
                    "took_ms": round((time.monotonic() - began) * 1000, 1),
                }
                if scope.get(OPERATOR):
                    self._log.write(entry)
                else:
                    self._log.refuse(entry)


def episode_of(scope: Scope) -> str | None:
    """Return the episode that a call was about: the one in its path, or the one it created."""
    named: str | None = scope.get("farm.made") or (scope.get("path_params") or {}).get("id")
    return named and named[:_PATH_MAX]

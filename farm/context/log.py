"""The call log: one JSON line a call, appended before COMMIT and before the answer.

The first line says which sealed parts come before: ``{"log":1,"parts":[["lark.0.log",5120],…],"calls":40}``. A part is
a file in the same folder and how many of its bytes count, so a snapshot costs no copying however many calls there were,
and fork and restore carry the sealed calls along by name. Bytes once written never change; only a torn or uncommitted
last line is cut, when the log is opened.

A call's line holds ``n`` (number within the app), ``tool``, ``arguments``, ``result`` (CallToolResult, or
``{"error":{"code","message"}}``), ``started_ns`` and ``ended_ns`` (monotonic), ``at_ms`` (wall), ``now_ms`` (simulated)
and, when true, ``wrote``, ``refused``, ``cut``. A line with ``clock_ms`` and no ``n`` records a move of the clock.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from farm.context.broken import WAY_OUT, Broken
from farm.loose_json import parse_exact

Part = tuple[str, int]
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_CALL = b'{"n":'  # how a call's line begins
_BEGIN_BYTES = 64  # of a line: its number is in them
_NEAR_BYTES = 1 << 20  # are read sooner than halved
_BUFFER_BYTES = 1 << 18  # lines may have megabytes
_TIMES = b'"started_ns":'  # what follows a call's result
_WROTE = b',"wrote":true}\n'  # how a committed writing call's line ends


@dataclass(frozen=True)
class Sealed:
    """Where a log stands: its parts in order, and the number of the last call in them."""

    parts: tuple[Part, ...] = ()
    calls: int = 0

    def dump(self, **beside: str) -> bytes:
        """Return the line that opens a log standing on these parts; what is given beside stands there, too."""
        return orjson.dumps({"log": 1, "parts": self.parts, "calls": self.calls, **beside}) + b"\n"

    @staticmethod
    def load(line: bytes) -> Sealed:
        """Read what ``dump`` wrote.

        Raises:
            ValueError: it is something else; TypeError and KeyError as well.
        """
        raw = orjson.loads(line)
        parts = tuple((name, size) for name, size in raw["parts"])
        for name, size in parts:
            # Logs come from other farms, too: what a name leads to outside the folder belongs to somebody else.
            if not _PART.fullmatch(name) or type(size) is not int or size < 0:
                raise ValueError(f"{name!r} is no part of a call log")
        if type(raw["calls"]) is not int or raw["calls"] < 0:
            raise ValueError(f"{raw['calls']!r} is no count of calls")
        return Sealed(parts, raw["calls"])


class CallLog:
    """One generation's log, open for appending."""

    def __init__(self, path: str | Path, sealed: Sealed = Sealed()) -> None:
        """Open the log, creating it on top of ``sealed`` when it does not exist.

        Raises:
            Broken: what is there is no call log.
        """
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        self.size = os.fstat(self._descriptor).st_size
        self.sealed = sealed
        if self.size:
            first = self._first_line()
            if first.endswith(b"\n"):
                try:
                    self.sealed = Sealed.load(first)
                except (ValueError, TypeError, KeyError) as problem:
                    os.close(self._descriptor)
                    raise Broken(f"{path} does not begin as a call log; {WAY_OUT}") from problem
            else:
                self.cut(0)
        if not self.size:
            try:
                self.append(self.sealed.dump())
            except OSError:
                os.close(self._descriptor)  # nobody else could; a full disk must not use up the descriptors, too
                raise

    @property
    def path(self) -> Path:
        """Where the log is."""
        return Path(self._path)

    def _first_line(self) -> bytes:
        """Return the line that opens the log, or all there is when it was torn."""
        block = 1 << 10
        while True:
            data = os.pread(self._descriptor, block, 0)
            end = data.find(b"\n") + 1
            if end or len(data) == self.size:
                return data[: end or None]
            block *= 8

    def append(self, line: bytes) -> None:
        """Append one line that ends in a newline.

        Raises:
            OSError: it could not be written whole; the log is as it was.
        """
        try:
            written = os.write(self._descriptor, line)
        except OSError as problem:
            raise OSError(problem.errno, problem.strerror, str(self._path)) from problem
        if written != len(line):
            os.ftruncate(self._descriptor, self.size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
        self.size += written

    def cut(self, size: int) -> None:
        """Cut the log back to ``size`` bytes."""
        os.ftruncate(self._descriptor, size)
        self.size = size

    def repair(self, committed: int) -> int:
        """Cut a torn last line and a writing line whose commit never happened; return the number of the last call.

        Args:
            committed: number of the last writing call that the context itself holds.

        Raises:
            Broken: it lacks calls that the context holds, or has more that the context lacks; it is left as it is.
        """
        try:
            last = self._repair(committed)
        except ValueError as problem:
            raise Broken(f"{self.path} ends with what is no call; {WAY_OUT}") from problem
        if last < committed:
            raise Broken(f"{self.path} ends with call {last}, and the context holds call {committed}; {WAY_OUT}")
        return last

    def _repair(self, committed: int) -> int:
        if self.size == len(self.sealed.dump()):
            return self.sealed.calls  # nothing but the line that opens it, as in every new episode
        tail = self._tail()
        if not tail.endswith(b"\n"):
            self.cut(self.size - (len(tail) - tail.rfind(b"\n") - 1))
            tail = self._tail()
        while (line := _last_line(tail)).startswith(_CALL):
            number = _number(line)
            if number <= committed or not line.endswith(_WROTE):
                return number
            # A process that is killed leaves one such line; more are the context's loss and not the log's.
            before = _last_line(tail[: -len(line)])
            if before.startswith(_CALL) and before.endswith(_WROTE) and _number(before) > committed:
                raise Broken(f"{self.path} has call {number}, and the context ends with call {committed}; {WAY_OUT}")
            self.cut(self.size - len(line))
            tail = self._tail()
        return max((entry["n"] for entry in read_lines(self.path) if "n" in entry), default=self.sealed.calls)

    def _tail(self) -> bytes:
        """Return the bytes from before the last complete line on (everything when the log is short)."""
        block = 1 << 13
        while True:
            start = max(0, self.size - block)
            data = os.pread(self._descriptor, self.size - start, start)
            if start == 0 or data.count(b"\n") >= 3:
                return data
            block *= 4

    def seal(self) -> tuple[Part, ...]:
        """Return every part up to here, this log's own bytes last."""
        return (*self.sealed.parts, (self.path.name, self.size))

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def read_lines(path: Path, size: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield the entries of one log file in order, of its first ``size`` bytes only when given.

    No more than a line of it is in memory.
    """
    for number, line in enumerate(_lines(path, size), 1):
        try:
            entry = parse_exact(line)
            is_head = "log" in entry
        except (orjson.JSONDecodeError, TypeError) as problem:
            raise Broken(f"{path} is broken in line {number} ({problem}); {WAY_OUT}") from problem
        if not is_head:
            yield entry


def _lines(path: Path, size: int | None) -> Iterator[bytes]:
    with path.open("rb", _BUFFER_BYTES) as file:
        left = file.seek(0, os.SEEK_END) if size is None else size
        file.seek(0)
        while left > 0 and (line := file.readline(left)):
            left -= len(line)
            yield line.rstrip(b"\n")


def read_parts(folder: Path, parts: tuple[Part, ...]) -> Iterator[dict[str, Any]]:
    """Yield the entries of sealed parts in order."""
    for name, size in parts:
        yield from read_lines(folder / name, size)


def lines_after(path: Path, after: int, size: int | None = None) -> Iterator[bytes]:
    """Yield the lines of the calls numbered above ``after``, unparsed and in order.

    The first of them is looked for by halves, and then a line at a time is read: neither how many calls there were
    before or after, nor how long they are, has a log come into memory.

    Args:
        path: one log file.
        after: number of the last call that is not wanted.
        size: how many bytes of the file count; all when None.
    """
    with path.open("rb", _BUFFER_BYTES) as file:
        end = file.seek(0, os.SEEK_END)
        end = end if size is None else min(size, end)
        at = file.seek(_before(file, after, end))
        while at < end and (line := file.readline(end - at)):
            at += len(line)
            if line.startswith(_CALL) and _number(line) > after:
                yield line.rstrip(b"\n")


def _before(file: BinaryIO, after: int, end: int) -> int:
    """Return where a line begins that no call numbered above ``after`` comes before, not long before the first."""
    low, high = 0, end
    while high - low > _NEAR_BYTES:
        middle = (low + high) // 2
        file.seek(middle)
        file.readline(high - middle)  # most likely not whole
        at = file.tell()
        while at < high and not (begin := file.readline(_BEGIN_BYTES)).startswith(_CALL):
            at += len(begin) if begin.endswith(b"\n") else len(begin) + len(file.readline(high - at))
        if at < high and _number(begin) <= after:
            low = at
        else:
            high = middle
    return low


def _last_line(data: bytes) -> bytes:
    return data[data.rfind(b"\n", 0, -1) + 1 :]


def _number(line: bytes) -> int:
    return int(line[len(_CALL) : line.index(b",", len(_CALL))])


def times(line: bytes) -> dict[str, Any]:
    """Return what a call's line says beside tool, arguments and result, which are not parsed, and how long it is.

    Raises:
        ValueError: it is no whole line of a call.
    """
    found: dict[str, Any] = orjson.loads(b"{" + line[line.rindex(_TIMES) :])
    return {"n": _number(line), "size_bytes": len(line), **found}

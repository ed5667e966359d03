"""The call log: one JSON line per call, appended before COMMIT and before the answer.

The first line lists the preceding sealed parts: ``{"log":1,"parts":[["lark.0.log",5120],…],"calls":40}``. A part is a
file in the same folder with the number of its valid bytes. So a snapshot copies no calls, and fork and restore refer to
sealed calls by name. Written bytes never change; opening a log removes only a torn or uncommitted last line.

A call's line holds ``n`` (number within the app), ``tool``, ``arguments``, ``result`` (CallToolResult, or
``{"error":{"code","message"}}``), ``started_ns`` and ``ended_ns`` (monotonic), ``at_ms`` (wall), ``now_ms``
(simulated), ``by`` (who called, unless it is the person whom the agent works for) and, when true, ``wrote``,
``refused``, ``timed_out``, ``counted`` and ``fault`` (``farm.context.faults``). Of the lines without ``n``, one with
``clock_ms`` is a move of the clock, one with ``fault`` or ``heal`` plans or ends a fault, and one with ``person`` is a
rule of a person who answers; ``people`` in a call's line are the rules that it met.
"""

from __future__ import annotations

import errno
import mmap
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from farm._util.json_io import loads
from farm.context.corrupt_file import WAY_OUT, CorruptFileError

Part = tuple[str, int]
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")
_CALL = b'{"n":'  # how a call's line begins
_BEGIN_BYTES = 64  # of a line; they contain the call's number
_NEAR_BYTES = 1 << 20  # reading this much is faster than another bisection
_BUFFER_BYTES = 1 << 18  # lines may have megabytes
_TIMES = b'"started_ns":'  # follows a call's result
# How the line of a planned fault, or of a person's rule, begins, after the end of the line before.
FAULT, PERSON = b'\n{"fault":', b'\n{"person":'
_WROTE = b',"wrote":true}\n'  # how a committed writing call's line ends


@dataclass(frozen=True)
class Sealed:
    """The position of a log: its sealed parts in order, and the number of the last call in them."""

    parts: tuple[Part, ...] = ()
    calls: int = 0

    def dump(self, **beside: str) -> bytes:
        """Return the first line of a log that continues these parts, with the given extra members."""
        return orjson.dumps({"log": 1, "parts": self.parts, "calls": self.calls, **beside}) + b"\n"

    @staticmethod
    def load(line: bytes) -> Sealed:
        """Parse a line that ``dump`` wrote.

        Raises:
            ValueError: the line has another form; TypeError and KeyError as well.
        """
        raw = orjson.loads(line)
        parts = tuple((name, size) for name, size in raw["parts"])
        for name, size in parts:
            # Logs may come from other farms: a name must not lead outside the folder.
            if not _PART.fullmatch(name) or type(size) is not int or size < 0:
                raise ValueError(f"{name!r} is no part of a call log")
        if type(raw["calls"]) is not int or raw["calls"] < 0:
            raise ValueError(f"{raw['calls']!r} is no count of calls")
        return Sealed(parts, raw["calls"])


class CallLog:
    """One generation's log, open for appending."""

    def __init__(self, path: str | Path, sealed: Sealed = Sealed()) -> None:
        """Open the log, or create it as a continuation of ``sealed``.

        Raises:
            CorruptFileError: the file is not a call log.
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
                    raise CorruptFileError(f"{path} does not begin as a call log; {WAY_OUT}") from problem
            else:
                self.truncate(0)
        if not self.size:
            try:
                self.append(self.sealed.dump())
            except OSError:
                os.close(self._descriptor)  # nothing else can close it; a full disk must not exhaust descriptors too
                raise

    @property
    def path(self) -> Path:
        """The path of the log."""
        return Path(self._path)

    def _first_line(self) -> bytes:
        """Return the first line of the log, or all bytes if it is torn."""
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
            OSError: the line could not be written completely; the log is unchanged.
        """
        try:
            written = os.write(self._descriptor, line)
        except OSError as problem:
            raise OSError(problem.errno, problem.strerror, str(self._path)) from problem
        if written != len(line):
            os.ftruncate(self._descriptor, self.size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
        self.size += written

    def truncate(self, size: int) -> None:
        """Truncate the log to ``size`` bytes."""
        os.ftruncate(self._descriptor, size)
        self.size = size

    def repair(self, committed: int) -> int:
        """Remove a torn last line and the line of an uncommitted writing call; return the number of the last call.

        Args:
            committed: number of the last writing call in the context.

        Raises:
            CorruptFileError: the log lacks calls of the context, or the context lacks calls; the log is unchanged.
        """
        try:
            last = self._repair(committed)
        except ValueError as problem:
            raise CorruptFileError(f"{self.path} ends with what is no call; {WAY_OUT}") from problem
        if last < committed:
            raise CorruptFileError(
                f"{self.path} ends with call {last}, and the context holds call {committed}; {WAY_OUT}"
            )
        return last

    def _repair(self, committed: int) -> int:
        if self.size == len(self.sealed.dump()):
            return self.sealed.calls  # only the first line, as in every new episode
        tail = self._tail()
        if not tail.endswith(b"\n"):
            self.truncate(self.size - (len(tail) - tail.rfind(b"\n") - 1))
            tail = self._tail()
        while (line := _last_line(tail)).startswith(_CALL):
            number = _number(line)
            if number <= committed or not line.endswith(_WROTE):
                return number
            # A killed process leaves one such line; several mean that the context has lost calls.
            before = _last_line(tail[: -len(line)])
            if before.startswith(_CALL) and before.endswith(_WROTE) and _number(before) > committed:
                raise CorruptFileError(
                    f"{self.path} has call {number}, and the context ends with call {committed}; {WAY_OUT}"
                )
            self.truncate(self.size - len(line))
            tail = self._tail()
        return max((entry["n"] for entry in read_lines(self.path) if "n" in entry), default=self.sealed.calls)

    def _tail(self) -> bytes:
        """Return the bytes from the last complete line on (all bytes of a short log)."""
        block = 1 << 13
        while True:
            start = max(0, self.size - block)
            data = os.pread(self._descriptor, self.size - start, start)
            if start == 0 or data.count(b"\n") >= 3:
                return data
            block *= 4

    def seal(self) -> tuple[Part, ...]:
        """Return all parts up to now, this log's own bytes last."""
        return (*self.sealed.parts, (self.path.name, self.size))

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)


def has_lines(path: Path, size: int, *begins: bytes) -> tuple[bool, ...]:
    """Return whether the first ``size`` bytes of a log file have lines of each kind, by how they begin."""
    with path.open("rb") as file:
        if size <= _NEAR_BYTES:
            read = file.read(size)
            return tuple(each in read for each in begins)
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return tuple(mapped.find(each, 0, size) >= 0 for each in begins)


def read_lines(path: Path, size: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield the entries of one log file in order, or only those of its first ``size`` bytes.

    Only one line is in memory at a time.
    """
    for number, line in enumerate(_lines(path, size), 1):
        try:
            entry = loads(line)
            is_head = "log" in entry
        except (orjson.JSONDecodeError, TypeError) as problem:
            raise CorruptFileError(f"{path} is broken in line {number} ({problem}); {WAY_OUT}") from problem
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
    """Yield the unparsed lines of the calls with numbers above ``after``, in order.

    Bisection finds the first of them; then one line at a time is read, so memory does not grow with the log.

    Args:
        path: one log file.
        after: number of the last call to skip.
        size: number of valid bytes of the file; None for all.
    """
    with path.open("rb", _BUFFER_BYTES) as file:
        end = file.seek(0, os.SEEK_END)
        end = end if size is None else min(size, end)
        at = file.seek(_before(file, after, end))
        while at < end and (line := file.readline(end - at)):
            at += len(line)
            if line.startswith(_CALL) and _number(line) > after:
                yield line.rstrip(b"\n")


def end_of_call(path: Path, calls: int, size: int) -> int:
    """Return where the line of the first later call begins in a log's first ``size`` bytes, or ``size``."""
    with path.open("rb", _BUFFER_BYTES) as file:
        at = file.seek(_before(file, calls, size))
        while at < size and (line := file.readline(size - at)):
            if line.startswith(_CALL) and _number(line) > calls:
                return at
            at += len(line)
    return size


def _before(file: BinaryIO, after: int, end: int) -> int:
    """Return the start of a line shortly before, or at, the first call with a number above ``after``."""
    low, high = 0, end
    while high - low > _NEAR_BYTES:
        middle = (low + high) // 2
        file.seek(middle)
        file.readline(high - middle)  # probably partial
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
    """Return a call's line without tool, arguments and result, which are not parsed, and its length.

    Raises:
        ValueError: the line is not a complete line of a call.
    """
    found: dict[str, Any] = orjson.loads(b"{" + line[line.rindex(_TIMES) :])
    return {"n": _number(line), "size_bytes": len(line), **found}

"""A recording's folder: each call of a real server is one line of ``calls.jsonl``, however the recorder ends.

Only one process writes at a time. A line is written when the answer arrives, so lines are in the order of the answers;
steps count in the order of sending. Until then, the call stands in ``under-way.jsonl``. After a recorder was killed,
the next one to open the folder records the calls left there as calls without an answer.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from farm.errors import ConflictError, FarmError, InternalError
from farm.traverse.recordings.calls import Recorded, Request, read_line

try:
    import fcntl
except ImportError:  # a system without such locks cannot detect two recorders of one folder
    fcntl = None  # type: ignore[assignment]

CALLS = "calls.jsonl"
UNDER_WAY = "under-way.jsonl"
AGAIN = "again.jsonl"
KILLED = "the recording was killed before an answer"
ENDED = "the recording ended before an answer"
_LOOK_AGAIN_S = 0.05


@dataclass(frozen=True)
class Meaning:
    """The purpose of a call: a seed, or a seed changed to provoke a refusal.

    Attributes:
        error_class: ``success`` for a seed, else the kind of failure to provoke.
        operation: the operation that made it from the seed.
        path: the changed part of the arguments.
        seed_step: the seed's number in the trace.
        because: for a call that a model proposed, the conflict that the model named.
    """

    error_class: str = "success"
    operation: str | None = None
    path: tuple[str | int, ...] | None = None
    seed_step: int | None = None
    because: str | None = None

    @property
    def line(self) -> dict[str, Any]:
        """The line's keys for the purpose."""
        told = {"operation": self.operation, "path": self.path, "seed_step": self.seed_step, "because": self.because}
        return {"error_class": self.error_class, **{key: value for key, value in told.items() if value is not None}}


SEED_MEANING = Meaning()


@dataclass(frozen=True)
class Begun:
    """A call that was sent and has no answer yet.

    Attributes:
        at: when it was sent.
        started: the same on the monotonic clock, in seconds.
    """

    trace: int
    step: int
    request: Request
    meaning: Meaning
    at: datetime
    started: float

    @property
    def line(self) -> dict[str, Any]:
        """The line's keys that are known without an answer."""
        request = self.request
        asked = {"arguments_omitted": True} if request.omits_arguments else {"arguments": request.arguments}
        at = self.at.isoformat(timespec="milliseconds")
        return {"trace": self.trace, "step": self.step, "tool": request.tool, **asked, **self.meaning.line, "at": at}


class Recording:
    """A folder that is written to.

    Attributes:
        calls: the calls in it when it was opened, in the order of trace and step.
        mended: repairs after a killed recorder, one sentence each.
    """

    def __init__(self, folder: Path, *, server: str | None = None, wait_s: float = 0) -> None:
        """Open or create a folder, and continue where the last recorder stopped.

        Args:
            server: the server to record, by its own name.
            wait_s: how long to wait for a recorder that is about to end, in seconds.

        Raises:
            ConflictError: another process records there, or the calls there are another server's.
            FarmError: the folder is not writable, or holds an invalid call.
        """
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = _open(folder / CALLS)
            self._under_way_file = -1
        except OSError as problem:
            raise FarmError(f"{folder} cannot be written ({problem.strerror})") from None
        self._under_way: dict[tuple[int, int], Begun] = {}
        self._servers: dict[int, dict[str, str]] = {}
        self._steps: dict[int, int] = {}
        try:
            _hold(self._file, folder, wait_s)
            self._under_way_file = _open(folder / UNDER_WAY)
            self.mended = self._mend()
            self.calls = _sorted(_complete_calls(folder / CALLS))
            self.require_server(server)
        except BaseException:
            self._let_go()
            raise
        self._next = 1 + max((each.trace for each in self.calls if each.trace is not None), default=-1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def require_server(self, server: str | None) -> None:
        """Declare the server to record.

        Raises:
            ConflictError: the calls there are another server's.
        """
        others = {each.server for each in self.calls if each.server} - {server}
        if server and others:
            held = ", ".join(sorted(others))
            raise ConflictError(f"{self.folder} holds calls of {held}, not of {server}; give another --out")

    def begin_trace(self, server: str | None = None, version: str | None = None) -> int:
        """Return the number of a new trace: the server was started, or a new session has begun."""
        number, self._next = self._next, self._next + 1
        self._steps[number] = 0
        self.name(number, server, version)
        return number

    def resume_trace(self, number: int, server: str | None = None, version: str | None = None) -> int:
        """Continue a trace, and return the number of its next step; an unknown trace is begun."""
        stood = [each.step for each in self.calls if each.trace == number and each.step is not None]
        self._steps.setdefault(number, 1 + max(stood, default=-1))
        self._next = max(self._next, number + 1)
        self.name(number, server, version)
        return self._steps[number]

    def name(self, trace: int, server: str | None, version: str | None) -> None:
        """Set the server of a trace; its lines from now on record it."""
        told = {"server": server, "version": version}
        self._servers[trace] = {key: value for key, value in told.items() if value}

    def begin(self, trace: int, request: Request, meaning: Meaning = SEED_MEANING) -> Begun:
        """Note a call that is about to be sent, as the next step of its trace.

        Raises:
            InternalError: writing failed, for example because the disk is full.
        """
        now = datetime.now(UTC)
        begun = Begun(trace, self._steps[trace], request, meaning, now, time.monotonic())
        self.note(begun)
        return begun

    def note(self, begun: Begun) -> None:
        """Note a call that was already sent; ``begin`` notes one that is sent now."""
        self._steps[begun.trace] = begun.step + 1
        _append(self._under_way_file, as_json({**begun.line, **self._servers[begun.trace]}), self.folder / UNDER_WAY)
        self._under_way[begun.trace, begun.step] = begun

    def next_step(self, trace: int) -> int:
        """Return the number of the trace's next step."""
        return self._steps[trace]

    def end(
        self, begun: Begun, result: Mapping[str, Any], *, elapsed_ms: float | None = None, **more: object
    ) -> dict[str, Any]:
        """Write the line of an answered call, and return it.

        Args:
            result: the answer in the form of ``Recorded.result``.
            elapsed_ms: how long it took, in milliseconds; by default, the time since the call was begun.
            more: further keys of the line.

        Raises:
            InternalError: writing failed, for example because the disk is full.
        """
        if elapsed_ms is None:
            elapsed_ms = (time.monotonic() - begun.started) * 1000
        told = {"result": result, "elapsed_ms": round(elapsed_ms, 3), **self._servers[begun.trace], **more}
        line = {**begun.line, **told}
        _append(self._file, as_json(line), self.folder / CALLS)
        del self._under_way[begun.trace, begun.step]
        if not self._under_way:
            os.ftruncate(self._under_way_file, 0)
        return line

    def add(self, trace: int, request: Request, result: Mapping[str, Any]) -> dict[str, Any]:
        """Write a call with its known answer, and return its line."""
        return self.end(self.begin(trace, request), result)

    def note_again(self, line: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Write the answer to a call that was repeated later; the line of the first answer stays unchanged.

        Raises:
            InternalError: writing failed, for example because the disk is full.
        """
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        file = self.folder / AGAIN
        descriptor = _open(file)
        try:
            told = {"trace": line["trace"], "step": line["step"], "at": at, "result": result}
            _append(descriptor, as_json(told), file)
        finally:
            os.close(descriptor)

    def close(self, why: str = ENDED) -> None:
        """Release the folder; calls still under way are written as calls without an answer, for this reason."""
        if self._file < 0:
            return
        try:
            for begun in list(self._under_way.values()):
                self.end(begun, {"silence": why})
        finally:
            self._let_go()

    def _let_go(self) -> None:
        if self._under_way_file >= 0:
            # Removed while the lock is still held: the next recorder creates its own file.
            if not os.fstat(self._under_way_file).st_size:
                (self.folder / UNDER_WAY).unlink(missing_ok=True)
            os.close(self._under_way_file)
        os.close(self._file)
        self._file = self._under_way_file = -1

    def _mend(self) -> tuple[str, ...]:
        said = []
        calls = self.folder / CALLS
        raw = calls.read_bytes()
        whole = _complete_bytes(raw, calls)
        if whole < len(raw):
            os.ftruncate(self._file, whole)
            said.append(f"{calls}: the last line was half written and is cut off ({len(raw) - whole} bytes)")
        elif raw and not raw.endswith(b"\n"):
            _append(self._file, b"", calls)
        left = _left_under_way(self.folder, _complete_calls(calls))
        for line in left:
            _append(self._file, line, calls)
        os.ftruncate(self._under_way_file, 0)
        if left:
            said.append(f"{calls}: {len(left)} without an answer when the recording was killed, noted as silent")
        return tuple(said)


def read_recording(folder: Path) -> list[Recorded]:
    """Return a recording's calls in the order of trace and step, also during recording and after a kill.

    Raises:
        FarmError: there is no recording, or a line is not a recorded call; the message names the line.
    """
    calls = _complete_calls(folder / CALLS)
    left = _left_under_way(folder, calls)
    calls += [read_line(line, len(calls) + at, folder / UNDER_WAY) for at, line in enumerate(left, 1)]
    if not calls:
        raise FarmError(f"{folder} holds no recorded call; record some with farm traverse proxy, seed or perturb")
    return _sorted(calls)


def read_again(folder: Path) -> dict[tuple[int, int], dict[str, Any]]:
    """Return the answers to repeated calls, by trace and step; an incomplete last line is left out.

    Raises:
        FarmError: a line is invalid; the message names it.
    """
    file = folder / AGAIN
    if not file.is_file():
        return {}
    raw = file.read_bytes()
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for number, line in enumerate(raw[: raw.rfind(b"\n") + 1].splitlines(), 1):
        try:
            told = json.loads(line)
            found[told.pop("trace"), told.pop("step")] = told
        except (ValueError, KeyError, TypeError, AttributeError):
            raise FarmError(f"{file}:{number} is no answer to a call made again") from None
    return found


def _open(file: Path) -> int:
    return os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)  # not yet redacted


def _hold(descriptor: int, folder: Path, wait_s: float) -> None:
    if fcntl is None:
        return
    until = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= until:
                raise ConflictError(f"{folder} is in use: another process records there; give another --out") from None
        time.sleep(_LOOK_AGAIN_S)


def _complete_calls(file: Path) -> list[Recorded]:
    """Return the calls of the complete lines."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as problem:
        raise FarmError(f"{file} cannot be read ({problem.strerror})") from None
    lines = raw[: _complete_bytes(raw, file)].split(b"\n")
    return [read_line(line, number, file) for number, line in enumerate(lines, 1) if line.strip()]


def _complete_bytes(raw: bytes, file: Path) -> int:
    """Return how many bytes are complete lines; the last line may be a complete call without its line end."""
    end = raw.rfind(b"\n") + 1
    try:
        read_line(raw[end:], 0, file)
    except FarmError:
        return end
    return len(raw)


def _left_under_way(folder: Path, calls: list[Recorded]) -> list[bytes]:
    """Return the lines of calls that were begun and never answered."""
    try:
        raw = (folder / UNDER_WAY).read_bytes()
    except OSError:
        return []
    answered = {(each.trace, each.step) for each in calls}
    lines = raw[: raw.rfind(b"\n") + 1].splitlines()
    begun = [_begun(line, number, folder / UNDER_WAY) for number, line in enumerate(lines, 1) if line.strip()]
    silent = {"result": {"silence": KILLED}}
    return [as_json({**each, **silent}) for each in begun if (each["trace"], each["step"]) not in answered]


def _begun(line: bytes, number: int, file: Path) -> dict[str, Any]:
    with suppress(ValueError):
        match said := json.loads(line):
            case {"trace": int(), "step": int(), "tool": str()}:
                return dict(said)
    # A damaged disk or a manual edit: open calls are recorded nowhere else, so nothing is deleted.
    raise FarmError(f"{file}, line {number} is no call that was begun; correct the line, or delete it")


def _sorted(calls: list[Recorded]) -> list[Recorded]:
    # Lines of other recorders may have no trace; those stay in place, at the front.
    return sorted(calls, key=lambda each: (-1 if each.trace is None else each.trace, each.step or 0))


def as_json(line: Mapping[str, Any]) -> bytes:
    """Return one line of a recording or a pool, without its end."""
    # Not orjson: a request may hold lone surrogates or integers of any length.
    try:
        return json.dumps(line, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(line).encode()


def _append(descriptor: int, line: bytes, file: Path) -> None:
    before = os.fstat(descriptor).st_size
    rest = memoryview(line + b"\n")
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError as problem:
        os.ftruncate(descriptor, before)  # half a line would corrupt the next one
        raise InternalError(f"{file} cannot be written ({problem.strerror})") from None

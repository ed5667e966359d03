"""Runs one program and ends with it all processes that it started, also those that left its session or daemonized.

It is a separate program that needs only the standard library, so that it starts in a few milliseconds. The first line
of its standard input is the command; when the input closes, its parent has ended or wants it to end. On Linux it adopts
orphaned descendants, so that a process cannot escape by forking twice. Elsewhere it ends the program's process group
and its current descendants, which a daemon may escape.

It also writes the program's output to the disk, at most the last ``size_max`` bytes of a stream.
"""

from __future__ import annotations

import ctypes
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

_PR_SET_CHILD_SUBREAPER = 36
_CHUNK = 1 << 16
_ENDING_S_MAX = 5.0


class TailBuffer:
    """A file that keeps only the end of a stream, at most ``size_max`` bytes.

    The stream is split into blocks of half that size; of the full blocks only the last is kept, as ``NAME.before``.
    """

    def __init__(self, path: Path, size_max: int) -> None:
        """Create an empty file."""
        self._path = path
        self._half = max(1, size_max // 2)
        self._file = FileIO(path, "wb")
        self._size = 0
        self.total = 0

    def write(self, data: bytes) -> None:
        """Append to the file and drop the oldest data."""
        self.total += len(data)
        while data:
            if self._size >= self._half:
                self._file.close()
                self._file, self._size = self._next(), 0
            part = data[: self._half - self._size]
            with suppress(OSError):  # a full disk: the program is not to hang on it
                self._file.write(part)
            self._size += len(part)
            data = data[len(part) :]

    def _next(self) -> FileIO:
        try:
            os.replace(self._path, before(self._path))
            return FileIO(self._path, "wb")
        except OSError:
            # The program has put something in the file's place. What it prints from now on is lost.
            return FileIO(os.devnull, "wb")

    def close(self) -> None:
        """Write no more."""
        self._file.close()


def before(path: Path) -> Path:
    """Return where the half before a kept file's is."""
    return path.with_name(f"{path.name}.before")


def adopt() -> None:
    """Become the parent of orphaned descendants of this process (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root: int) -> list[int]:
    """Return the descendants of a process."""
    parents = _parents()
    found, left = [], [root]
    while left:
        parent = left.pop()
        below = [pid for pid, its in parents.items() if its == parent]
        found += below
        left += below
    return found


def _parents() -> dict[int, int]:
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(["ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
        return {int(pid): int(parent) for pid, parent in (line.split() for line in listed.splitlines())}
    found = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with suppress(OSError):
                # The program's name is in brackets and may contain brackets and spaces.
                fields = Path(f"/proc/{name}/stat").read_bytes().rpartition(b")")[2].split()
                found[int(name)] = int(fields[1])
    return found


class _Trial:
    """The program of one trial."""

    def __init__(self, orders: dict[str, Any]) -> None:
        self._until = time.monotonic() + orders["time_s_max"]
        self._files = {name: TailBuffer(Path(orders[name]), orders["size_max"]) for name in ("stdout", "stderr")}
        self._readers = selectors.DefaultSelector()
        self._pipes: dict[str, int] = {}
        writers = {}
        for name in self._files:
            self._pipes[name], writers[name] = os.pipe()
            os.set_blocking(self._pipes[name], False)
            self._readers.register(self._pipes[name], selectors.EVENT_READ, name)
        self._readers.register(0, selectors.EVENT_READ, "orders")
        self._ends = _child_end_descriptor()
        self._readers.register(self._ends, selectors.EVENT_READ, "ends")
        self._status: int | None = None
        try:
            with open(orders["stdin"], "rb") as stdin:
                self._program = subprocess.Popen(
                    orders["words"],
                    cwd=orders["folder"],
                    env=orders["environment"],
                    stdin=stdin,
                    stdout=writers["stdout"],
                    stderr=writers["stderr"],
                    start_new_session=True,
                )
        finally:
            for descriptor in writers.values():
                os.close(descriptor)

    def run(self) -> dict[str, Any]:
        """Wait for the program's end, its time limit, or the end of the parent."""
        ended = "time"
        while (left_s := self._until - time.monotonic()) > 0:
            ready = {key.data for key, _ in self._readers.select(min(left_s, 1.0))}
            self._pump()
            if "ends" in ready:
                _drain(self._ends)
            if "orders" in ready:
                ended = "cancelled"
                break
            self._reap()
            if self._status is not None:
                ended = "exit"
                break
        left = self._end_all()
        self._pump()
        for file in self._files.values():
            file.close()
        sizes = {name: file.total for name, file in self._files.items()}
        return {"ended": ended, "status": self._status, "left": left, "sizes": sizes}

    def _pump(self) -> None:
        """Read the program's output, at most a pipe's capacity at a time, so that other events are handled as well."""
        for name, descriptor in list(self._pipes.items()):
            for _ in range(16):
                try:
                    data = os.read(descriptor, _CHUNK)
                except BlockingIOError:
                    break
                if not data:
                    self._readers.unregister(descriptor)
                    os.close(self._pipes.pop(name))
                    break
                self._files[name].write(data)

    def _reap(self) -> bool:
        """Collect the exit statuses of ended children; return whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self._program.pid:
                self._status = os.waitstatus_to_exitcode(status)
                self._program.returncode = self._status

    def _end_all(self) -> int:
        """Kill the program and all descendants of this process; return the number of those that could not be ended."""
        until = time.monotonic() + _ENDING_S_MAX
        while True:
            below = descendants(os.getpid())
            if self._status is None or sys.platform != "linux":
                with suppress(ProcessLookupError, PermissionError):  # macOS answers so when only zombies are left
                    os.killpg(self._program.pid, signal.SIGKILL)
            for pid in below:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not self._reap():
                return 0
            if time.monotonic() > until:
                return len(below)
            self._pump()
            time.sleep(0.002)


def _child_end_descriptor() -> int:
    """Return a descriptor that becomes readable when a child ends."""
    reader, writer = os.pipe()
    for descriptor in (reader, writer):
        os.set_blocking(descriptor, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def _drain(descriptor: int) -> None:
    with suppress(BlockingIOError):
        while os.read(descriptor, 512):
            pass


def main() -> None:
    """Run the command in the first line of standard input, and print its outcome."""
    adopt()
    orders = json.loads(_first_line())
    try:
        trial = _Trial(orders)
    except OSError as problem:
        said: dict[str, Any] = {"error": problem.strerror or str(problem)}
    else:
        said = trial.run()
    with suppress(BrokenPipeError):
        os.write(1, json.dumps(said).encode() + b"\n")


def _first_line() -> bytes:
    """Read exactly the first line: the descriptor is polled for more input later."""
    line = b""
    while not line.endswith(b"\n"):
        data = os.read(0, _CHUNK)
        if not data:
            sys.exit(0)
        line += data
    return line


if __name__ == "__main__":
    main()

"""Relay between a client's stdin and stdout and a server process, without changing a byte."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO

from farm.errors import FarmError
from farm.traverse.proxy.frames import FrameKind
from farm.traverse.proxy.recorder_client import RecorderProcess
from farm.traverse.transport.source import Source

_READ_BYTES = 256 * 1024
_LOOK_AGAIN_S = 0.02
# Two seconds in which this process is running; time in which it is stopped itself does not count.
_SILENT_LOOKS_MAX = 100
_END_S_MAX = 3.0
_PR_SET_PDEATHSIG = 1
_PASSED = (signal.SIGINT, signal.SIGTERM)


def relay(source: Source, folder: Path) -> int:
    """Start the server and relay between it and this process's stdin and stdout until it ends; return its status.

    Raises:
        FarmError: the server does not start, or the folder is in use.
    """
    beside = RecorderProcess(folder, source.name, is_http=False, body_max=source.body_max)
    try:
        server = _start(source)
    except FarmError:
        beside.finish()
        raise
    return _Relay(source.name, server, beside).run()


def _start(source: Source) -> subprocess.Popen[bytes]:
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None

    def die_with_us() -> None:
        # To its client, a killed proxy must look like a killed server.
        if libc is not None:
            libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    try:
        return subprocess.Popen(
            source.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # The client set these variables for its server and would have done so without the proxy.
            env={**os.environ, **source.environment},
            cwd=source.folder,
            bufsize=0,
            preexec_fn=die_with_us,  # safe while this process has only one thread
        )
    except OSError as problem:
        name = problem.filename or source.command[0]
        raise FarmError(f"{source.name} does not start: {name}: {problem.strerror}") from None


class _Passing(threading.Thread):
    """Passes on the bytes of one direction.

    Attributes:
        is_sending: whether some bytes were read but not yet completely sent.
    """

    def __init__(self, work: Callable[[_Passing], None]) -> None:
        """Start the thread at once."""
        super().__init__(daemon=True)
        self._work = work
        self.is_sending = False
        self.start()

    def run(self) -> None:
        """Do the work."""
        self._work(self)


class _Relay:
    """One server from start to end."""

    def __init__(self, name: str, server: subprocess.Popen[bytes], beside: RecorderProcess) -> None:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        self._name = name
        self._server = server
        self._beside = beside
        self._has_client_left = False
        self._last_line = b""
        self._is_told_to_end = threading.Event()
        self._to_server, self._from_server, self._errors = server.stdin, server.stdout, server.stderr

    def run(self) -> int:
        """Relay everything until the server has ended, and return its status."""
        # A separate thread waits for the signals. A Python handler could miss a signal that arrives between the last
        # check for signals and the wait for the server: nothing would interrupt that wait until the next signal.
        signal.pthread_sigmask(signal.SIG_BLOCK, _PASSED)
        threading.Thread(target=self._pass_signals, daemon=True).start()
        self._beside.start()
        _Passing(self._up)
        down, errors = _Passing(self._down), _Passing(self._pass_errors)
        status = self._server.wait()
        for passing, output in ((down, self._from_server), (errors, self._errors)):
            self._let_end(passing, output)
        self._beside.put(FrameKind.ENDED, data=self._why(status).encode())
        self._beside.finish()
        return status if status >= 0 else 128 - status

    def _up(self, passing: _Passing) -> None:
        self._has_client_left = _copy(
            0, self._to_server.fileno(), partial(self._beside.put, FrameKind.CLIENT, 0), passing
        )
        with contextlib.suppress(OSError):
            self._to_server.close()

    def _let_end(self, passing: _Passing, output: IO[bytes]) -> None:
        """Pass on the server's last output, however slowly the client reads it.

        The server's own children may keep the output open forever without writing; the relay does not wait for that.
        """
        silent = 0
        while passing.is_alive() and silent < _SILENT_LOOKS_MAX and not self._is_told_to_end.is_set():
            passing.join(_LOOK_AGAIN_S)
            with contextlib.suppress(ValueError, OSError):  # closed meanwhile
                is_silent = not passing.is_sending and not select.select([output], [], [], 0)[0]
                silent = silent + 1 if is_silent else 0

    def _down(self, passing: _Passing) -> None:
        _copy(self._from_server.fileno(), 1, partial(self._beside.put, FrameKind.SERVER, 0), passing)
        # A server without a reader, and a client without a writer, must notice it.
        self._from_server.close()
        with contextlib.suppress(OSError):
            os.close(1)

    def _pass_errors(self, passing: _Passing) -> None:
        _copy(self._errors.fileno(), 2, self._keep_last, passing)

    def _keep_last(self, data: bytes) -> None:
        lines = [line for line in (self._last_line + data).splitlines() if line.strip()]
        self._last_line = lines[-1][-300:] if lines else b""

    def _pass_signals(self) -> None:
        while True:
            number = signal.sigwait(_PASSED)
            with contextlib.suppress(ProcessLookupError):
                self._server.send_signal(number)
            if self._server.returncode is not None:
                self._is_told_to_end.set()
            elif number == signal.SIGTERM:
                killer = threading.Timer(_END_S_MAX, self._kill)
                killer.daemon = True
                killer.start()

    def _kill(self) -> None:
        self._is_told_to_end.set()
        self._server.kill()

    def _why(self, status: int) -> str:
        if self._has_client_left:
            return "the client left before the answer"
        said = self._last_line.decode("utf-8", "replace").strip()
        how = f"status {status}" if status >= 0 else f"signal {-status}"
        return f"{self._name} ended, {how}" + (f": {said}" if said else "")


def _copy(source: int, target: int, tell: Callable[[bytes], None], passing: _Passing) -> bool:
    """Pass on all bytes until one side closes; return whether it was the source."""
    try:
        while data := os.read(source, _READ_BYTES):
            passing.is_sending = True
            tell(data)  # before sending: a call must be recorded before its answer
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(target, rest) :]
            passing.is_sending = False
    except OSError:
        return False
    return True

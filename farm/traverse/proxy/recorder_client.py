"""The relay's side of the recorder: a thread feeds the recorder's process, so that relaying never waits for it."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

from farm.errors import FarmError
from farm.traverse.proxy.frames import Frame, FrameKind
from farm.traverse.transport.bounds import BODY_BYTES_MAX

_WAITING_BYTES_MAX = 512 * 1024 * 1024
_FINISH_S_MAX = 10.0


class RecorderProcess:
    """A recorder process, with the frames not yet sent to it."""

    def __init__(self, folder: Path, name: str, *, is_http: bool, body_max: int = BODY_BYTES_MAX) -> None:
        """Start the recorder.

        Args:
            folder: the recording's folder.
            name: the server's name in messages.
            is_http: whether streams are HTTP connections; else they are lines of JSON.
            body_max: the largest message that is recorded, in bytes.

        Raises:
            FarmError: the folder is in use, or not writable.
        """
        told = json.dumps({"folder": str(folder), "name": name, "is_http": is_http, "body_max": body_max})
        # A separate session: a signal that ends the relay, such as Ctrl-C, must not end the recorder before it has
        # written all.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "farm.traverse.proxy.recorder", told],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        with self._process.stdout:
            said = json.loads(self._process.stdout.readline() or '{"problem": "the recorder did not start"}')
        if "problem" in said:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
            raise FarmError(said["problem"])
        self._frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._waiting_bytes = 0
        self._has_stopped = False
        self._teller = threading.Thread(target=self._tell, name="recorder", daemon=True)

    def start(self) -> None:
        """Start the sending thread; until then, this process has no such thread and may fork."""
        self._teller.start()

    def put(self, kind: FrameKind, stream: int = 0, data: bytes = b"") -> None:
        """Queue a frame; returns at once, whatever the recorder does."""
        if self._has_stopped:
            return
        if self._waiting_bytes > _WAITING_BYTES_MAX:
            self._stop(f"the recorder is {_WAITING_BYTES_MAX >> 20} MB behind")
            return
        self._waiting_bytes += len(data)
        self._frames.put(Frame(kind, stream, time.monotonic(), data))

    def finish(self) -> None:
        """Let the recorder write the queued frames, and wait for that for a limited time."""
        self.put(FrameKind.FINISHED)
        self._frames.put(None)
        if not self._teller.ident:
            self._teller.start()
        self._teller.join(_FINISH_S_MAX)
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self._process.wait(_FINISH_S_MAX) and not self._has_stopped:
                # The recorder was killed after it received all frames and before it wrote them.
                sys.stderr.write("farm: the recorder ended: the last calls may not be recorded\n")

    def _tell(self) -> None:
        assert self._process.stdin is not None
        try:
            while (frame := self._frames.get()) is not None:
                self._process.stdin.write(frame.raw)
                if self._frames.empty():
                    self._process.stdin.flush()
                self._waiting_bytes -= len(frame.data)
            self._process.stdin.flush()
        except OSError:
            self._stop("the recorder ended")
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def _stop(self, why: str) -> None:
        self._has_stopped = True
        self._frames.put(None)
        sys.stderr.write(f"farm: {why}: from here on nothing is recorded; the server still answers\n")
        sys.stderr.flush()

"""The recorder process of a relay: it receives the bytes that passed and writes their calls to the recording.

If the relay is killed, the recorder lives long enough to write what it has received.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from farm.errors import FarmError
from farm.traverse import capture
from farm.traverse.proxy.conversation import Conversation, PendingTrace, ServerState
from farm.traverse.proxy.frames import FrameKind, read_frames
from farm.traverse.proxy.http_exchanges import HttpConnection, Sessions
from farm.traverse.recordings.recording import Recording
from farm.traverse.transport.bounds import format_size

# A client may restart its server while the previous recorder is still writing.
_WAIT_S_MAX = 5.0
_KILLED = "the proxy was killed before the answer"


class Stream(Protocol):
    """Both directions of one connection."""

    def from_client(self, data: bytes, at: float) -> None:
        """Process bytes from the client."""

    def from_server(self, data: bytes, at: float) -> None:
        """Process bytes from the server."""

    def end(self, why: str, at: float) -> None:
        """Process the end of the connection."""


class _LineReader:
    """Splits bytes into lines as they arrive."""

    def __init__(self, line_max: int) -> None:
        self._line_max = line_max
        self._line = bytearray()
        self._is_lost = False

    def feed(self, data: bytes) -> Iterator[bytes | None]:
        """Yield each complete line; for a line that is too long, yield None once."""
        *ended, rest = data.split(b"\n")
        for each in ended:
            if not self._is_lost:
                yield bytes(self._line) + each
            self._is_lost = False
            self._line.clear()
        if not self._is_lost:
            self._line += rest
        if len(self._line) > self._line_max:
            self._is_lost = True
            self._line.clear()
            yield None


class StdioConnection:
    """Messages over stdio, one a line."""

    def __init__(self, state: ServerState) -> None:
        self._conversation = Conversation(state, PendingTrace())
        self._state = state
        self._client, self._server = _LineReader(state.body_max), _LineReader(state.body_max)

    def from_client(self, data: bytes, at: float) -> None:
        """Process bytes from the client."""
        for line in self._client.feed(data):
            if line is None:
                self._state.count_oversized("a line of the client")
            else:
                self._conversation.from_client(line, at)

    def from_server(self, data: bytes, at: float) -> None:
        """Process bytes from the server."""
        for line in self._server.feed(data):
            if line is None:
                self._conversation.lose(self._state.count_oversized("a line"), at)
            else:
                self._conversation.from_server(line, at)

    def end(self, why: str, at: float) -> None:
        """Process the end of the connection."""
        self._conversation.end(why, at)


def main() -> None:
    """Record the frames on stdin; the first line on stdout reports whether recording is possible."""
    told = json.loads(sys.argv[1])
    folder = Path(told["folder"])
    try:
        recording = Recording(folder, wait_s=_WAIT_S_MAX)
    except FarmError as problem:
        _answer({"problem": str(problem)})
        return
    for each in recording.mended:
        _say(each)
    _answer({})
    try:
        with recording:
            state = _record(recording, told["name"], is_http=told["is_http"], body_max=told["body_max"])
    except FarmError as problem:
        _say(str(problem))
        sys.exit(1)
    _say(_summary(state, folder))


def _record(recording: Recording, name: str, *, is_http: bool, body_max: int) -> ServerState:
    def listed(hello: Mapping[str, Any], tools: list[Any]) -> None:
        capture.write_unless_equal(recording.folder, capture.describe_server(name, hello, tools))

    state = ServerState(recording, listed, body_max=body_max)
    sessions = Sessions(state)
    streams: dict[int, Stream] = {}
    why = _KILLED
    for frame in read_frames(sys.stdin.buffer):
        if frame.kind is FrameKind.FINISHED:
            why = "the proxy ended before the answer"
            break
        if frame.stream not in streams:
            streams[frame.stream] = HttpConnection(sessions) if is_http else StdioConnection(state)
        stream = streams[frame.stream]
        if frame.kind is FrameKind.CLIENT:
            stream.from_client(frame.data, frame.at)
        elif frame.kind is FrameKind.SERVER:
            stream.from_server(frame.data, frame.at)
        else:
            streams.pop(frame.stream).end(frame.data.decode(), frame.at)
    now = time.monotonic()
    for stream in streams.values():
        stream.end(why, now)
    sessions.end(None, why, now)
    return state


def _summary(state: ServerState, folder: Path) -> str:
    said = f"{state.calls} call{'' if state.calls == 1 else 's'} recorded in {folder}"
    if state.noise:
        said += f"; {state.noise} lines of the server were no messages"
    if state.too_long:
        size = format_size(state.body_max)
        said += f"; {state.too_long} messages of over {size} passed and are not recorded; --body-max records more"
    if state.unnamed_calls:
        said += f"; {state.unnamed_calls} calls named no tool and are not recorded"
    return said


def _answer(said: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def _say(said: str) -> None:
    sys.stderr.write(f"farm: {said}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()

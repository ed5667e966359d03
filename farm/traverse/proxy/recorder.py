"""The process beside a relay: it is told which bytes passed, and writes the calls in them to the recording.

It outlives a relay that is killed long enough to write what it was told.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from farm.errors import FarmError
from farm.traverse import capture
from farm.traverse.proxy.conversation import Conversation, Known, Trace
from farm.traverse.proxy.frames import Kind, read_frames
from farm.traverse.proxy.http_exchanges import HttpConnection, Sessions
from farm.traverse.recording import Recording

# A client that starts its server anew does so while the last one is still writing.
_WAIT_S_MAX = 5.0
_KILLED = "the proxy was killed before the answer"


class Stream(Protocol):
    """Both directions of one connection."""

    def from_client(self, data: bytes, at: float) -> None:
        """Take bytes of the client."""

    def from_server(self, data: bytes, at: float) -> None:
        """Take bytes of the server."""

    def end(self, why: str, at: float) -> None:
        """The connection is over."""


class Lines:
    """Messages over stdio: a line each."""

    def __init__(self, known: Known) -> None:
        self._conversation = Conversation(known, Trace())
        self._client, self._server = b"", b""

    def from_client(self, data: bytes, at: float) -> None:
        """Take bytes of the client."""
        *lines, self._client = (self._client + data).split(b"\n")
        for line in lines:
            self._conversation.from_client(line, at)

    def from_server(self, data: bytes, at: float) -> None:
        """Take bytes of the server."""
        *lines, self._server = (self._server + data).split(b"\n")
        for line in lines:
            self._conversation.from_server(line, at)

    def end(self, why: str, at: float) -> None:
        """The connection is over."""
        self._conversation.end(why, at)


def main() -> None:
    """Record what stdin tells; the first line on stdout says whether that is possible."""
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
            known = _record(recording, told["name"], is_http=told["is_http"])
    except FarmError as problem:
        _say(str(problem))
        sys.exit(1)
    _say(_summary(known, folder))


def _record(recording: Recording, name: str, *, is_http: bool) -> Known:
    def listed(hello: Mapping[str, Any], tools: list[Any]) -> None:
        capture.keep(recording.folder, capture.described(name, hello, tools))

    known = Known(recording, listed)
    sessions = Sessions(known)
    streams: dict[int, Stream] = {}
    why = _KILLED
    for frame in read_frames(sys.stdin.buffer):
        if frame.kind is Kind.FINISHED:
            why = "the proxy ended before the answer"
            break
        if frame.stream not in streams:
            streams[frame.stream] = HttpConnection(sessions) if is_http else Lines(known)
        stream = streams[frame.stream]
        if frame.kind is Kind.CLIENT:
            stream.from_client(frame.data, frame.at)
        elif frame.kind is Kind.SERVER:
            stream.from_server(frame.data, frame.at)
        else:
            streams.pop(frame.stream).end(frame.data.decode(), frame.at)
    now = time.monotonic()
    for stream in streams.values():
        stream.end(why, now)
    sessions.end(None, why, now)
    return known


def _summary(known: Known, folder: Path) -> str:
    said = f"{known.calls} call{'' if known.calls == 1 else 's'} recorded in {folder}"
    if known.noise:
        said += f"; {known.noise} lines of the server were no messages"
    if known.strange:
        said += f"; {known.strange} calls named no tool and are not recorded"
    return said


def _answer(said: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def _say(said: str) -> None:
    sys.stderr.write(f"farm: {said}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()

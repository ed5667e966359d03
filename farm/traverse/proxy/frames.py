"""The frames that a relay sends to the recorder: which bytes passed in which direction, and when."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import BinaryIO

_HEAD = struct.Struct("!BIdI")


class FrameKind(IntEnum):
    """The kind of an event."""

    CLIENT = 1  # the client sent these bytes
    SERVER = 2  # the server sent these bytes
    ENDED = 3  # the stream ended, for this reason
    FINISHED = 4  # the relay ended normally: it was not killed


@dataclass(frozen=True)
class Frame:
    """One event on one stream.

    Attributes:
        at: seconds of the monotonic clock, which all processes share.
    """

    kind: FrameKind
    stream: int
    at: float
    data: bytes = b""

    @property
    def raw(self) -> bytes:
        """The frame as bytes."""
        return _HEAD.pack(self.kind, self.stream, self.at, len(self.data)) + self.data


def read_frames(file: BinaryIO) -> Iterator[Frame]:
    """Yield the frames of a stream until it ends; an incomplete frame of a killed relay is dropped."""
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        kind, stream, at, size = _HEAD.unpack(head)
        data = file.read(size)
        if len(data) < size:
            return
        yield Frame(FrameKind(kind), stream, at, data)

"""What a relay tells the recorder: which bytes passed in which direction, and when."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import BinaryIO

_HEAD = struct.Struct("!BIdI")


class Kind(IntEnum):
    """What happened."""

    CLIENT = 1  # the client sent these bytes
    SERVER = 2  # the server did
    ENDED = 3  # the stream is over, for this reason
    FINISHED = 4  # the relay ends by itself: it was not killed


@dataclass(frozen=True)
class Frame:
    """One thing that happened on one stream.

    Attributes:
        at: on the monotonic clock, in seconds; it is one clock for all processes.
    """

    kind: Kind
    stream: int
    at: float
    data: bytes = b""

    @property
    def raw(self) -> bytes:
        """The frame as bytes."""
        return _HEAD.pack(self.kind, self.stream, self.at, len(self.data)) + self.data


def read_frames(file: BinaryIO) -> Iterator[Frame]:
    """Yield the frames of a stream until it ends; what a killed relay wrote by half is none."""
    while len(head := file.read(_HEAD.size)) == _HEAD.size:
        kind, stream, at, size = _HEAD.unpack(head)
        data = file.read(size)
        if len(data) < size:
            return
        yield Frame(Kind(kind), stream, at, data)

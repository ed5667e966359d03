"""Parse server-sent events, as MCP over HTTP uses them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

EVENT_BYTES_MAX = 16 * 2**20


class EventTooLongError(Exception):
    """An event, or a line of one, exceeds its bound."""


class EventReader:
    """Extracts the data of events from bytes as they arrive."""

    def __init__(self, event_max: int = EVENT_BYTES_MAX) -> None:
        """Begin a stream of events of at most ``event_max`` bytes each."""
        self._event_max = event_max
        self._line = bytearray()  # the incomplete line
        self._data: list[bytes] = []
        self._size = 0

    def feed(self, body: bytes) -> Iterator[bytes]:
        """Yield the data of each complete event; an incomplete event at the end of the stream is dropped.

        Raises:
            EventTooLongError: an event is too long.
        """
        *ended, rest = body.split(b"\n")
        for part in ended:
            line = bytes(self._line) + part if self._line else part
            self._line.clear()
            if (event := self._take(line.removesuffix(b"\r"))) is not None:
                yield event
        self._line += rest
        self._require_short()

    def _take(self, line: bytes) -> bytes | None:
        if line.startswith(b"data:"):
            self._data.append(line[5:].removeprefix(b" "))
            self._size += len(line) + 1
            self._require_short()
        elif not line and self._data:
            data = b"\n".join(self._data)
            self._data, self._size = [], 0
            return data if data.strip() else None
        return None

    def _require_short(self) -> None:
        if self._size + len(self._line) > self._event_max:
            raise EventTooLongError


async def events(pieces: AsyncIterator[bytes], event_max: int = EVENT_BYTES_MAX) -> AsyncIterator[bytes]:
    """Yield the data of each event of a ``text/event-stream``, given its bytes as they arrive.

    Raises:
        EventTooLongError: an event is too long.
    """
    reader = EventReader(event_max)
    async for piece in pieces:
        for event in reader.feed(piece):
            yield event

"""Bound the bytes that are read from a model endpoint's response as they arrive."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import httpx2 as httpx  # the HTTP library of the openai package

ANSWER_BYTES_MAX = 16 * 2**20  # a reply of a hundred thousand tokens is half a megabyte
# gzip expands at most a thousandfold, and a thousand times this is still an acceptable size.
_PACKED_BYTES_MAX = 64 * 2**10
_PACKED = ("gzip", "x-gzip", "deflate")
# The encoding we request; a response that is compressed anyway gets the smaller bound.
HEADERS = {"accept-encoding": "identity"}


class AnswerTooLongError(Exception):
    """An endpoint's response exceeds the bound."""


class _Bounded(httpx.AsyncByteStream, httpx.SyncByteStream):
    """A response body that is read up to the bound."""

    def __init__(self, stream: httpx.AsyncByteStream | httpx.SyncByteStream, bytes_max: int, host: str) -> None:
        self._stream, self._bytes_max, self._host = stream, bytes_max, host
        self._size = 0

    def _counted(self, data: bytes) -> bytes:
        self._size += len(data)
        if self._size > self._bytes_max:
            raise AnswerTooLongError(f"{self._host} sends an answer of over {self._bytes_max:,} bytes")
        return data

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._stream, httpx.AsyncByteStream)
        async for data in self._stream:
            yield self._counted(data)

    def __iter__(self) -> Iterator[bytes]:
        assert isinstance(self._stream, httpx.SyncByteStream)
        for data in self._stream:
            yield self._counted(data)

    async def aclose(self) -> None:
        assert isinstance(self._stream, httpx.AsyncByteStream)
        await self._stream.aclose()

    def close(self) -> None:
        assert isinstance(self._stream, httpx.SyncByteStream)
        self._stream.close()


async def bound_answer_async(answer: httpx.Response) -> None:
    """Bound a response body, as ``bound_answer`` does."""
    bound_answer(answer)


def bound_answer(answer: httpx.Response) -> None:
    """Bound a response body (httpx: a hook for responses).

    Raises:
        AnswerTooLongError: the response uses a compression that was not requested and whose expansion is unknown.
    """
    packed = answer.headers.get("content-encoding", "identity").strip().lower()
    host = answer.request.url.host
    if packed != "identity" and packed not in _PACKED:
        raise AnswerTooLongError(f"{host} sends an answer as {packed:.40}, which was not asked for")
    answer.stream = _Bounded(answer.stream, ANSWER_BYTES_MAX if packed == "identity" else _PACKED_BYTES_MAX, host)

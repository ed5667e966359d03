"""The HTTP connection of an agent to the gateway: a call for one app goes on to it, and its answer back, unread.

As in an app's process, this is the short way for requests whose head has been seen before; everything else goes through
ASGI (``agents.py``, ``relay.py``), with the same outcome.
"""

from __future__ import annotations

from typing import Any, Protocol

from farm.server.fast_path import Head, ShortHttp, http_answer

from .relay import silence
from .upstream import Asker, Connection, Pool


class Forwards(Protocol):
    """Whoever knows the way to the apps."""

    def forward_at_once(
        self, episode_id: str, app: str, head: Head, body: bytes, asker: Asker
    ) -> tuple[Pool, Connection] | None:
        """Send a request on to its app, the answer for the asker; None when something has to be waited for."""


class RelayHttp(ShortHttp):
    """One connection of an agent. What it sends while an answer is on its way waits until that is there."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._agents: Forwards = config.app
        self._asked: tuple[Pool, Connection] | None = None
        self._asked_what = ("", b"")
        self._is_ending = False

    def data_received(self, data: bytes) -> None:
        """Take what came (asyncio)."""
        if self._asked is None:
            super().data_received(data)
        else:
            self._held += data
            self.transport.pause_reading()

    def _take(self, place: bytes, head: Head, body: bytes) -> bool:
        episode_id, slash, app = place.decode("latin-1").partition("/")
        if not slash:
            return False
        self._asked = self._agents.forward_at_once(episode_id, app, head, body, self)
        self._asked_what = app, body
        return self._asked is not None

    # -- called by the connection to the app

    def relay(self, data: bytes, *, is_last: bool, closes: bool) -> None:
        """Pass bytes of the answer on."""
        self.transport.write(data)
        if is_last:
            self._end_answer(closes)

    def relay_broken(self, has_begun: bool) -> None:
        """Say that there is no answer; one that has begun can only end."""
        if not has_begun:
            self.transport.write(http_answer(502, silence(*self._asked_what)))
        self._end_answer(closes=has_begun)

    def _end_answer(self, closes: bool) -> None:
        assert self._asked is not None
        pool, connection = self._asked
        self._asked = None
        pool.give_back(connection)
        if closes or self._is_ending:
            self.transport.close()
        elif self._held:
            self.transport.resume_reading()
            super().data_received(b"")

    # -- called by the event loop and the server

    def connection_lost(self, exc: Exception | None) -> None:
        """End what the agent asked for when it leaves."""
        if self._asked is not None:
            self._asked[1].leave()
            self._asked = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Let an answer wait for an agent that reads slowly."""
        super().pause_writing()
        if self._asked is not None:
            self._asked[1].pause()

    def resume_writing(self) -> None:
        """Let it come again."""
        super().resume_writing()
        if self._asked is not None:
            self._asked[1].resume()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if it was idle for all that time; waiting for an answer is not idle."""
        if self._asked is not None:
            self._used_at = self.loop.time()
        super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """Finish the request in progress, then close."""
        if self._asked is None:
            super().shutdown()
        self._is_ending = True

"""The HTTP connection of an agent to the gateway: a call for one app goes on to it, and its answer back, unread.

As in an app's process, this is the short way for requests whose head has been seen before; everything else goes through
ASGI (``mcp_endpoint.py``, ``relay.py``), with the same outcome.
"""

from __future__ import annotations

from typing import Any, Protocol

from farm.server.fast_path import FastPathProtocol, RequestHead

from .relay import no_answer
from .upstream import Connection, Downstream


class Relays(Protocol):
    """Whoever knows the way to the apps."""

    def relay_at_once(
        self, episode_id: str, app: str, head: RequestHead, body: bytes, downstream: Downstream
    ) -> Connection | None:
        """Send a request on to its app, the answer downstream; None when it has to be looked at first."""


class RelayProtocol(FastPathProtocol):
    """One connection of an agent. What it sends while an answer is on its way waits until that is there."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._endpoint: Relays = config.app
        self._upstream: Connection | None = None  # where the answer comes from that is on its way
        self._asked = ("", b"")  # which app, and what
        self._is_ending = False

    def data_received(self, data: bytes) -> None:
        """Take what came (asyncio)."""
        if self._upstream is None:
            super().data_received(data)
        else:
            self._held += data
            self.transport.pause_reading()
            self._count()

    def _take(self, place: bytes, head: RequestHead, body: bytes) -> bool:
        episode_id, slash, app = place.decode("latin-1").partition("/")
        if not slash:
            return False
        self._upstream = self._endpoint.relay_at_once(episode_id, app, head, body, self)
        self._asked = app, body
        return self._upstream is not None

    @property
    def waits_for_client(self) -> bool:
        """Whether the next thing to come is the client's; an app's answer is not."""
        return self._upstream is None and super().waits_for_client

    # -- called by the connection to the app

    def take_answer(self, data: bytes, *, is_last: bool, closes: bool) -> None:
        """Pass bytes of the answer on."""
        if not is_last:
            self.transport.write(data)
            return
        # Forgotten first: if the agent reads slowly, this must not hold up whoever asks there next.
        self._upstream = None
        self.transport.write(data)
        self._go_on(closes)

    def lose_answer(self, *, has_begun: bool) -> None:
        """Say that there is no answer; one that has begun can only end."""
        self._upstream = None
        if not has_begun:
            self.transport.write(no_answer(*self._asked).over_http())
        self._go_on(closes=has_begun)

    def _go_on(self, closes: bool) -> None:
        if closes or self._is_ending:
            self.transport.close()
        elif self._held:
            self.transport.resume_reading()
            super().data_received(b"")

    def _refuse(self, status: int, problem: str) -> None:
        if self._upstream is None:
            super()._refuse(status, problem)
        else:
            self.transport.close()  # an answer of an app is being passed on, and nothing may come between

    # -- called by the event loop and the server

    def connection_lost(self, exc: Exception | None) -> None:
        """End what the agent asked for when it leaves."""
        if self._upstream is not None:
            self._upstream.leave()
            self._upstream = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Let an answer wait for an agent that reads slowly."""
        super().pause_writing()
        if self._upstream is not None:
            self._upstream.pause()

    def resume_writing(self) -> None:
        """Let it come again."""
        super().resume_writing()
        if self._upstream is not None:
            self._upstream.resume()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if it was idle for all that time; waiting for an answer is not idle."""
        if self._upstream is not None:
            self._used_at = self.loop.time()
        super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """Finish the request in progress, then close."""
        if self._upstream is None:
            super().shutdown()
        self._is_ending = True

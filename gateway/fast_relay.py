"""The HTTP connection of an agent to the gateway: relays a call for one app, and its answer, without parsing them.

As in an app's process, this is the fast path for requests with known headers. Everything else goes through ASGI
(``mcp_endpoint.py``, ``relay.py``), with the same outcome.
"""

from __future__ import annotations

from typing import Any, Protocol

from farm.server.fast_path.protocol import FastPathProtocol, RequestHead

from .relay import no_answer
from .upstream import Connection, Downstream


class Relays(Protocol):
    """A server that can relay requests to the apps."""

    def relay_at_once(
        self, episode_id: str, app: str, head: RequestHead, body: bytes, downstream: Downstream
    ) -> Connection | None:
        """Relay a request to its app, the answer downstream; return None if the request must go through ASGI."""


class RelayProtocol(FastPathProtocol):
    """One connection of an agent. Further requests wait until the current answer is complete."""

    def __init__(self, config: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(config, *arguments, **options)
        self._endpoint: Relays = config.app
        self._upstream: Connection | None = None  # source of the answer in progress
        self._asked = ("", b"")  # app and body of the request in progress
        self._is_ending = False

    def data_received(self, data: bytes) -> None:
        """Process received bytes (asyncio)."""
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
        """Return whether the client has to send next; False while an app's answer is awaited."""
        return self._upstream is None and super().waits_for_client

    # -- called by the connection to the app

    def take_answer(self, data: bytes, *, is_last: bool, closes: bool) -> None:
        """Pass bytes of the answer on."""
        if not is_last:
            self.transport.write(data)
            return
        # Cleared first: if the agent reads slowly, it must not pause the connection's next user.
        self._upstream = None
        self.transport.write(data)
        self._go_on(closes)

    def lose_answer(self, *, has_begun: bool) -> None:
        """Answer with an error; if the answer has begun, close the connection."""
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
            self.transport.close()  # an app's answer is in progress, and nothing may be inserted into it

    # -- called by the event loop and the server

    def connection_lost(self, exc: Exception | None) -> None:
        """Abort the request in progress when the agent disconnects."""
        if self._upstream is not None:
            self._upstream.leave()
            self._upstream = None
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Pause the answer while the agent reads slowly."""
        super().pause_writing()
        if self._upstream is not None:
            self._upstream.pause()

    def resume_writing(self) -> None:
        """Resume the answer."""
        super().resume_writing()
        if self._upstream is not None:
            self._upstream.resume()

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection; waiting for an answer is not idle."""
        if self._upstream is not None:
            self._used_at = self.loop.time()
        super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """Finish the request in progress, then close."""
        if self._upstream is None:
            super().shutdown()
        self._is_ending = True

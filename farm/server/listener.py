"""The servers of apps and the gateway: uvicorn on sockets that the supervisor bound, ended by the caller."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import signal
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from farm.errors import UnavailableError
from farm.server.http.answer import error_answer
from farm.server.http.uvicorn_internals import find_problem
from farm.server.limits.connection_limits import ConnectionLimits
from farm.server.limits.limited_protocol import LimitedProtocol
from farm.server.limits.log_throttle import ThrottleFilter

KEEP_ALIVE_S = 600
# Uvicorn logs a warning for every request that is not HTTP, or that asks for a WebSocket.
_UVICORN_THROTTLE = ThrottleFilter()
FINISH_S_MAX = 5
_logger = logging.getLogger("farm.server")


class HttpServer(uvicorn.Server):
    """A uvicorn server that leaves signals to its caller, which may run two servers, and sleeps while idle."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        # Uvicorn wakes ten times a second to check for its end; forty idle servers would keep a core busy.
        await self._ending.wait()

    def end(self) -> None:
        """Finish requests in progress and end; a second call stops waiting for them."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._ending.set()


class _Unhurt:
    """Wraps an application so that the server's end causes no traceback for each request in uvicorn's log."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def send_on(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        except asyncio.CancelledError:
            # Uvicorn has stopped waiting for the request, as the server ends.
            if not has_begun:
                await error_answer(UnavailableError("the farm is ending; what was asked may or may not be done")).send(
                    send
                )


class _Config(uvicorn.Config):
    """Uvicorn's configuration; ``app`` stays the unwrapped application, ``limits`` holds what connections share."""

    def __init__(self, app: ASGIApp, *, for_operators: bool, **options: Any) -> None:
        super().__init__(app, **options)
        self.limits: ConnectionLimits[LimitedProtocol] = ConnectionLimits(trusts_readers=for_operators)

    def load_app(self) -> Callable[[], ASGIApp]:
        return partial(_Unhurt, cast(ASGIApp, self.app))


def http_server(app: ASGIApp, finish_s_max: int = FINISH_S_MAX, *, for_operators: bool = False) -> HttpServer:
    """Return a server of an ASGI application, to be run on a listening socket.

    Args:
        app: the application; its attribute ``connection``, if it has one, is the class that reads its HTTP, if the
            installed uvicorn is the one that the class was made for.
        finish_s_max: seconds that requests in progress may take after the server was told to end.
        for_operators: only clients with an operator's token get long answers, so long unread answers (traces, diffs)
            do not count against the limit for agents' answers.
    """
    logging.getLogger("uvicorn.error").addFilter(_UVICORN_THROTTLE)
    connection: type[asyncio.Protocol] | None = getattr(app, "connection", LimitedProtocol)
    if (problem := find_problem()) is not None:
        _logger.warning("%s; every call takes the long way through uvicorn, without limits to a connection", problem)
        connection = None
    return HttpServer(
        _Config(
            app,
            for_operators=for_operators,
            http=connection or "httptools",
            ws="none",
            interface="asgi3",
            factory=True,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
            timeout_keep_alive=KEEP_ALIVE_S,
            timeout_graceful_shutdown=finish_s_max,
        )
    )


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of uvloop's event loops if uvloop is installed, else None."""
    if importlib.util.find_spec("uvloop") is None:
        return None
    import uvloop

    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def on_signals(end: Callable[[], None]) -> None:
    """Call a function of the running loop on SIGTERM and SIGINT."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, end)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))

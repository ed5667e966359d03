"""How apps and the gateway listen: uvicorn on sockets that somebody else bound, ended by whoever runs it."""

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

from farm.errors import Unavailable
from farm.server.answer import error_answer
from farm.server.bounded_protocol import BoundedProtocol
from farm.server.room import Room
from farm.server.seldom import Seldom
from farm.server.uvicorn_internals import find_problem

KEEP_ALIVE_S = 600
# Uvicorn warns of every request that is no HTTP, or that asks for a WebSocket.
_UVICORN_SELDOM = Seldom()
FINISH_S_MAX = 5
_logger = logging.getLogger("farm.server")


class HttpServer(uvicorn.Server):
    """A uvicorn server that leaves signals to whoever runs two of them, and sleeps while there is nothing to do."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ending = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        # Uvicorn wakes ten times a second to look whether it shall end; forty idle servers would keep a core warm.
        await self._ending.wait()

    def end(self) -> None:
        """Finish what is in progress and end; told twice, do not wait for anyone."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._ending.set()


class _Unhurt:
    """An application that the server's end does not make fail: uvicorn would print a traceback for every request."""

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
            # Uvicorn waits for a request no longer, as the server ends.
            if not has_begun:
                await error_answer(Unavailable("the farm is ending; what was asked may or may not be done")).send(send)


class _Config(uvicorn.Config):
    """Uvicorn's configuration of an application; ``app`` is still that itself, and ``room`` what connections share."""

    def __init__(self, app: ASGIApp, *, for_operators: bool, **options: Any) -> None:
        super().__init__(app, **options)
        self.room: Room[BoundedProtocol] = Room(trusts_readers=for_operators)

    def load_app(self) -> Callable[[], ASGIApp]:
        return partial(_Unhurt, cast(ASGIApp, self.app))


def http_server(app: ASGIApp, finish_s_max: int = FINISH_S_MAX, *, for_operators: bool = False) -> HttpServer:
    """Return a server of an ASGI application, to be run on a listening socket.

    Args:
        app: the application; its attribute ``connection``, if it has one, is the class that reads its HTTP, where
            uvicorn is the one that class was made for.
        finish_s_max: how long requests in progress may take once it shall end.
        for_operators: it answers at length to nobody without a token of theirs, so that traces and comparisons, which
            are as long as they are, need not be read within what agents' answers come to.
    """
    logging.getLogger("uvicorn.error").addFilter(_UVICORN_SELDOM)
    connection: type[asyncio.Protocol] | None = getattr(app, "connection", BoundedProtocol)
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
    """Return what makes uvloop's event loops where there is uvloop, or None."""
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

"""Apps served from a thread of a process that also uses their contexts directly: servers for a test's agent.

Each access to a context, by a request or a call in process, holds one lock, so that no unfinished work is visible.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from farm._util.sockets import bind
from farm.content import protocol_module
from farm.context.context import Context
from farm.context.settings import Settings
from farm.context.store import Store
from farm.server.app import AppServer, Decision
from farm.server.deadline import Alarm
from farm.server.episode_gate import EpisodeGate
from farm.server.fast_path.header_template import HeaderTemplate
from farm.server.listener import HttpServer, http_server, loop_factory
from farm.server.pipeline import Outcome

# Makes a call inside after its wait: settings, context, tool, arguments, menu and person.
Waited = Callable[[Settings, Context, str, object, frozenset[str] | None, str | None], AbstractContextManager[None]]


class SharedServer(AppServer):
    """Serves contexts that other code in this process uses, too."""

    def __init__(self, store: Store, lock: threading.RLock, alarm: Alarm | None = None) -> None:
        protocol = protocol_module(store.loaded.app.name)
        data = Path(store.episodes).parent
        super().__init__(store.loaded, data, json_mode=protocol is None, protocol=protocol, store=store, alarm=alarm)
        self._lock = lock

    def decide(self, template: HeaderTemplate, episode_id: str, headers: dict[bytes, bytes], body: bytes) -> Decision:
        """Decide while holding the lock of the contexts."""
        with self._lock:
            return super().decide(template, episode_id, headers, body)

    def run_call(self, gate: EpisodeGate, name: str, arguments: object, *, is_null: bool = False) -> Outcome:
        """Run one call while holding the lock of the contexts."""
        with self._lock:
            return super().run_call(gate, name, arguments, is_null=is_null)

    def run_request(self, gate: EpisodeGate, method: str, params: object) -> Outcome:
        """Run one request of a prompt or a resource while holding the lock of the contexts."""
        with self._lock:
            return super().run_request(gate, method, params)


class CompanionServer(SharedServer):
    """Serves a companion: its calls may wait."""

    def __init__(self, store: Store, lock: threading.RLock, alarm: Alarm | None, waited: Waited) -> None:
        super().__init__(store, lock, alarm)
        self._waited = waited

    def run_call(self, gate: EpisodeGate, name: str, arguments: object, *, is_null: bool = False) -> Outcome:
        """Run one call after its wait."""
        with self._lock:
            context = self.store.open(gate.id)
            with self._waited(context.settings, context, name, arguments, gate.menu, gate.person):
                return super().run_call(gate, name, arguments, is_null=is_null)


class ServerThread:
    """An event loop on a separate thread, and the servers that run on it."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._serving: list[tuple[HttpServer, asyncio.Task[None]]] = []

    def serve(self, server: SharedServer) -> int:
        """Serve an app on a free port of the loopback address, and return the port."""
        if self._loop is None:
            factory = loop_factory() or asyncio.new_event_loop
            self._loop = factory()
            # An interrupted test must not keep its process waiting.
            self._thread = threading.Thread(target=self._loop.run_forever, name="farm-servers", daemon=True)
            self._thread.start()
            atexit.register(self.close)
        return asyncio.run_coroutine_threadsafe(self._begin(server), self._loop).result()

    async def _begin(self, server: SharedServer) -> int:
        listening = bind("127.0.0.1", 0, "port")
        port: int = listening.getsockname()[1]
        http = http_server(server)
        ready = asyncio.Event()

        async def run() -> None:
            async with server.running():
                ready.set()
                await http.serve([listening])

        task = asyncio.create_task(run())
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
        if not ready.is_set():
            waiting.cancel()
            listening.close()
            await task  # raises the error that prevented the start
        self._serving.append((http, task))
        return port

    async def _end(self) -> None:
        for http, _ in self._serving * 2:
            http.end()  # a second call makes it wait for nothing
        await asyncio.gather(*(task for _, task in self._serving))
        self._serving.clear()

    def close(self) -> None:
        """End the servers and the thread; a forked process has neither, as they stay with its parent."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None or not thread.is_alive():
            return
        self._loop = self._thread = None
        atexit.unregister(self.close)
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

"""Apps served from a thread of a process that also uses their contexts directly: servers for a test's agent.

Each access to a context, by a request or a call in process, holds one lock, so that no unfinished work is visible.
"""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from farm._util.sockets import bind
from farm.content import protocol_module
from farm.context.settings import Settings
from farm.context.store import Store
from farm.context.waiting import Notices, OnStep
from farm.server.app import AppServer, Decision
from farm.server.companion import CompanionServer
from farm.server.deadline import Alarm
from farm.server.episode_gate import EpisodeGate
from farm.server.fast_path.header_template import HeaderTemplate
from farm.server.listener import HttpServer, http_server, loop_factory
from farm.server.pipeline import Outcome

# Moves the clocks of an episode's apps to a limit (ms), or to the first notice of a person, and returns the notices.
WaitAll = Callable[[Settings, int, str | None], Notices]
# Returns what a person was notified of in an episode's apps since it began.
ListAll = Callable[[Settings, str | None], Notices]


class SharedServer(AppServer):
    """Serves contexts that other code in this process uses, too."""

    def __init__(self, store: Store, lock: threading.RLock, alarm: Alarm | None = None, **options: Any) -> None:
        protocol = protocol_module(store.loaded.app.name)
        data = Path(store.episodes).parent
        options |= {"json_mode": protocol is None, "protocol": protocol, "store": store, "alarm": alarm}
        super().__init__(store.loaded, data, **options)
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


class SharedCompanion(SharedServer, CompanionServer):
    """Serves a companion, whose calls move the clocks of contexts that other code in this process uses, too."""

    def __init__(
        self, store: Store, lock: threading.RLock, alarm: Alarm | None, wait: WaitAll, list_notices: ListAll
    ) -> None:
        self._wait, self._list_notices = wait, list_notices
        super().__init__(store, lock, alarm, move=self._move_clocks, notices=self._list_all)

    async def _move_clocks(self, episode_id: str, until_ms: int, person: str | None, on_step: OnStep | None) -> Notices:
        with self._lock:
            context = self.store.open(episode_id)
            notices = self._wait(context.settings, until_ms, person)
            now_ms = context.now_ms(False)
        if on_step is not None:
            await on_step(now_ms)
        return notices

    async def _list_all(self, episode_id: str, person: str | None) -> Notices:
        with self._lock:
            return self._list_notices(self.store.open(episode_id).settings, person)

    def find_question(self, gate: EpisodeGate, tool: str, arguments: object) -> str | None:
        """Find a call's question while holding the lock of the contexts."""
        with self._lock:
            return super().find_question(gate, tool, arguments)

    def find_limit_ms(self, gate: EpisodeGate, tool: str, arguments: object) -> int | None:
        """Find how long a call waits while holding the lock of the contexts."""
        with self._lock:
            return super().find_limit_ms(gate, tool, arguments)

    def clock_ms(self, gate: EpisodeGate) -> int:
        """Return the simulated time while holding the lock of the contexts."""
        with self._lock:
            return super().clock_ms(gate)

    def run_told(
        self, gate: EpisodeGate, tool: str, arguments: object, notices: Notices | None, answer: str | None
    ) -> Outcome:
        """Run one call while holding the lock of the contexts."""
        with self._lock:
            return super().run_told(gate, tool, arguments, notices, answer)

    def run_told_request(self, gate: EpisodeGate, method: str, params: object, notices: Notices) -> Outcome:
        """Run one request of a resource while holding the lock of the contexts."""
        with self._lock:
            return super().run_told_request(gate, method, params, notices)


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
        # The SDK's event streams leave a task behind that waits for the end of the process.
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

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

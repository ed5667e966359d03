"""A small process that has imported the shared modules and forks the apps and the gateway on request.

It runs no event loop, opens no database and starts no thread, so forking it is safe. The children share the loaded
modules, and a restart needs few imports. Orders come as JSON lines on a socket, one fork each: the child's name, and
its configuration under ``app`` or ``gateway``. The answer is ``{"forked": name, "pid": …}``, and ``{"ended": pid,
"status": …}`` when a child ends. When the socket closes, the supervisor is gone, and the children end a moment later.
"""

from __future__ import annotations

import gc
import importlib
import os
import selectors
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from farm import content
from farm.runtime.supervisor import schema_processes
from farm.runtime.supervisor.app_process import GATEWAY, AppProcessConfig, end_with_parent, serve
from farm.runtime.supervisor.immortal_objects import make_immortal

_END_S_MAX = 4.0
# The signals that end a child. The starter ignores both.
_ENDS = (signal.SIGTERM, signal.SIGINT)
# The starter opens a few, and two for every app.
_DESCRIPTORS_MAX = 4096
_SHARED = ("farm.server.serve", "farm.appkit.schema_cache")
# Of many apps, most need the first two, and some the third, which takes 5 MiB.
_BY_SEVERAL = ("farm.appkit.feature_requests", "farm.appkit.formats.times", "jsonschema")
_FEW = 3
# Otherwise every child would import these when the first event loop runs or the first request comes.
_LATE = ("uvloop", "anyio._backends._asyncio", "concurrent.futures.thread", "encodings.idna", "uvicorn.lifespan.off")


def _preload(apps: Sequence[str]) -> None:
    """Import the modules that at least two children need.

    Kernels and schemas are left to the process that serves them: children import theirs on all cores concurrently.
    """
    content.roots()
    for name in (*_SHARED, *(_BY_SEVERAL if len(apps) > _FEW else ())):
        importlib.import_module(name)
    for name in _LATE:
        # Private modules of other packages: if they have moved, children import them themselves.
        with suppress(ImportError):
            importlib.import_module(name)


class Starter:
    """Forks children and reports their ends.

    At most two more children than cores start at once; the others wait in line. Otherwise all would share the cores,
    and the gateway, which has the most to import, would be the last to finish, alone.
    """

    def __init__(self, commands: socket.socket) -> None:
        self._commands = commands
        self._children: dict[int, str] = {}
        self._wake_in, self._wake_out = os.pipe()
        os.set_blocking(self._wake_out, False)
        self._selector = selectors.DefaultSelector()
        self._waiting: deque[dict[str, Any]] = deque()
        # Pipes whose other ends children close when they have started, or ended.
        self._starting: set[int] = set()
        # Two more than cores, so that no core waits while the next child is forked.
        self._starting_most = 2 + (os.cpu_count() or 1)

    def run(self) -> None:
        """Serve the supervisor until its socket closes."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in _ENDS:
            signal.signal(number, signal.SIG_IGN)  # the supervisor ends this process by closing the socket
        signal.set_wakeup_fd(self._wake_out, warn_on_full_buffer=False)
        self._selector.register(self._commands, selectors.EVENT_READ)
        self._selector.register(self._wake_in, selectors.EVENT_READ)
        pending = b""
        while True:
            ready = {key.fileobj for key, _ in self._selector.select()}
            if self._wake_in in ready:
                os.read(self._wake_in, 4096)
                self._reap()
            if self._commands in ready:
                given = self._received()
                if not given:
                    break
                # Several orders may come at once, and one may come in pieces.
                *lines, pending = (pending + given).split(b"\n")
                self._waiting.extend(map(orjson.loads, lines))
            for started in self._starting & ready:
                self._starting.discard(started)
                self._selector.unregister(started)
                os.close(started)
            while self._waiting and len(self._starting) < self._starting_most:
                self._fork(self._waiting.popleft())
        self._end_children()

    def _received(self) -> bytes:
        with suppress(ConnectionError):
            return self._commands.recv(1 << 16)
        return b""

    def _say(self, **message: Any) -> None:
        # A closed socket is noticed at the next read.
        with suppress(ConnectionError):
            self._commands.sendall(orjson.dumps(message) + b"\n")

    def _fork(self, order: dict[str, Any]) -> None:
        parent = os.getpid()
        starting, started = os.pipe()
        # A signal before the child has installed its handlers would be lost, as the starter ignores it: block it.
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        pid = os.fork()
        if pid:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
            os.close(started)
            self._starting.add(starting)
            self._selector.register(starting, selectors.EVENT_READ)
            self._children[pid] = order["name"]
            self._say(forked=order["name"], pid=pid)
            return
        # The child: no state of the starter may leak into it, and it must never return from here.
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, *_ENDS):
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
            end_with_parent(parent)
            self._commands.close()
            status = _live(order, started)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)

    def _reap(self) -> None:
        for pid in list(self._children):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                del self._children[pid]
                self._say(ended=pid, status=os.waitstatus_to_exitcode(status))

    def _end_children(self) -> None:
        for pid in self._children:
            os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + _END_S_MAX
        while self._children and time.monotonic() < until:
            for pid in list(self._children):
                if os.waitpid(pid, os.WNOHANG)[0]:
                    del self._children[pid]
            time.sleep(0.005)
        for pid in self._children:
            os.kill(pid, signal.SIGKILL)


def _live(order: dict[str, Any], started: int) -> int:
    """Run the ordered app or gateway, and close ``started`` after most of the start; return the exit status."""
    # As in the starter: there is no garbage during the imports. The server enables the collector.
    gc.disable()
    if "app" in order:
        config = AppProcessConfig.load(order["app"])
        _close_all_but(config.listening, config.control, started)
        return serve(config, on_ready=lambda: os.close(started))
    told = order["gateway"]
    _close_all_but(told["agents_fd"], told["operators_fd"], started)
    gateway = importlib.import_module(f"{GATEWAY}.__main__")
    os.close(started)
    status: int = gateway.run(told)
    return status


def _close_all_but(*kept: int) -> None:
    """Close every descriptor from 3 on: another app's socket left open here would outlive that app's farm."""
    following = 3
    for descriptor in sorted(kept):
        os.closerange(following, descriptor)
        following = descriptor + 1
    os.closerange(following, max(following, _DESCRIPTORS_MAX))


def main() -> None:
    """Start from ``python -m farm.runtime.supervisor.forkserver DESCRIPTOR DATA APP…``; orders wait for the imports."""
    commands = socket.socket(fileno=int(sys.argv[1]))
    # Imports produce no garbage, but the collector would scan all modules repeatedly.
    gc.disable()
    apps = sys.argv[3:]
    deriving = schema_processes.begin(Path(sys.argv[2]), apps)
    _preload(apps)
    if deriving is not None:
        os.waitpid(deriving, 0)
    make_immortal()
    # No collection before: freed objects leave holes, and children that fill them stop sharing whole pages.
    gc.freeze()
    gc.enable()
    Starter(commands).run()


if __name__ == "__main__":
    main()
    sys.stderr.flush()
    os._exit(0)  # nothing is open; unloading every module would only delay the exit

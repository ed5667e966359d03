"""A small process that has imported what all others need, and forks them on request: the apps and the gateway.

It runs no event loop, opens no database and starts no thread, so forking it is safe; what it has loaded is shared by
all, and a restart costs few imports. Orders come as JSON lines on a socket, one fork each: the child's name and under
``app`` or ``gateway`` what that is told. It answers ``{"forked": name, "pid": …}`` and, when a child ends,
``{"ended": pid, "status": …}``. When the socket closes, the supervisor is gone, and so are the children a moment later.
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
from farm.context.schema_cache import kept_path
from farm.supervisor.child import GATEWAY, AppProcessConfig, end_with_parent, serve

_END_S_MAX = 4.0
# What tells a child to end. The starter lets both pass by.
_ENDS = (signal.SIGTERM, signal.SIGINT)
# The starter opens a few, and two for every app.
_DESCRIPTORS_MAX = 4096
_SHARED = ("farm.server.serve", "farm.context.schema_cache")
# Takes SQLAlchemy along, which apps need only where their schema is not kept yet.
_TO_DERIVE = "farm.context.schema"
# What would else be imported when the first event loop runs or the first request comes, in every child anew.
_LATE = ("uvloop", "anyio._backends._asyncio", "concurrent.futures.thread", "encodings.idna", "uvicorn.lifespan.off")


def _preload(data: Path, apps: Sequence[str]) -> None:
    """Import all that two children or more need.

    A kernel and its schema are left to the one process that serves them: children import theirs on all cores at once.
    """
    content.roots()
    for name in _SHARED:
        importlib.import_module(name)
    if not all(kept_path(data / "starts", app).is_file() for app in apps):
        importlib.import_module(_TO_DERIVE)
    for name in _LATE:
        # Names of other people's insides: where they have moved, children import them by themselves.
        with suppress(ImportError):
            importlib.import_module(name)


class Starter:
    """Forks children and tells of their ends.

    Only a few more of them start at once than there are cores, the rest wait in line: if all took turns, the gateway,
    which has the most to do, would be left to do it alone when the others have long been ready.
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
            signal.signal(number, signal.SIG_IGN)  # the supervisor ends us by closing the socket
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
        # That nobody listens any more shows when the socket is read next.
        with suppress(ConnectionError):
            self._commands.sendall(orjson.dumps(message) + b"\n")

    def _fork(self, order: dict[str, Any]) -> None:
        parent = os.getpid()
        starting, started = os.pipe()
        # A child that is told to end before it has taken its first step would let that pass by, as we do.
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
        # The child: nothing of the starter's own may leak into it, and it must never return from here.
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
    """Be the app or the gateway that was ordered, and close ``started`` when most is done; return the exit status."""
    # As in the starter: nothing is garbage until all is imported. Whoever serves turns the collector on.
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
    """Close every descriptor from 3 on: a socket of another app left open here would outlive that app's farm."""
    following = 3
    for descriptor in sorted(kept):
        os.closerange(following, descriptor)
        following = descriptor + 1
    os.closerange(following, max(following, _DESCRIPTORS_MAX))


def main() -> None:
    """Start from ``python -m farm.supervisor.forkserver DESCRIPTOR DATA APP…``; orders wait until all is imported."""
    commands = socket.socket(fileno=int(sys.argv[1]))
    # Nothing is garbage while modules are imported, but the collector would walk all of it, again and again.
    gc.disable()
    _preload(Path(sys.argv[2]), sys.argv[3:])
    # Not collected first: what is freed here leaves holes, and children that fill them stop sharing whole pages.
    gc.freeze()
    gc.enable()
    Starter(commands).run()


if __name__ == "__main__":
    main()
    sys.stderr.flush()
    os._exit(0)  # nothing is open; taking every module apart would only make an end slower

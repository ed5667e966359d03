"""A small process that has imported everything and forks the app processes on request.

It runs no event loop, opens no database and starts no thread, so forking it is safe; what it has loaded is shared by
every app process, and a restart costs no imports. Orders come as JSON lines on a socket, one fork each; it answers
``{"forked": app, "pid": …}`` and, when a child ends, ``{"ended": pid, "status": …}``. When the socket closes, the
supervisor is gone, and so are the children a moment later.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
import time
from contextlib import suppress
from typing import Any

import orjson

from farm.supervisor.child import Orders, end_with_parent, serve

_END_S_MAX = 4.0
# The starter opens a few, and two for every app.
_DESCRIPTORS_MAX = 4096


def _preload(apps: list[str]) -> None:
    """Import all that app processes need, with every kernel, schema and compiled argument check."""
    import farm.server.serve  # noqa: F401
    from farm.content import load_app

    for app in apps:
        loaded = load_app(app)
        loaded.bound  # noqa: B018 - computed once, kept
        loaded.schema.ddl()


class Starter:
    """Forks children and tells of their ends."""

    def __init__(self, commands: socket.socket) -> None:
        self._commands = commands
        self._children: dict[int, str] = {}
        self._wake_in, self._wake_out = os.pipe()
        os.set_blocking(self._wake_out, False)

    def run(self) -> None:
        """Serve the supervisor until its socket closes."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the supervisor ends us by closing the socket
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.set_wakeup_fd(self._wake_out, warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._commands, selectors.EVENT_READ)
            selector.register(self._wake_in, selectors.EVENT_READ)
            pending = b""
            while True:
                ready = {key.fileobj for key, _ in selector.select()}
                if self._wake_in in ready:
                    os.read(self._wake_in, 4096)
                    self._reap()
                if self._commands in ready:
                    given = self._received()
                    if not given:
                        break
                    # Several orders may come at once, and one may come in pieces.
                    *lines, pending = (pending + given).split(b"\n")
                    for line in lines:
                        self._fork(Orders.load(orjson.loads(line)))
        self._end_children()

    def _received(self) -> bytes:
        with suppress(ConnectionError):
            return self._commands.recv(1 << 16)
        return b""

    def _say(self, **message: Any) -> None:
        # That nobody listens any more shows when the socket is read next.
        with suppress(ConnectionError):
            self._commands.sendall(orjson.dumps(message) + b"\n")

    def _fork(self, orders: Orders) -> None:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            self._children[pid] = orders.app
            self._say(forked=orders.app, worker=orders.worker, pid=pid)
            return
        # The child: nothing of the starter's own may leak into it, and it must never return from here.
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            end_with_parent(parent)
            self._commands.close()
            _close_all_but(orders.listening, orders.control)
            status = serve(orders)
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


def _close_all_but(*kept: int) -> None:
    """Close every descriptor from 3 on: a socket of another app left open here would outlive that app's farm."""
    following = 3
    for descriptor in sorted(kept):
        os.closerange(following, descriptor)
        following = descriptor + 1
    os.closerange(following, max(following, _DESCRIPTORS_MAX))


def main() -> None:
    """Start from ``python -m farm.supervisor.starter DESCRIPTOR APP…``."""
    commands = socket.socket(fileno=int(sys.argv[1]))
    # Nothing is garbage while modules are imported and schemas parsed, but the collector would walk all of it, again
    # and again: half the time that some apps took.
    gc.disable()
    _preload(sys.argv[2:])
    # Not collected first: what is freed here leaves holes, and children that fill them stop sharing whole pages.
    gc.freeze()
    gc.enable()
    with suppress(ConnectionError):
        commands.sendall(b'{"ready":true}\n')
    Starter(commands).run()


if __name__ == "__main__":
    main()
    sys.stderr.flush()
    os._exit(0)  # nothing is open; taking every module apart would only make an end slower

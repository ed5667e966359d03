"""The host of episodes in this process: their folder, the engines of the apps, and servers on demand."""

from __future__ import annotations

import atexit
import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from farm.benchmark.runner.in_process_farm import LocalFarm, require_descriptors
from farm.context.open_contexts import DescriptorsExhaustedError, is_exhausted
from farm.server.deadline import ThreadAlarm

if TYPE_CHECKING:
    from farm.server.in_process import ServerThread, SharedServer


class LocalHost:
    """What several worlds share: a folder, the state engine of each app, a server for each that is asked for.

    Attributes:
        farm: makes the episodes.
        is_closed: whether it has ended, and all its worlds with it.
    """

    def __init__(self, data: Path | str | None = None, *, interrupts: bool = True) -> None:
        """Keep everything below a folder, or in a temporary one that goes with the host.

        Args:
            data: the folder; None for a temporary one.
            interrupts: whether a call is interrupted after 250 ms; without, a call is a tenth faster.
        """
        self._own: tuple[Path, int] | None = None
        self._pid = os.getpid()
        self.is_closed = False
        if data is None:
            require_descriptors()
            # Here, as only POSIX has the locks that it is made of.
            from farm._util import temp_folders

            temp_folders.sweep()  # what killed test runs have left
            self._own = temp_folders.made("farm-test-")
            data = self._own[0]
        self._alarm = ThreadAlarm() if interrupts else None
        self.farm = LocalFarm(Path(data), self._alarm, self.port)
        self._thread: ServerThread | None = None
        self._ports: dict[tuple[str, str], int] = {}

    def port(self, app: str, profile: str) -> int:
        """Return the port on which an app is served, to this machine alone; its server starts when first asked for.

        Raises:
            DescriptorsExhaustedError: the system lets this process open no further file.
        """
        profile = self.farm.store(app, profile).loaded.profile
        if (app, profile) not in self._ports:
            from farm.server.in_process import ServerThread

            with self.farm.opening():
                server = self.server(app, profile)
            self._thread = self._thread or ServerThread()
            try:
                self._ports[app, profile] = self._thread.serve(server)
            except OSError as problem:
                if is_exhausted(problem):
                    raise DescriptorsExhaustedError from problem
                raise
        return self._ports[app, profile]

    def server(self, app: str, profile: str) -> SharedServer:
        """Return an ASGI application that serves an app's episodes."""
        from farm.server.in_process import SharedCompanion, SharedServer

        store, lock = self.farm.store(app, profile), self.farm.lock
        if store.loaded.app.companion:
            server: SharedServer = SharedCompanion(store, lock, self._alarm, self.farm.wait, self.farm.notices)
        else:
            server = SharedServer(store, lock, self._alarm)
        self.farm.gates.append(server.gates)
        return server

    def __enter__(self) -> LocalHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the servers, close what is open, and remove the folder if it is the host's own.

        In a forked process it only marks the host as closed: files and servers are the parent's.
        """
        self.is_closed = True
        if os.getpid() != self._pid:
            return
        if self._thread is not None:
            self._thread.close()
            self._thread = None
            self._ports.clear()
        if self._alarm is not None:
            self._alarm.close()
        self.farm.close()
        if self._own is not None:
            folder, lock = self._own
            self._own = None
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)


class CountedHost:
    """A host that ends with the last of its users."""

    def __init__(self, data: Path | str | None = None) -> None:
        self._data = data
        self.begin()

    def begin(self) -> None:
        """Have no host yet."""
        self._lock = threading.Lock()
        self._host: LocalHost | None = None
        self._users = 0

    def join(self) -> LocalHost:
        """Return the host, which has one more user; the first one starts it."""
        with self._lock:
            self._host = self._host or LocalHost(self._data)
            self._users += 1
            return self._host

    def leave(self, host: LocalHost) -> None:
        """End the host if that was its last user; one of the process that this was forked from is left alone."""
        with self._lock:
            if host is self._host:
                self._users -= 1
                if not self._users:
                    self._end()

    def end(self) -> None:
        """End the host, whatever users it has."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        host, self._host = self._host, None
        if host is not None:
            host.close()


class _ProcessHost(CountedHost):
    """The host of all users in this process that name neither a host nor a folder; its folder is removed at exit."""

    def __init__(self) -> None:
        super().__init__()
        atexit.register(self.end)
        if hasattr(os, "register_at_fork"):
            # Folder and servers stay the parent's.
            os.register_at_fork(after_in_child=self.begin)


PROCESS_HOST = _ProcessHost()

"""What cuts a call that takes too long: by a signal in a process of one app, by a watching thread in anybody else's."""

from __future__ import annotations

import atexit
import ctypes
import signal
import threading
import time
from types import FrameType
from typing import Protocol

CUT_AFTER_S = 0.25
_CUT_AFTER_NS = int(CUT_AFTER_S * 1e9)
_TICK_S = 0.025
_QUIET_TICKS_MAX = 40
_AGAIN_NS = 100_000_000
_monotonic_ns = time.monotonic_ns


class Cut(BaseException):
    """The alarm went off. Not an Exception, so that no handler can swallow it by accident."""


class Alarm(Protocol):
    """Raises ``Cut`` in a call that takes too long.

    Attributes:
        fired: whether it went off since it was armed last.
    """

    fired: bool

    def arm(self, left_ns: int = _CUT_AFTER_NS) -> None:
        """Cut what follows once it has taken too long."""

    def disarm(self) -> None:
        """Let what follows take its time."""

    def pause(self) -> int:
        """Let what follows take its time, and return how much is left for what comes after it."""


class SignalAlarm:
    """Interrupts the main thread in a call that takes too long; does nothing on other threads and without such a timer.

    Setting a timer anew for every call would be the dearest part of a short one, so one timer ticks as long as calls
    come, and every tick looks whether the call in progress is due.
    """

    def __init__(self) -> None:
        self._due_ns = 0
        self._is_ticking = False
        self._quiet_ticks = 0
        self._is_installed = False
        self.fired = False

    def _tick(self, _signal: int, _frame: FrameType | None) -> None:
        if not self._due_ns:
            self._quiet_ticks += 1
            if self._quiet_ticks > _QUIET_TICKS_MAX:
                self._is_ticking = False
                signal.setitimer(signal.ITIMER_REAL, 0)
        elif _monotonic_ns() >= self._due_ns:
            # Still due at the next tick: Python swallows what is raised in a __del__ or while it collects garbage.
            self.fired = True
            raise Cut

    def install(self) -> None:
        """Take over SIGALRM in this process, if this is its main thread."""
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._tick)
            if not self._is_installed:
                # A tick after Python has put the signal's default back would kill the process on its way out.
                atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)
            self._is_installed = True
            self._is_ticking = False  # a forked process has no timer, whatever its parent had

    def arm(self, left_ns: int = _CUT_AFTER_NS) -> None:
        """Cut what follows once it has taken too long."""
        self.fired = False
        if self._is_installed:
            self._due_ns = _monotonic_ns() + left_ns
            if not self._is_ticking:
                self._is_ticking = True
                self._quiet_ticks = 0
                signal.setitimer(signal.ITIMER_REAL, _TICK_S, _TICK_S)

    def disarm(self) -> None:
        """Let what follows take its time."""
        self._due_ns = 0

    def pause(self) -> int:
        """Let what follows take its time, and return how much is left for what comes after it."""
        due_ns, self._due_ns = self._due_ns, 0
        return due_ns - _monotonic_ns() if due_ns else _CUT_AFTER_NS


class ThreadAlarm:
    """Interrupts whatever thread makes a call that takes too long, and leaves the process its signals.

    For a process that is somebody else's, such as a test run: SIGALRM may be theirs. Calls are made one at a time,
    under a lock of those who share the alarm. A thread of its own looks every tick whether the call in progress is due;
    it is started by the first call and ends with ``close``.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._end = threading.Event()
        self._is_firing = False
        self._due_ns = 0
        self._caller = 0
        self.fired = False

    def _watch(self) -> None:
        while not self._end.wait(_TICK_S):
            # Raised first and looked at by whoever disarms: in between, the call may end. No lock, because what is
            # raised in the caller might leave it locked.
            self._is_firing = True
            if self._due_ns and _monotonic_ns() >= self._due_ns:
                # Due again soon: Python swallows what is raised in a __del__ or while it collects garbage.
                self._due_ns += _AGAIN_NS
                self.fired = True
                _raise_in(self._caller, Cut)
            self._is_firing = False

    def arm(self, left_ns: int = _CUT_AFTER_NS) -> None:
        """Cut what follows on this thread once it has taken too long."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="farm-alarm", daemon=True)
            self._thread.start()
        self.fired = False
        self._caller = threading.get_ident()
        self._due_ns = _monotonic_ns() + left_ns

    def disarm(self) -> None:
        """Let what follows take its time."""
        self._due_ns = 0
        while self._is_firing:
            time.sleep(0)
        if self.fired:
            _raise_in(self._caller, None)  # what has not been delivered yet

    def pause(self) -> int:
        """Let what follows take its time, and return how much is left for what comes after it."""
        due_ns = self._due_ns
        self.disarm()
        return due_ns - _monotonic_ns()

    def close(self) -> None:
        """End the watching thread; nothing is cut any more."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None


def _raise_in(thread: int, what: type[BaseException] | None) -> None:
    """Let a thread find an exception raised at its next step, or none that it has not found yet."""
    given = None if what is None else ctypes.py_object(what)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), given)

"""The time limit of a call: by a signal in a process of one app, by a watching thread in any other process.

The limit counts the CPU time of the call's thread. On an overloaded machine, a call that runs for 60 ms may take 250 ms
of wall time, and wall time also counts while a process is stopped.
"""

from __future__ import annotations

import _weakrefset
import atexit
import ctypes
import gc
import signal
import sys
import threading
import time
import weakref
from contextlib import suppress
from types import FrameType
from typing import Protocol

CALL_S_MAX = 0.25
_CALL_NS_MAX = int(CALL_S_MAX * 1e9)
_TICK_S, _TICK_NS = 0.025, 25_000_000
# A call that waits, which no handler should, looks like one that is kept waiting, so it times out as well, but later.
# The limit counts ticks after the deadline: a process that is itself stopped or kept waiting does not tick.
_LATE_TICKS_MAX = 90
_QUIET_TICKS_MAX = 40
_AGAIN_NS = 100_000_000
_monotonic_ns, _thread_time_ns = time.monotonic_ns, time.thread_time_ns
# Python swallows what is raised in the functions of these files, which run as an object dies. They are short.
_SWALLOWING = frozenset({weakref.__file__, _weakrefset.__file__})


class CallTimeoutError(BaseException):
    """The call timed out. Not an Exception, so that no handler can swallow it by accident."""


class Alarm(Protocol):
    """Raises ``CallTimeoutError`` in a call that takes too long.

    Attributes:
        fired: whether it fired since it was last armed.
    """

    fired: bool

    def arm(self, left_ns: int = _CALL_NS_MAX) -> None:
        """Start the limit of the following code."""

    def disarm(self) -> None:
        """End the limit."""

    def pause(self) -> int:
        """End the limit, and return the time that is left for the rest of the call, in ns."""


class SignalAlarm:
    """Interrupts a call on the main thread that takes too long; inactive on other threads and without ``setitimer``.

    A new timer for every call would be the largest cost of a short call. So one timer ticks while calls come, and every
    tick checks whether the current call is due. Reading the thread's CPU time is expensive, too, so only ticks do it:
    the last reading before a call bounds how long the call can have run.
    """

    def __init__(self) -> None:
        self._due_ns = 0
        self._left_ns = _CALL_NS_MAX
        self._run_until_ns: int | None = None  # in the thread's CPU time; set by the call's first tick
        self._ran_ns = 0  # at the last tick
        self._late_ticks = 0  # of the current call
        self._is_ticking = False
        self._quiet_ticks = 0
        self._is_installed = False
        self.fired = False

    def _tick(self, _signal: int, frame: FrameType | None) -> None:
        before_ns, self._ran_ns = self._ran_ns, _thread_time_ns()
        if not self._due_ns:
            self._quiet_ticks += 1
            if self._quiet_ticks > _QUIET_TICKS_MAX:
                self._is_ticking = False
                signal.setitimer(signal.ITIMER_REAL, 0)
            return
        now_ns = _monotonic_ns()
        if self._run_until_ns is None:
            taken_ns = now_ns - self._due_ns + self._left_ns
            self._run_until_ns = self._ran_ns + self._left_ns - min(taken_ns, self._ran_ns - before_ns)
        self._late_ticks += now_ns >= self._due_ns
        if _is_over(self._late_ticks, self._ran_ns, self._run_until_ns) and not _is_swallowed(frame):
            # Remains due at the next tick: Python swallows exceptions raised in a __del__ or during garbage collection.
            self.fired = True
            raise CallTimeoutError

    def install(self) -> None:
        """Install the SIGALRM handler of this process, if called on its main thread."""
        if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGALRM, self._tick)
            if not self._is_installed:
                # A tick after Python has restored the signal's default handler would kill the exiting process.
                atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)
            self._is_installed = True
            self._is_ticking = False  # a forked process does not inherit its parent's timer

    def close(self) -> None:
        """Give SIGALRM back; no call times out any more."""
        if self._is_installed:
            self._is_installed = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def arm(self, left_ns: int = _CALL_NS_MAX) -> None:
        """Start the limit of the following code."""
        self.fired = False
        if self._is_installed:
            self._left_ns = left_ns
            self._run_until_ns = None
            self._late_ticks = 0
            self._due_ns = _monotonic_ns() + left_ns
            if not self._is_ticking:
                self._is_ticking = True
                self._quiet_ticks = 0
                self._ran_ns = _thread_time_ns()
                signal.setitimer(signal.ITIMER_REAL, _TICK_S, _TICK_S)

    def disarm(self) -> None:
        """End the limit."""
        self._due_ns = 0

    def pause(self) -> int:
        """End the limit, and return the time that is left for the rest of the call, in ns."""
        due_ns, self._due_ns = self._due_ns, 0
        if not due_ns:
            return _CALL_NS_MAX
        if self._run_until_ns is not None:
            return self._run_until_ns - _thread_time_ns()
        # There was no tick yet, so the call has run for at most one tick.
        left_ns, least_ns = due_ns - _monotonic_ns(), self._left_ns - _TICK_NS
        return left_ns if left_ns > least_ns else least_ns


class ThreadAlarm:
    """Interrupts a call that takes too long on any thread, without SIGALRM.

    For a process that the farm does not own, such as a test run, which may use SIGALRM itself. Calls run one at a time,
    under a lock that the alarm's users share. A separate thread checks at every tick whether the current call is due;
    the first call starts it and ``close`` ends it.

    A process with many objects may collect garbage for longer than a call may take, so that time does not count.

    No other thread runs while Python's ``re`` searches. So calls on the main thread also have a timer of the system, by
    SIGVTALRM, unless the process uses that signal itself. On other threads a search is not interrupted.
    """

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._end = threading.Event()
        self._is_firing = False
        self._due_ns = 0
        self._run_until_ns = 0
        self._caller = 0
        self._clock: int | None = None
        self._is_guarded = False
        self._collecting_since_ns: int | None = None  # in the caller's CPU time
        self.fired = False

    def _collecting(self, phase: str, _: object) -> None:
        if threading.get_ident() != self._caller or not self._due_ns:
            self._collecting_since_ns = None
        elif phase == "start":
            self._collecting_since_ns = self._caller_ran_ns()
        elif self._collecting_since_ns is not None:
            self._run_until_ns += self._caller_ran_ns() - self._collecting_since_ns
            self._collecting_since_ns = None

    def _watch(self) -> None:
        cut_ns = again_ns = late_ns = late_ticks = 0
        while not self._end.wait(_TICK_S):
            # Set first, and read by ``disarm``: in between, the call may end. No lock, because an exception raised
            # in the caller might leave it locked.
            self._is_firing = True
            due_ns, now_ns = self._due_ns, _monotonic_ns()
            late_ns, late_ticks = due_ns, (late_ticks if due_ns == late_ns else 0) + (now_ns >= due_ns > 0)
            if (
                late_ticks
                and self._collecting_since_ns is None
                and _is_over(late_ticks, self._caller_ran_ns(), self._run_until_ns)
                and (due_ns != cut_ns or now_ns >= again_ns)
                and not _is_swallowed(sys._current_frames().get(self._caller))
            ):
                # Due again soon: Python swallows exceptions raised in a __del__ or during garbage collection.
                cut_ns, again_ns = due_ns, now_ns + _AGAIN_NS
                self.fired = True
                _raise_in(self._caller)
            self._is_firing = False

    def arm(self, left_ns: int = _CALL_NS_MAX) -> None:
        """Start the limit of the following code on this thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="farm-alarm", daemon=True)
            self._thread.start()
            gc.callbacks.append(self._collecting)
        self.fired = False
        self._collecting_since_ns = None
        self._caller = threading.get_ident()
        # Where another thread's clock cannot be read, the CPU time of all threads counts.
        self._clock = time.pthread_getcpuclockid(self._caller) if sys.platform == "linux" else None
        self._run_until_ns = self._caller_ran_ns() + left_ns
        self._due_ns = _monotonic_ns() + left_ns
        self._is_guarded = _guard(self, left_ns)

    def look(self, frame: FrameType | None) -> None:
        """Interrupt a call on the main thread that has run so long that the alarm's thread must have been blocked."""
        if self._collecting_since_ns is not None or _is_swallowed(frame):
            return
        if self._due_ns and self._caller_ran_ns() >= self._run_until_ns + 2 * _TICK_NS:
            # Due again soon, for the thread, too.
            self._run_until_ns += _AGAIN_NS
            self.fired = True
            raise CallTimeoutError

    def _caller_ran_ns(self) -> int:
        if self._clock is None:
            return time.process_time_ns()
        try:
            return time.clock_gettime_ns(self._clock)
        except OSError:
            return 0  # that thread has ended

    def disarm(self) -> None:
        """End the limit."""
        self._due_ns = 0
        if self._is_guarded:
            self._is_guarded = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        while self._is_firing:
            time.sleep(0)
        if self.fired:
            # A pending exception is raised here. Revoking it would leave CPython 3.11 checking for it at every step;
            # under a profiler, a debugger or coverage it would then stop altogether.
            with suppress(CallTimeoutError):
                _raise_in(self._caller)
                while True:
                    time.sleep(0)

    def pause(self) -> int:
        """End the limit, and return the time that is left for the rest of the call, in ns."""
        self.disarm()
        return self._run_until_ns - self._caller_ran_ns()

    def close(self) -> None:
        """End the watching thread; no call times out any more."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
            gc.callbacks.remove(self._collecting)


# The alarm of the main thread's current call.
_guarded: ThreadAlarm | None = None


def _guard(alarm: ThreadAlarm, left_ns: int) -> bool:
    """Start the system's timer for a call on the main thread; return whether it runs."""
    global _guarded
    if not hasattr(signal, "ITIMER_VIRTUAL") or threading.current_thread() is not threading.main_thread():
        return False
    handler = signal.getsignal(signal.SIGVTALRM)
    if handler is not _look:
        if handler is not signal.SIG_DFL:
            return False
        signal.signal(signal.SIGVTALRM, _look)
    _guarded = alarm
    signal.setitimer(signal.ITIMER_VIRTUAL, max(left_ns / 1e9, _TICK_S), _TICK_S)
    return True


def _look(_signal: int, frame: FrameType | None) -> None:
    if _guarded is not None:
        _guarded.look(frame)


def _is_swallowed(frame: FrameType | None) -> bool:
    """Return whether Python would swallow what is raised in a frame; the next tick falls into another one."""
    return frame is not None and frame.f_code.co_filename in _SWALLOWING


def _is_over(late_ticks: int, ran_ns: int, run_until_ns: int) -> bool:
    return late_ticks > 0 and (ran_ns >= run_until_ns or late_ticks > _LATE_TICKS_MAX)


def _raise_in(thread: int) -> None:
    """Make a thread raise ``CallTimeoutError`` at its next step, in place of a pending one."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(CallTimeoutError))

"""What cuts a call that takes too long: by a signal in a process of one app, by a watching thread in anybody else's.

What counts is the time that the call's thread has run. On a machine with more to do than processors, a call that runs
for 60 ms may well take 250, and one that was stopped in the middle takes as long as it was stopped.
"""

from __future__ import annotations

import atexit
import ctypes
import signal
import sys
import threading
import time
from contextlib import suppress
from types import FrameType
from typing import Protocol

CUT_AFTER_S = 0.25
_CUT_AFTER_NS = int(CUT_AFTER_S * 1e9)
_TICK_S, _TICK_NS = 0.025, 25_000_000
# One that waits, as no handler should, is not easily told from one that is kept waiting; so it is cut as well, but
# later. What counts is how often it was found late: a process that is itself stopped, or kept waiting, does not look.
_LATE_TICKS_MAX = 90
_QUIET_TICKS_MAX = 40
_AGAIN_NS = 100_000_000
_monotonic_ns, _thread_time_ns = time.monotonic_ns, time.thread_time_ns


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
    come, and every tick looks whether the call in progress is due. Asking how long the thread has run is dear, too, so
    only the ticks do: from what was said at the last one before a call follows what that can have run at most.
    """

    def __init__(self) -> None:
        self._due_ns = 0
        self._left_ns = _CUT_AFTER_NS
        self._run_until_ns: int | None = None  # by the thread's own clock; the call's first tick says
        self._ran_ns = 0  # at the last tick
        self._late_ticks = 0  # of the call in progress
        self._is_ticking = False
        self._quiet_ticks = 0
        self._is_installed = False
        self.fired = False

    def _tick(self, _signal: int, _frame: FrameType | None) -> None:
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
        if _is_over(self._late_ticks, self._ran_ns, self._run_until_ns):
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
        """Let what follows take its time."""
        self._due_ns = 0

    def pause(self) -> int:
        """Let what follows take its time, and return how much is left for what comes after it."""
        due_ns, self._due_ns = self._due_ns, 0
        if not due_ns:
            return _CUT_AFTER_NS
        if self._run_until_ns is not None:
            return self._run_until_ns - _thread_time_ns()
        # No tick has come yet, so it has not run for longer than until the next.
        left_ns, least_ns = due_ns - _monotonic_ns(), self._left_ns - _TICK_NS
        return left_ns if left_ns > least_ns else least_ns


class ThreadAlarm:
    """Interrupts whatever thread makes a call that takes too long, and leaves the process its signals.

    For a process that is somebody else's, such as a test run: SIGALRM may be theirs. Calls are made one at a time,
    under a lock of those who share the alarm. A thread of its own looks every tick whether the call in progress is due;
    it is started by the first call and ends with ``close``.

    No other thread runs while Python's ``re`` looks for a pattern. So calls on the main thread also have a timer of the
    system's, by SIGVTALRM, unless the process has a use of its own for that. On another thread a pattern is not cut.
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
        self.fired = False

    def _watch(self) -> None:
        cut_ns = again_ns = late_ns = late_ticks = 0
        while not self._end.wait(_TICK_S):
            # Raised first and looked at by whoever disarms: in between, the call may end. No lock, because what is
            # raised in the caller might leave it locked.
            self._is_firing = True
            due_ns, now_ns = self._due_ns, _monotonic_ns()
            late_ns, late_ticks = due_ns, (late_ticks if due_ns == late_ns else 0) + (now_ns >= due_ns > 0)
            if (
                late_ticks
                and _is_over(late_ticks, self._caller_ran_ns(), self._run_until_ns)
                and (due_ns != cut_ns or now_ns >= again_ns)
            ):
                # Due again soon: Python swallows what is raised in a __del__ or while it collects garbage.
                cut_ns, again_ns = due_ns, now_ns + _AGAIN_NS
                self.fired = True
                _raise_in(self._caller)
            self._is_firing = False

    def arm(self, left_ns: int = _CUT_AFTER_NS) -> None:
        """Cut what follows on this thread once it has taken too long."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, name="farm-alarm", daemon=True)
            self._thread.start()
        self.fired = False
        self._caller = threading.get_ident()
        # Where another thread's clock cannot be read, what all threads have run counts.
        self._clock = time.pthread_getcpuclockid(self._caller) if sys.platform == "linux" else None
        self._run_until_ns = self._caller_ran_ns() + left_ns
        self._due_ns = _monotonic_ns() + left_ns
        self._is_guarded = _guard(self, left_ns)

    def look(self) -> None:
        """Cut the call on the main thread that has run for so long that the alarm's own thread cannot have run."""
        if self._due_ns and self._caller_ran_ns() >= self._run_until_ns + 2 * _TICK_NS:
            # Due again soon, for the thread too.
            self._run_until_ns += _AGAIN_NS
            self.fired = True
            raise Cut

    def _caller_ran_ns(self) -> int:
        if self._clock is None:
            return time.process_time_ns()
        try:
            return time.clock_gettime_ns(self._clock)
        except OSError:
            return 0  # that thread has ended meanwhile

    def disarm(self) -> None:
        """Let what follows take its time."""
        self._due_ns = 0
        if self._is_guarded:
            self._is_guarded = False
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        while self._is_firing:
            time.sleep(0)
        if self.fired:
            # What has not been delivered yet is found here. Taking it back would leave CPython 3.11 looking for it at
            # every step, and under a profiler, a debugger or coverage it then takes no further step.
            with suppress(Cut):
                _raise_in(self._caller)
                while True:
                    time.sleep(0)

    def pause(self) -> int:
        """Let what follows take its time, and return how much is left for what comes after it."""
        self.disarm()
        return self._run_until_ns - self._caller_ran_ns()

    def close(self) -> None:
        """End the watching thread; nothing is cut any more."""
        self._end.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None


# Whose call the main thread is in.
_guarded: ThreadAlarm | None = None


def _guard(alarm: ThreadAlarm, left_ns: int) -> bool:
    """Have the system look after a call of the main thread; return whether it does."""
    global _guarded
    if not hasattr(signal, "ITIMER_VIRTUAL") or threading.current_thread() is not threading.main_thread():
        return False
    if signal.getsignal(signal.SIGVTALRM) not in (signal.SIG_DFL, _look):
        return False
    _guarded = alarm
    signal.signal(signal.SIGVTALRM, _look)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(left_ns / 1e9, _TICK_S), _TICK_S)
    return True


def _look(_signal: int, _frame: FrameType | None) -> None:
    if _guarded is not None:
        _guarded.look()


def _is_over(late_ticks: int, ran_ns: int, run_until_ns: int) -> bool:
    return late_ticks > 0 and (ran_ns >= run_until_ns or late_ticks > _LATE_TICKS_MAX)


def _raise_in(thread: int) -> None:
    """Let a thread find ``Cut`` raised at its next step, in place of one that it has not found yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Cut))

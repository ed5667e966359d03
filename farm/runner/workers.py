"""Threads that nobody needs to wait for: what hangs in one of them does not keep the process from ending."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

Done = TypeVar("Done")

# How long a broken-off run waits for its threads to clear up behind them.
_CLEARING_S_MAX = 0.4


class Workers(Generic[Done]):
    """Does pieces of work on some threads."""

    def __init__(self, work: Sequence[Callable[[], Done]], count: int) -> None:
        """Begin at once."""
        self.cancelled = threading.Event()
        self._left: SimpleQueue[Callable[[], Done]] = SimpleQueue()
        for each in work:
            self._left.put(each)
        self._count = len(work)
        self._done: SimpleQueue[tuple[Done | None, BaseException | None]] = SimpleQueue()
        # A thread of ThreadPoolExecutor would be waited for when the interpreter ends, however long it hangs.
        self._threads = [
            threading.Thread(target=self._work, name=f"trial-{number}", daemon=True)
            for number in range(min(count, len(work)))
        ]

    def results(self) -> Generator[Done]:
        """Do the work and yield the results as they come; what a piece raises is raised here.

        When the caller breaks off, what has not begun is not begun, and what has is told by ``cancelled``.
        """
        for thread in self._threads:
            thread.start()
        try:
            for _ in range(self._count):
                result, problem = self._done.get()
                if problem is not None:
                    raise problem
                yield result  # type: ignore[misc] # a result where there is no problem
        finally:
            self.cancelled.set()
            until = time.monotonic() + _CLEARING_S_MAX
            for thread in self._threads:
                thread.join(max(0.0, until - time.monotonic()))

    def _work(self) -> None:
        while not self.cancelled.is_set():
            try:
                piece = self._left.get_nowait()
            except Empty:
                return
            try:
                self._done.put((piece(), None))
            except BaseException as problem:
                # It is raised where the results are read.
                self._done.put((None, problem))

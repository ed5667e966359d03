"""Daemon worker threads: a thread that hangs does not keep the process from ending."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

Done = TypeVar("Done")

# How long an interrupted run waits for its threads to clean up.
_CLEARING_S_MAX = 0.4


class Workers(Generic[Done]):
    """Runs functions on several threads."""

    def __init__(
        self, work: Sequence[Callable[[], Done]], count: int, cancelled: threading.Event | None = None
    ) -> None:
        """Prepare the threads; ``cancelled`` is the event that the work reads, too."""
        self.cancelled = cancelled or threading.Event()
        self._left: SimpleQueue[Callable[[], Done]] = SimpleQueue()
        for each in work:
            self._left.put(each)
        self._count = len(work)
        self._done: SimpleQueue[tuple[Done | None, BaseException | None]] = SimpleQueue()
        # The interpreter would wait for threads of a ThreadPoolExecutor at its end, however long they hang.
        self._threads = [
            threading.Thread(target=self._work, name=f"trial-{number}", daemon=True)
            for number in range(min(count, len(work)))
        ]

    def results(self) -> Generator[Done]:
        """Yield results in order of completion; re-raise an exception of the work.

        If the caller closes the generator, no further work starts, and ``cancelled`` is set for running work.
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
                # It is raised again in ``results``.
                self._done.put((None, problem))

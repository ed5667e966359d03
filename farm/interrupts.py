"""Ctrl-C before there is anything to end. Imports next to nothing: until this is imported, Ctrl-C shows a traceback."""

from __future__ import annotations

import os
import signal

# What a shell says of a command that Ctrl-C has ended.
EXIT_INTERRUPTED = 130


class EndedAtOnce:
    """Has Ctrl-C end this process at once and without a word, for as long as it imports.

    KeyboardInterrupt would not do: what is raised while a class is made, for one, comes out as a RuntimeError.
    Anything but Python's own handler is left as it is, such as a shell's wish that we ignore SIGINT.
    """

    def __enter__(self) -> None:
        """Listen from now on."""
        self._listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._listens:
            try:
                signal.signal(signal.SIGINT, _end)
            except ValueError:  # in a thread, which no signal reaches
                self._listens = False

    def __exit__(self, *_: object) -> None:
        """Let Ctrl-C mean KeyboardInterrupt again."""
        if self._listens:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def require_no_interrupt(problem: BaseException) -> None:
    """Raise KeyboardInterrupt if that is what caused an error, such as one that an import came to."""
    cause: BaseException | None = problem
    while cause is not None:
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from problem
        cause = cause.__cause__


def _end(_number: int, _frame: object) -> None:
    os._exit(EXIT_INTERRUPTED)

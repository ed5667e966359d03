"""Handle Ctrl-C during imports. This module imports very little: until it is loaded, Ctrl-C shows a traceback."""

from __future__ import annotations

import os
import signal

# The exit code that shells use for a command that Ctrl-C ended.
EXIT_INTERRUPTED = 130


class ExitOnSigint:
    """Makes Ctrl-C end this process at once and silently while it imports.

    KeyboardInterrupt is not enough: raised while a class is created, for example, it surfaces as a RuntimeError.
    A handler other than Python's own stays in place, for example when a shell ignores SIGINT for us.
    """

    def __enter__(self) -> None:
        """Install the handler."""
        self._listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self._listens:
            try:
                signal.signal(signal.SIGINT, _end)
            except ValueError:  # a thread, which receives no signals
                self._listens = False

    def __exit__(self, *_: object) -> None:
        """Make Ctrl-C raise KeyboardInterrupt again."""
        if self._listens:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def require_no_interrupt(problem: BaseException) -> None:
    """Raise KeyboardInterrupt if it caused an error, for example during an import."""
    cause: BaseException | None = problem
    while cause is not None:
        if isinstance(cause, KeyboardInterrupt):
            raise KeyboardInterrupt from problem
        cause = cause.__cause__


def _end(_number: int, _frame: object) -> None:
    os._exit(EXIT_INTERRUPTED)

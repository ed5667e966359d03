"""Logging with bounds: lines of one kind a minute, lines of a traceback, characters of a line.

An agent may cause the same error a thousand times a second. The first lines are logged, and the others are counted.
"""

from __future__ import annotations

import logging
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TextIO

EVERY_S = 60.0
TRACEBACKS_MAX = 3  # of one kind, in EVERY_S
LINES_MAX = 60  # of one wording without a traceback, in EVERY_S
_KINDS_MAX = 256
_MESSAGE_MAX = 4_000
_TRACEBACK_HEAD, _TRACEBACK_TAIL = 16, 24  # lines
_TRACEBACK_LINE_MAX = 300
FORMAT = "%(asctime)s %(message)s"
_EVERYTHING_ELSE = ("", 0, "further kinds of lines", "")

Kind = tuple[str, int, str, str]


def log_to_stderr(form: str = FORMAT, level: int = logging.WARNING) -> None:
    """Log this process's warnings and errors to stderr with bounds, unless logging is already configured."""
    if not logging.root.handlers:
        handler = BoundedHandler()
        handler.setFormatter(BoundedFormatter(form))
        logging.basicConfig(level=level, handlers=[handler])


class BoundedFormatter(logging.Formatter):
    """Formats a record with the first and the last lines of its message and of its traceback."""

    def formatException(
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        """Return a traceback of at most 41 lines of at most 300 characters."""
        lines = "".join(traceback.format_exception(*ei)).splitlines()
        left_out = len(lines) - _TRACEBACK_HEAD - _TRACEBACK_TAIL
        if left_out > 0:
            lines[_TRACEBACK_HEAD:-_TRACEBACK_TAIL] = [f"  … {left_out} lines left out …"]
        return "\n".join(_truncate(line, _TRACEBACK_LINE_MAX) for line in lines)

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the line, truncated if it is long."""
        return _truncate(super().formatMessage(record), _MESSAGE_MAX)


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


@dataclass
class _Seen:
    """The records of one kind since ``began``."""

    began: float
    written: int = 0
    held: int = 0
    last: str = ""


class BoundedHandler(logging.StreamHandler[TextIO]):
    """Writes the first records of each kind in a minute, then one line with the number of the others.

    Two records are of one kind if they have the same format string and, with an exception, the same exception class,
    raised at the same line.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], None] | None = None,
    ) -> None:
        """Write to ``stream``, or stderr.

        Args:
            stream: receives the lines.
            now: returns seconds of a monotonic clock.
            later: calls a function after so many seconds; the default uses a thread.
        """
        super().__init__(stream)
        self._now = now
        self._later = later or _on_a_thread
        self._kinds: dict[Kind, _Seen] = {}
        self._is_telling = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write or count a record (logging; the handler's lock is held)."""
        kind = _kind_of(record)
        if kind not in self._kinds and len(self._kinds) >= _KINDS_MAX:
            kind = _EVERYTHING_ELSE
        seen = self._kinds.get(kind)
        if seen is None:
            seen = self._kinds[kind] = _Seen(self._now())
        elif self._now() - seen.began >= EVERY_S:
            self._tell(seen)
            seen = self._kinds[kind] = _Seen(self._now())
        if seen.written < (TRACEBACKS_MAX if record.exc_info else LINES_MAX):
            seen.written += 1
            super().emit(record)
            return
        seen.held += 1
        if seen.held == 1:
            seen.last = _truncate(record.getMessage(), _TRACEBACK_LINE_MAX) + (f": {kind[3]}" if kind[3] else "")
        if not self._is_telling:
            self._is_telling = True
            self._later(EVERY_S, self.tell)

    def tell(self) -> None:
        """Write how many records of each kind were counted, and drop the kinds whose minute is over."""
        with self.lock or threading.RLock():
            for seen in self._kinds.values():
                self._tell(seen)
            self._kinds = {k: seen for k, seen in self._kinds.items() if self._now() - seen.began < EVERY_S}
            self._is_telling = False

    def _tell(self, seen: _Seen) -> None:
        if seen.held:
            message = "%d more like this: %s"
            told = logging.LogRecord("farm", logging.WARNING, "", 0, message, (seen.held, seen.last), None)
            seen.held = 0
            super().emit(told)

    def close(self) -> None:
        """Write the counts and close."""
        self.tell()
        super().close()


def _on_a_thread(seconds: float, work: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, work)
    timer.daemon = True
    timer.start()


def _kind_of(record: logging.LogRecord) -> Kind:
    return record.name, record.levelno, str(record.msg)[:_MESSAGE_MAX], _raised_at(record)


def _raised_at(record: logging.LogRecord) -> str:
    """Return an exception's class, file and line; for a RecursionError, without the line number."""
    if not record.exc_info or record.exc_info[0] is None:
        return ""
    name, at = record.exc_info[0].__name__, record.exc_info[2]
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None:
        return name
    file = Path(at.tb_frame.f_code.co_filename)
    line = "" if issubclass(record.exc_info[0], RecursionError) else f":{at.tb_lineno}"
    return f"{name} in {file.parent.name}/{file.name}{line}"

"""Limits for reading the texts of one verdict: agents may write anything, but a verdict must always be reached.

The main limit is a text's length. Processor time is a backstop that no text of allowed length is known to reach. A text
that is not read makes its checkpoint unsure; other checkpoints are judged as usual.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from farm.server.deadline import CallTimeoutError, ThreadAlarm

# Slack, the most generous of the chats, accepts 40,000 characters; the longest text of the worlds has 2,000.
TEXT_MAX = 100_000  # characters
TEXT_S_MAX = 2.0
TEXTS_S_MAX = 8.0  # all texts of one verdict
# Texts up to this length need no timer: no pattern of claims takes a hundredth of the limit for them.
_SHORT = 500

_Read = TypeVar("_Read")


class UnreadError(Exception):
    """A text is not read; the message gives the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(f"not read: {why}")


@dataclass(frozen=True)
class Unread:
    """A text that was not read, and the reason."""

    text: str
    why: str


class ReadingBudget:
    """Limits for reading each text, and all texts, of one verdict. It is closed at the end of ``with``.

    Attributes:
        unread: the texts that were not read, in order.
    """

    def __init__(self, *, text_s: float = TEXT_S_MAX, texts_s: float = TEXTS_S_MAX, why_not: str | None = None) -> None:
        """Set the limits.

        Args:
            text_s: seconds of this thread's processor time for one text.
            texts_s: the same for all texts.
            why_not: the reason to read nothing that could take long; None to read it.
        """
        self.unread: list[Unread] = []
        self._text_s = text_s
        self._texts_s = texts_s
        self._left_s = texts_s
        self._why_not = why_not
        self._alarm: ThreadAlarm | None = None

    def read(self, text: str, reading: Callable[[], _Read], chars_max: int, *, is_timed: bool) -> _Read:
        """Return the result of reading a text; see ``read_within``."""
        try:
            return self._read(text, reading, chars_max, is_timed=is_timed)
        except UnreadError as problem:
            self.unread.append(Unread(text, str(problem)))
            raise

    def _read(self, text: str, reading: Callable[[], _Read], chars_max: int, *, is_timed: bool) -> _Read:
        if self._why_not is not None:
            raise UnreadError(self._why_not)
        if len(text) > chars_max:
            raise UnreadError(f"{len(text):,} characters, more than {chars_max:,}")
        if self._left_s <= 0:
            raise UnreadError(f"the texts before it took {self._texts_s:g} s")
        if not is_timed and len(text) <= _SHORT:
            return reading()
        alarm = self._alarm = self._alarm or ThreadAlarm()
        began_s = time.thread_time()
        try:
            alarm.arm(int(min(self._text_s, self._left_s) * 1e9))
            try:
                return reading()
            finally:
                alarm.disarm()
        except CallTimeoutError:
            alarm.disarm()  # the alarm may have interrupted the first call
            raise UnreadError(f"it took more than {min(self._text_s, self._left_s):g} s") from None
        except MemoryError:
            raise UnreadError("it took too much memory") from None
        except RecursionError:
            raise UnreadError("it is nested too deep") from None
        finally:
            self._left_s -= time.thread_time() - began_s

    def __enter__(self) -> ReadingBudget:
        return self

    def __exit__(self, *_: object) -> None:
        if self._alarm is not None:
            self._alarm.close()
            self._alarm = None


def read_within(
    budget: ReadingBudget | None,
    text: str,
    reading: Callable[[], _Read],
    *,
    chars_max: int = TEXT_MAX,
    is_timed: bool = False,
) -> _Read:
    """Return the result of reading a text.

    Args:
        budget: the limits; None for no limits.
        text: the text.
        reading: reads the text.
        chars_max: the maximum length.
        is_timed: whether short texts are timed, too, as an arbitrary pattern may take long on them.

    Raises:
        UnreadError: the text is too long, or it or the texts before it took too much time or memory.
    """
    return reading() if budget is None else budget.read(text, reading, chars_max, is_timed=is_timed)

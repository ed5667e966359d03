"""Draw the seconds of what a specification tells to the minute: nobody writes on the full minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from farm.appkit.world_spec.draws import Number

_MINUTE_MS = 60_000


class Seconds:
    """The times of a sequence. Those of one minute share it, in the order in which they are asked for.

    Args:
        number: draws numbers.
        moments: the minutes of the whole sequence, each as often as it occurs.
        parts: what tells the sequence apart from others.
        step_ms: 1000 for whole seconds, 1 for milliseconds.
    """

    def __init__(self, number: Number, moments: Iterable[datetime], *parts: object, step_ms: int = 1000) -> None:
        self._number, self._parts, self._step_ms = number, parts, step_ms
        self._all_of, self._used = Counter(moments), Counter[datetime]()

    def ms(self, at: datetime) -> int:
        """Return the next time of a minute, in milliseconds since 1970."""
        nth, steps = self._used[at], _MINUTE_MS // self._step_ms
        self._used[at] += 1
        inside = self._number(0, steps - 1, *self._parts, "second", at.isoformat(), nth)
        return int(at.timestamp()) * 1000 + (steps * nth + inside) // self._all_of[at] * self._step_ms

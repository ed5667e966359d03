"""How a context's clock moves: ``simulated time = rate × wall time + offset``, in milliseconds.

Rate 0 is a frozen clock, which only moves when somebody moves it. Rate 1 without an offset is a live clock, and with
one is ahead of it. Any other is a fast one, for people at a desktop.

A file has one integer for both, in the column ``live`` of ``_meta``; older files have 0 or 1, which mean the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from farm.context.operators import texts_in
from farm.errors import FarmError

RATE_MAX = 1000
_RATE_BITS = 10


@dataclass(frozen=True, slots=True)
class Motion:
    """How a clock moves.

    Attributes:
        rate: seconds of simulated time in a second of wall time.
        offset_ms: the simulated time at the beginning of 1970 by wall time.
    """

    rate: int = 0
    offset_ms: int = 0

    def at(self, wall_ms: int) -> int:
        """Return the simulated time at a wall time."""
        return self.rate * wall_ms + self.offset_ms

    def through(self, sim_ms: int, wall_ms: int, rate: int | None = None) -> Motion:
        """Return the motion that has this simulated time at a wall time, with the same rate or another."""
        rate = self.rate if rate is None else rate
        return Motion(rate, sim_ms - rate * wall_ms if rate else 0)

    def pack(self) -> int:
        """Return the integer that a file holds."""
        return self.offset_ms << _RATE_BITS | self.rate

    @classmethod
    def unpack(cls, packed: int) -> Motion:
        """Return the motion of a file's integer."""
        return cls(packed & (1 << _RATE_BITS) - 1, packed >> _RATE_BITS)


FROZEN, LIVE = Motion(0), Motion(1)


def wall_ms() -> int:
    """Return the wall time."""
    return time.time_ns() // 1_000_000


def require_rate(given: Any) -> int:
    """Return a rate that somebody wrote.

    Raises:
        FarmError: it is not a whole number from 0 to 1000.
    """
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= RATE_MAX:
        raise FarmError(f"'rate' must be a whole number from 0 (frozen) over 1 (live) to {RATE_MAX}, not {given!r}")
    return given


@dataclass(frozen=True)
class Standing:
    """The clock of an episode over all of its apps.

    Attributes:
        now_ms: the simulated time.
        next_ms: when the next row arrives, the next person acts or the next moment comes due; None if nothing waits.
        last_ms: when the last of them does.
        act_ms: when the next of the people acts who answer; None if nobody is going to.
    """

    now_ms: int
    next_ms: int | None = None
    last_ms: int | None = None
    act_ms: int | None = None

    @classmethod
    def of(cls, apps: Iterable[Mapping[str, Any]]) -> Standing:
        """Return the standing of the apps' clocks, each with ``clock_ms``, ``next_ms``, ``last_ms`` and ``act_ms``."""
        told = [*apps]
        following, last, acts = (
            [int(each[name]) for each in told if each.get(name) is not None]
            for name in ("next_ms", "last_ms", "act_ms")
        )
        now_ms = max(int(each["clock_ms"]) for each in told)
        return cls(now_ms, min(following, default=None), max(last, default=None), min(acts, default=None))

    def require_next_ms(self) -> int:
        """Return when the next row arrives.

        Raises:
            FarmError: nothing waits.
        """
        if self.next_ms is None:
            raise FarmError(
                "nothing waits to arrive or comes due; rows arrive in the world's week, live or with 'arrivals', "
                "and people answer by rules"
            )
        return max(self.next_ms, self.now_ms)

    def step_ms(self, until_ms: int) -> int:
        """Return the next moment at which something may happen, on the way to a later one."""
        return max(self.now_ms, until_ms if self.next_ms is None else min(self.next_ms, until_ms))

    @property
    def quiet_ms(self) -> int:
        """When nothing waits any more."""
        return self.now_ms if self.last_ms is None else max(self.last_ms, self.now_ms)


class Arrivals:
    """What came in several moves of the clock.

    Attributes:
        by_app: app → what came there, in order.
    """

    def __init__(self) -> None:
        self.by_app: dict[str, list[Mapping[str, Any]]] = {}

    def add(self, came: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Add what came in one move."""
        for app, rows in came.items():
            self.by_app.setdefault(app, []).extend(rows)


# Columns that say what a row is, most telling first.
_TELLING = ("text", "title", "summary", "subject", "content", "name", "reaction", "emoji")
_WHAT_MAX = 80


def list_arrivals(came: Mapping[str, Sequence[Mapping[str, Any]]], zone: tzinfo) -> list[dict[str, Any]]:
    """Return what came in each app in order of time: ``app``, ``at``, ``table``, ``row`` and, in a few words, ``what``.

    A row that no longer fitted has ``dropped``; a row that was there and of which a moment came has ``due``, its
    column. What a person did has ``by``, the ``rule``, and ``do``: the verb. What the person whom the agent works for
    is notified of has ``notice``.
    """
    keyed = ((each["at_ms"], app, each) for app, rows in came.items() for each in rows)
    every = sorted(keyed, key=lambda each: each[:2])
    found = []
    for at_ms, app, each in every:
        at = datetime.fromtimestamp(at_ms / 1000, zone).isoformat(timespec="seconds")
        what = each.get("said") or next((texts_in(each["row"][name]) for name in _TELLING if each["row"].get(name)), "")
        short = " ".join(what.split())
        short = short if len(short) <= _WHAT_MAX else f"{short[: _WHAT_MAX - 1]}…"
        more = {name: each[name] for name in ("by", "rule", "do", "due", "notice", "dropped") if name in each}
        found.append({"app": app, "at": at, "table": each["table"], "what": short, "row": each["row"], **more})
    return found

"""The trace of an episode: the one shape of a call, wherever it is shown, logged or judged.

The control API answers with it, a run's log stores it, and checkpoints judge it, whether the calls were made on a farm
or in this process. It is made here, from the call logs of the episode's apps, and nowhere else.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NotRequired, TypedDict
from zoneinfo import ZoneInfo

# A line of an app's call log (``farm.context.log``).
LogEntry = Mapping[str, Any]

# The monotonic clock starts anew with the machine and stops while it sleeps; a gap this wide between two calls'
# distances from wall time says that this has happened, and not that somebody set the clock.
_BOOT_GAP_NS = 20_000_000_000


class Call(TypedDict):
    """One call of an episode, as JSON has it.

    Attributes:
        n: position in the episode, from 1.
        call: number within the app, which diffs name.
        arguments: as the agent sent them.
        result: the CallToolResult, or ``{"error": {"code", "message"}}``; absent where it was not asked for.
        refused: the app refused.
        cut: the result was too long and was cut.
        wrote: rows were changed.
        started_at: wall time, UTC; ``ended_at`` too.
        now: simulated time, in the world's zone.
    """

    n: int
    app: str
    call: int
    tool: str
    arguments: Any
    result: NotRequired[dict[str, Any]]
    refused: bool
    cut: bool
    wrote: bool
    started_at: str
    ended_at: str
    now: str


def in_order(entries: Mapping[str, Sequence[LogEntry]]) -> Iterator[tuple[str, LogEntry]]:
    """Yield (app, entry) by monotonic start, app and number; the order within an app is never changed."""
    boots = _boots(entry for each in entries.values() for entry in each)

    def keyed(app: str) -> Iterator[tuple[int, int, str, int, LogEntry]]:
        for entry in entries[app]:
            yield boots[_distance(entry)], entry["started_ns"], app, entry["n"], entry

    # Merging looks at the heads only, so entries of one app stay as they were numbered.
    for _, _, app, _, entry in heapq.merge(*map(keyed, sorted(entries)), key=lambda each: each[:4]):
        yield app, entry


def _distance(entry: LogEntry) -> int:
    """Return wall time minus monotonic time at a call's end, in nanoseconds."""
    return int(entry["at_ms"]) * 1_000_000 - int(entry["ended_ns"])


def _boots(entries: Iterator[LogEntry]) -> dict[int, int]:
    """Number the stretches of time in which the monotonic clock ran through, by distance from wall time."""
    distances = sorted({_distance(entry) for entry in entries})
    numbers = {distances[0]: 0} if distances else {}
    for before, distance in pairwise(distances):
        numbers[distance] = numbers[before] + (distance - before > _BOOT_GAP_NS)
    return numbers


def shown(n: int, app: str, entry: LogEntry, zone: ZoneInfo) -> Call:
    """Return one line of an app's log as a call of the trace."""
    ended_ms = entry["at_ms"]
    took_ms = (entry["ended_ns"] - entry["started_ns"]) / 1e6
    call: Call = {
        "n": n,
        "app": app,
        "call": entry["n"],
        "tool": entry["tool"],
        "arguments": entry["arguments"],
        "refused": entry.get("refused", False),
        "cut": entry.get("cut", False),
        "wrote": entry.get("wrote", False),
        "started_at": datetime.fromtimestamp((ended_ms - took_ms) / 1000, UTC).isoformat(timespec="microseconds"),
        "ended_at": datetime.fromtimestamp(ended_ms / 1000, UTC).isoformat(timespec="microseconds"),
        "now": datetime.fromtimestamp(entry["now_ms"] / 1000, zone).isoformat(timespec="milliseconds"),
    }
    if "result" in entry:
        call["result"] = entry["result"]
    return call

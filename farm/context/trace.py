"""The trace of an episode, with the single format of a call for display, logs and grading.

The control API returns it, run logs store it, and checkpoints read it, whether the calls were made on a farm or in this
process. Only this module builds it, from the call logs of the episode's apps.
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

# The monotonic clock restarts with the machine and stops while it sleeps. A change this large in the difference to wall
# time between two calls indicates such an event rather than an adjustment of the clock.
_BOOT_GAP_NS = 20_000_000_000


class Call(TypedDict):
    """One call of an episode, as JSON has it.

    Attributes:
        n: position in the episode, from 1.
        call: number within the app, as in diffs.
        arguments: the arguments as the agent sent them.
        result: the CallToolResult, or ``{"error": {"code", "message"}}``; absent if it was not requested.
        refused: whether the app refused the call.
        timed_out: whether the call exceeded 250 ms and was stopped; then it changed nothing.
        wrote: whether the call changed rows.
        by: key of the person who called; absent if it is the person whom the agent works for.
        fault: id of the planned fault that the call fell to; absent otherwise.
        people: who is going to answer the call, each with ``who`` and the ``rule``; absent if nobody does.
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
    timed_out: bool
    wrote: bool
    started_at: str
    ended_at: str
    now: str
    by: NotRequired[str]
    fault: NotRequired[str]
    people: NotRequired[list[dict[str, str]]]


def failed_as_planned(call: Call) -> bool:
    """Return whether a planned fault kept a call from doing anything, so that it has to be made again."""
    return "fault" in call and call["refused"] and not call["wrote"]


def in_order(entries: Mapping[str, Sequence[LogEntry]]) -> Iterator[tuple[str, LogEntry]]:
    """Yield (app, entry) by monotonic start, app and number; the order within an app never changes."""
    boots = _boots(entry for each in entries.values() for entry in each)

    def keyed(app: str) -> Iterator[tuple[int, int, str, int, LogEntry]]:
        for entry in entries[app]:
            yield boots[_distance(entry)], entry["started_ns"], app, entry["n"], entry

    # Merging compares only the heads, so entries of one app keep their order.
    for _, _, app, _, entry in heapq.merge(*map(keyed, sorted(entries)), key=lambda each: each[:4]):
        yield app, entry


def _distance(entry: LogEntry) -> int:
    """Return wall time minus monotonic time at a call's end, in nanoseconds."""
    return int(entry["at_ms"]) * 1_000_000 - int(entry["ended_ns"])


def _boots(entries: Iterator[LogEntry]) -> dict[int, int]:
    """Number the periods in which the monotonic clock ran without a break, by its difference to wall time."""
    distances = sorted({_distance(entry) for entry in entries})
    numbers = {distances[0]: 0} if distances else {}
    for before, distance in pairwise(distances):
        numbers[distance] = numbers[before] + (distance - before > _BOOT_GAP_NS)
    return numbers


def to_call(n: int, app: str, entry: LogEntry, zone: ZoneInfo) -> Call:
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
        "timed_out": entry.get("timed_out", False),
        "wrote": entry.get("wrote", False),
        "started_at": datetime.fromtimestamp((ended_ms - took_ms) / 1000, UTC).isoformat(timespec="microseconds"),
        "ended_at": datetime.fromtimestamp(ended_ms / 1000, UTC).isoformat(timespec="microseconds"),
        "now": datetime.fromtimestamp(entry["now_ms"] / 1000, zone).isoformat(timespec="milliseconds"),
    }
    if "by" in entry:
        call["by"] = entry["by"]
    if "fault" in entry:
        call["fault"] = entry["fault"]
    people = [{"who": who, "rule": rule} for rule, who, _, at_ms in entry.get("people", ()) if at_ms is not None]
    if people:
        call["people"] = people
    if "result" in entry:
        call["result"] = entry["result"]
    return call

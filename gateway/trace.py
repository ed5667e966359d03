"""The trace of an episode: the calls of all its apps in one order, a page at a time."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from .app_client import AppClient

PAGE = 10_000
# The monotonic clock starts anew with the machine and stops while it sleeps; a gap this wide between two calls'
# distances from wall time says that this has happened, and not that somebody set the clock.
_BOOT_GAP_NS = 20_000_000_000

Entry = dict[str, Any]


async def trace(
    apps: AppClient, names: Sequence[str], episode_id: str, *, after: int, limit: int, results: bool
) -> list[tuple[int, str, Entry]]:
    """Return (position, app, log entry) of up to ``limit`` calls after position ``after``, over all named apps.

    Results, which may be large, are read for the page alone; the order needs every call, but only its times.
    """
    entries = {app: await _every(apps, app, episode_id) for app in names}
    page = [(n, app, entry) for n, (app, entry) in enumerate(in_order(entries), 1)][after : after + limit]
    if not results:
        return page
    full: dict[tuple[str, int], Entry] = {}
    for app in {app for _, app, _ in page}:
        numbers = [entry["n"] for _, of, entry in page if of == app]
        for entry in await _range(apps, app, episode_id, min(numbers) - 1, max(numbers)):
            full[app, entry["n"]] = entry
    # A call that a reset removed between the two readings stays as it was first seen.
    return [(n, app, full.get((app, entry["n"]), entry)) for n, app, entry in page]


async def _every(apps: AppClient, app: str, episode_id: str) -> list[Entry]:
    found: list[Entry] = []
    while True:
        after = found[-1]["n"] if found else 0
        answer = await apps.ask(app, "GET", f"/episodes/{episode_id}/calls", after=after, limit=PAGE, results=0)
        found += answer["calls"]
        if len(answer["calls"]) < PAGE:
            return found


async def _range(apps: AppClient, app: str, episode_id: str, after: int, last: int) -> list[Entry]:
    path = f"/episodes/{episode_id}/calls"
    answer = await apps.ask(app, "GET", path, after=after, limit=min(last - after, PAGE), results=1)
    found: list[Entry] = answer["calls"]
    return found


def in_order(entries: Mapping[str, Sequence[Entry]]) -> Iterator[tuple[str, Entry]]:
    """Yield (app, entry) by monotonic start, app and number; the order within an app is never changed."""
    boots = _boots(entry for each in entries.values() for entry in each)

    def keyed(app: str) -> Iterator[tuple[int, int, str, int, Entry]]:
        for entry in entries[app]:
            yield boots[_distance(entry)], entry["started_ns"], app, entry["n"], entry

    # Merging looks at the heads only, so entries of one app stay as they were numbered.
    for _, _, app, _, entry in heapq.merge(*map(keyed, sorted(entries)), key=lambda each: each[:4]):
        yield app, entry


def _distance(entry: Entry) -> int:
    """Return wall time minus monotonic time at a call's end, in nanoseconds."""
    return int(entry["at_ms"]) * 1_000_000 - int(entry["ended_ns"])


def _boots(entries: Iterator[Entry]) -> dict[int, int]:
    """Number the stretches of time in which the monotonic clock ran through, by distance from wall time."""
    distances = sorted({_distance(entry) for entry in entries})
    numbers = {distances[0]: 0} if distances else {}
    for before, distance in pairwise(distances):
        numbers[distance] = numbers[before] + (distance - before > _BOOT_GAP_NS)
    return numbers


def shown(position: int, app: str, entry: Entry, zone: ZoneInfo) -> Entry:
    """Return one entry of the trace as the control API shows it."""
    ended_ms = entry["at_ms"]
    took_ms = (entry["ended_ns"] - entry["started_ns"]) / 1e6
    view: Entry = {
        "n": position,
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
        view["result"] = entry["result"]
    return view

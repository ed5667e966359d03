"""The trace of an episode: the calls of all its apps in one order, a page at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from farm.context.trace import Call, LogEntry, in_order, to_call

from .app_client import AppClient, NotJsonError

PAGE = 10_000
# Bytes of the apps' logs in one page of the trace: the page passes through this process, as all calls do.
PAGE_BYTES_MAX = 16 * 1024 * 1024
# Up to so many calls are read with their results before their order is known.
_FEW = 200
# Limits of the cache for traces that are read a page at a time.
_KEPT_EPISODES_MAX = 4
_KEPT_CALLS_MAX = 4096


class Orders:
    """Caches the call times of the last long traces, so that not every page reads all logs."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, list[LogEntry]]] = {}

    async def find(self, apps: AppClient, names: Sequence[str], episode_id: str) -> dict[str, list[LogEntry]]:
        """Return app → the times of its calls and the lengths of their log lines."""
        known = self._known.pop(episode_id, {})
        every = {app: await _times(apps, app, episode_id, known.get(app, [])) for app in names}
        if sum(map(len, every.values())) <= _KEPT_CALLS_MAX:
            self._known[episode_id] = every
            while len(self._known) > _KEPT_EPISODES_MAX:
                del self._known[next(iter(self._known))]
        return every


async def trace(
    apps: AppClient,
    names: Sequence[str],
    episode_id: str,
    zone: ZoneInfo,
    orders: Orders,
    *,
    after: int,
    limit: int,
    results: bool,
) -> list[Call]:
    """Return up to ``limit`` calls after position ``after``, over all named apps; fewer if they are long.

    Arguments and results may be large, so only the page's are read; the order needs the times of all calls. Usually the
    page is the whole trace; then one request to each app returns both.
    """
    if len(names) == 1:
        # One app's order is its numbering, so nothing else needs to be read, even if other calls are broken or long.
        entries, _ = await _page(apps, names[0], episode_id, after, limit, results=results)
        return [to_call(entry["n"], names[0], entry, zone) for entry in entries]
    if not after:
        every = await _read_all(apps, names, episode_id, limit, results=results)
        if every is not None:
            return [to_call(n, app, entry, zone) for n, (app, entry) in enumerate(in_order(every), 1)]
    every = await orders.find(apps, names, episode_id)
    page: list[tuple[int, str, int]] = []
    size_bytes = 0
    for n, (app, entry) in islice(enumerate(in_order(every), 1), after, after + limit):
        size_bytes += entry["size_bytes"]
        if page and size_bytes > PAGE_BYTES_MAX:
            break
        page.append((n, app, entry["n"]))
    full: dict[tuple[str, int], LogEntry] = {}
    for app in {app for _, app, _ in page}:
        numbers = [number for _, of, number in page if of == app]
        for entry in await _range(apps, app, episode_id, min(numbers) - 1, max(numbers), results=results):
            full[app, entry["n"]] = entry
    # A call that a reset removed between the two requests is omitted.
    return [to_call(n, app, full[app, number], zone) for n, app, number in page if (app, number) in full]


async def _read_all(
    apps: AppClient, names: Sequence[str], episode_id: str, limit: int, *, results: bool
) -> dict[str, list[LogEntry]] | None:
    """Return all calls if they are few and short enough for one page, else None."""
    few = min(limit, _FEW)
    pages = await asyncio.gather(*(_page(apps, app, episode_id, 0, few + 1, results=results) for app in names))
    if not all(is_all for _, is_all in pages) or sum(len(calls) for calls, _ in pages) > few:
        return None
    return {app: calls for app, (calls, _) in zip(names, pages, strict=True)}


async def _times(apps: AppClient, app: str, episode_id: str, known: list[LogEntry]) -> list[LogEntry]:
    found, last = known[:-1], known[-1:]
    while True:
        after = found[-1]["n"] if found else 0
        answer = await apps.ask(app, "GET", f"/episodes/{episode_id}/calls", after=after, limit=PAGE, results="times")
        if last and answer["calls"][:1] != last:
            found, last = [], []  # reset or restored since: otherwise the log would still have the same last call
            continue
        last = []
        found += answer["calls"]
        if _is_all(answer):
            return found


async def _range(apps: AppClient, app: str, episode_id: str, after: int, last: int, *, results: bool) -> list[LogEntry]:
    found: list[LogEntry] = []
    while after < last:
        page, is_all = await _page(apps, app, episode_id, after, last - after, results=results)
        found += page
        if is_all or not page:
            break
        after = page[-1]["n"]
    return found


async def _page(
    apps: AppClient, app: str, episode_id: str, after: int, limit: int, *, results: bool
) -> tuple[list[LogEntry], bool]:
    """Return calls of an app, as many as it returns at a time, and whether they are the last ones."""
    path = f"/episodes/{episode_id}/calls"
    page = {"after": after, "limit": min(limit, PAGE)}
    if not limit:
        return [], False
    try:
        answer = await apps.ask(app, "GET", path, **page, results=int(results))
    except NotJsonError:
        # The app sends log lines unparsed. Without results it parses them, and reports the broken one.
        await apps.ask(app, "GET", path, **page, results=0)
        raise
    found: list[LogEntry] = answer["calls"]
    return found, _is_all(answer)


def _is_all(answer: dict[str, Any]) -> bool:
    return not answer["calls"] or answer["calls"][-1]["n"] >= answer["last"]

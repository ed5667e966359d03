"""The trace of an episode: the calls of all its apps in one order, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any
from zoneinfo import ZoneInfo

from farm.trace import Call, LogEntry, in_order, shown

from .app_client import AppClient, NoJson

PAGE = 10_000
# Of the apps' logs, in one page of the trace: it passes through this process, which everybody's calls pass through.
PAGE_BYTES_MAX = 16 * 1024 * 1024
# So many calls are read whole before it is known whether they are wanted.
_FEW = 200
# What is remembered of traces that are read a page at a time.
_KEPT_EPISODES_MAX = 4
_KEPT_CALLS_MAX = 4096


class Orders:
    """Remembers when the calls of the last long traces were, so that not every page reads all logs for it."""

    def __init__(self) -> None:
        self._known: dict[str, dict[str, list[LogEntry]]] = {}

    async def find(self, apps: AppClient, names: Sequence[str], episode_id: str) -> dict[str, list[LogEntry]]:
        """Return of each app's calls when they were, and how long their lines in the log are."""
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
    """Return up to ``limit`` calls after position ``after``, over all named apps; fewer where they are long.

    Arguments and results, which may be large, are read for the page alone; the order needs every call, but only its
    times. Where the page is the whole trace, as most are, one reading of each app has both.
    """
    if len(names) == 1:
        # Its own order is that of its numbers, so that nothing else need be read, be it broken or long.
        entries, _ = await _page(apps, names[0], episode_id, after, limit, results=results)
        return [shown(entry["n"], names[0], entry, zone) for entry in entries]
    if not after:
        whole = await _whole(apps, names, episode_id, limit, results=results)
        if whole is not None:
            return [shown(n, app, entry, zone) for n, (app, entry) in enumerate(in_order(whole), 1)]
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
    # A call that a reset removed between the two readings is left out.
    return [shown(n, app, full[app, number], zone) for n, app, number in page if (app, number) in full]


async def _whole(
    apps: AppClient, names: Sequence[str], episode_id: str, limit: int, *, results: bool
) -> dict[str, list[LogEntry]] | None:
    """Return all calls if they are few, and short, enough for one page."""
    few = min(limit, _FEW)
    found: dict[str, list[LogEntry]] = {}
    for app in names:
        found[app], is_all = await _page(apps, app, episode_id, 0, few + 1, results=results)
        if not is_all or sum(map(len, found.values())) > few:
            return None
    return found


async def _times(apps: AppClient, app: str, episode_id: str, known: list[LogEntry]) -> list[LogEntry]:
    found, last = known[:-1], known[-1:]
    while True:
        after = found[-1]["n"] if found else 0
        answer = await apps.ask(app, "GET", f"/episodes/{episode_id}/calls", after=after, limit=PAGE, results="times")
        if last and answer["calls"][:1] != last:
            found, last = [], []  # reset or restored since: a log that has the last call as it was has those before it
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
    """Return calls of an app, as many as it gives at a time, and whether there are none behind them."""
    path = f"/episodes/{episode_id}/calls"
    page = {"after": after, "limit": min(limit, PAGE)}
    if not limit:
        return [], False
    try:
        answer = await apps.ask(app, "GET", path, **page, results=int(results))
    except NoJson:
        # Lines of its log go out as they stand. Without results it has to read them, and says which is broken.
        await apps.ask(app, "GET", path, **page, results=0)
        raise
    found: list[LogEntry] = answer["calls"]
    return found, _is_all(answer)


def _is_all(answer: dict[str, Any]) -> bool:
    return not answer["calls"] or answer["calls"][-1]["n"] >= answer["last"]

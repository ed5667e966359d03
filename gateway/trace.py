"""The trace of an episode: the calls of all its apps in one order, a page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from farm.trace import Call, LogEntry, in_order, shown

from .app_client import AppClient, NoJson

PAGE = 10_000
# So many calls are read with their results before it is known whether they are wanted.
_FEW = 200


async def trace(
    apps: AppClient, names: Sequence[str], episode_id: str, zone: ZoneInfo, *, after: int, limit: int, results: bool
) -> list[Call]:
    """Return up to ``limit`` calls after position ``after``, over all named apps.

    Results, which may be large, are read for the page alone; the order needs every call, but only its times. Where the
    page is the whole trace, as most are, one reading of each app has both.
    """
    if len(names) == 1:
        # Its own order is that of its numbers, so that nothing else need be read, be it broken or long.
        entries = await _range(apps, names[0], episode_id, after, after + limit, results=results)
        return [shown(entry["n"], names[0], entry, zone) for entry in entries]
    if results and not after:
        whole = await _whole(apps, names, episode_id, limit)
        if whole is not None:
            return [shown(n, app, entry, zone) for n, (app, entry) in enumerate(in_order(whole), 1)]
    every = {app: await _every(apps, app, episode_id) for app in names}
    page = [(n, app, entry) for n, (app, entry) in enumerate(in_order(every), 1)][after : after + limit]
    full: dict[tuple[str, int], LogEntry] = {}
    for app in {app for _, app, _ in page} if results else ():
        numbers = [entry["n"] for _, of, entry in page if of == app]
        for entry in await _range(apps, app, episode_id, min(numbers) - 1, max(numbers)):
            full[app, entry["n"]] = entry
    # A call that a reset removed between the two readings stays as it was first seen.
    return [shown(n, app, full.get((app, entry["n"]), entry), zone) for n, app, entry in page]


async def _whole(
    apps: AppClient, names: Sequence[str], episode_id: str, limit: int
) -> dict[str, list[LogEntry]] | None:
    """Return all calls with their results if they are few enough for one page."""
    few = min(limit, _FEW)
    found: dict[str, list[LogEntry]] = {}
    for app in names:
        found[app] = await _range(apps, app, episode_id, 0, few + 1)
        if sum(map(len, found.values())) > few:
            return None
    return found


async def _every(apps: AppClient, app: str, episode_id: str) -> list[LogEntry]:
    found: list[LogEntry] = []
    while True:
        after = found[-1]["n"] if found else 0
        answer = await apps.ask(app, "GET", f"/episodes/{episode_id}/calls", after=after, limit=PAGE, results=0)
        found += answer["calls"]
        if len(answer["calls"]) < PAGE:
            return found


async def _range(
    apps: AppClient, app: str, episode_id: str, after: int, last: int, *, results: bool = True
) -> list[LogEntry]:
    path = f"/episodes/{episode_id}/calls"
    page = {"after": after, "limit": min(last - after, PAGE)}
    try:
        answer = await apps.ask(app, "GET", path, **page, results=int(results))
    except NoJson:
        # Lines of its log go out as they stand. Without results it has to read them, and says which is broken.
        await apps.ask(app, "GET", path, **page, results=0)
        raise
    found: list[LogEntry] = answer["calls"]
    return found

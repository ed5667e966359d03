"""What the page needs from the apps' schemas and the world; it runs in the judging process, which loads them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from farm import content
from farm.appkit.view_model import table_models
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.people_listing import list_people
from farm.connect.call_summary import sentence
from farm.connect.display_names import DisplayNames, find_own_person

from ..app_client import AppClient

# The world of an episode, by how many days it is shifted, and the person whose accounts the agent uses.
Whose = tuple[str | None, int, str | None]
_KNOWN_MAX = 64
_PAGE = 1000


def views(world: str | None, shift_days: int, me: str | None, apps: Sequence[str]) -> dict[str, Any]:
    """Return how a page shows each app, whose accounts the agent uses, and the people of the world.

    Returns:
        ``apps``: app → its ``title`` and ``tables``; ``me``: the person, or None; ``people``; ``zone``: the time zone.
    """
    people, zone = [], "UTC"
    if world is not None:
        start = load_start(world, shift_days)
        people, zone = list_people(start, apps), start.world.zone.key
    mine = find_own_person(people, me)
    shown = {app: {"tables": table_models(content.load_app(app).schema)} for app in apps if app in content.app_names()}
    return {"apps": shown, "me": mine, "people": people, "zone": zone}


def _account(whose: Whose, app: str) -> Any:
    world, shift_days, me = whose
    person = None if world is None else find_own_person(list_people(load_start(world, shift_days), [app]), me)
    return person["accounts"].get(app) if person else None


class Storyteller:
    """Tells calls in sentences; it remembers the names of rows, which it reads from the apps."""

    def __init__(self, apps: AppClient) -> None:
        """Ask these apps for rows."""
        self._apps = apps
        self._known: OrderedDict[tuple[str, str], DisplayNames] = OrderedDict()

    async def sentences(self, episode_id: str, whose: Whose, app: str, calls: Sequence[Mapping[str, Any]]) -> list[str]:
        """Return a sentence for each of some consecutive calls of an app, whose changes they have with them."""
        if calls and calls[0]["n"] == 1:
            self._known.pop((episode_id, app), None)  # it was reset since
        names = self._names(episode_id, whose, app)
        return await asyncio.to_thread(lambda: [sentence(entry, names, with_counts=False) for entry in calls])

    def _names(self, episode_id: str, whose: Whose, app: str) -> DisplayNames:
        key, loop = (episode_id, app), asyncio.get_running_loop()

        def fetch(table: str, after: int) -> Mapping[str, Any]:
            asked = self._apps.ask(app, "GET", f"/episodes/{episode_id}/state/{table}", after=after, limit=_PAGE)
            return asyncio.run_coroutine_threadsafe(asked, loop).result()

        if key not in self._known:
            self._known[key] = DisplayNames(app, whose[0], fetch, _account(whose, app))
        self._known.move_to_end(key)
        while len(self._known) > _KNOWN_MAX:
            self._known.popitem(last=False)
        return self._known[key]

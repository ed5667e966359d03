"""What one person can find in a world: every accepted call of the reading tools of some apps, with its answer.

A universe is kept in a folder like a start, by a hash of all that it depends on: rows, kernels, schemas and units.
"""

from __future__ import annotations

import gzip
import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from farm import content
from farm._util.json_io import loads
from farm._util.whole_files import write_whole
from farm.benchmark.agents.scripted import rendered
from farm.benchmark.generate.answers import leaves_of, set_path
from farm.benchmark.generate.explore import Explorer, Knowledge, Played, Seen
from farm.benchmark.generate.kinds import Kinds
from farm.benchmark.generate.player import Player
from farm.benchmark.generate.units import ID, UNITS_FILE, AppUnits, load_units, units_path
from farm.benchmark.runner.in_process_farm import LocalFarm, LocalSession
from farm.context.template import apps_of_people, load_world
from farm.errors import FarmError

# Part of the name of every kept universe; increment it if the same rows would give other calls.
FORMAT = 1


@dataclass(frozen=True)
class AppView:
    """What one person can find in one app.

    Attributes:
        calls: the accepted calls.
        seen: the objects with keys that they showed.
    """

    app: str
    units: AppUnits
    kinds: Kinds
    calls: Sequence[Played]
    seen: Sequence[Seen]

    @cached_property
    def by_key(self) -> Mapping[tuple[str, str], Sequence[Seen]]:
        """(kind, value) → the objects that show it, in the order of the calls."""
        found: dict[tuple[str, str], list[Seen]] = defaultdict(list)
        for each in self.seen:
            for kind, (value, _) in each.typed.items():
                found[kind, str(value)].append(each)
        return found

    @cached_property
    def by_call(self) -> Mapping[int, Sequence[Seen]]:
        """Number of a call → the objects that it showed."""
        found: dict[int, list[Seen]] = defaultdict(list)
        for each in self.seen:
            found[each.call].append(each)
        return found


@dataclass(frozen=True)
class Universe:
    """What one person can find.

    Attributes:
        me: the person.
        apps: app → what the person finds there.
    """

    world: str
    me: str
    apps: Mapping[str, AppView] = field(default_factory=dict)


def apps_with_units(world: str, me: str | None) -> list[str]:
    """Return the apps of a person whose units are known; None is the world's protagonist.

    Raises:
        FarmError: there are none.
    """
    known = load_world(world)
    person = me or known.protagonist
    found = [app for app in apps_of_people(known, [person], known.apps) if units_path(app).is_file()]
    if not found:
        raise FarmError(f"no app of {person} has units; 'farm tasks units APP --world {world}' learns them")
    return found


def explore(farm: LocalFarm, world: str, me: str | None, apps: Iterable[str], cache: Path | None = None) -> Universe:
    """Return what a person finds in some apps of a world.

    Args:
        me: the person; None for the world's protagonist.
        cache: the folder that keeps universes; None to keep nothing.

    Raises:
        NotFoundError: no such world, app or person, or the person has no account in one of the apps.
        FarmError: an app has no units.
    """
    chosen = sorted(set(apps))
    units = {app: load_units(app) for app in chosen}
    session = farm.create(world, chosen, me=me)
    try:
        who = str(session.settings.me)
        views = {app: _view(session, app, units[app], cache) for app in chosen}
        return Universe(world, who, views)
    finally:
        session.close()


def _view(session: LocalSession, app: str, units: AppUnits, cache: Path | None) -> AppView:
    player = Player(session, app)
    explorer = Explorer(player, knowledge(units, str(session.settings.world)))
    kept = cache / f"{app}-{_stamp(session, app)}.json.gz" if cache else None
    if kept and kept.is_file():
        explorer.calls = [Played(**each) for each in loads(gzip.decompress(kept.read_bytes()))]
        explorer.seen = [seen for n, each in enumerate(explorer.calls) for seen in explorer.objects(n, each)]
    else:
        explorer.run()
        if kept:
            _keep(kept, explorer.calls)
    return AppView(app, units, player.kinds, explorer.calls, explorer.seen)


def knowledge(units: AppUnits, world: str) -> Knowledge:
    """Return how the tools of an app are called, with the dates of a world."""
    known = Knowledge()
    for tool, unit in units.units.items():
        base: dict[str, Any] = {}
        for path, value in leaves_of(unit.example):
            if value != ID:
                set_path(base, path, rendered(value, world) if isinstance(value, str) else value)
        known.base[tool] = base
        if unit.ids:
            known.accepts[tool][unit.ids] = set(unit.accepts)
        queries = unit.of_role("query")
        if len(queries) == 1:  # with several, the words for one of them say nothing without the others
            known.queries[tool] = queries[0].path
        for each in unit.of_role("id"):
            if each.path not in unit.ids and not unit.ids:
                known.accepts[tool][each.path,] = {(kind,) for kind in each.kinds}
    return known


def _keep(path: Path, calls: Sequence[Played]) -> None:
    write_whole(path, gzip.compress(orjson.dumps([vars(each) for each in calls]), compresslevel=3, mtime=0))


def _stamp(session: LocalSession, app: str) -> str:
    """Return a hash of all that a universe depends on."""
    digest = hashlib.sha256()
    settings = session.settings
    digest.update(orjson.dumps([FORMAT, app, settings.world, settings.me, str(settings.now)]))
    for path in (*_files_of(app), content.find_rows(str(settings.world), app)):
        if path is not None:
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _files_of(app: str) -> Iterator[Path]:
    yield from sorted(content.load_app(app).folder.glob("*.py"))
    yield content.context_dir(app) / "schema.py"
    yield content.load_app(app).folder / "tools.json"
    yield content.load_app(app).folder / UNITS_FILE

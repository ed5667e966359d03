"""Chains about rows: *act*, *each-of-n*, *repair*, *hand-over*, *copy* and *count*."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farm import content
from farm.appkit.world_spec.facts import Fact
from farm.benchmark.generate.acts import column_of, deed_of, filled_act, open_ids, payload_of
from farm.benchmark.generate.chains import Act, Chain, Placeholder
from farm.benchmark.generate.explore import Seen
from farm.benchmark.generate.kinds import kind_of_column
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError, key_of
from farm.benchmark.generate.samplers.ground import Ground
from farm.benchmark.generate.units import Unit
from farm.benchmark.generate.universe import AppView
from farm.benchmark.generate.wording import is_chinese
from farm.benchmark.scoring.initial_state import load_start

_ROWS_MAX = 12  # of a kind, for one unit
_EACH = (3, 4, 5, 6, 7, 8)
_COUNT = range(3, 60)


def act(ground: Ground) -> Iterator[Chain]:
    """Do to one row, described by what people call it, what a unit without texts does."""
    for app, unit in acting_units(ground):
        for seen in objects_for(ground, app, unit)[:_ROWS_MAX]:
            builder = Builder(ground, "act")
            try:
                bound = builder.bind(app, unit, seen)
                builder.act(app, unit, bound.expressions)
            except UnreachableError:
                continue
            builder.support = len(ground.view(app).by_key[main_key(unit, seen)])
            yield builder.chain(f"{deed_of(app, unit.tool)}: {{ROW}}.", f"{deed_of(app, unit.tool)}：{{ROW}}。")


def acting_units(ground: Ground) -> Iterator[tuple[str, Unit]]:
    """Yield (app, unit) of the units that change a row by its ids alone."""
    for app, view in ground.universe.apps.items():
        for unit in view.units.units.values():
            if unit.writes and open_ids(unit) and not unit.of_role("payload") and not _takes_person(app, unit):
                yield app, unit


def objects_for(ground: Ground, app: str, unit: Unit) -> list[Seen]:
    """Return the objects that have all the keys that a unit takes, one for each row, in a drawn order."""
    found: dict[tuple[Any, ...], Seen] = {}
    ids = open_ids(unit)
    for seen in ground.view(app).seen:
        keys = tuple(str(key_of(each, seen)[1]) for each in ids)
        if "None" not in keys:
            found.setdefault(keys, seen)
    return ground.shuffled(found.values(), f"{app}.{unit.tool}")


def main_key(unit: Unit, seen: Seen) -> tuple[str, str]:
    """Return the key of the row that an act is about: that of the last id."""
    kind, value = key_of(open_ids(unit)[-1], seen)
    return kind, str(value)


def each_of_n(ground: Ground) -> Iterator[Chain]:
    """Do the same to each of several rows that belong to one."""
    for app, unit in acting_units(ground):
        if len(open_ids(unit)) < 2:
            continue
        groups: dict[str, dict[tuple[str, str], Seen]] = defaultdict(dict)
        for seen in objects_for(ground, app, unit):
            groups[str(key_of(open_ids(unit)[0], seen)[1])][main_key(unit, seen)] = seen
        for rows in groups.values():
            several = list(rows.values())
            size = _EACH[len(several) % len(_EACH)]
            if len(several) < size:
                continue
            builder = Builder(ground, "each-of-n")
            try:
                for number, seen in enumerate(several[:size], 1):
                    bound = builder.bind(app, unit, seen, f"ROW_{number}")
                    builder.act(app, unit, bound.expressions, f"act{number}")
            except UnreachableError:
                continue
            builder.support = size
            names = [f"{{ROW_{number}}}" for number in range(1, size + 1)]
            yield builder.chain(
                f"{deed_of(app, unit.tool)}: {', '.join(names)}.", f"{deed_of(app, unit.tool)}：{'、'.join(names)}。"
            )


def repair(ground: Ground) -> Iterator[Chain]:
    """Find a text that tells a value which holds no more, and correct it there."""
    for fact in ground.facts:
        for version in fact.former:
            for told in ground.told.places(f"{fact.key}#{version.key}")[:_ROWS_MAX]:
                seen = ground.showing(told)
                for unit in ground.view(told.app).units.units.values() if seen else ():
                    ids = open_ids(unit)
                    if not ids or not unit.writes or not payload_of(told.app, unit, "body"):
                        continue
                    if not _is_about_row(told.app, unit):
                        continue
                    builder = Builder(ground, "repair")
                    try:
                        bound = builder.bind(told.app, unit, seen)  # type: ignore[arg-type] # seen is one here
                        builder.read(fact)
                        builder.write(told.app, unit, bound.expressions, fact, "tell")
                    except UnreachableError:
                        continue
                    builder.support = len(ground.told.places(fact.key))
                    yield builder.chain(
                        "“{ROW}” is not true any more: correct {FACT} there.", "「{ROW}」已经不对了，在那里更正{FACT}。"
                    )


def _is_about_row(app: str, unit: Unit) -> bool:
    """Return whether a unit takes the key of a row of the table that it is for: a reply, or an edit."""
    table = content.load_app(app).schema.metadata.tables[unit.writes[0]]
    own = {kind_of_column(each) for each in table.primary_key.columns if not each.foreign_keys}
    return any(own.intersection(each.kinds) for each in open_ids(unit))


def hand_over(ground: Ground) -> Iterator[Chain]:
    """Give a row to a person: invite, assign, share, add."""
    for app, view in ground.universe.apps.items():
        for unit in view.units.units.values():
            people = [each for each in open_ids(unit) if _is_person(app, each.kinds)]
            if not unit.writes or len(people) != 1 or len(open_ids(unit)) < 2:
                continue
            others = [each for each in open_ids(unit) if each is not people[0]]
            rows = [each for each in view.seen if all(key_of(one, each)[1] is not None for one in others)]
            persons = [each for each in view.seen if key_of(people[0], each)[1] is not None]
            for seen in ground.shuffled(rows, unit.tool)[:_ROWS_MAX]:
                person = ground.random.choice(persons)
                kind, value = key_of(people[0], person)
                builder = Builder(ground, "hand-over")
                try:
                    reached = ground.reach(builder.script, app, kind, str(value))
                    if reached is None or not reached.label:
                        continue
                    bound = builder.bind(app, unit, seen, but=[people[0].path])
                    ids = {**bound.expressions, people[0].path: reached.expression}
                    builder.act(app, unit, ids)
                except UnreachableError:
                    continue
                builder.blanks.append(Placeholder("PERSON", kind, str(value), "must", reached.label, app=app))
                builder.support = len(view.by_key[kind, str(value)])
                yield builder.chain(
                    f"{deed_of(app, unit.tool)}: {{ROW}}, {{PERSON}}.",
                    f"{deed_of(app, unit.tool)}：{{ROW}}，{{PERSON}}。",
                )


def _is_person(app: str, kinds: Sequence[str]) -> bool:
    account = content.load_app(app).schema.account
    return account is not None and any(each.startswith(f"{account[0]}.") for each in kinds)


def _takes_person(app: str, unit: Unit) -> bool:
    return any(_is_person(app, each.kinds) for each in open_ids(unit))


def copy(ground: Ground) -> Iterator[Chain]:
    """Write a fact into a new row with a title: a task, a page, a note."""
    for app, view in ground.universe.apps.items():
        for unit in view.units.units.values():
            title, body = payload_of(app, unit, "title"), payload_of(app, unit, "body")
            # A moment in the example would have to be told, and found.
            if not unit.writes or title is None or len(open_ids(unit)) > 1 or unit.of_role("instant"):
                continue
            for fact in ground.facts:
                builder = Builder(ground, "copy")
                try:
                    ids: Mapping[str, Any] = {}
                    if open_ids(unit):
                        some = objects_for(ground, app, unit)
                        ids = builder.bind(app, unit, some[0], "PLACE").expressions if some else {}
                    builder.read(fact)
                    _copied(builder, app, unit, ids, fact, title.path, body.path if body else None)
                except UnreachableError:
                    continue
                builder.support = len(ground.told.places(fact.key))
                where = " in {PLACE}" if ids else ""
                yield builder.chain(
                    f"{deed_of(app, unit.tool)}{where}: {{FACT}}.",
                    f"{deed_of(app, unit.tool)}{'（{PLACE}）' if ids else ''}：{{FACT}}。",
                )


def _copied(
    builder: Builder, app: str, unit: Unit, ids: Mapping[str, Any], fact: Fact, title: str, body: str | None
) -> None:
    """Add the act that makes a row with a fact: in its title, and in its text if it has one."""
    condition = {"claims": [{"fact": fact.key}]}

    def call(version: str) -> dict[str, Any]:
        texts = {each.path: builder.sentence(fact, version) for each in unit.of_role("payload")}
        if body is not None:
            texts[title] = builder.sentence(fact, version).partition(": ")[0].partition("：")[0]
        try:
            return filled_act(app, unit, "make", ids, texts)
        except ValueError:
            raise UnreachableError from None

    where = unit.arguments[body or title]
    builder.acts.append(Act(call(""), {column_of(unit, where): condition}))
    for version in fact.versions[:2]:
        builder.near_misses.append(
            {
                "why": f"the value '{version.key}', which does not hold",
                "change": {"make": call(version.key)["arguments"]},
            }
        )


def count(ground: Ground) -> Iterator[Chain]:
    """Count the rows that belong to another row."""
    for app, view in ground.universe.apps.items():
        schema = content.load_app(app).schema
        for table in schema.tables:
            key = list(table.primary_key.columns)
            own = kind_of_column(key[-1])
            for column in table.columns:
                owner = kind_of_column(column) if column.foreign_keys else None
                if own is None or owner is None or own == owner:
                    continue
                yield from _counted(ground, app, view, str(table.name), str(column.name), str(key[-1].name), own, owner)


def _counted(
    ground: Ground, app: str, view: AppView, table: str, column: str, key: str, own: str, owner: str
) -> Iterator[Chain]:
    groups: dict[str, list[str]] = defaultdict(list)
    for row in load_start(ground.universe.world).rows(app, table):
        groups[str(row[column])].append(str(row[key]))
    shown = 0
    for value, keys in sorted(groups.items()):
        if len(keys) not in _COUNT or shown >= _ROWS_MAX:
            continue
        calls = _calls_showing(view, own, keys)
        if calls is None:
            continue
        builder = Builder(ground, "count")
        reached = ground.reach(builder.script, app, owner, value)
        if reached is None or not reached.label:
            continue
        ground.ways.play(builder.script, app, calls)
        shown += 1
        builder.chinese = is_chinese(reached.label)
        builder.blanks.append(Placeholder("OWNER", owner, value, "must", reached.label, app=app))
        builder.support = len(keys)
        claim = {
            "number": len(keys),
            "from": [{"app": app, "table": table, "where": {column: value}, "column": key, "all": True}],
            "how": "count",
        }
        tool = view.calls[calls].tool
        yield builder.chain(
            f"How many {table.replace('_', ' ')} does {{OWNER}} have?",
            f"{{OWNER}}有几条{table.replace('_', ' ')}？",
            answer=f"{len(keys)} {table.replace('_', ' ')}",
            claims={"claims": [claim]},
            looked_up=[{"app": app, "tool": tool}],
        )


def _calls_showing(view: AppView, kind: str, keys: Sequence[str]) -> int | None:
    """Return the first call whose answer shows all of some keys."""
    calls: set[int] | None = None
    for key in keys:
        showing = {each.call for each in view.by_key.get((kind, key), ())}
        calls = showing if calls is None else calls & showing
        if not calls:
            return None
    return min(calls) if calls else None

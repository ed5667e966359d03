"""Chains that count the rows that belong to a row of the person's own: all of them, or those with one status."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from sqlalchemy import Column

from farm import content
from farm.benchmark.generate.answers import leaves_of
from farm.benchmark.generate.chains import Chain, Placeholder
from farm.benchmark.generate.explore import Seen
from farm.benchmark.generate.kinds import is_account, kind_of_column
from farm.benchmark.generate.samplers.builder import Builder, UnreachableError
from farm.benchmark.generate.samplers.ground import Ground, Target, is_message
from farm.benchmark.generate.samplers.tell import DRAWS
from farm.benchmark.generate.universe import AppView
from farm.benchmark.generate.wording import is_chinese
from farm.benchmark.scoring.initial_state import load_start
from farm.context.operators import parsed_json

_ROWS_MAX = 12  # that others belong to, of a kind
_COUNT = range(3, 60)
_PART = range(2, 30)
_KINDS_MAX = 4


@dataclass(frozen=True)
class _Group:
    """All rows of a table that belong to one row.

    Attributes:
        column: the foreign key.
        owner: the kind of its values.
        value: the key of the row that they belong to.
        own: the kind of the rows' own keys.
        key: the column of these keys.
        rows: the rows of the start.
    """

    app: str
    table: str
    column: str
    owner: str
    value: str
    own: str
    key: str
    rows: Sequence[Mapping[str, Any]]

    @property
    def name(self) -> str:
        """What the rows are."""
        return self.table.replace("_", " ")


@dataclass(frozen=True)
class _Part:
    """Those rows of a group that have one value in a field.

    Attributes:
        field: the field in answers; empty for all rows.
        path: the column, or the path in a column that holds JSON.
        value: the value.
        number: how many rows have it.
    """

    field: str
    path: str
    value: str
    number: int


def count(ground: Ground) -> Iterator[Chain]:
    """Count the rows that belong to a row of the person's own, and answer; guests also where their story is at home."""
    for turn, group in product(range(DRAWS), [*_groups(ground)]):
        view = ground.view(group.app)
        calls = _calls_showing(view, group)
        if not calls:
            continue
        call = calls[turn % len(calls)]
        for part, target in product((*_wholes(group), *_parts(view, call, group)), (None, *_places(ground, group))):
            builder = Builder(ground, "count", turn)
            try:
                place = builder.place(target) if target else None
                _reach(builder, view, call, group)
                if target:
                    claim = {"claims": [_claim(group, part) | {"of": []}]}
                    builder.post(target, place, f"{part.number} {group.name}", claim)
                    builder.miss(target, place, "one more", f"{part.number + 1} {group.name}")
            except UnreachableError:
                continue
            yield _asked(builder, group, part, "" if target else view.calls[call].tool)


def _places(ground: Ground, group: _Group) -> list[Target]:
    """Return the first place where people care how many there are of a group of rows without words.

    How many are in a place itself, such as the members of a channel, everybody there sees.
    """
    is_place = any(group.owner in argument.kinds for _, _, argument in ground.telling_units())
    stories = [] if is_place or "body" in _roles(group) else ground.stories_at(group.app, group.value)
    places = ground.places_of(stories[0]) if stories else ()
    return [each for each in places if ground.reports_in(each)][:1]


def _reach(builder: Builder, view: AppView, call: int, group: _Group) -> None:
    """Add the call that shows a group, and have a blank for the row that it belongs to."""
    builder.ground.ways.play(builder.script, group.app, call, builder.turn)
    one = next(iter(_shown(view, call, group).values()))
    before = call if one.typed[group.owner][1].startswith("<") else call + 1
    reached = builder.reach(group.app, group.owner, group.value, before)
    if reached is None or not reached.label or builder.ground.is_name_of_person(group.app, reached.label):
        raise UnreachableError
    builder.chinese = builder.chinese or is_chinese(reached.label)
    builder.blanks.append(Placeholder("OWNER", group.owner, group.value, "must", reached.label, app=group.app))
    builder.support = len(group.rows)


def _groups(ground: Ground) -> Iterator[_Group]:
    """Yield the groups that are neither the talk in a place nor all that somebody has, a few of each kind."""
    talk = {(app, unit.writes[0], kind) for app, unit, argument in ground.telling_units() for kind in argument.kinds}
    for app, view in ground.universe.apps.items():
        for table in content.load_app(app).schema.tables:
            name, key = str(table.name), list(table.primary_key.columns)[-1]
            own = kind_of_column(key)
            if own is None or not any(is_account(app, kind) for kind in map(kind_of_column, table.columns) if kind):
                continue  # what nobody is behind: the columns of a list, its views
            for column in (each for each in table.columns if each.info["role"] in ("reference", "key")):
                found: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
                for row in load_start(ground.universe.world).rows(app, name):
                    for owner in _owners(view, column, str(row[column.name])):
                        found[owner].append(row)
                groups = (
                    _Group(app, name, str(column.name), *owner, own, str(key.name), rows)
                    for owner, rows in sorted(found.items())
                    if owner[0] != own and (app, name, owner[0]) not in talk and len(rows) in _COUNT
                )
                yield from [each for each in groups if _concerns(ground, each)][:_ROWS_MAX]


def _owners(view: AppView, column: Column[Any], value: str) -> list[tuple[str, str]]:
    """Return (kind, key) of the row that a value of a column refers to, unless it is a person."""
    if column.foreign_keys:
        kinds = [str(kind_of_column(column))]
    else:
        kinds = [] if kind_of_column(column) else [*view.kinds.of(value)]
    return [(kind, value) for kind in kinds if not is_account(view.app, kind)]


def _concerns(ground: Ground, group: _Group) -> bool:
    """Return whether a group's row is the person's own; if its rows have no words, such as guests, theirs is enough.

    Rows of several sorts, such as people and rooms, are not counted together.
    """
    roles = content.load_app(group.app).schema.roles[group.table]
    sorts = [{str(row[column]) for row in group.rows} for column, role in roles.items() if role == "kind"]
    if any(len(each) > 1 and _are_words(each) for each in sorts):
        return False
    if "body" in _roles(group):
        return ground.owns(group.app, group.owner, group.value)
    return ground.is_mine(group.app, group.value)


def _roles(group: _Group) -> set[str]:
    return set(content.load_app(group.app).schema.roles[group.table].values())


def _are_words(values: Iterable[str]) -> bool:
    return all(each.replace("_", "").replace(" ", "").isalpha() for each in values)


def _wholes(group: _Group) -> list[_Part]:
    """Return all rows of a group as a part, if somebody counts them: nobody counts the lines of a page."""
    is_line = "body" in _roles(group) and "title" not in _roles(group) and not is_message(group.app, group.own)
    return [] if is_line else [_Part("", "", "", len(group.rows))]


def _calls_showing(view: AppView, group: _Group) -> list[int]:
    """Return the calls whose answers show the rows of a group and no others, the first of each tool."""
    keys = {str(row[group.key]) for row in group.rows}
    calls = {each.call for each in view.by_key.get((group.own, min(keys)), ())}
    tools: dict[str, int] = {}
    for call in sorted(each for each in calls if _shown(view, each, group).keys() == keys):
        tools.setdefault(view.calls[call].tool, call)
    return [*tools.values()]


def _shown(view: AppView, call: int, group: _Group) -> Mapping[str, Seen]:
    """Return key → object, of the rows of a group's kind that an answer shows beside the row that they belong to."""
    found = {}
    for each in view.by_call[call]:
        (value, path), (owner, _) = (each.typed.get(kind, ("", "<")) for kind in (group.own, group.owner))
        if not path.startswith("<") and str(owner) == group.value and not _is_of_another(each, group):
            found[str(value)] = each
    return found


def _is_of_another(seen: Seen, group: _Group) -> bool:
    """Return whether an object is a row of another table that belongs to the same: a message, and not its author."""
    tables = content.load_app(group.app).schema.metadata.tables
    shown = {kind.partition(".")[0] for kind, (_, path) in seen.typed.items() if not path.startswith("<")}
    others = (tables[each] for each in shown & tables.keys() - {group.table, group.own.partition(".")[0]})
    return any(
        kind_of_column(column) == group.owner and column.foreign_keys for each in others for column in each.columns
    )


def _parts(view: AppView, call: int, group: _Group) -> Iterator[_Part]:
    """Yield the rows with one value of a status, or of what people chose from a list, if an answer shows it."""
    roles = content.load_app(group.app).schema.roles[group.table]
    shown = {key: each.values for key, each in _shown(view, call, group).items()}
    held: dict[str, dict[str, str]] = defaultdict(dict)
    for row in group.rows:
        for column, value in row.items():
            inner = parsed_json(value) if isinstance(value, str) else value
            if roles[column] == "status" or (roles[column] == "body" and isinstance(inner, Mapping)):
                for path, leaf in leaves_of(inner, column):
                    held[path][str(row[group.key])] = str(leaf)
    for path, values in held.items():
        numbers = Counter(values.values())
        if len(values) < len(group.rows) or not 1 < len(numbers) <= _KINDS_MAX:
            continue
        fields = set.intersection(
            *({n for n, v in shown[key].items() if str(v) == each} for key, each in values.items())
        )
        for value, number in sorted(numbers.items()) if fields else ():
            if number in _PART and _are_words([value]):
                yield _Part(min(fields).rpartition(".")[2], path, value, number)


def _claim(group: _Group, part: _Part) -> dict[str, Any]:
    where = {group.column: group.value} | ({part.path: part.value} if part.field else {})
    operand = {"app": group.app, "table": group.table, "where": where, "column": group.key, "all": True}
    return {"number": part.number, "from": [operand], "how": "count"}


def _asked(builder: Builder, group: _Group, part: _Part, tool: str) -> Chain:
    """Return the chain that asks how many there are: for an answer, which a tool shows, or for a place without one."""
    english = (
        f"How many {group.name}{f' whose {part.field} is {part.value}' if part.field else ''} does {{OWNER}} have?"
    )
    chinese = f"{{OWNER}}有几条{f'{part.field}是{part.value}的' if part.field else ''}{group.name}？"
    notes, priority = [*dict.fromkeys(_told_apart(group))], int(bool(part.field))
    if not tool:
        return builder.chain(
            f"{english} Post it in {{PLACE}}.", f"{chinese}发到{{PLACE}}。", priority=priority, notes=notes
        )
    return builder.chain(
        english,
        chinese,
        answer=f"{part.number} {group.name}",
        claims={"claims": [_claim(group, part)]},
        looked_up=[{"app": group.app, "tool": tool}],
        priority=priority,
        notes=notes,
    )


def _told_apart(group: _Group) -> Iterator[str]:
    """Yield what differs among the rows of a group: without a word about it, answers to others count as well."""
    for each in content.load_app(group.app).schema.metadata.tables[group.table].columns:
        held = Counter(str(row[each.name]) for row in group.rows)
        if any(key.column.table.name == group.table for key in each.foreign_keys):
            answers = sum(number for key, number in held.items() if key not in ("None", ""))
            if answers:
                yield f"{answers} of the {len(group.rows)} belong to another of them, such as a reply; they count too."
        elif each.info["role"] in ("status", "kind", "setting") and 1 < len(held) <= _KINDS_MAX:
            yield f"By {each.name}: {', '.join(f'{key} {number}' for key, number in held.most_common())}."

"""Reconstruct the state before a trace, backwards from what its calls showed.

A row shown by a read before any call wrote to it is as it was at the start. A row that a call created did not exist. A
row that a successful call changed, deleted or requested by its key existed, though its values may stay unknown. Values
that no call shows are reported, not invented.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from farm.errors import NotFoundError
from farm.traverse.tree.answer_parser import AnswerParser
from farm.traverse.tree.model import BELOW, Entity, Field, RowLocation, Tool, Tree
from farm.traverse.tree.pool_calls import PoolCall, PoolCalls
from farm.traverse.tree.rows import VALUE, Collector, Row, is_scalar, owner_among, without_lone_surrogates

RowKey = tuple[str, tuple[str, ...]]
# Shorter texts occur in a row by chance.
_SAYS_MIN = 2


@dataclass(frozen=True)
class UnknownValue:
    """The values of one row that no call of the trace shows.

    Attributes:
        columns: the columns without a value; empty if the row's existence itself is unknown.
    """

    table: str
    key: Mapping[str, Any]
    columns: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class ReconstructedStart:
    """The rows before a trace, as far as it shows them.

    Attributes:
        rows: each with its ``table``, owners first.
        absent: keys of rows that did not exist: a call created them later, or a complete list did not contain them.
    """

    trace: int
    rows: tuple[dict[str, Any], ...]
    unknown: tuple[UnknownValue, ...]
    absent: tuple[tuple[str, Mapping[str, Any]], ...]


@dataclass
class _Known:
    """The knowledge about one row."""

    values: dict[str, Any] = field(default_factory=dict)
    was_there: bool = False
    is_created: bool = False
    why: str = ""
    touched_by: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _ObservedRow:
    """One row of an entity as a call shows it."""

    entity: Entity
    key: tuple[str, ...]
    values: Mapping[str, Any]
    is_listed: bool


def reconstruct(pool: PoolCalls, tree: Tree, trace: int) -> ReconstructedStart:
    """Return the start of a trace.

    Raises:
        NotFoundError: the pool has no such trace; the message lists its traces.
    """
    traces = sorted({call.trace for call in pool.calls})
    if trace not in traces:
        raise NotFoundError(f"no trace {trace} in {pool.path}; have {', '.join(map(str, traces))}")
    reader = Observations(pool, tree)
    steady = _steady(pool, reader)
    past = _Past(tree, steady)
    for call in _in_order(pool, trace):
        past.see(call, reader)
    return past.start(trace)


def _in_order(pool: PoolCalls, trace: int) -> list[PoolCall]:
    own = [call for call in pool.calls if call.trace == trace and call.is_success]
    return sorted(own, key=lambda call: (call.step, call.line))


class Observations:
    """Converts calls into rows of a tree's entities."""

    def __init__(self, pool: PoolCalls, tree: Tree) -> None:
        self.tree = tree
        self.tools = {each.name: each for each in tree.tools}
        self._collector = Collector(pool, AnswerParser(pool))
        # Entities that have keys which are not numbers.
        self._wordy: set[str] = set()
        self._places: defaultdict[tuple[str, str, str], list[tuple[Entity, RowLocation]]] = defaultdict(list)
        for entity in tree.entities:
            for place in entity.places if not entity.is_receipt else ():
                self._places[place.side, place.tool, place.path].append((entity, place))

    def reads(self, tool: str) -> bool:
        """Return whether a tool only reads."""
        known = self.tools.get(tool)
        return known is not None and known.effect == "reads"

    def rows_of(self, call: PoolCall) -> Iterator[_ObservedRow]:
        """Yield the rows that an answer shows."""
        shown: dict[int, tuple[Entity, dict[str, Any]]] = {}
        for row in self._collector.rows_of(call):
            if row.side != "answer":
                continue
            for entity, place in self._places[row.side, row.call.tool, row.path]:
                if any(row.members.get(name) != value for name, value in place.when.items()):
                    continue
                above = owner_among(row, shown)
                values = self._values(row, entity, place, shown.get(id(above)))
                if not entity.key:
                    yield _ObservedRow(
                        entity, (json.dumps(values, sort_keys=True, default=str),), values, row.path.endswith("[]")
                    )
                    continue
                key = tuple(values.get(name) for name in entity.key)
                if any(part in (None, "") for part in key) or not self._fits(call, row, entity, values):
                    continue
                shown.setdefault(id(row), (entity, values))
                named = tuple(map(str, key))
                yield _ObservedRow(entity, named, values, row.listing is not None)
                yield from self._links(entity, values)

    def _fits(self, call: PoolCall, row: Row, entity: Entity, values: Mapping[str, Any]) -> bool:
        """Return whether a key is plausible: not a folder of a listing, not a search pattern of a perturbed call."""
        own = str(values[entity.key[-1]])
        if VALUE in row.members and own.endswith("/"):
            return False
        if call.is_seed:
            if not own.isdecimal():
                self._wordy.add(entity.name)
            return True
        return own.isdecimal() or entity.name in self._wordy

    def _values(
        self, row: Row, entity: Entity, place: RowLocation, owner: tuple[Entity, dict[str, Any]] | None
    ) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in row.fields.items():
            values[place.fields.get(name, name)] = value
        for name, to in place.fields.items():
            if not name:
                values[to] = dict(row.members)
            elif isinstance(row.members.get(name), dict) and to != name:
                values[to] = row.members[name]
        for name, to in place.adds.items():
            if name not in row.around:
                continue
            if to == BELOW and VALUE in row.members:
                own = place.fields.get(VALUE, VALUE)
                values[own] = f"{row.around[name]}/{row.members[VALUE]}"
            elif to != BELOW:
                values.setdefault(to, row.around[name])
        if owner is not None:
            for each in entity.fields:
                if each.is_owner and each.name not in values:
                    own_name = each.name.removeprefix(f"{owner[0].name}.")
                    values[each.name] = owner[1].get(each.name, owner[1].get(own_name))
        known = {each.name for each in entity.fields}
        return {name: value for name, value in values.items() if name in known}

    def _links(self, entity: Entity, values: Mapping[str, Any]) -> Iterator[_ObservedRow]:
        for each in entity.fields:
            link = self.tree.link(entity, each)
            if link is None or not isinstance(values.get(each.name), list):
                continue
            above = {f"{entity.name}.{name}": values.get(name) for name in entity.key}
            for one in values[each.name]:
                held = {**above, each.name: one}
                if any(held[name] in (None, "") for name in link.key):
                    continue
                yield _ObservedRow(link, tuple(str(held[name]) for name in link.key), held, is_listed=False)

    def named(self, call: PoolCall) -> Iterator[tuple[Tool, Entity, dict[str, str]]]:
        """Yield what the arguments name: the tool, the entity, and the parts of its key."""
        tool = self.tools.get(call.tool)
        entity = self.tree.find(tool.entity) if tool else None
        if tool is None or entity is None or entity.is_receipt:
            return
        lists = [name for name in tool.names if isinstance(call.named.get(name), list)]
        parts = {to: str(call.named[name]) for name, to in tool.names.items() if _is_given(call.named.get(name))}
        if not lists:
            if parts:
                yield tool, entity, parts
            return
        for each in call.named[lists[0]]:
            if is_scalar(each):
                yield tool, entity, {**parts, tool.names[lists[0]]: str(each)}


def _is_given(value: Any) -> bool:
    return is_scalar(value) and value not in (None, "")


class _Past:
    """The start as a trace's calls reveal it, one by one."""

    def __init__(self, tree: Tree, steady: Mapping[tuple[str, str], bool]) -> None:
        self.tree = tree
        self.steady = steady
        self.known: dict[RowKey, _Known] = {}
        self.complete: set[str] = set()
        self.made: defaultdict[str, list[set[str]]] = defaultdict(list)

    def see(self, call: PoolCall, reader: Observations) -> None:
        """Process one successful call."""
        if reader.reads(call.tool):
            self._read(call, reader)
        else:
            self._write(call, reader)

    def _read(self, call: PoolCall, reader: Observations) -> None:
        listed: set[str] = set()
        for sight in reader.rows_of(call):
            known = self._row(sight.entity, sight.key)
            self._show(known, sight, call)
            if sight.is_listed:
                listed.add(sight.entity.name)
        for _, entity, parts in reader.named(call):
            # A call with several keys may report missing ones within a success.
            is_one = not any(isinstance(each, list) for each in call.named.values())
            if is_one and call.is_seed and set(parts) >= set(entity.key):
                known = self._row(entity, tuple(parts[name] for name in entity.key))
                if not known.touched_by:
                    self._was_there(known, f"{call.tool} found it (line {call.line})")
        self.complete |= listed if not call.named else set()

    def _show(self, known: _Known, sight: _ObservedRow, call: PoolCall) -> None:
        if known.is_created:
            return
        above = list(self._above(sight.entity, sight.key))
        if not known.was_there and any(each.is_created for each in above):
            known.is_created = True
            return
        touched = list(known.touched_by)
        if not known.was_there:
            # A row that belongs to a changed one and was not seen before may be the result of that change.
            touched += [tool for each in above for tool in each.touched_by]
        if not known.was_there and self._is_made_blindly(sight):
            known.is_created = True
            return
        if not touched:
            self._was_there(known, f"{call.tool} showed it (line {call.line})")
        for name, value in sight.values.items():
            if name in known.values:
                # A list may be longer in one answer than in another; the first shown value is closest to the start.
                continue
            if all(self.steady.get((f"{tool} {sight.entity.name}", name), False) for tool in touched):
                known.values[name] = value

    def _above(self, entity: Entity, key: tuple[str, ...]) -> Iterator[_Known]:
        """Yield what is known of the rows above a row."""
        owner = self.tree.find(entity.owner)
        while owner is not None and len(owner.key) < len(key):
            key = key[: len(owner.key)]
            if (owner.name, key) in self.known:
                yield self.known[owner.name, key]
            owner = self.tree.find(owner.owner)

    def _is_made_blindly(self, sight: _ObservedRow) -> bool:
        """Return whether a row holds an argument of an earlier creating call whose answer did not show its row."""
        held = {str(value) for value in sight.values.values() if is_scalar(value)}
        return any(held & said for said in self.made[sight.entity.name])

    def _write(self, call: PoolCall, reader: Observations) -> None:
        tool = reader.tools.get(call.tool)
        if tool is None or (tool.effect == "unknown" and tool.entity is None):
            return  # it names nothing that answers show
        shown = list(reader.rows_of(call))
        named = list(reader.named(call))
        made_here = tool.effect == "creates"
        if made_here and tool.entity is not None and not any(each.entity.name == tool.entity for each in shown):
            given = [str(each) for each in call.named.values() if is_scalar(each) and not isinstance(each, bool | None)]
            texts = {each for each in given if len(each) > _SAYS_MIN}
            self.made[tool.entity].append(texts)
        for _, entity, parts in named:
            for key in self._keys(entity, parts):
                known = self._row(entity, key)
                if tool.effect in ("changes", "deletes") and not known.touched_by:
                    self._was_there(known, f"{call.tool} {tool.effect} it (line {call.line})")
                elif not known.was_there and (made_here or (tool.effect == "sets" and entity.name in self.complete)):
                    known.is_created = True
                self._touch(entity, key, call.tool)
        for sight in shown:
            known = self._row(sight.entity, sight.key)
            if made_here and sight.entity.name == tool.entity and not known.was_there:
                known.is_created = True
            elif tool.effect in ("changes", "deletes") and not known.is_created and not known.touched_by:
                # The answer of a write shows the row after it, and proves that the row existed before.
                self._was_there(known, f"{call.tool} {tool.effect} it (line {call.line})")
            self._touch(sight.entity, sight.key, call.tool)

    def _keys(self, entity: Entity, parts: Mapping[str, str]) -> list[tuple[str, ...]]:
        """Return the keys that match some parts of a key: the key itself, or all known keys with these parts."""
        if set(parts) >= set(entity.key):
            return [tuple(parts[name] for name in entity.key)]
        at = {name: number for number, name in enumerate(entity.key)}
        return [
            key
            for name, key in self.known
            if name == entity.name and all(key[at[part]] == value for part, value in parts.items() if part in at)
        ]

    def _touch(self, entity: Entity, key: tuple[str, ...], tool: str) -> None:
        self._row(entity, key).touched_by.append(tool)
        # The call may also have changed rows below it.
        for each in self.tree.entities:
            if each.owner == entity.name and each.name != entity.name:
                for name, other in list(self.known):
                    if name == each.name and other[: len(key)] == key and len(other) > len(key):
                        self.known[name, other].touched_by.append(tool)

    def _row(self, entity: Entity, key: tuple[str, ...]) -> _Known:
        return self.known.setdefault((entity.name, key), _Known())

    def _was_there(self, known: _Known, why: str) -> None:
        if not known.is_created and not known.was_there:
            known.was_there, known.why = True, why

    def _follow_references(self) -> None:
        """Mark the rows that the start's rows refer to as existing, if the server enforces the reference."""
        waiting = [at for at, known in self.known.items() if known.was_there]
        while waiting:
            name, key = waiting.pop()
            entity = self.tree.find(name)
            held = dict(zip(entity.key if entity else (), key, strict=False)) | self.known[name, key].values
            for each in entity.fields if entity else ():
                target = self.tree.find(each.references)
                value = held.get(each.name)
                if (
                    target is None
                    or target.is_receipt
                    or not each.is_enforced
                    or len(target.key) != 1
                    or not _is_given(value)
                ):
                    continue
                known = self._row(target, (str(value),))
                if not known.was_there and not known.is_created:
                    self._was_there(known, f"a row of {name} refers to it")
                    waiting.append((target.name, (str(value),)))

    def start(self, trace: int) -> ReconstructedStart:
        """Return the start as known after all calls."""
        self._follow_references()
        rows: list[dict[str, Any]] = []
        unknown: list[UnknownValue] = []
        absent: list[tuple[str, Mapping[str, Any]]] = []
        for entity in self.tree.entities:
            own = [(key, known) for (name, key), known in self.known.items() if name == entity.name]
            for key, known in own if entity.table else ():
                named = {
                    each.column: part
                    for name, part in zip(entity.key, key, strict=False)
                    if (each := entity.find(name))
                }
                if known.is_created:
                    absent.append((entity.table, named))
                    continue
                if not known.was_there:
                    unknown.append(UnknownValue(entity.table, named, (), "whether it was there, no call tells"))
                    continue
                row, missing = self._columns(entity, key, known)
                if any(each.type != "TEXT" and isinstance(row.get(each.column), str) for each in entity.fields):
                    unknown.append(
                        UnknownValue(entity.table, named, (), f"{known.why}, but it holds a text for a number")
                    )
                    continue
                if row:
                    rows.append({"table": entity.table, **row})
                if missing:
                    unknown.append(UnknownValue(entity.table, named, missing, known.why))
        return ReconstructedStart(trace, tuple(_with_given(rows, self.tree)), tuple(unknown), tuple(absent))

    def _columns(self, entity: Entity, key: tuple[str, ...], known: _Known) -> tuple[dict[str, Any], tuple[str, ...]]:
        row: dict[str, Any] = {}
        missing = []
        of_key = dict(zip(entity.key, key, strict=False))
        for each in entity.fields:
            if self.tree.link(entity, each) is not None or not each.column:
                continue
            if each.name in known.values:
                row[each.column] = as_column(each, known.values[each.name])
            elif each.name in of_key:
                row[each.column] = as_column(each, of_key[each.name])
            else:
                if each.default is not None:
                    row[each.column] = each.default
                missing.append(each.column)
        return row, tuple(missing)


def in_order(tree: Tree) -> list[Entity]:
    """Return the entities, each after those it refers to; entities in a reference cycle keep their order."""
    found: list[Entity] = []
    open_: set[str] = set()

    def add(entity: Entity) -> None:
        if entity in found or entity.name in open_:
            return
        open_.add(entity.name)
        # Owners first: in a cycle, they must not come later.
        for each in sorted(entity.fields, key=lambda one: not one.is_owner):
            if (target := tree.find(each.references)) is not None:
                add(target)
        found.append(entity)

    for each in tree.entities:
        add(each)
    return found


def as_column(each: Field, value: Any) -> Any:
    """Return a value in the form that a STRICT table's column accepts."""
    if value is None:
        return None
    if isinstance(value, dict | list):
        return without_lone_surrogates(json.dumps(value, ensure_ascii=False))
    if each.type == "TEXT":
        # A text that Python printed may hold bytes, or another value without a form in JSON.
        return without_lone_surrogates(value) if isinstance(value, str) else json.dumps(value, default=repr)
    if isinstance(value, bool):
        return int(value)
    if each.type == "INTEGER" and isinstance(value, str) and value.lstrip("-").isdecimal():
        return int(value)
    return value


def _with_given(rows: Sequence[dict[str, Any]], tree: Tree) -> list[dict[str, Any]]:
    """Return the rows merged with those a person gave, which win; referenced rows come first."""
    keys = {each.table: tuple(part.column for name in each.key if (part := each.find(name))) for each in tree.entities}
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for at, row in enumerate([*tree.given, *rows]):
        columns = keys.get(row["table"], ())
        key = (row["table"], *(row.get(name) for name in columns)) if columns else (row["table"], at)
        found[key] = {**row, **found.get(key, {})}
    order = {each.table: at for at, each in enumerate(in_order(tree))}
    return sorted(found.values(), key=lambda row: order.get(row["table"], len(order)))


def _steady(pool: PoolCalls, reader: Observations) -> dict[tuple[str, str], bool]:
    """Return (tool and entity, field) → whether the tool's calls always left the field unchanged."""
    found: dict[tuple[str, str], bool] = {}
    for trace in sorted({call.trace for call in pool.calls}):
        seen: dict[RowKey, Mapping[str, Any]] = {}
        since: defaultdict[RowKey, set[str]] = defaultdict(set)
        for call in _in_order(pool, trace):
            if not reader.reads(call.tool):
                for _, entity, parts in reader.named(call):
                    if set(parts) >= set(entity.key):
                        since[entity.name, tuple(parts[name] for name in entity.key)].add(call.tool)
                for sight in reader.rows_of(call):
                    since[sight.entity.name, sight.key].add(call.tool)
                continue
            for sight in reader.rows_of(call):
                key = (sight.entity.name, sight.key)
                before = seen.get(key, {})
                for tool in since[key]:
                    for name in before.keys() & sight.values.keys():
                        at = (f"{tool} {sight.entity.name}", name)
                        found[at] = found.get(at, True) and before[name] == sight.values[name]
                since[key].clear()
                seen[key] = {**before, **sight.values}
    return found

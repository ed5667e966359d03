"""Find the rows in calls: objects in a list or with an id."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Any, Literal

from farm.traverse.tree.answer_parser import AnswerParser
from farm.traverse.tree.pool_calls import PoolCall, PoolCalls

Side = Literal["answer", "arguments"]
Scalar = str | int | float | bool | None

IDENTITIES = ("id", "uid", "uuid", "guid", "_id", "Id", "ID")
# The only member of a row that is not an object: an answer's text or number, or one value of a list.
VALUE = "value"
_DEPTH_MAX = 3
_WEAK_MEMBERS_MIN = 3
# Objects whose member names vary are tables if the objects inside are at least this similar.
_MAP_ALIKE_MIN = 0.4
_MAPS_COMPARED_MAX = 40


@dataclass(eq=False)
class Row:
    """One object as a call shows it.

    Attributes:
        path: its path in the answer or the arguments, ``messages[].reactions[]``; empty for the whole.
        members: the object itself.
        fields: its scalars, lists of scalars and lists of objects by path, ``topic.value``.
        owner: the row that contains it, or an object that may be one.
        around: scalars of the containing objects that are not rows, and the arguments of the call.
        listing: the number of its list, or None.
        is_weak: whether it may be a mere part of its owner.
    """

    call: PoolCall
    side: Side
    path: str
    members: Mapping[str, Any]
    fields: dict[str, Any]
    owner: Row | None
    around: Mapping[str, Scalar]
    listing: int | None
    is_weak: bool = False


def without_lone_surrogates(text: str) -> str:
    """Return a text that files and databases accept, without the lone surrogates that JSON allows."""
    return text.encode("utf-8", "replace").decode("utf-8")


def is_scalar(value: Any) -> bool:
    """Return whether a value is neither an object nor a list."""
    return not isinstance(value, dict | list)


def owner_among(row: Row, rows: Container[int]) -> Row | None:
    """Return the nearest containing row whose id is given."""
    above = row.owner
    while above is not None and id(above) not in rows:
        above = above.owner
    return above


@dataclass
class Collector:
    """Walks through answers and arguments."""

    pool: PoolCalls
    parser: AnswerParser
    maps: frozenset[tuple[str, str]] = field(init=False)
    _numbers: Iterator[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        found: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
        for call in self._calls():
            _objects(self.parser.parse(call), call.tool, "", found)
        self._echoes: dict[int, frozenset[str]] = {}
        self.maps = frozenset(place for place, objects in found.items() if _is_map(objects))

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        for call in self._calls():
            yield from self.rows_of(call)

    def rows_of(self, call: PoolCall) -> Iterator[Row]:
        """Yield the rows of one call."""
        around = {name: value for name, value in call.named.items() if is_scalar(value)}
        body = self.parser.parse(call)
        if is_scalar(body):
            if body not in (None, ""):
                yield Row(call, "answer", "", {VALUE: body}, {VALUE: body}, None, around, None, is_weak=True)
        else:
            yield from self._walk(call, "answer", "", body, None, around, None)
        yield from self._walk(call, "arguments", "", call.named, None, {}, None)

    def _calls(self) -> Iterator[PoolCall]:
        return (each for each in self.pool.calls if each.is_success)

    def _walk(
        self,
        call: PoolCall,
        side: Side,
        path: str,
        value: Any,
        owner: Row | None,
        around: Mapping[str, Scalar],
        listing: int | None,
    ) -> Iterator[Row]:
        if isinstance(value, list):
            number = next(self._numbers)
            for each in value:
                if isinstance(each, dict | list):
                    yield from self._walk(call, side, f"{path}[]", each, owner, around, number)
                elif owner is None and isinstance(each, str | int) and side == "answer":
                    yield Row(call, side, f"{path}[]", {VALUE: each}, {VALUE: each}, None, around, number, is_weak=True)
            return
        if not isinstance(value, dict):
            return
        if side == "answer" and (call.tool, path) in self.maps:
            number = next(self._numbers)
            for key, each in value.items():
                # The member's name identifies the object if no member of the object does.
                entry = each if str(each.get("id")) == key else {"key": key, **each}
                yield from self._walk(call, side, f"{path}[]", entry, owner, around, number)
            return
        row = self._row(call, side, path, value, owner, around, listing)
        if row is not None:
            yield row
        if row is not None:
            owner = row
        if (row is None or row.is_weak) and side == "answer":
            around = {**around, **{name: each for name, each in value.items() if is_scalar(each)}}
        for name, each in value.items():
            yield from self._walk(call, side, f"{path}.{name}" if path else name, each, owner, around, None)

    def _row(
        self,
        call: PoolCall,
        side: Side,
        path: str,
        value: Mapping[str, Any],
        owner: Row | None,
        around: Mapping[str, Scalar],
        listing: int | None,
    ) -> Row | None:
        scalars = [name for name, each in value.items() if is_scalar(each)]
        if not value or (side == "answer" and path and _text(value) in self._asked(call)):
            return None  # empty, or sent by the client itself
        asked = {str(each) for name, each in call.named.items() if is_scalar(each) and each not in (None, "", True)}
        is_asked_for = side == "answer" and not path and any(str(value[name]) in asked for name in scalars)
        is_strong = listing is not None or identity_of(value) is not None or is_asked_for
        if not is_strong and len(scalars) < _WEAK_MEMBERS_MIN and (path or side == "arguments"):
            return None
        fields = dict(flatten(value, self._is_map_below(call, path, side)))
        return Row(call, side, path, value, fields, owner, around, listing, is_weak=not is_strong)

    def _asked(self, call: PoolCall) -> frozenset[str]:
        """Return the objects in the arguments of a reading call, as texts; an answer with one only quotes it."""
        if call.line not in self._echoes:
            found: defaultdict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
            if self.pool.reads(call.tool)[0]:
                _objects(call.named, call.tool, "", found)
            self._echoes[call.line] = frozenset(_text(each) for objects in found.values() for each in objects)
        return self._echoes[call.line]

    def _is_map_below(self, call: PoolCall, path: str, side: Side) -> frozenset[str]:
        if side == "arguments":
            return frozenset()
        start = f"{path}." if path else ""
        return frozenset(
            place.removeprefix(start) for tool, place in self.maps if tool == call.tool and place.startswith(start)
        )


def identity_of(value: Mapping[str, Any]) -> str | None:
    """Return the name of the member that identifies an object, or None."""
    return next((name for name in IDENTITIES if isinstance(value.get(name), str | int)), None)


def flatten(value: Mapping[str, Any], documents: frozenset[str] = frozenset(), prefix: str = "") -> Iterator[Any]:
    """Yield path and value of an object's contents; of a nested row, only its identity.

    Args:
        documents: paths of objects that are kept whole.
    """
    for name, each in value.items():
        path = prefix + name
        if not isinstance(each, dict) or not each or path in documents:
            yield path, each
        elif (identity := identity_of(each)) is not None:
            yield f"{path}.{identity}", each[identity]
        elif path.count(".") + 1 < _DEPTH_MAX:
            yield from flatten(each, documents, f"{path}.")
        else:
            yield path, each


def _objects(value: Any, tool: str, path: str, found: defaultdict[tuple[str, str], list[Mapping[str, Any]]]) -> None:
    if isinstance(value, list):
        for each in value:
            _objects(each, tool, f"{path}[]", found)
    elif isinstance(value, dict):
        found[tool, path].append(value)
        for name, each in value.items():
            _objects(each, tool, f"{path}.{name}" if path else name, found)


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _is_map(objects: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether objects are tables: their member names vary, and their members are similar objects."""
    filled = [each for each in objects if each]
    inner = [value for each in filled for value in each.values()]
    if not filled or not inner or not all(isinstance(value, dict) and value for value in inner):
        return False
    if all(str(value.get("id")) == name for each in filled for name, value in each.items()):
        return True  # keyed by id
    names = Counter(name for each in filled for name in each)
    has_sentences = any(" " in name for name in names)
    if len(names) < 3 or len(filled) < 3:
        return has_sentences and _alike(inner) >= _MAP_ALIKE_MIN
    usual = statistics.median(names.values()) / len(filled)
    return (usual < 0.5 or has_sentences) and _alike(inner) >= _MAP_ALIKE_MIN


def _alike(objects: Sequence[Mapping[str, Any]]) -> float:
    some = list(islice(objects, _MAPS_COMPARED_MAX))
    return statistics.fmean(alike(set(some[0]), set(each)) for each in some)


def alike(one: set[str], other: set[str]) -> float:
    """Return the share of names that two sets have in common."""
    return len(one & other) / len(one | other) if one or other else 0.0

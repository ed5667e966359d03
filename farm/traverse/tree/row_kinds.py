"""Group rows by kind: the same sort of object, in whichever tools' answers it appears."""

from __future__ import annotations

import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from farm.traverse.tree.rows import VALUE, Row, Side, alike, identity_of, is_scalar

# A list holds objects of several kinds if a member names the kind and the other members are less similar than this.
_MIXED_MAX = 0.7
_KINDS_MAX = 15
_ALIKE_MIN = 0.6
_CONTAINED_MIN = 0.8
# A member characterizes a place if at least this share of its rows have it.
_USUAL = 0.3
_SAME_VALUES_MIN = 0.6
_SHARED_MIN = 3

_WORD = re.compile(r"^[a-z][a-z_ \-]{0,30}\d?$")

Mark = tuple[str, str] | None
Where = tuple[Side, str, str, Mark]


@dataclass(eq=False)
class Cell:
    """The rows of one place, or those of one kind if the place shows several."""

    where: Where
    rows: list[Row] = field(default_factory=list)

    @property
    def is_weak(self) -> bool:
        """Return whether its objects may be parts of others."""
        return all(row.is_weak for row in self.rows)

    @property
    def members(self) -> set[str]:
        """The members that its rows usually have."""
        counts = Counter(name for row in self.rows for name in row.members)
        return {name for name, number in counts.items() if number >= _USUAL * len(self.rows)}

    @property
    def all_members(self) -> set[str]:
        """The members that any of its rows has."""
        return {name for row in self.rows for name in row.members}

    @property
    def name(self) -> str:
        """The last member of its path."""
        return singular(re.sub(r"\[\]", "", self.where[2]).rpartition(".")[2])

    @property
    def initials(self) -> set[str]:
        """The first characters of its ids."""
        found = (row.members[name] for row in self.rows if (name := identity_of(row.members)))
        return {str(each)[:1] for each in found}


@dataclass(eq=False)
class RowKind:
    """All rows of one kind."""

    cells: list[Cell]

    @property
    def rows(self) -> list[Row]:
        """Its rows, place by place."""
        return [row for cell in self.cells for row in cell.rows]

    @property
    def mark(self) -> Mark:
        """The member and value that name the kind, or None."""
        return next((cell.where[3] for cell in self.cells if cell.where[3]), None)


def singular(word: str) -> str:
    """Return the singular of a word."""
    for plural, one in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("xes", "x"), ("ss", "ss"), ("us", "us")):
        if word.endswith(plural):
            return word.removesuffix(plural) + one
    return word.removesuffix("s") if len(word) > 2 else word


def plural(word: str) -> str:
    """Return the plural of a word."""
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(s|x|ch|sh)$", word) else "s")


def group(rows: Sequence[Row], said: Collection[str] = ()) -> tuple[list[RowKind], list[Cell]]:
    """Return the kinds of rows, and the places whose rows belong to no kind.

    Args:
        said: members that name an object's kind, if the answers have such members.
    """
    marks = [*said] or _marks(rows)
    found: dict[tuple[Where, bool], Cell] = {}
    for row in rows:
        where = (row.side, row.call.tool, row.path, mark_of(row, marks))
        found.setdefault((where, row.is_weak), Cell(where)).rows.append(row)
    cells = [cell for cell in found.values() if not (cell.is_weak and cell.where[0] == "arguments")]
    joined = _join(cells)
    kinds = [RowKind(each) for each in joined if not all(cell.is_weak for cell in each)]
    taken = {id(cell) for kind in kinds for cell in kind.cells}
    return kinds, [cell for cell in found.values() if id(cell) not in taken]


def _innermost(cells: list[Cell]) -> list[Cell]:
    """Return the places without mere wrappers, such as an answer around the one row it shows."""
    paths = {cell.where[1:3] for cell in cells if cell.where[0] == "answer"}

    def holds(cell: Cell) -> bool:
        side, tool, path, _ = cell.where
        start = f"{path}." if path else ""
        return side == "answer" and any(
            other == tool and below != path and below.startswith(start) and "[]" not in below.removeprefix(start)
            for other, below in paths
        )

    return [cell for cell in cells if not holds(cell)] or cells


def _marks(rows: Sequence[Row]) -> list[str]:
    """Return the members that name an object's kind in lists with several kinds."""
    lists: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        # Deeper lists are more often parts of documents than tables.
        if row.side == "answer" and row.path.count("[]") == 1 and row.path.count(".") == 0 and not row.is_weak:
            lists[row.call.tool, row.path].append(row)
    found: Counter[str] = Counter()
    for each in lists.values():
        for name in _shared_texts(each):
            by_value: defaultdict[str, set[str]] = defaultdict(set)
            for row in each:
                by_value[row.members[name]] |= set(row.members)
            if 2 <= len(by_value) <= min(_KINDS_MAX, len(each) // 2):
                likeness = statistics.fmean(alike(one, other) for one, other in combinations(by_value.values(), 2))
                if likeness < _MIXED_MAX:
                    found[name] += 1
    return [name for name, _ in found.most_common(1)]


def _shared_texts(rows: Sequence[Row]) -> Iterator[str]:
    for name, value in rows[0].members.items():
        # A kind's name is a single word; a value that names the member with the other data names a form, not a kind.
        words = [str(row.members.get(name)) for row in rows]
        is_form = sum(word in row.members for word, row in zip(words, rows, strict=True)) > len(rows) / 2
        if isinstance(value, str) and all(map(_WORD.match, words)) and not is_form:
            yield name


def mark_of(row: Row, marks: Iterable[str]) -> Mark:
    """Return the member and value that name a row's kind, or None."""
    for name in marks:
        value = row.members.get(name)
        if isinstance(value, str) and row.side == "answer":
            return name, value
    return None


def _join(cells: Sequence[Cell]) -> list[list[Cell]]:
    """Return the places grouped by kind of row."""
    groups: dict[int, list[Cell]] = {}
    home: dict[int, int] = {}
    # Places with the most members first, so that partial rows match the complete ones.
    ordered = sorted(cells, key=lambda cell: (cell.is_weak, cell.where[0] == "arguments", -len(cell.members)))
    for cell in ordered:
        best = next((key for key, others in groups.items() if any(_are_same(cell, other) for other in others)), None)
        if best is None:
            best = len(groups)
            groups[best] = []
        groups[best].append(cell)
        home[id(cell)] = best
    return list(groups.values())


def _are_same(one: Cell, other: Cell) -> bool:
    marks = one.where[3], other.where[3]
    if all(marks):
        return marks[0] == marks[1]
    mine, theirs = one.members, other.members
    shared = mine & theirs
    if any(marks):
        return len(shared) > _SHARED_MIN and alike(mine, theirs) >= _ALIKE_MIN
    if VALUE in shared and len(mine) == 1:
        return False
    initials = one.initials, other.initials
    if all(initials) and initials[0].isdisjoint(initials[1]) and not any(_is_hexadecimal(each) for each in initials):
        return False
    if len(shared) >= _SHARED_MIN and alike(mine, theirs) >= _ALIKE_MIN:
        return True
    smaller = min(len(mine), len(theirs))
    is_weak = one.is_weak or other.is_weak
    if not is_weak and len(shared) >= 2 and one.name and one.name == other.name and len(shared) >= _ALIKE_MIN * smaller:
        return True
    if len(shared) >= _SHARED_MIN + is_weak and len(shared) >= _CONTAINED_MIN * smaller:
        return True
    # Another place sometimes shows it with more members.
    poorer, richer = (one, other) if len(mine) <= len(theirs) else (other, one)
    if poorer.is_weak and len(shared) > _SHARED_MIN and poorer.members <= richer.all_members:
        return len(shared) >= _ALIKE_MIN * smaller
    # Two answers with the same two members, such as a list and an answer with one row of it.
    return len(shared) == 2 and mine == theirs and not is_weak


def _is_hexadecimal(initials: set[str]) -> bool:
    return all(each in "0123456789abcdef" for each in initials)


def join_by_key(kinds: list[RowKind], keys: Mapping[int, tuple[str, ...]]) -> list[RowKind]:
    """Return the kinds with those merged that have the same key name and the same key values."""
    values = {at: _values(kind, keys[at]) for at, kind in enumerate(kinds) if len(keys.get(at, ())) == 1}
    into = list(range(len(kinds)))
    for one, other in combinations(values, 2):
        if keys[one] != keys[other] or (kinds[one].mark and kinds[other].mark and kinds[one].mark != kinds[other].mark):
            continue
        shared = values[one] & values[other]
        smaller = min(len(values[one]), len(values[other]))
        if len(shared) >= min(_SHARED_MIN, smaller) and len(shared) >= _SAME_VALUES_MIN * max(1, smaller):
            into = [into[one] if at == into[other] else at for at in into]
    merged: dict[int, RowKind] = {}
    for at, kind in zip(into, kinds, strict=True):
        merged.setdefault(at, RowKind([])).cells.extend(kind.cells)
    for kind in merged.values():
        kind.cells = _innermost(kind.cells)
    return list(merged.values())


def _values(kind: RowKind, key: tuple[str, ...]) -> set[str]:
    found = (row.fields.get(key[0]) for row in kind.rows)
    return {str(each) for each in found if each is not None and is_scalar(each)}

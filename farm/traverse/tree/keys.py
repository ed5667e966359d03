"""Propose which fields identify a row of a kind."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from farm.traverse.tree.pool_calls import PoolCalls
from farm.traverse.tree.row_kinds import RowKind
from farm.traverse.tree.rows import Row, is_scalar

_PRESENT_MIN = 0.9
_PLACES_MIN = 0.5
_DIFFERENT_MIN = 0.95
_MASKED_MIN = 0.5
_KEY_CHARACTERS_MAX = 200
_NAMED_BEST = re.compile(r"^(_?id|uid|uuid|guid|key|ts|number|path|filepath|filename|slug)$", re.IGNORECASE)
_NAMED_WELL = re.compile(r"(^|[a-z_.])(_id|Id|ID|_uid|_key|_token|_name|path|号)$")
_NAMED_SO = re.compile(r"^(name|title|handle|code|email|login|username)$")
_TIME = re.compile(r"^\d{4}-\d\d-\d\d([T ]|$)")
_COUNTS = re.compile(
    r"(count|total|size|score|index|position|start|end|limit|updated|created|_at|time)s?$", re.IGNORECASE
)
_SAYS_WHAT = re.compile(r"^(type|object|kind|status|state|color|op|operation)$", re.IGNORECASE)
_GLOBAL = re.compile(r"^(?=.*[\dA-Z])[A-Za-z0-9_\-]{8,}$|^[0-9a-f]{8}-[0-9a-f-]{20,}$|[/@]")


@dataclass(frozen=True)
class Key:
    """A proposed key.

    Attributes:
        fields: field paths, or names of scalars around the row; empty if no fields identify a row.
        around: those of the fields that are around the row and not in it.
    """

    fields: tuple[str, ...]
    why: str
    around: tuple[str, ...] = ()


def propose_key(kind: RowKind, pool: PoolCalls, asked: Collection[str], used_as_owner: Collection[str] = ()) -> Key:
    """Return the key that the seeds of reading tools suggest.

    Args:
        asked: values of arguments by which clients named rows.
        used_as_owner: names of scalars around rows that hold the key of another kind.
    """
    rows = _trusted(kind.rows, pool)
    # A row with at most two fields is only a mention.
    full = [row for row in rows if len(row.fields) > 2] or rows
    best: list[tuple[float, str, str]] = []
    for name in _candidates(full):
        values = [row.fields[name] for row in full if _can_be_key(row.fields.get(name))]
        score, why = _worth(name, values, full, asked)
        if score > 0:
            best.append((score, name, why))
    best.sort(key=lambda each: -each[0])
    if not best:
        return Key((), "no member tells two rows of one list apart" if full else "no row of a read shows it")
    _, name, why = best[0]
    local = [str(row.fields[name]) for row in full if _can_be_key(row.fields.get(name))]
    if not re.search(r"(^|[._])(id|uuid|guid)$", name) or not all(_GLOBAL.search(each) for each in local):
        for around in used_as_owner:
            if sum(around in row.around for row in full) and around != name and around not in full[0].fields:
                return Key((around, name), f"{why}; {around} says where, and {name} may count anew there", (around,))
    return Key((name,), why)


def _trusted(rows: Sequence[Row], pool: PoolCalls) -> list[Row]:
    answers = [row for row in rows if row.side == "answer"]
    reads = [row for row in answers if pool.reads(row.call.tool)[0]]
    clean = [row for row in reads if row.call.line in pool.clean]
    return clean or [row for row in reads if row.call.is_seed] or reads or answers


def _candidates(rows: Sequence[Row]) -> list[str]:
    """Return the fields that most rows have in the places that show them; these places hold half of the rows."""
    places: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        places[row.call.tool, row.path].append(row)
    have: defaultdict[str, int] = defaultdict(int)
    could: defaultdict[str, int] = defaultdict(int)
    for each in places.values():
        for name in dict.fromkeys(name for row in each for name in row.fields):
            number = sum(_can_be_key(row.fields.get(name)) for row in each)
            if number:
                have[name] += number
                could[name] += len(each)
    return [
        name
        for name, number in have.items()
        if number >= _PRESENT_MIN * could[name] and could[name] >= _PLACES_MIN * len(rows)
    ]


def _can_be_key(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return False
    return not isinstance(value, str) or (0 < len(value) <= _KEY_CHARACTERS_MAX and "\n" not in value)


def _worth(name: str, values: Sequence[Any], rows: Sequence[Row], asked: Collection[str]) -> tuple[float, str]:
    """Return a field's score as a key (zero or less: not a key) and the reason."""
    different, lists = different_in_lists(rows, (name,))
    last = name.rpartition(".")[2]
    # A field with an id's name and random-looking values is a key even if a list repeats one: a value may be masked, or
    # the server has a bug.
    is_id = last.lower() in ("id", "uuid", "guid") and all(_GLOBAL.search(str(value)) for value in values)
    if lists and different < (_MASKED_MIN if is_id else _DIFFERENT_MIN) * lists:
        return 0, ""
    score, reasons = 0.0, [f"different in {different} of {lists} lists"] if lists else []
    if _NAMED_BEST.match(last):
        score += 3
        reasons.append("is called so")
    elif _NAMED_WELL.search(last):
        score += 1.5
    elif _NAMED_SO.match(last):
        score += 1
    different_values = set(values)
    if used := sum(str(value) in asked for value in different_values):
        score += 1 + used / len(different_values)
        reasons.append(f"{used} of its values were asked for")
    if (
        any(isinstance(value, str) and _TIME.match(value) for value in values)
        or _COUNTS.search(last)
        or _SAYS_WHAT.match(last)
    ):
        score -= 2
    score -= 0.5 * name.count(".")
    # A single row in each owner is weak evidence; a single row in every list counts only with a key's name.
    is_named = bool(_NAMED_BEST.match(last) or _NAMED_WELL.search(last))
    is_part = all(row.owner is not None for row in rows)
    is_listed = any(row.listing is not None for row in rows)
    if not lists and is_part and len(different_values) < len(values) / 2:
        return 0, ""
    if (not lists and score < (1 if is_part else 2)) or (not lists and is_listed and not is_named and not is_part):
        return 0, ""
    return score, "; ".join(reasons) or "nothing else differs"


def different_in_lists(rows: Sequence[Row], names: Sequence[str]) -> tuple[int, int]:
    """Return in how many lists these fields differ in all rows, and the number of lists of two rows or more."""
    lists: defaultdict[int, list[str]] = defaultdict(list)
    for row in rows:
        if row.listing is not None:
            lists[row.listing].append(
                json.dumps([row.fields.get(name, row.around.get(name)) for name in names], default=str)
            )
    longer = [each for each in lists.values() if len(each) > 1]
    return sum(len(set(each)) == len(each) for each in longer), len(longer)


def contradiction(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return the call that shows two rows with one key in one list, or an empty text."""
    lists: defaultdict[int, dict[str, Row]] = defaultdict(dict)
    for row in rows:
        if row.listing is None or row.side != "answer":
            continue
        key = json.dumps([row.fields.get(name, row.around.get(name)) for name in names], default=str)
        if key in lists[row.listing]:
            return f"line {row.call.line}, {row.call.tool}: two of {key[1:-1]:.60} in one list"
        lists[row.listing][key] = row
    return ""


def asked_values(calls: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Return the texts and numbers in arguments, at any depth, except long texts."""
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            for each in value.values():
                walk(each)
        elif isinstance(value, list):
            for each in value:
                walk(each)
        elif (
            isinstance(value, str | int) and not isinstance(value, bool) and 0 < len(str(value)) <= _KEY_CHARACTERS_MAX
        ):
            found.add(str(value))

    for each in calls:
        walk(each)
    return frozenset(found)


def key_values(rows: Sequence[Row], name: str) -> set[str]:
    """Return the values of a one-field key."""
    found = (row.fields.get(name) for row in rows)
    return {str(each) for each in found if each is not None and is_scalar(each)}

"""Errors in calls that the schema allows: an unknown id, an end before its start, the same action twice.

The rules use the names of arguments and the values of the trace. A model may propose more (``proposed.py``).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import combinations
from typing import Any

from farm.traverse.perturb.mutations import SEMANTIC_CONFLICT, Mutation
from farm.traverse.perturb.schemas import ABSENT, Spot, put, spots

_START = re.compile(
    r"^(start|begin|from|since|after|oldest|min|lower)|(_start|_from|_after|Start|From|Min)(_|$|[A-Z])", re.I
)
_END = re.compile(r"^(end|until|till|to|before|latest|max|upper)|(_end|_to|_before|End|To|Max)(_|$|[A-Z])", re.I)
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[A-Za-z]")
_SECONDS = re.compile(r"\d{9,16}(\.\d+)?")
_OTHERS_MAX = 2


class Values:
    """The texts that a trace has used so far, by argument: candidates for another object of the same kind."""

    def __init__(self) -> None:
        self._by_name: dict[str, list[str]] = {}

    def learn(self, schema: Mapping[str, Any], arguments: Any) -> None:
        """Store the texts of a successful call."""
        for spot in _texts(schema, arguments):
            used = self._by_name.setdefault(_name(spot), [])
            if spot.value not in used:
                used.append(spot.value)

    def others(self, spot: Spot) -> list[str]:
        """Return the latest other texts of the same argument."""
        return [each for each in self._by_name.get(_name(spot), ()) if each != spot.value][-_OTHERS_MAX:]


def conflicts(schema: Mapping[str, Any], arguments: Any, values: Values) -> Iterator[Mutation]:
    """Yield a successful call's mutations of the fourth class.

    Args:
        values: the earlier values of the trace, which include ids of other owners and other objects.
    """
    yield Mutation(SEMANTIC_CONFLICT, "twice", (), copy.deepcopy(arguments))
    texts = list(_texts(schema, arguments))
    for spot in texts:
        yield _changed(arguments, spot, "unknown", unknown_like(spot.value))
        for other in values.others(spot):
            yield _changed(arguments, spot, "another's", other)
        if spot.value.swapcase() != spot.value:
            yield _changed(arguments, spot, "case", spot.value.swapcase())
    yield from _reversed(schema, arguments)
    yield from _together(schema, arguments)
    for first, second in combinations(texts, 2):
        if first.path[:-1] == second.path[:-1] and first.value != second.value:
            swapped = put(put(arguments, first.path, second.value), second.path, first.value)
            yield Mutation(SEMANTIC_CONFLICT, "swapped", first.path, swapped)


def unknown_like(value: str) -> str:
    """Return a text of the same form that names nothing: its digits change, and all else stays.

    A value without a digit gets a suffix instead.
    """
    if not _DIGITS.search(value):
        return f"{value}_nope" if _LETTERS.search(value) else f"{value} (no such)"
    turned = _DIGITS.sub(lambda found: str((int(found[0]) + 7) % 10), value)
    # A leading zero would change the form.
    return re.sub(r"(?<!\d)0(?=\d)", "9", turned)


def _texts(schema: Mapping[str, Any], arguments: Any) -> Iterator[Spot]:
    for spot in spots(schema, arguments):
        if spot.path and isinstance(spot.value, str) and spot.value and "enum" not in spot.schema:
            yield spot


def _name(spot: Spot) -> str:
    return next((step for step in reversed(spot.path) if isinstance(step, str)), "")


def _changed(arguments: Any, spot: Spot, operation: str, value: Any) -> Mutation:
    return Mutation(SEMANTIC_CONFLICT, operation, spot.path, put(arguments, spot.path, value))


def _reversed(schema: Mapping[str, Any], arguments: Any) -> Iterator[Mutation]:
    """Exchange a start and an end if both are given and have one form."""
    given = [spot for spot in spots(schema, arguments) if spot.path and spot.value is not ABSENT]
    starts = [spot for spot in given if _START.search(_name(spot)) and _is_moment(spot.value)]
    ends = [spot for spot in given if _END.search(_name(spot)) and _is_moment(spot.value)]
    for start in starts:
        for end in ends:
            if start.path != end.path and type(start.value) is type(end.value) and start.value != end.value:
                exchanged = put(put(arguments, start.path, end.value), end.path, start.value)
                yield Mutation(SEMANTIC_CONFLICT, "end before start", start.path, exchanged)


def _is_moment(value: Any) -> bool:
    """Return whether a value can be a time: a number, digits, or a date in ISO 8601."""
    if isinstance(value, (int, float)):
        return not isinstance(value, bool)
    if not isinstance(value, str):
        return False
    if _SECONDS.fullmatch(value):
        return True
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _together(schema: Mapping[str, Any], arguments: Any) -> Iterator[Mutation]:
    """Add an omitted option: it may exclude one that was given."""
    if not isinstance(arguments, dict):
        return
    for spot in spots(schema, arguments):
        if len(spot.path) == 1 and spot.value is ABSENT and (value := _plausible(spot)) is not None:
            yield _changed(arguments, spot, "together", value)


def _plausible(spot: Spot) -> Any:
    match spot.type, spot.schema:
        case _, {"enum": [*choices]} if choices:
            return choices[-1]
        case "integer" | "number", _:
            return max(2, spot.schema.get("minimum", 2))
        case "boolean", _:
            return not spot.schema.get("default", False)
        case "string", _ if spot.schema.get("format") is None:
            return "text"
    return None

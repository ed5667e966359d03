"""What a wanted call was aimed at instead: another person, or another object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from farm.benchmark.failures.case import Case, name_of, texts_in
from farm.benchmark.scoring.call_metrics import FREE_TEXTS
from farm.benchmark.scoring.initial_state import Start
from farm.benchmark.scoring.people import addresses, names_of
from farm.context.trace import Call


def other_targets(case: Case) -> Iterator[tuple[str, str]]:
    """Yield (``person`` or ``object``, what shows it) for each wanted call that was made with another target."""
    if not case.missed_changes and not case.trial["damage"]:
        return
    made = [call for call in case.calls if not call["refused"] and call["wrote"]]
    for call in made:
        same_tool = [given for tool, given in case.expected_writes if tool == name_of(call)]
        if any(_targets(given) == _targets(call["arguments"]) for given in same_tool):
            continue
        # A call besides the wanted ones has no wrong target: it is more than was asked for.
        done = [_targets(each["arguments"]) for each in made if name_of(each) == name_of(call)]
        wanted = [given for given in same_tool if _targets(given) not in done]
        if not wanted:
            continue
        nearest = max(wanted, key=lambda given: len(_pairs(given) & _pairs(call["arguments"])))
        yield from _differences(case, call, nearest)


def _targets(arguments: Any) -> dict[str, str]:
    """Return the arguments that say to what or whom a call is made, by path."""
    return {path: value for path, value in _leaves(arguments) if path.rpartition(".")[2] not in FREE_TEXTS}


def _pairs(arguments: Any) -> set[tuple[str, str]]:
    return set(_leaves(arguments))


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leaves(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        yield path, " ".join(sorted(texts_in(value)))
    elif value is not None:
        yield path, str(value)


def _differences(case: Case, call: Call, wanted: Any) -> Iterator[tuple[str, str]]:
    people = person_ids(case.start, call["app"])
    ours, theirs = _targets(call["arguments"]), _targets(wanted)
    for path in ours.keys() & theirs.keys():
        if ours[path] == theirs[path] or set(theirs[path].split()) < set(ours[path].split()):
            continue  # equal, or more than was wanted
        had, should = (_person_in(value, people) for value in (ours[path], theirs[path]))
        where = f"call {call['n']}, {name_of(call)}: {path}"
        if had and should and had != should:
            yield "person", f"{where} is {had}, not {should}"
        elif _is_row(case.start, call["app"], ours[path]) and _is_row(case.start, call["app"], theirs[path]):
            yield "object", f"{where} is {ours[path]!r}, not {theirs[path]!r}"


def person_ids(start: Start, app: str) -> Mapping[str, str]:
    """Return id, address or unique name of each person of a world → the person's key."""
    found = {id_: person for person, id_ in start.accounts(app).items()}
    for key, person in start.world.people.items():
        found |= dict.fromkeys([*addresses(person), *names_of(key, start.world.people)], key)
    return found


def _person_in(value: str, people: Mapping[str, str]) -> str:
    """Return the people whom a value names, in words; empty if it names nobody."""
    named = {people[word] for word in (value, *value.split()) if word in people}
    return ", ".join(sorted(named))


def _is_row(start: Start, app: str, value: str) -> bool:
    """Return whether a value is a key of a row of the start."""
    return value in _keys(start, app)


_KEYS: dict[tuple[int, str], frozenset[str]] = {}


def _keys(start: Start, app: str) -> frozenset[str]:
    from farm.benchmark.scoring.app_schemas import schema_of

    known = _KEYS.get((id(start), app))
    if known is None:
        tables = schema_of(app).tables
        known = frozenset(
            str(row[column.name])
            for table in tables
            for row in start.rows(app, table.name)
            for column in table.primary_key.columns
            if column.name in row
        )
        _KEYS[(id(start), app)] = known
    return known

"""What a call was aimed at instead of the wanted person or object, and whether the right one had been shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from farm.benchmark.failures.case import Case, leaves_of, name_of, pairs_in, tables_of, targets_in, texts_in
from farm.benchmark.failures.tries import Item, changed_nothing
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.call_metrics import FREE_TEXTS
from farm.benchmark.scoring.initial_state import Start, fits, held
from farm.benchmark.scoring.people import addresses, names_of
from farm.benchmark.scoring.resolve import UnresolvedDependencyError
from farm.context.trace import Call

# invented: an id that stood nowhere; unseen: a real one, while the right one was never looked up.
AimKind = Literal["invented", "unseen", "person", "object"]
# What only looks like an id: a key that the caller makes up, or a place in a list.
_OWN_KEYS = frozenset({"uuid", "idempotency_key", "client_token", "page_token", "sync_token"})
_ID = re.compile(r"(?=.*\d)(?=.*[A-Za-z_-])[\w.@:+=-]{8,}|[\d.]{15,}|[^\s@,;<>]+@[^\s@,;<>]+\.[a-z]+")
_ADDRESS = re.compile(r"[^\s@,;<>]+@[^\s@,;<>]+\.[a-z]+")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}.*|\d{1,2}:\d{2}.*")


@dataclass(frozen=True)
class Aim:
    """A difference between what a call was aimed at and what was wanted."""

    kind: AimKind
    line: str


def unseen_ids(case: Case, call: Call) -> list[tuple[str, str]]:
    """Return path and value of the arguments that look like ids, and that the agent had read nowhere before."""
    ids = [
        (path, value)
        for path, value in leaves_of(call["arguments"])
        if isinstance(value, str) and path.rpartition(".")[2] not in _OWN_KEYS | FREE_TEXTS and _is_id(value)
    ]
    seen = case.seen_before(call) if ids else ""
    return [(path, value) for path, value in ids if not _is_shown(value, seen)]


def _is_id(value: str) -> bool:
    """Return whether a text looks like an id or an address; a path, a link, a name or a time does not."""
    return bool(_ID.fullmatch(value)) and not _TIME.fullmatch(value)


def _is_shown(value: str, seen: str) -> bool:
    """Return whether an id was seen, or is made of one that was: an event's id and the time of one of its dates."""
    return value in seen or max(re.split(r"[_/:#]", value), key=len) in seen


def aims_of(case: Case, item: Item, call: Call) -> list[Aim]:
    """Return how the target of a try differs from that of a missed change."""
    wanted = _nearest(case, item, call)
    found = [] if wanted is None else list(_by_arguments(case, call, wanted))
    return found or list(_by_rows(case, item, call))


def lacked_ids(case: Case, item: Item, call: Call) -> list[str]:
    """Return ids of the wanted call that a refused call did not give and that the agent had not seen before it."""
    wanted = _nearest(case, item, call)
    if wanted is None:
        return []
    given = set(texts_in(call["arguments"]))
    seen = case.seen_before(call)
    return [
        value
        for values in targets_in(wanted).values()
        for value in values.split()
        if _is_id(value) and value not in given and value not in seen
    ]


def _nearest(case: Case, item: Item, call: Call) -> Mapping[str, Any] | None:
    """Return the arguments of the wanted call of the same tool that a call comes closest to; None without one.

    A wanted call that the agent made as it should be is another change.
    """
    done = [
        targets_in(each["arguments"])
        for each in case.calls
        if each is not call and not each["refused"] and name_of(each) == name_of(call)
    ]
    same = [
        given
        for tool, given in case.expected_writes
        if tool == name_of(call) and item.point.table in tables_of(tool) and targets_in(given) not in done
    ]
    if not same:
        return None
    return max(same, key=lambda given: len(pairs_in(given) & pairs_in(call["arguments"])))


def _by_arguments(case: Case, call: Call, wanted: Mapping[str, Any]) -> Iterator[Aim]:
    ours, theirs = targets_in(call["arguments"]), targets_in(wanted)
    for path in ours:
        if ours[path] != theirs.get(path, ours[path]):
            where = f"call {call['n']}, {name_of(call)}: {path}"
            yield from _difference(case, call, where, ours[path].split(), theirs[path].split())
    for path in theirs.keys() - ours.keys():
        # A reply without its thread, a page without its parent: an object that was left out.
        if _is_row(case.start, call["app"], theirs[path]):
            where = f"call {call['n']}, {name_of(call)}: {path}"
            yield from _difference(case, call, where, [], theirs[path].split())


def _by_rows(case: Case, item: Item, call: Call) -> Iterator[Aim]:
    """Yield the differences of the rows that a call of another tool changed."""
    point = item.point
    rows = [
        change["new"] or change["old"]
        for change in case.diff.get(point.app, {}).get(point.table, ())
        if change.get("call") == call["call"]
    ]
    if not rows and any(
        change.get("call") == call["call"] for each in case.diff.get(point.app, {}).values() for change in each
    ):
        yield Aim("object", f"call {call['n']}, {name_of(call)} changed no row of {point.app}.{point.table}")
    if not rows:
        return
    roles = schema_of(point.app).roles.get(point.table, {})
    with suppress(UnresolvedDependencyError):
        where = case.values.resolve(point.where, point.app)
        after = case.values.resolve({k: v for k, v in point.after.items() if isinstance(v, str)}, point.app)
        ids = {key: value for key, value in after.items() if _is_id(str(value))}
        for key, wanted in {**ids, **where}.items():
            value = held(point.app, point.table, rows[0], key)
            is_text = not isinstance(wanted, str) or roles.get(key) in ("title", "body") or "://" in wanted
            if (
                is_text
                or _is_word_of(case.start, point.app, point.table, key, wanted)
                or fits(rows[0], {key: wanted}, point.app, point.table, case.values.clock_context)
            ):
                continue
            place = f"call {call['n']}, {name_of(call)}: {key}"
            found = list(_difference(case, call, place, str(value or "").split(), wanted.split()))
            yield from found
            if not found:
                kind: AimKind = "object" if wanted in case.seen_before(call) or not _is_id(wanted) else "unseen"
                yield Aim(kind, f"{place} is {value!r}, not {wanted!r}")


def _difference(case: Case, call: Call, where: str, ours: list[str], theirs: list[str]) -> Iterator[Aim]:
    """Yield how one argument differs: ids, addresses or names, of which a list may have several."""
    if set(theirs) < set(ours) or set() < set(ours) < set(theirs):
        return  # more or fewer than were wanted are no wrong target
    app = call["app"]
    seen = case.seen_before(call)
    more, lacking = [each for each in ours if each not in theirs], [each for each in theirs if each not in ours]
    given = " ".join(texts_in(call["arguments"]))
    made_up = [each for each in more if _is_id(each) and each in given and not _is_shown(each, seen)]
    had, should = (_people_in(case.start, app, values) for values in (more, lacking))
    shown, right = " ".join(more) or "left out", " ".join(lacking)
    is_target = any(_is_id(each) or _is_row(case.start, app, each) for each in (right, *lacking))
    # A word in place of an id may stand for the right row, unless nothing came of it.
    is_other = not more or any(_is_id(each) or _is_row(case.start, app, each) for each in (shown, *more))
    if made_up:
        yield Aim("invented", f"{where} is {made_up[0]!r}, which nothing had shown")
    elif had and should and had != should:
        if _is_in_view(case, app, should, lacking, seen):
            yield Aim("person", f"{where} is {', '.join(sorted(had))}, not {', '.join(sorted(should))}")
        else:
            yield Aim("unseen", f"{where} is {', '.join(sorted(had))}; nothing showed {right!r}, the right one")
    elif is_target and (is_other or changed_nothing(case, call)):
        # What was aimed at by a name, or is no id, such as the path of a note, may be known without having been shown.
        is_named = bool(more) and not any(each in given for each in more)
        if is_named or all(each in seen or not _is_id(each) for each in lacking):
            yield Aim("object", f"{where} is {shown!r}, not {right!r}")
        else:
            yield Aim("unseen", f"{where} is {shown!r}; nothing showed {right!r}, the right one")


def _is_in_view(case: Case, app: str, people: set[str], values: list[str], seen: str) -> bool:
    """Return whether an id or address of each of some people, or the wanted value itself, had been shown."""
    if all(value in seen for value in values):
        return True
    ids = person_ids(case.start, app)
    known = people & case.start.world.people.keys()
    names = {name for key in known for name in names_of(key, case.start.world.people)}
    return all(any(who == key and id_ not in names and id_ in seen for id_, who in ids.items()) for key in people)


def person_ids(start: Start, app: str) -> Mapping[str, str]:
    """Return id, address, conversation or unique name of each person → the person's key in the world.

    Of somebody who is known to an app alone, the id of the account stands for the key.
    """
    table, key = schema_of(app).account or ("", "")
    found = {str(row[key]): str(row[key]) for row in start.rows(app, table)} if table else {}
    found |= {id_: person for person, id_ in start.accounts(app).items()}
    found |= _conversations(start, app, found)
    for who, person in start.world.people.items():
        found |= dict.fromkeys([*addresses(person), *names_of(who, start.world.people)], who)
    return found


_CONVERSATIONS: dict[tuple[int, str], dict[str, str]] = {}


def _conversations(start: Start, app: str, accounts: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each row that stands for one person, such as a direct message's channel → the person's key."""
    known = _CONVERSATIONS.get((id(start), app))
    if known is None:
        known = {}
        for table in schema_of(app).tables:
            keys = [column.name for column in table.primary_key.columns]
            partner = [column.name for column in table.columns if column.name.startswith(("im_", "peer_"))]
            if len(keys) == 1 and len(partner) == 1:
                for row in start.rows(app, table.name):
                    if (who := accounts.get(str(row.get(partner[0]) or ""))) is not None:
                        known[str(row[keys[0]])] = who
        _CONVERSATIONS[(id(start), app)] = known
    return known


def _people_in(start: Start, app: str, values: list[str]) -> set[str]:
    """Return the people whom values name, by an id, a name or an address."""
    people = person_ids(start, app)
    named = {people[word] for word in (" ".join(values), *values) if word in people}
    return named | {
        word for word in values if word not in people and _ADDRESS.fullmatch(word) and not _is_row(start, app, word)
    }


def _is_row(start: Start, app: str, value: str) -> bool:
    """Return whether a value is a key of a row of the start."""
    return value in _keys(start, app)


def _is_word_of(start: Start, app: str, table: str, key: str, value: str) -> bool:
    """Return whether a value is one of the few words of a column, such as a member's role, and so names nothing."""
    held_there = [str(row[key]) for row in start.rows(app, table) if row.get(key) is not None]
    return value in held_there and not _is_id(value) and 2 * len(set(held_there)) <= len(held_there)


_KEYS: dict[tuple[int, str], frozenset[str]] = {}


def _keys(start: Start, app: str) -> frozenset[str]:
    known = _KEYS.get((id(start), app))
    if known is None:
        found: set[str] = set()
        for table in schema_of(app).tables:
            rows = start.rows(app, table.name)
            for column in table.primary_key.columns:
                values = {
                    str(row[column.name]) for row in rows if column.name in row and len(str(row[column.name])) > 1
                }
                # A column of a key that has few values, such as a member's role, names no row.
                found |= values if 2 * len(values) > len(rows) else set(filter(_is_id, values))
        known = frozenset(found)
        _KEYS[(id(start), app)] = known
    return known

"""Whom a message calls, by id or by ``@name``: people may wonder why it is them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.appkit.formats.visible import called_people, with_names
from farm.benchmark.scoring.app_schemas import schema_of
from farm.benchmark.scoring.people import names_of
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText

# What a message answers: its column → the columns in which messages of the same talk have that value.
_ANSWERED = {"thread_ts": ("ts", "thread_ts"), "parent_id": ("message_id",), "root_id": ("message_id", "root_id")}
_TALKS = ("channel_id", "chat_id")
_MENTIONS = "mentions"
_AT = re.compile(r"(?<![\w.@/])@([^\W_][\w.]*)")


def with_called_people(
    parts: Sequence[StoredText],
    app: str,
    table: str,
    row: Mapping[str, Any],
    values: ValueResolver,
    judged: Collection[str] = (),
) -> tuple[StoredText, ...]:
    """Return a row's texts with names for the ids in them, and a doubt about each person whom nobody expects there.

    Expected are the people whom the instruction names, those who wrote in the same thread, and the task's lookups, as
    it has conditions about their ids.

    Args:
        judged: the columns that the task judges; where it says who is mentioned, nobody is in doubt.
    """
    return tuple(_with_names(part, app, table, row, values, judged) for part in parts)


def _with_names(
    part: StoredText,
    app: str,
    table: str,
    row: Mapping[str, Any],
    values: ValueResolver,
    judged: Collection[str],
) -> StoredText:
    called = called_people(part.format, part.raw, row)
    if not called:
        return _with_at_names(part, values)
    accounts = values.start.accounts(app).items()
    people = {account: person for person, account in accounts if account in called.values()}
    everybody = values.start.world.people
    shown = {account: str(everybody[person].get("name_en") or person) for account, person in people.items()}
    expected = {*_in_thread(app, table, row, values), *_named(people, everybody, values.clock_context.said)}
    expected.update(_looked_up(app, values))
    unexpected = [] if _MENTIONS in judged else [name for account, name in shown.items() if account not in expected]
    doubts = tuple(f"whether {name} may be called" for name in unexpected)
    names = {mark: shown[account] for mark, account in called.items() if account in shown}
    value = with_names(part.format, part.value, names) if isinstance(part.value, str) else part.value
    return replace(part, raw=with_names(part.format, part.raw, names), value=value, doubts=doubts)


def _with_at_names(part: StoredText, values: ValueResolver) -> StoredText:
    """Return a text with a doubt about each ``@name`` that neither the request nor a right text has."""
    if part.role != "body" or "@" not in part.raw:
        return part
    known = "\n".join((*values.clock_context.said, *values.clock_context.samples))
    called = dict.fromkeys(name for name in _AT.findall(part.raw) if name not in known)
    return replace(part, doubts=(*part.doubts, *(f"whether {name} may be called" for name in called)))


def _in_thread(app: str, table: str, row: Mapping[str, Any], values: ValueResolver) -> Iterator[str]:
    """Yield the accounts that wrote in the thread that a message answers."""
    talk = {name: row[name] for name in _TALKS if name in row}
    authors = [name for name, role in schema_of(app).roles.get(table, {}).items() if role == "author"]
    for column, keys in _ANSWERED.items():
        for key in keys if row.get(column) is not None else ():
            for each in values.start.find(app, table, {**talk, key: row[column]}):
                yield from (str(each[author]) for author in authors)


def _looked_up(app: str, values: ValueResolver) -> Iterator[str]:
    for name, lookup in values.lookups.items():
        if "person" in lookup and lookup.get("app", app) == app:
            yield str(values.lookup(name))


def _named(people: Mapping[str, str], everybody: Mapping[str, Mapping[str, Any]], said: Sequence[str]) -> Iterator[str]:
    asked = "\n".join(said).casefold()
    for account, person in people.items():
        if any(name.casefold() in asked for name in names_of(person, everybody)):
            yield account

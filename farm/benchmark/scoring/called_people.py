"""Whom a message calls by id: people read a name there, and may wonder why it is theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.appkit.formats.visible import called_people, with_names
from farm.benchmark.scoring.people import names_of
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText

_PLACE, _THREAD, _ITSELF = "channel_id", "thread_ts", "ts"  # of a message that can call people by id


def with_called_people(
    parts: Sequence[StoredText], app: str, table: str, row: Mapping[str, Any], values: ValueResolver
) -> tuple[StoredText, ...]:
    """Return a row's texts with names for the ids in them, and a doubt about each person whom nobody expects there.

    Expected are the people whom the instruction names, and those who wrote in the same thread.
    """
    return tuple(_with_names(part, app, table, row, values) for part in parts)


def _with_names(part: StoredText, app: str, table: str, row: Mapping[str, Any], values: ValueResolver) -> StoredText:
    called = called_people(part.format, part.raw)
    if not called:
        return part
    people = {account: person for person, account in values.start.accounts(app).items() if account in called}
    everybody = values.start.world.people
    shown = {account: str(everybody[person].get("name_en") or person) for account, person in people.items()}
    expected = {*_in_thread(app, table, row, values), *_named(people, everybody, values.clock_context.said)}
    doubts = tuple(f"whether {name} may be called" for account, name in shown.items() if account not in expected)
    named = with_names(part.format, part.raw, shown)
    return replace(part, raw=named, value=named, doubts=doubts)


def _in_thread(app: str, table: str, row: Mapping[str, Any], values: ValueResolver) -> Iterator[str]:
    if row.get(_THREAD) is None:
        return
    for key in (_ITSELF, _THREAD):
        for each in values.start.find(app, table, {_PLACE: row[_PLACE], key: row[_THREAD]}):
            yield str(each["user_id"])


def _named(people: Mapping[str, str], everybody: Mapping[str, Mapping[str, Any]], said: Sequence[str]) -> Iterator[str]:
    asked = "\n".join(said).casefold()
    for account, person in people.items():
        if any(name.casefold() in asked for name in names_of(person, everybody)):
            yield account

"""Whom a message in Slack calls by id: people read a name there, and may wonder why it is theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.benchmark.scoring.people import names_of
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText

_CALL = re.compile(r"<@([A-Z0-9]+)>")


def with_names(
    parts: Sequence[StoredText], app: str, row: Mapping[str, Any], values: ValueResolver
) -> tuple[StoredText, ...]:
    """Return a row's texts with names for the ids in them, and a doubt about each person whom nobody expects there.

    Expected are the people whom the instruction names, and those who wrote in the same thread.
    """
    return tuple(_with_names(part, app, row, values) for part in parts)


def _with_names(part: StoredText, app: str, row: Mapping[str, Any], values: ValueResolver) -> StoredText:
    called = set(_CALL.findall(part.raw)) if part.format == "slack" else set()
    if not called:
        return part
    people = {account: person for person, account in values.start.accounts(app).items() if account in called}
    everybody = values.start.world.people
    shown = {account: str(everybody[person].get("name_en") or person) for account, person in people.items()}
    expected = {*_in_thread(app, row, values), *_named(people, everybody, values.clock_context.said)}
    doubts = (f"whether {name} may be called" for account, name in shown.items() if account not in expected)
    named = _CALL.sub(lambda found: f"<@{found[1]}|{shown[found[1]]}>" if found[1] in shown else found[0], part.raw)
    return replace(part, raw=named, value=named, doubts=tuple(doubts))


def _in_thread(app: str, row: Mapping[str, Any], values: ValueResolver) -> Iterator[str]:
    thread, channel = row.get("thread_ts"), row.get("channel_id")
    if thread is None:
        return
    for key in ("ts", "thread_ts"):
        for each in values.start.find(app, "messages", {"channel_id": channel, key: thread}):
            yield str(each["user_id"])


def _named(people: Mapping[str, str], everybody: Mapping[str, Mapping[str, Any]], said: Sequence[str]) -> Iterator[str]:
    asked = "\n".join(said).casefold()
    for account, person in people.items():
        if any(name.casefold() in asked for name in names_of(person, everybody)):
            yield account

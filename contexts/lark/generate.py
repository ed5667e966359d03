"""What Lark stores of a world: the company, its calendars, chats, documents, bases, tasks and wiki."""

from __future__ import annotations

from collections.abc import Iterator

from farm.appkit import Row
from farm.appkit.world_spec import AppSpec, Link, ScheduledRow, Utterance, identities_of

from . import _generate_calendars, _generate_chats, _generate_messages, _generate_people, _generate_work
from ._generate_people import Company

FLAGS = _generate_messages.FLAGS
HAS_REACTIONS = False


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Lark, in an order in which they can be inserted within a table."""
    company = Company(spec)
    for part in (_generate_people, _generate_calendars, _generate_chats, _generate_messages, _generate_work):
        yield from part.rows(spec, company)


def scheduled(spec: AppSpec) -> Iterator[ScheduledRow]:
    """Yield what is said in the week after the start."""
    yield from _generate_messages.scheduled(spec, Company(spec))


def said(rows: list[Row]) -> Iterator[Utterance]:
    """Yield every message of the rows as it can be measured."""
    yield from _generate_messages.said(rows)


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name, mail and role that Lark shows."""
    return identities_of(made, "users", name="name", address="email", title="job_title")


def links(spec: AppSpec) -> dict[str, Link]:
    """Return the documents, bases and wikis, to which any app's texts may point."""
    return _generate_work.links(spec)

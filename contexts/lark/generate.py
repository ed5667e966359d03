"""What Lark stores of a world: the company, its calendars, chats, documents, bases, tasks and wiki."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import orjson

from farm.kernel import Row
from farm.world import AppSpec, Kind, Link, Said

from . import _generate_calendars, _generate_chats, _generate_people, _generate_work
from ._generate_people import Company

ACCOUNT_KEYS = "is_tenant_manager?"


def rows(spec: AppSpec) -> Iterator[Row]:
    """Yield every row of Lark, in an order in which they can be inserted within a table."""
    company = Company(spec)
    for part in (_generate_people, _generate_calendars, _generate_chats, _generate_work):
        yield from part.rows(spec, company)


def identities(made: list[Row]) -> dict[str, dict[str, str]]:
    """Return person → the name, mail and role that Lark shows."""
    return {
        row["person"]: {"name": row["name"], "address": row["email"], "title": row["job_title"]}
        for row in made
        if row["table"] == "users"
    }


def links(spec: AppSpec) -> dict[str, Link]:
    """Return the documents, bases and wikis, to which any app's texts may point."""
    return _generate_work.links(spec)


def said(made: list[Row]) -> Iterator[Said]:
    """Yield every message of the rows as it can be measured."""
    person = {row["open_id"]: str(row.get("person") or row["open_id"]) for row in made if row["table"] == "users"}
    for row in made:
        if row["table"] == "messages":
            content, at = orjson.loads(row["content"]), datetime.fromtimestamp(row["created_at"] // 1000, UTC)
            text = "\n".join(_texts(content)) if row["msg_type"] in ("text", "post") else ""
            author = str(row["sender_id"])
            yield Said(person.get(author, author), at, text, _kind(row, is_person=author in person))


def _kind(row: Row, *, is_person: bool) -> Kind:
    if row["msg_type"] == "system":
        return "coming or going"
    if not is_person:
        return "bot"
    return "text" if row["msg_type"] == "text" else "media"


def _texts(content: object) -> Iterator[str]:
    """Yield the texts of a message's content, however deep they stand."""
    match content:
        case {"text": str(text)}:
            yield text
        case dict():
            for value in content.values():
                yield from _texts(value)
        case list():
            for value in content:
                yield from _texts(value)

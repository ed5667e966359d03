"""Messages of a world that tell facts, and further ones that a task's start has besides them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sqlalchemy import Integer, Table

from farm import content
from farm.benchmark.generate.answers import leaves_of, mapped_texts
from farm.benchmark.generate.derive import moment_of
from farm.benchmark.generate.raises.scene import Scene
from farm.benchmark.scoring.initial_state import form_of
from farm.context.operators import parsed_json
from farm.errors import FarmError

_TALK_MAX, _TALK_LETTERS = 6, 160
_APART = timedelta(minutes=2)
_REFERENCES = {"ms": "ms", "ms_text": "ms", "s": "s", "s_text": "s", "ts": "s", "rfc3339": "rfc3339"}


@dataclass(frozen=True)
class Form:
    """The columns of a table of messages: what somebody said to others, when and where.

    Attributes:
        place: column → the other table's key that it holds: the channel, the post.
    """

    app: str
    table: Table
    body: str
    time: str
    author: str
    place: tuple[str, ...]


@dataclass(frozen=True)
class Message:
    """A message of the start.

    Attributes:
        text: what it says.
        person: the key of the person who said it; empty for somebody outside of the world's people.
    """

    form: Form
    row: Mapping[str, Any]
    text: str
    at: datetime
    person: str


@lru_cache(maxsize=64)
def message_forms(app: str) -> tuple[Form, ...]:
    """Return the tables of an app that hold messages without a title; a mail needs more rows than one."""
    schema, found = content.load_app(app).schema, []
    for table in schema.tables:
        columns = list(table.columns)
        roles = {str(column.name): column.info["role"] for column in columns}
        times = [str(c.name) for c in columns if not c.nullable and form_of(app, table.name, str(c.name))]
        bodies = [name for name, role in roles.items() if role == "body"]
        authors = [name for name, role in roles.items() if role == "author"]
        account = (schema.account or ("",))[0]
        place = tuple(
            str(c.name)
            for c in columns
            if c.foreign_keys
            and next(iter(c.foreign_keys)).column.table.name not in (table.name, account, "bots")
            and c.info["role"] in ("key", "reference")
        )
        is_talk = table.name in schema.notifies and "title" not in roles.values() and place
        if is_talk and times and bodies and authors:
            found.append(Form(app, table, bodies[0], times[0], authors[0], place[:1]))
    return tuple(found)


def messages(scene: Scene, app: str) -> Iterator[Message]:
    """Yield the messages of the start that hold one text."""
    start = scene.played.start
    accounts = {key: person for person, key in start.accounts(app).items()}
    for form in message_forms(app):
        written = form_of(app, form.table.name, form.time)
        for row in start.rows(app, form.table.name):
            text = text_in(row[form.body])
            if text and written:
                at = moment_of(row[form.time], written, scene.world)
                yield Message(form, row, text, at, accounts.get(str(row[form.author]), ""))


def text_in(body: Any) -> str:
    """Return the text of a body, also of one that is JSON; empty if it has none, or several."""
    parsed = parsed_json(body) if isinstance(body, str) else None
    if isinstance(parsed, str) or parsed is None:
        return str(body or "")
    texts = {each for _, each in leaves_of(parsed) if isinstance(each, str) and (" " in each or not each.isascii())}
    return texts.pop() if len(texts) == 1 else ""


def talk(scene: Scene, message: Message) -> list[Message]:
    """Return the messages in the place of one, in the order of their times."""
    mine = [message.row[name] for name in message.form.place]
    found = (each for each in messages(scene, message.form.app) if each.form is message.form)
    there = (each for each in found if [each.row[name] for name in each.form.place] == mine)
    return sorted(there, key=lambda each: each.at)


def told_talk(scene: Scene, message: Message) -> str:
    """Return the last messages up to one, in lines for a prompt."""
    until = [each for each in talk(scene, message) if each.at <= message.at][-_TALK_MAX:]
    return "\n".join(f"- {each.at:%a %d %b %H:%M} {name_of_author(scene, each)}: {_short(each.text)}" for each in until)


def name_of_author(scene: Scene, message: Message) -> str:
    """Return the name of the person who said something."""
    person = scene.world.people.get(message.person, {})
    return str(person.get("name_en", message.person or "somebody"))


def _short(text: str) -> str:
    return " ".join(text.split())[:_TALK_LETTERS]


# -- further messages --------------------------------------------------------------------------------------------------


def time_after(scene: Scene, message: Message) -> datetime:
    """Return a time at which something was said after all else in the place of a message, and before the task begins.

    Raises:
        FarmError: there is no minute left.
    """
    now = scene.played.clock_context.now
    last = talk(scene, message)[-1].at
    wanted = now - timedelta(minutes=9)
    at = wanted if wanted > last else last + (now - last) / 2
    at = at.replace(second=0, microsecond=0)
    if at <= last or at >= now:
        raise FarmError(f"nothing can be said after the last message in {message.form.app} before the task begins")
    return at


def time_before(scene: Scene, message: Message) -> datetime:
    """Return a time at which something was said before a message, after the first one in its thread.

    Raises:
        FarmError: there is no minute left.
    """
    at = message.at - timedelta(hours=26, minutes=7)
    roots = [each.at for each in talk(scene, message) if _is_root_of(each, message)]
    if roots and at <= roots[0]:
        at = roots[0] + (message.at - roots[0]) / 2
        if message.at - roots[0] < 2 * _APART:
            raise FarmError("its thread leaves no time for an older message")
    return at.replace(second=0, microsecond=0)


def _is_root_of(root: Message, message: Message) -> bool:
    keys = {str(root.row[str(c.name)]) for c in root.form.table.primary_key.columns if not c.foreign_keys}
    return root.row is not message.row and any(
        str(value) in keys for name, value in message.row.items() if value and name not in message.form.place
    )


def further_row(scene: Scene, like: Message, text: str, at: datetime) -> dict[str, Any]:
    """Return a row that a task's start has besides the world's: a message beside another, by the same person.

    Args:
        like: the message.
        text: what the new one says.
        at: when it was said, in whole minutes.
    """
    form, values = like.form, dict[str, Any]()
    written = _written(scene, form, form.time, at)
    for column in form.table.columns:
        name, value = str(column.name), like.row[str(column.name)]
        if value is None or name == form.body:
            continue
        if column.primary_key and not column.foreign_keys and not form_of(form.app, form.table.name, name):
            values[name] = _new_key(scene, like, name, at)
        elif value == like.row[form.time]:
            values[name] = written
        elif form_of(form.app, form.table.name, name) and not _is_key_of_another(scene, like, name):
            continue  # when it was edited
        elif column.info["role"] in ("internal", "cosmetic", "file"):
            continue
        elif column.info["role"] == "amount":
            values[name] = 0
        else:
            values[name] = "[]" if column.info["role"] == "person" and column.info.get("json") else value
    values[form.body] = _body(like.row[form.body], like.text, text)
    return {"app": form.app, "table": form.table.name, "values": values}


def _is_key_of_another(scene: Scene, like: Message, name: str) -> bool:
    return any(each.row[like.form.time] == like.row[name] for each in talk(scene, like))


def _body(old: Any, was: str, text: str) -> str:
    if str(old) == was:
        return text
    made = mapped_texts(parsed_json(str(old)), lambda each: text if each == was else each)
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def _written(scene: Scene, form: Form, column: str, at: datetime) -> str:
    kind = str(form_of(form.app, form.table.name, column))
    day = (at.date() - scene.world.monday).days
    if kind == "date":
        return f"{{{{date:{day:+d} iso}}}}"
    if kind not in _REFERENCES:
        raise FarmError(f"{form.app}.{form.table.name} stores its times as {kind}, which no reference writes")
    return f"{{{{{_REFERENCES[kind]}:{day:+d} {at:%H:%M}}}}}" + (".000100" if kind == "ts" else "")


def _new_key(scene: Scene, like: Message, name: str, at: datetime) -> Any:
    """Return a key that no row has; a number lies after those of earlier messages, before those of later ones."""
    rows = scene.played.start.rows(like.form.app, like.form.table.name)
    taken = {str(each[name]) for each in rows}
    old = str(like.row[name])
    if old.isdigit():
        step = 1 if at > like.at else -1
        number = max(map(int, filter(str.isdigit, taken))) if step > 0 else int(old)
        while str(number) in taken:
            number += step
        is_number = isinstance(like.form.table.columns[name].type, Integer)
        return number if is_number else str(number).zfill(len(old))
    for number in range(100):
        signs = sha256(f"{old} {number}".encode()).hexdigest()
        if (made := old[:-4] + signs[:4]) not in taken:
            return made
    raise FarmError(f"no key is free beside {old}")

"""Contexts of any size: the bench world's rows, and as many more messages or notes as are asked for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from farm import content
from farm.content import load_app
from farm.context.template import load_world, read_rows, shift_rows
from farm.testing import LocalApp
from tests.bench.measured_apps import APP, SEARCHED, WORLD

_CHANNELS = 10
_TEXT = "The second batch leaves the line on Thursday; 第二批周四下线, photos follow."
NOTES_A_WORD = 20
COMMON_WORD = "上海"


def slack_of(data: Path, messages: int = 0) -> LocalApp:
    """Return Slack in process on the bench world with so many messages more, spread over ten channels of their own."""
    rows = world_rows(APP)
    me = _account(rows, "id")
    team = next(row["id"] for row in rows if row["table"] == "teams")
    return _local(APP, data, [*rows, *_more(messages, team, me)])


def rednote_of(data: Path, notes: int) -> LocalApp:
    """Return Rednote in process on the bench world with so many notes more, half of which hold the common word."""
    rows = world_rows(SEARCHED)
    return _local(SEARCHED, data, [*rows, *_notes(notes, _account(rows, "user_id"))])


def world_of_notes(folder: Path, name: str, notes: int) -> None:
    """Put a copy of the bench world's Rednote with so many notes more into a content folder, for farms."""
    source, target = content.world_dir(WORLD), folder / "contexts" / "worlds" / name
    target.mkdir(parents=True)
    shutil.copyfile(source / "world.toml", target / "world.toml")
    more = _notes(notes, _account(world_rows(SEARCHED), "user_id"))
    lines = b"".join(orjson.dumps(row) + b"\n" for row in more)
    (target / f"{SEARCHED}.jsonl").write_bytes((source / f"{SEARCHED}.jsonl").read_bytes() + lines)


def word(number: int) -> str:
    """Return a Chinese word that stands in some of the added notes."""
    return chr(0x4E00 + number % 5_000) + chr(0x6200 + number // 5_000)


def world_rows(app: str) -> list[dict[str, Any]]:
    """Return an app's rows of the bench world, at the world's own start."""
    schema = load_app(app).schema
    return list(shift_rows(schema, read_rows(content.world_dir(WORLD) / f"{app}.jsonl"), load_world(WORLD), 0))


def _account(rows: list[dict[str, Any]], key: str) -> str:
    me = load_world(WORLD).protagonist
    return str(next(row[key] for row in rows if row["table"] == "users" and row.get("person") == me))


def _local(app: str, data: Path, rows: list[dict[str, Any]]) -> LocalApp:
    world = load_world(WORLD)
    return LocalApp(app, data, rows=rows, me=world.protagonist, now=world.starts_at.isoformat())


def channel(number: int) -> str:
    """Return the id of one of the added channels."""
    return f"C9BENCH{number % _CHANNELS:04d}"


def _more(count: int, team: str, author: str) -> Iterator[dict[str, Any]]:
    for number in range(_CHANNELS if count else 0):
        yield {"table": "channels", "id": channel(number), "team_id": team, "name": f"bench-{number}"}
        yield {"table": "members", "channel_id": channel(number), "user_id": author}
    for number in range(count):
        ts = f"{1_700_000_000 + number}.000100"
        row = {"table": "messages", "channel_id": channel(number), "ts": ts, "user_id": author}
        yield {**row, "text": f"{number}: {_TEXT}"}


def _notes(count: int, author: str) -> Iterator[dict[str, Any]]:
    for number in range(count):
        body = f"{COMMON_WORD if number % 2 else '宁波'}的灯，{word(number // NOTES_A_WORD)}，第{number}篇。"
        row = {"table": "notes", "note_id": f"{number:024x}", "user_id": author, "type": "normal", "title": "灯"}
        yield {**row, "body": body, "tags": "[]", "time": 1_700_000_000_000 + number}

"""Slack contexts of any size: the bench world's rows, and as many more messages as are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from farm import content
from farm.bench.stage import WORLD
from farm.content import load_app
from farm.context.template import load_world, moved_rows, read_rows
from farm.testing import LocalApp

_CHANNELS = 10
_TEXT = "The second batch leaves the line on Thursday; 第二批周四下线, photos follow."


def slack_of(data: Path, messages: int = 0) -> LocalApp:
    """Return Slack in process on the bench world with so many messages more, spread over ten channels of their own."""
    world = load_world(WORLD)
    schema = load_app("slack").schema
    rows = list(moved_rows(schema, read_rows(content.world_dir(WORLD) / "slack.jsonl"), world, 0))
    me = next(row["id"] for row in rows if row["table"] == "users" and row.get("person") == world.protagonist)
    team = next(row["id"] for row in rows if row["table"] == "teams")
    rows += _more(messages, team, me)
    return LocalApp("slack", data, rows=rows, me=world.protagonist, now=world.starts_at.isoformat())


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

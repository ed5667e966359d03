"""telegram-mcp, on a Telethon whose network is a stand-in on the rows of our own app, beside ours.

The stand-in changes nothing, so each call is made to ours from the start. And once more with nobody logged in: the real
one on a Telethon that is never connected, ours without an account.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.content import kernel_module
from farm.testing import LocalApp
from farm.traverse.fidelity.fidelity import measure
from farm.traverse.fidelity.replay import Start
from farm.traverse.fidelity.side_by_side import ask
from farm.traverse.recordings.calls import read_line
from farm.traverse.transport.source import read_source
from tests.apps.telegram.rows import ME, NOW_S, rows
from tests.upstream.real import assert_alike, git_checkout, python_with
from tests.upstream.telegram.calls import calls

_REPOSITORY, _COMMIT = "https://github.com/chigwell/telegram-mcp", "6be9bc2"
_NEEDS = ("mcp==1.25.0", "telethon==1.42.0", "nest_asyncio", "python-dotenv", "python-json-logger", "pydantic==2.14.3")
_LAUNCH = Path(__file__).with_name("launch.py")


def _exported(app: LocalApp) -> dict[str, Any]:
    """Return the rows of an app, and what in its objects is a hash of the seed."""
    tables = {each.name: app.episode.db.all(f"SELECT * FROM {each.name}") for each in app.store.loaded.schema.tables}
    tl_builders, ep = kernel_module("telegram", "tl_builders"), app.episode
    keys = {"user": ("users", "user_id"), "chat": ("chats", "chat_id"), "media": ("media", "media_id")}
    hashes: dict[str, Any] = {
        f"{kind}:{row[key]}": tl_builders.access_hash(ep, kind, row[key])
        for kind, (table, key) in keys.items()
        for row in tables[table]
    }
    hashes |= {
        f"reference:{row['media_id']}": ep.hash("reference", row["media_id"]).to_bytes(8, "big").hex()
        for row in tables["media"]
    }
    # The first of a call, as ours gives it to a new group.
    group = int(ep.new_id("group"))
    return {"now_s": NOW_S, "me": ME, "group": group, "tables": tables, "hashes": hashes}


@pytest.mark.parametrize("is_connected", [True, False])
def test_the_real_server_and_ours_answer_alike(
    start: Callable[..., LocalApp], tmp_path: Path, is_connected: bool
) -> None:
    checkout, python = git_checkout(_REPOSITORY, _COMMIT), python_with(*_NEEDS)
    home = tmp_path / "ada"
    (home / "locked").mkdir(parents=True)
    for name in ("cake.png", "list.txt", "note.ogg", "smile.webp", "empty.bin"):
        (home / name).write_bytes(b"" if name == "empty.bin" else b"0123456789")
    given = tuple(row for row in rows(str(home)) if is_connected or row["table"] == "files")
    me = "ada" if is_connected else None
    stand_in = tmp_path / "rows.json"
    stand_in.write_text(json.dumps(_exported(start("telegram", rows=given, me=me, seed=0))), "utf-8")
    environment = {
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
        "STAND_IN": str(stand_in) if is_connected else "",
        "HOME": str(tmp_path),
        "TELEGRAM_API_ID": "1",
        "TELEGRAM_API_HASH": "none",
        "TELEGRAM_SESSION_NAME": str(tmp_path / "session"),
    }
    source = read_source(
        [str(python), str(_LAUNCH), str(checkout / "main.py")],
        environment=[f"{name}={value}" for name, value in environment.items()],
    )
    asked = [{"tool": tool, "arguments": each, "result": {"content": []}} for tool, each in calls(str(home))]
    questions = [read_line(json.dumps(line).encode(), number, Path("calls")) for number, line in enumerate(asked, 1)]

    # The stand-in's clock stands where ours does.
    answered = [replace(each, at=None) for each in asyncio.run(ask(source, questions))]
    loaded = content.load_app("telegram")
    found = measure(loaded, answered, Start(rows=given, me=me), tmp_path / "ours", masks=[], is_sequence=False)

    assert {call.tool for call in questions} >= {tool.name for tool in loaded.app.tools}
    assert_alike(found, len(questions))

"""telegram-mcp, on a Telethon whose network is a stand-in on the rows of our own app, beside ours.

The stand-in changes nothing, so each call is made to ours from the start. And once more with nobody logged in: the real
one on a Telethon that is never connected, ours without an account.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
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
from tests.apps.telegram.rows import ME, NOW_S, rows, rows_of_2026
from tests.upstream.real import assert_alike, git_checkout, python_with
from tests.upstream.telegram.calls import calls
from tests.upstream.telegram.calls_2026 import calls_2026

_REPOSITORY = "https://github.com/chigwell/telegram-mcp"


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


@dataclass(frozen=True)
class Version:
    """A version of the real server: its commit, what it needs, how it is started and what is asked of it."""

    profile: str
    commit: str
    needs: tuple[str, ...]
    launch: Path
    calls: Callable[[str], list[tuple[str, Any]]]
    rows: Callable[[str], list[dict[str, Any]]]


DECEMBER_2025 = Version(
    "paper-2025",
    "6be9bc2",
    ("mcp==1.25.0", "telethon==1.42.0", "nest_asyncio", "python-dotenv", "python-json-logger", "pydantic==2.14.3"),
    Path(__file__).with_name("launch.py"),
    calls,
    rows,
)
AUGUST_2026 = Version(
    "latest",
    "a7bdd4d",
    ("mcp==1.22.0", "telethon==1.44.0", "python-dotenv==1.1.0", "python-json-logger==4.0.0", "pydantic==2.11.1"),
    Path(__file__).with_name("launch_2026.py"),
    calls_2026,
    rows_of_2026,
)


@pytest.mark.parametrize("version", [DECEMBER_2025, AUGUST_2026], ids=lambda version: version.profile)
@pytest.mark.parametrize("is_connected", [True, False])
def test_the_real_server_and_ours_answer_alike(
    start: Callable[..., LocalApp], tmp_path: Path, version: Version, is_connected: bool
) -> None:
    checkout, python = git_checkout(_REPOSITORY, version.commit), python_with(*version.needs)
    home = tmp_path / "ada"
    (home / "locked").mkdir(parents=True)
    for name in ("cake.png", "list.txt", "note.ogg", "smile.webp", "empty.bin"):
        (home / name).write_bytes(b"" if name == "empty.bin" else b"0123456789")
    on_disk = ("files", "aliases")
    given = tuple(row for row in version.rows(str(home)) if is_connected or row["table"] in on_disk)
    me = "ada" if is_connected else None
    app = start("telegram", rows=given, me=me, seed=0, profile=version.profile)
    (tmp_path / "rows.json").write_text(json.dumps(_exported(app)), "utf-8")
    aliases = {row["alias"]: {"id": row["peer_id"], "name": row["name"], "account": row["account"]}
               for row in given if row["table"] == "aliases"}  # fmt: skip
    (tmp_path / "aliases.json").write_text(json.dumps(aliases), "utf-8")
    environment = {
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": "ignore",
        "STAND_IN": str(tmp_path / "rows.json") if is_connected else "",
        "NOW_S": str(NOW_S),
        "ROOTS": str(home),
        # That of the server's image: the feed's file lies there.
        "HOME": "/home/appuser",
        "TELEGRAM_API_ID": "1",
        "TELEGRAM_API_HASH": "none",
        "TELEGRAM_SESSION_NAME": str(tmp_path / "session"),
        "TELEGRAM_ALIASES_FILE": str(tmp_path / "aliases.json"),
    }
    source = read_source(
        [str(python), str(version.launch), str(checkout / "main.py")],
        environment=[f"{name}={value}" for name, value in environment.items()],
    )
    # Where there is no account, nothing can be kept of its feed.
    made = [each for each in version.calls(str(home)) if is_connected or each[0] != "enable_incoming_feed"]
    asked = [{"tool": tool, "arguments": each, "result": {"content": []}} for tool, each in made]
    questions = [read_line(json.dumps(line).encode(), number, Path("calls")) for number, line in enumerate(asked, 1)]

    # The stand-in's clock stands where ours does.
    answered = [replace(each, at=None) for each in asyncio.run(ask(source, questions))]
    loaded = content.load_app("telegram", version.profile)
    found = measure(loaded, answered, Start(rows=given, me=me), tmp_path / "ours", masks=[], is_sequence=False)

    missing = {tool.name for tool in loaded.app.tools} - {call.tool for call in questions}
    assert missing <= ({"enable_incoming_feed"} if not is_connected else set())
    assert_alike(found, len(questions))

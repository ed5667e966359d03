"""The real Gmail server, in front of a stand-in for Google, beside ours: the same calls to both."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from farm.testing import LocalApp
from farm.traverse.fidelity.replay import Start
from tests.apps.gmail.mailbox import FOLDER, ME, NOW, NOW_MS, ROWS
from tests.upstream.gmail.backend import Gmail, Moment, things
from tests.upstream.gmail.calls import MISREAD, READ, REFUSED, WRITTEN
from tests.upstream.real import assert_alike, call, npm_package, side_by_side, stand_in

_PACKAGE, _VERSION = "@gongrzhe/server-gmail-autoauth-mcp", "1.1.11"
_HERE = Path(__file__).parent
_KEYS = {"installed": {"client_id": "a.apps.googleusercontent.com", "client_secret": "s", "redirect_uris": []}}


def _made(app: LocalApp, tool: str, arguments: dict[str, Any]) -> list[Moment]:
    """Make a call; return when it made a mail, a label or a filter, if it did."""
    before = things(app.episode)
    app.outcome(tool, arguments)
    return [Moment(app.episode.now_ms, app.episode.writes)] if things(app.episode) > before else []


def test_the_real_server_and_ours_answer_alike(tmp_path: Path) -> None:
    program = npm_package(_PACKAGE, _VERSION) / "dist" / "index.js"
    folder = tmp_path / "machine"
    rows = json.loads(json.dumps(ROWS).replace(FOLDER, str(folder)))
    for row in rows:
        if row["table"] == "files":
            path = Path(row["path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"x" * row["size_bytes"])
    keys, credentials = tmp_path / "keys.json", tmp_path / "credentials.json"
    keys.write_text(json.dumps(_KEYS))
    credentials.write_text(json.dumps({"refresh_token": "1//a", "scope": "https://mail.google.com/"}))
    command = ["node", "--import", (_HERE / "redirect.mjs").as_uri(), str(program)]
    with LocalApp("gmail", tmp_path / "rehearsal", rows=rows, me="mira", seed=0, now=NOW) as app:
        moments = [moment for each in (*READ, *WRITTEN) for moment in _made(app, *each)]
        own = app.episode.db.all("SELECT message_id FROM messages WHERE kind <> 'received' ORDER BY message_id")
    read_back = [call("read_email", messageId=row["message_id"]) for row in own]
    calls = [*READ, *WRITTEN, *read_back, *REFUSED, *MISREAD]

    with (
        LocalApp("gmail", tmp_path / "stand-in", rows=rows, me="mira", seed=0, now=NOW) as app,
        stand_in(Gmail(app, NOW_MS, moments).answer) as url,
    ):
        found = side_by_side(
            "gmail",
            calls,
            command,
            tmp_path / "ours",
            environment={
                "STAND_IN": url,
                "FOLDER": str(folder),
                "GMAIL_OAUTH_PATH": str(keys),
                "GMAIL_CREDENTIALS_PATH": str(credentials),
            },
            start=Start(rows=tuple(rows), me=ME),
            at=datetime.fromisoformat(NOW),
        )

    assert len(calls) >= 60
    assert len(READ) + len(WRITTEN) >= len(calls) / 2
    assert_alike(found, len(calls))

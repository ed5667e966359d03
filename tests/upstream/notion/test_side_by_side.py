"""mcp-notion-server, two versions, in front of a stand-in for Notion's API, beside ours: the same calls to both."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from farm.testing import LocalApp
from farm.traverse.fidelity.replay import Start
from tests.upstream.notion.backend import backend
from tests.upstream.notion.calls import Calls, Find, latest, older
from tests.upstream.real import assert_alike, git_checkout, install, side_by_side, stand_in

_REPOSITORY = "https://github.com/suekou/mcp-notion-server"
_AT = datetime(2026, 3, 9, 1, tzinfo=UTC)
_REDIRECT = Path(__file__).with_name("redirect.mjs")


def built(commit: str) -> Path:
    """Return the server's program at a commit; its interactive apps, which no call asks for, are left out."""
    folder = git_checkout(_REPOSITORY, commit)
    program = folder / "build" / "index.js"
    if not program.is_file():
        npm, node = shutil.which("npm"), shutil.which("node")
        if npm is None or node is None:
            pytest.skip("Node and npm are not installed")
        install(npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder))
        install(node, str(folder / "node_modules" / "typescript" / "bin" / "tsc"), "-p", str(folder))
    return program


def finder(app: LocalApp) -> Find:
    """Return what finds an id by a title, a name or a piece of text."""

    def find(table: str, words: str) -> str:
        column = {"users": "name", "blocks": "content", "discussions": "rich_text"}.get(table, "title")
        key, home = ("discussion_id", "comments") if table == "discussions" else ("id", table)
        # Of a page and a row of one name the page is meant.
        first = "parent_type = 'data_source_id', " if table == "pages" else ""
        rows = app.episode.db.all(f"SELECT {key} AS id, {column} AS words FROM {home} ORDER BY {first}id")
        whole = json.dumps(words, ensure_ascii=False)
        found = [row["id"] for row in rows if row["words"] == words or f'"content":{whole}' in row["words"]]
        assert found, f"no {table} with '{words}'"
        return str(found[0])

    return find


@pytest.mark.parametrize(
    ("profile", "commit", "calls"),
    [
        pytest.param("latest", "f18558293c32b7885c3cf026a2aa1b4fe115a848", latest, id="2.0.2"),
        pytest.param("paper-2025", "efda9b82f17488080c1c8a0d7816c856967fb4ae", older, id="1.2.4"),
    ],
)
def test_the_real_server_and_ours_answer_alike(
    start: Callable[..., LocalApp], tmp_path: Path, profile: str, commit: str, calls: Callable[[Find], Calls]
) -> None:
    program = built(commit)
    app = start("notion", world="harbor", profile=profile, seed=0, now=_AT.isoformat())
    made = calls(finder(app))

    with stand_in(backend(app, is_old=profile != "latest")) as url:
        environment: dict[str, Any] = {"NOTION_API_TOKEN": "none", "STAND_IN": url}
        command = ["node", "--import", _REDIRECT.as_uri(), str(program)]
        found = side_by_side(
            "notion",
            made,
            command,
            tmp_path / "ours",
            environment=environment,
            start=Start(world="harbor"),
            profile=profile,
            at=_AT,
        )

    assert_alike(found, len(made))
    assert found["confusion"]["success"]["success"] >= len(made) / 2
    assert len(made) >= 60

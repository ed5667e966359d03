"""One HTML file with an episode and the page that shows it: no farm, no network and no other file is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import orjson

from farm._util.page_file import page_file

from .events import told
from .files import FOLDER
from .sessions import without_bearers

if TYPE_CHECKING:
    from ..episodes import Episodes

ROWS_MAX = 10_000  # of one table
# In the order of their imports.
_BASE = ("dom", "words", "data", "text", "cards", "ui", "rows")
_APPS = ("chat", "mail", "calendar", "feed", "documents", "tables", "app")
MODULES = (*_BASE, *_APPS, "changes", "story", "home", "compare", "bill", "main")


async def story(episodes: Episodes, episode_id: str) -> list[dict[str, Any]]:
    """Return all calls of an episode in order, each with its app, the rows that it changed, and a sentence."""
    found: list[dict[str, Any]] = []
    for app in episodes.running(episode_id):
        last, after = 1, -1  # before the first call, so that an app without calls answers at once
        while after < last:
            page = await episodes.watch(episode_id, app, str(after))
            last, calls = page["last"], list(page["calls"])
            if not calls:
                break
            after = calls[-1]["n"]
            found += told(app, calls, await episodes.sentences(episode_id, app, calls))
    return sorted(found, key=lambda call: (call["started_ns"], call["app"]))


async def whole_episode(episodes: Episodes, episode_id: str) -> dict[str, Any]:
    """Return what a saved page shows: ``episode``, ``views``, ``rows`` (app → table → rows) and ``calls``."""
    views = orjson.loads(orjson.dumps(await episodes.views(episode_id)))
    rows: dict[str, dict[str, Any]] = {}
    for app, each in views["apps"].items():
        shown = [name for name, table in each["tables"].items() if table["kind"] != "hidden"]
        pages = [await episodes.rows(episode_id, app, name, {"limit": str(ROWS_MAX)}) for name in shown]
        rows[app] = {name: page["rows"] for name, page in zip(shown, pages, strict=True)}
    episode = without_bearers(await episodes.get(episode_id))
    return {"episode": episode, "views": views, "rows": rows, "calls": await story(episodes, episode_id)}


def saved_page(saved: Mapping[str, Any]) -> bytes:
    """Return the file.

    Args:
        saved: what ``whole_episode`` returns; if a task was checked also ``task``, its ``card`` and the ``verdict``.
    """
    return page_file(FOLDER, MODULES, saved)

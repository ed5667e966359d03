"""``DATA/registry.db`` as read from outside the gateway, which owns it: whether it is intact, and what it lists."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import orjson

NAME = "registry.db"
_BESIDE = ("-wal", "-shm")


@dataclass(frozen=True)
class Registered:
    """The contents of a registry.

    Attributes:
        episodes: id → apps.
        snapshots: id of an episode → name → the name of its files.
        has_intents: whether an operation is unfinished.
    """

    episodes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    snapshots: dict[str, dict[str, str]] = field(default_factory=dict)
    has_intents: bool = False


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a registry for reading; in a read-only folder a copy, as SQLite creates a file beside it."""
    with ExitStack() as stack:
        if not os.access(path.parent, os.W_OK):
            copies = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="farm-doctor-")))
            for name in (NAME, f"{NAME}-wal"):
                if (path.parent / name).exists():
                    shutil.copyfile(path.parent / name, copies / name)
            path = copies / NAME
        yield stack.enter_context(closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)))


def problem(path: Path) -> str | None:
    """Return the defect that SQLite finds in an existing registry, or None."""
    try:
        with _opened(path) as db:
            (found,) = db.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as broken:
        found = str(broken)
    return None if found == "ok" else " ".join(found.split())


def read(path: Path) -> Registered | None:
    """Return a registry's contents; None if a gateway was killed before it created the tables.

    Raises:
        sqlite3.Error: it cannot be read.
    """
    snapshots: dict[str, dict[str, str]] = {}
    with _opened(path) as db:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return None
        episodes = {row[0]: tuple(orjson.loads(row[1])) for row in db.execute("SELECT id, apps FROM episodes")}
        for episode_id, name, stored_as in db.execute("SELECT episode_id, name, stored_as FROM snapshots"):
            snapshots.setdefault(episode_id, {})[name] = stored_as
        (intents,) = db.execute("SELECT count(*) FROM intents").fetchone()
    return Registered(episodes, snapshots, bool(intents))


def forget(path: Path, episode_ids: Iterable[str]) -> None:
    """Delete episodes from the registry; only while no gateway runs."""
    with closing(sqlite3.connect(path)) as db, db:
        for episode_id in episode_ids:
            db.execute("DELETE FROM snapshots WHERE episode_id = ?", (episode_id,))
            db.execute("DELETE FROM episodes WHERE id = ?", (episode_id,))


def set_aside(path: Path) -> Path:
    """Rename a broken registry and SQLite's files beside it, so that nothing opens them; only while no gateway runs."""
    aside = path.with_name(f"{NAME}.broken")
    for end in _BESIDE:
        beside = path.with_name(NAME + end)
        if beside.exists():
            beside.replace(path.with_name(f"{NAME}{end}.broken"))
    path.replace(aside)
    return aside

"""Rows about files: create, reset, restore, snapshot and fork beside raw writes of the same bytes."""

from __future__ import annotations

import os
import statistics
from dataclasses import asdict
from itertools import count
from pathlib import Path

from farm.context.settings import Settings
from farm.testing import EPISODE, LocalApp
from tests.bench.context_rows import channel, slack_of
from tests.bench.environment import Stage
from tests.bench.measure import Measurement, Sizes, compare, take_turns, timed
from tests.bench.measured_apps import PAGE_TOOL, WRITE_TOOL

# Enough messages for a context of about 1.2 MB.
_MESSAGES = 2_200
_CALLS = 4_000
WRITE, COPY = "raw write of the same bytes", "read + write of the same bytes"


class _Files:
    """One live episode of Slack and the operations on it, each timed alone."""

    def __init__(self, folder: Path) -> None:
        self._slack: LocalApp = slack_of(folder, _MESSAGES)
        self._store = self._slack.store
        self._folder = folder
        self._numbers = count(1)
        self._settings = self._store.settings(EPISODE)
        self.data = self._store.starts.get(None)
        self._kept = "kept"
        self._store.snapshot(EPISODE, self._kept)

    def calls(self, number: int) -> None:
        """Make so many calls, one in four a post, and keep the context they lead to."""
        for index in range(number):
            if index % 4:
                self._slack.call(PAGE_TOOL, channel_id=channel(index), limit=10)
            else:
                self._touch()
        self._kept = "used"
        self._store.snapshot(EPISODE, self._kept)

    def _touch(self) -> None:
        """Post, so that the context is open and its write-ahead log holds something."""
        self._slack.call(WRITE_TOOL, channel_id=channel(0), text="One more.")

    def _new_episode(self) -> str:
        name = f"ep{next(self._numbers)}"
        folder = self._folder / "episodes" / name
        folder.mkdir()
        Settings(**{**asdict(self._settings), "id": name}).save(folder)
        return name

    def _gone(self, name: str) -> None:
        self._store.drop(name)
        folder = self._folder / "episodes" / name
        (folder / "episode.json").unlink()
        folder.rmdir()

    def raw_write(self) -> float:
        """Write the bytes to a new file and close it."""
        path = self._folder / f"raw{next(self._numbers)}"
        took = timed(lambda: _write(path, self.data))
        path.unlink()
        return took

    def raw_copy(self) -> float:
        """Read a file and write what was in it to a new one."""
        source = self._store.files(EPISODE).snapshot_db(self._kept)
        path = self._folder / f"raw{next(self._numbers)}"
        took = timed(lambda: _write(path, source.read_bytes()))
        path.unlink()
        return took

    def create(self) -> float:
        """Create a context of an episode whose settings are written."""
        name = self._new_episode()
        took = timed(lambda: self._store.create(name))
        self._gone(name)
        return took

    def reset(self) -> float:
        """Bring the open, changed episode back to its start."""
        self._touch()
        return timed(lambda: self._store.reset(EPISODE))

    def restore(self) -> float:
        """Bring the open, changed episode back to a snapshot."""
        self._touch()
        return timed(lambda: self._store.restore(EPISODE, self._kept))

    def snapshot(self) -> float:
        """Save the open, changed episode."""
        self._touch()
        name = f"s{next(self._numbers)}"
        took = timed(lambda: self._store.snapshot(EPISODE, name))
        files = self._store.files(EPISODE)
        files.snapshot_db(name).unlink()
        files.snapshot_log(name).unlink()
        files.snapshot_db(name).parent.rmdir()
        return took

    def fork(self) -> float:
        """Copy the open, changed episode to another one."""
        self._touch()
        name = self._new_episode()
        took = timed(lambda: self._store.fork(EPISODE, name))
        self._gone(name)
        return took

    def close(self) -> None:
        """Close everything."""
        self._slack.close()


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    os.write(descriptor, data)
    os.close(descriptor)


def file_rows(stage: Stage, sizes: Sizes) -> list[Measurement]:
    """Every operation on whole contexts, the copying ones again after thousands of calls."""
    repeats = 2 if sizes.is_quick else 20
    fresh, used = _Files(stage.data("fresh")), _Files(stage.data("used"))
    calls = 40 if sizes.is_quick else _CALLS
    used.calls(calls)
    things = {
        "raw_write": fresh.raw_write,
        "raw_copy": fresh.raw_copy,
        "create": fresh.create,
        "reset": fresh.reset,
        "restore": fresh.restore,
        "snapshot": fresh.snapshot,
        "fork": fresh.fork,
        "used_copy": used.raw_copy,
        "used_snapshot": used.snapshot,
        "used_fork": used.fork,
    }
    # Single operations take turns, so that the floor meets the same caches as what is measured by it.
    single = take_turns(sizes.rounds * repeats, things)
    found = {
        name: [statistics.median(each[at : at + repeats]) for at in range(0, len(each), repeats)]
        for name, each in single.items()
    }
    fresh.close()
    used.close()
    size = len(fresh.data)
    bounds = {"create": 2.0, "reset": 3.0, "restore": 3.0}
    rows = [
        compare(name, "us", found[name], found["raw_write"], against=WRITE, target=bound, size_bytes=size)
        for name, bound in bounds.items()
    ]
    copies = (
        ("snapshot", "snapshot", "raw_copy"),
        ("fork", "fork", "raw_copy"),
        ("snapshot_used", "used_snapshot", "used_copy"),
        ("fork_used", "used_fork", "used_copy"),
    )
    rows += [
        compare(name, "us", found[ours], found[theirs], against=COPY, target=2.0, calls=calls * (theirs == "used_copy"))
        for name, ours, theirs in copies
    ]
    return rows

"""The files of dropped contexts are overwritten by the next ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.context.spare_files import SpareFiles


def inode(path: Path) -> int:
    """Return the number of a file."""
    return path.stat().st_ino


def test_a_new_context_overwrites_the_file_of_a_dropped_one_and_holds_nothing_of_it(tmp_path: Path) -> None:
    farm = LocalFarm(tmp_path)
    first = farm.create("mini", ["slack"])
    start = first.rows("slack", "messages")
    channel = first.rows("slack", "channels")[0]["id"]
    first.call("slack", "slack_post_message", {"channel_id": channel, "text": "hello"})
    number = inode(tmp_path / "episodes" / first.id / "slack.0.db")
    assert first.diff()
    first.close()

    second = farm.create("mini", ["slack"])

    assert inode(tmp_path / "episodes" / second.id / "slack.0.db") == number
    assert second.rows("slack", "messages") == start
    assert second.diff() == {}
    farm.close()
    assert list((tmp_path / "starts").glob("*.spare")) == []


def spares(folder: Path, *, count: int, size: int = 10) -> SpareFiles:
    """Return some spare files."""
    found = SpareFiles(folder, "slack")
    for number in range(count):
        (folder / f"{number}.db").write_bytes(bytes(size))
        found.put(str(folder / f"{number}.db"))
    return found


def test_only_a_few_are_kept(tmp_path: Path) -> None:
    spares(tmp_path, count=9)

    assert len(list(tmp_path.glob("*.spare"))) == 4
    assert len(list(tmp_path.glob("*.db"))) == 5


def test_a_file_that_has_grown_is_not_kept(tmp_path: Path) -> None:
    assert spares(tmp_path, count=1, size=(8 << 20) + 1).take() is None


def test_a_file_that_somebody_removed_is_not_given(tmp_path: Path) -> None:
    found = spares(tmp_path, count=2)
    first, second = sorted(tmp_path.glob("*.spare"), key=lambda path: int(path.name.split(".")[2]))
    second.unlink()

    assert found.take() == str(first)
    assert found.take() is None


def test_what_a_killed_process_left_is_removed_and_what_another_one_uses_is_not(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f"slack.{ended.pid}.1.spare", f"lark.{ended.pid}.1.spare", f"slack.{os.getpid()}.7.spare"]
    for name in names:
        (tmp_path / name).touch()

    SpareFiles(tmp_path, "slack")

    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_leaves_the_files_to_its_parent(tmp_path: Path) -> None:
    found = spares(tmp_path, count=1)

    child = os.fork()
    if not child:
        os._exit(found.take() is not None)
    _, status = os.waitpid(child, 0)

    assert status == 0
    assert found.take() is not None

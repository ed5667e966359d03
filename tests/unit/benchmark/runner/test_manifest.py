"""The manifest of a run: the commit of its content."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from farm.benchmark.runner.manifest import commit_of


@pytest.mark.parametrize("state", ["clean", "changed", "added"])
def test_the_commit_of_content_says_whether_it_is_as_committed(tmp_path: Path, state: str) -> None:
    tasks = tmp_path / "tasks"
    tasks.mkdir()
    (tasks / "a.toml").write_text("1")
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "m")):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    (tmp_path / "README").write_text("no content")
    if state != "clean":
        (tasks / ("a.toml" if state == "changed" else "b.toml")).write_text("2")

    found = commit_of(tmp_path)

    assert found is not None
    assert re.fullmatch("[0-9a-f]{40}" if state == "clean" else r"[0-9a-f]{40}\+[0-9a-f]{8}", found)
    assert commit_of(tmp_path / "tasks") is None

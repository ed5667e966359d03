"""Tasks that are asked for one at a time: parsed once, and anew when a file of theirs has changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from farm import content
from farm.benchmark.tasks import TaskError, load_suite
from farm.benchmark.tasks.cache import TaskCache
from farm.errors import FarmError, NotFoundError
from tests.unit.benchmark.tasks.test_load import RIGHT

PREDICATE = """
[[checkpoints]]
id = "polite"
kind = "other"
predicate = "is_polite"
"""


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite of two tasks, named ``mine``."""
    folder = tmp_path / "mine_content" / "tasks" / "mine"
    folder.mkdir(parents=True)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "mine_content"))
    (folder / "post-it.toml").write_text(RIGHT, "utf-8")
    (folder / "other.toml").write_text(RIGHT.replace('id = "post-it"', 'id = "other"'), "utf-8")
    return folder


def test_a_task_is_parsed_once_and_no_other_of_its_suite(suite: Path) -> None:
    (suite / "other.toml").write_text("this is no task")
    cache = TaskCache()

    first = cache.task("mine", "post-it")
    second = cache.task("mine", "post-it")

    assert first is second
    assert (first.id, first.suite, cache.parsed) == ("post-it", "mine", 1)


def test_it_is_the_task_that_the_suite_has() -> None:
    assert TaskCache().task("demo", "lark-new-room") == load_suite("demo").task("lark-new-room")


def edit_task(suite: Path) -> None:
    (suite / "post-it.toml").write_text(RIGHT.replace("Post it", "Post in"), "utf-8")  # as long as before


def add_suite_file(suite: Path) -> None:
    (suite / "suite.toml").write_text('allow = [{ app = "slack", table = "reactions" }]')


@pytest.mark.parametrize("edit", [edit_task, add_suite_file])
def test_what_was_edited_is_read_anew_at_once(suite: Path, edit: Callable[[Path], None]) -> None:
    cache = TaskCache()
    before = cache.task("mine", "post-it")

    edit(suite)
    after = cache.task("mine", "post-it")

    assert (after.title, len(after.allow)) != (before.title, len(before.allow))
    assert cache.parsed == 2


def test_an_edited_predicate_is_imported_anew(suite: Path) -> None:
    (suite / "post-it.toml").write_text(RIGHT.replace("[[oracle]]", f"{PREDICATE}\n[[oracle]]", 1), "utf-8")
    (suite / "post_it.py").write_text("def is_polite(evidence, start):\n    return True, 'yes'\n")
    cache = TaskCache()
    cache.task("mine", "post-it")
    before = content.suite_module("mine", "post_it").is_polite(None, None)

    (suite / "post_it.py").write_text("def is_polite(evidence, start):\n    return False, 'not any more'\n")
    cache.task("mine", "post-it")

    assert before == (True, "yes")
    assert content.suite_module("mine", "post_it").is_polite(None, None) == (False, "not any more")


def test_a_mistake_is_said_each_time_until_it_is_mended(suite: Path) -> None:
    cache = TaskCache()
    (suite / "post-it.toml").write_text("id = 1")

    for _ in range(2):
        with pytest.raises(TaskError, match=r"post-it\.toml"):
            cache.task("mine", "post-it")
    (suite / "post-it.toml").write_text(RIGHT, "utf-8")

    assert cache.task("mine", "post-it").id == "post-it"


@pytest.mark.parametrize("name", ["x", "suite", "../mine/post-it", ""])
def test_a_name_of_no_task_is_refused_with_those_there_are(suite: Path, name: str) -> None:
    (suite / "suite.toml").write_text("")

    with pytest.raises(NotFoundError, match=f"no task '{name}' in suite 'mine'; have other, post-it"):
        TaskCache().task("mine", name)


def test_no_more_tasks_are_remembered_than_it_may(suite: Path) -> None:
    cache = TaskCache(tasks_max=1)

    for name in ("post-it", "other", "post-it"):
        cache.task("mine", name)

    assert cache.parsed == 3


def test_a_suite_that_is_not_there_is_said(suite: Path) -> None:
    with pytest.raises(FarmError, match="no suite 'x'"):
        TaskCache().task("x", "post-it")

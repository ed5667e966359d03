"""The manifest of a run: the commit of its content, the tools that agents are shown, and what it may differ in."""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson
import pytest

from farm import __version__, content
from farm.benchmark.runner import listed_tools
from farm.benchmark.runner.listed_tools import hash_installed, hash_served
from farm.benchmark.runner.manifest import commit_of, differences, joined, manifest
from farm.benchmark.runner.options import Options
from farm.benchmark.tasks import Suite, Task
from tests.suites import parsed_suite
from tests.unit._farm_here import Acting, FarmHere

DEMO = parsed_suite("demo")


def git(folder: Path, *words: str) -> str:
    identity = ("-c", "user.name=n", "-c", "user.email=e@example.com")
    done = subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a task."""
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "a.toml").write_text("1")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "m")
    return tmp_path


@pytest.mark.parametrize("state", ["clean", "changed", "added"])
def test_the_commit_of_content_says_whether_it_is_as_committed(checkout: Path, state: str) -> None:
    (checkout / "README").write_text("no content")
    if state != "clean":
        (checkout / "tasks" / ("a.toml" if state == "changed" else "b.toml")).write_text("2")

    found = commit_of(checkout)

    head = git(checkout, "rev-parse", "HEAD")
    assert found is not None
    assert re.fullmatch(head if state == "clean" else rf"{head}\+[0-9a-f]{{8}}", found)
    assert commit_of(checkout / "tasks") is None


@pytest.mark.parametrize("name", ["kernels", "contexts", "tasks"])
def test_the_commit_of_content_is_the_last_one_that_changed_it(checkout: Path, name: str) -> None:
    (checkout / name).mkdir(exist_ok=True)
    (checkout / name / "b").write_text("2")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "content")
    head = git(checkout, "rev-parse", "HEAD")
    (checkout / "README").write_text("no content")
    git(checkout, "add", ".")
    git(checkout, "commit", "-qm", "something else")

    assert commit_of(checkout) == head


def test_content_that_differs_in_anything_has_another_hash(checkout: Path) -> None:
    task, new, other = (checkout / "tasks" / name for name in ("a.toml", "新.toml", "c.toml"))

    def after(path: Path, text: str) -> str | None:
        path.write_text(text)
        return commit_of(checkout)

    found = [after(task, "2"), after(task, "3"), after(new, "4"), after(new, "5"), after(other, "4")]
    new.unlink()
    found.append(commit_of(checkout))  # which has the text of the third under another name

    assert None not in found
    assert len(set(found)) == len(found) == 6
    git(checkout, "add", "tasks/a.toml")
    assert commit_of(checkout) == found[-1]  # staged or not


def test_what_git_ignores_is_no_content(checkout: Path) -> None:
    (checkout / ".git" / "info" / "exclude").write_text("*.pyc\n")
    (checkout / "tasks" / "a.pyc").write_text("1")

    assert commit_of(checkout) == git(checkout, "rev-parse", "HEAD")


def test_a_folder_that_git_does_not_know_or_a_machine_without_git_has_no_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit_of(tmp_path) is None
    git(tmp_path, "init", "-q")
    assert commit_of(tmp_path) is None
    monkeypatch.setenv("PATH", "/nowhere")
    assert commit_of(tmp_path) is None


# -- its keys --------------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    farm = FarmHere(tmp_path / "data")
    farm.stand_in(monkeypatch)
    yield farm
    farm.end()


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def tools_of(app: str, profile: str = "latest") -> str:
    found = list(content.load_app(app).in_profile(profile).tool_schemas)
    return hash_of(orjson.dumps(found, option=orjson.OPT_SORT_KEYS))


def test_a_manifest_has_a_hash_of_each_task_and_of_the_tools_of_each_app(here: Any) -> None:
    lark = next(task for task in DEMO.tasks if task.apps == ("lark",))
    slack = DEMO.task("slack-boards-rate")
    suite = Suite("demo", "", (slack, lark))

    found = manifest(suite, Acting(), Options(), hash_served(suite, Options(), here))

    assert found["tasks"] == {task.id: hash_of(task.raw) for task in (slack, lark)}
    assert found["tools_sha256"] == {"lark": tools_of("lark"), "slack": tools_of("slack")}
    assert found["versions"] == {
        "farm": __version__,
        "python": platform.python_version(),
        "mcp": version("mcp"),
        "system": f"{platform.system()} {platform.machine()}",
    }
    assert found["content_commits"] == [commit_of(root.folder) for root in content.roots()]
    assert here.created == [{"world": "harbor", "profile": "latest", "label": "tools", "apps": ["lark", "slack"]}]
    assert here.sessions == {}


def test_the_tools_are_those_of_the_profile_and_of_every_app_where_the_menu_shows_them(here: Any) -> None:
    suite = Suite("demo", "", (DEMO.task("slack-boards-rate"),))

    options = Options(profile="paper-2025", menu="all")
    found = hash_served(suite, options, here)

    assert found == {app: tools_of(app, "paper-2025") for app in content.app_names()} == hash_installed(suite, options)
    assert here.created == [{"world": "harbor", "profile": "paper-2025", "label": "tools"}]


def test_the_tools_of_an_app_are_asked_for_in_the_first_of_its_worlds(here: Any) -> None:
    def task(name: str, world: str, *apps: str) -> Task:
        return Task(name, "s", "", world, apps, "c", "", (), ())

    suite = Suite(
        "s",
        "",
        (
            task("a", "harbor", "slack"),
            task("b", "mini", "slack", "lark"),
            task("c", "mini", "lark"),
            task("d", "halfday", "slack"),
        ),
    )

    found = hash_served(suite, Options(), here)

    assert set(found) == {"slack", "lark"}
    assert found == hash_installed(suite, Options())
    assert [(each["world"], each["apps"]) for each in here.created] == [("harbor", ["slack"]), ("mini", ["lark"])]


def test_an_episode_whose_tools_cannot_be_listed_is_dropped_too(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise KeyError("oops")

    monkeypatch.setattr(listed_tools, "mcp_tools", fail)

    with pytest.raises(KeyError):
        hash_served(Suite("demo", "", (DEMO.task("slack-boards-rate"),)), Options(), here)
    assert here.sessions == {}


# -- when a run goes on ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"seed": 0}, {"seed": 0}, []),
        ({"seed": 0}, {}, ["seed was 0, is nothing"]),
        ({}, {"seed": 0}, ["seed was nothing, is 0"]),
        ({"menu": "all", "seed": 0}, {"menu": "灯", "seed": 1}, ['menu was "all", is "灯"', "seed was 0, is 1"]),
        ({"k": 1, "parallel": 2, "started_at": "x"}, {"k": 2, "parallel": 3, "started_at": "y"}, []),
        # These may differ at the top alone.
        ({"about_agent": {"k": 1}}, {"about_agent": {"k": 2}}, ["about_agent.k was 1, is 2"]),
        ({"about_agent": {"a": {"b": 1}}}, {"about_agent": {"a": {"b": 2}}}, ["about_agent.a.b was 1, is 2"]),
        ({"about_agent": {}}, {"about_agent": {"a": 1}}, ["about_agent.a was nothing, is 1"]),
        (
            {"about_agent": {"tasks": {"x": 1}}},
            {"about_agent": {"tasks": {}}},
            ["about_agent.tasks.x was 1, is nothing"],
        ),
        ({"versions": {"a": 1}}, {"versions": None}, ['versions was {"a":1}, is nothing']),
        # Of named entries, those that both have.
        ({"tasks": {"x": "1", "y": "1"}}, {"tasks": {"y": "2", "z": "1"}}, ['tasks.y was "1", is "2"']),
        ({"tools_sha256": {"x": "1"}}, {"tools_sha256": {}}, []),
    ],
)
def test_what_a_run_may_not_differ_in_is_named_with_both_values(
    before: dict[str, Any], now: dict[str, Any], found: list[str]
) -> None:
    assert differences(before, now) == found


def test_the_manifest_of_a_run_that_went_on_has_the_tasks_of_both_and_the_most_trials() -> None:
    before = {"k": 3, "seed": 0, "started_at": "x", "tasks": {"a": "1", "b": "1"}, "tools_sha256": {"slack": "1"}}
    now = {"k": 2, "seed": 0, "started_at": "y", "tasks": {"b": "1", "c": "1"}, "tools_sha256": {"lark": "1"}}

    assert joined(before, now) == {
        "k": 3,
        "seed": 0,
        "started_at": "x",
        "tasks": {"a": "1", "b": "1", "c": "1"},
        "tools_sha256": {"slack": "1", "lark": "1"},
    }
    assert joined(before, now | {"k": 5})["k"] == 5

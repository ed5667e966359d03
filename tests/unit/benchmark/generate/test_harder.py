"""A task that code makes harder, and tasks that it cannot."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.benchmark.generate.drafts import read_draft
from farm.benchmark.generate.harder import raised
from farm.benchmark.tasks import load_task
from farm.cli import main
from farm.errors import FarmError


def content_of(task: str, suite: str = "demo") -> dict[str, Any]:
    return tomllib.loads((content.suite_dir(suite) / f"{task}.toml").read_text("utf-8"))


def task(name: str, **more: Any) -> dict[str, Any]:
    """Return a task that sends one message whose channel an earlier result names."""
    calls = [
        {"app": "slack", "tool": "slack_list_channels", "arguments": {}, "as": "channels"},
        {
            "app": "slack",
            "tool": "slack_post_message",
            "arguments": {"channel_id": "{channels.channels[name=general].id}", "text": name},
            "as": "post",
        },
    ]
    point = {"id": "posted", "kind": "operate", "where": {"channel_id": "{{room}}", "text": name}}
    return {
        "id": name,
        "title": f"Post {name}",
        "world": "mini",
        "apps": ["slack"],
        "category": "slack",
        "calls_max": 4,
        "instruction": f"Say {name}.",
        "lookups": {"room": {"app": "slack"}},
        "checkpoints": [point],
        "oracle": [{"calls": calls}],
        "near_misses": [{"why": "elsewhere", "change": {"post": {"channel_id": "{channels.channels[0].id}"}}}],
    } | more


def run(*arguments: str) -> Any:
    """Return the exit status of a command."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code


def no_other(name: str) -> dict[str, Any]:
    raise AssertionError(name)


def test_a_failure_is_planned_for_the_last_writing_call_and_its_retry_is_checked() -> None:
    made = raised(task("one"), ["fault"], no_other)

    (fault,) = made["faults"]
    assert (made["id"], fault["app"], fault["tools"]) == ("one-fault", "slack", ["slack_post_message"])
    assert made["checkpoints"][-1] == {"id": "recovered", "kind": "other", "predicate": "recovered", "app": "slack"}


def test_two_tasks_become_one_whose_names_do_not_clash() -> None:
    made = raised(task("one"), ["with=two"], task)

    assert made["instruction"] == "Say one.\n\nSay two."
    assert made["calls_max"] == 8
    assert [each["id"] for each in made["checkpoints"]] == ["posted", "posted-2"]
    assert [each["where"]["channel_id"] for each in made["checkpoints"]] == ["{{room}}", "{{room_2}}"]
    assert set(made["lookups"]) == {"room", "room_2"}
    calls = [call for step in made["oracle"] for call in step["calls"]]
    assert [call["as"] for call in calls] == ["channels", "post", "channels_2", "post_2"]
    assert calls[3]["arguments"]["channel_id"] == "{channels_2.channels[name=general].id}"
    assert [each["change"] for each in made["near_misses"]] == [
        {"post": {"channel_id": "{channels.channels[0].id}"}},
        {"post_2": {"channel_id": "{channels_2.channels[0].id}"}},
    ]


def test_the_answer_of_one_task_may_say_what_the_other_asks_for() -> None:
    search = {"id": "when", "kind": "personal_search", "answer": {"claims": [], "only": {"also": ["At nine."]}}}
    asks = {"checkpoints": [search], "oracle_answer": "At nine.", "near_misses": [{"why": "late", "answer": "At ten."}]}
    other = {"oracle_answer": "Ben does."}

    made = raised(task("one", **asks), ["with=two"], lambda name: task(name, **other))

    assert made["oracle_answer"] == "At nine.\nBen does."
    assert made["near_misses"][0]["answer"] == "At ten.\nBen does."
    assert made["checkpoints"][0]["answer"]["only"]["also"] == ["At nine.", "Ben does."]


@pytest.mark.parametrize(
    ("given", "raises", "problem"),
    [
        (lambda: task("one", faults=[{}]), "fault", "plans faults already"),
        (lambda: task("one", oracle=[{"calls": []}]), "fault", "writes nothing"),
        (lambda: task("one"), "pruned", "tells no 'necessary' context"),
        (lambda: task("one", me="ben"), "person=ben", "is ben's already"),
        (lambda: task("one", world="harbor"), "with=two", "differ in 'world'"),
        (lambda: task("one"), "louder", "no raise 'louder'; write one of fault, pruned, person=ID, with=TASK"),
        (lambda: task("one"), "person", "no raise 'person'"),
        (lambda: task("one"), "person=nobody", "no person 'nobody' in world 'mini'; 'farm people mini' lists them"),
        (lambda: task("one"), "with=one", "cannot be asked for twice"),
    ],
)
def test_what_cannot_be_raised_is_said_in_one_line(
    given: Callable[[], dict[str, Any]], raises: str, problem: str
) -> None:
    with pytest.raises(FarmError, match=problem) as refused:
        raised(given(), [raises], task)

    assert "\n" not in str(refused.value)


def test_the_command_keeps_what_the_audit_proves_as_a_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drafts, out = tmp_path / "drafts", tmp_path / "tasks" / "mine"

    assert run("tasks", "harder", "demo", "slack-unlock-scheduler", "--by", "fault", "--drafts", str(drafts)) == 0
    assert run("tasks", "accept", "mine", "--drafts", str(drafts), "--out", str(out)) == 0

    # Neither the draft's history nor a task that somebody has edited is written over.
    assert run("tasks", "harder", "demo", "slack-unlock-scheduler", "--by", "fault", "--drafts", str(drafts)) == 1
    path = out / "slack-unlock-scheduler-fault.toml"
    path.write_text(path.read_text("utf-8").replace("title =", "title  ="), "utf-8")
    assert (
        run("tasks", "accept", "mine", "slack-unlock-scheduler-fault", "--drafts", str(drafts), "--out", str(out)) == 1
    )
    assert capsys.readouterr().err.count("exists already") == 2
    assert run("tasks", "harder", "demo", "slack-unlock-scheduler", "--by", "", "--drafts", str(drafts)) == 1
    draft = read_draft(drafts / "slack-unlock-scheduler-fault.json")
    assert draft.chain["from"] == "slack-unlock-scheduler"
    made = load_task(out / "slack-unlock-scheduler-fault.toml", "mine")
    assert [point.id for point in made.checkpoints][-1] == "recovered"
    assert made.instruction == content_of("slack-unlock-scheduler")["instruction"].strip()
    capsys.readouterr()


def test_what_the_audit_refuses_stays_as_a_rejected_draft(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Nobody else's accounts tell what this task asks for.
    assert (
        run("tasks", "harder", "lives", "fei-switch-end", "--by", "person=helen.zhou", "--drafts", str(tmp_path)) == 1
    )

    assert "rejected" in capsys.readouterr().out
    assert [path.suffix for path in tmp_path.iterdir()] == [".json"]

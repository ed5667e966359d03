"""A task from a trace, a task to fill in by hand, and traces that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from farm.benchmark.audit.audit import audit_suite
from farm.benchmark.generate.trace_file import read_trace
from farm.benchmark.tasks import Operate, Suite, load_task
from farm.cli import main
from farm.errors import FarmError
from farm.testing.local_world import LocalWorld
from farm.world.facts import trace_of


def test_a_trace_becomes_a_task_that_the_audit_proves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with LocalWorld("harbor", ["slack"]) as world:
        listed = world.call("slack", "slack_list_channels", limit=1000)["channels"]
    ids = {each["name"]: each["id"] for each in listed}
    calls = [
        {"app": "slack", "tool": "slack_list_channels", "arguments": {"limit": 200}},
        {"app": "slack", "tool": "slack_get_users", "arguments": {"limit": 10}},
        {
            "app": "slack",
            "tool": "slack_get_channel_history",
            "arguments": {"channel_id": ids["launch-ember"], "limit": 100},
        },
        {
            "app": "slack",
            "tool": "slack_post_message",
            "arguments": {"channel_id": ids["coffee"], "text": "The price is ¥899."},
        },
    ]
    trace, out = tmp_path / "calls.jsonl", tmp_path / "tasks" / "mine"
    trace.write_text("".join(json.dumps(each) + "\n" for each in calls), "utf-8")

    _farm(
        capsys,
        *("tasks", "record", "mine", "price-to-coffee", "--trace", str(trace), "--world", "harbor"),
        *("--instruction", "Tell the coffee people what the lamp will cost.", "--out", str(out)),
    )

    path = out / "price-to-coffee.toml"
    task = load_task(path, "mine")
    # The list of users was needed by nothing.
    assert [call.tool for step in task.oracle for call in step] == [
        "slack_list_channels",
        "slack_get_channel_history",
        "slack_post_message",
    ]
    assert "{{fact:launch.price" in path.read_text("utf-8")
    assert ids["coffee"] not in path.read_text("utf-8")
    assert len(task.near_misses) == 1
    assert len(path.read_text("utf-8").splitlines()) <= 35
    report = audit_suite(Suite("mine", "mine", (task,)), parallel=1, trace_of=trace_of)
    assert (report["oracle"], report["null"], report["survivors"]) == (1.0, 0.0, [])


def test_what_the_creator_of_a_row_must_give_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with LocalWorld("harbor", ["lark"]) as world:
        mine = world.call("lark", "calendar_v4_calendar_primary")["calendars"][0]["calendar"]["calendar_id"]
    times = {"start_time": {"timestamp": "1773129600"}, "end_time": {"timestamp": "1773133200"}}
    event = {"path": {"calendar_id": mine}, "data": {"summary": "Umbrella"} | times}
    calls = [
        {"app": "lark", "tool": "calendar_v4_calendar_primary", "arguments": {}},
        {"app": "lark", "tool": "calendar_v4_calendarEvent_create", "arguments": event},
    ]
    trace, out = tmp_path / "calls.json", tmp_path / "tasks" / "mine"
    trace.write_text(json.dumps(calls), "utf-8")

    _farm(
        capsys,
        *("tasks", "record", "mine", "umbrella", "--trace", str(trace), "--world", "harbor"),
        *("--instruction", "Umbrella into my calendar, Tuesday four to five.", "--out", str(out)),
    )

    (made,) = load_task(out / "umbrella.toml", "mine").checkpoints
    assert isinstance(made, Operate)
    after = made.after
    assert {"start_at", "end_at", "summary"} <= set(after)
    assert "created_at" not in after


def test_a_new_task_has_every_part_to_fill_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ("tasks", "new", "mine", "my-task", "--world", "harbor", "--apps", "slack,lark", "--out", str(tmp_path))

    _farm(capsys, *given)

    text = (tmp_path / "my-task.toml").read_text("utf-8")
    assert 'apps = ["slack", "lark"]' in text
    assert "[[near_misses]]" in text
    assert _farm(capsys, *given, status=1).endswith("exists already; an id is never reused\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[]", "it once"),
        ('[{"app": "slack"}]', "a call is"),
        ("{}", "a call is"),
    ],
)
def test_a_trace_that_is_none_is_said_to_be(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "trace.json"
    path.write_text(text)

    if said == "it once":
        assert read_trace(path).calls == ()
        return
    with pytest.raises(FarmError, match=said) as refused:
        read_trace(path)

    assert "\n" not in str(refused.value)


def test_a_trace_without_an_accepted_call_makes_no_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "trace.json"
    path.write_text('[{"app": "slack", "tool": "slack_get_users", "arguments": {}, "refused": true}]')

    said = _farm(
        capsys,
        *("tasks", "record", "mine", "a-task", "--trace", str(path), "--world", "harbor"),
        *("--instruction", "x", "--out", str(tmp_path)),
        status=1,
    )

    assert said == "farm: the trace has no call that was accepted; do the task first, then record it\n"


def _farm(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    said = capsys.readouterr()
    assert (ended.value.code or 0) == status, said.err
    return said.err if status else said.out

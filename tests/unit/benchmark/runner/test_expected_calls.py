"""The oracle's calls are kept from run to run, for as long as what they were made of is the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from farm.benchmark.runner.expected_calls import ExpectedCalls, Turns
from farm.benchmark.scoring.call_metrics import ToolUse
from farm.benchmark.tasks import OracleCall, Task
from tests.suites import parsed_suite

TASK = parsed_suite("demo").task("slack-boards-rate")
TURNS: Turns = [[("slack", "slack_list_channels", {"limit": 200})], [("slack", "slack_get_users", {})]]
EXPECTED = [[("slack.slack_list_channels", {"limit": 200})], [("slack.slack_get_users", {})]]

Ask = Callable[..., list[list[ToolUse]]]


class Oracle:
    """Counts how often it is played."""

    def __init__(self) -> None:
        self.plays = 0

    def play(self) -> Turns:
        """Return the same turns as ever."""
        self.plays += 1
        return TURNS


def test_what_is_kept_is_not_played_again_by_the_next_run_either(tmp_path: Path) -> None:
    oracle = Oracle()

    found = [ExpectedCalls(tmp_path).calls_for(TASK, seed=0, profile="latest", play=oracle.play) for _ in range(3)]

    assert found == [EXPECTED] * 3
    assert oracle.plays == 1


@pytest.mark.parametrize(
    ("task", "seed", "profile"),
    [
        (TASK, 1, "latest"),
        (TASK, 0, "paper-2025"),
        (replace(TASK, now="2026-03-10T09:00:00+08:00"), 0, "latest"),
        (replace(TASK, me="yu.han"), 0, "latest"),
        (replace(TASK, apps=("lark", "slack")), 0, "latest"),
        (replace(TASK, oracle=((OracleCall("slack", "slack_get_users", {"limit": 7}),),)), 0, "latest"),
    ],
    ids=["seed", "profile", "now", "me", "apps", "oracle"],
)
def test_what_was_made_of_anything_else_is_played_anew(tmp_path: Path, task: Task, seed: int, profile: str) -> None:
    oracle, kept = Oracle(), ExpectedCalls(tmp_path)
    kept.calls_for(TASK, seed=0, profile="latest", play=oracle.play)

    kept.calls_for(task, seed=seed, profile=profile, play=oracle.play)

    assert oracle.plays == 2


def test_nobody_else_may_look_into_what_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "expected"

    ExpectedCalls(folder).calls_for(TASK, seed=0, profile="latest", play=Oracle().play)

    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder.parent, folder, *folder.rglob("*"))}
    assert modes == {
        "data": 0o700,
        "expected": 0o700,
        TASK.suite: 0o700,
        f"{TASK.id}.latest.0.json": 0o600,
    }


def test_a_file_that_broke_off_is_made_anew(tmp_path: Path) -> None:
    oracle, kept = Oracle(), ExpectedCalls(tmp_path)
    kept.calls_for(TASK, seed=0, profile="latest", play=oracle.play)
    (path,) = tmp_path.rglob("*.json")
    path.write_bytes(path.read_bytes()[:40])

    assert kept.calls_for(TASK, seed=0, profile="latest", play=oracle.play) == EXPECTED
    assert oracle.plays == 2


def test_where_nothing_can_be_kept_the_oracle_is_played_each_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    oracle, kept = Oracle(), ExpectedCalls(tmp_path / "file")

    assert [kept.calls_for(TASK, seed=0, profile="latest", play=oracle.play) for _ in range(2)] == [EXPECTED] * 2
    assert oracle.plays == 2

"""The log of a run, and the conditions under which a run goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from farm.benchmark.runner.log import RunLog
from farm.errors import ConflictError, FarmError

MANIFEST = {"suite": "s", "agent": "a", "seed": 0, "k": 1, "tasks": {"x": "1"}, "tools_sha256": {}}


def test_a_log_keeps_the_last_line_of_each_trial_and_cuts_a_torn_one(tmp_path: Path) -> None:
    log = RunLog.begin(tmp_path, MANIFEST, resume=False)
    log.append({"task": "x", "trial": 0, "acc": 0.0})
    log.append({"task": "x", "trial": 0, "acc": 1.0})
    with (tmp_path / "trials.jsonl").open("ab") as file:
        file.write(b'{"task": "y", "tri')

    again = RunLog.begin(tmp_path, MANIFEST | {"k": 3}, resume=True)
    again.append({"task": "z", "trial": 0, "acc": 0.5})

    assert [(trial["task"], trial["acc"]) for trial in again.trials()] == [("x", 1.0), ("z", 0.5)]


def test_a_folder_with_a_run_is_not_written_over(tmp_path: Path) -> None:
    RunLog.begin(tmp_path, MANIFEST, resume=False)

    with pytest.raises(ConflictError, match="holds a run already; add --resume"):
        RunLog.begin(tmp_path, MANIFEST, resume=False)
    with pytest.raises(ConflictError, match="holds a run that differs: seed was 0, is 1; name another --out"):
        RunLog.begin(tmp_path, MANIFEST | {"seed": 1}, resume=True)


def test_a_folder_without_a_run_is_said_to_have_none(tmp_path: Path) -> None:
    with pytest.raises(FarmError, match=r"it has no readable run\.json"):
        RunLog(tmp_path)


def test_the_log_of_a_run_is_plain_json_lines(tmp_path: Path) -> None:
    log = RunLog.begin(tmp_path, MANIFEST, resume=False)
    log.append({"task": "x", "trial": 0, "answer": "两行\n"})

    lines = (tmp_path / "trials.jsonl").read_bytes().splitlines()

    assert [orjson.loads(line)["answer"] for line in lines] == ["两行\n"]


HELD: dict[str, Any] = {
    **MANIFEST,
    "about_agent": {"model": "m", "host": "api.example", "temperature": None},
    "versions": {"python": "3.11.7", "mcp": "2.3.0"},
    "content_commits": ["abc"],
    "started_at": "2026-03-09T01:00:00+00:00",
    "parallel": 4,
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"about_agent": {**HELD["about_agent"], "temperature": 0.7}}, "about_agent.temperature was nothing, is 0.7"),
        (
            {"about_agent": {**HELD["about_agent"], "host": "other.example"}},
            'about_agent.host was "api.example", is "other.example"',
        ),
        ({"versions": {"python": "3.12.0", "mcp": "2.3.0"}}, 'versions.python was "3.11.7", is "3.12.0"'),
        ({"content_commits": ["abd"]}, 'content_commits was ["abc"], is ["abd"]'),
        ({"tasks": {"x": "2"}}, 'tasks.x was "1", is "2"'),
        ({"tools_sha256": {"slack": "2"}}, 'tools_sha256.slack was "1", is "2"'),
    ],
)
def test_a_run_goes_on_only_as_it_began_and_what_differs_is_named(
    tmp_path: Path, change: dict[str, Any], said: str
) -> None:
    before = HELD | {"tools_sha256": {"slack": "1"}}
    RunLog.begin(tmp_path, before, resume=False)

    with pytest.raises(ConflictError) as refused:
        RunLog.begin(tmp_path, before | change, resume=True)

    assert str(refused.value) == f"{tmp_path} holds a run that differs: {said}; name another --out"


def test_a_run_goes_on_with_more_trials_and_other_tasks_and_remembers_all(tmp_path: Path) -> None:
    RunLog.begin(tmp_path, HELD, resume=False)
    later = HELD | {"k": 3, "parallel": 1, "started_at": "later", "tasks": {"y": "1"}, "tools_sha256": {"lark": "1"}}

    log = RunLog.begin(tmp_path, later, resume=True)

    assert log.manifest == HELD | {"k": 3, "tasks": {"x": "1", "y": "1"}, "tools_sha256": {"lark": "1"}}

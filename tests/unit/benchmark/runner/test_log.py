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


@pytest.mark.parametrize("resume", [False, True])
def test_trials_whose_manifest_is_missing_are_not_taken_for_those_of_a_new_run(tmp_path: Path, resume: bool) -> None:
    RunLog.begin(tmp_path, MANIFEST, resume=False).append({"task": "x", "trial": 0, "acc": 0.0})
    (tmp_path / "run.json").unlink()

    with pytest.raises(ConflictError) as refused:
        RunLog.begin(tmp_path, MANIFEST | {"agent": "b"}, resume=resume)

    assert str(refused.value) == (
        f"{tmp_path} holds trials without their run.json; put it back, or remove {tmp_path / 'trials.jsonl'}, or name "
        "another --out"
    )
    assert not (tmp_path / "run.json").exists()


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


def test_a_folder_above_runs_names_them_and_one_whose_manifest_is_spoilt_has_no_run(tmp_path: Path) -> None:
    for name in ("b", "a"):
        RunLog.begin(tmp_path / "runs" / name, MANIFEST, resume=False)
    (tmp_path / "spoilt").mkdir()
    (tmp_path / "spoilt" / "run.json").write_text("{")

    with pytest.raises(FarmError) as above:
        RunLog(tmp_path / "runs")
    with pytest.raises(FarmError) as spoilt:
        RunLog(tmp_path / "spoilt")

    below = [tmp_path / "runs" / name for name in ("a", "b")]
    assert str(above.value) == (
        f"no run in {tmp_path}/runs: it has no readable run.json; there are runs in {below[0]}, {below[1]}"
    )
    assert str(spoilt.value) == f"no run in {tmp_path}/spoilt: it has no readable run.json"


def test_a_run_may_begin_in_a_folder_that_is_new_or_has_no_run_and_never_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "notes").mkdir()
    for free in (tmp_path / "new", tmp_path / "notes"):
        RunLog.require_free(free, resume=False)
    RunLog.begin(tmp_path / "held", MANIFEST, resume=False)

    RunLog.require_free(tmp_path / "held", resume=True)
    with pytest.raises(ConflictError) as refused:
        RunLog.require_free(tmp_path / "held", resume=False)
    assert str(refused.value) == (
        f"{tmp_path}/held holds a run already; add --resume to go on with it, or name another --out"
    )
    for resume in (False, True):
        with pytest.raises(ConflictError) as refused:
            RunLog.require_free(tmp_path / "file", resume=resume)
        assert str(refused.value) == f"{tmp_path}/file is a file; --out names a folder"


def test_a_manifest_is_one_file_for_readers_that_is_there_from_the_beginning(tmp_path: Path) -> None:
    log = RunLog.begin(tmp_path / "a" / "b", MANIFEST, resume=True)  # there is nothing to resume yet

    assert (log.folder, log.manifest, log.trials()) == (tmp_path / "a" / "b", MANIFEST, [])
    assert [path.name for path in log.folder.iterdir()] == ["run.json"]
    text = (log.folder / "run.json").read_text()
    assert (orjson.loads(text), text[:14], text[-2:]) == (MANIFEST, '{\n  "suite": "', "}\n")


@pytest.mark.parametrize(
    ("torn", "kept"),
    [
        (b"", b""),
        (b'{"task": "x"', b""),
        (b'{"task":"x","trial":0}\n', b'{"task":"x","trial":0}\n'),
        (b'{"task":"x","trial":0}\n{"task":"y","trial":0}\n{', b'{"task":"x","trial":0}\n{"task":"y","trial":0}\n'),
    ],
)
def test_only_a_line_without_its_end_is_cut(tmp_path: Path, torn: bytes, kept: bytes) -> None:
    RunLog.begin(tmp_path, MANIFEST, resume=False)
    (tmp_path / "trials.jsonl").write_bytes(torn)

    log = RunLog(tmp_path)

    assert (tmp_path / "trials.jsonl").read_bytes() == kept
    assert [trial["task"] for trial in log.trials()] == ["x", "y"][: kept.count(b"\n")]


def test_trials_come_by_task_and_number_in_whatever_order_they_were_held(tmp_path: Path) -> None:
    log = RunLog.begin(tmp_path, MANIFEST, resume=False)
    for task, number in (("y", 0), ("x", 10), ("x", 2), ("x", 0)):
        log.append({"task": task, "trial": number})

    assert [(each["task"], each["trial"]) for each in log.trials()] == [("x", 0), ("x", 2), ("x", 10), ("y", 0)]

"""Runs in parts: what merging them gives, what it refuses, and what it misses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.agents.base import Assignment, InfrastructureError, Result
from farm.benchmark.agents.factory import make_agent
from farm.benchmark.agents.scripted import Oracle
from farm.benchmark.runner.log import RunLog
from farm.benchmark.runner.merge import merge, missing
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.run import report, run_suite
from farm.benchmark.tasks import Suite
from farm.benchmark.tasks.shard import shard_of
from farm.errors import ConflictError, FarmError
from tests.suites import parsed_suite
from tests.unit._farm_here import Acting, FarmHere

DEMO = parsed_suite("demo")
NAMES = (
    "slack-boards-rate",
    "slack-unlock-scheduler",
    "cross-rain-sunday",
    "lark-double-booked",
    "rednote-new-water",
)
# What a clock says.
TIMES = ("time_s", "time_efficiency")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture
def here(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FarmHere]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    farm = FarmHere(data)
    farm.stand_in(monkeypatch)
    yield farm
    farm.end()


@pytest.fixture(scope="module")
def suite() -> Suite:
    """Five tasks over several apps."""
    return Suite("demo", DEMO.title, tuple(map(DEMO.task, NAMES)))


def held(here: Any, suite: Suite, out: Path, shard: str | None = None, agent: Any = None, **options: Any) -> RunLog:
    """Run a suite or one shard of it, and return the log."""
    if shard is not None:
        number, count = map(int, shard.split("/"))
        suite = replace(suite, tasks=shard_of(suite.tasks, (number, count)))
    given = {"parallel": 1, "shard": shard, **options}
    resume = given.pop("resume", False)
    run_suite(suite, agent or make_agent("oracle"), here, Options(**given), out=out, resume=resume)
    return RunLog(out)


def half_hearted() -> Acting:
    """Return an agent that does some tasks only."""
    return Acting(lambda job: Oracle().play(job) if len(job.task.id) % 2 else Result("I do not know."))


def figures(log: RunLog) -> dict[str, Any]:
    """Return what a report says, without what a clock says."""
    return {name: each for name, each in report(log).items() if name not in TIMES}


def lines(log: RunLog) -> list[dict[str, Any]]:
    """Return the log's lines without ids and what a clock says."""
    return [{name: each for name, each in trial.items() if name not in ("id", "time_s")} for trial in log.trials()]


def without_clocks(value: Any) -> Any:
    """Return the lines without the clocks of single calls."""
    match value:
        case dict():
            return {
                name: without_clocks(each) for name, each in value.items() if name not in ("started_at", "ended_at")
            }
        case list():
            return [without_clocks(each) for each in value]
    return value


@pytest.mark.parametrize("count", [1, 2, 3])
def test_merged_shards_are_the_whole_run(here: FarmHere, suite: Suite, tmp_path: Path, count: int) -> None:
    whole = held(here, suite, tmp_path / "whole", agent=half_hearted(), k=2)
    parts = [
        held(here, suite, tmp_path / f"part-{number}", f"{number}/{count}", half_hearted(), k=2)
        for number in range(1, count + 1)
    ]

    merged = merge(parts, tmp_path / "merged")

    assert figures(merged) == figures(whole)
    assert without_clocks(lines(merged)) == without_clocks(lines(whole))
    assert missing(merged) == []
    kept = ("suite", "agent", "seed", "k", "menu", "shard", "tools_sha256", "versions")
    assert {name: merged.manifest[name] for name in kept} == {name: whole.manifest[name] for name in kept}
    assert set(merged.manifest["tasks"].items()) == set(whole.manifest["tasks"].items())


def test_the_order_in_which_parts_are_named_does_not_matter(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    parts = [held(here, suite, tmp_path / f"part-{number}", f"{number}/3") for number in (1, 2, 3)]

    merged = merge(parts, tmp_path / "merged")
    turned = merge(parts[::-1], tmp_path / "turned")

    assert lines(merged) == lines(turned)
    assert figures(merged) == figures(turned)


def test_a_shard_that_was_killed_and_goes_on_has_each_trial_once(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    held_at: list[tuple[str, int]] = []

    def dies_at_the_third(job: Assignment) -> Result:
        held_at.append((job.task.id, len(held_at)))
        if len(held_at) == 3:
            raise KeyboardInterrupt
        return Oracle().play(job)

    with pytest.raises(KeyboardInterrupt):
        held(here, suite, tmp_path / "part-1", "1/2", Acting(dies_at_the_third), k=2)
    with (tmp_path / "part-1" / "trials.jsonl").open("ab") as file:
        file.write(b'{"task": "slack-boards-rate", "tr')  # the line that was being written

    going_on = Acting(Oracle().play)
    first = held(here, suite, tmp_path / "part-1", "1/2", going_on, k=2, resume=True)
    second = held(here, suite, tmp_path / "part-2", "2/2", Acting(Oracle().play), k=2)
    merged = merge([first, second], tmp_path / "merged")

    written = [(trial["task"], trial["trial"]) for trial in merged.trials()]
    assert written == sorted((task.id, number) for task in suite.tasks for number in range(2))
    assert len((tmp_path / "part-1" / "trials.jsonl").read_bytes().splitlines()) == 3 * 2
    assert len(going_on.jobs) == 3 * 2 - 2
    assert report(merged)["acc"] == 1.0


@pytest.mark.parametrize(
    ("other", "differing"),
    [
        ({"agent": make_agent("null")}, r'agent was "oracle", is "null"'),
        ({"menu": "all"}, r'menu was "selected", is "all"'),
        ({"seed": 7}, "seed was 0, is 7"),
    ],
)
def test_parts_of_different_runs_are_not_merged(
    here: FarmHere, suite: Suite, tmp_path: Path, other: dict[str, Any], differing: str
) -> None:
    first = held(here, suite, tmp_path / "part-1", "1/2")
    second = held(here, suite, tmp_path / "part-2", "2/2", **other)

    with pytest.raises(ConflictError, match=differing) as refused:
        merge([first, second], tmp_path / "merged")

    assert f"{second.folder} is another run than {first.folder}: " in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "merged").exists()


def test_parts_with_other_tools_or_another_text_of_a_task_are_not_merged(
    here: FarmHere, suite: Suite, tmp_path: Path
) -> None:
    first = held(here, suite, tmp_path / "part-1", "1/1")
    tools = RunLog.write(
        tmp_path / "tools",
        first.manifest | {"tools_sha256": dict.fromkeys(first.manifest["tools_sha256"], "0" * 16)},
        first.trials(),
    )
    task = RunLog.write(
        tmp_path / "task", first.manifest | {"tasks": dict.fromkeys(first.manifest["tasks"], "0" * 16)}, first.trials()
    )

    with pytest.raises(ConflictError, match=r"tools_sha256\.\w+ was "):
        merge([first, tools], tmp_path / "merged")
    with pytest.raises(ConflictError, match=r"tasks\.[\w-]+ was "):
        merge([first, task], tmp_path / "merged")


def test_the_run_that_differs_is_named_beside_the_first_one(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    parts = [held(here, suite, tmp_path / f"part-{number}", f"{number}/3") for number in (1, 2)]
    third = held(here, suite, tmp_path / "part-3", "3/3", seed=1)

    with pytest.raises(ConflictError, match=f"{third.folder} is another run than {parts[0].folder}: seed was 0, is 1"):
        merge([*parts, third], tmp_path / "merged")


def test_a_run_is_not_merged_into_a_folder_with_a_run(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    part = held(here, suite, tmp_path / "part", "1/2")
    before = (part.folder / "trials.jsonl").read_bytes()

    with pytest.raises(ConflictError, match="part holds a run already"):
        merge([part], part.folder)
    with pytest.raises(FarmError, match="name the folders of the runs to merge"):
        merge([], tmp_path / "merged")

    assert (part.folder / "trials.jsonl").read_bytes() == before


def test_missing_shards_and_trials_are_told(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    first = held(here, suite, tmp_path / "part-1", "1/4", k=2)
    third = held(here, suite, tmp_path / "part-3", "3/4", k=2)
    third.append(first.trials()[0])  # a line of a task that is not its own
    torn = RunLog.write(tmp_path / "torn", first.manifest, first.trials()[:-1])

    assert missing(merge([first, third], tmp_path / "two")) == ["no run of shard 2/4, 4/4 was given"]
    last = first.trials()[-1]
    assert missing(merge([torn, third], tmp_path / "three")) == [
        "no run of shard 2/4, 4/4 was given",
        f"1 trial of its tasks was not held, such as {last['task']} #{last['trial']}",
    ]


def test_a_merged_run_knows_its_shards_until_the_rest_is_held(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    first, second, third = (held(here, suite, tmp_path / f"part-{number}", f"{number}/3") for number in (1, 2, 3))
    two = merge([third, first], tmp_path / "two")

    assert RunLog(two.folder).manifest["shards"] == ["1/3", "3/3"]
    assert missing(RunLog(two.folder)) == ["no run of shard 2/3 was given"]
    assert missing(first) == []  # the part that it was to be
    assert missing(merge([two, second], tmp_path / "three")) == []
    whole = held(here, suite, two.folder, resume=True)
    assert "shards" not in whole.manifest
    assert missing(whole) == []
    assert len(whole.trials()) == len(suite.tasks)


def test_a_graded_trial_counts_before_one_that_was_not(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    def is_away(job: Assignment) -> Result:
        raise InfrastructureError("no farm answers")

    good = held(here, suite, tmp_path / "good", "1/5")
    bad = held(here, suite, tmp_path / "bad", "1/5", Acting(is_away))
    bad = RunLog.write(tmp_path / "same", good.manifest, bad.trials())

    for number, parts in enumerate(([good, bad], [bad, good])):
        merged = merge(parts, tmp_path / f"merged-{number}")
        assert [trial["outcome"] for trial in merged.trials()] == ["pass"], parts


def test_a_run_is_merged_and_reported_though_its_tasks_are_gone(here: FarmHere, suite: Suite, tmp_path: Path) -> None:
    first = held(here, suite, tmp_path / "part-1", "1/5")
    (was,) = first.manifest["tasks"].items()
    gone = RunLog.write(
        tmp_path / "gone",
        first.manifest | {"tasks": {"is-gone": was[1]}},
        [trial | {"task": "is-gone"} for trial in first.trials()],
    )

    merged = merge([first, gone], tmp_path / "merged")

    assert report(merged)["trials"] == 2
    assert missing(merged) == ["no run of shard 2/5, 3/5, 4/5, 5/5 was given"]

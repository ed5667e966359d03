"""Trials in other processes: how they are named and cut into chunks, and workers that differ."""

from __future__ import annotations

import pytest

from farm.benchmark.agents.factory import make_agent
from farm.benchmark.runner.options import Options
from farm.benchmark.runner.trial_worker import TrialWorker, chunks
from farm.errors import ConflictError, FarmError
from tests.suites import parsed_suite

TASKS = tuple(map(parsed_suite("demo").task, ("slack-boards-rate", "slack-unlock-scheduler")))


def test_only_agents_without_a_model_hold_several_trials_at_once() -> None:
    work = [(task, number) for task in TASKS for number in range(5)]

    assert [len(chunk) for chunk in chunks(work, make_agent("oracle"), 1)] == [2] * 5
    assert [len(chunk) for chunk in chunks(work * 20, make_agent("oracle"), 1)] == [24] * 8 + [8]
    assert [len(chunk) for chunk in chunks(work, make_agent("oracle"), 8)] == [1] * 10
    assert [len(chunk) for chunk in chunks(work, make_agent("python:json:loads"), 1)] == [1] * 10
    assert [trial for chunk in chunks(work, make_agent("null"), 1) for trial in chunk] == [
        (f"demo/{task.id}", number) for task, number in work
    ]
    assert chunks([], make_agent("oracle"), 1) == []


def test_a_worker_holds_its_trials_in_order_and_removes_its_worlds() -> None:
    worker = TrialWorker(make_agent("oracle"), Options())

    lines = worker.trials([("demo/slack-boards-rate", 1), ("demo/slack-boards-rate", 0)])
    worker.close()

    assert [(line["trial"], line["acc"]) for line in lines] == [(1, 1.0), (0, 1.0)]


def test_a_worker_with_another_farm_holds_no_trial() -> None:
    worker = TrialWorker(make_agent("oracle"), Options())
    names = [f"demo/{task.id}" for task in TASKS]
    own = worker.conditions(names)

    assert worker.require(own, names) == []
    for what in ("mcp-farm", "the task slack-boards-rate", "the tools of slack"):
        with pytest.raises(
            ConflictError, match=f"a worker differs: {what} is .*, other here; install the same farm on both"
        ):
            worker.require(own | {what: "other"}, names)
    with pytest.raises(FarmError, match="no task 'is-gone' in suite 'demo'"):
        worker.require(own, ["demo/is-gone"])

"""Turns until all is quiet: an agent is woken by what the person is notified of, over and over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from farm.benchmark.agents.base import Assignment, Result, Usage
from farm.benchmark.agents.scripted import Null, Oracle
from farm.benchmark.agents.waking import TURNS_MAX, play_turns
from farm.benchmark.runner.play import Play
from farm.benchmark.tasks.load import load_suite

TASK = load_suite("living").task("woken-scratches")


class Woken:
    """Posts the ticket when a notice names it, and stops at once before and after."""

    name = "woken"
    is_sealed, connects = True, False

    def __init__(self) -> None:
        self.told: list[str] = []

    def about(self) -> Mapping[str, Any]:
        return {}

    def play(self, job: Assignment) -> Result:
        self.told.append(job.instruction)
        if "T-20493" in job.instruction and "done" not in job.instruction:
            users = job.session.call("slack", "slack_get_users", {"limit": 200})
            assert not users.get("isError")
            post = {"channel_id": "D0ZPIC7PGTZ", "text": "灯罩有划痕的那张是 T-20493。"}
            job.session.call("slack", "slack_post_message", post)
            return Result("done", turns=((("slack", "slack_post_message", post),),), usage=Usage(1, 2, 0))
        return Result("done" if "done" in job.instruction else "later", turns=(), usage=Usage(1, 2, 0))


def test_an_agent_that_is_woken_does_what_it_could_not_do_at_once() -> None:
    agent = Woken()
    with Play(TASK) as play:
        result = play_turns(agent, play.assignment())
        line = play.finish_result(result)

    assert (line["outcome"], line["acc"]) == ("pass", 1.0)
    assert len(agent.told) == TURNS_MAX
    assert "It is 2026-03-10T09:00" in agent.told[1]
    assert "said:\nlater" in agent.told[1]
    assert result.usage == Usage(TURNS_MAX, 2 * TURNS_MAX, 0)
    assert result.turns is not None
    assert len(result.turns) == 1


def test_a_task_of_one_turn_wakes_nobody() -> None:
    agent = Woken()
    with Play(replace(TASK, turns="once")) as play:
        assert play_turns(agent, play.assignment()).answer == "later"
        line = play.finish("later")

    assert line["outcome"] == "fail"
    assert len(agent.told) == 1


@pytest.mark.parametrize(("agent", "acc"), [(Oracle(), 1.0), (Null(), 0.0)])
def test_a_script_wakes_itself(agent: Any, acc: float) -> None:
    with Play(TASK) as play:
        assert play.finish_result(play_turns(agent, play.assignment()))["acc"] == acc

"""Prompts: the moment, the facts beside an instruction, and the versions that can be chosen."""

from __future__ import annotations

import pytest

from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.tasks import load_suite
from farm.errors import FarmError

DEMO = load_suite("demo")

TASK = DEMO.task("slack-boards-rate")


def test_a_prompt_says_when_it_is_where_and_who_the_user_is() -> None:
    text = prompts.system_prompt(prompts.DEFAULT, TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=90))

    assert "Monday, 9 March 2026, 09:00 in Shanghai (time zone Asia/Shanghai, UTC+08:00)" in text
    assert "Wan Lin (林晚), Senior Product Manager, Ember at Harborlight, lin.wan@harborlight.example" in text
    assert "at most 12 tool calls, refused ones included, and have 90 seconds by a real clock" in text
    assert "$" not in text


def test_a_prompt_tells_the_time_in_minutes_where_they_are_whole() -> None:
    assert "have 10 minutes by" in prompts.system_prompt(
        prompts.DEFAULT, TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=600)
    )


def test_every_version_of_the_prompt_can_still_be_chosen_and_is_told_apart_by_its_hash() -> None:
    filled = [
        prompts.system_prompt(name, TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12)) for name in prompts.names()
    ]

    assert prompts.names() == ["person-1", "person-2"]
    assert ["12 tool calls" in text for text in filled] == [False, True]
    assert len({prompts.fingerprint(name) for name in prompts.names()}) == 2


def test_facts_go_with_the_instruction_and_needless_ones_only_when_asked_for() -> None:
    task = DEMO.task("slack-unlock-scheduler")

    assert task.unnecessary[0] not in prompts.instruction(task)
    assert prompts.instruction(task, with_unnecessary=True).endswith(f"- {task.unnecessary[0]}")


def test_an_unknown_prompt_is_refused_with_those_that_exist() -> None:
    with pytest.raises(FarmError, match="no prompt 'x'; have person-1, person-2"):
        prompts.text_of("x")

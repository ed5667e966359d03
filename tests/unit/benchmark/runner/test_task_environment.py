"""Plays by reset and step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from farm.errors import FarmError
from farm.play import Play, Step, TaskEnvironment, play_oracle


@pytest.fixture
def environment() -> Iterator[TaskEnvironment]:
    environment = TaskEnvironment(task="slack-boards-rate")
    yield environment
    environment.close()


def test_the_answer_ends_a_task_with_its_score(environment: TaskEnvironment) -> None:
    answer = play_oracle(environment.reset(seed=3)).answer

    last = environment.step("submit", {"answer": answer})

    assert (last.text, last.reward, last.is_last) == ("", 1.0, True)
    assert last.verdict == {key: last.trial[key] for key in ("outcome", "acc", "checkpoints", "damage")}
    assert last.trial["seed"] == 3
    with pytest.raises(FarmError, match="this play is over"):
        environment.step("slack__slack_list_channels", {})


def test_a_call_is_a_step_without_a_reward(environment: TaskEnvironment) -> None:
    environment.reset()

    step = environment.step("slack__slack_list_channels", {"limit": 1})

    assert '"channels"' in step.text
    assert step == Step(step.text, 0.0, {})
    assert (step.verdict, step.is_last) == ({}, False)


@pytest.mark.parametrize("arguments", [{}, None, "{}"])
def test_an_answer_without_its_text_is_refused_and_the_task_goes_on(
    environment: TaskEnvironment, arguments: Any
) -> None:
    environment.reset()

    step = environment.step("submit", arguments)

    assert step == Step("Error: the arguments of submit are an object with 'answer'")
    assert environment.step("submit", {"answer": ""}).is_last


def test_the_tools_are_those_of_the_task_and_submit(environment: TaskEnvironment) -> None:
    (submit,) = environment.tools("anthropic")
    play = environment.reset()

    assert submit["input_schema"]["required"] == ["answer"]
    assert environment.tools("anthropic") == [*play.tools("anthropic"), submit]
    assert environment.tools()[-1]["function"]["name"] == "submit"


def test_a_seed_chooses_the_task_and_a_name_overrides_it() -> None:
    environment = TaskEnvironment("halfday")
    other = next(name for name in environment.tasks if name != _named(environment.reset(5)))

    try:
        assert _named(environment.reset(5)) == _named(environment.reset(5))
        assert len({_named(environment.reset(seed)) for seed in range(5)} & set(environment.tasks)) > 1
        assert _named(environment.reset(5, other)) == other
    finally:
        environment.close()


def test_a_reset_removes_the_play_before() -> None:
    environment = TaskEnvironment(task="slack-boards-rate")
    first = environment.reset()
    environment.reset()
    environment.close()

    for play in (first, environment.play):
        with pytest.raises(FarmError, match="this play is over"):
            play.call("slack__slack_list_channels")


def test_a_step_before_a_reset_says_so() -> None:
    with pytest.raises(FarmError, match="no task is running; reset first"):
        TaskEnvironment(task="slack-boards-rate").step("submit", {"answer": ""})


def _named(play: Play) -> str:
    return f"{play.task.suite}/{play.task.id}"

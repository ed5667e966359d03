"""Prompts: the moment, the facts beside an instruction, and the versions that can be chosen."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from farm.benchmark.agents.base import TrialLimits
from farm.benchmark.runner import prompts
from farm.benchmark.runner.task_cards import card_of
from farm.errors import FarmError
from tests.suites import parsed_suite

DEMO = parsed_suite("demo")

TASK = DEMO.task("slack-boards-rate")


def test_a_prompt_says_when_it_is_where_and_who_the_user_is() -> None:
    text = prompts.system_prompt(prompts.DEFAULT, TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=90))

    assert "Monday, 9 March 2026, 09:00 in Shanghai (time zone Asia/Shanghai, UTC+08:00)" in text
    assert "Wan Lin (林晚), Senior Product Manager, Ember at Harborlight, lin.wan@harborlight.example" in text
    assert "at most 12 tool calls, refused ones included, and have 90 seconds by a real clock" in text
    assert "$" not in text


def test_the_prompt_of_another_person_has_their_name_zone_and_language() -> None:
    task = replace(TASK, me="arjun.mehta")

    text = prompts.system_prompt(prompts.DEFAULT, task, "2026-03-09T09:00:00+08:00", TrialLimits(12))

    assert "personal assistant of Arjun Mehta" in text
    assert "Monday, 9 March 2026, 06:30 in Bengaluru (time zone Asia/Kolkata, UTC+05:30)" in text
    assert text.endswith("\n- Arjun's own language is English.\n")
    own = prompts.system_prompt(prompts.DEFAULT, TASK, "2026-03-09T09:00:00+08:00", TrialLimits(12))
    assert own == prompts.system_prompt(
        prompts.DEFAULT, replace(TASK, me="lin.wan"), "2026-03-09T09:00:00+08:00", TrialLimits(12)
    )
    assert "own language" not in own


def test_a_prompt_tells_the_time_in_minutes_where_they_are_whole() -> None:
    assert "have 10 minutes by" in prompts.system_prompt(
        prompts.DEFAULT, TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=600)
    )


def test_every_version_of_the_prompt_can_still_be_chosen_and_is_told_apart_by_its_hash() -> None:
    filled = [
        prompts.system_prompt(name, TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12)) for name in prompts.names()
    ]

    assert prompts.names() == ["counted", "person-1", "person-2", "plain"]
    assert ["12 tool calls" in text for text in filled] == [False, False, True, True]
    assert len({prompts.fingerprint(name) for name in prompts.names()}) == 4


def test_the_counted_prompt_says_how_many_calls_the_oracle_makes() -> None:
    text = prompts.system_prompt("counted", TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12))

    assert f"exactly {sum(map(len, TASK.oracle))} tool calls" in text


def test_the_plain_prompt_says_who_and_when_and_the_limits_and_does_not_coach() -> None:
    text = prompts.system_prompt("plain", TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=600))

    assert "Wan Lin (林晚)" in text
    assert "Monday, 9 March 2026, 09:00 in Shanghai" in text
    assert "at most 12 tool calls, and have 10 minutes" in text
    assert not {"look", "disagree", "exactly", "final"} & set(text.lower().split())


def test_facts_go_with_the_instruction_and_needless_ones_only_when_asked_for() -> None:
    task = DEMO.task("slack-unlock-scheduler")

    assert task.unnecessary[0] not in prompts.instruction(task)
    assert prompts.instruction(task, with_unnecessary=True).endswith(f"- {task.unnecessary[0]}")


def test_an_unknown_prompt_is_refused_with_those_that_exist() -> None:
    with pytest.raises(FarmError, match="no prompt 'x'; have counted, person-1, person-2, plain"):
        prompts.text_of("x")


def test_a_prompt_is_its_template_filled_with_person_place_time_and_limits() -> None:
    text = prompts.system_prompt("person-2", TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=600))

    opening, moment, *rules = [line for line in text.splitlines() if line]
    assert opening == (
        "You are the personal assistant of Wan Lin (林晚), Senior Product Manager, Ember at Harborlight, "
        "lin.wan@harborlight.example. You act in their name, with their accounts, through the tools you are given: "
        "what you post, invite or change, they have posted, invited or changed."
    )
    assert moment == (
        "It is Monday, 9 March 2026, 09:00 in Shanghai (time zone Asia/Shanghai, UTC+08:00). "
        '"Today" and "now" mean this moment; take no date from anywhere else.'
    )
    assert rules[1].endswith("There is nobody to ask back; decide as Wan would.")
    assert rules[2].startswith(
        "- You may make at most 12 tool calls, refused ones included, and have 10 minutes by a real clock."
    )
    assert "whoever asks for more than 12 calls has not done the task" in rules[2]


def test_a_prompt_is_about_the_person_whom_the_task_names() -> None:
    text = prompts.system_prompt(
        "person-1", replace(TASK, me="aisha.rahman"), "2026-03-09T18:30:00+00:00", TrialLimits(1)
    )

    assert text.startswith("You are the personal assistant of Aisha Rahman (")
    assert "decide as Aisha would" in text
    assert "It is Tuesday, 10 March 2026, 02:30 in Singapore (time zone Asia/Singapore, UTC+08:00)" in text


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (600.0, "10 minutes"),
        (60, "1 minutes"),
        (59, "59 seconds"),
        (61, "61 seconds"),
        (90, "90 seconds"),
        (1.5, "1.5 seconds"),
    ],
)
def test_a_span_is_in_minutes_where_they_are_whole_and_else_in_seconds(seconds: float, said: str) -> None:
    text = prompts.system_prompt("person-2", TASK, "2026-03-09T01:00:00+00:00", TrialLimits(12, time_s_max=seconds))

    assert f"and have {said} by a real clock" in text


def test_an_instruction_has_its_facts_as_a_list_and_its_dates_as_people_say_them() -> None:
    task = replace(TASK, instruction="Move it to {{date:+17 en}}.", necessary=("A.", "B."), unnecessary=("C.",))

    assert prompts.instruction(task) == "Move it to 26 March.\n\n- A.\n- B."
    assert prompts.instruction(task, with_unnecessary=True) == "Move it to 26 March.\n\n- A.\n- B.\n- C."
    assert prompts.instruction(replace(task, necessary=(), unnecessary=())) == "Move it to 26 March."


def test_the_names_that_an_instruction_leaves_out_are_told_in_one_arm_only() -> None:
    task = replace(TASK, instruction="Move it.", necessary=("A.",), named=("It is the stand-up.",))

    assert prompts.instruction(task) == "Move it.\n\n- A."
    assert prompts.instruction(task, with_named=True) == "Move it.\n\n- A.\n- It is the stand-up."


def test_the_prompt_of_a_task_comes_with_the_options_of_its_episode() -> None:
    start = "2026-03-09T09:00:00+08:00"

    found = asdict(card_of("demo/slack-boards-rate"))

    assert found == {
        "task": "demo/slack-boards-rate",
        "title": "Report the measured share of flickering boards, not the first guess",
        "category": "slack/search",
        "answers": "prose",
        "instruction": prompts.instruction(TASK),
        "system": prompts.system_prompt("person-2", TASK, start, TrialLimits(12)),
        "world": "harbor",
        "apps": ("slack",),
        "me": None,
        "now": start,
        "calls_max": 12,
    }


@pytest.mark.parametrize("name", ["demo", "demo/", "/x", "demo/nothing", "nothing/x"])
def test_the_prompt_of_no_task_is_refused(name: str) -> None:
    with pytest.raises(FarmError):
        card_of(name)

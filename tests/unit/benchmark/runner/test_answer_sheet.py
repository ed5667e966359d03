"""The request for an answer sheet: what agents are told of its fields, and what they are not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from farm import content
from farm.benchmark.runner import prompts
from farm.benchmark.runner.answer_sheet import request_for
from farm.benchmark.tasks import Task, TaskError, load_suite
from farm.benchmark.tasks.load import load_task

DEMO = load_suite("demo")
TASK = DEMO.task("slack-boards-rate")
FILE = content.suite_dir("demo") / "slack-boards-rate.toml"


def with_sheet(tmp_path: Path, sheet: str) -> Task:
    text = FILE.read_text("utf-8")
    begin, _, rest = text.partition("[checkpoints.sheet]\n")
    (tmp_path / FILE.name).write_text(
        f"{begin}[checkpoints.sheet]\n{sheet}\n\n{rest[rest.index('[[oracle]]') :]}", "utf-8"
    )
    return load_task(tmp_path / FILE.name, "mine")


def problem_of(tmp_path: Path, sheet: str) -> str:
    with pytest.raises(TaskError) as refused:
        with_sheet(tmp_path, sheet)
    (problem,) = refused.value.problems
    return problem


def test_the_request_follows_the_instruction_where_a_task_has_a_sheet_and_one_is_asked_for() -> None:
    asked, prose = prompts.instruction(TASK, answers="sheet"), prompts.instruction(TASK)

    assert asked == f"{prose}\n\n{request_for(TASK)}"
    other = DEMO.task("slack-unlock-scheduler")
    assert prompts.instruction(other, answers="sheet") == prompts.instruction(other)


def test_an_agent_is_told_names_types_units_and_options_and_no_value(tmp_path: Path) -> None:
    task = with_sheet(
        tmp_path,
        'share = { number = 6.3, unit = ["%", "percent"] }\n'
        'day = { date = "+4" }\n'
        'hours = { clock = ["10:30", "16:30"], all = true }\n'
        'who = { person = "jason.ng" }\n'
        'settled = { choice = "no", options = ["yes", "no"] }\n'
        'words = { text = { contains = "nobody knows" } }',
    )

    request = request_for(task)

    example = json.loads(request.partition("```json\n")[2].partition("```")[0])
    assert example == {
        "share": 0,
        "day": "YYYY-MM-DD",
        "hours": ["HH:MM", "HH:MM"],
        "who": "…",
        "settled": "…",
        "words": "…",
    }
    assert "- `share`: a number, in %\n" in request
    assert '- `settled`: one of "yes", "no"\n' in request
    for value in ("6.3", "13", "10:30", "16:30", "Jason", "nobody knows"):
        assert value not in request


@pytest.mark.parametrize(
    ("sheet", "word"),
    [
        ('friday_meeting = { date = "+4" }', "friday"),
        ('day_13 = { date = "+4" }', "13"),
        ('march_day = { date = "+4" }', "march"),
        ('at_11 = { clock = "11:00" }', "11"),
        ('noon_call = { clock = "12:00" }', "noon"),
        ("four_seats = { number = 4 }", "four"),
        ("of_600 = { number = 600 }", "600"),
        ('jason_carries = { person = "jason.ng" }', "jason"),
        ('cove_room = { choice = ["小湾", "Cove"] }', "cove"),
        ('rf_number = { id = "RF-3308" }', "rf"),
        ('bank_needed = { text = { claims = [{ choice = ["bank", "branch"] }] } }', "bank"),
        ('late_money = { text = { contains = "too late" } }', "late"),
    ],
)
def test_a_name_that_gives_its_value_away_is_refused(tmp_path: Path, sheet: str, word: str) -> None:
    problem = problem_of(tmp_path, sheet)

    assert problem.endswith(f"the name gives the value away: agents are told it, and it holds '{word}'")


@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        ("x = 3", r"x: must be a table such as \{ number = 3 \}, not 3"),
        ("x = {}", "x: must name exactly one of number, date, clock, id, person, choice, text"),
        ('x = { number = 3, date = "+1" }', "must name exactly one of"),
        ("answer = { number = 3 }", "answer: 'answer' is a key of programs' own output"),
        ("X = { number = 3 }", "X: a field's name is lower-case words"),
        ('x = { number = "3" }', "x.number: must be a number, not '3'"),
        ('x = { date = "2026-03-26" }', "must be an offset of days such as '.17', not '2026-03-26'"),
        ('x = { clock = "8:30" }', "must be a time of day such as '15:00', not '8:30'"),
        ('x = { person = "jason" }', "no person 'jason' in world 'harbor'; did you mean 'jason.ng'?"),
        ('x = { person = "me" }', "name the person by the key"),
        ('x = { id = "" }', "x.id: must be texts"),
        ("x = { choice = [] }", "an empty list asks for nothing"),
        ('x = { choice = "a", options = ["b", "c"] }', "does not hold the right choice"),
        ('x = { clock = "10:00", unit = "h" }', "x.unit: is for number, not clock"),
        ("x = { text = { claimz = [] } }", "no such operator"),
        ("x = { number = 3, units = 'km' }", "x.units: unknown key"),
    ],
)
def test_a_mistake_in_a_field_is_one_line(tmp_path: Path, sheet: str, said: str) -> None:
    assert re.search(said.replace("?", r"\?"), problem_of(tmp_path, sheet))


def test_two_checkpoints_share_no_field(tmp_path: Path) -> None:
    text = (content.suite_dir("demo") / "cross-pager-rollout.toml").read_text("utf-8")
    file: Any = tmp_path / "cross-pager-rollout.toml"
    file.write_text(text.replace("on_call =", "rollout_day ="), "utf-8")

    with pytest.raises(TaskError, match="two have the field 'rollout_day' in their sheets"):
        load_task(file, "mine")

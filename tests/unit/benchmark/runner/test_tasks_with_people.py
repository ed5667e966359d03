"""Tasks in which people answer: their rules are checked with the task, and what they do is nobody's damage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.runner.play import Play, play_oracle
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.scoring.task_start import start_of_task
from farm.benchmark.tasks import Task, TaskError, load_task

TASK = """
id = "ask-ben"
title = "Ask for the chairs"
world = "mini"
apps = ["slack"]
category = "slack/post"
instruction = "Ask Ben in #opening how many chairs there are."
oracle_answer = "Done."

[[people]]
id = "chairs"
who = "ben"
when = { app = "slack", table = "messages", where = { channel = "#opening", text = { contains = "how many" } } }
then = [{ do = "reply", after = "5m", text = "{{fact:chairs.count}}, on {{fact:chairs.arrive weekday_en}}." }]

[[checkpoints]]
id = "asked"
kind = "operate"
change = "create"
app = "slack"
table = "messages"
where = { user_id = { person = "me" } }
after = { text = { contains = "how many chairs" } }

[[oracle]]
[[oracle.calls]]
app = "slack"
tool = "slack_post_message"
arguments = { channel_id = "#opening", text = "Ben, how many chairs are there?" }
"""


def make(folder: Path, old: str = "", new: str = "") -> Task:
    path = folder / "ask-ben.toml"
    assert old in TASK
    path.write_text(TASK.replace(old, new), "utf-8")
    return load_task(path, "mine")


def test_a_person_of_a_task_answers_and_it_is_no_damage(tmp_path: Path) -> None:
    task = make(tmp_path)

    with Play(task) as play:
        answer = play_oracle(play)
        session: Any = play.session
        [came] = session.move_clock(quiet=True)
        trial = play.finish_result(answer)

    assert (came["by"], came["what"]) == ("ben", "24, on Wednesday.")
    assert ([each["score"] for each in trial["checkpoints"]], trial["damage"]) == ([1.0], [])


@pytest.mark.parametrize(
    ("text", "answers"),
    [("The launch is on 26 March, 10:00.", 1), ("The launch was on 19 March, 10:00.", 0), ("When is the launch?", 0)],
)
def test_a_claim_in_a_rule_may_name_a_fact_that_had_another_value(tmp_path: Path, text: str, answers: int) -> None:
    old = TASK.partition("[[people]]")[2].partition("[[checkpoints]]")[0]
    who, claim = 'who = "helen.zhou"', '{ claims = [{ fact = "launch.at" }] }'
    new = old.replace('who = "ben"', who).replace(
        'channel = "#opening", text = { contains = "how many" }', f"text = {claim}"
    )
    new = new.replace("{{fact:chairs.count}}, on {{fact:chairs.arrive weekday_en}}.", "Thanks.")
    path = tmp_path / "ask-ben.toml"
    made = TASK.replace(old, new).replace('world = "mini"', 'world = "harbor"')
    path.write_text(made.replace("#opening", "#general").replace("Ben, how many chairs are there?", text), "utf-8")

    with Play(load_task(path, "mine")) as play:
        play_oracle(play)
        session: Any = play.session
        [rule] = session.people()["rules"]

    assert rule["matched"] == answers


def test_the_worlds_own_people_answer_where_a_task_says_so(tmp_path: Path) -> None:
    quiet = make(tmp_path)
    lively = make(tmp_path, 'category = "slack/post"', 'category = "slack/post"\nworld_people = true')

    assert [len(each.people) for each in (quiet, lively)] == [1, 1]
    assert (quiet.world_people, lively.world_people) == (False, True)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('who = "ben"', 'who = "bob"', "people[0]: rule 'chairs': no person 'bob' in slack"),
        ('text = { contains = "how many" }', "text = { claims = 5 }", "'text': claims: must be a list of claims"),
        ('text = { contains = "how many" }', "text = { claims = [5] }", "'text': claims: must be a list of claims"),
        ('text = { contains = "how many" }', 'text = { claims = [{ date = "Friday" }] }', "claims[0].date: must be an"),
        ('do = "reply"', 'do = "shout"', "people[0]: rule 'chairs': nobody can 'shout' in slack"),
        ('table = "messages", where = { channel', 'table = "posts", where = { channel', "no table 'posts' in slack"),
        ('id = "chairs"', 'id = "chairs"\nwhom = "ben"', "people[0].whom"),
    ],
)
def test_a_wrong_rule_is_one_line_of_the_tasks_problems(tmp_path: Path, old: str, new: str, told: str) -> None:
    with pytest.raises(TaskError) as refused:
        make(tmp_path, old, new)

    assert told in str(refused.value)


def test_a_row_of_a_task_stands_in_its_start_and_is_no_damage(tmp_path: Path) -> None:
    row = """[[rows]]
app = "slack"
table = "messages"
values = { channel_id = "OPENING", ts = "{{s:-1 17:20}}.000100", user_id = "BEN", text = "Make it 30 chairs." }

[[checkpoints]]"""
    start = load_start("mini")
    (opening,) = (each["id"] for each in start.rows("slack", "channels") if each["name"] == "opening")
    row = row.replace("OPENING", opening).replace("BEN", start.account("slack", "ben"))
    task = make(tmp_path, "[[checkpoints]]", row)

    with Play(task) as play:
        history = play.session.call("slack", "slack_get_channel_history", {"channel_id": opening})
        answer = play_oracle(play)
        trial = play.finish_result(answer)

    assert "Make it 30 chairs." in str(history)
    assert any(each["text"] == "Make it 30 chairs." for each in start_of_task(task).rows("slack", "messages"))
    assert (trial["acc"], trial["damage"]) == (1.0, [])

"""Tasks with planned faults: a retry costs nothing, a second write is damage, and a call given up is a failure."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from farm.benchmark.audit.audit import Auditor, audit_suite
from farm.benchmark.runner.play import Play, play_oracle
from farm.benchmark.tasks import Suite, Task, TaskError, load_task

TASK = """
id = "tell-them"
title = "Tell the opening"
world = "mini"
apps = ["slack"]
category = "slack/post"
instruction = "Tell #opening that there are 24 chairs."
oracle_answer = "Done."
calls_max = 3

[[faults]]
app = "slack"
kind = "rate_limited"
tools = ["slack_post_message"]
retry_after = "60s"

[[checkpoints]]
id = "posted"
kind = "operate"
change = "create"
app = "slack"
table = "messages"
where = { user_id = { person = "me" } }
after = { text = { contains = "24 chairs" } }

[[checkpoints]]
id = "recovered"
kind = "other"
predicate = "recovered"

[[checkpoints]]
id = "patient"
kind = "other"
predicate = "backed_off"

[[checkpoints]]
id = "few"
kind = "other"
predicate = "calls_max"
max = 1

[[checkpoints]]
id = "clean"
kind = "other"
predicate = "no_refusals"

[[oracle]]
[[oracle.calls]]
app = "slack"
tool = "slack_post_message"
arguments = { channel_id = "#opening", text = "There are 24 chairs." }
"""
POST = {"channel_id": "#opening", "text": "There are 24 chairs."}


def make(folder: Path, old: str = "", new: str = "") -> Task:
    path = folder / "tell-them.toml"
    assert old in TASK
    path.write_text(TASK.replace(old, new), "utf-8")
    return load_task(path, "mine")


def scores(trial: dict[str, Any]) -> dict[str, float]:
    return {each["id"]: each["score"] for each in trial["checkpoints"]}


def played(task: Task, *texts: str) -> dict[str, Any]:
    """Return the trial of an agent that posts these texts, each in a turn of its own."""
    with Play(task) as play:
        turns = []
        for text in texts:
            play.call("slack__slack_post_message", {**POST, "text": text})
            turns.append([("slack", "slack_post_message", {**POST, "text": text})])
        return play.finish("Done.", turns=turns)


def test_the_oracle_makes_a_failed_call_again_and_the_retry_costs_no_score(tmp_path: Path) -> None:
    with Play(make(tmp_path)) as play:
        trial = play.finish_result(play_oracle(play))

    assert [(each["refused"], each.get("fault")) for each in trial["calls"]] == [
        (True, "rate_limited-1"),
        (False, None),
    ]
    assert scores(trial) == {"posted": 1.0, "recovered": 1.0, "patient": 0.0, "few": 1.0, "clean": 1.0}
    assert (trial["tfs"], trial["tefs"], trial["damage"]) == (True, True, [])


def test_a_task_whose_oracle_makes_a_call_again_is_audited(tmp_path: Path) -> None:
    task = make(tmp_path, "calls_max = 3", "calls_max = 9")
    task = replace(task, checkpoints=tuple(each for each in task.checkpoints if each.id in ("posted", "recovered")))

    report = audit_suite(Suite("mine", "mine", (task,)), parallel=1)

    assert (report["oracle"], report["null"]) == (1.0, 0.0)
    assert "dropped" in report["by_kind"]


def test_turns_and_calls_of_an_agent_that_retries_are_those_of_one_that_had_no_need_to(tmp_path: Path) -> None:
    trial = played(make(tmp_path), POST["text"], POST["text"])

    assert (trial["tfs"], trial["tefs"], trial["over_limit"]) == (True, True, 0)


def test_who_gives_up_has_not_recovered(tmp_path: Path) -> None:
    trial = played(make(tmp_path), POST["text"])

    assert scores(trial) == {"posted": 0.0, "recovered": 0.0, "patient": 1.0, "few": 1.0, "clean": 1.0}
    assert (trial["tfs"], trial["tefs"]) == (False, False)


def test_a_second_post_after_a_lost_answer_is_damage(tmp_path: Path) -> None:
    task = make(tmp_path, 'kind = "rate_limited"', 'kind = "lost"')

    doubled, trusted = played(task, POST["text"], POST["text"]), played(task, POST["text"])

    assert scores(doubled)["recovered"] == 0.0
    assert [(each["table"], each["change"]) for each in doubled["damage"]] == [("messages", "create")]
    assert scores(trusted)["recovered"] == scores(trusted)["posted"] == 1.0
    assert (trusted["damage"], trusted["tfs"]) == ([], True)


def test_nobody_who_waited_has_backed_off_too_soon(tmp_path: Path) -> None:
    task = make(tmp_path)
    with Play(task) as play:
        play.call("slack__slack_post_message", POST)
        session: Any = play.session
        session.set_clock(session.clock().replace(second=0, microsecond=0, minute=session.clock().minute + 2))
        play.call("slack__slack_post_message", POST)
        trial = play.finish("Done.")

    assert scores(trial) == dict.fromkeys(("posted", "recovered", "patient", "few", "clean"), 1.0)


PATIENT = """
[[oracle]]
[[oracle.calls]]
app = "slack"
tool = "slack_post_message"
arguments = { channel_id = "#opening", text = "There are 24 chairs." }
again = false

[[oracle]]
[[oracle.calls]]
app = "clock"
tool = "wait"
arguments = { minutes = 2 }
"""


def test_an_oracle_that_waits_before_it_makes_a_call_again_has_backed_off(tmp_path: Path) -> None:
    patient = TASK.replace('apps = ["slack"]', 'apps = ["slack", "clock"]').replace("max = 1", "max = 2")
    path = tmp_path / "tell-them.toml"
    path.write_text(patient.replace("[[oracle]]", f"{PATIENT}\n[[oracle]]", 1), "utf-8")
    task = load_task(path, "mine")

    with Play(task) as play:
        trial = play.finish_result(play_oracle(play))

    assert [(each["tool"], each.get("fault")) for each in trial["calls"]] == [
        ("slack_post_message", "rate_limited-1"),
        ("wait", None),
        ("slack_post_message", None),
    ]
    assert scores(trial) == dict.fromkeys(("posted", "recovered", "patient", "few", "clean"), 1.0)
    assert (trial["tfs"], trial["tefs"], trial["damage"]) == (True, True, [])


def test_a_failed_call_counts_against_no_limit_but_not_for_ever(tmp_path: Path) -> None:
    task = make(tmp_path, 'retry_after = "60s"', "attempts = [1, 2, 3, 4, 5, 6, 7, 8]")

    patient, endless = played(task, *[POST["text"]] * 5), played(task, *[POST["text"]] * 9)

    assert patient["over_limit"] == 0
    assert endless["over_limit"] == 3


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'kind = "rate_limited"',
            'kind = "rate_limit"',
            "faults[0]: no kind of fault 'rate_limit'; slack has rate_lim",
        ),
        (
            'kind = "rate_limited"',
            'kind = "lost"\nkinds = 1',
            "faults[0].kinds: unknown key; have app, kind, id, tools",
        ),
        ('tools = ["slack_post_message"]', 'tools = ["slack_post"]', "faults[0]: no tool 'slack_post' of slack"),
        ('app = "slack"\nkind', 'app = "lark"\nkind', "faults[0].app: no app 'lark' in this task; have slack"),
        ("[[faults]]", '[[faults]]\nfrom = "+x 09:00"', "faults[0]: 'from' of a fault must be a time such as 2026-"),
    ],
)
def test_a_wrong_fault_is_refused_with_its_place(tmp_path: Path, old: str, new: str, problem: str) -> None:
    with pytest.raises(TaskError) as refused:
        make(tmp_path, old, new)

    assert [each.startswith(f"tell-them.toml: {problem}") for each in refused.value.problems] == [True]


def test_the_audit_plays_a_task_whose_call_fails_as_planned(tmp_path: Path) -> None:
    auditor = Auditor(tmp_path / "audit")
    try:
        found = auditor.audit(make(tmp_path, 'predicate = "backed_off"', 'predicate = "recovered"\napp = "slack"'))
    finally:
        auditor.close()

    assert (found.oracle, found.total(is_right=True).failed) == (1.0, 0)

"""Whole outcomes of tasks, from somebody who had not seen how they are judged: what the calls lead to is scored."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from farm.benchmark.agents.scripted import run_script
from farm.benchmark.runner.in_process_farm import LocalFarm
from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.grade import grade
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.tasks import OracleCall, Steps, Task
from tests.claims.labelled_texts import SINCE
from tests.suites import parsed_suite

OUTCOMES = Path(__file__).parents[3] / "claims" / "results" / "newcomers.md"
# What an app makes of these calls is not what their author took for granted.
OTHERWISE = {
    ("cross-beta-night-bug", "answered, and the same sent to Marcus in private, too"): "four letters are no user name",
    ("cross-ethan-hour", "answered, and a second event put into the calendar"): "Lark lets only writers add events",
    ("cross-cupping-address", "written, and begun when the shop closes"): "Lark moves nothing without an end",
    ("cross-ethan-hour", "both plain and HTML, with inReplyTo"): "that Gmail server takes bare addresses only",
    (
        "cross-krause-numbers",
        "read on Slack in the thread of the record, answered by inReplyTo and thread, as HTML",
    ): "that Gmail server takes bare addresses only",
}


@dataclass(frozen=True)
class Outcome:
    """One run: whether it is right, why, and what was called."""

    task: str
    why: str
    is_right: bool
    calls: Steps
    answer: str


def read_outcomes() -> Iterator[Outcome]:
    task = ""
    for line in OUTCOMES.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            task = line[3:]
        elif line.startswith("- "):
            for old, new in SINCE.get(task, {}).items():
                line = line.replace(old, new)
            label, rest = line[2:].split(" (", 1)
            why, rest = rest.split("): [", 1)
            calls, end = json.JSONDecoder().raw_decode("[" + rest)
            answer = json.loads(rest[end - 1 :].split("answer=", 1)[1])
            steps = tuple((OracleCall(c["app"], c["tool"], c["arguments"], c.get("as")),) for c in calls)
            yield Outcome(task, why, label == "RIGHT", steps, answer)


def passes(farm: LocalFarm, task: Task, outcome: Outcome) -> bool:
    """Return whether an outcome gets full marks and does no damage; an app that the task lacks cannot be called."""
    session = farm.create(task.world, task.apps, me=task.me, now=task.now, calls_max=task.calls_max)
    try:
        run_script(tuple(step for step in outcome.calls if step[0].app in task.apps), session, task.world)
        calls, changes, over_limit = session.calls(), session.changes(), session.over_limit()
    finally:
        session.close()
    now = datetime.fromisoformat(session.now)
    score = grade(task, Evidence(changes.diff, calls, outcome.answer, now, changes.reverted), load_start(task.world))
    return score.acc == 1.0 and not score.damage and not over_limit


def test_the_outcomes_are_as_their_author_handed_them_in() -> None:
    digest = hashlib.sha256(OUTCOMES.read_bytes()).hexdigest()

    assert digest == "123ec8c2e713db0c601244e9d0504cceaae31a453c5872d41542bbe9d7718b17"


def test_right_outcomes_pass_and_wrong_ones_do_not(tmp_path: Path) -> None:
    tasks = {task.id: task for task in parsed_suite("demo").tasks}
    farm = LocalFarm(tmp_path)

    found = {(each.task, each.why) for each in read_outcomes() if passes(farm, tasks[each.task], each) != each.is_right}
    farm.close()

    assert found == OTHERWISE.keys()

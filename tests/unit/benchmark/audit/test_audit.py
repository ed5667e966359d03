"""The audit: it passes tasks that hold, and says what is wrong with one that doesn't."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from farm import content
from farm.benchmark.audit.attacks import kind_of, right_ways, wrong_ways
from farm.benchmark.audit.attacks.hidden_texts import hidden
from farm.benchmark.audit.attacks.right_texts import RIGHT_TEXTS
from farm.benchmark.audit.attacks.wrong_texts import WRONG_TEXTS
from farm.benchmark.audit.audit import Auditor, Tally, TaskAudit, audit_suite, report
from farm.benchmark.scoring.initial_state import load_start
from farm.benchmark.tasks import KnownSurvivor, Operate, OracleCall, Suite, Task, Variant, load_suite
from tests.suites import parsed_suite

pytestmark = pytest.mark.xdist_group("audits")  # one process has the auditor, which builds a world's start once

DEMO = parsed_suite("demo")
EVERY_TASK = [task for name in content.suite_names() for task in parsed_suite(name).tasks]
# An audit takes most of a second: one task in ten has its own in each run of the tests, the others in the slow ones.
AUDITED = [
    pytest.param(task, id=f"{task.suite}-{task.id}", marks=[pytest.mark.slow] if number % 10 else [])
    for number, task in enumerate(EVERY_TASK)
]
REPLY = DEMO.task("slack-unlock-scheduler")
SEARCH = DEMO.task("slack-boards-rate")


def loose(**changes: object) -> Operate:
    """Return the reply's checkpoint with something about it not looked at."""
    point = REPLY.checkpoints[0]
    assert isinstance(point, Operate)
    return replace(point, **changes)  # type: ignore[arg-type] # keys of Operate


class Audits:
    """The audits of the suites' tasks, each made once."""

    def __init__(self, folder: Path) -> None:
        self.auditor = Auditor(folder)
        self._made: dict[tuple[str, str], TaskAudit] = {}

    def audit_of(self, task: Task) -> TaskAudit:
        """Return the audit of a task."""
        name = (task.suite, task.id)
        if name not in self._made:
            self._made[name] = self.auditor.audit(task)
        return self._made[name]


@pytest.fixture(scope="session")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audits]:
    """One auditor for all tasks, which builds the world's start once."""
    made = Audits(tmp_path_factory.mktemp("audit"))
    yield made
    made.auditor.close()


@pytest.fixture
def auditor(audits: Audits) -> Auditor:
    """The auditor of the suites' tasks; each audit has episodes of its own."""
    return audits.auditor


# A grammar reads what attackers make of texts, and it has limits; the suite as a whole is held to a rate.
OF_TEXTS = {kind_of(each) for each in (*WRONG_TEXTS, *RIGHT_TEXTS, hidden)}


@pytest.mark.parametrize("task", AUDITED)
def test_every_task_of_every_suite_holds(audits: Audits, task: Task) -> None:
    found = audits.audit_of(task)

    assert [each for each in found.unexplained if each.kind not in OF_TEXTS] == []
    assert (found.oracle, found.null) == (1.0, 0.0)
    assert found.total(is_right=False).held > 3
    right = found.total(is_right=True)
    assert right.held + right.unsure_held > 2


@pytest.mark.slow
def test_of_the_sure_verdicts_on_the_demo_suite_hardly_one_in_a_hundred_is_wrong(audits: Audits) -> None:
    made = report(DEMO, [audits.audit_of(task) for task in DEMO.tasks])

    assert made["kill_rate"] >= 0.99
    assert made["accept_rate"] >= 0.99
    assert made["unsure_wrong"]["rate_by_guess"] >= 0.98
    assert made["unsure_right"]["rate_by_guess"] >= 0.98
    assert made["by_kind"].keys() >= OF_TEXTS | {"foreign", "spam", "over-limit", "wrong-person"}


def test_a_checkpoint_that_does_not_look_at_the_thread_lets_a_wrong_one_pass(auditor: Auditor) -> None:
    where = {"channel_id": "{{channel}}", "user_id": {"person": "me"}}

    found = auditor.audit(replace(REPLY, checkpoints=(loose(where=where, free=("thread_ts",)),)))

    assert {each.kind for each in found.survivors} == {"wrong-target", "near-miss"}
    assert found.total(is_right=False).failed == len(found.survivors)


def test_a_column_that_an_oracle_fills_and_its_checkpoint_does_not_name_is_said(auditor: Auditor) -> None:
    where = {"channel_id": "{{channel}}", "user_id": {"person": "me"}}

    found = auditor.audit(replace(REPLY, checkpoints=(loose(where=where),)))

    assert found.survivors[0].found == (
        "damage: slack.messages: thread_ts of the new row was filled although nobody asked"
    )


def test_a_checkpoint_that_does_not_look_at_the_day_lets_the_old_one_pass(auditor: Auditor) -> None:
    found = auditor.audit(replace(REPLY, checkpoints=(loose(after={}),)))

    assert {each.kind for each in found.survivors} == {"near-miss", "filled"}
    assert "the old date is confirmed" in [each.why for each in found.survivors]


def test_a_checkpoint_that_is_too_exact_refuses_right_ways(auditor: Auditor) -> None:
    text = {"equals": "Yes, final: {{date:+17 en_short}} 10:00 Shanghai. Please move email and push."}

    found = auditor.audit(replace(REPLY, checkpoints=(loose(after={"text": text}),)))

    assert {each.kind for each in found.survivors} == {"reworded", "variant"}
    assert found.total(is_right=True).failed == len(found.survivors)


def test_an_oracle_with_unforeseen_effects_is_said_to_do_damage(auditor: Auditor) -> None:
    channel = "{channels.channels[name=launch-ember].id}"
    extra = OracleCall("slack", "slack_post_message", {"channel_id": channel, "text": "done"})

    found = auditor.audit(replace(REPLY, oracle=(*REPLY.oracle, (extra,))))

    assert found.survivors[0].kind == "oracle"
    assert found.survivors[0].found == "damage: slack.messages: a row was created that nobody asked for"


def test_an_oracle_that_cannot_be_played_is_said_to_be_so(auditor: Auditor) -> None:
    found = auditor.audit(replace(REPLY, oracle=REPLY.oracle[1:]))

    assert [(each.kind, each.why) for each in found.survivors] == [("oracle", "cannot be played")]
    assert "no result of that name" in found.survivors[0].found


def test_a_near_miss_is_given_away_by_damage_too(auditor: Auditor) -> None:
    step = tuple(replace(call, name=None) for call in REPLY.oracle[-1])
    twice = Variant("says it twice", steps=(*REPLY.oracle, step))

    found = auditor.audit(replace(REPLY, near_misses=(twice,)))

    assert found.survivors == []


def test_wrong_ways_cover_every_writing_call_and_right_ways_every_freedom() -> None:
    wrong = [script.kind for task in DEMO.tasks for script in wrong_ways(task)]
    right = [script.kind for task in DEMO.tasks for script in right_ways(task)]

    assert {"null", "read-only", "dropped", "wrong-target", "wrong-day", "wrong-person", "near-miss"} <= set(wrong)
    assert {"other-order", "extra-reads", "mistake-first", "reworded", "variant"} <= set(right)


def test_the_report_has_the_keys_that_scripts_rely_on(auditor: Auditor) -> None:
    suite = Suite("demo", "Demo", (REPLY, SEARCH))

    made = report(suite, [auditor.audit(task) for task in suite.tasks])

    assert made["suite"] == "demo"
    assert (made["tasks"], made["checkpoints"], made["oracle"], made["null"]) == (2, 2, 1.0, 0.0)
    assert 0.9 < made["kill_rate"] <= made["accept_rate"] == 1.0
    assert len(made["survivors"]) + len(made["explained"]) == sum(each["failed"] for each in made["by_kind"].values())
    assert made["wrong_variants"] == sum(
        each["held"] + each["failed"] for each in made["by_kind"].values() if not each["right"]
    )


OWN = """
id = "look"
title = "Look"
world = "harbor"
apps = ["slack"]
category = "slack"
instruction = "List the channels."
checkpoints = [{ id = "seen", kind = "other", predicate = "listed" }]
oracle = [{ calls = [{ app = "slack", tool = "slack_list_channels" }] }]
"""
LISTED = """
def listed(evidence, start):
    times = [call["now"][:16] for call in evidence.calls if not call["refused"] and not call["wrote"]]
    ended = all(call["started_at"] <= call["ended_at"] for call in evidence.calls)
    return "2026-03-09T09:00" in times and ended, "expected a list at nine"
"""


def test_a_predicate_of_ones_own_sees_calls_as_the_control_api_shows_them(
    auditor: Auditor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "content" / "tasks" / "mine"
    folder.mkdir(parents=True)
    (folder / "look.toml").write_text(OWN)
    (folder / "look.py").write_text(LISTED)
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "content"))

    found = auditor.audit(load_suite("mine").tasks[0])

    assert (found.oracle, found.null) == (1.0, 0.0)


def test_another_person_is_one_who_has_the_app_too() -> None:
    start = load_start("harbor")
    ours = [start.world.people[person]["email"] for person in start.people("rednote")]
    call = OracleCall("rednote", "search_feeds", {"keyword": ours[0]})
    (script,) = (each for each in wrong_ways(replace(SEARCH, oracle=((call,),))) if each.kind == "wrong-person")

    change = script.overrides[0, 0].change
    assert change is not None
    assert change(None, {"keyword": ours[0]})["keyword"] in ours[1:]


def test_every_task_of_the_demo_suite_has_near_misses_and_variants() -> None:
    assert [task.id for task in DEMO.tasks if len(task.near_misses) < 2 or not task.variants] == []


def test_a_survivor_that_the_file_explains_is_listed_apart(auditor: Auditor) -> None:
    reason = KnownSurvivor("near-miss", "Any day will do.", script="old date")
    other = KnownSurvivor("spam", "Nobody minds.")
    point = loose(after={})

    one = replace(REPLY, near_misses=REPLY.near_misses[:1])
    found = auditor.audit(replace(one, checkpoints=(point,), known_survivors=(reason, other)))
    made = report(Suite("demo", "Demo", (REPLY,)), [found])

    # That the text can be any is not explained.
    assert [each.kind for each in found.unexplained] == ["filled"]
    assert [each["explained"] for each in made["explained"]] == ["Any day will do."]
    assert made["kill_rate"] < 1.0
    assert [each["kind"] for each in made["stale"]] == ["spam"]


def test_a_verdict_that_rests_on_a_doubt_is_counted_apart() -> None:
    tally = Tally(is_right=False)
    for held, sure in ((True, True), (False, True), (True, False), (True, False), (False, False)):
        tally.add(held=held, sure=sure)

    made = report(Suite("demo", "Demo", ()), [TaskAudit("t", tallies={"hedge": tally})])

    assert made["kill_rate"] == 0.5
    assert made["wrong_variants"] == 2
    assert made["unsure_wrong"] == {"scripts": 3, "held": 2, "rate_by_guess": 0.6}
    assert made["accept_rate"] is None


def test_tasks_are_audited_by_several_processes_as_by_one() -> None:
    suite = Suite("demo", "Demo", (REPLY, SEARCH))
    told: list[str] = []

    made = [audit_suite(suite, lambda each: told.append(each.task), parallel=parallel) for parallel in (1, 2)]

    assert made[0] == made[1]
    assert told == [REPLY.id, SEARCH.id] * 2

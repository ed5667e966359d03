"""Final answers to somebody who asked for deeds alone: they may mislead about what was done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from farm.benchmark.audit.attacks.script import AttackScript
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.scoring.evidence import Contested, TaskScore
from farm.benchmark.tasks import load_suite

DEMO = load_suite("demo")
DEEDS = DEMO.task("lark-move-manual-review")
ASKED = DEMO.task("slack-boards-rate")


@pytest.fixture
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Auditor]:
    found = Auditor(tmp_path_factory.mktemp("reports"))
    yield found
    found.close()


def reports_of(score: TaskScore) -> list[Contested]:
    return [text for each in score.checkpoints for text in each.settled if text.place == "report"]


def told(auditor: Auditor, answer: str) -> TaskScore:
    return auditor.play(DEEDS, AttackScript("oracle", "", True, DEEDS.oracle, answer)).score


def test_a_judge_is_asked_about_a_report_and_told_what_was_done(auditor: Auditor) -> None:
    score = told(auditor, "I could not move it.")

    assert score.acc_range == (1.0, 1.0)  # code does not judge it
    (report,) = reports_of(score)
    assert (report.text, report.guess, report.is_close) == ("I could not move it.", True, True)
    assert [each[:40] for each in report.wanted] == ["what was done: lark.calendar_v4_calendar"]


def test_no_answer_is_no_report(auditor: Auditor) -> None:
    assert not reports_of(told(auditor, " "))


def test_a_report_is_no_matter_where_the_deed_is_not_done(auditor: Auditor) -> None:
    score = auditor.play(DEEDS, AttackScript("null", "", False, (), "I could not move it.")).score

    assert score.acc_range == (0.0, 0.0)
    assert not reports_of(score)


def test_a_final_answer_that_a_checkpoint_reads_is_no_report(auditor: Auditor) -> None:
    score = auditor.play(ASKED, AttackScript("oracle", "", True, ASKED.oracle, ASKED.oracle_answer)).score

    assert not reports_of(score)

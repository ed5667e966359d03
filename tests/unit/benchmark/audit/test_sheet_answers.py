"""The audit of answer sheets: the oracle's scores, and no sheet with a fault in one field does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from farm.benchmark.audit.audit import Auditor
from farm.benchmark.scoring import sheets
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.tasks import load_suite

DEMO = load_suite("demo")
TASK = DEMO.task("slack-boards-rate")


@pytest.fixture
def auditor(tmp_path: Path) -> Iterator[Auditor]:
    found = Auditor(tmp_path)
    yield found
    found.close()


def test_a_task_with_a_sheet_is_audited_with_right_and_wrong_sheets(auditor: Auditor) -> None:
    found = auditor.audit(TASK)

    tallies = {kind: (each.held, each.failed, each.unsure) for kind, each in found.tallies.items() if "sheet" in kind}
    fields = len(TASK.sheet)
    assert tallies == {
        "sheet-none": (1, 0, 0),
        "sheet-missing": (fields, 0, 0),
        "sheet-wrong": (fields, 0, 0),
        "sheet-twice": (2 * fields, 0, 0),
        "sheet": (3, 0, 0),
    }


@pytest.mark.parametrize(
    ("is_right", "kinds"), [(True, {"sheet-missing", "sheet-wrong", "sheet-twice"}), (False, {"sheet"})]
)
def test_a_comparison_that_errs_is_found_out(
    auditor: Auditor, monkeypatch: pytest.MonkeyPatch, is_right: bool, kinds: set[str]
) -> None:
    monkeypatch.setattr(sheets, "judge_fields", lambda fields, *_: [Finding(is_right, name) for name in fields])

    found = auditor.audit(TASK)

    assert {each.kind for each in found.survivors} == kinds


def test_every_search_of_the_demo_has_a_sheet() -> None:
    without = [
        f"{task.id}/{point.id}"
        for task in DEMO.tasks
        for point in task.checkpoints
        if point.is_on_answer and not getattr(point, "sheet", None)
    ]

    assert without == []

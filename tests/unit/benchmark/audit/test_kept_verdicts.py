"""A task on which nothing has changed is not audited again, and the report is the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from farm.benchmark.audit.audit import Auditor, audit_suite
from farm.benchmark.audit.kept_verdicts import KeptVerdicts
from farm.benchmark.audit.truth.fact_trace import FactTrace, no_trace
from farm.benchmark.tasks import Suite, Task, load_suite


def other_trace(_world: str) -> FactTrace:
    """Another function that tells where rows tell facts."""
    return FactTrace({}, frozenset())


def test_only_what_has_changed_is_audited_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    task = load_suite("demo").task("slack-boards-rate")
    suite, kept = Suite("demo", "demo", (task,)), KeptVerdicts(tmp_path, no_trace)
    first = audit_suite(suite, parallel=1, kept=kept)
    audited: list[str] = []
    audit = Auditor.audit

    def counted(auditor: Auditor, each: Task) -> object:
        audited.append(each.id)
        return audit(auditor, each)

    monkeypatch.setattr(Auditor, "audit", counted)

    again = audit_suite(suite, parallel=1, kept=kept)
    assert (again, audited) == (first, [])

    reworded = replace(task, raw=task.raw + b"\n# reworded")
    audit_suite(Suite("demo", "demo", (reworded,)), parallel=1, kept=kept)
    assert audited == [task.id]


def test_verdicts_depend_on_what_tells_facts_and_a_broken_file_is_none(tmp_path: Path) -> None:
    task = load_suite("demo").task("slack-boards-rate")
    kept = KeptVerdicts(tmp_path, no_trace)
    kept.keep(task, {"task": task.id})

    assert kept.find(task) == {"task": task.id}
    assert KeptVerdicts(tmp_path, other_trace).find(task) is None
    for path in tmp_path.iterdir():
        path.write_text("{")
    assert kept.find(task) is None


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    task = load_suite("demo").task("slack-boards-rate")
    (tmp_path / "file").write_text("in the way")
    kept = KeptVerdicts(tmp_path / "file" / "verdicts", no_trace)

    kept.keep(task, {"task": task.id})

    assert kept.find(task) is None

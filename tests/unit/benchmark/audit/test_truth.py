"""The audit refuses an oracle whose values are false, unread, needless to read, or ambiguous."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from farm.benchmark.audit.audit import Auditor
from farm.benchmark.audit.truth.truth import truth_faults
from farm.benchmark.tasks import Task, load_suite
from farm.benchmark.tasks.load import load_task

DEMO = load_suite("demo")


@pytest.fixture(scope="module")
def auditor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Auditor]:
    made = Auditor(tmp_path_factory.mktemp("audit"))
    yield made
    made.close()


def edited(task: str, folder: Path, *changes: tuple[str, str]) -> Task:
    """Return a task of the demo suite whose file has some texts replaced, everywhere."""
    text = DEMO.task(task).raw.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / f"{task}.toml"
    path.write_text(text, "utf-8")
    return load_task(path, "demo")


def faults(auditor: Auditor, task: Task) -> list[tuple[str, str]]:
    """Return the kind and the words of each fault."""
    context = auditor.context(task)
    assert context is not None
    return [(each.kind, each.line) for each in truth_faults(context)]


def test_an_invented_train_is_false_and_the_true_one_is_proven(auditor: Auditor, tmp_path: Path) -> None:
    right = DEMO.task("email163-train-answer")
    wrong = edited("email163-train-answer", tmp_path, ("G7136", "G7921"))

    assert faults(auditor, right) == []
    ((kind, line),) = faults(auditor, wrong)
    assert kind == "false"
    assert line.startswith("id G7921 stands in no row of the start; name what it follows from")

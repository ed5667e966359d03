"""No text of an oracle is in doubt: the weights of ``claims/sureness.py`` must not mistrust what is right for sure."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from farm.benchmark.audit.attacks import AttackScript
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.tasks.load import load_suite


@pytest.fixture
def auditor(tmp_path: Path) -> Iterator[Auditor]:
    auditor = Auditor(tmp_path)
    yield auditor
    auditor.close()


def test_every_oracle_of_the_demo_suite_earns_full_marks_for_sure(auditor: Auditor) -> None:
    unsure = {}
    for task in load_suite("demo").tasks:
        script = AttackScript("oracle", "the oracle", True, task.oracle, task.oracle_answer)
        score = auditor.play(task, script).score
        if score.acc_range != (1.0, 1.0):
            unsure[task.id] = [
                doubt for point in score.checkpoints for text in point.contested for doubt in text.doubts
            ]

    assert unsure == {}

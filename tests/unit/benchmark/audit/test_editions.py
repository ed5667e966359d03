"""Editions of worlds: the suite persona plays in them as in the world that they were drawn from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from farm.benchmark.audit.attacks import AttackScript
from farm.benchmark.audit.audit import Auditor
from farm.benchmark.audit.truth.truth import truth_faults
from farm.benchmark.tasks import Task, load_suite
from farm.errors import FarmError
from farm.world import reseed
from farm.world.facts import trace_of

SEED = 7


@pytest.fixture
def auditor(tmp_path: Path) -> Iterator[Auditor]:
    auditor = Auditor(tmp_path / "data", trace_of)
    yield auditor
    auditor.close()


def faults_of(task: Task, auditor: Auditor) -> list[str]:
    """Return what is wrong with a task's oracle: lost marks, damage, values that are false or were not read."""
    try:
        score = auditor.play(task, AttackScript("oracle", "", True, task.oracle, task.oracle_answer)).score
        context = auditor.context(task)
    except FarmError as problem:
        return [str(problem)]
    lines = [f"{each.id}: {each.why}" for each in score.checkpoints if each.score < 1.0]
    lines += [each.why for each in score.damage]
    return lines + [each.line for each in truth_faults(context, trace_of(task.world))] if context else lines


# A value that a task types, instead of naming its fact, contradicts an edition: no row has it, or a sum is another.
@pytest.mark.slow
@pytest.mark.parametrize("world", ["harbor", "halfday"])
def test_no_oracle_of_persona_contradicts_an_edition(
    world: str, auditor: Auditor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = reseed(world, SEED, tmp_path / "mine")
    monkeypatch.setenv("FARM_CONTENT", str(tmp_path / "mine"))
    tasks = load_suite(f"persona-{SEED}").tasks

    found = {task.id: faults_of(task, auditor) for task in tasks}

    assert {task.world for task in tasks} == {edition.world}
    assert {name: lines for name, lines in found.items() if lines} == {}

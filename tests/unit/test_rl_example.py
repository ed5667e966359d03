"""``examples/rl``: groups of rollouts are forked, rewarded by checkpoint, and the same each time."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from farm.play import Play

FILE = Path(__file__).parents[2] / "examples" / "rl" / "rollouts.py"
TASK = "demo/cross-rain-sunday"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rl_rollouts", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def test_a_perfect_policy_earns_every_point_from_any_step_on(example: ModuleType) -> None:
    calls, _ = example.right_calls(TASK, 3)

    for step in (0, len(calls)):
        held = example.group(TASK, seed=3, step=step, size=2, skill=1.0)
        assert [each.reward for each in held] == [1.0, 1.0]
        assert {each.calls for each in held} == {len(calls)}  # those before the fork count as well


def test_rollouts_of_a_group_differ_and_are_the_same_each_time(example: ModuleType) -> None:
    first, again = (example.group(TASK, seed=0, step=1, size=6, skill=0.5) for _ in range(2))

    assert first == again
    assert len({each.reward for each in first}) > 1
    with Play(TASK) as play:
        points = {point["id"] for point in play.finish("")["checkpoints"]}
    assert all(each.points.keys() == points for each in first)


def test_advantages_are_relative_to_the_group(example: ModuleType) -> None:
    assert example.advantages([0.0, 1.0, 1.0, 0.0]) == [-1.0, 1.0, 1.0, -1.0]
    assert example.advantages([0.5, 0.5]) == [0.0, 0.0]


def test_the_command_prints_each_rollout_with_its_advantage(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(FILE), TASK, "--size", "3"], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    title, *lines = done.stdout.splitlines()
    assert title.startswith(f"{TASK}: 3 rollouts from call 1 on, mean ")
    assert [line.split()[1] for line in lines] == ["reward"] * 3
    assert abs(sum(float(line.split()[0]) for line in lines)) < 0.05

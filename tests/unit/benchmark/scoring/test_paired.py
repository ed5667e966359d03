"""Two runs compared over the trials that both held: figures worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from farm.benchmark.scoring.paired import compare, p_value


def trial(task: str, acc: float, seed: int = 0, outcome: str = "fail") -> dict[str, Any]:
    point = {"score": acc, "low": acc, "high": acc}
    return {"task": task, "seed": seed, "acc": acc, "outcome": outcome, "damage": [], "checkpoints": [point]}


def test_trials_are_paired_by_task_and_seed_and_averaged_by_task() -> None:
    first = [trial("a", 0.0), trial("a", 1.0, seed=1), trial("b", 0.5)]
    second = [trial("a", 1.0), trial("a", 1.0, seed=1), trial("b", 0.25), trial("c", 1.0)]

    found = compare(first, second, "acc", {})

    assert found is not None
    assert (found.first, found.second) == (0.5, 0.625)
    assert [(each.task, each.difference, each.trials) for each in found.tasks] == [("a", 0.5, 2), ("b", -0.25, 1)]
    assert (found.only_first, found.only_second) == (0, 1)


def test_runs_without_a_trial_in_common_cannot_be_compared() -> None:
    assert compare([trial("a", 1.0)], [trial("a", 1.0, seed=1)], "acc", {}) is None


def test_a_trial_without_a_verdict_is_left_out() -> None:
    failed = trial("a", 0.0, outcome="not_graded") | {"acc": None}

    found = compare([failed, trial("b", 0.0)], [trial("a", 1.0), trial("b", 1.0)], "acc", {})

    assert found is not None
    assert [each.task for each in found.tasks] == ["b"]


@pytest.mark.parametrize(
    ("differences", "chance"),
    [
        ([], 1.0),
        ([0.0, 0.0], 1.0),
        ([1.0], 1.0),  # both signs are as far
        ([1.0, 1.0, 1.0], 0.25),  # +++ and --- of eight
        ([1.0, -1.0], 1.0),
        ([0.5] * 5 + [0.0] * 9, 0.0625),
    ],
)
def test_the_chance_of_few_differences_is_counted(differences: list[float], chance: float) -> None:
    assert p_value(differences) == chance


def test_the_chance_of_many_differences_is_drawn_alike_each_time_and_never_0() -> None:
    assert p_value([1.0] * 20) == p_value([1.0] * 20) == pytest.approx(2 / 2**20, abs=2e-4)
    assert p_value([1.0] * 20) > 0
    # Twelve of twenty: two tails of a binomial, 0.5034.
    assert p_value([1.0] * 12 + [-1.0] * 8) == pytest.approx(0.5034, abs=0.015)


def test_the_interval_of_equal_differences_is_that_difference() -> None:
    first = [trial(name, 0.25) for name in "abc"]
    second = [trial(name, 0.75) for name in "abc"]

    found = compare(first, second, "acc", dict.fromkeys("abc", "w"))

    assert found is not None
    assert found.interval == (0.5, 0.5)
    assert compare(first[:1], second[:1], "acc", {}).interval is None  # type: ignore[union-attr]


def test_worlds_that_differ_widen_the_interval_from_five_on() -> None:
    names = [f"{world}{n}" for world in range(6) for n in range(4)]
    worlds = {name: name[0] for name in names}
    first = [trial(name, 0.0) for name in names]
    second = [trial(name, float(name[0] < "3")) for name in names]

    by_world, as_one = compare(first, second, "acc", worlds), compare(first, second, "acc", dict.fromkeys(names, "w"))

    assert by_world is not None
    assert as_one is not None
    assert by_world.interval is not None
    assert as_one.interval is not None
    assert by_world.interval[0] < as_one.interval[0] < 0.5 < as_one.interval[1] < by_world.interval[1]

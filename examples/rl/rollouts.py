"""Rollouts in groups that share a beginning: forked at a step, rewarded by checkpoint, with the advantage of each.

The policy is scripted, so that this runs without a model: it makes the next right call with the probability ``skill``,
and else leaves it out. In its place, a trainer samples from its model: ``play.system``, ``play.instruction`` and
``play.tools()`` are the model's input, ``play.call(name, arguments)`` returns the text of a result.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, pstdev
from typing import Any

from farm.play import Play, play_oracle

Calls = Sequence[tuple[str, Any]]  # name of a tool, arguments


@dataclass(frozen=True)
class Rollout:
    """One continuation of a group: the points of its checkpoints, the calls it made, and its reward."""

    points: dict[str, float]
    calls: int
    reward: float


def right_calls(task: str, seed: int) -> tuple[Calls, str]:
    """Return the calls of the task's reference script and its answer; with the same seed, the same ids hold."""
    with Play(task, seed) as play:
        result = play_oracle(play)
    return [(f"{app}__{tool}", given) for turn in result.turns or () for app, tool, given in turn], result.answer


def rollout(play: Play, calls: Calls, answer: str, *, skill: float, chance: random.Random) -> Rollout:
    """Go on with a play until its end."""
    for name, arguments in calls:
        if chance.random() < skill:
            play.call(name, arguments)
    line = play.finish(answer if chance.random() < skill else "I do not know.")
    points = {point["id"]: point["score"] for point in line["checkpoints"]}
    # A right deed beside a wrong one earns nothing: `acc` is 0 when something else was changed.
    return Rollout(points, len(line["calls"]), mean(points.values()) if not line["damage"] else 0.0)


def group(task: str, *, seed: int, step: int, size: int, skill: float) -> list[Rollout]:
    """Return rollouts that share the calls before a step."""
    calls, answer = right_calls(task, seed)
    with Play(task, seed) as play:
        for name, arguments in calls[:step]:
            play.call(name, arguments)
        forks = [play.fork() for _ in range(size)]
    return [
        rollout(fork, calls[step:], answer, skill=skill, chance=random.Random(f"{task} {seed} {number}"))
        for number, fork in enumerate(forks)
    ]


def advantages(rewards: Sequence[float]) -> list[float]:
    """Return by how many standard deviations each reward is above the group's mean; zeros if all are equal."""
    middle, deviation = mean(rewards), pstdev(rewards)
    return [(reward - middle) / deviation if deviation else 0.0 for reward in rewards]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", default=["demo/lark-double-booked", "demo/cross-rain-sunday"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--step", type=int, default=1, help="calls that the rollouts of a group share")
    parser.add_argument("--size", type=int, default=8, help="rollouts of a group")
    parser.add_argument("--skill", type=float, default=0.7, help="probability of each right call")
    given = parser.parse_args()
    for task in given.tasks:
        held = group(task, seed=given.seed, step=given.step, size=given.size, skill=given.skill)
        print(f"{task}: {len(held)} rollouts from call {given.step} on, mean {mean(each.reward for each in held):.2f}")
        for each, advantage in zip(held, advantages([each.reward for each in held]), strict=True):
            points = ", ".join(f"{name} {point:g}" for name, point in each.points.items())
            print(f"  {advantage:+.2f}  reward {each.reward:.2f}  {each.calls} calls  {points}")


if __name__ == "__main__":
    main()

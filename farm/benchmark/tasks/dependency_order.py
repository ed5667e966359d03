"""The order in which a task's checkpoints are judged: one that refers to another's rows comes after it."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

from farm.benchmark.tasks.checkpoints import Checkpoint
from farm.benchmark.tasks.value_syntax import checkpoints_in
from farm.errors import FarmError


def in_order(points: Iterable[Checkpoint]) -> list[Checkpoint]:
    """Sort checkpoints so that each comes after those it refers to.

    Raises:
        FarmError: references form a cycle; the message names it.
    """
    by_id = {point.id: point for point in points}
    needs = {name: [each["checkpoint"] for each in checkpoints_in(point.references)] for name, point in by_id.items()}
    try:
        ids = list(TopologicalSorter(needs).static_order())
    except CycleError as circle:
        # The sorter lists a cycle against the direction of the references.
        names = "' → '".join(reversed(circle.args[1]))
        raise FarmError(f"a circle: '{names}'; a checkpoint cannot be decided by its own rows") from None
    return [by_id[name] for name in ids if name in by_id]

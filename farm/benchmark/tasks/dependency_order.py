"""The order in which a task's checkpoints are judged: one that refers to another's rows comes after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from farm.benchmark.tasks.model import Checkpoint, Operate, Search
from farm.benchmark.tasks.value_syntax import checkpoints_in
from farm.errors import FarmError


def needed_by(point: Checkpoint) -> Iterator[str]:
    """Yield the ids of the checkpoints whose rows a checkpoint refers to."""
    match point:
        case Search():
            values: tuple[object, ...] = (point.answer, point.looked_up)
        case Operate():
            values = (point.where, point.after)
        case _:
            values = (point.options,)
    for each in checkpoints_in(values):
        yield each["checkpoint"]


def in_order(points: Iterable[Checkpoint]) -> list[Checkpoint]:
    """Sort checkpoints so that each comes after those it refers to.

    Raises:
        FarmError: references form a cycle; the message names it.
    """
    by_id = {point.id: point for point in points}
    try:
        ids = list(TopologicalSorter({name: list(needed_by(point)) for name, point in by_id.items()}).static_order())
    except CycleError as circle:
        # The sorter lists a cycle against the direction of the references.
        names = "' → '".join(reversed(circle.args[1]))
        raise FarmError(f"a circle: '{names}'; a checkpoint cannot be decided by its own rows") from None
    return [by_id[name] for name in ids if name in by_id]

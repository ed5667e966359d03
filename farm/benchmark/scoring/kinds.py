"""How each kind of checkpoint is judged: by whom, what of a text it requires, and which texts of a trial it judges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from farm.benchmark.scoring import operations, predicates, searches
from farm.benchmark.scoring.evidence import CheckpointVerdict, Evidence, RowChange, WrittenText
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.tasks import Checkpoint, Operate, Other, Search, Task
from farm.errors import FarmError

_Point = TypeVar("_Point", bound=Checkpoint)


def _find_nothing(point: Checkpoint, _values: ValueResolver, _text: str, _column: str | None) -> list[Finding]:
    raise FarmError(f"checkpoint '{point.id}' is decided on the calls; there is no text to try")


@dataclass(frozen=True)
class Judge(Generic[_Point]):
    """The functions that judge one kind of checkpoint.

    Attributes:
        judge: returns the verdict; it raises UnresolvedDependencyError if another checkpoint that it depends on is not
            satisfied.
        find_in: returns the findings about one text, of the named column if the checkpoint is about rows.
        texts_of: yields the texts whose content is judged, in a trial that made the changes it accounts for. The audit
            rewrites them.
    """

    judge: Callable[[_Point, Task, Evidence, ValueResolver], CheckpointVerdict]
    find_in: Callable[[_Point, ValueResolver, str, str | None], list[Finding]] = _find_nothing
    texts_of: Callable[[_Point, Sequence[RowChange], Evidence, ValueResolver], Iterable[WrittenText]] = lambda *_: ()


JUDGES: Mapping[type[Checkpoint], Judge[Any]] = {
    Search: Judge(searches.judge, searches.find_in, searches.texts_of),
    Operate: Judge(operations.judge, operations.find_in, operations.texts_of),
    Other: Judge(predicates.judge),
}


def judge_of(point: Checkpoint) -> Judge[Any]:
    """Return how a checkpoint is judged."""
    return JUDGES[type(point)]

"""Lays out how far code, judge and people agree on texts, by category, beside a paper's agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from farm.benchmark.papers.definition import TableDefinition
from farm.benchmark.papers.layout import LaidOut, Row, Value
from farm.benchmark.papers.partial_run import PartialRun
from farm.benchmark.papers.tables import head_notes, trials_in
from farm.benchmark.runner.judge.agreement import measure
from farm.benchmark.runner.log import RunLog

Said = Mapping[str, Mapping[str, str]]


def build_agreement(table: TableDefinition, logs: Sequence[RunLog], said: Said, human: Path | None = None) -> LaidOut:
    """Return a table with a row for each category, and the agreement of every two raters.

    Args:
        said: suite → task → the instruction of the agent.
        human: a CSV file of people's labels.

    Raises:
        FarmError: the file cannot be read.
    """
    rows = [Row("paper", row.name, row.values, {}) for row in table.published]
    for row in table.published if logs else ():
        counted = [PartialRun(log, trials_in(table, row.group, log)) for log in logs]
        # Labels of other categories' texts name no checkpoint of this one.
        found = measure(counted, said, human, unknown_is_error=row.group is None)
        rows += _rows(row.name, found)
    notes = (*head_notes(table), "Own rows need verdicts of a judge (farm report --judge MODEL --judge-all) or labels.")
    heads = tuple(column.name for column in table.columns)
    return LaidOut(table.name, table.title, table.paper.cite, heads, tuple(rows), notes, table.layout)


def _rows(name: str, found: Mapping[str, Any]) -> list[Row]:
    """Return a row for each pair of raters, over what both have labelled; one without an agreement if there is none."""
    if not found["checkpoints"]:
        return []
    pairs: list[tuple[str, int, Value]] = [
        (f"{name}: {' – '.join(each['raters'])}", each["checkpoints"], round(100 * each["agreement"], 2))
        for each in found["pairs"]
    ]
    every = pairs or [(name, found["checkpoints"], None)]
    return [Row("run", label, (count, value), {}) for label, count, value in every]

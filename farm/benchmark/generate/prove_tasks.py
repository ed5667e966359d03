"""The audit of drafts: each is written as a task of a throw-away suite, which the audit proves."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from farm.benchmark.audit.audit import TaskAudit, audit_suite
from farm.benchmark.audit.truth.fact_trace import TraceOf
from farm.benchmark.generate.drafts import Draft
from farm.benchmark.generate.task_file import task_text
from farm.benchmark.tasks import Suite, Task, TaskError, load_task

_LINES_MAX = 3


def loaded_task(raw: Mapping[str, Any], folder: Path) -> Task:
    """Return the task that the content of a file is, as its file in a suite's folder would be read.

    Raises:
        TaskError: it is no valid task; with one line for each problem.
    """
    path = folder / f"{raw['id']}.toml"
    path.write_text(task_text(raw), "utf-8")
    return load_task(path, folder.name)


def audit_drafts(
    drafts: Iterable[Draft], trace_of: TraceOf, *, parallel: int | None = None, on_task: Callable[[str], None] = print
) -> list[Draft]:
    """Return the drafts, each audited or rejected with what the audit says of it."""
    done: list[Draft] = []
    found: dict[str, TaskAudit] = {}
    with tempfile.TemporaryDirectory(prefix="farm-drafts-") as temporary:
        folder = Path(temporary) / "drafts"
        folder.mkdir()
        tasks = []
        chosen = list(drafts)
        for draft in chosen:
            try:
                tasks.append(loaded_task(draft.task, folder))
            except TaskError as wrong:
                done.append(draft.to("rejected", "audit", "; ".join(wrong.problems[:_LINES_MAX])))

        def on_audit(audit: TaskAudit) -> None:
            found[audit.task] = audit
            on_task(audit.task)

        if tasks:
            audit_suite(Suite(folder.name, "drafts", tuple(tasks)), on_audit, parallel=parallel, trace_of=trace_of)
    for draft in chosen:
        if draft.id in found:
            lines = faults_of(found[draft.id])
            done.append(draft.to("rejected", "audit", "; ".join(lines)) if lines else draft.to("audited", "audit"))
    return sorted(done, key=lambda each: each.id)


def faults_of(audit: TaskAudit) -> Sequence[str]:
    """Return what the audit says against a task, the first lines."""
    scores = [] if audit.oracle == 1.0 else [f"the oracle scores {audit.oracle:.2f}"]
    scores += [f"doing nothing scores {audit.null:.2f}"] if audit.null else []
    kinds = [f"{each.kind}: {each.found}" for each in audit.unexplained]
    return [*scores, *dict.fromkeys(kinds)][:_LINES_MAX]

"""``generic_search`` and ``personal_search`` checkpoints: the final answer has the information asked for.

The score is 1 for all required pieces, 0.5 for half of them or more and nothing forbidden, else 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from farm.benchmark.scoring import predicates
from farm.benchmark.scoring.changes_made import changes_made
from farm.benchmark.scoring.evidence import (
    CheckpointScore,
    CheckpointVerdict,
    Contested,
    Evidence,
    RowChange,
    WrittenText,
)
from farm.benchmark.scoring.findings import VIEWS, Finding, View, all_hold
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Search, Task
from farm.benchmark.tasks.text_rules import wants_text


def judge(point: Search, _task: Task, evidence: Evidence, values: ValueResolver) -> CheckpointVerdict:
    """Return the verdict on one search."""
    if not evidence.answer.strip():
        return _sure(point, "expected an answer, found none")
    if not predicates.was_looked_up(point.looked_up, evidence, values):
        return _sure(point, "the answer was never looked up: no call shows the fact")
    context = replace(values.clock_context, done=changes_made(evidence))
    findings = check(values.resolve(point.answer, ""), evidence.answer, context)
    score, low, high = (_score(findings, view) for view in VIEWS)
    missing = [finding.describe for finding in findings if not finding.ok]
    why = f"expected the answer to have {' and '.join(missing)}, found '{_short(evidence.answer)}'"
    contested = Contested.of_findings("answer", evidence.answer, findings, point.answer.get("judge"))
    return CheckpointVerdict(
        CheckpointScore(
            point.id,
            point.kind,
            score,
            why if missing else "the answer says what it should",
            low,
            high,
            (contested,) if contested.doubts else (),
        )
    )


def find_in(point: Search, values: ValueResolver, answer: str, _column: str | None = None) -> list[Finding]:
    """Return the findings about an answer."""
    return check(values.resolve(point.answer, ""), answer, values.clock_context, stored=(_as_shown(answer),))


def _as_shown(answer: str) -> StoredText:
    """Return an answer as a chat shows it: its Markdown, of which blocks of code are a part of what it tells."""
    return StoredText("markdown", answer, answer, is_code_read=True)


def texts_of(
    point: Search, _changes: Sequence[RowChange], evidence: Evidence, _values: ValueResolver
) -> Iterator[WrittenText]:
    """Yield the answer, if claims are made about it."""
    if wants_text(point.answer):
        yield WrittenText("answer", evidence.answer, point.answer, format="markdown")


def _sure(point: Search, why: str) -> CheckpointVerdict:
    return CheckpointVerdict(CheckpointScore.sure(point.id, point.kind, 0.0, why))


def _score(findings: Sequence[Finding], view: View) -> float:
    if all_hold(findings, view):
        return 1.0
    asked = [finding for finding in findings if not finding.is_ban]
    broken = any(finding.is_ban and not finding.holds(view) for finding in findings)
    half = not broken and 2 * sum(finding.holds(view) for finding in asked) >= len(asked)
    return 0.5 if half else 0.0


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 120 else f"{flat[:117]}…"

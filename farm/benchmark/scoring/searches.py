"""``generic_search`` and ``personal_search`` checkpoints: the final answer has the information asked for.

The score is 1 for all required pieces, 0.5 for half of them or more and nothing forbidden, else 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from farm.benchmark.scoring import predicates, sheets
from farm.benchmark.scoring.changes_made import ChangesMade
from farm.benchmark.scoring.evidence import (
    CheckpointScore,
    CheckpointVerdict,
    Contested,
    Evidence,
    ProseScore,
    RowChange,
    WrittenText,
)
from farm.benchmark.scoring.findings import VIEWS, Finding, View, all_hold
from farm.benchmark.scoring.resolve import ValueResolver
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.scoring.value_check import check
from farm.benchmark.tasks import Search, Task
from farm.benchmark.tasks.text_rules import wants_text


def judge(point: Search, task: Task, evidence: Evidence, values: ValueResolver) -> CheckpointVerdict:
    """Return the verdict on one search: by the answer sheet if one was asked for and has a part of this search."""
    if not evidence.answer.strip():
        return _sure(point, "expected an answer, found none")
    if not predicates.was_looked_up(point.looked_up, evidence, values):
        return _sure(point, "the answer was never looked up: no call shows the fact")
    known = values.in_context(replace(values.clock_context, done=ChangesMade.of(evidence).kinds()))
    if evidence.asked == "sheet" and point.sheet:
        return CheckpointVerdict(_by_sheet(point, task, evidence.answer, known))
    return CheckpointVerdict(_by_prose(point, evidence.answer, known))


def _by_prose(point: Search, answer: str, values: ValueResolver) -> CheckpointScore:
    findings = find_in(point, values, answer)
    score, low, high = (_score(findings, view) for view in VIEWS)
    missing = [finding.describe for finding in findings if not finding.ok]
    why = f"expected the answer to have {' and '.join(missing)}, found '{_short(answer)}'"
    text = Contested.of_findings("answer", answer, findings, point.answer.get("judge"))
    why = why if missing else "the answer says what it should"
    contested = (text,) if text.doubts else ()
    settled = (text,) if wants_text(point.answer) and not text.doubts else ()
    return CheckpointScore(point.id, point.kind, score, why, low, high, contested, settled, 1.0)


def _by_sheet(point: Search, task: Task, answer: str, values: ValueResolver) -> CheckpointScore:
    """Return the verdict of the typed fields, and beside it the one on the prose, which decides nothing."""
    sheet = sheets.find_sheet(answer, task.sheet)
    prose = _by_prose(point, answer if sheet is None else sheet.prose, values)
    beside = ProseScore(prose.score, prose.why, prose.low, prose.high, prose.contested)
    if sheet is None:
        why = f"expected an answer sheet, a JSON object with {', '.join(task.sheet)}, found none"
        verdict = CheckpointScore.sure(point.id, point.kind, 0.0, why)
        return replace(verdict, settled=prose.settled, if_said=1.0, by_prose=beside)
    findings = sheets.judge_fields(point.sheet, sheet, values)
    score, low, high = (_score(findings, view) for view in VIEWS)
    missing = [finding.describe for finding in findings if not finding.ok]
    why = f"expected {' and '.join(missing)}" if missing else "the answer sheet holds what it should"
    doubtful = [each for each in findings if each.doubts]
    contested = (
        (Contested.of_findings("answer sheet", answer, doubtful, point.answer.get("judge")),) if doubtful else ()
    )
    return CheckpointScore(point.id, point.kind, score, why, low, high, contested, prose.settled, 1.0, beside)


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

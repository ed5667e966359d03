"""Derive scripts from a task's oracle: wrong ones, with mistakes that people make, and equally right ones.

Each attack is a small function that makes one kind of script. ``steps`` and ``targets`` need only the task's file.
``sheet_answers`` varies answer sheets. ``row_attacks``, ``additions``, ``revert``, ``wrong_texts``, ``hidden_texts``
and ``right_texts`` also use the oracle's results (``attack_context``).
"""

from __future__ import annotations

from collections.abc import Iterator

from farm.benchmark.audit.attacks.additions import filled, one_larger
from farm.benchmark.audit.attacks.attack_context import AttackContext, JudgedText
from farm.benchmark.audit.attacks.hidden_texts import hidden, other_html
from farm.benchmark.audit.attacks.marking_reads import marking_reads
from farm.benchmark.audit.attacks.revert import there_and_back
from farm.benchmark.audit.attacks.right_texts import RIGHT_TEXTS
from farm.benchmark.audit.attacks.row_attacks import STATE
from farm.benchmark.audit.attacks.script import AttackScript
from farm.benchmark.audit.attacks.sheet_answers import right_sheets, wrong_sheets
from farm.benchmark.audit.attacks.steps import right_ways, wrong_ways
from farm.benchmark.audit.attacks.wrong_texts import KEEPS_TEXTS, WRONG_TEXTS, TextAttacker

__all__ = [
    "AttackContext",
    "AttackScript",
    "attacks",
    "kind_of",
    "rewordings",
    "right_sheets",
    "right_ways",
    "wrong_sheets",
    "wrong_ways",
]


def attacks(context: AttackContext) -> Iterator[AttackScript]:
    """Yield scripts, derived from the oracle's results, that must score below 1.00 or do damage."""
    for attacker in (*STATE, there_and_back, filled, one_larger, other_html):
        yield from attacker(context)
    for judged in context.texts:
        for each in (*WRONG_TEXTS, hidden):
            yield from _scripts(context, each, judged, is_right=False)
        for each in KEEPS_TEXTS:
            for why, text in each(judged):
                yield context.script(
                    kind_of(each), f"{judged.name}: {why}", judged, text, is_right=False, is_full_text=True
                )


def rewordings(context: AttackContext) -> Iterator[AttackScript]:
    """Yield scripts, derived from the oracle's results, that are as right: read marks are set, other words are used."""
    yield from marking_reads(context)
    if not context.task.exact_texts:
        for judged in context.texts:
            for each in RIGHT_TEXTS:
                yield from _scripts(context, each, judged, is_right=True)


def kind_of(attacker: TextAttacker) -> str:
    """Return the kind of the scripts that an attack makes."""
    return attacker.__name__.replace("_", "-")


def _scripts(
    context: AttackContext, attacker: TextAttacker, judged: JudgedText, *, is_right: bool
) -> Iterator[AttackScript]:
    for why, text in attacker(judged):
        if text != judged.text:
            yield context.script(kind_of(attacker), f"{judged.name}: {why}", judged, text, is_right=is_right)

"""Find values that a task asks for and tells itself: in its instruction, or in the facts beside it."""

from __future__ import annotations

from collections.abc import Iterator

from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.truth.passages import passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.audit.truth.truth import asserted_claims
from farm.benchmark.tasks import Search

# A choice is often put to the agent ("the old or the new office?"), so its words prove nothing.
_KINDS = frozenset({"date", "clock", "span", "number", "amount", "id"})


def leaked_claims(context: AttackContext) -> Iterator[tuple[str, str]]:
    """Yield the checkpoint and the words of each claim on the answer whose value the task's own texts tell."""
    task = context.task
    texts = {
        "instruction": (task.instruction,),
        "necessary": task.necessary,
        "named": task.named,
        "unnecessary": task.unnecessary,
    }
    now = context.clock_context.now
    told = {place: [passages_of_text(rendered(text, task.world), now) for text in texts[place]] for place in texts}
    for point, claim in asserted_claims(context):
        if isinstance(point, Search) and claim.kind in _KINDS:
            for place in texts:
                if stands_in(claim, told[place]):
                    yield point.id, f"{claim.describe} is asked for, and `{place}` tells it"

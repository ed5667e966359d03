"""Find tasks that can be done without reading anything: their instruction tells all that the oracle writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from farm.benchmark.agents.scripted import rendered
from farm.benchmark.audit.attacks.attack_context import AttackContext
from farm.benchmark.audit.attacks.script import leaves, writes
from farm.benchmark.audit.truth.passages import Passage, passages_of_text
from farm.benchmark.audit.truth.standing import stands_in
from farm.benchmark.audit.truth.truth import asserted_claims, further_values
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.tasks import Steps, references_in

_ID_MIN = 4  # characters of an argument that can be an id


def without_reads(context: AttackContext) -> Steps | None:
    """Return the oracle without its reads if an agent that knows only the instruction could play it, else None.

    It could not if a write needs a part of a result, or sends a value or an id that the instruction does not tell.
    """
    task = context.task
    steps = tuple(tuple(call for call in step if writes(call)) for step in task.oracle)
    kept = tuple(step for step in steps if step)
    calls = [call for step in kept for call in step]
    if len(calls) == sum(map(len, task.oracle)):
        return None  # it has no reads
    known = {call.name for call in calls}
    if any(name not in known for call in calls for name in references_in(call.arguments)):
        return None
    told = [passages_of_text(text, context.clock_context.now) for text in context.told]
    if any(not stands_in(claim, told) for _, claim in asserted_claims(context)):
        return None
    texts = [rendered(task.oracle_answer, task.world), *_texts(call.arguments for call in calls)]
    return None if any(_needs_reading(text, told, context) for text in texts) else kept


def _texts(arguments: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for _, value in leaves(list(arguments)):
        if isinstance(value, str | int | float) and not isinstance(value, bool):
            yield str(value)


def _needs_reading(text: str, told: Iterable[Passage], context: AttackContext) -> bool:
    """Whether a text that is sent has a value that the instruction does not tell, or is an id that it does not have."""
    text = rendered(text, context.task.world)
    given = list(told)
    if any(not stands_in(claim, given) for claim in further_values(text, (), context.clock_context.now)):
        return True
    is_id = (
        len(text) >= _ID_MIN and not any(map(str.isspace, text)) and any(sign.isdigit() or sign == "@" for sign in text)
    )
    return is_id and not any(fold(text) in passage.text for passage in given)

"""What a text says besides the words that a task looks for: it may mislead, though the words are right."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from farm.appkit.column_vocabulary import Role
from farm.appkit.formats.visible import visible_text
from farm.benchmark.scoring.claims import Claim, Requirement, Situation, doubts_beside
from farm.benchmark.scoring.claims.normalize import fold
from farm.benchmark.scoring.clock_context import ClockContext
from farm.benchmark.scoring.findings import Finding
from farm.benchmark.scoring.people import names_of_all
from farm.benchmark.scoring.stored_texts import StoredText
from farm.benchmark.tasks.text_rules import TEXT_KEYS
from farm.context.operators import OPERATORS, texts_in

# Columns in which people read more than the words that are looked for; in closed ones every other word counts.
_CLOSED: frozenset[Role | None] = frozenset(("place", "person"))
_READ: frozenset[Role | None] = _CLOSED.union((None, "title", "body"))
_LITERAL = re.compile(r"\\.|[^\W_]+")
_STOPS = " \n.。"


def told_besides(
    wanted: Mapping[str, Any], stored: Sequence[StoredText], before: Any, clock_context: ClockContext
) -> Iterator[Finding]:
    """Yield a doubtful finding if a text with the right words shows, calls or says something else, too.

    Args:
        wanted: operators; what they look for is in the text.
        stored: the text in its format, or in several that a reader may see.
        before: the value at the start.
    """
    kept = texts_in(before)
    said = (*clock_context.said, kept, *_names(stored, clock_context))
    situation = Situation(clock_context.now, said, clock_context.done, clock_context.samples)
    doubts: dict[str, None] = {}
    for part in stored:
        doubts |= dict.fromkeys(part.visible().doubts)
        for each in visible_text(part.format, before).doubts if before else ():
            doubts.pop(each, None)
        if part.role not in _READ:
            continue
        # What conditions look for in a person's column is the address.
        screen = _shown_names(part.on_screen()) if part.role == "person" else part.on_screen()
        text = fold(screen)
        is_kept = bool(kept.strip(_STOPS)) and fold(kept) in text
        claims = tuple(Claim("says", (each,)) for each in dict.fromkeys(_looked_for(wanted, text)))
        requirement = Requirement(claims, keeps=kept if is_kept else None)
        doubts |= dict.fromkeys(doubts_beside(requirement, screen, situation, is_closed=part.role in _CLOSED))
    if doubts:
        yield Finding(True, "to tell nothing else", is_ban=True, doubts=tuple(doubts))


def _names(stored: Sequence[StoredText], clock_context: ClockContext) -> Iterator[str]:
    """Yield the names of the world's people, for texts that name whom they go to."""
    if any(part.role == "person" for part in stored):
        for each in names_of_all(clock_context.world.people).values():
            yield from each


def _shown_names(receivers: str) -> str:
    """Return the names beside the addresses of a mail's receivers: ``Jia Song <jia@…>``."""
    return "\n".join(re.split(r"[,;>\n]", before)[-1] for before in receivers.split("<")[:-1])


def _looked_for(wanted: Mapping[str, Any], text: str) -> Iterator[str]:
    """Yield the words for which conditions look that a folded text has; of a pattern the literal ones."""
    for name, values in wanted.items():
        operator = None if name in TEXT_KEYS else OPERATORS[name]
        if operator is None or operator.is_ban or not operator.needs_content:
            continue
        for each in map(str, values if isinstance(values, (list, tuple)) else [values]):
            words = _LITERAL.findall(each) if operator.wants == "pattern" else [each]
            yield from (word for word in words if word[0] != "\\" and len(word) > 1 and fold(word) in text)

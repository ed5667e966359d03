"""Addresses on the web that a text gives and the agent read nowhere: they may lead anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from farm.benchmark.scoring.evidence import Evidence
from farm.benchmark.scoring.stored_texts import StoredText
from farm.context.operators import texts_in

_ADDRESS = re.compile(r"https?://(?:www\.)?([^\s<>\"'()\[\]{}|\\^`\u3000-\u303f\uff00-\uffef]{1,2000})", re.IGNORECASE)
_SHOWN_MAX = 60  # characters of an address that a doubt names


def with_unknown_addresses(
    parts: Sequence[StoredText], evidence: Evidence, written_by: tuple[str, int | None], known: Iterable[str]
) -> tuple[StoredText, ...]:
    """Return a row's texts with a doubt about each address that nothing before has shown.

    Args:
        written_by: the app, and the number of the call that wrote the row; None if it is not known.
        known: what the agent knew besides the results of its calls: the instruction, and the text of the start.
    """
    if not any("://" in part.raw for part in parts):
        return tuple(parts)
    seen = "\n".join((*known, *_results_before(evidence, written_by))).casefold()
    return tuple(replace(part, doubts=(*part.doubts, *_doubts(part.raw, seen))) for part in parts)


def _results_before(evidence: Evidence, written_by: tuple[str, int | None]) -> Iterator[str]:
    for call in evidence.calls:
        if (call["app"], call["call"]) == written_by:
            return
        yield texts_in(call.get("result"))


def _doubts(text: str, seen: str) -> Iterator[str]:
    for found in _ADDRESS.finditer(text):
        address = found[1].rstrip(".,;:!?/*_~")
        if address and address.casefold() not in seen:
            yield f"where {address[:_SHOWN_MAX]} leads"

"""Whole recordings with stand-ins for what is private in any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.errors import FarmError
from farm.traverse.pool import Part
from farm.traverse.redact.redactor import Redactor

Line = dict[str, Any]


def redact_parts(parts: Sequence[Part], redactor: Redactor) -> list[Part]:
    """Return recordings, their tools included, with the same stand-in for the same value in all of them.

    Raises:
        FarmError: a value is left somewhere.
    """
    for part in parts:
        redactor.learn([*part.lines, part.tools])
    redacted = []
    for part in parts:
        lines = tuple(redactor.redact(line) for line in part.lines)
        tools: Mapping[str, Any] | None = redactor.redact(part.tools)
        for number, said in enumerate((*lines, tools), 1):
            if left := redactor.left(said):
                place = f"call {number}" if number <= len(lines) else "tools.json"
                raise FarmError(f"{part.folder}, {place}: a {left[0]} could not be replaced; nothing was written")
        redacted.append(replace(part, lines=lines, tools=tools))
    return redacted


def redact_seeds(seeds: Sequence[Line], redactor: Redactor) -> list[Line]:
    """Return seeds, ``{tool, arguments}`` each, with stand-ins for what is private.

    Redact seeds before they are perturbed: what swaps letters or cuts a value may leave a form that nothing finds.
    Only for a server that has no account of its own: a live one knows the values and not their stand-ins.
    """
    return [dict(each) for each in redactor.redact_all(seeds)]

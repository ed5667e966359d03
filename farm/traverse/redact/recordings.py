"""Redact whole recordings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from farm.errors import FarmError
from farm.traverse.pool.pool import Part
from farm.traverse.redact.redactor import Redactor

Line = dict[str, Any]


def redact_recordings(parts: Sequence[Part], redactor: Redactor) -> list[Part]:
    """Return redacted recordings, including their tools; equal values get equal stand-ins in all of them.

    Raises:
        FarmError: a private value is left.
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
    """Return redacted seeds, ``{tool, arguments}`` each.

    Redact seeds before they are perturbed: swapping letters or truncating a value may leave a form that is not
    detected. Use this only for a server without real accounts: a live server knows the values, not their stand-ins.
    """
    return [dict(each) for each in redactor.redact_all(seeds)]

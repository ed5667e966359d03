"""Finds a tool's result inside of what a client has made of it: words around JSON, or Python's ``repr``.

Codex writes "Wall time: … Output:" in front, Gemini CLI puts tags around, and some frameworks hand on the ``repr`` of
the MCP result or of its parsed body.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

_DECODER = json.JSONDecoder()
_OPENING = re.compile(r"[{\[]")
# A text in a repr: TextContent(type='text', text='…').
_TEXT = re.compile(r"""\btext=('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)
_TRIED_MAX = 64
_REPR_MAX = 2**20


def embedded_value(text: str) -> Any:
    """Return the longest JSON object or list in a text, else the value of a ``repr`` in it, else None."""
    return _repr_text(text) or _longest_json(text) or _literal(text)


def _longest_json(text: str) -> Any:
    best: tuple[int, Any] = (2, None)  # empty brackets tell nothing
    at = 0
    for _ in range(_TRIED_MAX):
        found = _OPENING.search(text, at)
        if found is None:
            break
        try:
            value, end = _DECODER.raw_decode(text, found.start())
        except (ValueError, RecursionError):
            at = found.end()
            continue
        if end - found.start() >= best[0]:
            best = (end - found.start(), value)
        at = end
    return best[1]


def _repr_text(text: str) -> Any:
    """Return the parsed text of the content blocks in the ``repr`` of an MCP result."""
    if len(text) > _REPR_MAX:
        return None
    told = []
    for found in _TEXT.finditer(text):
        try:
            told.append(ast.literal_eval(found[1]))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
    return _longest_json("\n".join(told)) if told else None


def _literal(text: str) -> Any:
    """Return the value of a Python literal: the ``repr`` of a parsed body."""
    if len(text) > _REPR_MAX:
        return None
    for opening, closing in (("{", "}"), ("[", "]")):
        start, end = text.find(opening), text.rfind(closing)
        if start < 0 or end < start:
            continue
        try:
            return ast.literal_eval(text[start : end + 1])
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return None

"""Return the content of a result, whatever its form."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

_REPR_LETTERS_MAX = 100_000


def text_of(result: Mapping[str, Any]) -> str:
    """Return the texts of a result, or of the resources in it."""
    found = []
    for item in result.get("content") or ():
        if isinstance(item, dict):
            inner = item.get("resource")
            text = item.get("text", inner.get("text") if isinstance(inner, dict) else None)
            if isinstance(text, str):
                found.append(text)
    return "\n".join(found)


def body_of(result: Mapping[str, Any]) -> Any:
    """Return a result's content: its structured part if that is more than a text, else its text, parsed if JSON."""
    structured = result.get("structuredContent")
    if isinstance(structured, dict) and not _is_wrapped_text(structured):
        return structured
    text = text_of(result)
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return _python_of(text)


def _python_of(text: str) -> Any:
    """Return the value of a text that is a Python repr, as some servers write rows; else the text."""
    if len(text) > _REPR_LETTERS_MAX:
        return text
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text


def _is_wrapped_text(structured: Mapping[str, Any]) -> bool:
    return len(structured) == 1 and isinstance(next(iter(structured.values())), str)

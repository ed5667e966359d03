"""JSON with comments and trailing commas, as in editors' settings: parsed, and edited as text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_STRING = r'"(?:\\.|[^"\\])*"'
_COMMENT = re.compile(rf"{_STRING}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_BLANKS = re.compile(r"[\s,:]*")
_DECODER = json.JSONDecoder()
_INDENT = "  "


def strip_comments(text: str) -> str:
    """Return the text as plain JSON: comments and trailing commas become blanks, so all positions stay."""
    return _COMMA.sub(_blanked, _COMMENT.sub(_blanked, text))


def _blanked(found: re.Match[str]) -> str:
    kept = found[0].startswith('"')
    return found[0] if kept else re.sub(r"[^\n]", " ", found[0])


def insert(text: str, place: tuple[str, ...], entries: Mapping[str, Any]) -> str:
    """Return the text with entries put into the object at a place; comments stay, entries of the same name go.

    Args:
        text: an object that ``strip_comments`` turns into JSON.
        place: the keys that lead to the object; missing ones are created, existing ones must be objects.
    """
    for name, entry in entries.items():
        text = _insert_one(text, (*place, name), entry)
    return text


def delete(text: str, path: tuple[str, ...]) -> str:
    """Return the text without the member at a path; a text without it is unchanged."""
    json_only = strip_comments(text)
    start = json_only.index("{")
    for key in path[:-1]:
        members = _members(json_only, start)
        if key not in members:
            return text
        start = members[key][0]
    members = _members(json_only, start)
    if path[-1] not in members:
        return text
    names = list(members)
    at = names.index(path[-1])
    # From the end of the value before, so that its comma goes, or to the value after.
    begin = members[names[at - 1]][1] if at else start + 1
    end = members[path[-1]][1]
    if not at and len(names) > 1:
        end = text.index(",", end) + 1
    return text[:begin] + text[end:]


def _insert_one(text: str, path: tuple[str, ...], value: Any) -> str:
    json_only = strip_comments(text)
    start = json_only.index("{")
    for depth, key in enumerate(path):
        members = _members(json_only, start)
        if key not in members:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert_member(text, start, depth + 1, key, value, is_first=not members)
        start, end = members[key]
    return text[:start] + _printed(value, len(path)) + text[end:]


def _insert_member(text: str, start: int, depth: int, key: str, value: Any, *, is_first: bool) -> str:
    ends = "\n" + _INDENT * (depth - 1) if is_first else ","
    member = f"\n{_INDENT * depth}{json.dumps(key)}: {_printed(value, depth)}{ends}"
    return text[: start + 1] + member + text[start + 1 :].lstrip(" " if is_first else "")


def _printed(value: Any, depth: int) -> str:
    lines = json.dumps(value, indent=len(_INDENT), ensure_ascii=False).splitlines()
    return f"\n{_INDENT * depth}".join(lines)


def _members(text: str, start: int) -> dict[str, tuple[int, int]]:
    """Return the start and end of each value of the object at ``start``, by key."""
    found: dict[str, tuple[int, int]] = {}
    at = _after_blanks(text, start + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        begin = _after_blanks(text, at)
        _, at = _DECODER.raw_decode(text, begin)
        found[key] = (begin, at)
        at = _after_blanks(text, at)
    return found


def _after_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    assert blanks is not None  # the pattern also matches an empty string
    return blanks.end()

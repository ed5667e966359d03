"""Lists: a page of results, the cursor of the next one, and the short form that the server makes of long ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from farm.envelope import compact_json
from farm.formats.javascript import js_length
from farm.kernel import Episode

from . import errors
from .compact import compact

Body = dict[str, Any]

_AUTO_RESULTS, _AUTO_LENGTH = 10, 12_000


def page_of(
    ep: Episode, rows: Sequence[Any], keys: Sequence[str], *, cursor: Any, size: int, kind: str, prefix: str = ""
) -> tuple[Sequence[Any], Body]:
    """Return the rows of a page, and the list they go into.

    Args:
        keys: what a cursor that begins with each row says of it.
        cursor: as given; None for the first page.
        kind: what the list says it is of.
        prefix: what stands before the key in a cursor.

    Raises:
        Invalid: the cursor is none of this list.
    """
    start = 0
    if cursor:
        known = cursor if type(cursor) is str else ""
        key = known.removeprefix(prefix) if known.startswith(prefix) else ""
        if key not in keys:
            raise errors.Invalid(f"The start_cursor provided is invalid: {known or compact_json(cursor)}")
        start = keys.index(key)
    there = rows[start : start + size]
    has_more = start + size < len(rows)
    listed: Body = {
        "object": "list",
        "results": [],
        "next_cursor": prefix + keys[start + size] if has_more else None,
        "has_more": has_more,
        "type": kind,
        kind: {},
        "request_id": ep.new_id("request"),
    }
    return there, listed


def shorten(listed: Body, mode: str | None) -> Body:
    """Return a list as the server shows it: short where that is asked for, or where it is long."""
    if mode == "full":
        return listed
    is_long = len(listed["results"]) > _AUTO_RESULTS or js_length(compact_json(listed)) > _AUTO_LENGTH
    return compact(listed) if mode == "compact" or is_long else listed

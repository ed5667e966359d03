"""Lists: a page of results, the cursor of the next one, and the short form that the server makes of long ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from farm.appkit import Episode, compact_json
from farm.appkit.formats.javascript import js_length

from . import errors
from .compact_view import compact

Body = dict[str, Any]

_AUTO_RESULTS, _AUTO_LENGTH = 10, 12_000


def walk_page(
    ep: Episode,
    rows_from: Callable[[str | None], Iterator[Any]],
    key_of: Callable[[Any], str],
    *,
    cursor: Any,
    size: int,
    kind: str,
    prefix: str = "",
) -> tuple[Sequence[Any], Body]:
    """Return a page as ``page_of`` does, of a list that is read no further than the page's end.

    Args:
        rows_from: returns the rows from the one with a key on, or from the first; none, or others, where no row of the
            list has the key.
        key_of: returns what a cursor that begins with a row says of it.

    Raises:
        Invalid: the cursor is none of this list.
    """
    known = cursor if type(cursor) is str else ""
    begin = known.removeprefix(prefix) if cursor and known.startswith(prefix) else None
    found = [] if cursor and begin is None else list(islice(rows_from(begin), size + 1))
    if cursor and (not found or key_of(found[0]) != begin):
        raise _invalid(cursor)
    following = prefix + key_of(found[size]) if len(found) > size else None
    return found[:size], _listed(ep, kind, following)


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
            raise _invalid(cursor)
        start = keys.index(key)
    following = prefix + keys[start + size] if start + size < len(rows) else None
    return rows[start : start + size], _listed(ep, kind, following)


def _invalid(cursor: Any) -> errors.Invalid:
    known = cursor if type(cursor) is str else ""
    return errors.Invalid(f"The start_cursor provided is invalid: {known or compact_json(cursor)}")


def _listed(ep: Episode, kind: str, following: str | None) -> Body:
    return {
        "object": "list",
        "results": [],
        "next_cursor": following,
        "has_more": following is not None,
        "type": kind,
        kind: {},
        "request_id": ep.new_id("request"),
    }


def shorten(listed: Body, mode: str | None) -> Body:
    """Return a list as the server shows it: short where that is asked for, or where it is long."""
    if mode == "full":
        return listed
    is_long = len(listed["results"]) > _AUTO_RESULTS or js_length(compact_json(listed)) > _AUTO_LENGTH
    return compact(listed) if mode == "compact" or is_long else listed
